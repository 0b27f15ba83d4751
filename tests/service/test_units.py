# SPDX-License-Identifier: GPL-3.0-or-later
"""fricidd as a service manager starts it: unit files, sockets handed over, readiness, watchdog, log."""

import os
import re
import shutil
import signal
import socket
import stat
import statistics
import subprocess
import time
import unittest

from fricid_harness import FRICIDD, PATIENCE_S, Client, Daemon, ScratchDirectory, run_program, seconds, simulated_rig
from run_tests import main
from store_files import wait_for

HAS_SYSTEMD = "systemd yes" in run_program(FRICIDD, "--version").stdout
BUILD = os.path.dirname(os.path.realpath(FRICIDD))
SOURCE = os.environ.get("TOP_SRCDIR", os.path.join(BUILD, ".."))
needs_systemd = unittest.skipUnless(HAS_SYSTEMD, "SKIP: fricidd was built without libsystemd")


class ManagedDaemon(Daemon):
    """The daemon with what a service manager puts into its environment."""

    def __init__(self, rigs="", listener=None, environment=None, errors=None, **options):
        super().__init__(rigs, **options)
        self.listener, self.environment, self.error_pipe = listener, environment or {}, errors

    def __enter__(self):
        arrange = "export LISTEN_PID=$$ LISTEN_FDS=1 WATCHDOG_PID=$$; " if self.listener else "export WATCHDOG_PID=$$; "
        errors = self.error_pipe if self.error_pipe is not None else open(self.errors_path, "wb")

        def hand_over():
            if self.listener:
                os.dup2(self.listener.fileno(), 3)
                os.set_inheritable(3, True)
        self.process = subprocess.Popen(
            ["sh", "-c", arrange + 'exec "$@"', "sh", FRICIDD, "--config", str(self.configuration_path)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=hand_over, close_fds=False,
            env={**os.environ, **self.environment})
        if self.error_pipe is None:
            errors.close()
        try:
            if not self.listener:
                self.wait_until_it_answers()
        except BaseException:
            self.abandon()
            raise
        return self

    def __exit__(self, kind, value, traceback):
        if not self.listener:
            super().__exit__(kind, value, traceback)
            return
        try:
            if kind is None:
                self.process.terminate()
                if self.process.wait(timeout=seconds(PATIENCE_S)) != 0:
                    raise AssertionError(self.errors())
        finally:
            self.abandon()


@unittest.skipUnless(shutil.which("systemd-analyze"), "SKIP: systemd-analyze was not found (package systemd)")
class UnitFiles(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)
        unit = os.path.join(BUILD, "systemd", "fricidd.service")
        if not os.path.exists(unit):
            subprocess.run(["make", "-C", BUILD, "systemd/fricidd.service"], check=True, stdout=subprocess.DEVNULL)
        with open(unit, encoding="utf-8") as installed:
            text = re.sub(r"(?m)^ExecStart=\S+", f'ExecStart="{os.path.realpath(FRICIDD)}"', installed.read())
        self.service = self.scratch.write("fricidd.service", text)

    def test_verify_has_nothing_to_say(self):
        done = run_program("systemd-analyze", "verify", self.service)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_verify_has_nothing_to_say_about_the_socket(self):
        shutil.copy(os.path.join(SOURCE, "systemd", "fricidd.socket"), self.scratch.path)
        done = run_program("systemd-analyze", "verify", self.service, self.scratch.path / "fricidd.socket")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_verify_would_have_something_to_say(self):
        bad = self.scratch.write("bad.service", "[Service]\nExecStart=/nonexistent/program\nWatchDogSec=3\n")
        self.assertNotEqual(run_program("systemd-analyze", "verify", bad).stderr, "")

    def test_user_and_groups_are_made(self):
        """The user of the service, a member of the group that owns Comedi devices."""
        root = self.scratch.path / "root"
        (root / "etc").mkdir(parents=True)
        done = run_program("systemd-sysusers", f"--root={root}", os.path.join(SOURCE, "systemd", "fricid.sysusers"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex((root / "etc" / "passwd").read_text(), r"(?m)^fricid:x:\d+:\d+:.*:/usr/sbin/nologin$")
        groups = (root / "etc" / "group").read_text()
        self.assertRegex(groups, r"(?m)^fricid:x:\d+:")
        self.assertRegex(groups, r"(?m)^iocard:x:\d+:fricid$")

    def test_exposure_is_at_most_one(self):
        done = run_program("systemd-analyze", "security", "--offline=true", "--threshold=10", "--no-pager", self.service)
        self.assertEqual(done.returncode, 0, done.stdout)


@needs_systemd
class InheritedSocket(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)
        self.path = str(self.scratch.path / "given")
        self.listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(self.listener.close)
        self.listener.bind(self.path)
        self.listener.listen(100)
        os.chmod(self.path, 0o640)

    def identity(self):
        found = os.lstat(self.path)
        return found.st_dev, found.st_ino, stat.S_IMODE(found.st_mode), found.st_uid

    def test_it_is_used_and_left_alone(self):
        before = self.identity()
        for _ in range(2):
            with ManagedDaemon(listener=self.listener) as daemon:
                with Client(self.path) as client:
                    self.assertEqual(client.call("status")["pid"], daemon.process.pid)
                self.assertFalse(os.path.exists(daemon.socket_path), "it made a socket of its own as well")
                self.assertEqual(self.identity(), before)
            self.assertEqual(self.identity(), before)

    def test_clients_wait_while_the_service_is_stopped(self):
        with socket.socket(socket.AF_UNIX) as early:
            early.settimeout(seconds(PATIENCE_S))
            early.connect(self.path)
            early.sendall(b'{"jsonrpc":"2.0","method":"version","id":1}\n')
            with ManagedDaemon(listener=self.listener):
                received = b""
                while received.count(b"\n") < 2:
                    received += early.recv(4096)
                self.assertIn(b'"id":1', received)

    def test_something_else_is_refused_with_words(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wrong:
            daemon = ManagedDaemon(listener=wrong)
            daemon.__enter__()
            self.addCleanup(daemon.abandon)
            self.assertEqual(daemon.process.wait(timeout=seconds(PATIENCE_S)), 1)
            self.assertIn("listening Unix stream socket", daemon.errors())


@needs_systemd
class Notifications(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)
        path = str(self.scratch.path / "notify")
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.manager.close)
        self.manager.bind(path)
        self.manager.settimeout(seconds(PATIENCE_S))
        self.environment = {"NOTIFY_SOCKET": path}

    def next_state(self, but=()):
        while True:
            state = self.manager.recv(4096).decode()
            if state not in but:
                return state

    def test_ready_reload_stop(self):
        with ManagedDaemon(environment=self.environment) as daemon:
            self.assertEqual(self.next_state(), "READY=1")
            daemon.process.send_signal(signal.SIGHUP)
            self.assertRegex(self.next_state(), r"^RELOADING=1\nMONOTONIC_USEC=\d+$")
            self.assertEqual(self.next_state(), "READY=1")
            daemon.configuration_path.write_text("nonsense", encoding="utf-8")
            daemon.process.send_signal(signal.SIGHUP)
            self.assertRegex(self.next_state(), r"^RELOADING=1\n")
            self.assertEqual(self.next_state(), "READY=1")
        self.assertEqual(self.next_state(), "STOPPING=1")

    def test_watchdog_is_fed_and_shown(self):
        interval_s = seconds(2.0)
        environment = {**self.environment, "WATCHDOG_USEC": str(int(interval_s * 1e6))}
        with ManagedDaemon(simulated_rig(real_time=True), environment=environment) as daemon:
            self.assertEqual(self.next_state(but=("WATCHDOG=1",)), "READY=1")
            fed = []
            while len(fed) < 4:
                self.assertEqual(self.next_state(), "WATCHDOG=1")
                fed.append(time.monotonic())
            # The computer may stand still once meanwhile.
            self.assertLess(statistics.median(b - a for a, b in zip(fed, fed[1:])), interval_s)
            with daemon.client() as client:
                wait_for(lambda: client.call("status")["watchdog"]["fed_ago_s"] < interval_s, "a watchdog that is fed")
                watchdog = client.call("status")["watchdog"]
            self.assertAlmostEqual(watchdog["interval_s"], interval_s, 5)
            self.assertEqual((watchdog["held_up_by"], watchdog["reason"]), ([], None))

    def test_a_manager_that_does_not_read_holds_nobody_up(self):
        """Its queue is full from the start; what does not get in is missed, and what comes later gets in."""
        environment = {**self.environment, "WATCHDOG_USEC": str(int(seconds(0.3) * 1e6))}
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as busy:
            busy.setblocking(False)
            busy.connect(self.environment["NOTIFY_SOCKET"])
            with self.assertRaises(BlockingIOError):
                for _ in range(100000):
                    busy.send(b"X=1")
        with ManagedDaemon(simulated_rig(real_time=True), environment=environment) as daemon, daemon.client() as client:
            scans = client.call("status")["rigs"][0]["counters"]["scans"]
            daemon.process.send_signal(signal.SIGHUP)
            client.call("subscribe", topics=["event"], from_seq=1)
            while client.notification("notify.event")["event"]["code"] != "reloaded":
                pass
            time.sleep(seconds(0.5))
            wait_for(lambda: client.call("status")["rigs"][0]["counters"]["scans"] > scans, "more scans")
            self.assertEqual(client.call("status")["rigs"][0]["counters"]["lost_scans"], 0)
            self.assertEqual(self.next_state(but=("X=1",)), "WATCHDOG=1")

    def test_without_a_watchdog(self):
        with ManagedDaemon(service="job_deadline_s = 60.0;") as daemon, daemon.client() as client:
            status = client.call("status")
            self.assertIsNone(status["watchdog"]["interval_s"])
            feeding = {thread["name"]: (thread["feeds_watchdog"], thread["limit_s"]) for thread in status["threads"]}
            self.assertEqual(feeding["identifier"], (True, 60.0))
            self.assertFalse(feeding["writer"][0])
            self.assertGreater(feeding["writer"][1], feeding["identifier"][1])


class StandardError(unittest.TestCase):
    def test_nobody_reads_it(self):
        """A full pipe behind standard error: the daemon measures, answers and ends as if nothing were."""
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        daemon = ManagedDaemon(simulated_rig(real_time=True, duration_s=0.0), errors=writing)
        daemon.__enter__()
        self.addCleanup(daemon.abandon)
        os.close(writing)
        daemon.configuration_path.write_text("nonsense", encoding="utf-8")
        with daemon.client() as client:
            client.call("subscribe", topics=["event"])
            for _ in range(800):  # each is a line of some 150 bytes; the pipe holds 65536
                daemon.process.send_signal(signal.SIGHUP)
                client.notification("notify.event")
            before = client.call("status")["rigs"][0]["counters"]["scans"]
            wait_for(lambda: client.call("status")["rigs"][0]["counters"]["scans"] > before, what="more scans")
            self.assertEqual(client.call("status")["rigs"][0]["counters"]["lost_scans"], 0)
        self.assertLess(daemon.end_in_s(), seconds(2))
        self.assertEqual(daemon.process.returncode, 0)

    def test_lines_arrive(self):
        with ManagedDaemon() as daemon:
            daemon.stop()
            self.assertRegex(daemon.errors(), r"(?s)^fricidd: started: version .*\nfricidd: stopping: SIGTERM came\n$")


if __name__ == "__main__":
    main()
