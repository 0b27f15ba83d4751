# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients that break every rule, all at once, beside a rig that measures and a client that behaves."""

import json
import multiprocessing
import os
import resource
import select
import socket
import time
import unittest
from pathlib import Path

from fricid_harness import Daemon, ScanClock, Waiting, seconds, simulated_rig
from run_tests import main

RATE = 10000.0
PROMISED_S = 0.05  # how long an answer to a client that behaves may take
PATIENCE_S = 30    # a client that does not read is disconnected after this
# Long enough for that, or for an impression: FRICID_HOSTILE_S, in seconds.
DURATION_S = float(os.environ.get("FRICID_HOSTILE_S", "5"))
FLOODING, REPLAYING = 250, 400  # connections
# Sanitizers take too long for all of it, and keep what was freed.
WHOLE_BUDGET = seconds(1) == 1


def line(method, number=1, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


def connect(path):
    connection = socket.socket(socket.AF_UNIX)
    # Without a limit: such a one would not wait for a place among those that the daemon has not come to yet.
    connection.connect(path)
    connection.settimeout(seconds(60))
    return connection


def allow_descriptors(wanted=4096):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit


def resident_bytes(pid):
    fields = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    return int(fields[1]) * resource.getpagesize()


def until_the_end(run, *arguments):
    """The daemon may end before those who harass it."""
    try:
        run(*arguments)
    except OSError:
        pass


class Asker:
    """A process of its own that asks for the version again and again, and notes how long each answer took.

    What the computer's other work took from the daemon and from the asker does not count: tests run side by side.
    """

    def __init__(self, path, pid):
        self.stop, self.times = multiprocessing.Event(), multiprocessing.Queue()
        self.process = multiprocessing.Process(target=self.run, args=(path, pid), daemon=True)
        self.process.start()

    def run(self, path, pid):
        times = []
        waiting = [Waiting(f"/proc/{pid}/task/{pid}/schedstat"), Waiting("/proc/self/schedstat")]
        with connect(path) as connection, connection.makefile("rb") as lines:
            lines.readline()
            while not self.stop.is_set():
                waited = [one.seconds() for one in waiting]
                begun = time.monotonic()
                connection.sendall(line("version"))
                lines.readline()
                took = time.monotonic() - begun
                waited = [one.seconds() - before for one, before in zip(waiting, waited)]
                times.append((max(0.0, took - sum(waited)), took))
                time.sleep(0.01)
        self.times.put(times)

    def finish(self):
        """Both times of each answer, sorted: without the waiting, and with it."""
        self.stop.set()
        times = self.times.get(timeout=seconds(60))
        self.process.join()
        return [sorted(some) for some in zip(*times)]


def flood(path, connections, stop):
    """Requests as fast as the sockets take them; answers are read now and then, and thrown away."""
    sockets = {}
    for _ in range(connections):
        connection = connect(path)
        connection.setblocking(False)
        sockets[connection.fileno()] = connection
    poll = select.poll()
    for number in sockets:
        poll.register(number, select.POLLIN | select.POLLOUT)
    requests = line("status") * 100
    while not stop.is_set():
        for number, events in poll.poll(100):
            try:
                if events & select.POLLOUT:
                    sockets[number].send(requests)
                if events & select.POLLIN:
                    sockets[number].recv(1 << 16)
            except BlockingIOError:
                pass


def replay(path, connections, stop):
    """Everybody wants the whole history, again and again."""
    begin = line("subscribe", topics=["result", "event"], from_seq=1)
    sockets, poll = {}, select.poll()
    for _ in range(connections):
        connection = connect(path)
        connection.sendall(begin)
        connection.setblocking(False)
        sockets[connection.fileno()] = connection
        poll.register(connection.fileno(), select.POLLIN)
    taken = dict.fromkeys(sockets, 0)
    while not stop.is_set():
        for number, _ in poll.poll(100):
            try:
                taken[number] += len(sockets[number].recv(1 << 16))
                if taken[number] > 1 << 20:
                    sockets[number].send(begin)
                    taken[number] = 0
            except BlockingIOError:
                pass


def vanish(path, stop):
    """Asks for much, reads a little of the answer, and is gone."""
    while not stop.is_set():
        with connect(path) as connection:
            connection.sendall(line("subscribe", topics=["result", "event", "progress"], from_seq=1) +
                               line("results.list", limit=1000) * 5)
            connection.recv(1000)


def rich(path, stop):
    """Lines of a mebibyte that are hard to parse."""
    lines = [b"[" + b"0," * 520000 + b"0]\n", b"[" + b"{}," * 349000 + b"{}]\n", b"[" * 500000 + b"\n",
             b'["' + b"\\u00e4" * 170000 + b'"]\n', b"1" * 1000000 + b"\n", b"\xff" * 1000000 + b"\n"]
    with connect(path) as connection, connection.makefile("rb") as answers:
        answers.readline()
        while not stop.is_set():
            for evil in lines:
                connection.sendall(evil)
                answers.readline()
            time.sleep(0.2)


def hoard(path, filled, stop):
    """Unfinished records until the daemon takes no more."""
    connections, piece = [], [0] * 8192
    full = False
    while not full and (WHOLE_BUDGET or len(connections) < 2):
        connection = connect(path)
        connections.append(connection)
        answers = connection.makefile("rb")
        answers.readline()
        for upload in range(1, 5):
            connection.sendall(line("identify.begin", sample_rate_hz=1.0))
            answers.readline()
            append = line("identify.append", upload=upload, displacement=piece)
            for _ in range(1220 if WHOLE_BUDGET else 30):
                connection.sendall(append)
                if b'"error"' in answers.readline():
                    full = True
                    break
            if full:
                break
    filled.set()
    stop.wait()


class Everything(unittest.TestCase):
    """One daemon, and everybody at it at the same time."""

    @classmethod
    def setUpClass(cls):
        allow_descriptors()
        source = f"sample_rate_hz = {RATE};"
        live = simulated_rig(name="live", real_time=True, duration_s=0.0, source=source)
        cls.daemon = Daemon(f"{live},\n{simulated_rig(name='archive', duration_s=600)}")
        cls.daemon.__enter__()
        cls.addClassCleanup(cls.daemon.abandon)
        cls.daemon.wait_for_results(100)

    def live_counters(self, client):
        (rig,) = [rig for rig in client.call("status")["rigs"] if rig["name"] == "live"]
        return rig["counters"]

    def start(self, run, *arguments):
        process = multiprocessing.Process(target=until_the_end, args=(run, self.daemon.socket_path, *arguments),
                                          daemon=True)
        process.start()
        self.addCleanup(process.kill)
        return process

    def test_all_of_them(self):
        path, pid = self.daemon.socket_path, self.daemon.process.pid
        client = self.daemon.client()
        self.addCleanup(client.socket.close)
        base = resident_bytes(pid)
        # One never reads, one reads a byte a second; both have more to read than a socket holds.
        slow = [connect(path) for _ in range(2)]
        for connection in slow:
            self.addCleanup(connection.close)
            connection.sendall(line("subscribe", topics=["result", "event", "progress"], from_seq=1))
            start = b""
            while start.count(b"\n") < 2:
                start += connection.recv(1)
            self.assertIn(b'"topics"', start)
        begun, clock = time.monotonic(), ScanClock(lambda: self.live_counters(client)["scans"], RATE)
        stop, filled = multiprocessing.Event(), multiprocessing.Event()
        self.addCleanup(stop.set)
        asker = Asker(path, pid)
        self.start(hoard, filled, stop)
        self.assertTrue(filled.wait(seconds(150)), "256 MiB of records were not reached")
        self.start(flood, FLOODING, stop)
        self.start(replay, REPLAYING, stop)
        self.start(vanish, stop)
        self.start(rich, stop)
        highest = 0
        hostile_since = time.monotonic()
        while time.monotonic() < hostile_since + DURATION_S:
            time.sleep(1)
            try:
                slow[1].recv(1)
            except ConnectionError:
                pass
            highest = max(highest, resident_bytes(pid))
        times, with_waiting = asker.finish()
        # Acquisition: nothing lost, and all of the time that went by.
        clock.wait_until_all_is_in(but_s=seconds(0.5))
        last, elapsed = self.live_counters(client), time.monotonic() - begun
        stop.set()
        self.assertEqual((last["lost_scans"], last["gaps"], last["decays_lost"]), (0, 0, 0))
        late = sum(took > seconds(PROMISED_S) for took in times)
        for what, some in (("answers", times), ("the same with the waiting for a processor", with_waiting)):
            print(f"{len(some)} {what}: median {some[len(some) // 2] * 1e3:.2f} ms, longest {some[-1] * 1e3:.1f} ms")
        self.assertGreater(len(times), 100)
        self.assertLessEqual(late, len(times) // 200, f"late: {[round(took, 3) for took in times[-20:]]}")
        # Memory: the records' 256 MiB, and little more.
        print(f"resident: {base >> 20} MiB before, {highest >> 20} MiB at most")
        if WHOLE_BUDGET:
            self.assertLess(highest - base, (256 + 64) << 20)
        # Whoever does not read is gone.
        for connection in slow if elapsed > PATIENCE_S + 10 else ():
            connection.settimeout(seconds(5))
            with self.assertRaises((ConnectionError, EOFError)):
                while connection.recv(1 << 20):
                    pass
                raise EOFError
        # The end comes soon, with the uploads still open and the flood still on.
        took = self.daemon.stop_in_s()
        print(f"shutdown: {took:.2f} s")
        self.assertLess(took, seconds(2))


if __name__ == "__main__":
    main()
