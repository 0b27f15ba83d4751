# SPDX-License-Identifier: GPL-3.0-or-later
"""A killed daemon's log whose database is gone: what stands whole on the leaves of tables in it is saved.

What that is, is counted here by a reader of its own, from https://sqlite.org/fileformat2.html alone.
"""

import contextlib
import itertools
import shutil
import signal
import struct
import unittest
from pathlib import Path

from fricid_harness import Daemon, ScratchDirectory, drawn, simulated_rig
from run_tests import main
from store_files import complaints, count, events_of, file_of, fnv_1a, kill, opened, put_together, wait_for

HEADER, FRAME, PAGE = 32, 4120, 4096
LEAF_OF_TABLE = 13

TABLES = ("setup", "decay", "raw", "result", "document")


def shapes_of(path):
    """The tables by how many columns they have and whether the second is a text: no others of the store are so."""
    with contextlib.closing(opened(path)) as connection:
        types = {name: [row[2] for row in connection.execute(f"PRAGMA table_info({name})")] for name in TABLES}
    shapes = {(len(columns), columns[1].startswith("TEXT")): name for name, columns in types.items()}
    if len(shapes) < len(TABLES):
        raise AssertionError(f"these tables cannot be told apart: {types}")
    return shapes


def varint(data, at):
    number = 0
    for i in range(8):
        number = number << 7 | data[at + i] & 0x7F
        if not data[at + i] & 0x80:
            return number, at + i + 1
    return number << 8 | data[at + 8], at + 9


def values(payload):
    """The values of a record: bytes for texts and blobs, whole numbers, None for all else."""
    constants = {8: 0, 9: 1}
    end, at = varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = varint(payload, at)
        kinds.append(kind)
    row = []
    for kind in kinds:
        size = (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind]
        field = payload[end : end + size]
        end += size
        whole = int.from_bytes(field, "big", signed=True) if 1 <= kind <= 6 else constants.get(kind)
        row.append(field if kind >= 12 else whole)
    return row


def payload_of(page, at, length, pages):
    """The bytes of a row, with those that stand on other pages; None when one of these is not there."""
    if length <= PAGE - 35:
        return page[at : at + length]
    local = 489 + (length - 489) % (PAGE - 4)
    local = local if local <= PAGE - 35 else 489
    payload, (following,) = page[at : at + local], struct.unpack_from(">I", page, at + local)
    while len(payload) < length:
        if following not in pages:
            return None
        payload += pages[following][4:]
        (following,) = struct.unpack_from(">I", pages[following])
    return payload[:length]


def rows_of(page, pages):
    (cells,) = struct.unpack_from(">H", page, 3)
    for (at,) in struct.iter_unpack(">H", page[8 : 8 + 2 * cells]):
        length, at = varint(page, at)
        number, at = varint(page, at)
        payload = payload_of(page, at, length, pages)
        if payload is not None:
            yield number, values(payload)


def frames_of(log):
    """Page number, first salt and place of each frame. Of one frame of an earlier round alone nobody can tell whether
    it is whole: its checksum goes on from that of the one before."""
    frames = [(*struct.unpack_from(">IIII", log, at)[::2], at) for at in range(HEADER, len(log) - FRAME + 1, FRAME)]
    salts = [None, *(salt for _, salt, _ in frames), None]
    (latest,) = struct.unpack_from(">I", log, 16)
    return [frame for i, frame in enumerate(frames) if frame[1] in (latest, salts[i], salts[i + 2])]


class Log:
    """The ids of what a log holds whole: of each page the version that was written last, in whatever round."""

    def __init__(self, log, shapes):
        frames = frames_of(log)
        pages = {number: log[at + FRAME - PAGE : at + FRAME]
                 for number, _, at in sorted(frames, key=lambda frame: frame[1:])}
        self.rounds = len({salt for _, salt, _ in frames})
        found = {name: {} for name in TABLES}
        for number, page in pages.items():
            if number > 1 and page[0] == LEAF_OF_TABLE:
                for rowid, row in rows_of(page, pages):
                    found.get(shapes.get((len(row), isinstance(row[1], bytes))), {})[rowid] = row
        self.sound = {decay for decay, (_, coding, samples, time_s, flags, checksum) in found["raw"].items()
                      if b"%016x" % fnv_1a(coding, samples, time_s, flags) == checksum}
        described = {decay for decay, row in found["decay"].items() if row[1] in found["setup"]}
        self.decays = self.sound & described
        self.results = {row[1] for result, row in found["result"].items()
                        if result in found["document"] and row[1] in described}


def stored(path):
    """Samples by decay, and published texts by decay and revision."""
    with contextlib.closing(opened(path)) as connection:
        samples = connection.execute("SELECT decay, coding, raw.samples, time_s, flags, unit, calibration, code_coefficients"
                                     " FROM raw JOIN decay ON decay.id = decay JOIN setup ON setup.id = setup")
        texts = connection.execute("SELECT decay, revision, text, summary FROM result JOIN document ON result = result.id")
        return {row[0]: row[1:] for row in samples}, {row[:2]: row[2:] for row in texts}


class WithoutItsFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A daemon that was killed in the middle of its work, after its log had begun anew several times."""
        cls.scratch = ScratchDirectory()
        cls.addClassCleanup(cls.scratch.remove)
        cls.killed = cls.scratch.path / "killed"
        with Daemon(simulated_rig(seed=8, duration_s=0), directory=cls.scratch) as daemon:
            cls.path = Path(file_of(daemon))
            wait_for(lambda: count(cls.path, "result") > 50, what="a store of some size")
            cls.shapes = shapes_of(cls.path)
            wait_for(lambda: cls.is_worth_a_look(daemon), what="a log with something of everything")
            kill(daemon)
            daemon.stop = lambda: None
            Path(daemon.socket_path).unlink()
        cls.path.parent.rename(cls.killed)
        cls.log = (cls.killed / "fricid.db-wal").read_bytes()
        look = cls.scratch.path / "look"
        shutil.copytree(cls.killed, look)
        cls.samples, cls.texts = stored(look / "fricid.db")

    @classmethod
    def is_worth_a_look(cls, daemon):
        """Holds the daemon; lets it go on when its log does not have enough at this moment."""
        daemon.process.send_signal(signal.SIGSTOP)
        log = Log(Path(f"{cls.path}-wal").read_bytes(), cls.shapes)
        if log.rounds > 1 and len(log.decays) > 5 and len(log.results) > 5:
            return True
        daemon.process.send_signal(signal.SIGCONT)
        return False

    def leave(self, log, index):
        shutil.rmtree(self.path.parent, ignore_errors=True)
        self.path.parent.mkdir()
        Path(f"{self.path}-wal").write_bytes(log)
        if index:
            shutil.copy(self.killed / "fricid.db-shm", f"{self.path}-shm")

    def start(self, told):
        """Starts on what was left, until that is told as often as it should be; what was said."""
        with Daemon(directory=self.scratch) as daemon:
            wait_for(lambda: len(events_of(daemon, "store_set_aside")) >= told, "the event")
            with daemon.client() as client:
                wait_for(lambda: client.call("status")["store"]["problem"] is None, "the store")
                wait_for(lambda: client.call("status")["store"]["decays"] == count(self.path, "decay"), "the decays")
            return events_of(daemon, "store_set_aside")

    def save(self):
        """Starts on what was left, and makes a store of what was set aside; what the daemon and the repair said."""
        said = self.start(told=1)
        self.assertEqual(len(said), 1, said)
        report = put_together(self.path)
        self.assertEqual(self.start(told=0), [])
        return said[0], report

    def assert_saved(self, log, index=False):
        self.leave(log, index)
        whole = Log(log, self.shapes)
        report = self.save()[1]
        saved_samples, saved_texts = stored(self.path)
        with contextlib.closing(opened(self.path)) as connection:
            decays = {row[0] for row in connection.execute("SELECT id FROM decay")}
        self.assertEqual(whole.decays - saved_samples.keys(), set())
        self.assertEqual(whole.results - {decay for decay, _ in saved_texts}, set())
        for decay, samples in saved_samples.items():
            if decay in self.samples:
                self.assertEqual(samples, self.samples[decay], decay)
            else:  # the daemon was killed before its transaction ended
                self.assertIn(decay, whole.sound)
        for result, text in saved_texts.items():
            if result in self.texts:  # else it was made anew from samples
                self.assertEqual(text, self.texts[result], result)
        self.assertIn(f"{len(decays)} decays", report)
        self.assertEqual([sentence for sentence in complaints(self.path, checksums=False)
                          if not sentence.startswith("decays without samples")], [])
        # There is nothing left to repair.
        self.assertEqual(self.start(told=0), [])
        self.assertEqual(stored(self.path)[0], saved_samples)
        return whole

    def test_whole_log(self):
        for index in (False, True):
            with self.subTest(index=index):
                whole = self.assert_saved(self.log, index)
                self.assertGreater(len(whole.decays), 5)

    def test_part_of_the_log(self):
        frames = (len(self.log) - HEADER) // FRAME
        # Whole frames, and half of one; of a log of a thousand that is also before the end of its last round.
        sizes = (frames // 2 * FRAME + HEADER, frames * 3 // 4 * FRAME + FRAME // 2, frames // 8 * FRAME + HEADER + 5)
        for size, index in drawn(itertools.product(sizes, (False, True))):
            with self.subTest(size=size, index=index):
                self.assert_saved(self.log[:size], index)

    def test_file_that_is_empty(self):
        self.leave(self.log, index=False)
        self.path.touch()
        self.assertIn("it is missing or empty", self.save()[0])
        self.assertEqual(Log(self.log, self.shapes).decays - stored(self.path)[0].keys(), set())

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_power_cut_while_it_is_set_aside(self):
        """However far it had come, the next start tells the same, and as much can be saved."""
        whole = Log(self.log, self.shapes)
        cuts = [("pwrite64", written) for written in (2, 20, 50)]
        for call, number in drawn((*cuts, ("link", 2), ("link", 3), ("fsync", 2), ("rename", 1), ("rename", 2))):
            with self.subTest(call=call, number=number):
                self.leave(self.log, index=False)
                cut = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
                       "-e", f"inject={call}:signal=KILL:when={number}"]
                daemon = Daemon(directory=self.scratch, launcher=cut)
                with self.assertRaisesRegex(AssertionError, "ended at once"):
                    daemon.__enter__()
                self.assertFalse(self.path.exists())
                self.assertIn("is kept", self.save()[0])
                self.assertEqual(whole.decays - stored(self.path)[0].keys(), set())
                self.assertFalse(Path(f"{self.path}.new").exists())

    def test_every_transaction_with_a_decay_has_what_its_samples_need(self):
        transactions = {}  # by round
        for at in range(HEADER, len(self.log) - FRAME + 1, FRAME):
            frame = self.log[at : at + FRAME]
            latest = transactions.setdefault(frame[8:16], [b""])
            latest[-1] += frame
            if frame[4:8] != bytes(4):  # the last of its transaction
                latest.append(b"")
        seen = set()
        for some in transactions.values():
            # The beginning of the first of an earlier round is written over; behind the last there is none, or half.
            for number, transaction in enumerate(some[:-1]):
                whole = Log(bytes(HEADER) + transaction, self.shapes)
                if number > 0:
                    self.assertEqual(whole.sound - seen - whole.decays, set())
                seen |= whole.sound
        self.assertGreater(len(seen), 0)


if __name__ == "__main__":
    main()
