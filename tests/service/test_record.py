# SPDX-License-Identifier: GPL-3.0-or-later
"""fricidctl record: what it writes gives, read back, the results that the stream gave."""

import base64
import datetime
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import time
import unittest
from pathlib import Path

from fricid_harness import (
    FRICIDCTL,
    PATIENCE_S,
    Daemon,
    Decay,
    ProtocolError,
    ScratchDirectory,
    csv_text,
    fricidctl,
    offline,
    recording_rig,
    release,
    run_program,
    seconds,
    simulated_rig,
)
from fake_fricidd import FakeFricidd
from run_tests import main
from store_files import wait_for

SANITIZED = os.environ.get("TEST_SLOWNESS", "1") != "1"


def rig(sample_rate_hz=1000.0, source="", **settings):
    """A simulated rig whose scans have round times."""
    return simulated_rig(source=f"sample_rate_hz = {sample_rate_hz}; {source}", **settings)


# What of a result comes from its samples and settings. What comes from the way there (ids, times of day, the source's
# kind, which a recording is now) is left out.
SECTIONS = ["verdict", "recommended", "record", "units", "fit", "extrema_fit", "decrement", "models", "static_friction",
            "physical", "drift", "windows", "budget", "flags", "logarithmic_decrement", "linear_decrement",
            "jacobsen_ayre", "model_choice"]
# What the stream before the recording has to say to a decay within it: the noise that was learned meanwhile, and how
# much was kept from before the release. None of it enters a fit.
HISTORY = {"record.noise", "record.pretrigger_samples"}


def differences(first, second, path=""):
    """Paths and values that are not the same."""
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        for key in first:
            yield from differences(first[key], second[key], f"{path}.{key}" if path else key)
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for i, (a, b) in enumerate(zip(first, second)):
            yield from differences(a, b, f"{path}[{i}]")
    elif first != second:
        yield path, first, second


def is_rounding(first, second):
    """Whether two doubles are neighbours, or nearly: an index times a period was worked out in another order."""
    return isinstance(first, float) and isinstance(second, float) and abs(first - second) <= 1e-12 * abs(first)


def by_place(results):
    return {(result["channel"], round(result["record"]["start_s"], 3)): result for result in results}


def rows_of(path):
    """The rows of a recording as any program reads it: without its comments."""
    lines = [line for line in Path(path).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return lines[0].split(","), [[float(value) for value in line.split(",")] for line in lines[1:]]


class Recorded(unittest.TestCase):
    def results(self, daemon):
        daemon.wait_until_ended()
        with daemon.client() as client:
            summaries = client.call("results.list", limit=1000)["results"]
            return by_place(client.call("results.get", id=summary["id"]) for summary in summaries)

    def record(self, daemon, *arguments, name="r.csv"):
        path = daemon.scratch.path / name
        done = daemon.fricidctl("record", *arguments, "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def read_back(self, daemon, *paths):
        done = offline("--config", daemon.configuration_path, *paths)
        self.assertEqual(done.returncode, 0, done.stderr)
        return by_place(done.results)

    def assert_same(self, live, again, ignored=frozenset(), rounding=False):
        for place, result in again.items():
            for section in SECTIONS:
                for path, first, second in differences(live[place][section], result[section], section):
                    if path not in ignored and not (rounding and is_rounding(first, second)):
                        self.fail(f"{place}: {path} was {first} and is {second}")


def moment(result):
    return datetime.datetime.strptime(result["released_at"], "%Y-%m-%dT%H:%M:%S.%fZ")


class TheSameResults(Recorded):
    """The whole way: a rig, its decays, the recording of the rig, and the decays of the recording."""

    def test_of_a_whole_run_to_the_last_bit(self):
        """Two sensors, a multiplexer's delay, an odd period, and a range that clips every pull."""
        channels = ('{ name = "lvdt"; sensor = "lvdt"; noise_mm = 0.02; range_mm = 9.0; }, '
                    '{ name = "enc_1"; sensor = "encoder"; }')
        with Daemon(rig(1234.5, "channel_delay_s = 1.3e-5;", seed=21, duration_s=50, channels=channels)) as daemon:
            live = self.results(daemon)
            path = self.record(daemon, "--last", "10min")
            self.assertGreater(sum('{"clipped":' in line for line in open(path, encoding="utf-8")), 5)
            again = self.read_back(daemon, path)
        self.assertGreater(len(live), 10)
        self.assertEqual(live.keys(), again.keys())
        self.assert_same(live, again, ignored={"record.sample_rate_hz"})

    def test_of_the_last_seconds_wherever_they_begin(self):
        with Daemon(rig(seed=22, duration_s=80)) as daemon:
            live = self.results(daemon)
            for last in ("0.9min", "41234ms"):
                path = self.record(daemon, "--last", last, name=f"{last}.csv")
                again = self.read_back(daemon, path)
                _, rows = rows_of(path)
                # A decay that has a second before it, in which the segmenter learns the noise, is whole.
                whole = {place for place, result in live.items()
                         if result["record"]["start_s"] > rows[0][0] + 3}
                self.assertGreater(len(whole), 10)
                self.assertLessEqual(whole, again.keys())
                self.assert_same(live, {place: again[place] for place in whole}, HISTORY, rounding=True)

    def test_with_the_settings_of_the_rig(self):
        """Thresholds and mechanics are those of the rig that the recording names."""
        thresholds = rig(seed=23, duration_s=60).replace(
            "channels =", "segment = { start_below = 9.0; min_half_cycles = 5; };\n  channels =")
        with Daemon(thresholds) as daemon:
            live = self.results(daemon)
            again = self.read_back(daemon, self.record(daemon, "--last", "1h"))
        self.assertEqual(live.keys(), again.keys())
        self.assert_same(live, again)
        for result in again.values():
            self.assertLess(abs(result["extrema_fit"]["x0"]["value"]), 10.0)
            self.assertEqual(result["physical"]["mass_kg"], 1.92)

    def test_replayed_by_a_daemon(self):
        with Daemon(rig(seed=24, duration_s=60)) as daemon:
            live = self.results(daemon)
            path = self.record(daemon, "--last", "1h")
            # Mechanics belong to the configuration, and this one has another rig.
            with Daemon(recording_rig(path), directory=ScratchDirectory()) as other:
                self.addCleanup(other.scratch.remove)
                again = self.results(other)
        self.assertEqual(live.keys(), again.keys())
        for place, result in again.items():
            for section in ("record", "fit", "extrema_fit", "decrement"):
                self.assertEqual(list(differences(live[place][section], result[section], section)), [])

    def test_at_the_same_time_of_day(self):
        with Daemon(rig(seed=24, duration_s=14, real_time=True)) as daemon:
            live = self.results(daemon)
            path = self.record(daemon, "--last", "1h")
            identified = json.loads(daemon.fricidctl("identify", "--json", path).stdout)["results"]
            read = self.read_back(daemon, path)
            with Daemon(recording_rig(path), directory=ScratchDirectory()) as other:
                self.addCleanup(other.scratch.remove)
                again = self.results(other)
        self.assertGreater(len(live), 0)
        for results in (by_place(identified), read, again):
            self.assertEqual(results.keys(), live.keys())
            for place, result in results.items():
                self.assertAlmostEqual((moment(result) - moment(live[place])).total_seconds(), 0, delta=0.5)

    def test_of_stamped_samples(self):
        """As an encoder has them that is polled: stamps that tremble, and one that comes seconds late."""
        dice, late_s, text = random.Random(4), 0.0, ["time_s,encoder_mm"]
        times, displacements = release(Decay(x_s=0.19), rate=500.0, noise=0.01, seed=3)
        for turn in range(4):
            text += [f"{late_s + t + dice.uniform(0, 2e-4):.9f},{x:.12g}" for t, x in zip(times, displacements)]
            late_s += times[-1] + (7.0 if turn == 1 else 0.002)
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        source = scratch.write("stamped.csv", "\n".join(text) + "\n")
        with Daemon(recording_rig(source)) as daemon:
            live = self.results(daemon)
            again = self.read_back(daemon, self.record(daemon, "--last", "1h"))
        self.assertEqual(len(live), 4)
        self.assertEqual(live.keys(), again.keys())
        self.assert_same(live, again)

    def test_of_the_even_part_of_stamped_samples(self):
        """One stamp makes a stream one with time stamps; in the recording of its end they tick evenly, and stay stamps."""
        times, displacements = release(Decay(x_s=0.19), rate=500.0, noise=0.01, seed=3, lead=4)
        times = [t + (3e-4 if i == 100 else 0) for i, t in enumerate(times)]
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        with Daemon(recording_rig(scratch.write("one.csv", csv_text(times, displacements)))) as daemon:
            live = self.results(daemon)
            again = self.read_back(daemon, self.record(daemon, "--last", f"{times[-1] - 1:.3f}s"))
        self.assertEqual(len(live), 1)
        self.assertEqual(live.keys(), again.keys())
        self.assert_same(live, again, HISTORY)

    def test_with_gaps(self):
        """Scans that are missing, a break without any, and clipped samples: the recording of a recording has them."""
        with Daemon(rig(seed=31, duration_s=60)) as daemon:
            self.results(daemon)
            path = self.record(daemon, "--last", "1h")
            lines = path.read_text(encoding="utf-8").splitlines()
            lines[40001:40001] = ['#fricid {"clipped":{"encoder":7}}']
            lines[33000:33000] = ['#fricid {"gap":0}']
            del lines[20004:20500]
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        source = scratch.write("gaps.csv", "\n".join(lines) + "\n")
        with Daemon(recording_rig(source)) as daemon:
            live = self.results(daemon)
            path = self.record(daemon, "--last", "1h")
            again = self.read_back(daemon, path)
            marks = [line for line in open(path, encoding="utf-8") if line.startswith("#fricid ")][1:]
        self.assertEqual(marks, ['#fricid {"scan":0}\n', '#fricid {"scan":20496}\n', '#fricid {"scan":32996,"gap":0}\n',
                                 '#fricid {"clipped":{"encoder":7}}\n'])
        self.assertGreater(len(live), 20)
        self.assertEqual(live.keys(), again.keys())
        self.assert_same(live, again, rounding=True)

    def test_across_a_zero(self):
        """A channel that is zeroed breaks off, and only that one; the recording knows."""
        with Daemon(rig(seed=25, real_time=True, duration_s=0)) as daemon, daemon.client() as client:
            daemon.wait_for_results(2)
            client.call("zero", channel="lvdt")
            many = len(daemon.wait_for_results(1)) + 2
            daemon.wait_for_results(many)
            path = self.record(daemon, "--last", "1h")
            marks = [json.loads(line[len("#fricid "):]) for line in open(path, encoding="utf-8")
                     if line.startswith("#fricid ")]
            self.assertEqual([mark["channels"] for mark in marks if "gap" in mark], [["lvdt"]])
            summaries = client.call("results.list", limit=1000)["results"]
            live = by_place(client.call("results.get", id=summary["id"]) for summary in summaries)
            again = self.read_back(daemon, path)
            end_s = rows_of(path)[1][-1][0] - 3
        # Of a decay near its end, the recording may not have all that the stream had.
        both = {place for place in live.keys() & again.keys() if again[place]["record"]["end_s"] < end_s}
        self.assertGreaterEqual(len(both), 2)
        self.assert_same(live, {place: again[place] for place in both})


class TheFile(Recorded):
    def test_every_sample_is_there_once(self):
        with Daemon(rig(seed=3, duration_s=20)) as daemon, daemon.client() as client:
            daemon.wait_until_ended()
            header, rows = rows_of(self.record(daemon, "--last", "1h"))
            (recorded,) = client.call("recorder.find")["rigs"]
            (ring,) = recorded["rings"]
            values, row = [], 0
            while (piece := client.call("recorder.read", ring=ring["ring"], row=row))["count"] > 0:
                packed = base64.b64decode(piece["displacement"][0])
                values += struct.unpack(f"<{len(packed) // 8}d", packed)
                row += piece["count"]
            self.assertFalse(piece["flows"])
        self.assertEqual(header, ["time_s", "lvdt_mm", "encoder_mm"])
        self.assertEqual(len(rows), 20000)
        for i, (time_s, value, _) in enumerate(rows):
            self.assertEqual((time_s, value), (i * 0.001, values[i]))

    def test_names(self):
        with Daemon(rig(duration_s=10)) as daemon:
            daemon.wait_until_ended()
            (daemon.scratch.path / "here").mkdir()
            done = daemon.fricidctl("record", "--last", "5", cwd=daemon.scratch.path / "here")
            self.assertEqual(done.returncode, 0, done.stderr)
            (path,) = (daemon.scratch.path / "here").iterdir()
            self.assertRegex(path.name, r"^bearing-\d{8}T\d{6}Z\.csv$")
            self.assertIn(f"{path.name}: 5 s, 5000 scans of lvdt, encoder", done.stdout)
            self.assertEqual(path.stat().st_uid, os.getuid())

    def test_an_existing_file_is_kept_unless_forced(self):
        with Daemon(rig(duration_s=10)) as daemon:
            daemon.wait_until_ended()
            path = daemon.scratch.write("monday.csv", "mine")
            done = daemon.fricidctl("record", "--last", "5s", "-o", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--force", done.stderr)
            self.assertEqual(path.read_text(), "mine")
            done = daemon.fricidctl("record", "--last", "5s", "--force", "-o", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(rows_of(path)[1]), 5000)
            self.assertEqual([p.name for p in daemon.scratch.path.iterdir() if p.suffix == ".part"], [])

    def test_two_recordings_do_not_write_the_same_file(self):
        with Daemon(rig(duration_s=10)) as daemon:
            daemon.wait_until_ended()
            path, part = daemon.scratch.path / "r.csv", daemon.scratch.write("r.csv.part", "theirs")
            for force in ([], ["--force"]):
                done = daemon.fricidctl("record", "--last", "5s", "-o", path, *force)
                self.assertEqual(done.returncode, 2)
                self.assertIn("r.csv.part", done.stderr)
                self.assertEqual(part.read_text(), "theirs")
                self.assertFalse(path.exists())

    def test_standard_output_and_one_channel(self):
        with Daemon(rig(duration_s=10)) as daemon:
            daemon.wait_until_ended()
            done = daemon.fricidctl("record", "--last", "2s", "-o", "-", "--channel", "encoder")
            self.assertEqual(done.returncode, 0, done.stderr)
            path = daemon.scratch.write("piped.csv", done.stdout)
            header, rows = rows_of(path)
            self.assertEqual(header, ["time_s", "encoder_mm"])
            self.assertEqual(len(rows), 2000)
            done = daemon.fricidctl("record", "--last", "2s", "--channel", "other")
            self.assertEqual(done.returncode, 1)
            self.assertIn("no channel other", done.stderr)

    def test_a_full_disk_is_told(self):
        with Daemon(rig(duration_s=60)) as daemon:
            daemon.wait_until_ended()
            done = daemon.fricidctl("record", "--last", "60s", "-o", "/dev/full")
            self.assertEqual(done.returncode, 1)
            self.assertIn("the disk is full", done.stderr)
            self.assertTrue(os.path.exists("/dev/full"))

    def test_channels_that_are_sampled_apart_have_a_file_each(self):
        """A stream and a polled encoder, from a daemon that had to overwrite some of the encoder's rows."""
        def packed(values):
            return base64.b64encode(struct.pack(f"<{len(values)}d", *values)).decode()

        def ring(number, name, stamped):
            return {"ring": number, "stamped": stamped, "oldest_row": 0, "from_row": 0, "next_row": 4,
                    "channels": [{"name": name, "unit": "mm", "resolution": 0.0, "delay_s": 0.0}]}

        def read(params):
            row = max(params["row"], 2 if params["ring"] == 2 and params["row"] > 0 else 0)
            end = {0: 1, 1: 4, 2: 4}.get(row, 4) if params["ring"] == 2 else 4
            rows = list(range(row, end))
            stamps = packed([5 + 0.3 * i for i in rows]) if params["ring"] == 2 else ""
            return {"ring": params["ring"], "next_row": 4, "flows": True, "missed": row - params["row"], "row": row,
                    "count": len(rows), "time": stamps, "displacement": [packed([i / 3 for i in rows])], "flags": [""],
                    "run": {"scan": row, "origin_s": 0.0, "period_s": 0.25, "begins": row == 0, "broken": [False],
                            "lost": 0}}

        found = {"last_s": 600.0, "rigs": [
            {"rig": "bearing", "source": {"kind": "comedi", "device": "/dev/comedi0"}, "flows": True, "tells_gaps": True,
             "clock_ppm": 3.0, "time_error_s": 1e-5, "latest_s": 6.0, "held_s": 600.0, "room_s": 617.0, "reason": None,
             "rings": [ring(1, "lvdt", False), ring(2, "encoder", True)]}]}
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        methods = {"recorder.find": lambda _: found, "recorder.read": read}
        with FakeFricidd(methods) as fake:
            done = fricidctl("--socket", fake.path, "record", "--last", "60s", "-o", scratch.path / "mon.day")
            refused = fricidctl("--socket", fake.path, "record", "--last", "60s", "-o", "-")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--channel", refused.stderr)
        # What was overwritten is told, and is a gap in the file.
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 scans were overwritten", done.stderr)
        self.assertEqual(sorted(path.name for path in scratch.path.iterdir()), ["mon-encoder.day", "mon-lvdt.day"])
        self.assertEqual(rows_of(scratch.path / "mon-lvdt.day"),
                         (["time_s", "lvdt_mm"], [[0.25 * i, i / 3] for i in range(4)]))
        self.assertEqual(rows_of(scratch.path / "mon-encoder.day"),
                         (["time_s", "encoder_mm"], [[5 + 0.3 * i, i / 3] for i in (0, 2, 3)]))
        marks = [line for line in (scratch.path / "mon-encoder.day").read_text().splitlines() if line.startswith("#fricid ")]
        self.assertEqual(marks[1:], ['#fricid {"scan":0}', '#fricid {"scan":2,"gap":0}'])

    def test_json(self):
        with Daemon(rig(duration_s=10)) as daemon:
            daemon.wait_until_ended()
            path = daemon.scratch.path / "r.csv"
            done = daemon.fricidctl("--json", "record", "--last", "2s", "-o", path)
            (told,) = json.loads(done.stdout)["files"]
            self.assertAlmostEqual(told.pop("seconds"), 2.0, places=9)
            self.assertEqual(told, {"file": str(path), "channels": ["lvdt", "encoder"], "scans": 2000, "missed": 0,
                                    "whole": True})


class WhatCannotBe(Recorded):
    def test_usage(self):
        with Daemon(rig(duration_s=1) + ",\n" + rig(name="other", duration_s=1)) as daemon:
            daemon.wait_until_ended()
            for arguments, said in (((), "--last 60s"), (("--last", "x"), "duration"), (("--last", "0s"), "duration"),
                                    (("--for", "1,5s"), "duration"), (("--last", "1s"), "there are 2 rigs (bearing, other)")):
                done = daemon.fricidctl("record", *arguments)
                self.assertEqual(done.returncode, 2, arguments)
                self.assertIn(said, done.stderr)
            done = daemon.fricidctl("record", "--last", "1s", "nobody")
            self.assertEqual(done.returncode, 1)
            self.assertIn("no rig nobody", done.stderr)

    def test_less_is_held_than_wanted(self):
        with Daemon(rig(duration_s=10)) as daemon:
            daemon.wait_until_ended()
            path = daemon.scratch.path / "r.csv"
            done = daemon.fricidctl("record", "--last", "1h", "-o", path)
            self.assertEqual(done.returncode, 0)
            self.assertIn("only the last 9.999 s are held", done.stderr)
            self.assertEqual(len(rows_of(path)[1]), 10000)

    def with_recorder(self, settings, rig, launcher=()):
        """A daemon with a group `recorder`."""
        daemon = Daemon(rig, launcher=list(launcher))
        daemon.configuration = f"recorder = {{ {settings} }};\n" + daemon.configuration
        daemon.configuration_path.write_text(daemon.configuration, encoding="utf-8")
        return daemon

    def test_switched_off(self):
        with self.with_recorder("last_s = 0.0;", rig(duration_s=2)) as daemon:
            daemon.wait_until_ended()
            done = daemon.fricidctl("record", "--last", "1s")
            self.assertEqual(done.returncode, 1)
            self.assertIn("switched off", done.stderr)

    if not SANITIZED:  # a sanitizer wants all addresses for itself
        def test_memory_that_the_system_refuses(self):
            limited = ["prlimit", "--as=4000000000"]
            with self.with_recorder("last_s = 1e6; memory_bytes = 100000000000L;", rig(duration_s=2), limited) as daemon:
                daemon.wait_until_ended()
                wait_for(lambda: "nothing is recorded, because the system does not give the memory" in daemon.errors(),
                         what="word of memory that is refused")
                self.assertNotIn("raise memory_bytes", daemon.errors())

    def test_a_small_ring_holds_the_latest(self):
        """Memory for less than a second: an event says so, and the latest scans are there."""
        with self.with_recorder("memory_bytes = 18000;", rig(duration_s=100)) as daemon, daemon.client() as client:
            daemon.wait_until_ended()
            header, rows = rows_of(self.record(daemon, "--last", "1h"))
            client.call("subscribe", topics=["event"], from_seq=1)
            event = client.notification("notify.event")["event"]
            while event["reason"] != "recorder_short":
                event = client.notification("notify.event")["event"]
            self.assertIn("the last 1 s", event["sentence"])
            (shown,) = client.call("status")["rigs"]
            self.assertEqual(shown["recorder"]["bytes"], 18000)
            (ring,) = client.call("recorder.find")["rigs"][0]["rings"]
            # What was overwritten is told of, and counted.
            answer = client.call("recorder.read", ring=ring["ring"], row=5, count=10)
            self.assertEqual((answer["missed"], answer["row"], answer["count"]), (98995, 99000, 10))
            with self.assertRaises(ProtocolError) as refused:
                client.call("recorder.read", ring=ring["ring"] + 1, row=0)
            self.assertEqual(refused.exception.name, "not_found")
        self.assertTrue([round(1000 * time_s) for time_s, *_ in rows] == list(range(99000, 100000)))

    def test_a_ring_that_goes_away_leaves_what_was_fetched(self):
        with Daemon(rig(real_time=True, duration_s=0)) as daemon:
            path = daemon.scratch.path / "r.csv"
            recording = start_recording(daemon, path, "--for", "1h")
            wait_for_rows(path, 300)
            text = daemon.configuration.replace("seed = 1", "seed = 2")
            daemon.configuration_path.write_text(text, encoding="utf-8")
            daemon.process.send_signal(signal.SIGHUP)
            _, said = recording.communicate(timeout=seconds(PATIENCE_S))
            self.assertEqual(recording.returncode, 1, said)
            self.assertIn("reconfigured", said)
            self.assertGreater(len(rows_of(path)[1]), 300)


def start_recording(daemon, path, *arguments):
    return subprocess.Popen([FRICIDCTL, "--socket", daemon.socket_path, "record", *arguments, "-o", str(path)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until_held(daemon, held_s):
    """Until the recorder has so much."""
    deadline = time.monotonic() + seconds(PATIENCE_S)
    with daemon.client() as client:
        while time.monotonic() < deadline:
            if (client.call("status")["rigs"][0]["recorder"]["held_s"] or 0) >= held_s:
                return
            time.sleep(0.05)
    raise AssertionError("nothing is recorded")


def wait_for_rows(path, count):
    """Until so many rows have reached the unfinished file."""
    part, deadline = Path(f"{path}.part"), time.monotonic() + seconds(PATIENCE_S)
    while time.monotonic() < deadline:
        if part.exists() and part.read_bytes().count(b"\n") > count + 5:
            return
        time.sleep(0.05)
    raise AssertionError("the recording does not grow")


class FromNowOn(Recorded):
    def test_so_many_seconds(self):
        with Daemon(rig(real_time=True, duration_s=0)) as daemon, daemon.client() as client:
            path = self.record(daemon, "--for", "2s")
            _, rows = rows_of(path)
            self.assertEqual(len(rows), 2000)
            self.assertAlmostEqual(rows[-1][0] - rows[0][0], 1.999, places=9)

    def test_from_the_past_into_the_future(self):
        with Daemon(rig(real_time=True, duration_s=0)) as daemon:
            wait_until_held(daemon, 1.2)
            _, rows = rows_of(self.record(daemon, "--last", "1s", "--for", "1s"))
            self.assertEqual(len(rows), 2000)
            self.assertTrue([round(1000 * (time_s - rows[0][0])) for time_s, *_ in rows] == list(range(2000)))

    def test_ctrl_c_ends_it_there(self):
        with Daemon(rig(real_time=True, duration_s=0)) as daemon:
            for end in (signal.SIGINT, signal.SIGTERM):
                path = daemon.scratch.path / f"r{end}.csv"
                recording = start_recording(daemon, path, "--for", "1h")
                wait_for_rows(path, 200)
                recording.send_signal(end)
                output, said = recording.communicate(timeout=seconds(PATIENCE_S))
                self.assertEqual(recording.returncode, 0, said)
                _, rows = rows_of(path)
                self.assertGreater(len(rows), 200)
                self.assertIn(f"{len(rows)} scans", output)
                self.assertFalse(Path(f"{path}.part").exists())

    def test_a_source_that_ends(self):
        for duration_s in (2.5, 10.0, 40.0):
            with Daemon(rig(real_time=True, duration_s=duration_s)) as daemon:
                path = daemon.scratch.path / "r.csv"
                done = daemon.fricidctl("record", "--for", "1h", "-o", path)
                # One that had ended before the recording began has nothing more for it: a longer one is tried.
                if done.returncode == 0:
                    self.assertAlmostEqual(rows_of(path)[1][-1][0], duration_s - 0.001, places=9)
                    return
                self.assertIn("no scan came", done.stderr)
        self.fail("no source was recorded before it ended")

    def test_a_daemon_that_goes_away_leaves_what_was_fetched(self):
        with Daemon(rig(real_time=True, duration_s=0)) as daemon:
            path = daemon.scratch.path / "r.csv"
            recording = start_recording(daemon, path, "--for", "1h")
            wait_for_rows(path, 200)
            daemon.stop()
            _, said = recording.communicate(timeout=seconds(PATIENCE_S))
            self.assertEqual(recording.returncode, 3, said)
            self.assertGreater(len(rows_of(path)[1]), 200)

    def test_everybody_may(self):
        """Also who may not act: it only reads."""
        with Daemon(rig(duration_s=10)) as daemon:
            daemon.wait_until_ended()
            other, program = {}, FRICIDCTL
            if os.geteuid() == 0:
                # The program's own place may be out of reach for nobody.
                os.chmod(daemon.scratch.path, 0o755)
                program = shutil.copy(FRICIDCTL, daemon.scratch.path / "fricidctl")
                other = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            done = run_program(program, "--socket", daemon.socket_path, "record", "--last", "1s", "-o", "-", **other)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count("\n"), 1000 + 4, "declaration, remark, header, the first scan's number")


if __name__ == "__main__":
    main()
