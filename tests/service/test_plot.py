# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of a decay: that gnuplot draws it, and that what it draws is the motion of a mass with friction."""

import base64
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree
from html.parser import HTMLParser
from pathlib import Path

import sample_replies as samples
from fake_fricidd import FakeFricidd, Refusal
from fricid_harness import Decay as HarnessDecay
from fricid_harness import ScratchDirectory, csv_text, release
from test_fricidctl_fake import FAILED, FRICIDCTL, NO_RESULT, NOT_REACHABLE, OK, PATIENCE, USAGE, daemon, fricidctl
from run_tests import main

GNUPLOT = shutil.which("gnuplot")
PAGE = 400


def motion(seconds, *, f_n_hz, zeta, x_k, x0, bias, step=1e-4):
    """Displacement at each of the ascending times, by integration from rest at x0; the mass stops within x_k."""
    omega = 2 * math.pi * f_n_hz

    def acceleration(x, v):
        return -omega * omega * (x + direction * x_k) - 2 * zeta * omega * v

    def advanced(x, v, h):
        a1 = acceleration(x, v)
        v2 = v + h / 2 * a1
        a2 = acceleration(x + h / 2 * v, v2)
        v3 = v + h / 2 * a2
        a3 = acceleration(x + h / 2 * v2, v3)
        v4 = v + h * a3
        return x + h / 6 * (v + 2 * v2 + 2 * v3 + v4), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + acceleration(x + h * v3, v4))

    x, v, time, values = x0, 0.0, 0.0, []
    direction, resting = -math.copysign(1, x0), abs(x0) <= x_k
    for wanted in seconds:
        while time < wanted and not resting:
            h = min(step, wanted - time)
            x_next, v_next = advanced(x, v, h)
            turns = v * direction > 0 >= v_next * direction
            if turns:  # friction turns round where the mass does
                h *= v / (v - v_next)
                x_next, v_next = advanced(x, v, h)[0], 0.0
                resting, direction = abs(x_next) <= x_k, -direction
            x, v, time = x_next, v_next, time + h
        values.append(x + bias)
    return values


def allow_small_files():
    """The script fits, the picture does not."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))


def decoded(block):
    """The rows of a data block of a script."""
    return [[math.nan if word == "NaN" else float(word) for word in row.split()] for row in block.splitlines()]


class Decay:
    """A result, and samples that follow its figures exactly."""

    def __init__(self, recommended="fit", stamped=False, **figures):
        self.figures = {"f_n_hz": 2.0, "zeta": 0.03, "x_k": 0.2, "x0": -8.0, "bias": 0.3} | figures
        self.result = samples.result(42)
        self.result["recommended"] = recommended
        self.result["record"] |= {"start_s": 100.0, "end_s": 104.0}
        for key, value in self.figures.items():
            self.result["fit"][key] = samples.estimate(value, 1e-4)
        self.result["fit"]["t0"] = samples.estimate(100.0, 1e-6)
        self.seconds = [i * 0.004 for i in range(1000)]
        self.values = motion(self.seconds, **self.figures)
        self.stamped = stamped
        self.flags = None

    def page(self, params):
        first = params.get("offset", 0)
        times = [99.0 + i * 0.004 for i in range(len(self.values) + 250)]
        values = [self.values[0]] * 250 + self.values
        here, stamps = values[first:first + PAGE], times[first:first + PAGE]
        return {"id": 42, "offset": first, "count": len(here), "total": len(values), "pretrigger_samples": 250,
                "start_s": 99.0, "period_s": None if self.stamped else 0.004, "unit": "mm", "displacement": here,
                "time_s": stamps if self.stamped else None,
                "flags": self.flags and self.flags[first:first + PAGE], "reason": None}

    def daemon(self):
        return FakeFricidd(daemon(results__get=lambda _: self.result, samples=self.page))


class Picture(unittest.TestCase):
    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(prefix="fricid-", dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.directory)

    def script(self, decay):
        with decay.daemon() as fake:
            done = fricidctl(fake, "plot", "42", "-o", "-")
        self.assertEqual((done.returncode, done.stderr), (OK, b""))
        return done.stdout.decode()

    def gnuplot(self, script):
        done = subprocess.run([GNUPLOT, "--default-settings"], input=script.encode(), capture_output=True, timeout=120,
                              cwd=self.directory, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def drawn_motion(self, decay):
        """What the script draws at the times of the samples, and the samples as it holds them."""
        script = self.script(decay) + 'set table "drawn"\nplot $samples using 1:4:2\nunset table\n'
        self.gnuplot("set terminal dumb\n" + script)
        rows = [row.split() for row in (self.directory / "drawn").read_text().splitlines() if row and row[0] != "#"]
        return [(float(row[0]), float(row[1])) for row in rows if row[1].lower() != "nan"]

    def assert_draws(self, decay):
        drawn = self.drawn_motion(decay)
        inside = [t for t, _ in drawn]
        self.assertGreater(len(inside), 990)
        for (t, value), wanted in zip(drawn, motion(inside, **decay.figures)):
            self.assertLess(abs(value - wanted), 1e-6 * abs(decay.figures["x0"]), t)

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_draws_the_motion(self):
        self.assert_draws(Decay())
        self.assert_draws(Decay(x0=6.0, zeta=0.0, x_k=0.45))
        self.assert_draws(Decay(zeta=0.2, x_k=0.0))
        self.assert_draws(Decay(x_k=1.4, zeta=0.1))

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_draws_the_motion_through_time_stamps(self):
        self.assert_draws(Decay(stamped=True))

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_files(self):
        decay = Decay()
        decay.flags = [0] * 600 + [2] + [0] * 649
        with decay.daemon() as fake:
            for name, beginning in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.PDF", b"%PDF"), ("a.gp", b"# Decay 42")):
                path = self.directory / name
                done = fricidctl(fake, "plot", "#42", "-o", path)
                # Of fonts, which are none of our business here, other libraries may have something to say.
                self.assertEqual((done.returncode, done.stdout), (OK, f"{path}\n".encode()), done.stderr)
                self.assertTrue(path.read_bytes().startswith(beginning))
            done = fricidctl(fake, "plot", "42", "-o", self.directory / "a.svg")
            self.assertEqual(done.returncode, USAGE)
            self.assertIn(b"--force", done.stderr)
            done = fricidctl(fake, "--json", "plot", "42", "-o", self.directory / "a.svg", "--force")
            self.assertEqual(done.returncode, OK, done.stderr)
        text = "".join(xml.etree.ElementTree.parse(self.directory / "a.svg").getroot().itertext())
        for words in ("decay 42, rig bearing, channel lvdt", "f_n = 2.00000(10) Hz", "x_k = 0.20000(10) mm", "displacement, mm",
                      "clipped, or a spike", "residual, mm"):
            self.assertTrue(words in text, words)
        self.assertEqual(sorted(os.listdir(self.directory)), ["a.PDF", "a.gp", "a.png", "a.svg"])

    def drifting(self):
        """The heights of the law, but each swing a little faster than the one before."""
        decay = Decay(recommended="extrema_fit", zeta=0.01, x_k=0.02)
        for key, value in decay.figures.items():
            decay.result["extrema_fit"][key] = samples.estimate(value, 1e-3)
        decay.result["extrema_fit"]["t0"] = samples.estimate(100.0, 1e-3)
        decay.result["record"]["noise"] = 1e-3
        decay.result["windows"]["window"] = [
            {"verdict": "ok", "reason": None, "largest": 8.0 / 2 ** n, "smallest": 4.5 / 2 ** n, "start_s": 0.0, "end_s": 1.0,
             "half_cycles": 4, "f_n_hz": samples.estimate(2.0 + 0.1 * n, 0.004)} for n in range(3)]
        decay.values = motion([t + 0.02 * t * t for t in decay.seconds], **decay.figures)
        return decay

    def block(self, script, name):
        return decoded(script.split(f"${name} << END\n")[1].split("\nEND")[0])

    def test_where_no_one_frequency_follows_there_is_none(self):
        """Then the picture has the extrema, the heights that were identified, and the frequency by the amplitude."""
        decay = self.drifting()
        script = self.script(decay)
        self.assertNotIn("identified motion", script)
        self.assertNotIn("$motion", script)
        self.assertEqual({len(row) for row in self.block(script, "samples")}, {3})
        extrema = self.block(script, "extrema")
        self.assertGreater(len(extrema), 14)
        self.assertLess(max(abs(seen - law) for _, seen, law in extrema), 2e-3 * 8)
        for n, (t, _, _) in enumerate(extrema):
            self.assertAlmostEqual(t + 0.02 * t * t, n * 0.25 / math.sqrt(1 - 0.01 ** 2), delta=0.004)
        cycles = self.block(script, "cycles")
        self.assertEqual(len(cycles), len(extrema) - 2)
        for (amplitude, f_n_hz), (t, seen, _) in zip(cycles, extrema[1:]):
            self.assertAlmostEqual(amplitude / abs(seen - 0.3), 1, delta=0.02)
            self.assertAlmostEqual(f_n_hz / (2.0 * (1 + 0.04 * t)), 1, delta=0.01)
        windows = self.block(script, "windows")
        self.assertEqual([row[3] for row in windows], [2.0, 2.1, 2.2])
        self.assertTrue(all(smallest < middle < largest for middle, smallest, largest, _, _ in windows))

    def test_cycles_that_scatter_leave_the_scale_to_the_windows(self):
        decay = self.drifting()
        decay.result["record"]["noise"] = 0.02
        for window in decay.result["windows"]["window"]:
            window["f_n_hz"] = samples.estimate(2.0, 0.001)
        script = self.script(decay)
        low, high = (float(bound) for bound in re.search(r"low = ([^;]+); high = ([^;]+);", script).groups())
        low_end, high_end = 1.999, 2.001  # of the bars
        cycles = self.block(script, "cycles")
        clear = [f for amplitude, f in cycles if 0.01 * f * 20 * 0.02 / amplitude <= high_end - low_end]
        self.assertLess(len(clear), len(cycles))
        least, most = min([low_end, *clear]), max([high_end, *clear])
        self.assertLess(most, max(f for _, f in cycles))
        self.assertAlmostEqual(low, least - 0.1 * (most - least), delta=1e-9)
        self.assertAlmostEqual(high, most + 0.1 * (most - least), delta=1e-9)

    def test_a_clipped_crest_only_counts(self):
        decay = self.drifting()
        decay.flags = [0] * len(range(250 + len(decay.values)))
        before = self.block(self.script(decay), "extrema")
        third = 250 + round(before[2][0] / 0.004)
        decay.flags[third - 3:third + 4] = [1] * 7
        decay.flags[third + 20] = 2  # a spike beside it is left out
        decay.values[third + 20 - 250] = -50.0
        after = self.block(self.script(decay), "extrema")
        self.assertTrue(math.isnan(after[2][1]))
        self.assertEqual(before[:2] + before[4:], after[:2] + after[4:])
        self.assertEqual(len(self.block(self.script(decay), "cycles")), len(before) - 2 - 3)

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_no_text_lies_in_the_picture(self):
        """Legend, title and figures stand above the highest number of the upper axis, and no axis is without a unit."""
        for decay, words in ((Decay(), ["samples", "identified motion", "bias ± x_k", "f_n = 2.00000(10) Hz"]),
                             (self.drifting(), ["samples", "extrema", "envelope", "from the extrema alone", "f_n, Hz",
                                                "cycles", "windows", "amplitude, mm"]),
                             (Decay(recommended=None), ["samples"])):
            decay.result["rig"], decay.result["channel"] = "r" * 63, "c" * 63
            with decay.daemon() as fake:
                done = fricidctl(fake, "plot", "42", "--force", "-o", self.directory / "a.svg")
            self.assertEqual((done.returncode, done.stderr), (OK, b""))
            texts = []
            for group in xml.etree.ElementTree.parse(self.directory / "a.svg").getroot().iter():
                place = re.match(r"translate\(([0-9.]+),([0-9.]+)\)", group.get("transform", ""))
                if place:
                    texts.append(("".join(group.itertext()).strip(), float(place[1]), float(place[2])))
            for word in [*words, "decay 42, rig r", "channel c", "displacement, mm"]:
                self.assertTrue([text for text, _, _ in texts if word in text], word)
            top = min(y for text, _, y in texts if re.fullmatch(r"-?[0-9.]+", text))
            for text, x, y in texts:
                if re.match(r"decay|channel|released|viscous|samples|identified motion|extrema|envelope|bias|not|f_n =", text):
                    self.assertLess(y, top, text)
                    self.assertTrue(0 < x < 900)
            self.assertLess(max(len(text) for text, _, _ in texts), 100)

    def test_a_first_answer_says_so_in_its_title(self):
        decay = Decay()
        for provisional in False, True:
            decay.result["provisional"] = provisional
            (title,) = re.findall("set title .*", self.script(decay))
            self.assertIs("provisional: the ladder of models is still being fitted" in title, provisional, title)

    def test_what_the_model_does_not_have_is_not_named(self):
        decay = Decay(x_k=0.0)
        decay.result["fit"]["x_k"] = samples.estimate(None, None)
        title = re.search("set title .*", self.script(decay))[0]
        self.assertIn("ζ = ", title)
        self.assertNotIn("x_k", title)

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_without_an_estimate(self):
        decay = Decay(recommended=None)
        decay.result["verdict"] = "not_decaying"
        with decay.daemon() as fake:
            done = fricidctl(fake, "plot", "42", "-o", self.directory / "a.svg")
        self.assertEqual(done.returncode, OK, done.stderr)
        text = "".join(xml.etree.ElementTree.parse(self.directory / "a.svg").getroot().itertext())
        self.assertIn("not_decaying", text)
        self.assertNotIn("identified motion", text)

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_names_are_only_text(self):
        """A rig's name is somebody's configuration: gnuplot must not obey it."""
        decay = Decay()
        decay.result["rig"] = f"x'; system('touch {self.directory}/owned'); `touch {self.directory}/owned`"
        decay.result["units"]["displacement"] = "mm\"`touch owned`"
        for json_option in ([], ["--json"]):
            with decay.daemon() as fake:
                done = fricidctl(fake, *json_option, "plot", "42", "--force", "-o", self.directory / "a.svg")
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertEqual(os.listdir(self.directory), ["a.svg"])

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_disk_full(self):
        """Half a picture must not get its name: here no file may grow beyond a few blocks."""
        with Decay().daemon() as fake:
            done = subprocess.run([FRICIDCTL, "--socket", fake.path, "plot", "42", "-o", self.directory / "a.svg"],
                                  capture_output=True, timeout=PATIENCE, preexec_fn=allow_small_files, check=False)
        self.assertEqual(done.returncode, FAILED)
        self.assertIn(b"could not be written whole", done.stderr)
        self.assertEqual(os.listdir(self.directory), [])

    def test_refusals(self):
        with FakeFricidd(daemon(samples=lambda _: (_ for _ in ()).throw(
                Refusal(-32002, "not_found", "the samples of result 42 are not held any more")))) as fake:
            done = fricidctl(fake, "plot", "42", "-o", self.directory / "a.svg")
            self.assertEqual(done.returncode, FAILED)
            self.assertIn(b"not held any more", done.stderr)
            done = fricidctl(fake, "plot", "42", "-o", self.directory / "a.jpg")
            self.assertEqual(done.returncode, USAGE)
            self.assertIn(b".png", done.stderr)
            done = fricidctl(fake, "plot", "forty")
            self.assertEqual(done.returncode, USAGE)
            self.assertIn(b"plot wants the id", done.stderr)
        with Decay().daemon() as fake:
            done = fricidctl(fake, "plot", "42", "-o", self.directory / "a.svg", PATH=str(self.directory))
            self.assertEqual(done.returncode, FAILED)
            self.assertIn(b"gnuplot", done.stderr)
        self.assertEqual(os.listdir(self.directory), [])


class Page(HTMLParser):
    """What a reader of a report sees: sheets and figures, and the bytes of its pictures."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.blocks, self.pictures = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "pre":
            self.blocks.append("")
        elif tag == "img":
            kind, coded = dict(attributes)["src"].split(",")
            assert kind == "data:image/png;base64"
            self.pictures.append(base64.b64decode(coded, validate=True))

    def handle_data(self, data):
        if self.tags and self.tags[-1] == "pre":
            self.blocks[-1] += data

    def handle_endtag(self, tag):
        self.tags.append("/" + tag)


class Report(unittest.TestCase):
    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(prefix="fricid-", dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.path = self.directory / "a.html"

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_page(self):
        decay = Decay()
        decay.result["rig"] = "<script>a & b\x1b[31m"
        for json_option in ([], ["--json"]):
            with decay.daemon() as fake:
                done = fricidctl(fake, *json_option, "report", "42", "#42", "--force", "-o", self.path)
                shown = fricidctl(fake, "show", "42", "--intervals").stdout.decode()
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertIn(str(self.path), done.stdout.decode())
            text = self.path.read_text()
            self.assertNotIn("\x1b", text)
            page = Page(text)
            self.assertNotIn("script", page.tags)
            self.assertEqual(len(page.blocks), 4)
            for block in page.blocks[0::2]:
                self.assertIn("<script>a & b", block)
                self.assertEqual(block.split(), shown.split())
            for block in page.blocks[1::2]:
                self.assertEqual(json.loads(block)["fit"], decay.result["fit"])
            self.assertEqual(len(page.pictures), 2)
            for picture in page.pictures:
                self.assertTrue(picture.startswith(b"\x89PNG") and picture.endswith(b"IEND\xaeB`\x82"))
        self.assertEqual(os.listdir(self.directory), ["a.html"])

    def test_without_gnuplot(self):
        with Decay().daemon() as fake:
            done = fricidctl(fake, "report", "42", "-o", self.path, PATH=str(self.directory))
        self.assertEqual(done.returncode, FAILED)
        self.assertIn(b"no gnuplot", done.stderr)
        page = Page(self.path.read_text())
        self.assertEqual((len(page.blocks), page.pictures), (2, []))
        self.assertIn("The picture could not be drawn.", self.path.read_text())

    def test_refusals(self):
        self.path.write_text("mine")
        with Decay().daemon() as fake:
            done = fricidctl(fake, "report", "42", "-o", self.path)
            self.assertEqual(done.returncode, USAGE)
            self.assertIn(b"--force", done.stderr)
            done = fricidctl(fake, "report", "42", "fortythree")
            self.assertEqual(done.returncode, USAGE)
            self.assertIn(b"report wants the ids", done.stderr)
        with FakeFricidd(daemon(results__get=lambda _: (_ for _ in ()).throw(
                Refusal(-32002, "not_found", "there is no result 42")))) as fake:
            done = fricidctl(fake, "report", "42", "-o", self.path, "--force")
            self.assertEqual(done.returncode, FAILED)
            self.assertIn(b"there is no result 42", done.stderr)
        self.assertEqual(self.path.read_text(), "mine")
        self.assertEqual(os.listdir(self.directory), ["a.html"])


class File(unittest.TestCase):
    """Pictures of what is in a recording, and its figures, where no fricidd runs."""

    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)
        times, lvdt = release(HarnessDecay(), rate=500.0, noise=0.003)
        self.file = self.scratch.write("monday.csv", csv_text([i / 500 for i in range(2 * len(times))], 2 * lvdt, 2 * lvdt,
                                                              header="time_s,lvdt_mm,second_mm"))
        self.surroundings = os.environ | {"TMPDIR": str(self.scratch.path)}

    def left_over(self):
        return list(self.scratch.path.glob("fricidctl-*"))

    def run_client(self, *arguments):
        done = subprocess.run([FRICIDCTL, "--socket", "/nonexistent", "--timeout", str(PATIENCE), *map(str, arguments)],
                              cwd=self.scratch.path, env=self.surroundings, capture_output=True, text=True,
                              timeout=4 * PATIENCE, check=False)
        self.assertEqual(self.left_over(), [])
        return done

    def script(self, *arguments):
        done = self.run_client("plot", self.file, "-o", "-", *arguments)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        return done.stdout

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_every_decay_has_its_picture(self):
        done = self.run_client("plot", "monday.csv", "--channel", "lvdt")
        self.assertEqual((done.returncode, done.stdout), (OK, "monday-lvdt-1.svg\nmonday-lvdt-2.svg\n"), done.stderr)
        text = "".join(xml.etree.ElementTree.parse(self.scratch.path / "monday-lvdt-2.svg").getroot().itertext())
        self.assertIn("monday.csv, channel lvdt, decay 2", text)
        self.assertNotIn("rig request", text)
        self.assertIn("residual, mm", text)

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_files_and_channels_may_be_called_anything(self):
        """A name in Latin-1, one that is as long as names of files can be, and the directory around another."""
        text = Path(self.file).read_text().split("\n", 1)[1]
        long_one = "a" * 240 + ".csv"
        for name, wanted in ((b"Pr\xfcfung.csv", "Pr-fung-"), (os.fsencode(long_one), "a" * 100 + "-")):
            directory = tempfile.mkdtemp(dir=self.scratch.path)
            path = os.fsencode(directory) + b"/" + name
            with open(path, "w", encoding="utf-8") as file:
                file.write("time_s,a/b c_mm,second_mm\n" + text)
            done = subprocess.run([FRICIDCTL, "--socket", "/nonexistent", "plot", path, "--channel", "a/b c", "--decay", "1"],
                                  cwd=directory, env=self.surroundings, capture_output=True, timeout=4 * PATIENCE, check=False)
            picture = wanted + "a-b-c-1.svg"
            self.assertEqual((done.returncode, done.stdout), (OK, picture.encode() + b"\n"), done.stderr)
            words = "".join(xml.etree.ElementTree.parse(Path(directory, picture)).getroot().itertext())
            self.assertIn("fung.csv, channel a/b c, decay 1" if b"fung" in name else "aaaa", words)

    def test_one_is_chosen(self):
        script = self.script("--channel", "second", "--decay", "2")
        self.assertIn("channel second", script)
        rows = script.split("$samples << END\n")[1].split("\nEND")[0].splitlines()
        self.assertGreater(len(rows), 500)
        values = [float(row.split()[1]) for row in rows]
        self.assertAlmostEqual(max(map(abs, values)), 12.0, delta=0.5)

    def test_a_table_is_drawn_record_by_record(self):
        rows = "".join(f"{which},{v},{math.copysign(2 + math.exp(-abs(v)) + 0.1 * abs(v), v)}\n"
                       for which in ("dry", "wet") for v in [i / 4 for i in range(-40, 41) if i])
        table = self.scratch.write("steady.csv", "state,velocity_m_s,force_n\n" + rows)
        script = self.run_client("plot", table, "--channel", "wet", "-o", "-")
        self.assertEqual(script.returncode, 0, script.stderr)
        self.assertIn("steady.csv, wet: F_C", script.stdout)
        self.assertIn("$curve << END", script.stdout)
        both = self.run_client("plot", table, "-o", "a.svg")
        self.assertEqual((both.returncode, "has 2 records" in both.stderr), (USAGE, True), both.stderr)

    def titled(self, path, *options):
        """The lines of the title of a picture, and its script."""
        script = self.run_client("plot", path, "-o", "-", *options).stdout
        (title,) = re.findall(r"title ('.*') noenhanced", script)
        lines = [line.strip("'") for line in title.split('."\\n".')]
        for line in lines:
            self.assertLessEqual(len(line), 96, lines)
        return lines, script

    def test_a_long_title_has_lines_that_fit(self):
        rows = "".join(f"{v},{math.copysign(2 + math.exp(-abs(v)) + 0.1 * abs(v), v) + 0.01 * math.sin(9 * v)}\n"
                       for v in [i / 4 for i in range(-40, 41) if i])
        path = self.scratch.write("of_a_bearing_that_ran_for_a_whole_night.csv", "velocity_rad_s,torque_nm\n" + rows)
        lines, script = self.titled(path)
        self.assertGreater(len(lines), 1)
        self.assertIn("set ylabel 'friction torque, N m'", script)
        found = json.loads(self.run_client("--json", "identify", "--alone", path).stdout)["results"][0]
        self.assertEqual(found["verdict"], "ok")
        for label in ("F_C ", "F_S ", "v_s "):
            self.assertEqual(" ".join(lines).count(label), 1, lines)
        # A sentence says why nothing was found.
        path = self.scratch.write("loop_of_a_bearing_that_does_not_move_at_all.csv", "time_s,displacement_mm,force_n\n" + "".join(
            f"{i / 100},{0.001 * (i % 2)},{math.sin(i / 9):.6f}\n" for i in range(900)))
        reason = json.loads(self.run_client("--json", "identify", "--alone", path).stdout)["results"][0]["loop"]["reason"]
        lines, _ = self.titled(path)
        self.assertGreater(len(lines), 1)
        self.assertTrue(" ".join(lines).endswith(": " + reason), lines)
        noise = random.Random(3)
        path = self.scratch.write("a_structure_that_nobody_has_hit_with_a_hammer.csv", "time_s,acceleration_m_s2\n" + "".join(
            f"{i / 1000},{noise.gauss(0, 1):.6f}\n" for i in range(4000)))
        lines, _ = self.titled(path, "--kind", "ring_down")
        self.assertGreater(len(lines), 1)

    def test_what_is_to_be_known_of_the_figures_is_in_the_title(self):
        """A resonance with Coulomb friction at constant force, whose damping no half power tells."""
        rows = ""
        for k in range(201):
            f = 0.9 + k / 1000
            square = 4 * (0.02 * f) ** 2 + (1 - f * f) ** 2
            level = 0.02 * (1 - f * f) ** 2 / square
            response = max(1e-3, (math.sqrt(max(0, square - level * level)) - 2 * 0.02 * f * 0.4) / square)
            rows += f"{f:.4f},{response:.9g},1\n"
        path = self.scratch.write("friction.csv", "frequency_hz,displacement_m,force_n\n" + rows)
        found = json.loads(self.run_client("--json", "identify", "--alone", path).stdout)["results"][0]
        self.assertEqual((found["verdict"], found["response"]["amplitude_dependent"]), ("ok", True))
        self.assertIn("the damping changes with the amplitude", " ".join(self.titled(path)[0]))
        # Four cycles of 50 samples are loops, and too few samples for models.
        path = self.scratch.write("short.csv", "time_s,displacement_m,force_n\n" + "".join(
            f"{i / 50},{math.sin(i * math.tau / 50):.9g},{math.tanh(9 * math.cos(i * math.tau / 50)):.9g}\n" for i in range(200)))
        self.assertIn("no ladder of models: ", " ".join(self.titled(path)[0]))

    def contact_of(self, *lengths):
        """A file of loops of elements that slip with 1 N each, at these lengths."""
        noise, stretched, before, rows = random.Random(5), [0.0] * len(lengths), 0.0, []
        for i in range(1600):
            x = 1e-3 * (1 - 1e-5 * i) * math.sin(math.pi * i / 100)
            stretched = [max(-length, min(length, at + x - before)) for at, length in zip(stretched, lengths)]
            before, force = x, sum(at / length for at, length in zip(stretched, lengths))
            rows.append(f"{i / 400},{x:.9g},{force + noise.gauss(0, 0.01):.9g}\n")
        return self.scratch.write("contact.csv", "time_s,displacement_m,force_n\n" + "".join(rows))

    @unittest.skipUnless(GNUPLOT, "SKIP: no gnuplot")
    def test_elements_stand_within_their_axis(self):
        for lengths in (1e-4,), (5e-5, 3e-4):
            with self.subTest(lengths):
                script = self.run_client("plot", self.contact_of(*lengths), "-o", "-").stdout
                found = script.split("$elements << END\n")[1].split("END")[0].splitlines()
                self.assertEqual(len(found), len(lengths))
                asked = re.sub("(plot [$]elements .*\n)", r"\1print GPVAL_X_MIN, GPVAL_X_MAX\n", script)
                done = subprocess.run([GNUPLOT], input=asked, capture_output=True, text=True, check=True)
                self.assertNotIn("arning", done.stderr)
                least, most = map(float, done.stderr.split()[-2:])
                for row in found:
                    self.assertLess(1.5 * least, float(row.split()[0]))
                    self.assertGreater(most, 1.5 * float(row.split()[0]))

    def test_refusals(self):
        done = self.run_client("plot", self.file, "-o", "a.svg")
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("has 4 records: --channel and --decay", done.stderr)
        self.assertEqual(self.run_client("plot", self.file, "--decay", "9").returncode, NO_RESULT)
        self.assertIn("there is no file 'tuesday.csv'", self.run_client("plot", "tuesday.csv").stderr)
        self.assertEqual(self.run_client("plot", "42", "--decay", "1").returncode, USAGE)
        bad = self.scratch.write("bad.csv", "time_s,lvdt_mm\n0,x\n")
        self.assertEqual(self.run_client("plot", bad).returncode, USAGE)

    def test_a_displacement_beside_a_force(self):
        times, x = release(HarnessDecay(), rate=500.0, noise=0.003)
        path = self.scratch.write("both.csv", csv_text(times, x, x, header="time_s,displacement_mm,force_n"))
        done = self.run_client("plot", path, "-o", "-")
        self.assertIn("taken for a loop because of its columns: --kind free_decay takes it for a recording", done.stderr)
        done = self.run_client("plot", path, "-o", "-", "--kind", "free_decay", "--channel", "displacement")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("$samples << END", done.stdout)

    def test_sensors_of_one_structure_have_one_picture(self):
        """Of one that is wanted by its name that alone."""
        omega, generator = 2 * math.pi * 120, random.Random(5)
        motion = [math.exp(-0.004 * omega * s) * math.cos(omega * s) if s > 0 else 0
                  for s in (i / 2000 - 0.3 for i in range(4000))]
        rows = [f"{i / 2000:.4f}," + ",".join(f"{share * value + generator.gauss(0, 0.002):.5f}" for share in (0.4, -1))
                for i, value in enumerate(motion)]
        path = self.scratch.write("beam.csv", "\n".join(["time_s,tip_m/s2,root_m/s2", *rows, ""]))
        both = self.run_client("plot", path, "-o", "-")
        self.assertEqual((both.returncode, both.stderr), (OK, ""))
        for words in "beam.csv, sensors tip,root, record 1: ring-down", "acceleration of root, m/s^2":
            self.assertIn(words, both.stdout)
        self.assertEqual(both.stdout.split("$samples << END\n")[1].split("END")[0].count("\n"), len(rows))
        one = self.run_client("plot", path, "-o", "-", "--channel", "tip")
        for words in "beam.csv, channel tip, record 1: ring-down", "'acceleration, m/s^2'":
            self.assertIn(words, one.stdout)

    def test_figures_alone(self):
        done = self.run_client("identify", "--alone", "--json", self.file)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual([result["verdict"] for result in json.loads(done.stdout)["results"]], ["ok"] * 4)
        self.assertEqual(self.run_client("identify", "--alone", "--keep", self.file).returncode, USAGE)
        self.assertEqual(self.run_client("identify", self.file).returncode, NOT_REACHABLE)

    def test_nothing_is_left_when_it_is_killed(self):
        with subprocess.Popen([FRICIDCTL, "identify", "--alone", self.file], stdout=subprocess.PIPE,
                              cwd=self.scratch.path, env=self.surroundings) as child:
            end = time.monotonic() + PATIENCE
            while not self.left_over() and child.poll() is None and time.monotonic() < end:
                time.sleep(0.001)
            child.kill()
        while self.left_over() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.left_over(), [])


if __name__ == "__main__":
    main()
