# SPDX-License-Identifier: GPL-3.0-or-later
"""A store that an earlier fricidd wrote, under this one: nothing of it is lost, and its decays get their runs."""

import contextlib
import gzip
import json
import math
import re
import shutil
import sqlite3
import unittest
from pathlib import Path

from fricid_harness import SOURCE, Daemon, ScratchDirectory
from run_tests import main
from store_files import (ADDED_BY_VERSION_10, ADDED_BY_VERSION_11, ADDED_BY_VERSION_12, complaints, count, events_of, opened,
                         put_together, wait_for, without_figures_of_contacts)

DATA = SOURCE / "tests" / "data"
# Not what a version of the tables changes: its own columns, and a decay's checksum, which covers them.
COLUMNS_OF_LATER_VERSIONS = {"run", "row_checksum", "kind", "columns", "quantity", "delay_s", "read_as", *ADDED_BY_VERSION_10, *ADDED_BY_VERSION_11}


def published_before(version):
    """What the fricidd that wrote the store said of it: revisions of results, each with its summary if it is the latest."""
    with gzip.open(DATA / f"store-version-{version}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def as_told_before(result, version):
    """A result without what is put into texts that were stored before it was told."""
    record = result.get("record")
    assert result.pop("provisional") is False, result
    if record:
        if version < 8:
            assert record.pop("quantity") == "displacement", result
            assert record.pop("delay_s") is None, result
        assert record.pop("read_as") == "", result
        assert result["fit"].pop("fitted") == result["fit"]["model"], result
        assert result.pop("ladder")["verdict"] == "not_computed", result
        assert result.pop("joint")["verdict"] == "not_computed", result
        if record["reason"] == "stored before delays were kept":
            record["reason"] = None
    return without_combined(result, version)


def without_combined(told, version):
    """Estimates with their one interval, which was statistical before version 8."""
    if version >= 8:
        return told
    if isinstance(told, list):
        return [without_combined(one, version) for one in told]
    if not isinstance(told, dict):
        return told
    told = {key: without_combined(one, version) for key, one in told.items()}
    if "ci95_statistical" in told:
        assert (told.pop("u"), told.pop("ci95")) == (None, [None, None]), told
        if told["reason"] == "stored before it had a combined uncertainty beside it":
            told["reason"] = None
    return {"ci95" if key == "ci95_statistical" else key: one for key, one in told.items()}


def rows_of(path, table):
    """All rows of a table, without what came with a later version."""
    later = COLUMNS_OF_LATER_VERSIONS | set(ADDED_BY_VERSION_12 if table == "result" else ())
    with contextlib.closing(opened(path)) as connection:
        cursor = connection.execute(f"SELECT * FROM {table} ORDER BY 1")
        names = [column[0] for column in cursor.description]
        return [{name: value for name, value in zip(names, row) if name not in later} for row in cursor]


# What a copy of a decay, and of what belongs to it, has a number of its own in; the spares follow by themselves.
NUMBERED = {"decay": {"id"}, "raw": {"decay"}, "result": {"id", "decay"}, "document": {"result"}}


def multiply(path, times):
    """So many times the decays that there were: one leaf cannot hold all rows of a table any more."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for table, numbered in NUMBERED.items():
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(f"{name} + :more" if name in numbered else name for name in names)
            for copy in range(1, times):
                connection.execute(f"INSERT INTO {table} SELECT {values} FROM {table} WHERE {names[0]} < 100",
                                   {"more": 100 * copy})
        connection.commit()


def destroy_trees(path):
    """The inner pages of all tables; how many there were."""
    page_size, inner_page_of_table = 4096, 5
    pages = bytearray(path.read_bytes())
    inner = [at for at in range(page_size, len(pages), page_size) if pages[at] == inner_page_of_table]
    for at in inner:
        pages[at : at + page_size] = bytes(page_size)
    path.write_bytes(pages)
    return len(inner)


def runs_of(path):
    """The decays of every run, as pairs of id and channel."""
    runs = {}
    with contextlib.closing(opened(path)) as connection:
        for run, decay, rig, channel in connection.execute(
                "SELECT run, decay.id, rig, channel FROM decay JOIN setup ON setup.id = decay.setup ORDER BY decay.id"):
            runs.setdefault(run, []).append((decay, rig, channel))
    return runs


class Earlier(unittest.TestCase):
    """A store of an earlier version of the tables."""

    version = 0

    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)
        directory = self.scratch.path / "s.store"
        directory.mkdir()
        self.path = directory / "fricid.db"
        self.path.write_bytes(gzip.decompress((DATA / f"store-version-{self.version}.db.gz").read_bytes()))
        self.before = self.scratch.write("before.db", self.path.read_bytes())

    def protected(self):
        return {row["id"] for row in rows_of(self.before, "decay") if row["protected"]}

    def brought_up_to_date(self):
        return Daemon(directory=self.scratch)

    def set_aside_and_put_together(self):
        with self.brought_up_to_date() as daemon:
            wait_for(lambda: events_of(daemon, "store_set_aside"), "the event")
        return put_together(self.path)

    def assert_nothing_is_lost(self, *tables):
        with self.brought_up_to_date() as daemon:
            wait_for(lambda: events_of(daemon, "store_upgraded"), "word of the upgrade")
            (told,) = events_of(daemon, "store_upgraded")
        self.assertIn(f"fricid.db.schema-{self.version}", told)
        for table in ("configuration", "setup", "decay", "raw", "result", "document", "spare_setup", "spare_decay",
                      "spare_raw", *tables):
            before = rows_of(self.before, table)
            # The daemon's own configuration is the only row that comes.
            after = [row for row in rows_of(self.path, table) if row.get("path") != str(daemon.configuration_path)]
            self.assertEqual(after, before, table)
        self.assertEqual(complaints(self.path), [])

    def assert_results_are_what_they_were(self):
        kinds = set()
        with self.brought_up_to_date() as daemon, daemon.client() as client:
            listed = {summary["id"]: summary for summary in client.call("results.list", limit=1000)["results"]}
            for before in published_before(self.version):
                result = as_told_before(
                    client.call("results.get", id=before["result"]["id"], revision=before["result"]["revision"]),
                    self.version)
                kinds.add(result["kind"])
                self.assertEqual(json.dumps(result), json.dumps(before["result"]))
                if before["summary"]:
                    summary = without_combined(listed.pop(result["id"]), self.version)
                    self.assertEqual(summary.pop("protected"), summary["id"] in self.protected())
                    self.assertFalse(summary.pop("provisional"))
                    self.assertFalse(summary.pop("stopped"))
                    self.assertEqual(summary.pop("contact_model"), "")
                    self.assertEqual(json.dumps(summary), json.dumps(before["summary"]))
            self.assertEqual(listed, {})
            self.assertEqual(kinds, {"free_decay", "bounces"})
            again = client.call("reidentify", check=True)
        self.assertEqual((again["decays"], again["failed"]), (count(self.path, "decay"), 0))
        self.assertEqual([change for change in told_alike(again["changes"])
                          if change["key"].startswith(("fit.", "e.", "zeta."))], [])


# Windows of amplitude are in order since, and with them changes what they add to an uncertainty.
COMBINED = re.compile(r"\.(u|ci95[^_]*)$")


def told_alike(changes):
    """But for one flag: it told of few samples and of few half cycles, which has a flag of its own since."""
    few = ("few_effective_samples", "few_half_cycles")
    return [change for change in changes if (change["before"], change["after"]) != few
            and (change["key"], change["before"], change["after"]) != (f"fit.{few[0]}", True, False)
            and not COMBINED.search(change["key"])]


class Version5(Earlier):
    version = 5

    def test_nothing_is_lost(self):
        self.assert_nothing_is_lost()

    def test_decays_of_two_channels_share_a_run(self):
        with self.brought_up_to_date():
            pass
        runs = runs_of(self.path)
        self.assertEqual(sum(map(len, runs.values())), count(self.path, "decay"))
        for decays in runs.values():
            self.assertEqual([channel for _, _, channel in decays], ["lvdt", "encoder"], decays)
            self.assertEqual(len({rig for _, rig, _ in decays}), 1, decays)
        # Numbered as they came.
        self.assertEqual([min(decays) for decays in runs.values()], sorted(min(decays) for decays in runs.values()))
        self.assertEqual(list(runs), list(range(1, len(runs) + 1)))
        with contextlib.closing(opened(self.path)) as connection:
            started = connection.execute(
                "SELECT count(*) FROM run WHERE started_at_ns IS NOT (SELECT min(released_at_ns) FROM decay"
                " WHERE run = run.id) OR rig IS NOT (SELECT rig FROM setup JOIN decay ON decay.setup = setup.id"
                " WHERE run = run.id)").fetchone()
        self.assertEqual(started, (0,))

    def test_results_are_what_they_were_with_their_run(self):
        """As JSON text, key by key in the order in which they were; lists, single results and notifications alike."""
        runs = {}
        with self.brought_up_to_date() as daemon, daemon.client() as client:
            listed = {summary["id"]: summary for summary in client.call("results.list", limit=1000)["results"]}
            for before in published_before(self.version):
                result = as_told_before(
                    client.call("results.get", id=before["result"]["id"], revision=before["result"]["revision"]),
                    self.version)
                run = result.pop("run_id")
                self.assertEqual(result.pop("kind"), "free_decay")
                self.assertEqual(json.dumps(result), json.dumps(before["result"]))
                runs.setdefault(run, set()).add(result["id"])
                if before["summary"]:
                    summary = without_combined(listed.pop(result["id"]), self.version)
                    self.assertEqual(summary.pop("run_id"), run)
                    self.assertEqual((summary.pop("kind"), summary.pop("provisional")), ("free_decay", False))
                    self.assertFalse(summary.pop("stopped"))
                    self.assertEqual(summary.pop("contact_model"), "")
                    self.assertEqual(summary.pop("protected"), summary["id"] in self.protected())
                    self.assertEqual(json.dumps(summary), json.dumps(before["summary"]))
            self.assertEqual(listed, {})
            for run, decays in runs.items():
                found = client.call("results.list", run_id=run)["results"]
                self.assertEqual({summary["id"] for summary in found}, decays)
            client.call("subscribe", topics=["result"], from_seq=1)
            told = client.notification("notify.result")["result"]
            self.assertIn(told["id"], runs[told["run_id"]])
        self.assertEqual({run: {decay for decay, _, _ in decays} for run, decays in runs_of(self.path).items()}, runs)

    def test_a_result_made_again_is_the_same(self):
        with self.brought_up_to_date() as daemon, daemon.client() as client:
            # Everything but the budget, to which a drift that is unlikely adds a little since.
            changes = told_alike(client.call("reidentify", check=True, run_id=1)["changes"])
            self.assertEqual([change for change in changes if not change["key"].startswith("budget.")], [])
            client.call("reidentify", run_id=1)
            again = client.call("results.get", id=1)
        self.assertEqual((again["revision"], again["run_id"]), (3, 1))

    def test_a_digit_that_is_wrong_stays_wrong(self):
        """Decay 3 has another period in one of its places: the upgrade must not make its checksum fit."""
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            connection.execute("UPDATE decay SET period_s = 0.006 WHERE id = 3")
            connection.commit()
        self.set_aside_and_put_together()
        with self.brought_up_to_date() as daemon, daemon.client() as client:
            self.assertEqual(client.call("samples", id=3)["period_s"], 0.005)
        self.assertEqual(rows_of(self.path, "decay"), rows_of(self.before, "decay"))
        self.assertEqual(complaints(self.path), [])


class Version6(Earlier):
    version = 6

    def test_nothing_is_lost(self):
        self.assert_nothing_is_lost("run", "spare_run")

    def test_results_are_what_they_were_and_of_decays(self):
        with self.brought_up_to_date() as daemon, daemon.client() as client:
            listed = {summary["id"]: summary for summary in client.call("results.list", kind="free_decay",
                                                                        limit=1000)["results"]}
            for before in published_before(self.version):
                result = as_told_before(
                    client.call("results.get", id=before["result"]["id"], revision=before["result"]["revision"]),
                    self.version)
                self.assertEqual(result.pop("kind"), "free_decay")
                self.assertEqual(json.dumps(result), json.dumps(before["result"]))
                if before["summary"]:
                    summary = without_combined(listed.pop(result["id"]), self.version)
                    self.assertEqual((summary.pop("kind"), summary.pop("provisional")), ("free_decay", False))
                    self.assertFalse(summary.pop("stopped"))
                    self.assertEqual(summary.pop("contact_model"), "")
                    self.assertEqual(summary.pop("protected"), summary["id"] in self.protected())
                    self.assertEqual(json.dumps(summary), json.dumps(before["summary"]))
            self.assertEqual(listed, {})
            self.assertEqual(client.call("results.list", kind="bounces")["results"], [])
            again = client.call("reidentify", check=True)
        self.assertEqual((again["decays"], again["failed"]), (count(self.path, "decay"), 0))
        # Where the program is compiled otherwise, the last bit may decide where a window of amplitude ends.
        self.assertEqual([change for change in told_alike(again["changes"]) if change["key"].startswith("fit.")], [])

    def test_no_row_of_before_is_lost_with_the_tree_that_leads_to_it(self):
        """Rows that no tree leads to are told by their columns, of which the upgrade has given their tables more."""
        multiply(self.path, 4)
        with self.brought_up_to_date() as daemon:
            wait_for(lambda: events_of(daemon, "store_upgraded"), "word of the upgrade")
        tables = (*NUMBERED, "spare_decay", "spare_raw")
        stored, wrong = {table: rows_of(self.path, table) for table in tables}, complaints(self.path)
        self.assertGreaterEqual(destroy_trees(self.path), len(tables))
        self.assertIn("Samples lost: 0.", self.set_aside_and_put_together())
        self.assertEqual(len(stored["decay"]), 40)
        for table, rows in stored.items():
            self.assertEqual(rows_of(self.path, table), rows, table)
        self.assertEqual(complaints(self.path), wrong)  # copies of decays are of one run

    def test_other_records_join_the_decays(self):
        with self.brought_up_to_date() as daemon, daemon.client() as client:
            (told,) = client.call("identify", kind="bounces", columns={"interval_s": [0.4, 0.36]},
                                  keep=True)["results"]
            self.assertEqual([summary["id"] for summary in client.call("results.list", kind="bounces")["results"]],
                             [told["id"]])
        self.assertEqual(complaints(self.path), [])

    def test_a_kind_that_is_wrong_stays_wrong(self):
        with self.brought_up_to_date() as daemon, daemon.client() as client:
            (told,) = client.call("identify", kind="bounces", columns={"interval_s": [0.4, 0.36]},
                                  keep=True)["results"]
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            connection.execute("UPDATE decay SET columns = 'height' WHERE id = ?", (told["id"],))
            connection.commit()
        self.set_aside_and_put_together()
        with self.brought_up_to_date() as daemon, daemon.client() as client:
            self.assertEqual(client.call("samples", id=told["id"])["columns"], "interval_s")
        self.assertEqual(complaints(self.path), [])


class Version7(Earlier):
    version = 7

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_what_is_called_a_copy_is_whole(self):
        for call, number in (("pwrite64", 20), ("rename", 1)):
            with self.subTest(call=call):
                cut = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
                       "-e", f"inject={call}:signal=KILL:when={number}"]
                with self.assertRaisesRegex(AssertionError, "ended at once"), Daemon(directory=self.scratch, launcher=cut):
                    pass
                self.assertEqual(list(self.path.parent.glob("*.schema-*")), [])
        with self.brought_up_to_date() as daemon:
            wait_for(lambda: events_of(daemon, "store_upgraded"), "word of the upgrade")
        (copy,) = self.path.parent.glob("*.schema-*")
        self.assertEqual(rows_of(copy, "raw"), rows_of(self.before, "raw"))
        self.assertFalse(Path(f"{self.path}.rescue").exists())

    def test_nothing_is_lost(self):
        self.assert_nothing_is_lost("run", "spare_run")

    def test_results_of_every_kind_are_what_they_were(self):
        self.assert_results_are_what_they_were()

    def test_bounces_made_again_are_the_same(self):
        """A store of that version does not say what was measured, but its columns do."""
        with self.brought_up_to_date() as daemon, daemon.client() as client:
            for summary in client.call("results.list", kind="bounces")["results"]:
                before = client.call("results.get", id=summary["id"])
                client.call("reidentify", id=summary["id"])
                again = client.call("results.get", id=summary["id"])
                self.assertEqual(again["revision"], before["revision"] + 1)
                self.assertEqual({key: again["e"][key] for key in ("value", "se", "ci95_statistical", "at_bound")},
                                 {key: before["e"][key] for key in ("value", "se", "ci95_statistical", "at_bound")})
                self.assertEqual([again[key] for key in ("from", "verdict")],
                                 [before[key] for key in ("from", "verdict")])


class Version8(Earlier):
    version = 8

    def test_nothing_is_lost(self):
        self.assert_nothing_is_lost("run", "spare_run")

    def test_results_of_every_kind_are_what_they_were(self):
        self.assert_results_are_what_they_were()


class Version10(Earlier):
    version = 10

    def test_nothing_is_lost(self):
        self.assert_nothing_is_lost("run", "spare_run")

    def test_sensors_of_which_no_delay_is_known_are_taken_to_be_at_one_time(self):
        with self.brought_up_to_date() as daemon, daemon.client() as client:
            again = client.call("reidentify", check=True)
            self.assertEqual([sensor["sensor"] for sensor in client.call("results.get", id=1)["ring_down"]["modes"][0]["shape"]],
                             ["a", "b"])
        self.assertEqual((again["decays"], again["failed"]), (1, 0))
        self.assertEqual([change for change in again["changes"] if ".shape" in change["key"]], [])


class Contacts(unittest.TestCase):
    """Figures of driven contacts stood in their texts alone, and so did their models for one version more."""

    def figures(self, path):
        with contextlib.closing(opened(path)) as connection:
            return connection.execute(f"SELECT kind, model, {', '.join(ADDED_BY_VERSION_12)} FROM result ORDER BY id").fetchall()

    @staticmethod
    def without_models(connection):
        connection.execute("UPDATE result SET model = NULL WHERE kind = 'loop'")

    def set_back(self, path, version, *changes):
        """As that version of the tables has them."""
        with contextlib.closing(sqlite3.connect(path)) as connection:
            for change in changes:
                change(connection)
            connection.execute(f"PRAGMA user_version = {version}")
            connection.commit()

    def test_contacts_of_before_are_found_by_their_figures_and_models(self):
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        times = [i / 400 for i in range(1000)]
        motion = [math.sin(2 * math.pi * (t + 0.01)) for t in times]
        force = [2 * math.tanh(40 * math.cos(2 * math.pi * (t + 0.01))) + 0.1 * x for t, x in zip(times, motion)]
        speeds = [v / 10 for v in range(1, 41)]
        with Daemon(service="ladder_deadline_s = 600;", directory=scratch) as daemon, daemon.client() as client:
            (loop,) = client.call("identify", kind="loop", keep=True, columns={
                "displacement_m": [1e-3 * x for x in motion], "force_n": force, "time_s": times})["results"]
            (curve,) = client.call("identify", kind="curve", keep=True, columns={
                "velocity_m_s": speeds, "force_n": [2 + 0.3 * v + 0.01 * math.sin(40 * v) for v in speeds]})["results"]
            client.call("identify", kind="bounces", columns={"interval_s": [0.4, 0.36]}, keep=True)
        path = scratch.path / "s.store" / "fricid.db"
        told, model = self.figures(path), loop["loop"]["ladder"]["model"]
        self.assertEqual(told[0][:6], ("loop", model, *(loop[name]["value"] for name in ADDED_BY_VERSION_12[:4])))
        by_name = dict(zip(("kind", "model", *ADDED_BY_VERSION_12), told[1]))
        self.assertEqual((by_name["f_c"], by_name["energy"]), (curve["f_c"]["value"], None))
        self.assertEqual(set(told[2]), {"bounces", None})
        self.assertTrue(model)
        for version, changes in ((11, (self.without_models, without_figures_of_contacts)), (12, (self.without_models,))):
            with self.subTest(version=version):
                self.set_back(path, version, *changes)
                with Daemon(directory=scratch) as daemon, daemon.client() as client:
                    wait_for(lambda: events_of(daemon, "store_upgraded"), "word of the upgrade")
                    found = client.call("results.list", f_c_min=0.9 * curve["f_c"]["value"], sort="f_c")["results"]
                    chosen = client.call("results.list", model=model)["results"]
                self.assertEqual(self.figures(path), told)
                self.assertIn(curve["id"], [summary["id"] for summary in found])
                self.assertEqual([summary["id"] for summary in chosen], [loop["id"]])
                self.assertEqual(complaints(path), [])


class RingDowns(unittest.TestCase):
    """Of a fricidd that told less of them, but whose tables in the store were the same."""

    UNTOLD = "stored before it was told"

    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)
        directory = self.scratch.path / "s.store"
        directory.mkdir()
        (directory / "fricid.db").write_bytes(gzip.decompress((DATA / "store-version-9-ring-down.db.gz").read_bytes()))

    def assert_nothing_is_changed(self, before, now):
        """All that was told is told still, but for reasons where there were none."""
        if isinstance(before, dict):
            for key, told in before.items():
                if key == "reason" and told is None:
                    self.assertIn(now[key], (None, self.UNTOLD))
                else:
                    self.assert_nothing_is_changed(told, now[key])
        elif isinstance(before, list):
            self.assertEqual(len(before), len(now))
            for one, other in zip(before, now):
                self.assert_nothing_is_changed(one, other)
        else:
            self.assertEqual(before, now)

    def test_what_was_not_told_is_told_as_not_known(self):
        """The client holds every answer and notification against its schema, which requires all keys."""
        (before,) = published_before("9-ring-down")
        with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
            now = client.call("results.get", id=before["result"]["id"])
            client.call("subscribe", topics=["result"], from_seq=1)
            self.assertEqual(client.notification("notify.result")["result"], now)
            (summary,) = client.call("results.list")["results"]
            shown = daemon.fricidctl("show", str(now["id"]))
        self.assertIs(summary.pop("provisional"), False)
        self.assertIs(summary.pop("stopped"), False)
        self.assertEqual(summary.pop("contact_model"), "")
        self.assertEqual(summary, before["summary"])
        self.assert_nothing_is_changed(before["result"], now)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        joints = 0
        for mode, of_before in zip(now["ring_down"]["modes"], before["result"]["ring_down"]["modes"]):
            self.assertNotIn("repeats", of_before)
            self.assertEqual((mode["residual_first"], mode["residual_after"]), (None, None))
            self.assertTrue(mode["reason"])
            self.assertEqual((mode["repeats"]["blows"], mode["repeats"]["backbone"]), (0, []))
            self.assertEqual((mode["hilbert"]["verdict"], mode["hilbert"]["backbone"]), ("not_computed", []))
            self.assertTrue(mode["hilbert"]["reason"])
            if mode["iwan"]:
                joints += 1
                self.assertEqual(mode["iwan"]["iwan_beta"],
                                 dict.fromkeys(("value", "se", "lower", "upper"), None) | {"reason": self.UNTOLD})
                for key in "f_s", "phi_max", "k_t", "k_inf":
                    self.assertIsNone(mode["iwan"][key]["se"])
                    self.assertTrue(mode["iwan"][key]["reason"])
        self.assertEqual(joints, 1)


if __name__ == "__main__":
    main()
