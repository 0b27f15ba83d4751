#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Against the kernel's own comedi_test: whole streams at every rate, and a decay through its loopback, polled."""

import ctypes
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
import rig  # noqa: E402
import run_tests  # noqa: E402
from fricid_harness import Daemon, Decay  # noqa: E402

# What comedi_test gives without being asked for anything else: between -1 and 1 V.
SAWTOOTH_S = 0.1


class AnalogOutput:
    """comedi_test's output, which its analog input reads back while neither streams. Written through libcomedi."""

    def __init__(self, device="/dev/comedi0"):
        self.comedi = ctypes.CDLL("libcomedi.so.0")
        self.comedi.comedi_open.restype = ctypes.c_void_p
        self.card = ctypes.c_void_p(self.comedi.comedi_open(device.encode()))
        assert self.card

    def write(self, volts):
        code = round((volts + 10) / 20 * 65535)
        assert self.comedi.comedi_data_write(self.card, 1, 0, 0, 0, code) == 1

    def close(self):
        self.comedi.comedi_close(self.card)


class Loopback(unittest.TestCase):
    def test_a_decay_that_is_polled(self):
        """A slow one: between two writes the output stands still, 0.3 ms or so, and that is this rig's noise."""
        subprocess.run(["modprobe", "comedi_test"], check=True)
        self.addCleanup(subprocess.run, ["modprobe", "-r", "comedi_test"], check=True)
        truth = Decay(1.5, 0.02, 0.12, x0=9.0)
        channel = '{ name = "lvdt"; input = "voltage"; polled = true; calibration = [0.0, 2.0]; }'
        output = AnalogOutput()
        self.addCleanup(output.close)
        output.write(0)
        with Daemon(rig.card_rig("poll_rate_hz = 500.0;", [channel])) as daemon:
            rig.wait_until_it_measures(daemon)
            began = time.monotonic()
            pull, hold = 1.0, 1.0
            while (t := time.monotonic() - began) < pull + hold + truth.duration() + 1.5:
                way = min(t / pull, 1)
                held = truth.x0 * way * way * (3 - 2 * way)
                output.write((held if t < pull + hold else truth.at(t - pull - hold)) / 2)
                time.sleep(1e-4)
            (summary,) = daemon.wait_for_results(1, limit=rig.PATIENCE_S)
            fit = rig.full_results(daemon, "lvdt")[0]["fit"]
            print(f"  f_n {fit['f_n_hz']['value']:.5f} Hz, zeta {fit['zeta']['value']:.5f}, "
                  f"x_k {fit['x_k']['value']:.4f} mm; truth {truth.f_n}, {truth.zeta}, {truth.x_k}")
            self.assertEqual(summary["verdict"], "ok")
            self.assertAlmostEqual(fit["f_n_hz"]["value"] / truth.f_n, 1, delta=1e-3)
            self.assertAlmostEqual(fit["zeta"]["value"] / truth.zeta, 1, delta=0.03)
            self.assertAlmostEqual(fit["x_k"]["value"] / truth.x_k, 1, delta=0.03)
            self.assertIsNone(rig.status(daemon)["source"]["sample_rate_hz"])


class Streaming(unittest.TestCase):
    def setUp(self):
        subprocess.run(["modprobe", "comedi_test"], check=True)
        self.addCleanup(subprocess.run, ["modprobe", "-r", "comedi_test"], check=True)

    def stream(self, rate_hz):
        channels = ['{ name = "saw"; input = "voltage"; }', '{ name = "square"; input = "voltage"; channel = 1; }']
        with Daemon(rig.card_rig(f"sample_rate_hz = {rate_hz};", channels)) as daemon:
            rig.wait_until("scans", lambda: rig.status(daemon)["counters"]["scans"] > 0)
            pid = daemon.process.pid
            before, from_s, busy, woke = rig.status(daemon), time.monotonic(), rig.processor_s(pid), rig.wake_ups(pid)
            time.sleep(5)
            after, to_s = rig.status(daemon), time.monotonic()
            used, woken = rig.processor_s(pid) - busy, rig.wake_ups(pid) - woke
            period_s = self.period_s(daemon, "saw", after["source"]["sample_rate_hz"])
            scans = after["counters"]["scans"] - before["counters"]["scans"]
            accepted = after["source"]["sample_rate_hz"]
            print(f"  asked {rate_hz} scans/s, accepted {accepted:.1f}, got {scans / (to_s - from_s):.1f}, "
                  f"lost {after['counters']['lost_scans']}, "
                  f"CPU {100 * used / (to_s - from_s):.1f} %, wake-ups {woken / (to_s - from_s):.0f}/s, "
                  f"sawtooth of {1e3 * period_s:.5f} ms")
            self.assertAlmostEqual(period_s / SAWTOOTH_S, 1, delta=1e-3)
            self.assertAlmostEqual(accepted / rate_hz, 1, delta=0.01)
            counters = rig.status(daemon)["counters"]
            self.assertEqual((counters["lost_scans"], counters["gaps"]), (0, 0))
            # What the card held back at one end or the other is no more than a beat of the daemon and the driver's.
            self.assertAlmostEqual(scans / accepted, to_s - from_s, delta=0.2)

    def period_s(self, daemon, channel, rate_hz):
        """Of the sawtooth, from what status tells: the number of the latest sample, and where on the flank it lies. A
        lost sample, or one too many, would shift everything behind it."""
        seen = []
        until = time.monotonic() + 5
        with daemon.client() as client:
            while time.monotonic() < until:
                (shown,) = client.call("status")["rigs"]
                state = next(each["state"] for each in shown["channels"] if each["name"] == channel)
                counters = next(each["counters"] for each in shown["channels"] if each["name"] == channel)
                if counters["samples"] not in [number for number, _ in seen[-1:]]:
                    seen.append((counters["samples"], (state["displacement"] + 1) / 2))
                time.sleep(0.0137)
        # Near the edge a step of the converter is a whole tooth.
        seen = [(number, tooth) for number, tooth in seen if 0.02 < tooth < 0.98]
        self.assertGreater(len(seen), 50)
        first, began = seen[0]
        turns = []
        for number, tooth in seen:
            expected = began + (number - first) / (rate_hz * SAWTOOTH_S)
            turns.append((number, tooth + round(expected - tooth)))
        mean_number, mean_turn = (sum(column) / len(turns) for column in zip(*turns))
        spread = sum((number - mean_number) ** 2 for number, _ in turns)
        slope = sum((number - mean_number) * (turn - mean_turn) for number, turn in turns) / spread
        worst = max(abs(turn - mean_turn - slope * (number - mean_number)) for number, turn in turns)
        # A sample more or less at the lowest rate is a hundredth of a tooth.
        self.assertLess(worst, 0.004)
        return 1 / (slope * rate_hz)

    def test_1_kHz(self):
        self.stream(1000)

    def test_10_kHz(self):
        self.stream(10000)

    def test_100_kHz(self):
        self.stream(100000)


if __name__ == "__main__":
    run_tests.main()
