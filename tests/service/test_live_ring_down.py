# SPDX-License-Identifier: GPL-3.0-or-later
"""Ring-downs that a rig with accelerometers makes: cut out of its stream, stored blow by blow."""

import cmath
import math
import random
import unittest

from fricid_harness import Daemon, ScratchDirectory
from run_tests import main
from schemas import complaints
from store_files import wait_for

RATE_HZ = 2048.0
F_HZ, ZETA = 120.0, 0.006


def recording(blows_s, seconds, skip=(), noise=0.002, seed=7):
    """Two sensors of a mode that each blow begins anew; skip: spans of time that are missing."""
    generator = random.Random(seed)
    omega = 2 * math.pi * F_HZ
    rows = ["time_s,a_m/s2,b_m/s2\n"]
    for i in range(int(seconds * RATE_HZ)):
        time_s = i / RATE_HZ
        motion = sum(math.exp(-ZETA * omega * (time_s - at_s)) * math.cos(omega * (time_s - at_s))
                     for at_s in blows_s if time_s > at_s)
        a, b = (share * motion + generator.gauss(0, noise) for share in (1, -0.5))
        if not any(begin < time_s < end for begin, end in skip):
            rows.append(f"{time_s:.9f},{a:.9g},{b:.9g}\n")
    return "".join(rows)


def measured_as(unit, order, scale, blows_s, seconds, noise=0.002, seed=11):
    """One sensor, of displacements of 1 mm that sensors of velocity (order 1) or displacement (0) measure."""
    generator = random.Random(seed)
    root = complex(-ZETA, math.sqrt(1 - ZETA**2)) * 2 * math.pi * F_HZ
    size = scale * 1e-3 * abs(root)**order
    rows = [f"time_s,a_{unit}\n"]
    for i in range(int(seconds * RATE_HZ)):
        time_s = i / RATE_HZ
        motion = sum((-1j * (root / abs(root))**order * cmath.exp(root * (time_s - at_s))).real
                     for at_s in blows_s if time_s > at_s)
        rows.append(f"{time_s:.9f},{size * (motion + generator.gauss(0, noise)):.9g}\n")
    return "".join(rows)


class LiveRingDowns(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def rig(self, text, channels='{ name = "a"; role = "accelerometer"; }, { name = "b"; role = "accelerometer"; }'):
        path = self.scratch.write("beam.csv", text)
        return f"""{{ name = "beam"; source = {{ kind = "recording"; file = "{path}"; }}; channels = ({channels}); }}"""

    @staticmethod
    def told(client):
        """The events up to the end of the source that tell of ring-downs, or why there are none."""
        client.call("subscribe", topics=["event"], from_seq=1)
        events = []
        while not events or events[-1]["code"] != "source_ended":
            events.append(client.notification("notify.event")["event"])
        return [event for event in events if event["code"] in ("ring_down", "source_advice")]

    def results_of(self, daemon, count):
        daemon.wait_until_source_ended()
        with daemon.client() as client:
            found = reversed(daemon.wait_for_results(count))
            results = [client.call("results.get", id=summary["id"]) for summary in found]
            events = self.told(client)
        for result in results:
            self.assertEqual(complaints("ring_down.json", result), [])
        return results, events

    def test_each_blow_is_a_record_of_all_sensors_and_says_what_ended_it(self):
        text = recording((0.8, 2.0, 6.0), 8.0, skip=((6.9, 7.0),))
        with Daemon(self.rig(text)) as daemon:
            results, events = self.results_of(daemon, 3)
            self.assertEqual([event["reason"] for event in events], ["new_excitation", "noise_floor", "gap"])
            for result, at_s, end in zip(results, (0.8, 2.0, 6.0), ("next_blow", "end_of_record", "gap")):
                found = result["ring_down"]
                self.assertEqual((result["kind"], result["verdict"], found["ended_by"], found["blows"]),
                                 ("ring_down", "ok", end, 1))
                self.assertAlmostEqual(found["blow_s"], at_s, delta=0.005)
                (mode,) = found["modes"]
                self.assertAlmostEqual(mode["omega_0"]["value"] / (2 * math.pi), F_HZ, delta=0.02)
                self.assertAlmostEqual(mode["zeta_0"]["value"] / ZETA, 1, delta=0.02)
                shape = {sensor["sensor"]: sensor["re"]["value"] if isinstance(sensor["re"], dict) else sensor["re"]
                         for sensor in mode["shape"]}
                self.assertAlmostEqual(shape["b"] / shape["a"], -0.5, delta=0.01)
            with daemon.client() as client:
                (rig,) = client.call("status")["rigs"]
                self.assertEqual([(channel["state"]["phase"], channel["counters"]["decays"]) for channel in rig["channels"]],
                                 [("idle", 3)] * 2)
                self.assertEqual(client.call("samples", id=results[0]["id"])["columns"], "a,b")
            some = f"id={results[1]['id']}"
            self.assertNotIn("extrapolates", daemon.fricidctl("show", str(results[1]["id"])).stdout)
            self.assertRegex(daemon.fricidctl("show", str(results[1]["id"])).stdout, r"(119\.99|120\.0)\d*\(\d+\) Hz")
            again = daemon.fricidctl("reidentify", "--where", some)
            self.assertEqual(again.returncode, 0, again.stderr)
            with daemon.client() as client:
                later = client.call("results.get", id=results[1]["id"])
            self.assertEqual((later["revision"] > results[1]["revision"], later["ring_down"]["blow_s"]),
                             (True, results[1]["ring_down"]["blow_s"]))

    def test_velocities_and_displacements_ring_down_too(self):
        blows_s = (0.8, 2.0)
        for unit, order, scale, meters in ("m/s", 1, 1.0, 1.0), ("mm", 0, 1e3, 1e-3):
            with (self.subTest(unit=unit),
                  Daemon(self.rig(measured_as(unit, order, scale, blows_s, 3.5), '{ name = "a"; role = "accelerometer"; }')) as
                  daemon):
                results, _ = self.results_of(daemon, len(blows_s))
                for result, at_s in zip(results, blows_s):
                    found = result["ring_down"]
                    self.assertEqual((result["verdict"], found["blows"]), ("ok", 1))
                    self.assertAlmostEqual(found["blow_s"], at_s, delta=0.005)
                    (mode,) = found["modes"]
                    self.assertAlmostEqual(mode["omega_0"]["value"] / (2 * math.pi), F_HZ, delta=0.02)
                    self.assertAlmostEqual(mode["zeta_0"]["value"] / ZETA, 1, delta=0.02)
                    first_m = 1e-3 * math.exp(-ZETA * 2 * math.pi * F_HZ * (found["start_s"] - at_s))
                    self.assertAlmostEqual(meters * mode["amplitude_max"] / first_m, 1, delta=0.03)

    def test_a_check_compares_the_second_answer(self):
        with Daemon(self.rig(recording((0.8,), 3.0)), "ladder_deadline_s = 600.0;") as daemon, daemon.client() as client:
            wait_for(lambda: daemon.wait_for_results(1) and client.call("results.get", id=1)["revision"] == 2,
                     what="the second answer")
            self.assertFalse(client.call("results.get", id=1)["provisional"])
            checked = daemon.fricidctl("reidentify", "--check")
            self.assertEqual((checked.returncode, checked.stdout),
                             (0, "1 records identified and compared: 0 differ from what is stored\n"))

    def test_the_joint_of_the_simulated_beam_is_found(self):
        """Its exponent, its frequency and its damping, from blows that come while nobody waits for them."""
        beam = """{ name = "beam"; source = { kind = "simulated"; real_time = false; duration_s = 12.0; beam_modes = 1;
            blow_every_s = 6.0; blow_m_per_s2 = 300.0; sample_rate_hz = 2000.0; channel_delay_s = 1e-4; };
            channels = ( { name = "tip"; sensor = "accelerometer"; role = "accelerometer"; },
                         { name = "middle"; sensor = "accelerometer"; role = "accelerometer"; position = 0.5; } ); }"""
        with Daemon(beam) as daemon:
            results, _ = self.results_of(daemon, 2)
            for result in results:
                (mode,) = result["ring_down"]["modes"]
                self.assertEqual((result["source"]["kind"], mode["model"], mode["iwan"]["consistent"]),
                                 ("simulated", "microslip", True))
                self.assertAlmostEqual(mode["iwan"]["chi"]["value"], -0.5, delta=5 * mode["iwan"]["chi"]["se"])
                self.assertLess(mode["iwan"]["chi"]["se"], 0.02)
                self.assertAlmostEqual(mode["omega_0"]["value"] / (2 * math.pi), 80,
                                       delta=5 * mode["omega_0"]["se"] / (2 * math.pi))
                self.assertAlmostEqual(mode["iwan"]["c"]["value"], 2 * 0.0008 * 2 * math.pi * 80,
                                       delta=5 * mode["iwan"]["c"]["se"])
                # A tenth of a millisecond between the channels turns it by 0.05.
                (other,) = [sensor for sensor in mode["shape"] if sensor["sensor"] != mode["reference"]]
                self.assertLess(other["se_im"], 0.002)
                self.assertLess(abs(other["im"]), 5 * other["se_im"])
                # A joint with chi = -0.5 softens with the root of the amplitude: far from nothing where it is last seen.
                self.assertGreater(mode["omega_0_beyond"] * mode["omega_0"]["value"], mode["omega_0"]["se"])
            self.assertIn("the law extrapolates f_0", daemon.fricidctl("show", str(results[0]["id"])).stdout)
            # The delay is stored with the record.
            self.assertIn(" 0 differ", daemon.fricidctl("reidentify", "--check").stdout)

    def test_the_law_comes_first_and_what_takes_longer_as_a_higher_revision(self):
        with (Daemon(self.rig(recording((1.0,), 4.0)), service="ladder_deadline_s = 600;") as daemon,
              daemon.client() as client):
            client.call("subscribe", topics=["result"], from_seq=1)
            first, second = (client.notification("notify.result")["result"] for _ in range(2))
        for result in first, second:
            self.assertEqual(complaints("ring_down.json", result), [])
        self.assertEqual((first["id"], first["revision"], second["revision"]), (second["id"], 1, 2))
        (law,), (whole,) = first["ring_down"]["modes"], second["ring_down"]["modes"]
        self.assertEqual((law["simulation"]["verdict"], law["backbone"], law["recommended"]), ("pending", [], "law"))
        self.assertEqual((first["provisional"], second["provisional"]), (True, False))
        # The backbone tells how far a joint that does not show may move it.
        self.assertEqual(law["omega_0"]["value"], whole["omega_0"]["value"])
        self.assertLessEqual(law["omega_0"]["se"], whole["omega_0"]["se"])
        self.assertLess(whole["omega_0"]["se"], 20 * law["omega_0"]["se"])
        self.assertEqual((law["begins_with"], law["ended_by"]), (whole["begins_with"], whole["ended_by"]))
        self.assertAlmostEqual(first["f_n_hz"]["value"], second["f_n_hz"]["value"], delta=5 * second["f_n_hz"]["se"])
        self.assertEqual(whole["simulation"]["verdict"], "ok")
        self.assertGreater(len(whole["backbone"]), 5)

    def test_one_sensor_and_a_calm_stream(self):
        text = recording((), 4.0)
        with Daemon(self.rig(text, '{ name = "a"; role = "accelerometer"; }')) as daemon:
            self.assertEqual(self.results_of(daemon, 0), ([], []))
        text = recording((1.0,), 4.0)
        with Daemon(self.rig(text, '{ name = "a"; role = "accelerometer"; }')) as daemon:
            ((result,), _) = self.results_of(daemon, 1)
            self.assertAlmostEqual(result["ring_down"]["blow_s"], 1.0, delta=0.005)

    def test_sensors_in_different_units_are_told_of(self):
        text = recording((1.0,), 2.0).replace("b_m/s2", "b_mm")
        with Daemon(self.rig(text)) as daemon:
            results, events = self.results_of(daemon, 0)
            self.assertEqual((results, [event["reason"] for event in events]), ([], ["ring_down_units"]))

    def test_an_acceleration_without_a_role_is_asked_about_once(self):
        text = measured_as("m/s2", 2, 1.0, (0.8,), 1.5)
        for unit, channel, expected in (("m/s2", '{ name = "a"; }', ["acceleration_decays"]),
                                        ("m/s2", '{ name = "a"; role = "accelerometer"; }', []),
                                        ("mm", '{ name = "a"; }', [])):
            with (self.subTest(unit=unit, channel=channel),
                  Daemon(self.rig(text.replace("a_m/s2", f"a_{unit}"), channel)) as daemon):
                daemon.wait_until_source_ended()
                with daemon.client() as client:
                    events = self.told(client)
                self.assertEqual([event["reason"] for event in events if event["code"] == "source_advice"], expected)


if __name__ == "__main__":
    main()
