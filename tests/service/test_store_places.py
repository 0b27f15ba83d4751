# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands where the daemon's files should be, and who else wants the same places."""

import contextlib
import fcntl
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import time
import unittest
from pathlib import Path

from fricid_harness import (
    EXAMPLE_RECORDING,
    FRICIDCTL,
    FRICIDD,
    Client,
    Daemon,
    ScratchDirectory,
    configuration_text,
    run_program,
    seconds,
    simulated_rig,
)
from run_tests import main
from store_files import count, events_of, file_of, wait_for

# What a start may take that has nothing to wait for, s.
START_S = 10.0


def put_pipe(path):
    os.mkfifo(path)


def put_folder(path):
    path.mkdir()


def put_socket(path):
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as listener:
        listener.bind(str(path))


def put_link_to_pipe(path):
    os.mkfifo(f"{path}.pipe")
    path.symlink_to(f"{path}.pipe")


OTHER_KINDS = (put_pipe, put_folder, put_socket, put_link_to_pipe)


class InTheirPlaces(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)
        self.socket_path = str(self.scratch.path / "s")
        self.store = Path(self.socket_path + ".store")

    def refused(self):
        """Starts a daemon that must end by itself, and soon; what it says."""
        path = self.scratch.write("fricid.conf", configuration_text(self.socket_path))
        done = run_program(FRICIDD, "--config", str(path), limit=START_S)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_what_is_no_file_is_refused_at_once(self):
        with Daemon(simulated_rig(seed=3, duration_s=20.0), directory=self.scratch) as daemon:
            daemon.wait_until_ended(60.0)
        kept = self.store / "fricid.db"
        away = self.scratch.path / "away"
        for name in ("fricid.db", "fricid.db-wal", "fricid.db-shm", "fricid.db-journal", "fricid.db.lock"):
            for put in OTHER_KINDS:
                with self.subTest(name=name, put=put.__name__):
                    place = self.store / name
                    if name == "fricid.db":
                        kept.rename(away)
                    put(place)
                    said = self.refused()
                    self.assertIn(f"{name} is a", said)
                    self.assertIn("and a file is expected there", said)
                    run_program("rm", "-rf", str(place), f"{place}.pipe")
                    if name == "fricid.db":
                        away.rename(kept)
        with Daemon(directory=self.scratch) as daemon:
            self.assertGreater(len(daemon.wait_for_results(2)), 1)

    def test_what_comes_in_their_place_while_the_daemon_runs_holds_up_nobody(self):
        with Daemon(simulated_rig(seed=3, duration_s=20.0), directory=self.scratch) as daemon:
            daemon.wait_until_ended(60.0)
            for name in ("fricid.backup", "fricid.backup-journal", "fricid.backup-wal"):
                for put in OTHER_KINDS:
                    with self.subTest(name=name, put=put.__name__):
                        place = self.store / name
                        put(place)
                        done = daemon.fricidctl("backup", "--force", self.scratch.path / "copy.db")
                        self.assertEqual(done.returncode, 1 if put is put_folder else 0, done.stderr)
                        run_program("rm", "-rf", str(place), f"{place}.pipe")

    def test_a_configuration_or_recording_that_is_a_pipe_is_refused(self):
        pipe = self.scratch.path / "pipe"
        put_pipe(pipe)
        self.assertEqual(run_program(FRICIDD, "--config", str(pipe), limit=START_S).returncode, 2)
        self.assertEqual(run_program(FRICIDD, "--offline", str(pipe), limit=START_S).returncode, 2)

    def test_what_stands_in_the_place_of_the_socket_is_respected(self):
        for put in (put_pipe, put_folder):
            place = Path(self.socket_path)
            put(place)
            self.assertIn("something that is not a socket stands there", self.refused())
            run_program("rm", "-rf", str(place))
        put_pipe(Path(self.socket_path + ".lock"))
        self.assertIn(".lock is a pipe", self.refused())

    def test_a_start_that_waits_is_ended(self):
        with Daemon(directory=self.scratch) as daemon:
            path = file_of(daemon)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            # Nobody else gets at the file for as long as this lasts.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            for number in (signal.SIGTERM, signal.SIGINT):
                waiting = subprocess.Popen([FRICIDD, "--config", str(self.scratch.path / "fricid.conf")],
                                           stderr=subprocess.DEVNULL)
                time.sleep(1.0)
                self.assertIsNone(waiting.poll())
                waiting.send_signal(number)
                self.assertIn(waiting.wait(seconds(2.0)), (0, -number))


class WithOthers(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def test_whoever_may_open_the_directory_cannot_keep_the_daemon_from_it(self):
        with Daemon(directory=self.scratch) as daemon:
            path = Path(file_of(daemon))
            self.assertEqual(stat.S_IMODE(os.stat(f"{path}.lock").st_mode), 0o600)
        with contextlib.ExitStack() as stack:
            for place in (path.parent, path):
                descriptor = os.open(place, os.O_RDONLY)
                stack.callback(os.close, descriptor)
                fcntl.flock(descriptor, fcntl.LOCK_SH)
            with Daemon(simulated_rig(seed=3, duration_s=20.0), directory=self.scratch) as daemon:
                daemon.wait_until_ended(60.0)
        self.assertFalse(os.path.exists(f"{path}.lock"))

    def test_of_many_that_start_on_a_dead_socket_one_stays(self):
        rounds, starts = 6, 10
        for _ in range(rounds):
            place = self.scratch.path / "s"
            place.unlink(missing_ok=True)
            put_socket(place)
            daemons = []
            for i in range(starts):
                text = configuration_text(str(place)).replace(f"{place}.store", f"{place}.store.{i}")
                path = self.scratch.write(f"{i}.conf", text)
                daemons.append(subprocess.Popen([FRICIDD, "--config", str(path)], stderr=subprocess.DEVNULL))
            try:
                wait_for(lambda: sum(daemon.poll() is None for daemon in daemons) <= 1, 30.0, "the end of all but one")
                with Client(str(place)) as client:
                    pid = client.call("status")["pid"]
                self.assertEqual([daemon.pid for daemon in daemons if daemon.poll() is None], [pid])
            finally:
                for daemon in daemons:
                    daemon.terminate()
                    daemon.wait()

    def test_a_limit_on_the_size_of_files_is_told_and_costs_no_life(self):
        limited = ["sh", "-c", 'ulimit -f 1000 && exec "$@"', "sh"]
        with Daemon(simulated_rig(seed=6, duration_s=4000.0), directory=self.scratch, launcher=limited) as daemon:
            wait_for(lambda: events_of(daemon, "store_fault"), 60.0, "store_fault")
            self.assertIn("a file may not become so large", events_of(daemon, "store_fault")[0])
            with daemon.client() as client:
                self.assertIn("a file may not become so large", client.call("status")["store"]["problem"])
            self.assertGreater(count(file_of(daemon), "decay"), 0)
        for program, arguments in ((FRICIDD, ["--offline", str(EXAMPLE_RECORDING)]), (FRICIDCTL, ["--help"])):
            with open(self.scratch.path / "output", "wb") as output:
                output.truncate(1000 * 512)
                output.seek(0, os.SEEK_END)
                done = subprocess.run([*limited, program, *arguments], stdout=output, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 1, done)
            self.assertIn(b"File too large", done.stderr)


if __name__ == "__main__":
    main()
