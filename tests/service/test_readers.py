# SPDX-License-Identifier: GPL-3.0-or-later
"""Who reads a recording: fricidd --offline, fricidctl identify, and a rig of the kind recording. Each of many files gives
all three the same figures, and the motion that it was made of, or the same refusal."""

import itertools
import json
import math
import random
import unittest

from fricid_harness import FRICIDD, Daemon, Decay, ScratchDirectory, drawn, offline, recording_rig, release, run_program
from run_tests import main
from store_files import wait_for

RATE = 500.0
PERIOD = 1 / RATE
# Two channels in units of their own, on two frequencies: a file whose channels were mixed up would show.
SLOW = Decay(f_n=5.4146, zeta=0.015, x_k=0.16, x0=11.0)
FAST = Decay(f_n=8.21, zeta=0.012, x_k=0.004, x0=0.4)
NAMES = {"lvdt": SLOW, "force": FAST}
UNITS = {"lvdt": "mm", "force": "V"}

# What comes of the samples and what is known of them; ids, times of day and names of the source are not.
SECTIONS = ["verdict", "recommended", "record", "units", "fit", "extrema_fit", "decrement", "models", "static_friction",
            "drift", "windows", "budget", "flags", "logarithmic_decrement", "linear_decrement", "jacobsen_ayre",
            "model_choice"]
# The figures that count, of those.
FIGURES = ["verdict", "recommended", "fit", "extrema_fit"]


def motion():
    """Times and the displacements of both channels: one release, with a little noise."""
    times, slow = release(SLOW, RATE, noise=0.01, seed=1)
    _, fast = release(FAST, RATE, noise=0.0004, seed=2)
    count = min(len(slow), len(fast))
    return times[:count], slow[:count], fast[:count]


def declaration(**members):
    channels = [{"name": name, "unit": unit, "resolution": 0.0, "delay_s": 0.0} for name, unit in UNITS.items()]
    told = {"recording": 1, "rig": "elsewhere", "device": "made", "tells_gaps": False, "channels": channels, **members}
    return f"#fricid {json.dumps(told)}\n"


# What stands at the head. `CLOCK` gets the origin that the stamps have.
HEADS = {
    "plain": lambda origin: "",
    "remark": lambda origin: "# made by hand\n",
    "declared": lambda origin: declaration(),
    "declared, tells gaps": lambda origin: declaration(tells_gaps=True),
    "with a clock": lambda origin: declaration(origin_s=origin, period_s=PERIOD),
    "with a clock, tells gaps": lambda origin: declaration(origin_s=origin, period_s=PERIOD, tells_gaps=True),
}


def jitter_one(times):
    return [t + (0.3 * PERIOD if i == 40 else 0) for i, t in enumerate(times)]


def batched(times):
    """Four rows at a time, as a poll of a buffer stamps them: nearly together, then nothing for four periods."""
    return [times[i - i % 4] + 0.2 * PERIOD * (i % 4) for i in range(len(times))]


def trembling(times):
    dice = random.Random(5)
    return [t + dice.uniform(-0.2, 0.2) * PERIOD for t in times]


# How the rows are stamped, and with how many decimals; which of the heads with a clock allow it.
STAMPS = {
    "uniform": (lambda times: times, 6),
    "offset": (lambda times: [t + 86400.5 for t in times], 6),
    "before zero": (lambda times: [t - 2.0 for t in times], 6),
    "few decimals": (lambda times: [t * 0.9999 for t in times], 4),
    "one jittered row": (jitter_one, 6),
    "trembling": (trembling, 7),
}
EVEN = {"uniform", "offset", "before zero"}


def text_of(head, times, columns, decimals=6, header="time_s,lvdt_mm,force_V", marks=None):
    rows = []
    for i, values in enumerate(zip(times, *columns)):
        rows += (marks or {}).get(i, [])
        rows.append(",".join([f"{values[0]:.{decimals}f}", *(f"{x:.9g}" for x in values[1:])]))
    return head + header + "\n" + "\n".join(rows) + "\n"


def good_files():
    """Name and text of every file with one decay a channel."""
    times, *columns = motion()
    for (head, make_head), (stamps, (stamp, decimals)) in itertools.product(HEADS.items(), STAMPS.items()):
        if "clock" in head and stamps not in EVEN:
            continue
        stamped = stamp(times)
        yield f"{head}, {stamps}", text_of(make_head(stamped[0]), stamped, columns, decimals)
    # What `record --last` writes of rows that tick evenly, taken out of a stream with one that does not.
    yield "declared, scans counted on", text_of(declaration(tells_gaps=True), times, columns,
                                                marks={0: ['#fricid {"scan":81234}']})
    clock = declaration(origin_s=times[0] - 1000 * PERIOD, period_s=PERIOD)
    yield "with a clock, scans counted on", text_of(clock, times, columns, marks={0: ['#fricid {"scan":1000}']})


def assert_close(test, path, first, second, share):
    """The same, but for the rounding of times that were worked out in another order."""
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        for key in first:
            assert_close(test, f"{path}.{key}", first[key], second[key], share)
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for i, (a, b) in enumerate(zip(first, second)):
            assert_close(test, f"{path}[{i}]", a, b, share)
    elif isinstance(first, float) and isinstance(second, float):
        test.assertLessEqual(abs(first - second), share * max(abs(first), abs(second), 1e-12), f"{path}: {first} and {second}")
    else:
        test.assertEqual(first, second, path)


class Readers(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def write(self, files):
        return {name: self.scratch.write(f"{i}.csv", text) for i, (name, text) in enumerate(files.items())}

    def read_offline(self, paths, options=()):
        return {name: offline(*options, path).results for name, path in paths.items()}

    def read_by_daemon(self, paths, options=(), keys=""):
        """What rigs of the kind recording make of the files, and what the daemon answers to identify."""
        rigs = ",\n".join(recording_rig(path, name=f"r{i}", keys=keys) for i, path in enumerate(paths.values()))
        with Daemon(rigs) as daemon:
            done = daemon.fricidctl("--json", "identify", *options, *paths.values())
            self.assertTrue(done.stdout, done.stderr)
            answer = json.loads(done.stdout)
            daemon.wait_until_ended()
            with daemon.client() as client:
                summaries = client.call("results.list", limit=1000)["results"]
                results = [client.call("results.get", id=summary["id"]) for summary in summaries]
        left = iter(answer["results"])
        identified = {name: [] for name in paths}
        for entry in answer["files"]:
            (name,) = (name for name, path in paths.items() if str(path) == entry["file"])
            identified[name] += itertools.islice(left, entry["results"])
        rigged = {name: [result for result in results if result["rig"] == f"r{i}"] for i, name in enumerate(paths)}
        return rigged, identified

    def assert_same(self, name, first, second, share, sections=SECTIONS):
        """Of each channel the same decays, in order."""
        def key(result):
            return result["channel"], result["record"]["start_s"]
        self.assertEqual([result["channel"] for result in sorted(first, key=key)],
                         [result["channel"] for result in sorted(second, key=key)], name)
        for one, other in zip(sorted(first, key=key), sorted(second, key=key)):
            for section in sections:
                assert_close(self, f"{name}: {one['channel']}.{section}", one[section], other[section], share)

    def assert_true(self, name, results):
        """One decay a channel, with the frequency and the friction that it was made of."""
        self.assertEqual(sorted(result["channel"] for result in results), sorted(NAMES), name)
        for result in results:
            truth, fit = NAMES[result["channel"]], result["fit"]
            self.assertEqual((result["verdict"], fit["verdict"]), ("ok", "ok"), name)
            self.assertEqual(result["units"]["displacement"], UNITS[result["channel"]], name)
            self.assertAlmostEqual(fit["f_n_hz"]["value"] / truth.f_n, 1, delta=2e-3, msg=name)
            self.assertAlmostEqual(fit["x_k"]["value"] / truth.x_k, 1, delta=0.1, msg=name)

    def compare(self, files, share=1e-7, options=(), keys=""):
        """options and keys say the same of the files, on a command line and in a configuration."""
        paths = self.write(files)
        offline_results = self.read_offline(paths, options)
        rigged, identified = self.read_by_daemon(paths, options, keys)
        for name in paths:
            with self.subTest(name):
                self.assert_same(f"{name}, rig", offline_results[name], rigged[name], share)
                # The protocol knows one clock. What has two goes with its stamps, which are worked out on another way.
                sections, within = (FIGURES, 1e-4) if name == "another clock" else (SECTIONS, share)
                self.assert_same(f"{name}, identify", offline_results[name], identified[name], within, sections)
        return offline_results


class TheSameFigures(Readers):
    def test_of_every_head_and_stamp(self):
        for name, results in self.compare(dict(drawn(good_files()))).items():
            with self.subTest(name):
                self.assert_true(name, results)


# Headers of a decay in mm whose time is in this many of its units a second.
FIVE_HZ = Decay(f_n=5.0, zeta=0.015, x_k=0.16, x0=11.0)
TIMED = {
    "time_s,LVDT_mm": 1, "Time (s),LVDT (mm)": 1, "TIME(S),LVDT(mm)": 1, "Zeit in s,LVDT in mm": 1,
    "seconds,LVDT [mm]": 1, "t,LVDT_mm": 1, "Time,LVDT (mm)": 1, "Zeit,LVDT_mm": 1,
    "time_ms,LVDT_mm": 1e3, "Time (ms),LVDT (mm)": 1e3, "Zeit [ms],LVDT [mm]": 1e3, "t/ms,LVDT/mm": 1e3,
    "t / ms,LVDT / mm": 1e3, "Zeit t/ms,LVDT in mm": 1e3, '"Time (ms)","LVDT (mm)"': 1e3, "time in ms,LVDT_mm": 1e3,
    "time_us,LVDT_mm": 1e6, "time_\u00b5s,LVDT_mm": 1e6, "t [\u03bcs],LVDT (mm)": 1e6, "t / \u00b5s,LVDT / mm": 1e6,
    "timestamp (ns),LVDT_mm": 1e9,
    "t [min],LVDT (mm)": 1 / 60, "time_min,LVDT_mm": 1 / 60, "Elapsed time (h),LVDT_mm": 1 / 3600,
}
# First columns that are no time, or none that is known.
UNTIMED = ["index", "sample", "encoder count", "Displacement", "lvdt_mm", "x_min", "m/s", "Velocity m/s"]
UNITLESS = ["timestamp", "Elapsed time"]
WAYS_OUT = [("--time-unit UNIT", "the key time_unit"), ("--rate HZ", "the key sample_rate_hz")]


def in_units(header, units_a_second, first=None):
    """A file with that header: the motion, and before it the time, or first(row)."""
    times, displacement = release(FIVE_HZ, RATE, noise=0.01, seed=3)
    lead = [first(row) if first else t * units_a_second for row, t in enumerate(times)]
    return header + "\n" * bool(header) + "".join(f"{t:.12g},{x:.9g}\n" for t, x in zip(lead, displacement))


class TheTime(Readers):
    def assert_five_hertz(self, name, results, channel="LVDT", unit="mm"):
        (result,) = results
        frequency = result["fit"]["f_n_hz"]
        self.assertEqual((result["verdict"], result["fit"]["verdict"]), ("ok", "ok"), name)
        self.assertEqual((result["channel"], result["units"]["displacement"]), (channel, unit), name)
        self.assertLess(abs(frequency["value"] - FIVE_HZ.f_n), 4 * frequency["se"], name)
        self.assertLess(frequency["se"], 1e-3, name)

    def test_in_every_unit_and_every_spelling_of_it(self):
        for name, results in self.compare({header: in_units(header, units) for header, units in TIMED.items()}).items():
            with self.subTest(name):
                self.assert_five_hertz(name, results)

    def test_as_it_is_told_beside_the_file(self):
        for unit, units in ("ms", 1e3), ("min", 1 / 60), ("\u03bcs", 1e6):
            files = {f"{unit}: {name}": in_units(name and f"{name},LVDT (mm)", units)
                     for name in ("t", "Zeit", "my clock", "time_s")}
            for name, results in self.compare(files, options=["--time-unit", unit], keys=f'time_unit = "{unit}";').items():
                with self.subTest(name):
                    self.assert_five_hertz(name, results)

    def test_of_a_file_without_a_header(self):
        (results,) = self.compare({"seconds": in_units("", 1)}, options=["--time-unit", "s"],
                                  keys='time_unit = "s";').values()
        self.assert_five_hertz("seconds", results, "displacement", "1")
        (results,) = self.compare({"ms": in_units("", 1e3)}, options=["--time-unit", "ms"],
                                  keys='time_unit = "ms";').values()
        self.assert_five_hertz("milliseconds", results, "displacement", "1")

    def test_of_rows_that_come_evenly(self):
        times, displacement = release(FIVE_HZ, RATE, noise=0.01, seed=3)
        files = {name: in_units(f"{name},LVDT (mm)", 1, first) for name, first in {
            "sample": lambda row: row, "index": lambda row: 100 + row, "Zeit": lambda row: row // 50}.items()}
        files["no time"] = "LVDT (mm)\n" + "".join(f"{x:.9g}\n" for x in displacement)
        told = {"options": ["--rate", f"{RATE:g}"], "keys": f"sample_rate_hz = {RATE};"}
        for name, results in self.compare(files, **told).items():
            with self.subTest(name):
                self.assert_five_hertz(name, results)
        both = "LVDT (mm),Encoder (um)\n" + "".join(f"{x:.9g},{5 * x:.9g}\n" for x in displacement)
        (results,) = self.compare({"no time, two channels": both}, **told).values()
        self.assertEqual({(result["channel"], result["units"]["displacement"]) for result in results},
                         {("LVDT", "mm"), ("Encoder", "um")})
        self.assert_five_hertz("no time, two channels", [result for result in results if result["channel"] == "LVDT"])

    def test_that_is_said_to_be_two_things(self):
        path = self.scratch.write("t.csv", in_units("t,LVDT_mm", 1))
        both = ["--time-unit", "ms", "--rate", "500"]
        self.assertIn("exclude each other", offline(*both, path).stderr)
        with Daemon() as daemon:
            done = daemon.fricidctl("identify", *both, path)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("exclude each other", done.stderr)
            for wrong in (["--time-unit", "parsecs"], ["--rate", "0"], ["--rate", "fast"]):
                self.assertEqual(daemon.fricidctl("identify", *wrong, path).returncode, 2)
                self.assertEqual(offline(*wrong, path).returncode, 2)
        self.assertEqual(run_program(FRICIDD, "--rate", "500").returncode, 2)


class AWrongTime(Readers):
    """What is not known to be a time is refused by every reader, with what to say of it."""

    def test_is_refused_with_the_way_out(self):
        reasons = {name: "is not known to be a time" for name in UNTIMED}
        reasons.update({name: "is a time without a unit" for name in UNITLESS})
        reasons["Time (d)"] = "is a time in a unit that is not known"
        paths = self.write({name: in_units(f"{name},LVDT (mm)", 1e3) for name in reasons})
        paths["Displacement and velocity"] = self.scratch.write("dv.csv", "Displacement,Velocity\n0,1\n1,2\n")
        with Daemon() as daemon:
            for name, path in paths.items():
                with self.subTest(name):
                    done = offline(path)
                    said = done.stderr.removeprefix("fricidd: ").strip()
                    self.assertEqual((done.returncode, done.results), (2, []))
                    self.assertTrue(said.startswith(f"{path}:1: the first column, "), said)
                    self.assertIn(reasons.get(name, reasons["index"]), said)
                    asked = daemon.fricidctl("identify", path)
                    self.assertEqual(asked.returncode, 2)
                    self.assertEqual(asked.stderr.removeprefix("fricidctl: ").strip(), said)
                    self.assert_refused_by_a_rig(path, said)

    def assert_refused_by_a_rig(self, path, said):
        for option, key in WAYS_OUT:
            self.assertIn(option, said)
            said = said.replace(option, key)
        configuration = self.scratch.write("fricid.conf", f"rigs = (\n{recording_rig(path)}\n);\n")
        checked = run_program(FRICIDD, "--config", configuration, "--check-config")
        self.assertEqual(checked.returncode, 2)
        self.assertIn(f"{configuration}:2: `file`: {said}", checked.stderr)

    def test_of_a_rig_is_complained_of_with_its_line(self):
        path = self.scratch.write("t.csv", in_units("t,LVDT_mm", 1))
        for keys, said in (('time_unit = "parsecs";', "`time_unit` is \"parsecs\": use s, ms, \u00b5s, us, ns, min or h"),
                           ('time_unit = "s"; sample_rate_hz = 500.0;', "exclude each other"),
                           ("sample_rate_hz = -1.0;", "`sample_rate_hz`")):
            configuration = self.scratch.write("fricid.conf", f"rigs = (\n{recording_rig(path, keys=keys)}\n);\n")
            checked = run_program(FRICIDD, "--config", configuration, "--check-config")
            self.assertEqual(checked.returncode, 2)
            self.assertIn(f"{configuration}:2: ", checked.stderr)
            self.assertIn(said, checked.stderr)

    def test_is_not_told_of_a_recording_of_our_own(self):
        times, *columns = motion()
        path = self.scratch.write("own.csv", text_of(declaration(), times, columns))
        for told in ["--time-unit", "ms"], ["--rate", "500"]:
            done = offline(*told, path)
            self.assertEqual((done.returncode, done.results), (2, []))
            self.assertIn("leave --time-unit and --rate out", done.stderr)


def two_motions():
    """One release after the other."""
    times, *columns = motion()
    more = [times[-1] + PERIOD + t for t in times]
    return times + more, *(column + column for column in columns)


def broken_files():
    """Files of two releases with something missing or marked in the first, and nothing in the second."""
    times, *columns = two_motions()
    clock = declaration(origin_s=0.0, period_s=PERIOD, tells_gaps=True)
    # Within the decay of both channels, that is after rest, pull and hold.
    row = int(3.6 * RATE)
    for hole in (1, 50):
        cut = [[*column[:row], *column[row + hole:]] for column in (times, *columns)]
        yield f"plain, {hole} rows cut out", text_of("", cut[0], cut[1:])
        yield f"declared, {hole} rows cut out", text_of(declaration(), cut[0], cut[1:])
        yield f"with a clock, {hole} rows cut out", text_of(clock, cut[0], cut[1:])
        yield f"declared, {hole} scans missing", text_of(
            declaration(tells_gaps=True), cut[0], cut[1:],
            marks={0: ['#fricid {"scan":0}'], row: [f'#fricid {{"scan":{row + hole},"gap":{hole}}}']})
    for head, made in ("declared", declaration(tells_gaps=True)), ("with a clock", clock):
        mark = f'"scan":{row},"gap":0'
        yield f"{head}, broken off", text_of(made, times, columns, marks={row: [f"#fricid {{{mark}}}"]})
        yield f"{head}, one channel broken off", text_of(
            made, times, columns, marks={row: [f'#fricid {{{mark},"channels":["force"]}}']})
        yield f"{head}, clipped", text_of(made, times, columns, marks={row: ['#fricid {"clipped":{"lvdt":4}}']})
    later = [t + (0.0007 if i >= row else 0) for i, t in enumerate(times)]
    yield "another clock", text_of(
        clock, later, columns, marks={row: [f'#fricid {{"scan":{row},"gap":0,"origin_s":0.0007,"period_s":{PERIOD}}}']})
    told = [{"name": "lvdt", "unit": "mm", "resolution": 0.02, "delay_s": 3e-4},
            {"name": "force", "unit": "V", "resolution": 0.001, "delay_s": 7e-4}]
    for clock_ppm in 0, 200:
        yield f"facts, {clock_ppm} ppm", text_of(declaration(
            origin_s=0.0, period_s=PERIOD, tells_gaps=True, clock_ppm=clock_ppm, time_error_s=1e-4, channels=told),
            times, columns)


class WithGaps(Readers):
    def test_of_everything_that_breaks_a_stream(self):
        half_s = motion()[0][-1]
        for name, results in self.compare(dict(broken_files())).items():
            with self.subTest(name):
                self.assert_true(name, [result for result in results if result["record"]["start_s"] > half_s])


class TheSameRefusal(Readers):
    """A file that is not understood is refused by all, with the same sentence."""

    def test_of_every_reader(self):
        times, *columns = motion()
        late = [t + (0.4 * PERIOD if i > 99 else 0) for i, t in enumerate(times)]
        clock = declaration(origin_s=0.0, period_s=PERIOD)
        bare = "".join(f"{x:.9g}\n" for x in columns[0])
        files = {
            "one row": text_of("", times[:1], columns),
            "no row": text_of("", [], columns),
            "a column of numbers": bare,
            "no finite time": text_of("", [math.nan, *times[1:]], columns),
            "not on the clock": text_of(clock, late, columns),
            "a period of nothing": text_of(declaration(origin_s=0.0, period_s=0.0), times, columns),
            "a period in words": text_of(declaration(origin_s=0.0, period_s="2 ms"), times, columns),
            "a clock begins where none is declared": text_of(
                declaration(), times, columns, marks={100: ['#fricid {"scan":100,"origin_s":0.0,"period_s":0.002}']}),
            "backwards": text_of("", times[:100] + times[50:], columns),
        }
        for name, path in self.write(files).items():
            with self.subTest(name):
                done = offline(path)
                self.assertEqual((done.returncode, done.results), (2, []), name)
                said = done.stderr.removeprefix("fricidd: ").strip()
                self.assertIn(str(path), said)
                self.assertEqual(self.refusal_of_a_rig(path), said)
                with Daemon() as daemon:
                    asked = daemon.fricidctl("identify", path)
                self.assertEqual(asked.returncode, 2)
                self.assertEqual(asked.stderr.removeprefix("fricidctl: ").strip(), said)

    def refusal_of_a_rig(self, path):
        """A bad header ends the start; bad rows are found when the rig runs."""
        daemon = Daemon(recording_rig(path), directory=self.scratch)
        try:
            with daemon, daemon.client() as client:
                return self.problem_of(client)
        except AssertionError:
            errors = daemon.errors()
            return errors[errors.index(str(path)):].splitlines()[0]

    def problem_of(self, client):
        def rig():
            (status,) = client.call("status")["rigs"]
            return status
        wait_for(lambda: rig()["condition"] == "failed", "that the rig fails")
        return rig()["problem"]


if __name__ == "__main__":
    main()
