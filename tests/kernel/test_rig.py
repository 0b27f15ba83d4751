#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""LVDT and encoder follow one motion whose truth is known: what fricidd finds on both is held against it."""

import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
import rig  # noqa: E402
import run_tests  # noqa: E402
from fricid_harness import FRICIDCTL, Daemon  # noqa: E402


class Truth(unittest.TestCase):
    def identify(self, source, channels=(rig.LVDT, rig.ENCODER), motion="three", **parameters):
        """Every decay of the motion, on every channel: deviations from the truth in standard errors."""
        with rig.Rig(noise_uv=1000, **parameters) as card, Daemon(rig.card_rig(source, channels)) as daemon:
            card.load(motion)
            rig.wait_until_it_measures(daemon)
            card.go()
            card.wait()
            truths = card.truths()
            daemon.wait_for_results(len(truths) * len(channels), limit=rig.PATIENCE_S)
            found, daemon.of = {}, {}
            for name in [channel.split('"')[1] for channel in channels]:
                results = daemon.of[name] = rig.full_results(daemon, name)
                self.assertEqual([result["verdict"] for result in results], ["ok"] * len(truths), name)
                found[name] = [rig.deviations(result, truth) for result, truth in zip(results, truths)]
                for result, off in zip(results, found[name]):
                    fit = result["fit"]
                    print(f"  {name}: f_n {fit['f_n_hz']['value']:.6f} Hz, zeta {fit['zeta']['value']:.6f}, "
                          f"x_k {fit['x_k']['value']:.5f} mm; off by {', '.join(f'{z:+.1f}' for z in off)} se")
            counters = rig.status(daemon)["counters"]
            self.assertEqual(counters["lost_scans"], 0, counters)
            self.judge(found)
            return daemon, found

    def judge(self, found):
        """Of figures whose standard errors are right, one in 370 lies beyond three of them by chance, and one in 150000
        beyond four and a half."""
        off = [abs(z) for channel in found.values() for decay in channel for z in decay]
        self.assertLess(max(off), 4.5)
        self.assertLessEqual(sum(z > 3 for z in off), 1)

    def test_at_1_kHz(self):
        self.identify("sample_rate_hz = 1000;")

    def test_at_10_kHz(self):
        self.identify("sample_rate_hz = 10000;")

    def test_at_100_kHz(self):
        self.identify("sample_rate_hz = 100000;")

    def test_channels_that_take_turns(self):
        """Three analog inputs see one motion through one converter, which takes 400 µs from one to the next: who looks
        later sees the same decay at the same time all the same, and the amplitudes agree."""
        names = ("first", "second", "third")
        channels = [rig.LVDT.replace('"lvdt"', f'"{name}"').replace("}", f"channel = {i}; }}")
                    for i, name in enumerate(names)]
        daemon, _ = self.identify("sample_rate_hz = 800; convert_us = 400.0;", channels, "short")
        first, second, third = (daemon.of[name][0]["fit"] for name in names)
        for later in (second, third):
            for quantity in ("t0", "f_n_hz", "zeta", "x_k", "x0"):
                apart = later[quantity]["value"] - first[quantity]["value"]
                se = (later[quantity]["se"] ** 2 + first[quantity]["se"] ** 2) ** 0.5
                print(f"  {quantity} differs by {apart:.3g}, {apart / se:+.1f} se")
                self.assertLess(abs(apart / se), 4.5, quantity)
            # Were the delay ignored, it would be all of this.
            self.assertLess(later["t0"]["se"], 40e-6)

    def test_counters_that_stream(self):
        self.identify("sample_rate_hz = 5000;", stream_counters=1)

    def test_a_counter_of_24_bit_that_wraps_around(self):
        """It starts three counts below its top, so that every swing crosses it."""
        encoder = '{ name = "encoder"; input = "encoder"; counts_per_unit = 200; initial_count = 16777213; }'
        self.identify("sample_rate_hz = 5000;", (rig.LVDT, encoder), "short", counter_bits=24)

    def test_the_present_position_becomes_zero(self):
        """The rig is held 11 mm away from where the encoder was set up; its LVDT says 11 mm too."""
        with rig.Rig(noise_uv=1000) as card, Daemon(rig.card_rig("sample_rate_hz = 2000;")) as daemon:
            rig.wait_until_it_measures(daemon)
            card.load("held")
            for channel, unit in (("lvdt", 11.0), ("encoder", 11.0)):
                rig.wait_until("the position", lambda: abs(self.position(daemon, channel) - unit) < 0.01)
                done = daemon.fricidctl("zero", channel)
                self.assertEqual(done.returncode, 0, done.stderr)
                was = float(re.search(r"what was at (\S+) mm is zero now", done.stdout).group(1))
                self.assertAlmostEqual(was, unit, delta=0.01)
                rig.wait_until("zero", lambda: abs(self.position(daemon, channel)) < 0.01)
            # A card that fails and stays plugged in keeps its zero.
            events = rig.Events(daemon)
            card.set("fault", 1)
            events.wait_for("source_fault")
            card.set("fault", 0)
            events.wait_for("source_started")
            rig.wait_until_it_measures(daemon)
            for channel in ("lvdt", "encoder"):
                self.assertLess(abs(self.position(daemon, channel)), 0.01)

    def test_the_card_is_listed(self):
        with rig.Rig(), Daemon() as daemon:
            done = daemon.fricidctl("devices")
            print(done.stdout)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("/dev/comedi0: fricid test rig, driver fricid_rig", done.stdout)
            self.assertIn('subdevice 0: analog input, 4 channels of 16 bit; input = "voltage", streamed at up to 500000 '
                          "scans/s; ranges -10 … 10 V, -5 … 5 V, -1 … 1 V", done.stdout)
            self.assertIn('subdevice 1: counter, 2 channels of 32 bit; input = "encoder", polled', done.stdout)
            self.assertIn("subdevice 2: digital input, 8 channels of 1 bit\n", done.stdout)

    def test_a_sensor_is_calibrated_from_known_positions(self):
        """The LVDT gives 0.5 V/mm; the line that calibrate prints is what the other tests have in their
        configuration."""
        with rig.Rig(noise_uv=1000) as card:
            with Daemon(rig.card_rig("sample_rate_hz = 2000;", ['{ name = "l"; input = "voltage"; }'])) as daemon:
                rig.wait_until_it_measures(daemon)
                command = [FRICIDCTL, "--socket", daemon.socket_path, "calibrate", "l"]
                with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as guide:
                    for motion, position in (("short", 0.0), ("held", 11.0)):
                        card.load(motion)
                        guide.stdin.write(f"{position}\n")
                        guide.stdin.flush()
                        time.sleep(4)
                    printed, _ = guide.communicate("\n")
        self.assertEqual(guide.returncode, 0)
        offset, slope = re.match(r"calibration = \[(\S+), (\S+)\];\nunit = ", printed).groups()
        # A thousand samples of evenly spread noise of 1 mV, and the converter's step of 0.3 mV.
        self.assertAlmostEqual(float(offset), 0, delta=1e-3)
        self.assertAlmostEqual(float(slope), 2, delta=1e-3)

    def position(self, daemon, channel):
        states = {each["name"]: each["state"] for each in rig.status(daemon)["channels"]}
        return states[channel]["displacement"]

    def test_the_rate_of_the_cards_clock_is_measured(self):
        """The card's clock is 200 ppm slow, and what it measures is 200 ppm too high: status says so."""
        with rig.Rig(noise_uv=1000, clock_ppm=200) as card, Daemon(rig.card_rig("sample_rate_hz = 2000;")) as daemon:
            self.assertIsNotNone(card)
            time.sleep(30)
            clock = rig.status(daemon)["clock"]
            print(f"  {clock}")
            self.assertAlmostEqual(clock["rate_error"], -200e-6, delta=max(4 * clock["rate_error_se"], 2e-6))
            self.assertLess(clock["rate_error_se"], 20e-6)
            self.assertLess(clock["time_error_s"], 5e-3)
            card.load("short")
            time.sleep(1)
            card.go()
            card.wait()
            daemon.wait_for_results(2, limit=rig.PATIENCE_S)
            truth = card.truths()[0].f_n
            for channel in ("lvdt", "encoder"):
                quantities = rig.full_results(daemon, channel)[0]["budget"]["quantities"]
                line = next(each for each in quantities if each["quantity"] == "f_n_hz")
                print(f"  {channel}: {line}")
                self.assertAlmostEqual(line["u_cal"] / truth, 200e-6, delta=4 * clock["rate_error_se"] + 2e-6)
                self.assertLess(abs(line["value"] - truth), 4 * line["u"])

    def test_both_sensors_are_on_one_time_base(self):
        """The moment of release, as each channel has it, and as the driver knows it."""
        with rig.Rig(noise_uv=1000) as card, Daemon(rig.card_rig("sample_rate_hz = 10000;")) as daemon:
            card.load("long")
            rig.wait_until_it_measures(daemon)
            card.go()
            card.wait()
            daemon.wait_for_results(2, limit=rig.PATIENCE_S)
            t0, stated_s = {}, {}
            for name in ("lvdt", "encoder"):
                result = rig.full_results(daemon, name)[0]
                t0[name] = result["fit"]["t0"]
                stated_s[name] = result["record"]["time_error_s"]
            apart = t0["lvdt"]["value"] - t0["encoder"]["value"]
            se = (t0["lvdt"]["se"] ** 2 + t0["encoder"]["se"] ** 2) ** 0.5
            print(f"  t0 differs by {1e6 * apart:.0f} µs, standard uncertainty {1e6 * se:.1f} µs, time error stated "
                  f"{1e6 * stated_s['encoder']:.0f} µs")
            self.assertEqual(stated_s["lvdt"], 0)
            self.assertLess(abs(apart), stated_s["encoder"] + 4.5 * se)
            self.assertLess(abs(apart), 2e-3)


if __name__ == "__main__":
    run_tests.main()
