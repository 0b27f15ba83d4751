# SPDX-License-Identifier: GPL-3.0-or-later
"""Options, start and end of fricidd."""

import json
import os
import signal
import socket
import time
import unittest

from fricid_harness import (
    FRICIDD,
    Daemon,
    ScratchDirectory,
    configuration_text,
    run_program,
    seconds,
    simulated_rig,
)
from run_tests import main


class Options(unittest.TestCase):
    def test_help(self):
        done = run_program(FRICIDD, "--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for option in ("--config", "--check-config", "--offline", "--whole", "--time-unit", "--rate", "--version", "--help"):
            self.assertIn(option, done.stdout)

    def test_version(self):
        done = run_program(FRICIDD, "--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^fricidd \d+\.\d+\.\d+\n")

    def test_usage_errors(self):
        for arguments in (["--no-such-option"], ["stray"], ["--config"], ["--whole"],
                          ["--time-unit", "ms"], ["--rate", "1000"]):
            with self.subTest(arguments):
                done = run_program(FRICIDD, *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr)


class StartAndEnd(unittest.TestCase):
    def test_ends_by_either_signal(self):
        for name in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(name), Daemon(simulated_rig()) as daemon:
                daemon.stop(name)

    def test_whoever_asks_again_and_again_for_the_end_kills_nothing(self):
        for _ in range(15):  # the last of its end took one in five with it
            with Daemon(simulated_rig()) as daemon:
                while daemon.process.poll() is None:
                    daemon.process.send_signal(signal.SIGTERM)
                self.assertEqual(daemon.process.returncode, 0)

    def test_ends_in_the_middle_of_a_decay(self):
        with Daemon(simulated_rig(real_time=True)) as daemon, daemon.client() as client:
            client.call("subscribe", topics=["progress"])
            client.notification("notify.progress")

    def test_ends_although_a_client_does_not_read(self):
        with Daemon(simulated_rig()) as daemon:
            deaf = daemon.client()
            deaf.call("subscribe", topics=["progress", "result", "event"])
            deaf.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            time.sleep(seconds(0.5))
            self.assertLess(daemon.stop_in_s(), seconds(5))
            deaf.socket.close()

    def test_client_hears_the_end(self):
        with Daemon() as daemon:
            client = daemon.client()
            daemon.stop()
            self.assertIsNone(client.read_line())
            client.socket.close()

    def test_socket_of_a_dead_daemon_is_replaced(self):
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        with socket.socket(socket.AF_UNIX) as left_behind:
            left_behind.bind(str(scratch.path / "s"))
        with Daemon(directory=scratch):
            pass

    def test_socket_of_a_living_daemon_is_respected(self):
        with Daemon(simulated_rig()) as daemon:
            done = run_program(FRICIDD, "--config", daemon.configuration_path)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(daemon.socket_path, done.stderr)
            with daemon.client() as client:
                self.assertEqual(client.call("version")["server"], "fricidd")

    def test_file_at_the_place_of_the_socket_is_respected(self):
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        precious = scratch.write("s", "precious")
        path = scratch.write("fricid.conf", configuration_text(str(precious)))
        self.assertEqual(run_program(FRICIDD, "--config", path).returncode, 1)
        self.assertEqual(precious.read_text(), "precious")

    def test_everybody_may_connect(self):
        with Daemon() as daemon:
            self.assertEqual(os.stat(daemon.socket_path).st_mode & 0o777, 0o666)

    def test_status_names_its_process(self):
        with Daemon() as daemon, daemon.client() as client:
            status = client.call("status")
            self.assertEqual(status["pid"], daemon.process.pid)
            self.assertEqual(status["rigs"], [])
            json.dumps(status, allow_nan=False)


if __name__ == "__main__":
    main()
