# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops that a rig with displacement and force makes: cut out of the driven simulated rig's stream, stored run by run."""

import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import time
import unittest
import unittest.mock

from fricid_harness import FRICIDCTL, PATIENCE_S, Daemon, ScratchDirectory, Waiting, seconds
from run_tests import main
from schemas import complaints

AMPLITUDE, F_C, X_D = 1e-3, 2.0, 1e-4
ENERGY = 4 * F_C * (AMPLITUDE - X_D * math.tanh(AMPLITUDE / X_D))
DAHL = f'contact = "dahl"; contact_f_c_n = {F_C}; contact_x_d_m = {X_D};'


def driven(drive='drive = "sine"', duration_s=10.3, noise=0.001, source="", force="", normal=""):
    """A contact at 4 Hz and 2000 scans a second; noise as a share of half the stroke and of the friction."""
    return f"""{{ name = "contact"; source = {{ kind = "simulated"; real_time = false; duration_s = {duration_s};
        {drive}; drive_amplitude_m = {AMPLITUDE}; drive_frequency_hz = 4.0; {DAHL} {source} }};
        channels = (
            {{ name = "x"; role = "displacement"; sensor = "lvdt"; noise_mm = {noise * 1e3 * AMPLITUDE:.9f};
               step_mm = 0.0; range_mm = 5.0; }},
            {{ name = "f"; role = "force"; sensor = "force"; noise_n = {noise * F_C:.9f}; step_n = 0.0; {force} }}
            {normal} ); }}"""


class Lateness:
    """How long after a moment of a rig's stream something is told of it, without what the computer's other work took."""

    def __init__(self, daemon, rates):
        """rates: of the samples, by the rig's name."""
        self.rates, self.began_s = rates, {}
        self.waiting = [Waiting(f"/proc/{process}/schedstat") for process in (daemon.process.pid, "self")]
        self.looks = []

    def look(self, status):
        """An answer that just came: the stream of a rig began no later than its samples say."""
        now_s = time.monotonic()
        self.looks.append((now_s, sum(process.seconds() for process in self.waiting)))
        for rig in status["rigs"]:
            samples = rig["channels"][0]["counters"]["samples"]
            if rig["name"] in self.rates and samples > 0:
                began_s = now_s - samples / self.rates[rig["name"]]
                self.began_s[rig["name"]] = min(began_s, self.began_s.get(rig["name"], began_s))

    def has_looked(self, rig, at_s):
        return rig in self.began_s and self.looks[0][0] < self.began_s[rig] + at_s

    def seconds(self, rig, at_s, told_s):
        moment_s = self.began_s[rig] + at_s
        before = [waited_s for look_s, waited_s in self.looks if look_s < moment_s]
        behind = [waited_s for look_s, waited_s in self.looks if look_s > told_s]
        return told_s - moment_s - (behind[0] - before[-1])


def events_until_end(client):
    client.call("subscribe", topics=["event"], from_seq=1)
    events = []
    while not events or events[-1]["code"] != "source_ended":
        events.append(client.notification("notify.event")["event"])
    return events


class LiveLoops(unittest.TestCase):
    def runs_of(self, rig):
        """Results of the runs, oldest first, and the events that told of them."""
        with Daemon(rig) as daemon:
            daemon.wait_until_source_ended()
            with daemon.client() as client:
                events = events_until_end(client)
                runs = [event for event in events if event["code"] == "loop_run"]
                found = daemon.wait_for_results(len(runs), kind="loop")
                results = [client.call("results.get", id=summary["id"]) for summary in reversed(found)]
        for result in results:
            self.assertEqual(complaints("loop.json", result), [])
        return results, runs

    def test_a_steady_drive_is_one_run_with_the_energy_of_the_model(self):
        (result,), (event,) = self.runs_of(driven())
        self.assertEqual((result["verdict"], result["rig"], result["channel"]), ("ok", "contact", "x"))
        self.assertLess(abs(result["energy"]["value"] / ENERGY - 1), 1e-3)
        self.assertLess(abs(result["energy"]["value"] - ENERGY), 4 * result["energy"]["se"] + 1e-4 * ENERGY)
        # 41 cycles from the lower end on: the first reversal is not seen as one.
        self.assertEqual((result["loop"]["loops"], result["loop"]["runs"], event["count"]), (40, 1, 40))
        self.assertEqual(event["reason"], "end_of_source")

    def test_metrics_have_the_latest_loops(self):
        with Daemon(driven(duration_s=3.0)) as daemon:
            daemon.wait_until_source_ended()
            (summary,) = daemon.wait_for_results(1, kind="loop")
            result = json.loads(daemon.fricidctl("--json", "show", str(summary["id"])).stdout)
            lines = daemon.fricidctl("metrics").stdout.splitlines()
        figures = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        for quantity, unit in ("energy", "J"), ("stroke", "m"), ("k_sec", "N/m"), ("loss_factor", "1"):
            labels = f'{{rig="contact",source="simulated",channel="x",quantity="{quantity}",unit="{unit}"}}'
            self.assertEqual(float(figures["fricid_channel_last_estimate" + labels]), result[quantity]["value"])
            self.assertEqual(float(figures["fricid_channel_last_estimate_uncertainty" + labels]), result[quantity]["u"])
        self.assertFalse(any("mu_forward" in name for name in figures))

    def test_a_source_that_ends_without_a_loop_is_told_of(self):
        # Half a cycle, and two of them.
        for duration_s, told in (0.13, 1), (0.6, 0):
            with self.subTest(duration_s), Daemon(driven(duration_s=duration_s)) as daemon:
                daemon.wait_until_source_ended()
                with daemon.client() as client:
                    events = events_until_end(client)
                advice = [event for event in events if event["reason"] == "no_loop"]
                self.assertEqual(len(advice), told)
                self.assertTrue(all("was it driven" in event["sentence"] for event in advice))

    def test_a_sensor_at_its_limit_is_named_where_no_loop_was_found(self):
        clipped = {"f": driven(duration_s=2.0, force=f"range_n = {F_C / 2};"),
                   "x": driven(duration_s=2.0).replace("range_mm = 5.0", "range_mm = 0.5")}
        for channel, rig in clipped.items():
            with self.subTest(channel), Daemon(rig) as daemon:
                daemon.wait_until_source_ended()
                with daemon.client() as client:
                    events = events_until_end(client)
                (advice,) = [event for event in events if event["reason"] == "no_loop"]
                self.assertEqual(advice["channel"], channel)
                self.assertIn("at its limit", advice["sentence"])

    def test_each_loop_is_found_once_in_noise_and_none_is_invented(self):
        for rate_hz in (200.0, 20000.0):
            with self.subTest(rate_hz):
                results, events = self.runs_of(driven(noise=0.03, source=f"sample_rate_hz = {rate_hz};"))
                self.assertEqual(sum(event["count"] for event in events), 40)
                self.assertEqual(sum(result["loop"]["loops"] for result in results), 40)

    def test_another_speed_is_another_run(self):
        steps = 'drive = "steps"; drive_step_factor = 2.0; drive_steps = 2; drive_step_cycles = 8'
        results, events = self.runs_of(driven(steps, duration_s=5.1))
        self.assertEqual([event["reason"] for event in events], ["period"] * (len(events) - 1) + ["end_of_source"])
        self.assertEqual([event["count"] for event in events[:3]], [7, 8, 8])
        self.assertEqual([result["loop"]["loops"] for result in results[:3]], [7, 8, 8])
        self.assertEqual([result["loop"]["run"][-1]["ended_by"] for result in results], ["period"] * (len(results) - 1) + ["end_of_record"])

    def test_a_driven_motion_that_decreases_is_no_decay_where_it_is_said_to_be_driven(self):
        rig = driven('drive = "decreasing"', duration_s=5.0)
        for said, decays in (("", 1), ("driven = true; ", 0)):
            with self.subTest(said), Daemon(rig.replace("source =", said + "source =", 1)) as daemon:
                daemon.wait_until_source_ended()
                daemon.wait_for_results(2, kind="loop")
                self.assertEqual(len(daemon.wait_for_results(decays, kind="free_decay")), decays)
                with daemon.client() as client:
                    events = events_until_end(client)
                told = [event for event in events if event["reason"] == "loop_driven"]
                self.assertEqual(len(told), decays)

    def test_what_dwells_and_is_driven_drops_no_decays(self):
        rig = driven('drive = "trapezoid"; drive_dwell_s = 0.05', duration_s=8.0)
        rig = re.sub(r'sensor = "lvdt"; noise_mm = .*?range_mm = 5.0;', 'sensor = "encoder"; counts_per_mm = 1000.0;', rig, flags=re.DOTALL)
        dropped = []
        for said in ("", "driven = true; "):
            with Daemon(rig.replace("source =", said + "source =", 1)) as daemon:
                daemon.wait_until_source_ended()
                with daemon.client() as client:
                    channel = client.call("status")["rigs"][0]["channels"][0]
                    dropped.append(sum(channel["counters"]["drops"].values()))
                self.assertEqual("decays were clipped" in daemon.fricidctl("status").stdout, said == "")
        self.assertGreater(dropped[0], 0)
        self.assertEqual(dropped[1], 0)

    def test_another_slower_speed_is_no_rest(self):
        steps = 'drive = "steps"; drive_step_factor = 0.25; drive_steps = 2; drive_step_cycles = 8'
        _, events = self.runs_of(driven(steps, duration_s=11.0))
        self.assertEqual([event["reason"] for event in events[:2]], ["period", "period"])
        self.assertEqual([event["count"] for event in events[:2]], [7, 8])

    def test_a_rigid_contact_has_no_secant_stiffness(self):
        (result,), _ = self.runs_of(driven(duration_s=2.1).replace(DAHL, f'contact = "rigid"; contact_f_c_n = {F_C};'))
        self.assertIsNone(result["k_sec"]["value"])
        self.assertIn("leaps at a turn", result["k_sec"]["reason"])
        self.assertIn("k_sec is not known", result["loss_factor"]["reason"])
        self.assertLess(abs(result["energy"]["value"] / (4 * F_C * AMPLITUDE) - 1), 1e-3)

    def test_a_trapezoid_dwells_and_is_one_run(self):
        (result,), (event,) = self.runs_of(driven('drive = "trapezoid"; drive_dwell_s = 0.04'))
        self.assertEqual((event["count"], result["loop"]["loops"]), (40, 40))
        self.assertAlmostEqual(result["loop"]["loop"][5]["rest_s"], 0.08, delta=0.01)

    def test_a_force_that_its_multiplexer_samples_later_is_brought_back(self):
        (result,), _ = self.runs_of(driven(noise=0.0, source="channel_delay_s = 4e-4;"))
        self.assertLess(abs(result["energy"]["value"] / ENERGY - 1), 2e-4)

    def test_a_velocity_makes_loops_as_a_displacement_does(self):
        generator, deflection, before = random.Random(3), 0.0, -AMPLITUDE
        rows, rate_hz, omega = ["time_s,v_mm/s,f_N\n"], 2000.0, 2 * math.pi * 4.0
        for i in range(12 * 500):
            time_s = i / rate_hz
            x = -AMPLITUDE * math.cos(omega * time_s)
            sense = 1 if x > before else -1
            deflection = sense + (deflection - sense) * math.exp(-abs(x - before) / X_D)
            before = x
            v = 1e3 * AMPLITUDE * omega * math.sin(omega * time_s) + generator.gauss(0, 0.02)
            rows.append(f"{time_s:.6f},{v:.9g},{F_C * deflection + generator.gauss(0, 0.002):.9g}\n")
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        path = scratch.write("velocity.csv", "".join(rows))
        (result,), (event,) = self.runs_of(
            f"""{{ name = "contact"; source = {{ kind = "recording"; file = "{path}"; real_time = false; }};
            channels = ( {{ name = "v"; role = "velocity"; }}, {{ name = "f"; role = "force"; }} ); }}""")
        self.assertEqual((result["kind"], result["verdict"], result["channel"]), ("loop", "ok", "v"))
        self.assertGreaterEqual(result["loop"]["loops"], 9)
        self.assertEqual(event["reason"], "end_of_source")
        self.assertLess(abs(result["energy"]["value"] / ENERGY - 1), 2e-3)

    def test_sampling_that_becomes_slower_is_no_gap(self):
        """The way back is sampled ten times more rarely than the way there, of which a fifth of the sixth cycle is missing."""
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        cycles, dense, sparse = 12, 200, 20
        there = [0.5 * i / dense for i in range(dense)]
        back = [0.5 + 0.5 * i / sparse for i in range(sparse)]
        for lost, runs in ((False, [("end_of_source", 10)]), (True, [("gap", 4), ("end_of_source", 5)])):
            generator, deflection, before = random.Random(7), 0.0, -AMPLITUDE
            rows = ["time_s,displacement_mm,force_N\n"]
            for time_s in (cycle + part for cycle in range(cycles) for part in there + back):
                x = -AMPLITUDE * math.cos(2 * math.pi * time_s)
                sense = 1 if x > before else -1
                deflection = sense + (deflection - sense) * math.exp(-abs(x - before) / X_D)
                before = x
                if not (lost and 5.2 < time_s < 5.4):
                    shown = 1e3 * x + generator.gauss(0, 0.001)
                    rows.append(f"{time_s:.6f},{shown:.9g},{F_C * deflection + generator.gauss(0, 0.002):.9g}\n")
            path = scratch.write("paces.csv", "".join(rows))
            with self.subTest(lost):
                results, events = self.runs_of(
                    f"""{{ name = "contact"; source = {{ kind = "recording"; file = "{path}"; real_time = false; }};
                    channels = ( {{ name = "displacement"; role = "displacement"; }},
                                 {{ name = "force"; role = "force"; }} ); }}""")
                self.assertEqual([(event["reason"], event["count"]) for event in events], runs)
                self.assertEqual([result["loop"]["loops"] for result in results], [count for _, count in runs])
                for result in results:
                    self.assertLess(abs(result["energy"]["value"] / ENERGY - 1), 5e-3)

    def test_a_normal_force_gives_a_friction_coefficient(self):
        normal = ', { name = "n"; role = "normal"; sensor = "normal"; }'
        (result,), _ = self.runs_of(driven(normal=normal))
        self.assertAlmostEqual(result["mu_forward"]["value"], F_C / 5, delta=0.002)

    def test_clipped_force_ends_the_run(self):
        results, events = self.runs_of(driven(force="range_n = 1.5;"))
        self.assertEqual((results, events), ([], []))

    def test_every_loop_is_told_with_its_figures_when_it_closes(self):
        with Daemon(driven(duration_s=1000.0).replace("real_time = false", "real_time = true")) as daemon:
            with daemon.client() as client:
                client.call("subscribe", topics=["progress"])
                told = []
                while len(told) < 6:
                    note = client.notification("notify.progress")
                    self.assertEqual(complaints("notify.progress.json", {"jsonrpc": "2.0", "method": "notify.progress", "params": note}), [])
                    if note["state"]["phase"] == "driven":
                        told.append(note["state"]["loop"])
                        self.assertEqual((note["channel"], told[-1]["columns"]), ("x", "displacement_m,force_n,time_s"))
                status = client.call("status")
            channels = status["rigs"][0]["channels"]
            self.assertIn("driven, loop", daemon.fricidctl("status").stdout)
        self.assertEqual([loop["number"] for loop in told], [*range(told[0]["number"], told[0]["number"] + 6)])
        for loop in told:
            self.assertLess(abs(loop["energy"] - ENERGY), 4 * loop["se_energy"] + 1e-4 * ENERGY)
            self.assertAlmostEqual(loop["period_s"], 0.25, delta=1e-3)
        self.assertEqual([channel["state"]["phase"] for channel in channels], ["driven", "driven"])
        self.assertGreaterEqual(channels[1]["state"]["loop"]["number"], told[-1]["number"])

    def recording(self, scratch, period_s, rate_hz, cycles):
        """A file of a Dahl contact that is driven by a sine, replayed as fast as it was measured."""
        deflection, before, rows = 0.0, -AMPLITUDE, ["time_s,displacement_mm,force_n\n"]
        generator = random.Random(5)
        for i in range(int(cycles * period_s * rate_hz)):
            x = -AMPLITUDE * math.cos(2 * math.pi * i / rate_hz / period_s)
            sense = 1 if x > before else -1
            deflection = sense + (deflection - sense) * math.exp(-abs(x - before) / X_D)
            before = x
            shown = 1e3 * (x + generator.gauss(0, 0.003 * AMPLITUDE))
            rows.append(f"{i / rate_hz:.6f},{shown:.9g},{F_C * deflection + generator.gauss(0, 0.006):.9g}\n")
        path = scratch.write("replayed.csv", "".join(rows))
        return f"""{{ name = "replayed"; source = {{ kind = "recording"; file = "{path}"; real_time = true; }};
            channels = ( {{ name = "displacement"; role = "displacement"; }},
                         {{ name = "force"; role = "force"; }} ); }}"""

    def test_a_loop_is_told_within_a_fifth_of_a_second_or_a_twentieth_of_its_period(self):
        """Whichever is longer, of short and long loops, of many samples and of few, of a rig and of a recording, while
        ladders are fitted. Beyond that may be what the computer's other work took, and the ten milliseconds that a
        source in real time waits."""
        tick_s, duration_s = 0.01, seconds(PATIENCE_S)
        cases = {"brief": (0.2, 2000.0), "usual": (1.0, 2000.0), "coarse": (1.0, 50.0), "slow": (5.0, 200.0)}
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        rigs = [driven(noise=0.02)]
        for name, (period_s, rate_hz) in cases.items():
            rig = driven(duration_s=duration_s, noise=0.003, source=f"sample_rate_hz = {rate_hz};")
            for what, other in (('name = "contact"', f'name = "{name}"'), ("real_time = false", "real_time = true"),
                                ("frequency_hz = 4.0", f"frequency_hz = {1 / period_s}")):
                rig = rig.replace(what, other)
            rigs.append(rig)
        rigs.append(self.recording(scratch, 1.0, 500.0, duration_s))
        cases["replayed"] = (1.0, 500.0)
        told = {name: {} for name in cases}

        def judged(rig):
            """A later look may show that a stream began so early that a loop had ended before the first look."""
            return [(end_s, told_s) for end_s, told_s in told[rig].values() if late.has_looked(rig, end_s)]

        with Daemon(",\n".join(rigs), service=f"ladder_deadline_s = {seconds(60)};") as daemon:
            late = Lateness(daemon, {name: rate_hz for name, (_, rate_hz) in cases.items()})
            deadline = time.monotonic() + duration_s
            with daemon.client() as listener, daemon.client() as client:
                listener.call("subscribe", topics=["progress"])
                listener.socket.settimeout(0.05)
                while min(len(judged(rig)) for rig in told) < 2 and time.monotonic() < deadline:
                    if not late.looks or time.monotonic() - late.looks[-1][0] > 0.05:
                        late.look(client.call("status"))
                    try:
                        note = listener.notification("notify.progress")
                    except TimeoutError:
                        continue
                    loop, told_s = note["state"]["loop"], time.monotonic()
                    if loop and note["rig"] in cases:
                        told[note["rig"]].setdefault(loop["number"], (loop["end_s"], told_s))
                late.look(client.call("status"))
        for rig in told:
            period_s, rate_hz = cases[rig]
            self.assertGreater(len(judged(rig)), 0, rig)
            for end_s, told_s in judged(rig):
                with self.subTest(rig, end_s=end_s):
                    self.assertLess(late.seconds(rig, end_s, told_s), max(0.2, 0.05 * period_s) + tick_s + 1 / rate_hz)

    def test_the_ladder_follows_with_what_is_known_of_the_instruments(self):
        known = "physical = { force_delay_s = 1e-4; u_force_delay_s = 2e-5; u_force_gain_percent = 1.0; };"
        rig = driven(duration_s=2.0, noise=0.005).replace("channels = (", known + " channels = (")
        with Daemon(rig, service="ladder_deadline_s = 600;") as daemon, daemon.client() as client:
            daemon.wait_until_source_ended()
            (summary,) = [one for one in daemon.wait_for_results(1) if one["kind"] == "loop"]
            deadline = time.monotonic() + seconds(PATIENCE_S)
            while client.call("results.get", id=summary["id"])["revision"] < 2 and time.monotonic() < deadline:
                time.sleep(0.1)
            first, second = (client.call("results.get", id=summary["id"], revision=revision) for revision in (1, 2))
            self.assertEqual(daemon.fricidctl("reidentify", "--where", f"id={summary['id']}").returncode, 0)
            again = client.call("results.get", id=summary["id"])
        for result in (first, second, again):
            self.assertEqual(complaints("loop.json", result), [])
            self.assertEqual(result["loop"]["contact"]["force_delay_s"], 1e-4)
            self.assertIsNone(result["loop"]["contact"]["moving_mass_kg"])
            self.assertAlmostEqual(result["energy"]["u"] / result["energy"]["value"], 0.01, delta=1e-3)
        self.assertEqual((first["loop"]["ladder"]["verdict"], first["energy"]), ("pending", second["energy"]))
        self.assertEqual([result["provisional"] for result in (first, second, again)], [True, False, False])
        ladder = second["loop"]["ladder"]
        self.assertEqual((ladder["verdict"], ladder["f_c"]["value"]), ("ok", again["loop"]["ladder"]["f_c"]["value"]))
        self.assertAlmostEqual(ladder["f_c"]["u"] / ladder["f_c"]["value"], 0.01, delta=2e-3)

    def found_again(self, contact, model, truth):
        """What a rig with that contact has, by its name in JSON, is in the ladder's answer."""
        rig = driven('drive = "sine"', duration_s=1.1, source="").replace(DAHL, contact)
        with Daemon(rig, service="ladder_deadline_s = 600;") as daemon, daemon.client() as client:
            (summary,) = [one for one in daemon.wait_for_results(1) if one["kind"] == "loop"]
            deadline = time.monotonic() + seconds(PATIENCE_S)
            while client.call("results.get", id=summary["id"])["revision"] < 2 and time.monotonic() < deadline:
                time.sleep(0.1)
            ladder = client.call("results.get", id=summary["id"])["loop"]["ladder"]
        self.assertEqual((ladder["verdict"], ladder["model"]), ("ok", model))
        for name, value in truth.items():
            found = ladder[name]
            self.assertLess(abs(found["value"] - value), 5 * found["se"] + 2e-3 * value, name)
        return ladder

    def test_a_contact_of_elements_is_found_again(self):
        lengths, forces = (5e-5, 1.5e-4, 4e-4), (0.8, 0.7, 0.5)
        ladder = self.found_again(
            f'contact = "maxwell_slip"; contact_slip_lengths_m = {list(lengths)}; contact_slip_forces_n = {list(forces)};',
            "maxwell_slip", {"f_c": 2.0})
        self.assertEqual(len(ladder["elements"]), 3)
        for element, length, force in zip(ladder["elements"], lengths, forces):
            self.assertAlmostEqual(element["slip_length"]["value"] / length, 1, delta=0.01)
            self.assertAlmostEqual(element["slip_force"]["value"] / force, 1, delta=0.01)

    def test_a_contact_with_a_gap_is_found_again(self):
        self.found_again('contact = "backlash"; contact_gap_m = 4e-4; contact_x_d_m = 1e-4; contact_f_c_n = 2.0;',
                         "backlash", {"f_c": 2.0, "x_d": 1e-4, "gap": 4e-4})

    def test_a_contact_whose_elements_come_to_their_force_is_found_again(self):
        self.found_again(
            """contact = "gms"; contact_slip_lengths_m = [3e-5, 8e-5, 2e-4]; contact_slip_forces_n = [0.8, 0.7, 0.5];
               contact_f_s_n = 3.2; contact_v_s_m_per_s = 6e-3; contact_attraction_n_per_s = 160.0;
               contact_sigma_2 = 3.0;""",
            "maxwell_slip+viscous+stribeck+attraction", {"f_c": 2.0, "f_s": 3.2, "v_s": 6e-3, "attraction": 160, "sigma_2": 3})

    def test_what_is_kept_is_shown_sampled_and_identified_again(self):
        with Daemon(driven(duration_s=2.0)) as daemon:
            (summary,) = [one for one in daemon.wait_for_results(1) if one["kind"] == "loop"]
            with daemon.client() as client:
                samples = client.call("samples", id=summary["id"])
                self.assertEqual(samples["columns"], "displacement_m,force_n,time_s")
            self.assertIn("E", daemon.fricidctl("show", str(summary["id"])).stdout)
            self.assertEqual(daemon.fricidctl("reidentify", "--where", f"id={summary['id']}").returncode, 0)
            self.assertEqual(daemon.fricidctl("plot", str(summary["id"]), "--output", str(daemon.scratch.path / "loop.svg")).returncode, 0)



@unittest.skipUnless(shutil.which("gnuplot"), "SKIP: no gnuplot")
class LivePlot(unittest.TestCase):
    """What gnuplot without windows draws of a rig, letter by letter."""

    def started(self, daemon, *arguments):
        command = [FRICIDCTL, "--socket", daemon.socket_path, "plot", "--live", *arguments]
        surroundings = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "GNUTERM")}
        return subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_until_something_is_measured(self, daemon):
        deadline = time.monotonic() + seconds(PATIENCE_S)
        with daemon.client() as client:
            while not client.call("recorder.find", rig="contact", last_s=1)["rigs"][0]["rings"]:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)

    def wait_for_picture(self, plot):
        for line in plot.stdout:
            if "x, mm" in line:
                return
        self.fail(plot.stderr.read())

    def rows_of(self, drawing, pattern):
        return [line for line in drawing.splitlines() if re.search(pattern, line)]

    def test_a_loop_goes_round_until_it_is_ended(self):
        with Daemon(driven(duration_s=1000.0).replace("real_time = false", "real_time = true")) as daemon:
            self.wait_until_something_is_measured(daemon)
            with self.started(daemon, "contact") as plot:
                self.wait_for_picture(plot)
                self.wait_for_picture(plot)
                plot.send_signal(signal.SIGINT)
                rest, errors = plot.communicate(timeout=seconds(PATIENCE_S))
            self.assertEqual((plot.returncode, errors), (0, ""))
            with self.started(daemon, "--for", "1s", "--last", "2s") as plot:
                drawing, errors = plot.communicate(timeout=seconds(PATIENCE_S))
            self.assertEqual((plot.returncode, errors), (0, ""))
        self.assertIn("rig contact", drawing)
        self.assertTrue(self.rows_of(drawing, "^ *f, N"), drawing)
        # The sides of Dahl's loop are steep, the plateaus long: in between a row meets it twice.
        self.assertTrue(self.rows_of(drawing, r"\*{15}"), drawing)
        self.assertTrue(self.rows_of(drawing, r"\*+ {10,}\*+"), drawing)

    def test_a_loop_that_goes_round_fast_has_no_chords(self):
        """Of 20 samples a cycle every fifth would jump across it; and a picture stays as small as any."""
        tools = ScratchDirectory()
        self.addCleanup(tools.remove)
        told = tools.path / "told"
        tools.write("gnuplot", f"#!/bin/sh\ncat > {told}\n").chmod(0o755)
        rig = driven(duration_s=12.0).replace("drive_frequency_hz = 4.0", "drive_frequency_hz = 100.0")
        with Daemon(rig) as daemon, unittest.mock.patch.dict(os.environ, {"PATH": f"{tools.path}:{os.environ['PATH']}"}):
            daemon.wait_until_source_ended()
            with self.started(daemon) as plot:
                _, errors = plot.communicate(timeout=seconds(PATIENCE_S))
            self.assertEqual(plot.returncode, 0, errors)
        rows = told.read_text().split("$live << END\n")[-1].split("END\n")[0].splitlines()
        x = [1e-3 * float(row.split(",")[1]) for row in rows if row]
        self.assertTrue(1000 < len(x) <= 4000, len(x))
        self.assertLess(max(abs(to - at) for at, to in zip(x, x[1:])), 1.1 * 2 * AMPLITUDE * math.sin(math.pi / 20))

    def test_channels_over_time_where_there_is_no_force(self):
        rig = """{ name = "bearing"; source = { kind = "simulated"; real_time = false; duration_s = 12.0; };
                   channels = ( { name = "x"; sensor = "lvdt"; } ); }"""
        with Daemon(rig) as daemon:
            daemon.wait_until_source_ended()
            with self.started(daemon) as plot:
                drawing, errors = plot.communicate(timeout=seconds(PATIENCE_S))
            self.assertEqual(plot.returncode, 0, errors)
            self.assertIn("the source has ended", errors)
            self.assertTrue(self.rows_of(drawing, "time, s"), drawing)
            with self.started(daemon, "--whole") as plot:
                _, errors = plot.communicate(timeout=seconds(PATIENCE_S))
            self.assertEqual(plot.returncode, 2)
            self.assertIn("--whole does not go with --live", errors)


if __name__ == "__main__":
    main()
