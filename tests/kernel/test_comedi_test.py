#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Against the kernel's own comedi_test: whole streams at every rate, and a decay through its loopback, polled."""

import ctypes
import ctypes.util
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
import rig  # noqa: E402
import run_tests  # noqa: E402
from fricid_harness import Daemon, Decay  # noqa: E402

SAWTOOTH_PERIOD_S = 0.1


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
            scans = after["counters"]["scans"] - before["counters"]["scans"]
            accepted = after["source"]["sample_rate_hz"]
            print(f"  asked {rate_hz} scans/s, accepted {accepted:.1f}, got {scans / (to_s - from_s):.1f}, "
                  f"lost {after['counters']['lost_scans']}, "
                  f"CPU {100 * (rig.processor_s(pid) - busy) / (to_s - from_s):.1f} %, "
                  f"wake-ups {(rig.wake_ups(pid) - woke) / (to_s - from_s):.0f}/s")
            self.assertEqual(after["counters"]["lost_scans"], 0)
            self.assertEqual(after["counters"]["gaps"], 0)
            self.assertAlmostEqual(accepted / rate_hz, 1, delta=0.01)
            # What the card held back at one end or the other is no more than a beat of the daemon and the driver's.
            self.assertAlmostEqual(scans / accepted, to_s - from_s, delta=0.2)

    def test_1_kHz(self):
        self.stream(1000)

    def test_10_kHz(self):
        self.stream(10000)

    def test_100_kHz(self):
        self.stream(100000)


if __name__ == "__main__":
    run_tests.main()
