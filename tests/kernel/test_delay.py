#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long it takes from the stop of the mass until a client has the result, fifty times."""

import json
import statistics
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
import rig  # noqa: E402
import run_tests  # noqa: E402
from fricid_harness import Daemon  # noqa: E402


class Delay(unittest.TestCase):
    def test_from_the_stop_to_the_result(self):
        """Until then the segmenter has seen that the mass stays where it is, the decay is on the disk, identified, and
        its result on the disk as well."""
        delays = {"lvdt": [], "encoder": []}
        with rig.Rig(noise_uv=1000) as card:
            card.load("ten")
            truths = card.truths()
            for _ in range(5):
                card.set("go", 0)
                with Daemon(rig.card_rig("sample_rate_hz = 10000;")) as daemon:
                    self.play(card, daemon, delays)
        for name, found in delays.items():
            print(f"  stop to result, {name}: median {1e3 * statistics.median(found):.0f} ms, worst of {len(found)} "
                  f"{1e3 * max(found):.0f} ms; period {1e3 / truths[0].f_n:.0f} ms")
            self.assertEqual(len(found), 50)
            self.assertGreater(min(found), 0)
            self.assertLess(max(found), 2 / truths[0].f_n + 1)

    def play(self, card, daemon, delays):
        """The motion once, seen by a daemon that found the mass where the motion begins."""
        rig.wait_until_it_measures(daemon)
        with daemon.client() as client:
            client.call("subscribe", topics=["result"])
            card.go()
            went_s = int((rig.PARAMETERS / "go").read_text()) * 1e-9
            released_s = card.motion["released_s"]
            stops = [went_s + after + truth.duration() for after, truth in zip(released_s, card.truths())]
            self.collect(client, stops, delays)
        self.assertEqual(rig.status(daemon)["counters"]["lost_scans"], 0)

    def collect(self, client, stops, delays):
        """One result of each stop on each channel; their moments are those of the line's arrival."""
        for _ in range(2 * len(stops)):
            line, arrived_s = client.read_line(), time.monotonic()
            result = json.loads(line)["params"]["result"]
            self.assertEqual(result["verdict"], "ok")
            stop = max(each for each in stops if each < arrived_s)
            delays[result["channel"]].append(arrived_s - stop)


if __name__ == "__main__":
    run_tests.main()
