# SPDX-License-Identifier: GPL-3.0-or-later
"""From a source to its identified decays: the simulated rig against its truth, recordings in the daemon."""

import json
import math
import re
import statistics
import subprocess
import time
import unittest
from pathlib import Path

from fricid_harness import (
    FRICIDCTL,
    PATIENCE_S,
    Daemon,
    Decay,
    ProtocolError,
    ScratchDirectory,
    csv_text,
    deviation,
    recording_rig,
    release,
    seconds,
    simulated_rig,
)
from run_tests import main

# The default mechanics of the simulated rig.
MASS_KG, STIFFNESS_N_PER_M, ZETA, F_K_N = 1.92, 2310.0, 0.0177, 0.413
F_N_HZ = math.sqrt(STIFFNESS_N_PER_M / MASS_KG) / (2 * math.pi)
X_K_MM = 1000 * F_K_N / STIFFNESS_N_PER_M


class SimulatedRig(unittest.TestCase):
    def test_every_decay_on_both_channels_within_five_standard_errors(self):
        with Daemon(simulated_rig(duration_s=120, seed=11)) as daemon, daemon.client() as client:
            summaries = daemon.wait_for_results(16)
            numbers = [summary["id"] for summary in summaries]
            results = [client.call("results.get", id=number) for number in numbers]
        for channel in ("lvdt", "encoder"):
            of_channel = [result for result in results if result["channel"] == channel]
            self.assertGreaterEqual(len(of_channel), 8)
            for result in of_channel:
                self.assertEqual(result["verdict"], "ok", result["reason"])
                self.assertEqual(result["source"]["kind"], "simulated")
                self.assertEqual(result["record"]["ended_by"], "rest")
                fit = result["fit"]
                for name, truth in (("f_n_hz", F_N_HZ), ("zeta", ZETA), ("x_k", X_K_MM)):
                    self.assertLess(abs(deviation(fit[name], truth)), 5, f"{channel} {result['id']} {name}: {fit[name]}")

    def test_physical_figures(self):
        with Daemon(simulated_rig(duration_s=30)) as daemon, daemon.client() as client:
            number = daemon.wait_for_results(1)[0]["id"]
            physical = client.call("results.get", id=number)["physical"]
        self.assertEqual((physical["mass_kg"], physical["stiffness_n_per_m"]), (MASS_KG, STIFFNESS_N_PER_M))
        damping = 2 * ZETA * math.sqrt(STIFFNESS_N_PER_M * MASS_KG)
        friction = F_K_N / (MASS_KG * physical["gravity_m_per_s2"])
        for name, truth in (("c_n_s_per_m", damping), ("f_k_n", F_K_N), ("mu", friction)):
            self.assertLess(abs(deviation(physical[name], truth)), 5, name)

    def test_rigs_without_a_seed_differ(self):
        """Twins that nobody gave a seed have another hand and other noise; the first has the seed 1."""
        twins = [simulated_rig(duration_s=12, name=name).replace("seed = 1;", "") for name in ("left", "right")]
        with Daemon(", ".join(twins + [simulated_rig(duration_s=12, name="first")])) as daemon:
            daemon.wait_until_ended()
            found = {summary["rig"]: summary["f_n_hz"]["value"] for summary in daemon.wait_for_results(3)
                     if summary["channel"] == "lvdt"}
        self.assertEqual(len(found), 3)
        self.assertEqual(found["left"], found["first"])
        self.assertNotEqual(found["left"], found["right"])

    def test_same_seed_same_results(self):
        seen = []
        for _ in range(2):
            with Daemon(simulated_rig(duration_s=30, seed=5)) as daemon:
                summaries = daemon.wait_for_results(4)[-4:]
                seen.append(sorted((summary["channel"], summary["zeta"]["value"]) for summary in summaries))
        self.assertEqual(seen[0], seen[1])

    def test_cards_are_listed(self):
        """Those of this computer, whatever they are; most have none."""
        cards = [path for path in Path("/dev").glob("comedi*") if path.name[6:].isdigit()]
        with Daemon() as daemon, daemon.client() as client:
            client.call("devices")
            while (found := client.call("devices", survey=False))["surveying"]:
                time.sleep(0.01)
            self.assertEqual([Path(device["device"]) for device in found["devices"]], sorted(cards))
            done = daemon.fricidctl("devices")
            self.assertEqual(done.returncode, 0, done.stderr)
            if not cards:
                self.assertIn("no Comedi card", done.stdout)

    def test_the_scope_shows_every_channel(self):
        with Daemon(simulated_rig(real_time=True)) as daemon:
            done = daemon.fricidctl("scope", "--count", "30")
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = done.stdout.splitlines()
            self.assertEqual(len(lines), 30)
            for channel in ("lvdt", "encoder"):
                of_channel = [line for line in lines if line.startswith(f"bearing  {channel}  ")]
                self.assertGreaterEqual(len(of_channel), 14)
                self.assertRegex(of_channel[-1], r" mm  \S+ … \S+ mm  noise \S+ mm  threshold ")
            done = daemon.fricidctl("--json", "scope", "lvdt", "--rig", "bearing", "--count", "5")
            shown = [json.loads(line)["params"] for line in done.stdout.splitlines()]
            self.assertEqual([each["channel"] for each in shown], ["lvdt"] * 5)
            for each in shown:
                signal = each["signal"]
                self.assertLessEqual(signal["min"], signal["mean"])
                self.assertLessEqual(signal["mean"], signal["max"])
                self.assertGreaterEqual(signal["window_s"], 0.1)
                self.assertGreater(signal["samples"], 0)
            # One during which the computer stood still is as long as that.
            self.assertLess(statistics.median(each["signal"]["window_s"] for each in shown), 1)

    def test_a_calibrated_channel_is_calibrated_again(self):
        """What the sensor gives is told without its calibration: here, of a sensor that gives twice its displacement
        and half a millimetre."""
        rows = "".join(f"{i / 200!r},{2 * (-1 if i % 2 else 1) * 0.001 + 7.0!r}\n" for i in range(20000))
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        path = scratch.write("still.csv", "time_s,lvdt_V\n" + rows)
        rig = f"""{{ name = "bench"; source = {{ kind = "recording"; file = "{path}"; real_time = true; }};
          channels = ( {{ name = "lvdt"; unit = "um"; calibration = [-3.5, 0.5]; }} ); }}"""
        with Daemon(rig) as daemon:
            done = subprocess.run([FRICIDCTL, "--socket", daemon.socket_path, "calibrate", "lvdt"],
                                  input="3\n", capture_output=True, text=True, timeout=seconds(PATIENCE_S))
        self.assertEqual(done.returncode, 1, done.stderr)
        # Windows hold an odd number of samples now and then: the mean is off by part of the noise.
        mean, uncertainty = re.search(r"  3 um: (\S+) (?:±|\+/-) (\S+)", done.stderr).groups()
        self.assertAlmostEqual(float(mean), 7, delta=0.002)
        self.assertLess(float(uncertainty), 0.002)
        self.assertIn("different positions", done.stderr)  # it stands still: one place is no line

    def test_the_present_position_becomes_zero(self):
        with Daemon(simulated_rig(real_time=True, duration_s=0.0)) as daemon, daemon.client() as client:
            for parameters in ({"channel": "nobody"}, {"channel": "lvdt", "rig": "other"}):
                with self.assertRaises(ProtocolError) as refused:
                    client.call("zero", **parameters)
                self.assertEqual(refused.exception.name, "not_found")
            client.call("subscribe", topics=["event"])
            while "error" in (answer := client.ask("zero", channel="lvdt")):
                self.assertEqual(answer["error"]["data"]["name"], "busy")
                time.sleep(0.05)
            self.assertEqual(client.notification("notify.event")["event"]["code"], "zeroed")
            # The rig's hand may be pulling the mass aside just then: who is told to wait until it rests asks again.
            deadline = time.monotonic() + seconds(PATIENCE_S)
            while (done := daemon.fricidctl("zero", "lvdt", "--rig", "bearing")).returncode:
                self.assertIn("wait until it rests", done.stderr)
                self.assertLess(time.monotonic(), deadline, done.stderr)
            self.assertRegex(done.stdout, "rig bearing, channel lvdt: what was at .* mm is zero now")

    def test_real_time(self):
        with Daemon(simulated_rig(real_time=True)) as daemon:
            (first, *_) = daemon.wait_for_results(1)
            self.assertEqual(first["verdict"], "ok")


class RecordingInTheDaemon(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def test_decays_and_the_end(self):
        decay = Decay(x_s=0.19)
        path = self.scratch.write("run.csv", csv_text(*release(decay, noise=0.01)))
        with Daemon(recording_rig(path)) as daemon:
            (summary,) = daemon.wait_for_results(1)
            self.assertEqual(summary["source"]["kind"], "recording")
            self.assertLess(abs(deviation(summary["zeta"], decay.zeta)), 5)
            daemon.wait_until_source_ended()

    def test_a_recording_has_the_zero_that_it_was_taken_with(self):
        path = self.scratch.write("run.csv", csv_text(*release(Decay())))
        with Daemon(recording_rig(path)) as daemon:
            daemon.wait_for_results(1)
            done = daemon.fricidctl("zero", "lvdt")
            self.assertEqual(done.returncode, 1)
            self.assertIn("recording", done.stderr)
            # The request is right: it is no wrong command line.
            with daemon.client() as client, self.assertRaises(ProtocolError) as refused:
                client.call("zero", channel="lvdt")
            self.assertEqual(refused.exception.name, "not_possible")

    def test_bad_row_is_an_event_and_the_rig_has_a_problem(self):
        text = csv_text(*release(Decay())) + "99,oops\n"
        path = self.scratch.write("bad.csv", text)
        with Daemon(recording_rig(path)) as daemon, daemon.client() as client:
            client.call("subscribe", topics=["event"], from_seq=1)
            event = client.notification("notify.event")["event"]
            while f"bad.csv:{text.count(chr(10))}" not in event["sentence"]:
                event = client.notification("notify.event")["event"]
            self.assertEqual(event["source"]["kind"], "recording")
            (rig,) = client.call("status")["rigs"]
            self.assertEqual(rig["condition"], "failed")
            self.assertIn("bad.csv", rig["problem"])


if __name__ == "__main__":
    main()
