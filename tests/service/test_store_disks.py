# SPDX-License-Identifier: GPL-3.0-or-later
"""The store on a disk that is full, read-only or failing."""

import contextlib
import shutil
import subprocess
import unittest
from pathlib import Path

from fricid_harness import Daemon, Decay, ProtocolError, ScratchDirectory, release, simulated_rig
from run_tests import main
from store_files import QUICK, complaints, count, events_of, put_together, set_aside, wait_for


def small_disk(directory, options):
    """A command that starts another with a file system of its own on a directory, in a name space of its own."""
    return ["unshare", "-Urm", "sh", "-c", f'mount -t tmpfs -o {options} none "{directory}" && exec "$@"', "sh"]


def name_spaces_work():
    try:
        done = subprocess.run([*small_disk("/mnt", "size=1m"), "true"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


@unittest.skipUnless(name_spaces_work(), "unshare -Urm is not allowed here")
class Disks(unittest.TestCase):
    """A disk that is full or read-only."""

    def setUp(self):
        self.scratch = ScratchDirectory()
        self.directory = Path(str(self.scratch.path / "s") + ".store")
        self.directory.mkdir()

    def tearDown(self):
        self.scratch.remove()

    def start(self, rigs, options, **more):
        return Daemon(rigs, directory=self.scratch, launcher=small_disk(self.directory, options), **more)

    def inside(self, daemon, command):
        """Runs a shell command where the daemon's disk can be seen."""
        pid = str(daemon.process.pid)
        done = subprocess.run(
            ["nsenter", "-t", pid, "-U", "-m", "--preserve-credentials", "sh", "-c", command], capture_output=True, check=False
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def remount(self, daemon, options):
        # Named in full, mount takes these options alone: those that it read back (uid= of the outside) are refused here.
        self.inside(daemon, f'mount -t tmpfs -o remount,{options} none "{self.directory}"')

    def stored(self, daemon):
        """A copy of what is in the daemon's file system, into which nothing was written while it was made. SQLite cannot
        make it: it takes the path for one of its own file system."""
        place = Path(f"/proc/{daemon.process.pid}/root{self.directory}")
        copy = self.scratch.path / "copy"
        written = lambda: [(file.name, file.stat().st_mtime_ns, file.stat().st_size) for file in place.glob("fricid.db*")]

        def stands_still():
            try:
                before = written()
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(place, copy)
                return written() == before
            except OSError:  # a file that went away meanwhile
                return False
        wait_for(stands_still, "a moment without writing")
        return copy / "fricid.db"

    def test_a_full_disk_costs_nothing_but_time(self):
        live = simulated_rig(seed=5, real_time=True, duration_s=0, source=QUICK, name="live")
        fast = simulated_rig(seed=6, duration_s=1000.0, name="fast")
        with self.start(live + "," + fast, "size=1400k") as daemon:
            wait_for(lambda: events_of(daemon, "store_fault"), "store_fault")
            with daemon.client() as client:
                client.call("subscribe", topics=["progress"])

                def scans():
                    live = next(rig for rig in client.call("status")["rigs"] if rig["name"] == "live")
                    return live["counters"]["scans"]
                # Acquisition goes on, and so does what is published of it.
                before = scans()
                for _ in range(4):
                    client.notification("notify.progress")
                wait_for(lambda: scans() > before, "more scans")
                after = client.call("status")
                self.assertEqual(after["store"]["kind"], "sqlite")
                self.assertIn("the disk is full: make room", after["store"]["problem"])
            screen = daemon.fricidctl("status").stdout
            self.assertRegex(screen, "(?m)^! .*the disk is full: make room")
            self.assertNotIn("nothing is wrong", screen)
            # What fails now is not carried out later.
            for command in (("protect", "1"), ("reidentify",)):
                refused = daemon.fricidctl(*command)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("cannot be written at the moment, and nothing was done", refused.stderr)
            self.assertEqual(complaints(self.stored(daemon), checksums=False), [])
            self.remount(daemon, "size=400m")
            wait_for(lambda: events_of(daemon, "store_recovered"), "store_recovered")
            with daemon.client() as client:
                wait_for(lambda: client.call("status")["store"]["problem"] is None, "the end of the problem")

                def caught_up():
                    rigs = {rig["name"]: rig for rig in client.call("status")["rigs"]}
                    return rigs["fast"]["condition"] == "ended"
                wait_for(caught_up, "the end of the fast rig")
                decays = sum(
                    channel["counters"]["decays"]
                    for rig in client.call("status")["rigs"] if rig["name"] == "fast" for channel in rig["channels"]
                )
                wait_for(lambda: client.call("status")["store"]["waiting"] == 0, "the last result", limit=120.0)
            path = self.stored(daemon)
            fast_only = "setup IN (SELECT id FROM setup WHERE rig = 'fast')"
            self.assertEqual(count(path, "decay", "protected OR revision > 1"), 0)
            self.assertEqual(count(path, "decay", fast_only), decays)
            self.assertEqual(count(path, "decay", fast_only + " AND revision = 1"), decays)
            self.assertEqual(complaints(path, checksums=False), [])
            self.assertEqual(events_of(daemon, "decay_lost"), [])

    def test_a_subscriber_hears_while_the_disk_is_full(self):
        # Memory holds one event; those before it wait for the disk, where nobody can read them.
        live = simulated_rig(seed=5, real_time=True, duration_s=0, source=QUICK, name="live")
        fast = simulated_rig(seed=6, duration_s=1000.0, name="fast")
        with self.start(live + "," + fast, "size=1400k", service="results_held = 1;") as daemon:
            wait_for(lambda: events_of(daemon, "store_fault"), "store_fault")
            with daemon.client() as asking, daemon.client() as client:
                _, values = release(Decay(), rate=500.0, noise=0.01)
                with self.assertRaisesRegex(ProtocolError, "nothing of this record is kept: .*the disk is full"):
                    asking.call("identify", displacement=values, sample_rate_hz=500.0, keep=True)
                self.assertEqual(len(asking.call("identify", displacement=values, sample_rate_hz=500.0)["results"]), 1)
                for _ in range(3):
                    asking.call("zero", rig="live", channel="encoder")
                client.call("subscribe", topics=["result", "event"], from_seq=1)
                message = client.read()
                while message["method"] != "notify.dropped":
                    message = client.read()
                dropped = message["params"]
                self.assertIn("the store takes nothing at the moment", dropped["reason"])
                self.assertEqual(client.notification("notify.event")["seq"], dropped["to_seq"] + 1)
                asking.call("zero", rig="live", channel="encoder")
                while client.notification("notify.event")["event"]["code"] != "zeroed":
                    pass
                # What it missed is there when the disk has room again.
                self.remount(daemon, "size=400m")
                wait_for(lambda: events_of(daemon, "store_recovered"), "store_recovered")
                wait_for(lambda: asking.call("status")["store"]["problem"] is None, "the end of the problem")
            with daemon.client() as client:
                client.call("subscribe", topics=["result", "event"], from_seq=dropped["from_seq"])
                seqs, zeroed = [], 0
                while not seqs or seqs[-1] < dropped["to_seq"]:
                    message = client.read()
                    self.assertNotEqual(message["method"], "notify.dropped")
                    seqs.append(message["params"]["seq"])
                    zeroed += message["params"].get("event", {}).get("code") == "zeroed"
                self.assertGreaterEqual(zeroed, 2)
                self.assertEqual(seqs, sorted(set(seqs)))

    def test_what_cannot_be_set_aside_for_want_of_room_waits_for_it(self):
        # A store whose first page is gone, on a disk that has no room for another one.
        with Daemon(simulated_rig(seed=6, duration_s=1000.0), directory=self.scratch) as daemon:
            daemon.wait_until_ended()
            with daemon.client() as client:
                wait_for(lambda: client.call("status")["store"]["waiting"] == 0, "the last result")
        kept = self.scratch.path / "kept.db"
        shutil.copy(self.directory / "fricid.db", kept)
        decays = count(kept, "decay")
        self.assertGreater(decays, 10)
        with open(kept, "r+b") as file:
            file.write(bytes(4096))
        live = simulated_rig(seed=5, real_time=True, duration_s=0, source=QUICK, name="live")
        disk = small_disk(self.directory, f"size={kept.stat().st_size // 1024 + 64}k")
        disk[4] = disk[4].replace('exec', f'cp "{kept}" "{self.directory}/fricid.db" && exec')
        with Daemon(live, directory=self.scratch, launcher=disk) as daemon:
            wait_for(lambda: "the disk is full" in "".join(events_of(daemon, "store_fault")), "store_fault")
            with daemon.client() as client:
                # Longer than three attempts take.
                channel = lambda: client.call("status")["rigs"][0]["channels"][0]["counters"]["decays"]
                wait_for(lambda: channel() >= 8, "decays that wait")
                self.assertEqual(events_of(daemon, "store_set_aside"), [])
                self.remount(daemon, "size=400m")
                wait_for(lambda: events_of(daemon, "store_recovered"), "store_recovered")
                wait_for(lambda: client.call("status")["store"]["problem"] is None, "the end of the problem")
                wait_for(lambda: count(self.stored(daemon), "decay", f"id > {decays}") >= 8, "what had to wait")
            path = self.stored(daemon)
            self.assertEqual(complaints(path, checksums=False), [])
            # Once: the new file is sound, and nobody says otherwise.
            self.assertEqual(len(events_of(daemon, "store_set_aside")), 1)
            self.assertEqual(len(set_aside(path)), 1)
            self.assertEqual(events_of(daemon, "decay_lost"), [])
            put_together(path)
            self.assertGreaterEqual(count(path, "decay"), decays + 8)

    @contextlib.contextmanager
    def refusing(self, daemon, error):
        """As a file system that has become read-only, or a disk that fails, while the daemon has its files open: from
        now on every call that writes or syncs fails so."""
        calls = "pwrite64,fdatasync,ftruncate,fallocate"
        pid = str(daemon.process.pid)
        tracer = subprocess.Popen(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}",
                                   "-e", f"inject={calls}:error={error}", "-p", pid], stderr=subprocess.PIPE)
        try:
            traced = lambda: "TracerPid:\t0\n" not in Path(f"/proc/{pid}/status").read_text()
            wait_for(lambda: traced() or tracer.poll() is not None, "strace")
            self.assertIsNone(tracer.poll(), tracer.stderr.read() if tracer.poll() is not None else "")
            yield
        finally:
            tracer.terminate()
            tracer.wait()
            tracer.stderr.close()

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_full_then_read_only_then_room(self):
        live = simulated_rig(seed=5, real_time=True, duration_s=0, source=QUICK, name="live")
        with self.start(live + "," + simulated_rig(seed=6, duration_s=1000.0, name="fast"), "size=1400k") as daemon:
            wait_for(lambda: events_of(daemon, "store_fault"), "store_fault")
            with daemon.client() as client:
                full = client.call("status")
                self.assertIn("the disk is full", full["store"]["problem"])
                self.assertLess(full["store"]["free_bytes"], 100000)
                with self.refusing(daemon, "EROFS"):
                    wait_for(lambda: client.call("status")["store"]["problem"] != full["store"]["problem"], "the new sentence")
                    self.remount(daemon, "size=400m")
                    scans = [rig["counters"]["scans"] for rig in client.call("status")["rigs"] if rig["name"] == "live"]
                    wait_for(lambda: [rig["counters"]["scans"] for rig in client.call("status")["rigs"]
                                      if rig["name"] == "live"] > scans, "acquisition")
                wait_for(lambda: client.call("status")["store"]["problem"] is None, "the end of the problem")
                wait_for(lambda: events_of(daemon, "store_recovered"), "store_recovered")
                caught_up = lambda status: status["store"]["waiting"] == 0 and [
                    rig["condition"] for rig in status["rigs"] if rig["name"] == "fast"] == ["ended"]
                wait_for(lambda: caught_up(client.call("status")), "catching up", limit=120.0)
            self.assertEqual(events_of(daemon, "decay_lost"), [])
        # The file system is gone with the daemon: what it held was looked at while it was there.

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_a_disk_that_fails_while_running(self):
        rig = simulated_rig(seed=5, duration_s=1500.0)
        with self.start(rig, "size=400m") as daemon:
            daemon.wait_for_results(20)
            with self.refusing(daemon, "EIO"):
                wait_for(lambda: events_of(daemon, "store_fault"), "store_fault")
            wait_for(lambda: events_of(daemon, "store_recovered"), "store_recovered")
            daemon.wait_until_ended()
            self.assertEqual(events_of(daemon, "decay_lost"), [])
            self.assertEqual(complaints(self.stored(daemon), checksums=False), [])

    def test_a_live_source_that_outruns_the_disk_says_what_is_lost(self):
        source = QUICK + "sample_rate_hz = 50000.0;"
        channels = '{ name = "lvdt"; sensor = "lvdt"; segment = { max_samples = 400000; }; }'
        live = simulated_rig(seed=5, real_time=True, duration_s=0, source=source, channels=channels, name="live")
        with self.start(live, "size=300k", service="queue_max_bytes = 4194304;") as daemon:
            wait_for(lambda: events_of(daemon, "store_fault"), "store_fault")
            wait_for(lambda: events_of(daemon, "decay_lost"), "decay_lost", limit=120.0)
            with daemon.client() as client:
                status = client.call("status")
            lost = status["rigs"][0]["counters"]["decays_lost"]
            decays = sum(channel["counters"]["decays"] for channel in status["rigs"][0]["channels"])
            self.assertGreaterEqual(lost, 1)
            self.assertIn("queue_max_bytes", events_of(daemon, "decay_lost")[0])
            self.remount(daemon, "size=400m")
            wait_for(lambda: events_of(daemon, "store_recovered"), "store_recovered")
            wait_for(lambda: count(self.stored(daemon), "decay", "revision = 1") >= decays - lost, "the others")
            self.assertEqual(complaints(self.stored(daemon), checksums=False), [])

    def test_a_read_only_disk_is_waited_for(self):
        live = simulated_rig(seed=5, real_time=True, duration_s=0, source=QUICK, name="live")
        with self.start(live, "ro,size=100m") as daemon:
            wait_for(lambda: events_of(daemon, "store_fault"), "store_fault")
            self.assertIn("read-only", events_of(daemon, "store_fault")[0])
            with daemon.client() as client:
                wait_for(lambda: client.call("status")["queue"]["bytes"] > 0, "a decay that waits")
                # There is no file yet: that is not the same as a result that is not there.
                with self.assertRaises(ProtocolError) as caught:
                    client.call("results.list")
                self.assertEqual(caught.exception.name, "busy")
            self.remount(daemon, "rw,size=100m")
            wait_for(lambda: events_of(daemon, "store_recovered"), "store_recovered")
            daemon.wait_for_results(2)
            self.assertEqual(complaints(self.stored(daemon)), [])


if __name__ == "__main__":
    main()
