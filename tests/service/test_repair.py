# SPDX-License-Identifier: GPL-3.0-or-later
"""fricid-repair, as somebody types it; what it saves of which damage is in the tests of the store."""

import contextlib
import os
import shutil
import unittest
from pathlib import Path

from fricid_harness import FRICID_REPAIR, Daemon, ScratchDirectory, run_program, simulated_rig
from run_tests import main
from store_files import complaints, count, file_of, opened


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
            daemon.wait_until_ended(60.0)
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

    def test_what_is_no_store_is_said(self):
        text = self.scratch.write("notes.txt", "no store " * 2000)
        for file, said in ((text, "nothing of a store"), (self.scratch.path / "none.db", "No such file")):
            done = self.repair(file)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            self.assertFalse(self.new.exists())

    def test_usage(self):
        for wrong in ((), ("-o", self.new), (self.one,), ("--what", self.one)):
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
