# SPDX-License-Identifier: GPL-3.0-or-later
"""fricidctl export: records of every kind, whole and as tables."""

import csv
import io
import json
import math
import os
import subprocess
import unittest

from fricid_harness import FRICIDCTL, Daemon, Decay, ScratchDirectory, csv_text, release
from run_tests import main

RATE_HZ, MODE_HZ = 1000.0, 40.0


def struck():
    """Times and accelerations of one mode behind a blow."""
    times = [i / RATE_HZ for i in range(3000)]
    omega = 2 * math.pi * MODE_HZ
    return times, [50 * math.exp(-0.01 * omega * (t - 0.5)) * math.sin(omega * (t - 0.5)) * (t >= 0.5) for t in times]


def rubbed():
    """Times, displacements and forces of a contact that is rigid."""
    times = [i / 200 for i in range(1200)]
    return times, [1e-3 * math.sin(2 * math.pi * t) for t in times], [math.copysign(2, math.cos(2 * math.pi * t)) for t in times]


class Exported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = ScratchDirectory()
        cls.addClassCleanup(cls.scratch.remove)
        cls.daemon = Daemon("", "")
        cls.daemon.__enter__()
        cls.addClassCleanup(cls.daemon.__exit__, None, None, None)
        cls.values = []
        decays = [Decay(f_n=5.0, zeta=0.02, x_k=0.1, x0=10.0), Decay(f_n=6.0, zeta=0.02, x_k=0.1, x0=10.0)]
        files = [(csv_text(*release(decay, noise=0.01))) for decay in decays]
        files += [csv_text(*struck(), header="time_s,acc_m/s2"), csv_text(*rubbed(), header="time_s,displacement_m,force_n")]
        for text in files:
            kept = cls.daemon.fricidctl("--json", "identify", "--keep", cls.scratch.write("kept.csv", text))
            cls.ids = [*getattr(cls, "ids", []), *(result["id"] for result in json.loads(kept.stdout)["results"])]

    def table(self, path, *options):
        done = self.daemon.fricidctl("export", "--table", path, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def test_whole(self):
        done = self.daemon.fricidctl("export")
        self.assertEqual(done.returncode, 0, done.stderr)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([record["id"] for record in records], self.ids[::-1])
        self.assertEqual([record["kind"] for record in records], ["loop", "ring_down", "free_decay", "free_decay"])
        with self.daemon.client() as client:
            for record in records:
                samples = record.pop("samples")
                self.assertEqual(record, client.call("results.get", id=record["id"]))
                page = client.call("samples", id=record["id"], offset=samples["total"] - 5)
                self.assertEqual(samples["displacement"][-5:], page["displacement"])
                self.assertEqual(len(samples["displacement"]), samples["total"])

    def test_records_as_a_table(self):
        rows = self.table("records", "--kind", "free_decay")
        self.assertEqual([int(row["id"]) for row in rows], [self.ids[1], self.ids[0]])
        with self.daemon.client() as client:
            for row in rows:
                fit = client.call("results.get", id=int(row["id"]))["fit"]
                self.assertEqual((float(row["fit.zeta"]), float(row["fit.zeta.u"])), (fit["zeta"]["value"], fit["zeta"]["u"]))
                self.assertEqual(float(row["fit.zeta.ci95.1"]), fit["zeta"]["ci95"][1])
                self.assertEqual(row["released_at"], "")
        (row,) = self.table("records", "--where", "f_n_hz_min=5.5", "--kind", "free_decay")
        self.assertEqual(int(row["id"]), self.ids[1])

    def test_lists_of_every_kind(self):
        with self.daemon.client() as client:
            results = [client.call("results.get", id=i) for i in self.ids]
        windows = self.table("windows.window")
        self.assertEqual([float(row["largest"]) for row in windows if int(row["id"]) == self.ids[0]],
                         [window["largest"] for window in results[0]["windows"]["window"]])
        covariance = self.table("fit.covariance", str(self.ids[0]))
        self.assertEqual([[float(row[str(c)]) for c in range(len(covariance))] for row in covariance], results[0]["fit"]["covariance"])
        points = results[2]["ring_down"]["modes"][0]["backbone"]
        backbone = self.table("ring_down.modes.backbone")
        self.assertEqual([(int(row["modes"]), int(row["backbone"]), float(row["omega"])) for row in backbone],
                         [(0, i, point["omega"]) for i, point in enumerate(points)])
        loops = self.table("loop.loop", str(self.ids[3]))
        self.assertEqual([float(row["energy"]) for row in loops], [loop["energy"] for loop in results[3]["loop"]["loop"]])

    def test_samples_as_a_table(self):
        times, forces = rubbed()[0], rubbed()[2]
        rows = self.table("samples", str(self.ids[3]))
        self.assertEqual(([float(row["time_s"]) for row in rows], [float(row["force_n"]) for row in rows]), (times, forces))
        acceleration = struck()
        rows = self.table("samples", str(self.ids[2]))
        self.assertEqual(len(rows), len(acceleration[0]))
        for row, time, value in zip(rows, *acceleration):
            self.assertAlmostEqual(float(row["time_s"]), time, delta=1e-9)
            self.assertAlmostEqual(float(row["displacement"]), value, delta=1e-9)

    def test_files_and_mistakes(self):
        path = self.scratch.path / "records.jsonl"
        self.assertEqual(self.daemon.fricidctl("export", "-o", path).returncode, 0)
        self.assertEqual(len(path.read_text().splitlines()), 4)
        for words, status, sentence in ((("-o", path), 2, "exists already"), (("--table", "nothing"), 1, "ring_down.modes.backbone"),
                                        (("-o", "/dev/full"), 1, "could not be written whole"), (("999",), 1, "999"),
                                        (("x",), 2, "not 'x'"), (("1", "--limit", "2"), 2, "either ids or options"),
                                        (("--json", "--table", "records"), 2, "--table is CSV")):
            done = self.daemon.fricidctl("export", *words)
            self.assertEqual((done.returncode, done.stdout), (status, ""), words)
            self.assertIn(sentence, done.stderr)
        self.assertEqual(self.daemon.fricidctl("export", "--force", "--table", "records", "-o", path).returncode, 0)
        self.assertTrue(path.read_text().startswith("id,"))

    def test_who_has_read_enough_is_told_nothing(self):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            done = subprocess.run([FRICIDCTL, "--socket", self.daemon.socket_path, "export", "--table", "samples"],
                                  stdout=writer, stderr=subprocess.PIPE, check=False)
        finally:
            os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (141, b""))


if __name__ == "__main__":
    main()
