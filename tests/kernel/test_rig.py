#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""LVDT and encoder follow one motion whose truth is known: what fricidd finds on both is held against it."""

import ctypes
import json
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


class Identified(unittest.TestCase):
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


class Truth(Identified):
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

    def test_channels_that_are_taken_at_once(self):
        """Three converters, 24 bit: no delay from channel to channel, and samples of 32 bit from the kernel."""
        names = ("first", "second", "third")
        channels = [rig.LVDT.replace('"lvdt"', f'"{name}"').replace("}", f"channel = {i}; }}")
                    for i, name in enumerate(names)]
        daemon, _ = self.identify("sample_rate_hz = 800;", channels, "short", simultaneous=1, analog_bits=24)
        for name in names:
            resolution = daemon.of[name][0]["record"]["resolution"]
            self.assertAlmostEqual(resolution / (2 * 20 / (2**24 - 1)), 1, delta=1e-6)
        first, *others = (daemon.of[name][0]["fit"]["t0"] for name in names)
        for other in others:
            se = (first["se"] ** 2 + other["se"] ** 2) ** 0.5
            self.assertLess(abs(other["value"] - first["value"]), 4.5 * se)

    def test_the_motion_of_the_environment_at_its_rates(self):
        """FRICID_MOTION, FRICID_TIMES and FRICID_RATES: README.md tells what they mean."""
        for rate_hz in rig.own_numbers("FRICID_RATES", "37000"):
            with self.subTest(rate_hz=rate_hz):
                print(f"\n  {rate_hz} scans/s")
                self.identify(f"sample_rate_hz = {rate_hz};", motion="own")

    def test_counters_that_stream(self):
        self.identify("sample_rate_hz = 5000;", stream_counters=1)

    def test_a_counter_of_24_bit_that_wraps_around(self):
        """It starts three counts below its top, so that every swing crosses it."""
        encoder = '{ name = "encoder"; input = "encoder"; counts_per_unit = 200; initial_count = 16777213; }'
        self.identify("sample_rate_hz = 5000;", (rig.LVDT, encoder), "short", counter_bits=24)

    def test_edges_that_are_counted_once_or_twice(self):
        """What the driver counts then: 50 and 100 a millimetre."""
        for multiply, counts in ((1, 50), (2, 100)):
            encoder = (f'{{ name = "encoder"; input = "encoder"; counts_per_unit = {counts}; multiply = {multiply}; '
                       f"channel = {multiply - 1}; reversed = {'true' if multiply == 2 else 'false'}; }}")
            self.identify("sample_rate_hz = 5000;", (encoder,), "short")

    def test_an_index_pulse_sets_the_position(self):
        """The daemon starts with the mass 11 mm away from the index; when it has passed there, the encoder that heeds
        the pulse is right, and the other is not."""
        plain = '{ name = "plain"; input = "encoder"; counts_per_unit = 200; channel = 1; reversed = true; }'
        indexed = '{ name = "indexed"; input = "encoder"; counts_per_unit = 200; index = true; }'
        with rig.Rig() as card:
            card.load("held")
            with Daemon(rig.card_rig("sample_rate_hz = 2000;", (plain, indexed))) as daemon:
                for channel in ("plain", "indexed"):
                    rig.wait_until("readings", lambda: self.position(daemon, channel) == 0.0)
                card.load("short")
                for channel, place in (("plain", -11.0), ("indexed", 0.0)):
                    rig.wait_until(f"{channel} at {place}", lambda: abs(self.position(daemon, channel) - place) < 0.0051)

    def test_a_soft_calibration_is_used(self):
        """Its file says that this card's volts are 2 % more and 0.05 V off: the mass is held where the LVDT gives 5.5."""
        comedi = ctypes.CDLL("libcomedi.so.0")
        comedi.comedi_open.restype = comedi.comedi_get_default_calibration_path.restype = ctypes.c_void_p
        with rig.Rig() as card:
            handle = ctypes.c_void_p(comedi.comedi_open(b"/dev/comedi0"))
            path = Path(ctypes.string_at(comedi.comedi_get_default_calibration_path(handle)).decode())
            comedi.comedi_close(handle)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text('{ driver_name => "fricid_rig", board_name => "fricid test rig", calibrations => [ { subdevice => 0, '
                            "channels => [], ranges => [0], arefs => [], softcal_to_phys => { expansion_origin => 32768.0, "
                            f"coefficients => [0.05, {1.02 * 20 / 65535}], }}, }}, ] }}\n")
            self.addCleanup(path.unlink)
            card.load("held")
            with Daemon(rig.card_rig("sample_rate_hz = 2000;", [rig.LVDT])) as daemon:
                place = 2 * (1.02 * 5.5 + 0.05)
                rig.wait_until(f"{place} mm", lambda: abs(self.position(daemon, "lvdt") - place) < 2e-3)

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

    def test_the_scope_shows_what_the_card_gives(self):
        """The mass is held at 11 mm. One LVDT says so, with noise spread evenly over 4 µm; one is at the end of its range
        of 1 V; and the encoder, which was set up here, stands still."""
        near = '{ name = "near"; input = "voltage"; channel = 1; range_v = [-1.0, 1.0]; calibration = [0.0, 2.0]; }'
        with rig.Rig(noise_uv=1000) as card:
            card.load("held")
            with Daemon(rig.card_rig("sample_rate_hz = 2000;", (rig.LVDT, near, rig.ENCODER))) as daemon:
                rig.wait_until("readings", lambda: self.position(daemon, "encoder") == 0.0)
                text = daemon.fricidctl("scope", "--count", "3")
                print(text.stdout)
                done = daemon.fricidctl("--json", "scope", "--count", "30")
        self.assertEqual((text.returncode, done.returncode), (0, 0), text.stderr + done.stderr)
        shown = {each["channel"]: each["signal"] for each in (json.loads(line)["params"] for line in done.stdout.splitlines())}
        lvdt, near, encoder = shown["lvdt"], shown["near"], shown["encoder"]
        self.assertAlmostEqual(lvdt["mean"], 11, delta=1e-3)
        self.assertTrue(10.997 < lvdt["min"] < 10.999 and 11.001 < lvdt["max"] < 11.003, lvdt)
        self.assertAlmostEqual(lvdt["deviation"], 2e-3 / 3**0.5, delta=2e-4)
        self.assertAlmostEqual(lvdt["sensor_mean"], 5.5, delta=5e-4)
        self.assertAlmostEqual(lvdt["roughness"], 1, delta=0.4)
        self.assertEqual((lvdt["clipped_samples"], near["clipped_samples"]), (0, near["samples"]))
        self.assertAlmostEqual(near["max"], 2, delta=1e-6)
        self.assertEqual((encoder["min"], encoder["max"], encoder["clipped_samples"]), (0, 0, 0))

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
        """Where the channel is; far away while it knows nothing yet."""
        states = {each["name"]: each["state"] for each in rig.status(daemon)["channels"]}
        place = states[channel]["displacement"]
        return float("inf") if place is None else place

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
