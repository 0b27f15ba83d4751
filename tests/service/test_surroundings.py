# SPDX-License-Identifier: GPL-3.0-or-later
"""Started where something is missing that every program expects, and sentences that a person understands."""

import itertools
import os
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from fricid_harness import FRICIDCTL, FRICIDD, PATIENCE_S, SOURCE, Daemon, configuration_text, seconds, simulated_rig
from run_tests import main

SIMULATED = SOURCE / "etc" / "simulated.conf"
STREAMS = (0, 1, 2)
SANITIZED = any(name in Path(FRICIDD).read_bytes() for name in (b"__asan", b"__tsan"))
# Words for error codes that only a kernel's developer understands.
JARGON = ("rotocol error", "not an error", "No medium", "Structure needs", "Operation canceled", "Bad message",
          "temporarily unavailable", "Bad file descriptor", "Success")


def closed_sets():
    return [set(streams) for count in (1, 2, 3) for streams in itertools.combinations(STREAMS, count)]


def closing(streams):
    def close():
        for stream in streams:
            os.close(stream)
    return close


class ClosedStreams(unittest.TestCase):
    """A descriptor that is closed at the start must not become a socket: what is printed would go there."""

    def assert_harmless(self, process, streams, waits_for):
        deadline = time.monotonic() + seconds(PATIENCE_S)
        while not waits_for() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertIsNone(process.poll())
        for stream in streams:
            self.assertEqual(os.readlink(f"/proc/{process.pid}/fd/{stream}"), "/dev/null", streams)

    def test_daemon(self):
        for streams in closed_sets():
            with tempfile.TemporaryDirectory(prefix="fricid-") as directory:
                socket = Path(directory, "s")
                path = Path(directory, "fricid.conf")
                path.write_text(configuration_text(socket, simulated_rig(duration_s=5.0)), encoding="utf-8")
                with subprocess.Popen([FRICIDD, "--config", path], preexec_fn=closing(streams)) as process:
                    try:
                        self.assert_harmless(process, streams, socket.exists)
                    finally:
                        process.send_signal(signal.SIGTERM)
                self.assertEqual(process.returncode, 0)

    def test_client(self):
        # Its mass is not released yet: a client whose output is closed ends with the first result that it would print.
        with Daemon(simulated_rig(duration_s=0.5)) as daemon:
            for streams in closed_sets():
                command = [FRICIDCTL, "--socket", daemon.socket_path, "watch"]
                with subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=closing(streams)) as process:
                    def waits(number=process.pid):
                        # One that is closed between the look at the names and that at where they lead is none; and a
                        # process that becomes another program shows its own to root alone.
                        descriptors = Path(f"/proc/{number}/fd").iterdir()
                        try:
                            return any(os.readlink(each).startswith("anon_inode:[signalfd") for each in descriptors)
                        except (FileNotFoundError, PermissionError):
                            return False
                    try:
                        self.assert_harmless(process, streams, waits)
                    finally:
                        process.kill()


class Trial(unittest.TestCase):
    def test_what_the_simulated_configuration_says_works(self):
        """Its commands, as whoever runs the tests; CI does so as root and as nobody."""
        head = itertools.takewhile(lambda text: text.startswith("#"), SIMULATED.read_text(encoding="utf-8").splitlines())
        lines = [text.removeprefix("#     ") for text in head if text.startswith("#     ")]
        self.assertEqual([text.split()[0] for text in lines], ["mkdir", "cp", "fricidd", "fricidctl"])
        with tempfile.TemporaryDirectory(prefix="fricid-", dir="/tmp") as home:
            def command(text):
                text = text.replace("fricidd ", f"exec {FRICIDD} ", 1).replace("fricidctl ", f"exec {FRICIDCTL} ", 1)
                return {"args": ["sh", "-c", text], "cwd": SIMULATED.parents[1], "env": os.environ | {"HOME": home}}
            for text in lines[:2]:
                subprocess.run(**command(text), check=True)
            with subprocess.Popen(**command(lines[2]), stderr=subprocess.DEVNULL) as daemon:
                try:
                    end = time.monotonic() + seconds(PATIENCE_S)
                    while not list(Path(home).glob("*/fricid.sock")) and time.monotonic() < end:
                        time.sleep(0.05)
                    done = subprocess.run(**command(lines[3] + " --count 1"), capture_output=True, text=True, check=False,
                                          timeout=seconds(PATIENCE_S))
                finally:
                    daemon.terminate()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("bearing lvdt SIMULATED", done.stdout)


class LittleMemory(unittest.TestCase):
    def started_with(self, mebibytes):
        """What it says, and how it ends when it is asked to."""
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))
        with tempfile.TemporaryDirectory(prefix="fricid-") as directory:
            path = Path(directory, "fricid.conf")
            path.write_text(configuration_text(Path(directory, "s"), simulated_rig(duration_s=1.0)), encoding="utf-8")
            process = subprocess.Popen([FRICIDD, "--config", path], stderr=subprocess.PIPE, preexec_fn=limit, text=True)
            end = time.monotonic() + seconds(PATIENCE_S)
            while process.poll() is None and not Path(directory, "s").exists() and time.monotonic() < end:
                time.sleep(0.01)
            if process.poll() is None:
                process.terminate()
            return process.communicate(timeout=seconds(PATIENCE_S))[1], process.returncode

    # A sanitizer needs more memory than that for itself.
    if not SANITIZED:

        def test_why_it_does_not_start_is_said(self):
            refused = 0
            for mebibytes in (20, 24, 32, 40, 48, 56, 64, 80, 120):
                said, status = self.started_with(mebibytes)
                self.assertIn(status, (0, 1, 127), said)
                for line in said.splitlines():
                    if line.startswith("fricidd:"):
                        self.assertGreater(len(line), 30, said)
                refused += status == 1
            self.assertGreater(refused, 2)


class NoProc(unittest.TestCase):
    # A sanitizer does not end well under strace.
    if not SANITIZED:

        @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
        def test_the_socket_has_its_rights(self):
            """A call that does not follow links needs /proc, and fails so without it."""
            without = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=chmod", "-e",
                       "inject=chmod:error=ENOENT:when=1"]
            with Daemon(simulated_rig(duration_s=1.0), service='socket_mode = "660";', launcher=without) as daemon:
                self.assertEqual(stat.S_IMODE(os.stat(daemon.socket_path).st_mode), 0o660)


class Sentences(unittest.TestCase):
    def test_a_store_that_another_program_emptied(self):
        with Daemon(simulated_rig(duration_s=20.0)) as daemon:
            daemon.wait_until_ended()
            with sqlite3.connect(f"{daemon.socket_path}.store/fricid.db") as store:
                names = store.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
                for (name,) in names.fetchall():
                    store.execute(f"DROP TABLE {name}")
            said = ""
            for arguments in (("reidentify", "--check"), ("--json", "results"), ("show", "1"),
                              ("backup", daemon.scratch.path / "copy.db"), ("--timeout", "1", "protect", "1")):
                done = daemon.fricidctl(*arguments)
                said += done.stderr
            self.assertIn("fricidctl: ", said)
            said += daemon.errors()
            for words in JARGON:
                self.assertNotIn(words, said)


if __name__ == "__main__":
    main()
