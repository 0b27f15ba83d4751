# SPDX-License-Identifier: GPL-3.0-or-later
"""The store after kill -9, at random moments and while it works."""

import os
import random
import subprocess
import time
import unittest
from pathlib import Path

from fricid_harness import FRICIDCTL, PATIENCE_S, Daemon, ScratchDirectory, rounds, seconds, simulated_rig
from run_tests import main
from store_files import complaints, count, file_of, kill, opened, take, wait_for


def take_until_killed(daemon, client, time_s, published):
    """Notes what the daemon publishes, and kills it after so long; what it had sent before is noted as well."""
    end = time.monotonic() + time_s
    client.socket.settimeout(0.01)
    while time.monotonic() < end:
        take(client, published)
    kill(daemon)
    try:
        while True:
            take(client, published)
    except (ConnectionError, ValueError, OSError):
        pass
    daemon.process.returncode = 0
    Path(daemon.socket_path).unlink(missing_ok=True)


class Killed(unittest.TestCase):
    """kill -9 at random moments under load."""

    def live_for(self, time_s, seed, scratch, published):
        """A daemon that is killed after so long; notes what it published."""
        with Daemon(simulated_rig(seed=seed, duration_s=100000.0), directory=scratch) as daemon:
            with daemon.client() as client:
                client.call("subscribe", topics=["result"])
                take_until_killed(daemon, client, time_s, published)

    def test_no_decay_is_missing_torn_or_identified_twice(self):
        kills = rounds(int(os.environ.get("FRICID_KILLS", "12")))
        seed = int(os.environ.get("FRICID_SEED", "0")) or random.SystemRandom().randrange(1 << 30)
        print(f"{kills} kills, seed {seed}")
        chance = random.Random(seed)
        scratch = ScratchDirectory()
        try:
            published = {}
            for turn in range(kills):
                self.live_for(chance.uniform(0.05, seconds(0.4)), turn + 1, scratch, published)
            # On a busy computer those may have been killed before they had measured much.
            time_s = seconds(0.4)
            while len(published) <= kills:
                self.assertLess(time_s, seconds(PATIENCE_S))
                turn, time_s = turn + 1, 2 * time_s
                self.live_for(time_s, turn + 1, scratch, published)
            with Daemon(directory=scratch) as daemon:
                path = file_of(daemon)
                wait_for(lambda: count(path, "decay", "revision = 0") == 0, "identification of all")
            self.assertEqual(complaints(path, checksums=False), [])
            decays = count(path, "decay")
            print(f"{decays} decays, {len(published)} seen published")
            self.assertGreater(decays, kills)
            with opened(path) as connection:
                kept = set(connection.execute("SELECT decay, revision FROM result"))
            self.assertEqual([key for key in published if key not in kept], [])
        finally:
            scratch.remove()


class KilledAtWork(unittest.TestCase):
    """kill -9 while the store is looked after: while decays make room, are identified again, are copied."""

    # What runs when the daemon is killed: a setting of the store, and a command.
    WORK = (("max_bytes = 1500000;", None), ("", ("reidentify",)), ("", ("backup", "copy.db")))

    def test_nothing_is_torn_by_a_kill_at_work(self):
        turns = rounds(int(os.environ.get("FRICID_KILLS", "12")) // 6)
        seed = int(os.environ.get("FRICID_SEED", "0")) or random.SystemRandom().randrange(1 << 30)
        print(f"3 x {turns} kills, seed {seed}")
        chance = random.Random(seed)
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        for store, command in self.WORK:
            published = {}
            for turn in range(turns):
                rig = simulated_rig(seed=chance.randrange(1 << 20), duration_s=100000.0)
                with Daemon(rig, directory=scratch, store=store) as daemon:
                    self.work_and_die(daemon, scratch, command, chance.uniform(0.0, seconds(0.5)), published)
            self.judge(scratch, published, all_kept=store == "")

    def work_and_die(self, daemon, scratch, command, moment, published):
        with daemon.client() as client:
            client.call("subscribe", topics=["result"])
            work = None
            if command:
                daemon.wait_for_results(5)
                work = subprocess.Popen([FRICIDCTL, "--socket", daemon.socket_path, *command], cwd=scratch.path,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            else:
                time.sleep(1.0)  # room is made with the first tick
            take_until_killed(daemon, client, moment, published)
            if work:
                work.wait()

    def judge(self, scratch, published, all_kept):
        with Daemon(directory=scratch) as daemon:
            path = file_of(daemon)
            wait_for(lambda: count(path, "decay", "revision = 0") == 0, "identification of all")
            # A copy that was not finished is gone.
            self.assertEqual(sorted(p.name for p in Path(path).parent.iterdir() if "backup" in p.name), [])
        self.assertEqual(complaints(path, checksums=False), [])
        self.assertGreater(count(path, "decay"), 0)
        with opened(path) as connection:
            kept = set(connection.execute("SELECT decay, revision FROM result"))
            decays = {row[0] for row in connection.execute("SELECT id FROM decay")}
        missing = [key for key in published if key not in kept and (all_kept or key[0] in decays)]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    main()
