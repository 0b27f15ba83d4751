# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands where the daemon's files should be, and who else wants the same places."""

import contextlib
import fcntl
import os
import shutil
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
    PATIENCE_S,
    Client,
    Daemon,
    ScratchDirectory,
    configuration_text,
    run_program,
    rounds,
    seconds,
    simulated_rig,
)
from run_tests import main
from store_files import QUICK, complaints, count, events_of, file_of, held, wait_for

def put_pipe(path):
    os.mkfifo(path)


def put_folder(path):
    path.mkdir()


def put_folder_instead(path):
    """Of a file of a daemon that is held, which would make it anew."""
    path.unlink(missing_ok=True)
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
        """Starts a daemon that must end by itself; what it says."""
        path = self.scratch.write("fricid.conf", configuration_text(self.socket_path))
        done = run_program(FRICIDD, "--config", str(path))
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_what_is_no_file_is_refused_at_once(self):
        with Daemon(simulated_rig(seed=3, duration_s=20.0), directory=self.scratch) as daemon:
            daemon.wait_until_ended()
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

    def test_the_store_may_be_a_link_to_a_folder_but_not_to_a_file(self):
        with Daemon(simulated_rig(seed=3, duration_s=20.0), directory=self.scratch) as daemon:
            daemon.wait_until_ended()
        kept, elsewhere = self.store / "fricid.db", self.scratch.path / "disk"
        kept.rename(elsewhere)
        kept.symlink_to(elsewhere)
        before = elsewhere.read_bytes()
        said = self.refused()
        self.assertIn("fricid.db is a symbolic link, and a file is expected there", said)
        self.assertEqual(elsewhere.read_bytes(), before)
        elsewhere.rename(kept)
        self.store.rename(elsewhere)
        self.store.symlink_to(elsewhere)
        with Daemon(directory=self.scratch) as daemon:
            self.assertGreater(len(daemon.wait_for_results(2)), 1)

    def test_what_comes_in_their_place_while_the_daemon_runs_holds_up_nobody(self):
        with Daemon(simulated_rig(seed=3, duration_s=20.0), directory=self.scratch) as daemon:
            daemon.wait_until_ended()
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
        self.assertEqual(run_program(FRICIDD, "--config", str(pipe)).returncode, 2)
        self.assertEqual(run_program(FRICIDD, "--offline", str(pipe)).returncode, 2)

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
                self.assertIn(waiting.wait(seconds(PATIENCE_S)), (0, -number))


def pid_at(path):
    """Who answers there; None: nobody does, or not yet."""
    try:
        with Client(str(path)) as client:
            return client.call("status")["pid"]
    except (FileNotFoundError, ConnectionRefusedError):
        return None


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
                daemon.wait_until_ended()
        self.assertFalse(os.path.exists(f"{path}.lock"))

    def test_of_many_that_start_on_a_dead_socket_one_stays(self):
        starts = 10
        for _ in range(rounds(6)):
            place = self.scratch.path / "s"
            place.unlink(missing_ok=True)
            put_socket(place)
            daemons = []
            for i in range(starts):
                text = configuration_text(str(place)).replace(f"{place}.store", f"{place}.store.{i}")
                path = self.scratch.write(f"{i}.conf", text)
                daemons.append(subprocess.Popen([FRICIDD, "--config", str(path)], stderr=subprocess.DEVNULL))
            try:
                wait_for(lambda: sum(daemon.poll() is None for daemon in daemons) <= 1, "the end of all but one")
                wait_for(lambda: pid_at(place) is not None, "an answer")
                self.assertEqual([daemon.pid for daemon in daemons if daemon.poll() is None], [pid_at(place)])
            finally:
                for daemon in daemons:
                    daemon.terminate()
                    daemon.wait()

    def test_a_socket_that_was_removed_is_made_anew(self):
        text = 'socket_mode = "0600";'
        with Daemon(service=text, directory=self.scratch) as daemon, daemon.client() as client:
            client.call("subscribe", topics=["event"])
            place, lock = Path(daemon.socket_path), Path(daemon.socket_path + ".lock")
            pid = client.call("status")["pid"]
            for gone in ((place,), (lock, place), (lock,)):
                for path in gone:
                    path.unlink()
                if place in gone:
                    self.assertEqual(client.notification("notify.event")["event"]["code"], "socket_renewed")
                wait_for(lambda: place.exists() and lock.exists(), "the socket and its lock")
                self.assertEqual([stat.S_IMODE(os.stat(path).st_mode) for path in (place, lock)], [0o600, 0o600])
                with daemon.client() as newcomer:
                    self.assertEqual(newcomer.call("status")["pid"], pid)
                self.assertEqual(client.call("status")["pid"], pid)
                # Another daemon still finds the name taken.
                other = self.scratch.write("other.conf", configuration_text(str(place)).replace(".store", ".other"))
                self.assertEqual(run_program(FRICIDD, "--config", str(other)).returncode, 1)
        self.assertFalse(place.exists() or lock.exists())

    def test_a_name_that_something_else_took_is_told_and_taken_back_when_it_is_free(self):
        with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
            client.call("subscribe", topics=["event"])
            place = Path(daemon.socket_path)
            # In one step: else the daemon may have made the socket anew before.
            os.replace(self.scratch.write("mine", "mine"), place)
            told = client.notification("notify.event")["event"]
            self.assertEqual(told["code"], "socket_lost")
            self.assertIn("not a socket", told["sentence"])
            self.assertEqual(place.read_text(encoding="ascii"), "mine")
            place.unlink()
            self.assertEqual(client.notification("notify.event")["event"]["code"], "socket_renewed")
            with daemon.client() as newcomer:
                newcomer.call("status")

    def test_a_socket_that_somebody_puts_back_is_told_too(self):
        """Who was told that clients are kept out hears when they are not any more, whoever saw to it."""
        with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
            client.call("subscribe", topics=["event"])
            place, kept = Path(daemon.socket_path), Path(daemon.socket_path + ".kept")
            mine = Path(self.scratch.write("mine", "mine"))
            os.link(place, kept)
            mine.rename(place)
            self.assertEqual(client.notification("notify.event")["event"]["code"], "socket_lost")
            kept.rename(place)
            self.assertEqual(client.notification("notify.event")["event"]["code"], "socket_renewed")
            with daemon.client() as newcomer:
                newcomer.call("status")

    def test_a_limit_on_the_size_of_files_is_told_and_costs_no_life(self):
        # ThreadSanitizer keeps what it knows of constants in a larger file, or where it can make none, does without.
        limited = ["env", f"TMPDIR={self.scratch.path / 'none'}", "sh", "-c", 'ulimit -f 1000 && exec "$@"', "sh"]
        with Daemon(simulated_rig(duration_s=10.0), directory=self.scratch) as daemon:
            daemon.wait_until_ended()
            kept = count(file_of(daemon), "decay")
            self.assertGreater(kept, 0)
        with Daemon(simulated_rig(seed=6, duration_s=4000.0), directory=self.scratch, launcher=limited) as daemon:
            wait_for(lambda: events_of(daemon, "store_fault"), "store_fault")
            self.assertIn("a file may not become so large", events_of(daemon, "store_fault")[0])
            with daemon.client() as client:
                self.assertIn("a file may not become so large", client.call("status")["store"]["problem"])
            self.assertGreaterEqual(count(file_of(daemon), "decay"), kept)
        for program, arguments in ((FRICIDD, ["--offline", str(EXAMPLE_RECORDING)]), (FRICIDCTL, ["--help"])):
            with open(self.scratch.path / "output", "wb") as output:
                output.truncate(1000 * 512)
                output.seek(0, os.SEEK_END)
                done = subprocess.run([*limited, program, *arguments], stdout=output, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 1, done)
            self.assertIn(b"too large", done.stderr)


def remove(*endings):
    def deed(store):
        for ending in endings:
            (store / f"fricid.db{ending}").unlink()
    return deed


def cut_log(percent):
    def deed(store):
        log = store / "fricid.db-wal"
        os.truncate(log, log.stat().st_size * percent // 100)
    return deed


def move_folder(store):
    store.rename(store.with_name("elsewhere"))


def remove_folder(store):
    run_program("rm", "-rf", str(store))


class TakenAway(unittest.TestCase):
    """What happens to the files of a store while the daemon has them open."""

    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def live(self):
        return simulated_rig(seed=5, real_time=True, duration_s=0, source=QUICK, name="live")

    def published(self, client):
        """The id of the next result, which must be in the file of that name at this moment."""
        decay = client.notification("notify.result")["result"]["id"]
        try:
            return decay, count(file_of(self.daemon), "result", f"decay = {decay}") == 1
        except sqlite3.OperationalError:  # there is no such file
            return decay, False

    def latest(self, client):
        """The latest decay that was measured so far, stored or not."""
        (rig,) = client.call("status")["rigs"]
        return sum(channel["counters"]["decays"] for channel in rig["channels"])

    def published_again(self, client, latest):
        """The id of a result that is in the file. Those up to the latest decay of before may have been on their way to
        the client already, and one more that was being stored."""
        while not (decay := self.published(client))[1]:
            self.assertLessEqual(decay[0], latest + 1)
        return decay[0]

    def test_what_was_stored_is_there_again_within_seconds(self):
        deeds = {"all files": remove("", "-wal", "-shm"), "the database": remove(""), "the log": remove("-wal"),
                 "the index": remove("-shm"), "log and index": remove("-wal", "-shm"), "folder moved": move_folder,
                 "folder removed": remove_folder, "all of the log cut off": cut_log(0), "half of it": cut_log(50)}
        with Daemon(self.live(), directory=self.scratch) as self.daemon:
            path = Path(file_of(self.daemon))
            for done, (name, deed) in enumerate(deeds.items()):
                with self.subTest(name), self.daemon.client() as client:
                    client.call("subscribe", topics=["result"])
                    self.assertTrue(self.published(client)[1])
                    with held(self.daemon):
                        deed(path.parent)
                    decay = self.published_again(client, self.latest(client))
                    wait_for(lambda done=done: len(events_of(self.daemon, "store_repaired")) == done + 1, "the event")
                    self.assertRegex(events_of(self.daemon, "store_repaired")[-1],
                                     "was (removed or moved away|cut) while it was in use")
                    self.assertIsNone(client.call("status")["store"]["problem"])
                    self.assertGreater(len(client.call("samples", id=decay, count=10)["displacement"]), 0)
                    self.assertEqual(count(path, "result", f"decay <= {decay}"), decay)
                    self.assertEqual(stat.S_IMODE(os.stat(f"{path}.lock").st_mode), 0o600)
        self.assertEqual(events_of(self.daemon, "decay_lost") + events_of(self.daemon, "store_fault"), [])
        self.assertEqual(complaints(path, checksums=False), [])
        kept = count(path, "decay")
        with Daemon(directory=self.scratch) as daemon:
            self.assertEqual(len(daemon.wait_for_results(kept)), kept)
            self.assertEqual(events_of(daemon, "store_repaired"), [])

    def test_what_only_part_of_the_log_is_left_of_is_set_aside_once(self):
        # Far more than the log holds, most of which is of earlier rounds.
        with Daemon(simulated_rig(seed=6, duration_s=1000.0), directory=self.scratch) as daemon:
            daemon.wait_until_ended()
            path = Path(file_of(daemon))
            left = self.scratch.path / "left"
            shutil.copy(f"{path}-wal", left)
        path.unlink()
        shutil.copy(left, f"{path}-wal")
        with Daemon(directory=self.scratch) as daemon:
            wait_for(lambda: events_of(daemon, "store_set_aside"), "the event")
            time.sleep(3.0)
            said = events_of(daemon, "store_set_aside")
            self.assertEqual(len(said), 1, said)
            self.assertIn("it is missing or empty, and its log", said[0])
            with daemon.client() as client:
                self.assertIsNone(client.call("status")["store"]["problem"])
        with Daemon(directory=self.scratch) as daemon:
            time.sleep(2.0)
            self.assertEqual(events_of(daemon, "store_set_aside"), [])

    def test_what_stands_in_the_way_is_named(self):
        with Daemon(self.live(), directory=self.scratch) as self.daemon, self.daemon.client() as client:
            client.call("subscribe", topics=["result"])
            path = Path(file_of(self.daemon))
            for name in ("fricid.db-wal", "fricid.db-shm", "fricid.db.rescue"):
                with self.subTest(name), self.daemon.client() as other:
                    self.published(client)
                    place = path.parent / name
                    with held(self.daemon):
                        if name == "fricid.db.rescue":  # made only when the log is gone
                            place.mkdir()
                            (path.parent / "fricid.db-wal").unlink()
                        else:
                            put_folder_instead(place)
                    said = f"{place} is a folder, and a file is expected there"
                    wait_for(lambda said=said: said in "".join(events_of(self.daemon, "store_fault")), "the event")
                    wait_for(lambda: "is a folder" in (other.call("status")["store"]["problem"] or ""), what="the problem")
                    place.rmdir()
                    wait_for(lambda: other.call("status")["store"]["problem"] is None, "the end of the problem")
            decay = self.published_again(client, self.latest(client))
            self.assertEqual(count(path, "result", f"decay <= {decay}"), decay)
        self.assertEqual(events_of(self.daemon, "decay_lost"), [])

    def test_nothing_need_come_in_for_it(self):
        with Daemon(simulated_rig(seed=3, duration_s=20.0), directory=self.scratch) as self.daemon:
            self.daemon.wait_until_ended()
            path = Path(file_of(self.daemon))
            kept = count(path, "result")
            with held(self.daemon):
                remove("", "-wal", "-shm")(path.parent)
            wait_for(path.exists, "the file")
            wait_for(lambda: events_of(self.daemon, "store_repaired"), "the event")
            self.assertEqual(count(path, "result"), kept)

    def test_what_cannot_be_put_back_waits(self):
        with Daemon(self.live(), directory=self.scratch) as self.daemon, self.daemon.client() as client:
            client.call("subscribe", topics=["result"])
            self.published(client)
            path = Path(file_of(self.daemon))
            with held(self.daemon):
                move_folder(path.parent)
                path.parent.write_text("in the way")
            wait_for(lambda: events_of(self.daemon, "store_fault"), "the event")
            with self.daemon.client() as other:
                wait_for(lambda: other.call("status")["store"]["problem"], "the problem")
                latest = other.call("results.list")["results"][0]["id"]
                time.sleep(3.0)
                self.assertEqual(other.call("results.list")["results"][0]["id"], latest)
                path.parent.unlink()
                wait_for(lambda: other.call("status")["store"]["problem"] is None, "the end of the problem")
            while (decay := self.published(client))[0] <= latest:
                pass
            self.assertTrue(decay[1])
            self.assertEqual(count(path, "result", f"decay <= {decay[0]}"), decay[0])
        self.assertEqual(count(path, "decay", "id IN (SELECT decay FROM result GROUP BY decay HAVING count(*) > 1)"), 0)
        self.assertEqual(events_of(self.daemon, "decay_lost"), [])

    def test_what_somebody_puts_in_its_place_is_used_and_the_other_kept(self):
        with Daemon(simulated_rig(seed=3, duration_s=20.0), directory=self.scratch) as daemon:
            daemon.wait_until_ended()
            path = Path(file_of(daemon))
            backup = self.scratch.path / "backup.db"
            self.assertEqual(daemon.fricidctl("backup", backup).returncode, 0)
        early = count(backup, "decay")  # ids go on behind the last one of the file
        with Daemon(self.live(), directory=self.scratch) as self.daemon, self.daemon.client() as client:
            client.call("subscribe", topics=["result"])
            late = self.published(client)[0]
            os.rename(backup, path)
            wait_for(lambda: events_of(self.daemon, "store_repaired"), "the event")
            self.assertIn("was replaced by another file", events_of(self.daemon, "store_repaired")[0])
            kept = [name for name in path.parent.iterdir() if "replaced" in name.name]
            self.assertEqual(len(kept), 1)
            self.assertGreaterEqual(count(kept[0], "decay"), late)
            self.assertGreaterEqual(count(path, "decay"), early)
            before = self.latest(client) + early  # which the daemon before it had measured
            while (decay := self.published(client))[0] != early + 1:
                self.assertLessEqual(decay[0], before)
            self.assertTrue(decay[1])
            last_seq = client.call("status")["history"]["next_seq"]
        self.assertEqual(complaints(path, checksums=False), [])
        with Daemon(directory=self.scratch) as daemon, daemon.client() as client:
            self.assertGreaterEqual(client.call("status")["history"]["next_seq"], last_seq)


if __name__ == "__main__":
    main()
