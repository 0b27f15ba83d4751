# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals and time stamps that no rig makes, by every way into the segmenter."""

import math
import unittest

from fricid_harness import Daemon, ScratchDirectory, csv_text, offline, recording_rig
from run_tests import main


def growing(growth, cycles, held=300, samples=6000):
    """A mass that is held and then swings ever further."""
    parts = [i / samples for i in range(samples)]
    return [1.0] * held + [math.exp(growth * u) * math.cos(2 * math.pi * cycles * u) for u in parts]


def uniform(count, rate=1000.0):
    return [i / rate for i in range(count)]


def decay(count):
    return [10 * math.exp(-2e-3 * i) * math.cos(2 * math.pi * 5e-3 * i) for i in range(count)]


FAR_FIRST_STAMP = [0.0] + [100 + i / 1000 for i in range(2999)]
HOLE = [i / 1000 + (1e5 if i >= 736 else 0) for i in range(3000)]
GROWING = [growing(8.84, 188), growing(20, 300), growing(4, 90)]


class Offline(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def run_on(self, times, displacements):
        done = offline(self.scratch.write("run.csv", csv_text(times, displacements)))
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.results

    def test_a_motion_that_grows_is_no_decay(self):
        for displacements in GROWING:
            self.assertEqual(self.run_on(uniform(len(displacements)), displacements), [])

    def test_a_first_stamp_long_before_the_others(self):
        (result,) = self.run_on(FAR_FIRST_STAMP, decay(3000))
        self.assertAlmostEqual(result["fit"]["f_n_hz"]["value"], 5.0101218731326, delta=1e-9)
        self.assertGreater(result["record"]["end_s"], 102.5)

    def test_a_hole_in_a_decay(self):
        for result in self.run_on(HOLE, decay(3000)):
            self.assertAlmostEqual(result["fit"]["f_n_hz"]["value"], 5.0101218731326, delta=1e-9)


class Service(unittest.TestCase):
    def test_identify(self):
        with Daemon() as daemon, daemon.client() as client:
            for displacements in GROWING:
                reply = client.call("identify", displacement=displacements, sample_rate_hz=1000.0)
                self.assertEqual(reply["results"], [])
            for stamps in (FAR_FIRST_STAMP, HOLE):
                for result in client.call("identify", displacement=decay(3000), time_s=stamps)["results"]:
                    self.assertAlmostEqual(result["fit"]["f_n_hz"]["value"], 5.0101218731326, delta=1e-9)

    def test_fewer_samples_in_a_half_cycle_than_one_mean_of_it_takes(self):
        """Three at a time, then nothing for 300 periods, at the lower end of what a double holds. From a file such
        stamps are refused as batches."""
        times = [2.2 * (i // 3) + 0.0073 * (i % 3) for i in range(2, 73)]
        displacements = [8e-303 * math.exp(-0.0096 * i) * math.cos(math.pi * (i - 5) / 16) for i in range(71)]
        with Daemon() as daemon, daemon.client() as client:
            self.assertEqual(client.call("identify", displacement=displacements, time_s=times)["results"], [])

    def test_rigs(self):
        """The end of the file ends what is followed."""
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        signals = [(uniform(6300), displacements) for displacements in GROWING]
        signals += [(FAR_FIRST_STAMP, decay(3000)), (HOLE, decay(3000))]
        rigs = ", ".join(
            recording_rig(scratch.write(f"{i}.csv", csv_text(*signal)), f"rig{i}") for i, signal in enumerate(signals)
        )
        with Daemon(rigs) as daemon:
            daemon.wait_until_ended()
            for summary in daemon.wait_for_results(1):
                self.assertIn(summary["rig"], ("rig3", "rig4"))


if __name__ == "__main__":
    main()
