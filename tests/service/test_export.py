# SPDX-License-Identifier: GPL-3.0-or-later
"""fricidctl export: records of every kind, whole and as tables."""

import csv
import io
import json
import math
import os
import subprocess
import unittest

import sample_replies
from fake_fricidd import FakeFricidd, Refusal
from fricid_harness import FRICIDCTL, Daemon, Decay, ScratchDirectory, csv_text, release
from run_tests import main
from test_fricidctl_fake import FAILED, OK, daemon, fricidctl

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
                self.assertEqual(samples["count"], samples["total"])

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
                                        (("-o", "/dev/full"), 1, "could not be written whole"), (("999",), 1, "999"), (("--table", "samples", "999"), 1, "999"),
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
    def test_nothing_selected_is_no_failure(self):
        for table in ((), ("--table", "records"), ("--table", "samples"), ("--table", "windows.window")):
            done = self.daemon.fricidctl("export", "--rig", "nobody", *table)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", "fricidctl: no record was selected\n"), table)


class Told(unittest.TestCase):
    """What a daemon tells that a test cannot have a real one tell as easily."""

    PAGE = 8192

    def run_with(self, results, samples, *words, **changes):
        def get(params):
            return next(result for result in results if result["id"] == params["id"])

        def page(params):
            held = samples[params["id"]]
            if callable(held):
                held = held(params)
            if held is None:
                raise Refusal(-32002, "not_found", "the samples are no longer held: those of the oldest decays go first")
            first = params.get("offset", 0)
            end = first + min(params.get("count", self.PAGE), self.PAGE)
            lists = {key: held[key] and held[key][first:end] for key in ("displacement", "time_s", "flags")}
            return held | lists | {"id": params["id"], "offset": first, "count": len(lists["displacement"]),
                                   "total": len(held["displacement"])}

        listed = {"results": [sample_replies.summary(result["id"]) for result in results], "next_cursor": None,
                  "next_before_id": None, "reason": None}
        with FakeFricidd(daemon(results__list=lambda _: listed, results__get=get, samples=page)) as fake:
            return fricidctl(fake, "export", *words, **changes)

    def held(self, figures, **changes):
        return {"pretrigger_samples": 0, "start_s": 2.0, "period_s": 0.5, "unit": "mm", "displacement": figures,
                "time_s": None, "flags": None, "columns": None, "reason": None} | changes

    def rows(self, done):
        self.assertEqual(done.returncode, OK, done.stderr)
        return list(csv.DictReader(io.StringIO(done.stdout.decode())))

    def test_samples_that_are_gone_end_nothing(self):
        results = [sample_replies.result(i) for i in (3, 2, 1)]
        going = lambda params: self.held([0.25] * 9000) if params.get("offset", 0) == 0 else None
        samples = {3: self.held([1.5, 2.5]), 2: None, 1: going}
        done = self.run_with(results, samples)
        self.assertEqual(done.returncode, OK, done.stderr)
        got = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([record["samples"] and record["samples"]["displacement"] for record in got], [[1.5, 2.5], None, None])
        said = b"fricidctl: the samples of 2 of 3 records are not held any more: "
        self.assertEqual(done.stderr, said + b"null stands for them\n")
        done = self.run_with(results, samples, "--table", "samples")
        self.assertEqual([(row["id"], row["displacement"]) for row in self.rows(done)], [("3", "1.5"), ("3", "2.5")])
        self.assertEqual(done.stderr, said + b"there are no rows of them\n")

    def test_any_other_refusal_ends_it(self):
        def busy(_):
            raise Refusal(-32004, "busy", "the store cannot be read at the moment")
        done = self.run_with([sample_replies.result(1)], {1: busy})
        self.assertEqual((done.returncode, done.stdout), (FAILED, b""))
        self.assertIn(b"cannot be read at the moment", done.stderr)

    def test_many_pages_are_one(self):
        figures = [i / 8 for i in range(2 * self.PAGE + 100)]
        flags = [i % 3 for i in range(len(figures))]
        done = self.run_with([sample_replies.result(1)], {1: self.held(figures, flags=flags)})
        (record,) = (json.loads(line) for line in done.stdout.splitlines())
        samples = record["samples"]
        self.assertEqual((samples["displacement"], samples["flags"]), (figures, flags))
        self.assertEqual((samples["offset"], samples["count"], samples["total"]), (0, len(figures), len(figures)))

    def test_samples_of_unlike_records_in_one_table(self):
        """The names of columns are a user's, three of a row do not divide a page, and a sensor may be called anything."""
        count = self.PAGE
        figures = [i / 4 for i in range(3 * count)]
        flags = [i % 4 for i in range(3 * count)]
        named = self.held(figures, columns="id,time_s,=tip", flags=flags)
        rows = self.rows(self.run_with([sample_replies.result(i) for i in (2, 1)], {2: self.held([7.0]), 1: named}, "--table", "samples"))
        self.assertEqual(list(rows[0]), ["id", "samples", "time_s", "displacement", "samples.id", "samples.time_s", "~=tip", "id.flags",
                                         "time_s.flags", "~=tip.flags"])
        self.assertEqual(list(rows[0].values()), ["2", "0", "2", "7"] + [""] * 6)
        self.assertEqual(len(rows), 1 + count)
        for i in (0, 5000, count - 1):
            row, at = rows[1 + i], slice(3 * i, 3 * i + 3)
            self.assertEqual((row["id"], row["samples"], float(row["time_s"]), row["displacement"]), ("1", str(i), 2 + i / 2, ""))
            self.assertEqual([float(row[name]) for name in ("samples.id", "samples.time_s", "~=tip")], figures[at])
            self.assertEqual([int(row[name]) for name in ("id.flags", "time_s.flags", "~=tip.flags")], flags[at])

    def test_an_item_keeps_its_own_id_and_its_record_too(self):
        result = sample_replies.result(4)
        result["joint"] = {"channels": [{"id": 4, "channel": "lvdt"}, {"id": 9, "channel": "second", "channels": 5}]}
        rows = self.rows(self.run_with([result], {}, "--table", "joint.channels"))
        self.assertEqual([(row["id"], row["channels"], row["channels.id"], row["channel"], row["channels.channels"]) for row in rows],
                         [("4", "0", "4", "lvdt", ""), ("4", "1", "9", "second", "5")])

    def test_no_locale_changes_a_table(self):
        result = sample_replies.result(4)
        result["units"]["displacement"] = "µm"
        for name, cell in (("Prüfstand µ", "Prüfstand µ"), ("\t=1+1", "~ =1+1"), ("\r=1+1", "?=1+1"), ("  @x", "~  @x"), ("a\x1b[31m", "a?[31m")):
            result["rig"] = name
            for locale in ({"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}):
                (row,) = self.rows(self.run_with([result], {}, "--table", "records", **locale))
                self.assertEqual((row["rig"], row["units.displacement"]), (cell, "µm"))


if __name__ == "__main__":
    main()
