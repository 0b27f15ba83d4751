# SPDX-License-Identifier: GPL-3.0-or-later
"""The store: what is kept, in what order, and what becomes of it when things go wrong."""

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from fricid_harness import (
    FRICIDD,
    Client,
    Daemon,
    ScratchDirectory,
    configuration_text,
    recording_rig,
    run_program,
    seconds,
    simulated_rig,
    EXAMPLE_RECORDING,
)
from run_tests import main
from store_files import complaints, count, displacements, opened


def file_of(daemon):
    """Where a daemon of the harness keeps its decays."""
    return daemon.socket_path + ".store/fricid.db"


def kill(daemon):
    """As a power cut does: nothing is tidied up."""
    daemon.process.kill()
    daemon.process.wait()


def events_of(daemon, code):
    return [line for line in daemon.errors().splitlines() if f"{code}" in line]


def wait_for(condition, limit=20.0, what="it"):
    deadline = time.monotonic() + seconds(limit)
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not happen")
        time.sleep(0.05)


class Kept(unittest.TestCase):
    """What is in the file."""

    def test_integers_of_the_device_give_the_displacements_back(self):
        with Daemon(simulated_rig(seed=7, duration_s=30.0)) as daemon:
            results = daemon.wait_for_results(2)
            daemon.wait_until_ended()
            with opened(file_of(daemon)) as connection, daemon.client() as client:
                for result in results:
                    coding = connection.execute("SELECT coding FROM raw WHERE decay = ?", (result["id"],)).fetchone()[0]
                    self.assertEqual(coding, "int16")
                    told = client.call("samples", id=result["id"], offset=0, count=8192)
                    stored = displacements(connection, result["id"])[: told["count"]]
                    self.assertEqual(stored, told["displacement"])

    def test_a_recording_is_kept_digit_for_digit(self):
        with Daemon(recording_rig(EXAMPLE_RECORDING)) as daemon:
            result = daemon.wait_for_results(1)[0]
            daemon.wait_until_ended()
            with opened(file_of(daemon)) as connection, daemon.client() as client:
                told = client.call("samples", id=result["id"], offset=0, count=8192)
                self.assertEqual(displacements(connection, result["id"])[: told["count"]], told["displacement"])
        self.assertEqual(complaints(file_of(daemon)) if os.path.exists(file_of(daemon)) else [], [])


class Killed(unittest.TestCase):
    """kill -9 at random moments under load."""

    def test_no_decay_is_missing_torn_or_identified_twice(self):
        kills = int(os.environ.get("FRICID_KILLS", "12"))
        seed = int(os.environ.get("FRICID_SEED", "0")) or random.SystemRandom().randrange(1 << 30)
        print(f"{kills} kills, seed {seed}")
        chance = random.Random(seed)
        scratch = ScratchDirectory()
        try:
            published = {}
            for turn in range(kills):
                rig = simulated_rig(seed=turn + 1, duration_s=100000.0)
                daemon = Daemon(rig, directory=scratch)
                with daemon:
                    with daemon.client() as client:
                        client.call("subscribe", topics=["result"])
                        end = time.monotonic() + chance.uniform(0.05, seconds(0.4))
                        client.socket.settimeout(0.01)
                        while time.monotonic() < end:
                            self.take(client, published)
                        kill(daemon)
                        self.take_rest(client, published)
                    daemon.process.returncode = 0
                    Path(daemon.socket_path).unlink(missing_ok=True)
            with Daemon(directory=scratch) as daemon:
                path = file_of(daemon)
                wait_for(lambda: count(path, "decay", "revision = 0") == 0, 60.0, "identification of all")
            self.assertEqual(complaints(path, checksums=False), [])
            decays = count(path, "decay")
            print(f"{decays} decays, {len(published)} seen published")
            self.assertGreater(decays, kills)
            with opened(path) as connection:
                kept = set(connection.execute("SELECT decay, revision FROM result"))
            self.assertEqual([key for key in published if key not in kept], [])
        finally:
            scratch.remove()

    def take(self, client, published):
        try:
            note = client.read()
        except (TimeoutError, BlockingIOError):
            return
        if note.get("method") == "notify.result":
            result = note["params"]["result"]
            published[(result["id"], result["revision"])] = note["params"]["seq"]

    def take_rest(self, client, published):
        try:
            while True:
                self.take(client, published)
        except (ConnectionError, ValueError, OSError):
            pass


if __name__ == "__main__":
    main()
