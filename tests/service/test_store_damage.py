# SPDX-License-Identifier: GPL-3.0-or-later
"""Stores with damaged pages, and of other versions and programs."""

import json
import os
import random
import re
import shutil
import sqlite3
import struct
import unittest
from pathlib import Path

from fricid_harness import (
    FRICIDD,
    Daemon,
    ScratchDirectory,
    configuration_text,
    rounds,
    run_program,
    seconds,
    simulated_rig,
)
from run_tests import main
from store_files import (ADDED_BY_VERSION_10, ADDED_BY_VERSION_11, complaints, count, events_of, kill, opened, put_together, set_aside,
                         take, wait_for, without_figures_of_contacts)

# Checksums of rows and texts, which came with version 5.
ADDED_BY_VERSION_5 = (("setup", "row_checksum"), ("decay", "row_checksum"), ("event", "text_checksum"),
                      ("configuration", "text_checksum"), ("result", "summary_checksum"), ("result", "text_checksum"))
# Columns of a decay that a file of version 2 does not have.
ADDED_BY_VERSION_3 = ("time_error_s", "u_mass_kg", "u_stiffness_n_per_m", "u_gravity_m_per_s2", "u_gain_percent",
                      "u_clock_ppm", "linearity_percent", "full_scale")


def without_runs(connection, *spare):
    """As a version of before there were runs, kinds and delays has its tables; `spare`: of those that it had in two places."""
    without_figures_of_contacts(connection)
    connection.execute("DROP INDEX result_kind")
    connection.execute("ALTER TABLE result DROP COLUMN kind")
    for table in ("decay", *spare):
        for column in ("kind", "columns", "quantity", "delay_s", "read_as", *ADDED_BY_VERSION_10, *ADDED_BY_VERSION_11):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    for name in ("run_twice", "run_again", "run_over"):
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("DROP INDEX decay_run")
    for table in ("decay", *spare):
        connection.execute(f"ALTER TABLE {table} DROP COLUMN run")
    connection.execute("DROP TABLE run")
    connection.execute("DROP TABLE spare_run")


def lost_in(report):
    """The decays whose samples a repair could not save, as it told."""
    return set(re.findall(r"\d+", "".join(re.findall(r"lost of the decays ([\d, ]+)", report))))


def circle_in(file):
    """Makes a row of a leaf, which goes on elsewhere, go on for ever; see https://sqlite.org/fileformat2.html."""
    length = 999999053
    local = 489 + (length - 489) % 4092
    local = local if local <= 4061 else 489
    for start in range(4096, len(file), 4096):
        page = memoryview(file)[start : start + 4096]
        if page[0] != 13:
            continue
        for (at,) in struct.iter_unpack(">H", page[8 : 8 + 2 * int.from_bytes(page[3:5], "big")]):
            payload, number = at, at + 5  # bytes of both numbers: of one byte, the second
            if page[payload] < 0x80 or number + 1 + local + 4 > 4096:
                continue
            page[payload:number] = bytes((length >> shift & 0x7F) | (0x80 if shift else 0) for shift in (28, 21, 14, 7, 0))
            page[number] = 1
            page[number + 1 + local : number + 5 + local] = (2).to_bytes(4, "big")
            file[4096:4100] = (2).to_bytes(4, "big")
            return start // 4096 + 1
    raise AssertionError("there is no long row")


class Damage(unittest.TestCase):
    """Files that are not as they should be."""

    def setUp(self):
        self.scratch = ScratchDirectory()
        self.directory = Path(str(self.scratch.path / "s") + ".store")
        self.path = self.directory / "fricid.db"

    def tearDown(self):
        self.scratch.remove()

    def fill(self, duration_s=200.0):
        with Daemon(simulated_rig(seed=9, duration_s=duration_s), directory=self.scratch) as daemon:
            daemon.wait_until_ended()

    def refused(self):
        """What the daemon says when it does not start."""
        path = self.scratch.write("fricid.conf", configuration_text(str(self.scratch.path / "s")))
        done = run_program(FRICIDD, "--config", path)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def all_identified(self):
        try:
            return count(self.path, "decay", "revision = 0") == 0
        except sqlite3.DatabaseError:
            return False  # not set aside yet

    def has_decay_behind(self, latest):
        try:
            return count(self.path, "decay", f"id > {latest}") > 0
        except sqlite3.DatabaseError:
            return False  # not set aside yet

    def identify_all(self, what="identification"):
        with Daemon(directory=self.scratch) as daemon:
            wait_for(self.all_identified, what)
            self.assertEqual(events_of(daemon, "store_set_aside"), [])

    def test_every_damaged_page_is_survived(self):
        self.fill()
        sound = self.path.read_bytes()
        decays = count(self.path, "decay")
        chance = random.Random(os.environ.get("FRICID_SEED") or 1)
        pages = len(sound) // 4096
        # The first one describes the tables.
        for page in [0, *chance.sample(range(1, pages), rounds(int(os.environ.get("FRICID_PAGES", "12"))))]:
            shutil.rmtree(self.directory)
            self.directory.mkdir()
            self.path.write_bytes(sound[: page * 4096] + chance.randbytes(4096) + sound[(page + 1) * 4096 :])
            with Daemon(simulated_rig(seed=10, duration_s=30.0), directory=self.scratch) as daemon:
                daemon.wait_until_source_ended()
                # What comes in is stored behind the look through the file.
                wait_for(lambda: self.has_decay_behind(decays), f"page {page}: a new decay")
                wait_for(self.all_identified, f"page {page}: identification")
                with daemon.client() as client:
                    where = lambda: client.call("status")["store"]["set_aside"]
                    wait_for(lambda: bool(where()) == bool(set_aside(self.path)), what=f"page {page}: word of it")
                    told = where()
                shown = daemon.fricidctl("status").stdout if told else "fricid-repair"
                self.assertIn("fricid-repair", shown)
            said = events_of(daemon, "store_set_aside")
            self.assertEqual(complaints(self.path, checksums=False), [], f"page {page}")
            came = count(self.path, "decay", f"id > {decays}")
            self.assertGreater(came, 0)
            self.assertEqual([Path(name).name in told for name in set_aside(self.path)], [True] * len(said), told)
            if said:
                self.assertIn("fricid-repair", told)
                self.assertIn(f"the latest decay there has the id {decays}", told)
                put_together(self.path)
                self.identify_all(f"page {page}: identification")
                self.assertEqual(complaints(self.path, checksums=False), [], f"page {page}")
            # Everything that was measured stands on two pages.
            self.assertEqual(count(self.path, "decay", f"id <= {decays}"), decays, f"page {page}: {said}")
            self.assertEqual(count(self.path, "decay", f"id > {decays}"), came)
            self.assertEqual(len(said), 1 if page == 0 else len(said))

    def test_a_log_that_is_gone_is_told(self):
        """Its index, which is still there, says that it was not empty."""
        log = Path(f"{self.path}-wal")
        for left, said in ((None, "is missing, and the index of that tells of"), (0, "nor its header"), (18, "nor its header")):
            with self.subTest(left=left):
                shutil.rmtree(self.directory, ignore_errors=True)
                self.fill(20.0)
                stored = count(self.path, "decay")
                with Daemon(simulated_rig(seed=10, duration_s=20.0), directory=self.scratch) as daemon:
                    daemon.wait_until_source_ended()
                    wait_for(lambda: count(self.path, "decay") > stored, "decays")
                    kill(daemon)
                    daemon.stop = lambda: None
                    Path(daemon.socket_path).unlink()
                log.unlink() if left is None else os.truncate(log, left)
                with Daemon(directory=self.scratch) as daemon:
                    wait_for(lambda: events_of(daemon, "store_set_aside"), "the event")
                    self.assertIn(said, events_of(daemon, "store_set_aside")[0])
                put_together(self.path)
                self.assertEqual(count(self.path, "decay"), stored)
                with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
                    wait_for(lambda: client.call("status")["store"]["decays"] == stored, "the store")
                    self.assertEqual(events_of(daemon, "store_set_aside"), [])

    def test_the_first_log_of_all_is_cut(self):
        """All that there is stands in it, and what is left of it does not name the program yet."""
        header, frame = 32, 4120
        for frames in (1, 2, 20):
            with self.subTest(frames=frames):
                shutil.rmtree(self.directory, ignore_errors=True)
                with Daemon(simulated_rig(seed=10, duration_s=20.0), directory=self.scratch) as daemon:
                    daemon.wait_until_ended()
                    kill(daemon)
                    daemon.stop = lambda: None
                    Path(daemon.socket_path).unlink()
                self.assertEqual(self.path.stat().st_size, 4096)
                os.truncate(f"{self.path}-wal", header + frames * frame)
                with Daemon(directory=self.scratch) as daemon:
                    wait_for(lambda: events_of(daemon, "store_set_aside"), "the event")
                    self.assertIn("cannot be read", events_of(daemon, "store_set_aside")[0])
                self.assertTrue(list(self.directory.glob("fricid.db.damaged-*-wal")))

    if seconds(1) == 1:  # a sanitizer's own memory would be measured

        def test_a_length_that_leads_round_and_round(self):
            """A gigabyte that stands on pages of which one names itself is no row."""
            self.fill()
            file = bytearray(self.path.read_bytes())
            page = circle_in(file)
            file[:100] = bytes(100)
            self.path.write_bytes(file)
            with Daemon(directory=self.scratch) as daemon:
                wait_for(lambda: events_of(daemon, "store_set_aside"), "the event")
                status = Path(f"/proc/{daemon.process.pid}/status").read_text(encoding="ascii")
            self.assertLess(int(re.search(r"VmHWM:\s+(\d+)", status)[1]), 100 << 10)
            put_together(self.path)
            self.identify_all(f"page {page}: identification")

    def test_a_page_is_damaged_while_the_daemon_works(self):
        chance = random.Random(os.environ.get("FRICID_SEED") or 3)
        published = {}
        with Daemon(simulated_rig(seed=12, duration_s=800.0), directory=self.scratch) as daemon:
            with daemon.client() as client:
                client.call("subscribe", topics=["result"])
                daemon.wait_for_results(50)
                # What is damaged in the file while all of it stands in its log does no harm.
                wait_for(lambda: os.path.getsize(self.path) > 100 * 4096, "a file of some size")
                with open(self.path, "r+b") as file:
                    pages = os.path.getsize(self.path) // 4096
                    for page in chance.sample(range(1, pages), min(8, pages - 1)):
                        file.seek(4096 * page)
                        file.write(chance.randbytes(4096))
                # Whoever reads is told, or gets what was stored; nobody is kept waiting.
                for identity in range(1, 40):
                    for method in ("results.get", "samples"):
                        answer = client.ask(method, id=identity)
                        self.assertIn(answer.get("error", {}).get("code"), (None, -32603, -32004, -32005), answer)
                daemon.wait_until_source_ended()
                client.socket.settimeout(0.01)
                for _ in range(1000):
                    take(client, published)
                for note in client.notifications:
                    if note["method"] == "notify.result":
                        result = note["params"]["result"]
                        published[(result["id"], result["revision"])] = note["params"]["seq"]
        # Who reads only what is sound has nothing to tell before the next start.
        with Daemon(directory=self.scratch):
            wait_for(lambda: set_aside(self.path), "somebody who notices")
        named = lost_in(put_together(self.path))
        self.identify_all()
        # Samples stand on two pages. Of eight that are damaged two may be those: then an event named the decay.
        wrong = [sentence for sentence in complaints(self.path, checksums=False)
                 if not set(re.findall(r"\d+", sentence.removeprefix("decays without samples"))) <= named]
        self.assertEqual(wrong, [])
        with opened(self.path) as connection:
            kept = set(connection.execute("SELECT decay, revision FROM result"))
            unidentified = connection.execute("SELECT count(*) FROM decay WHERE revision = 0").fetchone()[0]
        print(f"{len(published)} results were seen, {len(kept)} are there")
        self.assertEqual(unidentified, 0)
        self.assertEqual([key for key in published if key not in kept], [])

    def test_a_changed_digit_is_told_and_mended(self):
        self.fill(30.0)
        changes = {"text": "results.get", "summary": "results.list"}
        for column, method in changes.items():
            with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
                before = client.call("results.get", id=1)
                with sqlite3.connect(self.path) as connection:
                    connection.execute(f"UPDATE document SET {column} = replace({column}, '.5', '.6')"
                                       " WHERE result = (SELECT id FROM result WHERE decay = 1)")
                    self.assertNotEqual(connection.total_changes, 0)
                connection.close()
                answer = client.ask(method, **({"id": 1} if method == "results.get" else {}))
                self.assertEqual(answer["error"]["data"]["name"], "damaged", answer)
                wait_for(lambda: events_of(daemon, "store_set_aside"), "the event")
            self.assertIn("not what was stored: 1.", put_together(self.path))
            self.identify_all("another result")
            with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
                self.assertEqual(client.call("results.get", id=1)["fit"], before["fit"])
        self.assertEqual(complaints(self.path), [])

    def test_a_decay_that_ended_ten_daemons_is_left_alone(self):
        self.fill(30.0)
        with sqlite3.connect(self.path) as connection:
            connection.execute("DELETE FROM document WHERE result IN (SELECT id FROM result WHERE decay = 1)")
            connection.execute("DELETE FROM result WHERE decay = 1")
            connection.execute("UPDATE decay SET revision = 0, attempts = 10 WHERE id = 1")
        connection.close()
        with Daemon(directory=self.scratch) as daemon:
            wait_for(self.all_identified, "a verdict")
            wait_for(lambda: events_of(daemon, "decay_given_up"), "the event")
            self.assertIn("ended 10 times", events_of(daemon, "decay_given_up")[0])
            with daemon.client() as client:
                result = client.call("results.get", id=1)
                self.assertEqual((result["fit"]["verdict"], result["recommended"]), ("given_up", None))
                listed = client.call("results.list", verdict="given_up")["results"]
                self.assertEqual([summary["id"] for summary in listed], [1])
                done = daemon.fricidctl("reidentify", "--verdict", "given_up")
                self.assertEqual(done.returncode, 0, done.stderr)
                again = client.call("results.get", id=1)
                self.assertEqual((again["revision"], again["fit"]["verdict"]), (2, "ok"))
        self.assertEqual(complaints(self.path), [])

    def test_an_older_store_is_brought_up_to_date(self):
        self.fill(30.0)
        decays = count(self.path, "decay")
        with sqlite3.connect(self.path) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            # As the first version had it.
            for name in ("setup_twice", "decay_twice", "raw_twice", "protected_twice", "decay_gone"):
                connection.execute(f"DROP TRIGGER {name}")
            for name in ("setup", "decay", "raw"):
                connection.execute(f"DROP TABLE spare_{name}")
            connection.execute("ALTER TABLE setup DROP COLUMN code_zero")
            connection.execute("ALTER TABLE decay DROP COLUMN attempts")
            connection.execute("ALTER TABLE decay DROP COLUMN protected")
            for table, column in ADDED_BY_VERSION_5:
                connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
            for column in ADDED_BY_VERSION_3:
                connection.execute(f"ALTER TABLE decay DROP COLUMN {column}")
            without_runs(connection)
            connection.execute("PRAGMA user_version = 1")
        connection.close()
        with Daemon(simulated_rig(seed=11, duration_s=30.0), directory=self.scratch) as daemon:
            daemon.wait_until_source_ended()
            wait_for(lambda: count(self.path, "decay") > decays, "a new decay")
            (told,) = events_of(daemon, "store_upgraded")
        copy = self.directory / "fricid.db.schema-1"
        self.assertIn(str(copy), told)
        with opened(self.path) as connection:
            self.assertEqual(connection.execute("PRAGMA user_version").fetchone()[0], version)
            event = connection.execute("SELECT text FROM event WHERE code = 'store_upgraded'").fetchone()[0]
        self.assertIn("fricid.db.schema-1", event)
        self.assertEqual(complaints(self.path), [])
        with opened(copy) as connection:
            self.assertEqual(connection.execute("PRAGMA user_version").fetchone()[0], 1)
            self.assertEqual(connection.execute("SELECT count(*) FROM decay").fetchone()[0], decays)

    def test_the_store_before_is_brought_up_to_date(self):
        self.fill(30.0)
        decays = count(self.path, "decay")
        with sqlite3.connect(self.path) as connection:
            without_runs(connection, "spare_decay")
            for column in ADDED_BY_VERSION_3:
                connection.execute(f"ALTER TABLE decay DROP COLUMN {column}")
                connection.execute(f"ALTER TABLE spare_decay DROP COLUMN {column}")
            for table, column in (*ADDED_BY_VERSION_5, ("spare_setup", "row_checksum"), ("spare_decay", "row_checksum")):
                connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
            summaries = connection.execute("SELECT result, summary FROM document ORDER BY result").fetchall()
            connection.execute("UPDATE document SET summary = json_remove(summary, '$.u')")
            # One that had no budget.
            connection.execute("UPDATE document SET text = json_remove(text, '$.budget') WHERE result = 1")
            connection.execute("PRAGMA user_version = 2")
        connection.close()
        with Daemon(simulated_rig(seed=11, duration_s=30.0), directory=self.scratch) as daemon:
            daemon.wait_until_source_ended()
            wait_for(lambda: count(self.path, "decay") > decays, "a new decay")
            self.assertEqual(daemon.fricidctl("reidentify").returncode, 0)
            total = count(self.path, "decay")
            wait_for(lambda: count(self.path, "result", "revision = 2") == total, "a second revision of all")
            # What the earlier version did not keep is not known.
            with daemon.client() as client:
                known = [client.call("results.get", id=i)["record"]["time_error_s"] for i in range(1, total + 1)]
            self.assertEqual(known, [None] * decays + [0] * (total - decays))
        self.assertEqual(complaints(self.path), [])
        self.assertTrue((self.directory / "fricid.db.schema-2").exists())
        with opened(self.path) as connection:
            filled = [json.loads(connection.execute("SELECT summary FROM document WHERE result = ?", row[:1])
                                 .fetchone()[0])["u"] for row in summaries]
        self.assertEqual(filled[1:], [json.loads(text)["u"] for _, text in summaries[1:]])
        self.assertEqual([filled[0][key] for key in ("f_n_hz", "zeta", "x_k", "x0")], [None] * 4)
        self.assertIn("not determined", filled[0]["reason"])

    def test_a_newer_store_is_left_alone(self):
        self.fill(30.0)
        with sqlite3.connect(self.path) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
        before = self.path.read_bytes()
        self.assertIn("later fricidd", self.refused())
        self.assertEqual(self.path.read_bytes(), before)

    def test_the_database_of_another_program_is_left_alone(self):
        self.directory.mkdir()
        with sqlite3.connect(self.path) as connection:
            connection.execute("CREATE TABLE bookmark (url TEXT)")
        connection.close()
        before = self.path.read_bytes()
        self.assertIn("another program", self.refused())
        self.assertEqual(self.path.read_bytes(), before)
        self.path.write_text("not a database at all, but longer than a header of one hundred bytes is: " * 10)
        before = self.path.read_bytes()
        self.assertRegex(self.refused(), "fricid.db cannot be read: .*first page is damaged.*fricidctl backup")
        self.assertEqual(self.path.read_bytes(), before)


if __name__ == "__main__":
    main()
