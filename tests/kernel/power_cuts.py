#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""usage: power_cuts.py GUEST JOB: cuts a guest's power again and again while fricidd stores decays on its disk.

What a client has printed onto the guest's serial line was published. After the last cut all of it must be found again,
and the store be whole. A cut kills the emulator: the guest's memory is gone, and so is what its disk had been given since
it was last told to flush (see `boot`). FRICID_CUTS and FRICID_SEED choose how many, and which.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "service"))
import store_files  # noqa: E402

# What a guest may take on a busy machine until it has published as much as is waited for.
PATIENCE_S = 900
# How often what a guest has published is looked at: the pause that follows is what spreads the cuts.
LOOK_S = 0.1

# Far more than all decays of all cuts need: a daemon whose disk is full publishes nothing.
DISK_BYTES = 1 << 28

# A hand that wastes no time, on a rig that goes with the clock: what is found is identified soon, so that cuts come upon
# all that is done with a result, and no more is left for the next guest than it can do. The emulator skips the time in
# which a guest has nothing to do. Ladders of all decays would take it an hour.
CONFIGURATION = """service = {{ socket = "/tmp/s"; ladder_deadline_s = 0; }};
store = {{ directory = "/disk/store"; }};
rigs = ( {rigs} );
"""
RIG = """{{ name = "bearing"; channels = ( {{ name = "lvdt"; sensor = "lvdt"; }}, {{ name = "encoder"; sensor = "encoder"; }} );
  source = {{ kind = "simulated"; real_time = true; duration_s = 1e6; seed = {seed};
    zeta = 0.06; pull_s = 0.1; hold_s = 0.3; rest_s = 0.2; }}; }}"""

# An emulator that has a tenth of a processor is answered late: who watches has patience.
STORING = """{preload} "$FRICIDD" --config /job/fricid.conf 2>/dev/ttyS0 &
until "$FRICIDCTL" --socket /tmp/s version >/dev/null 2>&1; do sleep 0.05; done
exec "$FRICIDCTL" --socket /tmp/s --timeout 600 --json watch 2>/dev/ttyS0
"""
LOOKING = """"$FRICIDD" --config /job/fricid.conf 2>/dev/ttyS0 &
daemon=$!
until "$FRICIDCTL" --socket /tmp/s version >/dev/null 2>&1; do sleep 0.05; done
/usr/bin/python3 /job/tests/kernel/ask_again.py /tmp/s </job/asked || exit 1
kill $daemon
wait $daemon
"""
PROGRAMS = "export FRICIDD=/usr/local/sbin/fricidd FRICIDCTL=/usr/local/bin/fricidctl\n"


class Disk:
    """An ext4 file system, and what each boot of a guest wrote onto it: an image upon the last one."""

    def __init__(self, guest, job):
        self.guest, self.job, self.boots, self.log = guest, job, 0, ""
        shutil.copytree(guest / "payload", job / "files", copy_function=os.link)
        self.image = job / "disk0"
        with open(self.image, "wb") as empty:
            empty.truncate(DISK_BYTES)
        subprocess.run(["mke2fs", "-q", "-t", "ext4", str(self.image)], check=True)

    def start(self, script, rigs="", asked=""):
        """A guest with this disk in it that runs the script; its emulator is in a process group of its own."""
        self.boots += 1
        below = "raw" if self.boots == 1 else "qcow2"
        image = self.job / f"disk{self.boots}"
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", below, "-b", str(self.image), str(image)], check=True)
        self.image = image
        there = self.job / "files" / "job"
        (there / "fricid.conf").write_text(CONFIGURATION.format(rigs=rigs))
        (there / "job").write_text(PROGRAMS + script)
        (there / "asked").write_text(asked)
        subprocess.run([str(HERE / "pack"), str(self.job / "files"), str(self.job / "files.cpio")], check=True)
        (self.job / "output").write_text("")
        boot = [HERE / "boot", "-t", str(2 * PATIENCE_S), "-d", image, self.guest, self.job, "disk"]
        return subprocess.Popen([str(word) for word in boot], start_new_session=True)

    def published(self):
        """The results that have arrived as whole lines."""
        lines = (self.job / "output").read_text(errors="replace").split("\n")[:-1]
        notes = [json.loads(line) for line in lines]
        return [note["params"]["result"] for note in notes if note["method"] == "notify.result"]

    def whole_lines(self):
        """How many lines have arrived, which is sooner known than what they say."""
        return (self.job / "output").read_bytes().count(b"\n")

    def copy(self, name, to):
        """A file of the file system, which is not in use."""
        whole = self.job / "whole"
        subprocess.run(["qemu-img", "convert", "-O", "raw", str(self.image), str(whole)], check=True)
        subprocess.run(["debugfs", "-R", f"dump {name} {to}", str(whole)], check=True, stderr=subprocess.DEVNULL)
        whole.unlink()

    def keep_log(self):
        """What the daemon said, and the guest's kernel."""
        self.log += (self.job / "console").read_text(errors="replace")


def store_until_cut(disk, seed, results, pause_s, preload=""):
    """Lets a guest publish so many results, waits a little longer, cuts its power; what had been published."""
    emulator = disk.start(STORING.format(preload=preload), RIG.format(seed=seed))
    end = time.monotonic() + PATIENCE_S
    try:
        while disk.whole_lines() < results or len(disk.published()) < results:
            if time.monotonic() > end or emulator.poll() is not None:
                disk.keep_log()
                raise AssertionError(f"only {len(disk.published())} of {results} results\n{disk.log}")
            time.sleep(LOOK_S)
        time.sleep(pause_s)
    finally:
        if emulator.poll() is None:
            os.killpg(emulator.pid, signal.SIGKILL)
            emulator.wait()
    disk.keep_log()
    return disk.published()


def look(disk, results):
    """Those of the results that a daemon on this disk no longer has as they were published, and how many of the others
    it has under another number: a notification's number is on the disk a moment after the result, and what a power cut
    comes upon in between is published again."""
    emulator = disk.start(LOOKING, asked="".join(f"{result['id']}\n" for result in results))
    status = emulator.wait(timeout=2 * PATIENCE_S)
    disk.keep_log()
    if status != 0:
        raise AssertionError(disk.log)
    answers = [json.loads(line) for line in (disk.job / "output").read_text().splitlines()]
    assert len(answers) == len(results)
    found = [answer.get("result", {}) for answer in answers]
    missing = [result for result, kept in zip(results, found) if {**kept, "seq": None} != {**result, "seq": None}]
    assert all(kept["seq"] >= result["seq"] for result, kept in zip(results, found) if kept)
    return missing, sum(kept.get("seq") != result["seq"] for result, kept in zip(results, found)) - len(missing)


def cut_again_and_again(guest, job, cuts, chance):
    disk, results = Disk(guest, job), []
    for turn in range(1, cuts + 1):
        wanted, pause_s = chance.randrange(1, 25), chance.uniform(0, 0.3)
        new = store_until_cut(disk, chance.randrange(1 << 30), wanted, pause_s)
        results += new
        print(f"  cut {turn}: {len(new)} results published", flush=True)
    missing, again = look(disk, results)
    store = job / "fricid.db"
    disk.copy("/store/fricid.db", store)
    wrong, decays = store_files.complaints(store), store_files.count(store, "decay")
    unidentified = store_files.count(store, "decay", "revision = 0")
    print(f"  {cuts} cuts: {len(results)} results published, {len(missing)} not found again, {again} published twice; {decays} "
          f"decays in the store, {unidentified} of them not identified; integrity_check and checksums: {'; '.join(wrong) or 'ok'}")
    assert not missing, [(result["id"], result["seq"]) for result in missing]
    assert not wrong
    assert unidentified == 0
    for name in ("id", "seq"):
        assert len({result[name] for result in results}) == len(results), f"one {name} was given twice"
    assert decays >= len(results) > cuts
    assert "damaged" not in disk.log, disk.log


def without_sync(guest, job, chance):
    """The same with a daemon whose syncs do nothing: unless that loses results, the cuts above prove nothing."""
    disk = Disk(guest, job)
    results = store_until_cut(disk, chance.randrange(1 << 30), 10, 0, "LD_PRELOAD=/job/no_sync.so")
    missing, _ = look(disk, results)
    print(f"  without syncs: {len(results)} results published, {len(missing)} not found again")
    assert missing


def main():
    guest, job = Path(sys.argv[1]), Path(sys.argv[2])
    cuts = int(os.environ.get("FRICID_CUTS", "20"))
    seed = int(os.environ.get("FRICID_SEED", "0")) or random.SystemRandom().randrange(1 << 30)
    print(f"{cuts} power cuts, seed {seed}", flush=True)
    chance = random.Random(seed)
    for name in ("cuts", "without_sync"):
        (job / name).mkdir()
    without_sync(guest, job / "without_sync", chance)
    cut_again_and_again(guest, job / "cuts", cuts, chance)


if __name__ == "__main__":
    main()
