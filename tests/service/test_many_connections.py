# SPDX-License-Identifier: GPL-3.0-or-later
"""More connections than there are places, and connections that take what they can get."""

import os
import signal
import socket
import time
import unittest

from fricid_harness import PATIENCE_S, Daemon, Decay, Waiting, csv_text, recording_rig, release, seconds, simulated_rig
from run_tests import main
from test_hostile import PROMISED_S, RATE, WHOLE_BUDGET, allow_descriptors, line, resident_bytes


class ManyConnections(unittest.TestCase):
    def open_many(self, daemon, count):
        connections = []
        for _ in range(count):
            connection = socket.socket(socket.AF_UNIX)
            self.addCleanup(connection.close)
            # Without a limit: such a one would not wait for a place among those that the daemon has not come to yet.
            connection.connect(daemon.socket_path)
            connection.settimeout(seconds(PATIENCE_S))
            connections.append(connection)
        return connections

    def test_a_thousand(self):
        limit = allow_descriptors()
        wanted = min(1100, limit - 100)
        live = simulated_rig(name="live", real_time=True, duration_s=0.0, source=f"sample_rate_hz = {RATE};")
        with Daemon(live) as daemon, daemon.client() as client:
            connections = self.open_many(daemon, wanted)
            # What the computer's other work took from the daemon does not count: tests run side by side.
            waiting = Waiting(f"/proc/{daemon.process.pid}/task/{daemon.process.pid}/schedstat")
            own = Waiting("/proc/self/schedstat")
            asker_times = []
            for _ in range(50):
                begun, waited, own_waited = time.monotonic(), waiting.seconds(), own.seconds()
                status = client.call("status")
                # They may have waited at the same time: only the longer wait is sure to have passed.
                waited = max(waiting.seconds() - waited, own.seconds() - own_waited)
                asker_times.append(time.monotonic() - begun - waited)
            served = status["clients"]["connections"]
            # Root and the daemon's own user have no limit of their own.
            self.assertEqual(served, min(wanted + 1, 1024))
            self.assertLess(sorted(asker_times)[len(asker_times) // 2], seconds(PROMISED_S))
            if served == 1024:
                # Those beyond wait, and come in when others leave.
                connections[-1].setblocking(False)
                with self.assertRaises(BlockingIOError):
                    connections[-1].recv(1)
                for connection in connections[:200]:
                    connection.close()
                connections[-1].settimeout(seconds(PATIENCE_S))
                self.assertIn(b"hello", connections[-1].recv(4096))
            for rig in client.call("status")["rigs"]:
                self.assertEqual((rig["counters"]["lost_scans"], rig["counters"]["gaps"]), (0, 0))

    def test_who_asks_much_and_reads_nothing_takes_a_mebibyte(self):
        """However the questions come: in a row, in batches, and those that take their time."""
        decays = [x for side in (12.0, -12.0) * 6 for x in release(Decay(x_s=0.2, x0=side), rate=200.0, lead=0.5)[1]][:8192]
        asked = [line("results.list", limit=1000) * 100,
                 b"[" + b",".join([line("results.list", limit=1000).strip()] * 50) + b"]\n",
                 line("identify", displacement=decays, sample_rate_hz=200.0) * 4 + line("samples", id=1) * 100]
        with Daemon(simulated_rig(duration_s=600)) as daemon, daemon.client() as client:
            daemon.wait_until_ended()
            base = resident_bytes(daemon.process.pid)
            connections = self.open_many(daemon, 60)
            for number, connection in enumerate(connections):
                connection.setblocking(False)
                try:
                    connection.send(asked[number % len(asked)])
                except BlockingIOError:
                    pass
            finished, highest = -1, 0
            # The writer looks after its file every second, whoever asks.
            while finished != (now := sum(thread["finished_jobs"] for thread in client.call("status")["threads"]
                                          if thread["name"] != "writer")):
                finished = now
                time.sleep(1)
                highest = max(highest, resident_bytes(daemon.process.pid))
            print(f"resident: {base >> 20} MiB before, {highest >> 20} MiB at most, {len(connections)} connections")
            if WHOLE_BUDGET:
                # The mebibyte, the answer that came on top, what the client had sent, and what the allocator makes of it.
                self.assertLess(highest - base, len(connections) * (2 << 20))

    if os.getuid() == 0:

        def test_one_user_does_not_take_all_places(self):
            allow_descriptors()
            with Daemon() as daemon:
                os.chmod(daemon.scratch.path, 0o755)
                child = os.fork()
                if child == 0:
                    busy = 0
                    try:
                        os.setgid(65534)
                        os.setuid(65534)
                        connections = self.open_many(daemon, 300)
                        busy = sum(b'"busy"' in connection.recv(4096) for connection in connections)
                    finally:  # whatever happens, the child does not go on with the tests
                        os._exit(0 if busy == 300 - 256 else 1)
                self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
                with daemon.client() as client:
                    client.call("version")

    # A sanitizer keeps what was freed.
    if seconds(1) == 1:

        def test_a_crowd_takes_its_share_and_gives_it_back(self):
            """Lines of a mebibyte that are begun and not ended."""
            with Daemon(simulated_rig()) as daemon, daemon.client() as client:
                daemon.wait_until_ended()
                before = resident_bytes(daemon.process.pid)
                connections = self.open_many(daemon, 150)
                for connection in connections:
                    connection.sendall(b" " * 1000000)
                client.call("status")
                self.assertLess(resident_bytes(daemon.process.pid) - before, 100 << 20)
                for connection in connections:
                    connection.close()
                end = time.monotonic() + seconds(PATIENCE_S)
                while resident_bytes(daemon.process.pid) - before > 10 << 20:
                    self.assertLess(time.monotonic(), end, "the memory does not come back")
                    time.sleep(0.1)
                    client.call("status")

    def test_descriptors_remain_for_the_daemon(self):
        """With room for few descriptors clients wait outside, and the daemon can still open a recording."""
        daemon = Daemon(launcher=["prlimit", "--nofile=200:200"])
        recording = daemon.scratch.write("run.csv", csv_text(*release(Decay())))
        with daemon:
            with daemon.client() as client:
                client.call("subscribe", topics=["result", "event"])
                self.open_many(daemon, 180)
                self.assertLess(client.call("status")["clients"]["connections"], 150)
                daemon.configuration_path.write_text(
                    daemon.configuration.replace("rigs = (", f"rigs = ( {recording_rig(recording)}"), encoding="utf-8")
                daemon.process.send_signal(signal.SIGHUP)
                self.assertEqual(client.notification("notify.result")["result"]["rig"], "bench")


if __name__ == "__main__":
    main()
