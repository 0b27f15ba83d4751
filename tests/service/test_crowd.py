# SPDX-License-Identifier: GPL-3.0-or-later
"""Two hundred clients at once, configurations that change under them, and an end in the middle of it all.

Every thread of the daemon is busy: sources, segmenters, identifier, writer and the event loop. ThreadSanitizer, where
the daemon is built with it, looks for what they should not share.
"""

import json
import os
import selectors
import signal
import socket
import time
import unittest

from fricid_harness import (
    PATIENCE_S,
    SLOWNESS,
    Daemon,
    Decay,
    configuration_text,
    csv_text,
    recording_rig,
    release,
    seconds,
    simulated_rig,
)
from run_tests import main

CLIENTS = 200
RELOADS = 20 if SLOWNESS == 1 else 8

DECAY = Decay(x_s=0.2)
QUESTIONS = [
    {"method": "status"},
    {"method": "config"},
    {"method": "results.list", "params": {"limit": 3}},
    {"method": "subscribe", "params": {"topics": ["result", "event", "progress"]}},
    {"method": "identify", "params": {"displacement": [DECAY.at(i * 4e-3) for i in range(250)], "sample_rate_hz": 250,
                                      "whole": True}},
    {"method": "unsubscribe"},
    {"method": "version"},
]


class Member:
    """One of the crowd: asks one question after the other, and notes how many were answered."""

    def __init__(self, path, number):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.socket.setblocking(False)
        self.number, self.asked, self.answered, self.refused, self.waiting = number, 0, 0, 0, b""

    def ask(self):
        question = QUESTIONS[(self.number + self.asked) % len(QUESTIONS)]
        self.asked += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.asked, **question}).encode() + b"\n"
        self.socket.settimeout(seconds(PATIENCE_S))
        self.socket.sendall(line)
        self.socket.setblocking(False)

    def hear(self):
        """Takes what has come and asks on; False when the daemon has hung up."""
        try:
            got = self.socket.recv(1 << 18)
        except BlockingIOError:
            return True
        except ConnectionResetError:
            return False
        self.waiting += got
        *lines, self.waiting = self.waiting.split(b"\n")
        for line in lines:
            message = json.loads(line)
            if message.get("id") == self.asked:
                self.answered += 1
                # The only thing that may be refused is work, when too much of it waits.
                self.refused += "error" in message
                assert "error" not in message or message["error"]["data"]["name"] == "busy", message
                self.ask()
        return bool(got)


class Crowd(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        recording = self.daemon.scratch.path / "monday.csv"
        recording.write_text(csv_text(*release(DECAY, noise=0.01)), encoding="ascii")
        self.daemon.configuration_path.write_text(self.configuration(0), encoding="utf-8")

    def rigs(self, turn):
        """One that never changes, one that does, one that comes and goes, and a recording now and then."""
        rigs = [simulated_rig(name="kept", real_time=True, duration_s=0.0),
                simulated_rig(name="changed", seed=turn + 1, real_time=False, duration_s=0.0)]
        if turn % 2:
            rigs.append(simulated_rig(name="guest", seed=5, real_time=True, duration_s=0.0))
        if turn % 4 == 3:
            rigs.append(recording_rig(self.daemon.scratch.path / "monday.csv"))
        return ",\n".join(rigs)

    def configuration(self, turn):
        return configuration_text(self.daemon.socket_path, self.rigs(turn))

    def reload(self, turn):
        path = str(self.daemon.configuration_path)
        with open(path + ".new", "w", encoding="utf-8") as new:
            new.write(self.configuration(turn))
        os.replace(path + ".new", path)
        self.daemon.process.send_signal(signal.SIGHUP)

    def listen(self, crowd, until, done=lambda: False):
        while time.monotonic() < until and not done():
            for key, _ in crowd.select(0.05):
                self.assertTrue(key.data.hear(), "the daemon hung up on a client")

    def test_crowd(self):
        with self.daemon, selectors.DefaultSelector() as crowd:
            members = [Member(self.daemon.socket_path, number) for number in range(CLIENTS)]
            self.addCleanup(lambda: [member.socket.close() for member in members])
            for member in members:
                crowd.register(member.socket, selectors.EVENT_READ, member)
                member.ask()
            for turn in range(1, RELOADS + 1):
                self.reload(turn)
                self.listen(crowd, time.monotonic() + 0.1 * min(SLOWNESS, 5))
            self.listen(crowd, time.monotonic() + seconds(PATIENCE_S), lambda: min(m.answered for m in members) >= len(QUESTIONS))
            answered = [member.answered for member in members]
            self.assertGreaterEqual(min(answered), len(QUESTIONS), "every client gets its answers")
            with self.daemon.client() as client:
                status = client.call("status")
                kept = next(rig for rig in status["rigs"] if rig["name"] == "kept")
                self.assertEqual((kept["counters"]["lost_scans"], kept["counters"]["gaps"]), (0, 0))
                self.assertGreater(kept["counters"]["scans"], 0)
                self.assertEqual(status["clients"]["connections"], CLIENTS + 1)
            self.daemon.process.send_signal(signal.SIGHUP)
            took = self.daemon.stop_in_s()
            self.assertLess(took, seconds(4))
            print(f"{CLIENTS} clients, {sum(answered)} answers, {RELOADS} reloads, {sum(m.refused for m in members)} refused "
                  f"as busy, stopped in {took:.2f} s")


if __name__ == "__main__":
    main()
