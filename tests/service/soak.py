# SPDX-License-Identifier: GPL-3.0-or-later
"""A day of the laboratory on a virtual clock, as fast as the daemon takes it, with clients that come and go.

soak.py HOURS: prints what was seen and fails when memory or descriptors grow, a counter does not add up, or a result
does not show the rig's truth. test_soak.py runs a short one.
"""

import json
import os
import random
import sqlite3
import sys
import threading
import time

from fricid_harness import PATIENCE_S, Client, Daemon, Decay, ProtocolError, seconds, simulated_rig

RATE = 1000.0
# Small limits, so that what is held is soon as much as it will ever be.
SERVICE = "results_held = 50; samples_held_bytes = 4000000; queue_max_bytes = 64000000;"
RECORDER = "recorder = { last_s = 10.0; };\n"
# Of which memory may grow between the second quarter and the last, kB: the allocator's own; in a run of minutes also
# what the store's caches still take until they are full.
GROWTH_KB = 4096
FILLING_KB = 16384
# The writer and the reader of the store open three files each when they first need them.
STORE_FILES = 6
TRUTH = {"zeta": 0.0177, "x_k": 0.413 / 2310 * 1000}


class Visitors(threading.Thread):
    """One client after the other: asks, subscribes, leaves politely or in the middle of an answer."""

    def __init__(self, path, seed):
        super().__init__()
        self.path, self.dice, self.stopped = path, random.Random(seed), threading.Event()
        self.count, self.slowest_s, self.failure = 0, 0.0, None

    def run(self):
        try:
            while not self.stopped.wait(0.01):
                self.visit()
                self.count += 1
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def visit(self):
        with Client(self.path) as client:
            for _ in range(self.dice.randrange(1, 4)):
                begun = time.monotonic()
                getattr(self, self.dice.choice(("status", "results", "samples", "subscribe", "identify")))(client)
                self.slowest_s = max(self.slowest_s, time.monotonic() - begun)
            if self.dice.random() < 0.3:
                client.send_line(json.dumps({"jsonrpc": "2.0", "method": "results.list", "id": 0}))

    @staticmethod
    def status(client):
        client.call("status")

    @staticmethod
    def held(client, method, summaries, **parameters):
        """Asks for each; what is held at one moment may be gone at the next."""
        for summary in summaries:
            try:
                client.call(method, id=summary["id"], **parameters)
            except ProtocolError as error:
                if error.name != "not_found":
                    raise

    def results(self, client):
        self.held(client, "results.get", client.call("results.list", limit=5)["results"])

    def samples(self, client):
        self.held(client, "samples", client.call("results.list", limit=1)["results"], count=100)

    @staticmethod
    def subscribe(client):
        client.call("subscribe", topics=["result", "event", "progress"])
        time.sleep(0.02)

    @staticmethod
    def identify(client):
        decay = Decay(x_s=0.2)
        client.call("identify", displacement=[decay.at(i * 2e-3) for i in range(500)], sample_rate_hz=500, whole=True)


def usage_of(process_id):
    """Resident memory, kB, and open descriptors."""
    with open(f"/proc/{process_id}/status", encoding="ascii") as file:
        memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
    return memory, len(os.listdir(f"/proc/{process_id}/fd"))


def holey_recording(path, hours):
    """A recording with stamps of its own, holes in them, and values that are not there; returns its rows and holes."""
    dice, lines, now, lost = random.Random(7), ["time_s,lvdt_mm"], 0.0, 0
    rows = int(min(hours, 1) * 36000)
    for row in range(rows):
        if row % 5000 == 4999:
            now += 0.5
            lost += 1
        now += 0.01 + dice.uniform(-1e-4, 1e-4)
        lines.append(f"{now:.6f},{dice.gauss(0, 0.01):.4f}")
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return rows, lost


def check_counters(status, scans, holes):
    """Every scan is accounted for: what came in, what is known to be missing, and the same in every channel."""
    for rig in status["rigs"]:
        taken, lost = rig["counters"]["scans"], rig["counters"]["lost_scans"]
        for channel in rig["channels"]:
            counters = channel["counters"]
            assert counters["samples"] + counters["lost_samples"] == taken + lost, (rig["name"], counters, taken, lost)
            assert counters["gaps"] == rig["counters"]["gaps"], (rig["name"], counters)
        assert taken == scans[rig["name"]], (rig["name"], taken, scans)
        assert rig["counters"]["gaps"] == holes[rig["name"]], (rig["name"], rig["counters"])
        assert rig["counters"]["decays_lost"] == 0
        assert (lost > 0) == (holes[rig["name"]] > 0)
    decays = sum(channel["counters"]["decays"] for rig in status["rigs"] for channel in rig["channels"])
    assert status["store"]["decays"] == decays, (status["store"], decays)
    assert status["store"]["results"] == decays, (status["store"], decays)
    assert status["history"]["next_seq"] > decays
    return decays


def check_memory(figures, hours):
    quarter = len(figures) // 4
    early = max(memory for memory, _ in figures[quarter:2 * quarter] or figures[:1])
    late = max(memory for memory, _ in figures[-quarter:])
    # ThreadSanitizer keeps four bytes of shadow and nearly half a byte of notes for each of the heap's. Measured: while
    # that filled by 3.8 MB in 0.05 h, 15.4 and 1.5 MB came with it; in 0.2 h by 13.9 MB, with 58 and 6, and then no more.
    growth = GROWTH_KB if hours >= 1 else FILLING_KB * (2 if "TSAN_OPTIONS" in os.environ else 1)
    assert late <= early + growth, f"resident memory grew from {early} to {late} kB"
    return early, late


def check_results(client, least):
    """The truth within its intervals most of the time; with 95 % intervals no honest rig does much worse."""
    results = client.call("results.list", limit=50, verdict="ok")["results"]
    assert len(results) >= least, len(results)
    for name, truth in TRUTH.items():
        inside = sum(r[name]["ci95"][0] <= truth <= r[name]["ci95"][1] for r in results)
        assert inside >= 0.7 * len(results), (name, inside, len(results))


def watch_until_ended(daemon, client, limit_s):
    """Memory and descriptors twice a second, until every source has ended and every decay is kept."""
    figures, end = [], time.monotonic() + limit_s
    while True:
        status = client.call("status")
        figures.append(usage_of(daemon.process.pid))
        decays = sum(channel["counters"]["decays"] for rig in status["rigs"] for channel in rig["channels"])
        if all(rig["condition"] == "ended" for rig in status["rigs"]) and status["store"]["results"] == decays:
            return figures, status
        assert time.monotonic() < end, json.dumps(status, indent=1)
        time.sleep(0.05 if len(figures) < 100 else 0.5)


def number_from(daemon, first):
    """A store whose decays and notifications are numbered from there on, as after that many of them."""
    daemon.__enter__()
    daemon.stop()
    with sqlite3.connect(daemon.socket_path + ".store/fricid.db") as database:
        database.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('decay', ?)", (first - 1,))
        changed = database.execute("UPDATE meta SET value = ? WHERE name = 'next_seq'", (first,))
        assert changed.rowcount == 1
    database.close()


def check_numbers(client, first, decays):
    """Ids and seq have gone on from there, without a jump back and without one twice."""
    ids = [result["id"] for result in client.call("results.list", limit=1000)["results"]]
    assert ids == sorted(set(ids), reverse=True) and first <= ids[-1] and ids[0] == first + decays - 1, (first, ids[:3])
    seq = client.call("results.get", id=ids[0])["seq"]
    # A decay is stored a moment before its notification takes a number: only a later answer knows of both.
    history = client.call("status")["history"]
    assert first + decays <= seq + 1 and seq < history["next_seq"], (first, seq, history)


def soak(hours, first_scan=0, first_number=1, limit_s=3600.0, visitors=3, counter_bits=16):
    """Runs `hours` of the simulated rig and says in one line what was seen. first_number: of decays and seq."""
    source = f"sample_rate_hz = {RATE}; first_scan = {first_scan}L;"
    channels = ('{ name = "lvdt"; sensor = "lvdt"; }, '
                f'{{ name = "encoder"; sensor = "encoder"; counter_bits = {counter_bits}; }}')
    # A sanitizer keeps what was freed, hundreds of megabytes of it: little of that here, or memory cannot be judged.
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
    daemon = Daemon(service=SERVICE)
    recording = daemon.scratch.path / "holes.csv"
    rows, holes = holey_recording(recording, hours)
    if first_number > 1:
        number_from(daemon, first_number)
    rigs = simulated_rig(duration_s=hours * 3600, source=source, channels=channels) + f""",
        {{ name = "holes"; source = {{ kind = "recording"; file = "{recording}"; real_time = false; }}; }}"""
    text = daemon.configuration_path.read_text(encoding="utf-8").replace("rigs = (\n", "rigs = (\n" + rigs)
    daemon.configuration_path.write_text(RECORDER + text, encoding="utf-8")
    begun = time.monotonic()
    with daemon, daemon.client() as client:
        threads = [Visitors(daemon.socket_path, seed) for seed in range(visitors)]
        for thread in threads:
            thread.start()
        figures, status = watch_until_ended(daemon, client, limit_s)
        for thread in threads:
            thread.stopped.set()
            thread.join()
        took = time.monotonic() - begun
        for thread in threads:
            if thread.failure:
                raise thread.failure
        decays = check_counters(status, {"bearing": round(hours * 3600 * RATE), "holes": rows},
                                {"bearing": 0, "holes": holes})
        early, late = check_memory(figures, hours)
        if first_number > 1:
            check_numbers(client, first_number, decays)
        check_results(client, min(30, decays // 2))
        deadline = time.monotonic() + seconds(PATIENCE_S)
        while usage_of(daemon.process.pid)[1] > figures[0][1] + STORE_FILES and time.monotonic() < deadline:
            time.sleep(0.05)
        assert usage_of(daemon.process.pid)[1] <= figures[0][1] + STORE_FILES, (figures[0], usage_of(daemon.process.pid))
        with open(f"/proc/{daemon.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    visits = sum(thread.count for thread in threads)
    return (f"{hours:g} h of virtual stream from scan {first_scan}, decay {first_number}, in {took:.0f} s ({cpu:.0f} s of processor time): "
            f"{status['rigs'][0]['counters']['scans']} scans, {decays} decays, {visits} visits, slowest answer "
            f"{max(thread.slowest_s for thread in threads) * 1000:.0f} ms, resident {early} -> {late} kB, "
            f"{max(count for _, count in figures)} descriptors at most")


if __name__ == "__main__":
    print(soak(float(sys.argv[1]) if len(sys.argv) > 1 else 24.0), flush=True)
    # No client can ask for a decay beyond 2^53 - 1: the protocol keeps to integers that every JSON reader has.
    for power, first_number in ((31, 2**31 - 100), (32, 2**32 - 100), (53, 2**53 - 10000), (62, 2**53 - 10000)):
        print(soak(0.5, first_scan=2**power - 100000, first_number=first_number), flush=True)
