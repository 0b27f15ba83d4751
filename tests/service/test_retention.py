# SPDX-License-Identifier: GPL-3.0-or-later
"""How long decays are kept when the time of day is set."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from fricid_harness import SOURCE, Daemon, ScratchDirectory, simulated_rig
from run_tests import main
from store_files import count, events_of, file_of, wait_for

DAY = 86400
YEAR = 365 * DAY
SHIM = SOURCE / "tests" / "service" / "set_clock.c"


@unittest.skipUnless(shutil.which("cc"), "SKIP: no compiler")
class SetClock(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tools = ScratchDirectory()
        cls.library = cls.tools.path / "set_clock.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", str(cls.library), str(SHIM)], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.tools.remove()

    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)
        self.step = self.scratch.path / "step"
        self.set(0)

    def set(self, seconds):
        part = self.scratch.path / "step.part"
        part.write_text(str(int(seconds)))
        os.replace(part, self.step)

    def daemon(self, rigs="", keep="keep_days = 30.0;"):
        # AddressSanitizer wants to be first of all libraries; it finds the clock behind this one, too.
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        launcher = ["env", f"LD_PRELOAD={self.library}", f"CLOCK_STEP={self.step}", f"ASAN_OPTIONS={sanitizer}"]
        return Daemon(rigs, directory=self.scratch, launcher=launcher, store=keep)

    def fill(self, daemon):
        daemon.wait_until_ended()
        return count(file_of(daemon), "decay")

    def looked(self):
        """The store is looked at for decays that may go every ten seconds."""
        time.sleep(11.5)

    def waits(self, daemon):
        with daemon.client() as client:
            return client.call("status")["store"]["problem"]

    def test_setting_the_clock_right_removes_nothing(self):
        self.set(-26 * YEAR)  # no battery
        with self.daemon(simulated_rig(seed=3, duration_s=20.0)) as daemon:
            kept = self.fill(daemon)
            self.assertGreater(kept, 0)
            self.set(0)
            wait_for(lambda: events_of(daemon, "retention_waits"), "the event")
            self.looked()
            self.assertEqual(count(file_of(daemon), "decay"), kept)
            self.assertEqual(len(events_of(daemon, "retention_waits")), 1)
            self.assertIn("was set by more than an hour", self.waits(daemon))
            # Somebody has looked at the date; what was measured a minute ago is no older for that.
            daemon.process.send_signal(signal.SIGHUP)
            wait_for(lambda: events_of(daemon, "reloaded"), "the reload")
            self.looked()
            self.assertEqual(count(file_of(daemon), "decay"), kept)
            wait_for(lambda: self.waits(daemon) is None, "that the store waits no longer")
        with self.daemon() as daemon:
            self.looked()
            self.assertEqual(count(file_of(daemon), "decay"), kept)
            self.assertEqual(events_of(daemon, "retention_waits"), [])

    def test_a_jump_forward_removes_nothing(self):
        with self.daemon(simulated_rig(seed=3, duration_s=20.0)) as daemon:
            kept = self.fill(daemon)
            self.set(60 * DAY)
            self.looked()
            self.assertEqual(count(file_of(daemon), "decay"), kept)
        with self.daemon() as daemon:
            self.looked()
            self.assertEqual(count(file_of(daemon), "decay"), kept)

    def test_a_start_in_the_far_future_removes_nothing_until_somebody_believes_it(self):
        with self.daemon(simulated_rig(seed=3, duration_s=20.0)) as daemon:
            kept = self.fill(daemon)
        self.set(60 * DAY)
        with self.daemon() as daemon:
            self.looked()
            self.assertEqual(count(file_of(daemon), "decay"), kept)
            wait_for(lambda: self.waits(daemon), "that the store waits")
            self.assertIn("is 60.0 days later than when the store was used last", self.waits(daemon))
            self.set(0)
            wait_for(lambda: self.waits(daemon) is None, "that the store waits no longer")
            self.assertEqual(count(file_of(daemon), "decay"), kept)
        self.set(60 * DAY)
        with self.daemon() as daemon:
            self.looked()
            self.assertEqual(count(file_of(daemon), "decay"), kept)
            daemon.process.send_signal(signal.SIGHUP)
            wait_for(lambda: count(file_of(daemon), "decay") == 0, "the removal")
            wait_for(lambda: events_of(daemon, "decays_removed"), "the event")

    def test_a_store_that_knows_no_clock_goes_by_its_latest_decay(self):
        with self.daemon(simulated_rig(seed=3, duration_s=20.0)) as daemon:
            kept = self.fill(daemon)
        with contextlib.closing(sqlite3.connect(file_of(daemon))) as connection, connection:
            connection.execute("DELETE FROM meta WHERE name GLOB 'clock*'")
        self.set(60 * DAY)
        with self.daemon() as daemon:
            self.looked()
            self.assertEqual(count(file_of(daemon), "decay"), kept)


if __name__ == "__main__":
    main()
