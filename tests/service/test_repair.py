# SPDX-License-Identifier: GPL-3.0-or-later
"""fricid-repair, as somebody types it; what it saves of which damage is in the tests of the store."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest
from pathlib import Path

from fricid_harness import (
    FRICID_REPAIR,
    FRICIDCTL,
    FRICIDD,
    Daemon,
    ScratchDirectory,
    configuration_text,
    run_program,
    seconds,
    simulated_rig,
)
from run_tests import main
from store_files import complaints, count, file_of, kill, opened


def samples_of(path):
    with contextlib.closing(opened(path)) as connection:
        return connection.execute("SELECT id, released_at_ns, raw.samples, protected, attempts FROM decay"
                                  " JOIN raw ON raw.decay = id ORDER BY id").fetchall()


class Repair(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = ScratchDirectory()
        cls.addClassCleanup(cls.scratch.remove)
        cls.one, cls.other = (cls.filled(seed) for seed in (3, 4))

    @classmethod
    def filled(cls, seed):
        """A store of its own, of a daemon that has ended."""
        with Daemon(simulated_rig(seed=seed, duration_s=30.0), directory=cls.scratch) as daemon:
            daemon.wait_until_ended()
            path = Path(file_of(daemon))
        kept = cls.scratch.path / f"store-{seed}.db"
        shutil.move(path, kept)
        return kept

    def setUp(self):
        self.new = self.scratch.path / "new.db"
        self.new.unlink(missing_ok=True)

    def repair(self, *files):
        return run_program(FRICID_REPAIR, "-o", self.new, *files)

    def test_a_sound_store_stays_what_it_is(self):
        before = self.one.read_bytes()
        done = self.repair(self.one)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{count(self.one, 'decay')} decays and {count(self.one, 'result')} results", done.stdout)
        self.assertIn("Samples lost: 0.", done.stdout)
        self.assertEqual(self.one.read_bytes(), before)
        self.assertEqual(samples_of(self.new), samples_of(self.one))
        self.assertEqual(complaints(self.new), [])
        self.assertEqual([name.name for name in self.scratch.path.glob("new.db*")], ["new.db"])

    def test_every_decay_that_is_lost_is_named(self):
        """Samples whose decay is not there any more."""
        damaged = self.scratch.path / "damaged.db"
        shutil.copy(self.one, damaged)
        lost = [10 ** 11 + number for number in range(40)]
        with contextlib.closing(sqlite3.connect(damaged)) as connection, connection:
            for number in lost:
                connection.execute("INSERT INTO raw SELECT ?, coding, samples, time_s, flags, checksum FROM raw LIMIT 1",
                                   (number,))
        done = self.repair(damaged)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Samples lost: 40.", done.stdout)
        self.assertIn(f"Samples are lost of the decays {', '.join(map(str, lost))}\n", done.stdout)
        self.assertEqual(samples_of(self.new), samples_of(self.one))

    def test_a_file_that_is_there_is_left(self):
        self.new.write_text("mine")
        done = self.repair(self.one)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is there already", done.stderr)
        self.assertEqual(self.new.read_text(), "mine")

    def test_the_same_id_for_another_decay_makes_no_store(self):
        done = self.repair(self.one, self.other)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "its (decay|setup) [0-9]+ is another there. Make a store of each")
        self.assertFalse(self.new.exists())
        # The same under the same id is once there.
        copy = self.scratch.path / "copy.db"
        shutil.copy(self.one, copy)
        self.assertEqual(self.repair(self.one, copy).returncode, 0)
        self.assertEqual(samples_of(self.new), samples_of(self.one))
        self.assertEqual(count(self.new, "result"), count(self.one, "result"))
        self.assertEqual(complaints(self.new), [])

    def test_a_store_in_use_is_not_read(self):
        with Daemon(simulated_rig(seed=3, duration_s=20.0), directory=self.scratch) as daemon:
            done = self.repair(file_of(daemon))
        self.assertEqual(done.returncode, 1)
        self.assertIn("stop it first", done.stderr)

    def test_a_store_whose_lock_cannot_be_read_is_not_read(self):
        lock = Path(f"{self.one}.lock")
        lock.mkdir()
        self.addCleanup(lock.rmdir)
        done = self.repair(self.one)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot be told whether a fricidd uses", done.stderr)
        self.assertFalse(self.new.exists())

    def test_what_is_made_beside_a_store_does_not_take_its_place(self):
        directory = self.scratch.path / "s.store"
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir()
        self.addCleanup(shutil.rmtree, directory)
        live, beside = directory / "fricid.db", directory / "fricid.db.new"
        shutil.copy(self.one, live)
        self.assertEqual(run_program(FRICID_REPAIR, "-o", beside, self.other).returncode, 0)
        before = {file.name: file.read_bytes() for file in directory.iterdir()}
        configuration = self.scratch.write("fricid.conf", configuration_text(str(self.scratch.path / "s")))
        refused = run_program(FRICIDD, "--config", configuration)
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertIn(f"{beside} is there", refused.stderr)
        self.assertEqual({file.name: file.read_bytes() for file in directory.iterdir()}, before)
        beside.unlink()
        with Daemon(directory=self.scratch) as daemon:
            daemon.stop()
        self.assertEqual(samples_of(live), samples_of(self.one))

    def test_what_is_no_store_is_said(self):
        text = self.scratch.write("notes.txt", "no store " * 2000)
        for file, said in ((text, "nothing of a store"), (self.scratch.path / "none.db", "No such file")):
            done = self.repair(file)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            self.assertFalse(self.new.exists())

    def test_tables_of_another_program_are_no_store(self):
        """As long as those of a store, and of the same types."""
        foreign = self.scratch.path / "foreign.db"
        foreign.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(foreign)) as connection:
            connection.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT, title TEXT NOT NULL, at INTEGER, by TEXT)")
            connection.executemany("INSERT INTO book VALUES (NULL, ?, 'a title', 7, 'somebody')",
                                   [(f"978-{i}",) for i in range(500)])
            connection.commit()
        done = self.repair(foreign)
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing of a store", done.stderr)
        self.assertFalse(self.new.exists())
        # Nor does the daemon put it aside, whether its first page says whose it is or not.
        directory = self.scratch.path / "s.store"
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir()
        self.addCleanup(shutil.rmtree, directory)
        configuration = self.scratch.write("fricid.conf", configuration_text(str(self.scratch.path / "s")))
        for first_page in (b"", bytes(4096)):
            content = first_page + foreign.read_bytes()[len(first_page) :]
            (directory / "fricid.db").write_bytes(content)
            refused = run_program(FRICIDD, "--config", configuration)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("left as it", refused.stderr)
            self.assertEqual({file.name: file.read_bytes() for file in directory.iterdir()}, {"fricid.db": content})

    def test_a_log_of_the_name_of_the_new_file_is_no_log_of_it(self):
        log = Path(f"{self.new}-wal")
        log.write_bytes(b"of another store")
        self.addCleanup(log.unlink)
        done = self.repair(self.one)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is there already", done.stderr)
        self.assertEqual(log.read_bytes(), b"of another store")
        self.assertFalse(self.new.exists())

    def test_the_place_of_a_daemon_that_runs_is_left_to_it(self):
        with Daemon(directory=self.scratch) as daemon:
            path = Path(file_of(daemon))
            for file in path.parent.glob("fricid.db*"):
                if not file.name.endswith(".lock"):
                    file.unlink()
            done = run_program(FRICID_REPAIR, "-o", path, self.one)
            kill(daemon)
            daemon.stop = lambda: None
            Path(daemon.socket_path).unlink()
        self.assertEqual(done.returncode, 1 if "stop it first" in done.stderr else 2, done.stderr)

    def test_who_is_ended_leaves_nothing_behind(self):
        """Whenever it is: a new store is there and whole, or there is none."""
        before = self.one.read_bytes()
        for delay in range(0, 60, 5):
            with self.subTest(delay_ms=delay):
                started = subprocess.Popen([FRICID_REPAIR, "-o", self.new, self.one], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE, text=True)
                time.sleep(delay / 1000)
                started.send_signal(signal.SIGINT)
                said = started.communicate(timeout=seconds(30))[1]
                self.assertIn(started.returncode, (0, -signal.SIGINT), said)
                left = sorted(name.name for name in self.scratch.path.glob("new.db*"))
                if "nothing was made" in said:
                    self.assertEqual((started.returncode, left), (-signal.SIGINT, []))
                elif left:
                    self.assertEqual(left, ["new.db"])
                    self.assertEqual(samples_of(self.new), samples_of(self.one))
                    self.new.unlink()
        self.assertEqual(self.one.read_bytes(), before)

    def test_who_is_killed_can_try_again(self):
        before = self.one.read_bytes()
        for delay in range(0, 100, 10):
            with self.subTest(delay_ms=delay):
                started = subprocess.Popen([FRICID_REPAIR, "-o", self.new, self.one], stdout=subprocess.DEVNULL)
                time.sleep(delay / 1000)
                started.kill()
                started.wait()
                if not self.new.exists():
                    self.assertEqual(self.repair(self.one).returncode, 0)
                self.assertEqual(samples_of(self.new), samples_of(self.one))
                self.assertEqual([name.name for name in self.scratch.path.glob("new.db.part*")], [])
                self.new.unlink()
        self.assertEqual(self.one.read_bytes(), before)

    def test_two_at_once_do_not_meet(self):
        both = [subprocess.Popen([FRICID_REPAIR, "-o", self.new, self.one], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True) for _ in range(2)]
        said = [one.communicate(timeout=seconds(60))[1] for one in both]
        self.assertIn(0, [one.returncode for one in both], said)
        self.assertEqual(samples_of(self.new), samples_of(self.one))
        self.assertEqual(complaints(self.new), [])

    def test_fricidctl_hands_it_on(self):
        done = run_program(FRICIDCTL, "repair", "-o", self.new, self.one)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Samples lost: 0.", done.stdout)
        self.assertEqual(samples_of(self.new), samples_of(self.one))
        self.assertEqual(run_program(FRICIDCTL, "repair", "-o", self.new, self.one).returncode, 2)
        done = run_program(FRICIDCTL, "repair", self.one)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--output", done.stderr)

    def test_usage(self):
        for wrong in ((), ("-o", self.new), (self.one,), ("--what", self.one), ("-o", "", self.one)):
            done = run_program(FRICID_REPAIR, *wrong)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn("fricid-repair --help", done.stderr)
        self.assertIn("--output", run_program(FRICID_REPAIR, "--help").stdout)
        self.assertRegex(run_program(FRICID_REPAIR, "--version").stdout, r"^fricid-repair \S+\n$")

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_output_that_is_lost_is_a_failure(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.assertEqual(run_program(FRICID_REPAIR, "--help", stdout=full).returncode, 1)


if __name__ == "__main__":
    main()
