# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops of a contact that is driven to and fro: by file, by request, from the store, and on the terminal."""

import itertools
import json
import math
import os
import random
import re
import shutil
import statistics
import tempfile
import unittest

from fricid_harness import SOURCE, Daemon, Decay, ProtocolError, ScratchDirectory, csv_text, fricidctl, offline, release
from run_tests import main
from schemas import complaints

AMPLITUDE, F_C, X_D = 1e-3, 2.0, 1e-4
SAMPLES, RATE_HZ = 200, 400.0


def friction_along(displacement):
    """Dahl's friction in N."""
    force, deflection, before = [], 0.0, displacement[0]
    for x in displacement:
        sense = 1 if x > before else -1
        deflection = sense + (deflection - sense) * math.exp(-abs(x - before) / X_D)
        before = x
        force.append(F_C * deflection)
    return force


def rubbed(cycles=8, noise=0.0, seed=3, first=0.3):
    """Displacement in m and Dahl's friction in N, from somewhere between the reversals. first: place of the first sample
    among those of a cycle; from 0 on there is one at each reversal, where the force is exact, too."""
    generator = random.Random(seed)
    displacement = [AMPLITUDE * math.sin(2 * math.pi * (i + first) / SAMPLES) for i in range(cycles * SAMPLES)]
    return ([x + generator.gauss(0, noise * AMPLITUDE) for x in displacement],
            [f + generator.gauss(0, noise * F_C) for f in friction_along(displacement)])


def text_of(columns, digits=9):
    """A table of columns by their names, with the time before them."""
    rows = zip(*columns.values())
    return ",".join(["time_s", *columns]) + "\n" + "".join(
        f"{i / RATE_HZ:.6f}," + ",".join(f"{value:.{digits}g}" for value in row) + "\n" for i, row in enumerate(rows))


ENERGY = 4 * F_C * (AMPLITUDE - X_D * math.tanh(AMPLITUDE / X_D))


class LoopTest(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def one(self, done):
        self.assertEqual(len(done.results), 1, done.stderr)
        self.assertEqual(complaints("loop.json", done.results[0]), [])
        return done.results[0]

    def offline(self, columns, *options):
        return offline(*options, self.scratch.write("loop.csv", text_of(columns)))

    def decay_and_force(self):
        times, x = release(Decay(), rate=500.0, noise=0.003)
        return times, x, [0.1 * value for value in x]

    def assert_decays(self, done, *channels):
        found = {(result["kind"], result["verdict"]) for result in done.results if result["channel"] in channels}
        self.assertEqual(found, {("free_decay", "ok")}, done.stderr)
        self.assertEqual({result["channel"] for result in done.results} & set(channels), set(channels))

    def assert_loops(self, result, within=1e-4):
        self.assertEqual((result["kind"], result["verdict"], result["units"]["displacement"]), ("loop", "ok", "m"))
        self.assertAlmostEqual(result["energy"]["value"] / ENERGY, 1, delta=within)
        self.assertAlmostEqual(result["stroke"]["value"] / (2 * AMPLITUDE), 1, delta=within)
        found = result["loop"]
        self.assertEqual((found["loops"], found["runs"], found["main_run"], len(found["loop"])), (7, 1, 1, 7))
        self.assertTrue(all(loop["closes"] for loop in found["loop"]))
        self.assertEqual(found["run"][0]["ended_by"], "end_of_record")


class Files(LoopTest):
    def test_the_ladder_names_the_model_and_what_it_does_not_know(self):
        x, force = rubbed(noise=0.005)
        columns = {"displacement_m": x, "force_n": force}
        self.assertEqual(self.one(self.offline(columns))["loop"]["ladder"]["verdict"], "not_computed")
        result = self.one(offline(self.scratch.write("loop.csv", text_of(columns)), ladder=True))
        ladder = result["loop"]["ladder"]
        self.assertEqual((ladder["verdict"], ladder["model"], ladder["lacks_fit"]), ("ok", "dahl", False))
        for name, truth in (("f_c", F_C), ("x_d", X_D), ("sigma_0", F_C / X_D)):
            self.assertLess(abs(ladder[name]["value"] - truth), 0.02 * truth, name)
            self.assertLess(ladder[name]["se"], 0.01 * truth, name)
        for name in ("f_s", "v_s", "sigma_1", "k_x"):
            self.assertIsNone(ladder[name]["value"], name)
            self.assertTrue(ladder[name]["reason"], name)
        self.assertEqual([rung["verdict"] for rung in ladder["models"] if rung["model"] == "dahl"], ["ok"])
        (backlash,) = [rung for rung in ladder["models"] if rung["model"] == "backlash"]
        self.assertEqual((backlash["verdict"], backlash["f_c"]["value"]), ("not_converged", None))
        self.assertTrue(backlash["f_c"]["reason"].startswith("given_up: another model leaves far less"), backlash["f_c"])
        shown = fricidctl("identify", "--alone", self.scratch.path / "loop.csv").stdout
        self.assertRegex(shown, r"(?m)^  backlash +\S+ +\S+ +far worse, given up$")

    def test_what_a_value_stands_for_is_told_beside_it(self):
        """A sine tells a spring and a mass by their difference."""
        x, force = rubbed(noise=0.005)
        path = self.scratch.write("spring.csv", text_of({"displacement_m": x, "force_n": [f + 3 * F_C / AMPLITUDE * v for f, v in zip(force, x)]}))
        ladder = self.one(offline(path, ladder=True))["loop"]["ladder"]
        self.assertAlmostEqual(ladder["k_x"]["value"] / (3 * F_C / AMPLITUDE), 1, delta=0.02)
        self.assertIn("at one frequency a spring and a mass are the same", ladder["k_x"]["reason"])
        self.assertIsNone(ladder["f_c"]["reason"])
        shown = fricidctl("identify", "--alone", path).stdout
        self.assertRegex(shown, r"(?m)^    k_x \S.*\(at one frequency a spring and a mass are the same: the value is k_x less")

    def test_displacement_and_force_are_of_loops_in_any_unit(self):
        x, f = rubbed()
        for columns in ({"displacement_mm": [1e3 * v for v in x], "force_n": f}, {"displacement1_mm": [1e3 * v for v in x], "force_3_n": f},
                        {"force_mN": [1e3 * v for v in f], "displacement [um]": [1e6 * v for v in x]},
                        {"Position (mm)": [1e3 * v for v in x], "Force (N)": f},
                        {"temperature_C": f, "friction (N)": f, "displacement_m": x}):
            with self.subTest(list(columns)):
                self.assert_loops(self.one(self.offline(columns)))

    def test_an_angle_and_a_torque(self):
        x, f = rubbed()
        result = self.one(self.offline({"angle_rad": x, "torque_nm": f}))
        self.assertEqual(result["units"]["displacement"], "rad")
        self.assertAlmostEqual(result["energy"]["value"] / ENERGY, 1, delta=1e-4)

    def test_a_velocity_is_integrated(self):
        x, f = rubbed()
        speed = [2 * math.pi * RATE_HZ / SAMPLES * AMPLITUDE * math.cos(2 * math.pi * (i + 0.3) / SAMPLES) for i in range(len(x))]
        self.assert_loops(self.one(self.offline({"velocity_mm_s": [1e3 * v for v in speed], "force_n": f})))

    def test_a_normal_force_gives_a_friction_coefficient(self):
        x, f = rubbed()
        result = self.one(self.offline({"displacement_m": x, "force_n": f, "normal_n": [10.0] * len(x)}))
        self.assertAlmostEqual(result["mu_forward"]["value"], 0.2, delta=0.001)
        self.assertAlmostEqual(result["mu_backward"]["value"], -0.2, delta=0.001)
        none = self.one(self.offline({"displacement_m": x, "force_n": f, "normal_n": [0.0] * len(x)}))
        self.assertIsNone(none["mu_forward"]["value"])
        self.assertIn("mass_kg", none["zeta_eq"]["reason"])
        self.assertNotIn("normal force", none["zeta_eq"]["reason"])
        self.assertIn("is 0 in its mean", none["mu_forward"]["reason"])
        noise = random.Random(1)
        for normal, words in (((lambda: -10.0), "normal_sign is the other way round"), ((lambda: noise.gauss(0, 0.1)), "is 0 in its mean")):
            wrong = self.one(self.offline({"displacement_m": x, "force_n": f, "normal_n": [normal() for _ in x]}))
            self.assertIn(words, wrong["mu_forward"]["reason"])
            self.assertLessEqual(len(wrong["mu_forward"]["reason"]), 66)
        without = self.one(self.offline({"displacement_m": x, "force_n": f}))
        self.assertEqual(without["mu_forward"]["reason"], "no normal force was measured")

    def test_how_many_samples_are_too_few_or_too_many_is_told(self):
        x, f = rubbed(cycles=5)
        few = self.one(self.offline({"displacement_m": x[:12], "force_n": f[:12]}))
        self.assertEqual((few["verdict"], few["loop"]["reason"]),
                         ("too_few_samples", "the record has 12 samples, and loops need 20 at least"))
        short = self.one(offline(self.scratch.write("short.csv", text_of({
            "displacement_m": x[:800:4], "force_n": f[:800:4]})), ladder=True))["loop"]["ladder"]
        self.assertEqual(short["verdict"], "too_few_samples")
        self.assertRegex(short["reason"], "^of 200 samples [0-9]+ count, .* needs 240 that do$")
        self.assertTrue(short["f_c"]["reason"])

    def test_bad_records_have_their_verdicts(self):
        x, f = rubbed(noise=0.01)
        cut = [max(-1.5, min(1.5, v)) for v in f]
        spring = [1e3 * v + e for v, e in zip(x, random.Random(1).choices((-0.01, 0.0, 0.01), k=len(x)))]
        still = [random.Random(i).gauss(0, 1e-6) for i in range(len(x))]
        for verdict, columns in (("negative_energy", {"displacement_m": f, "force_n": x}),
                                 ("negative_energy", {"displacement_m": x, "force_n": [-v for v in f]}),
                                 ("no_motion", {"displacement_m": still, "force_n": f}),
                                 ("no_slip", {"displacement_m": x, "force_n": spring}),
                                 ("no_loop", {"displacement_m": x[:150], "force_n": f[:150]}),
                                 ("force_clipped", {"displacement_m": x, "force_n": cut}),
                                 ("displacement_clipped", {"displacement_m": [max(-0.5e-3, min(0.5e-3, v)) for v in x], "force_n": f}),
                                 ("force_constant", {"displacement_m": x, "force_n": [1.0] * len(x)})):
            with self.subTest(verdict):
                done = self.offline(columns)
                result = self.one(done)
                self.assertEqual((result["verdict"], done.returncode), (verdict, 1))
                self.assertTrue(result["reason"])

    def test_a_loop_that_does_not_close_may_give_energy_back(self):
        """Of a motion of two frequencies; with the opposite sign the whole of it does."""
        turns = [12 * math.pi * i / 1500 for i in range(1500)]
        x = [5 * X_D * (math.sin(turn) + 0.7 * math.sin(2.15 * turn)) for turn in turns]
        force = friction_along(x)
        self.assertEqual(self.one(self.offline({"displacement_m": x, "force_n": force}))["verdict"], "ok")
        opposite = self.one(self.offline({"displacement_m": x, "force_n": [-f for f in force]}))
        self.assertEqual(opposite["verdict"], "negative_energy")

    def test_headers_that_leave_a_doubt_are_told(self):
        x, f = rubbed(1)
        for columns, words in (({"displacement_mm": x, "displacement_um": x, "force_n": f}, "both `displacement_mm` and `displacement_um`"),
                               ({"displacement_mm": x, "force_n": f, "friction_n": f}, "both `force_n` and `friction_n`"),
                               ({"displacement_mm": x, "force_n": f, "force2_n": f}, "both `force_n` and `force2_n` may be the force of a loop"),
                               ({"displacement_mm": x, "Force 1 (N)": f, "Force_2 [N]": f}, "both `Force 1 (N)` and `Force_2 [N]`"),
                               ({"displacement1_mm": x, "displacement_2_mm": x, "force_n": f}, "both `displacement1_mm` and `displacement_2_mm`"),
                               ({"displacement_mm": x, "force_n": f, "normal_n": f, "normal2_n": f}, "both `normal_n` and `normal2_n`"),
                               ({"displacement_mm": x, "force_n": f, "angle_rad": x, "torque_nm": f},
                                "both `displacement_mm` and `angle_rad` may be the motion of a loop"),
                               ({"displacement_mm": x, "force_n": f, "normal": f}, "`normal` has no unit"),
                               ({"displacement": x, "force": f}, "`displacement` has no unit that is known: the displacement of a loop is called displacement_m"),
                               ({"displacement_mm": x, "friction": f}, "`friction` has no unit"),
                               ({"displacement_furlong": x, "force_n": f}, "`displacement_furlong` has no unit"),
                               ({"angle": x, "torque": f}, "`angle` has no unit")):
            with self.subTest(words):
                done = self.offline(columns)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(words, done.stderr)
                self.assertIn("--kind free_decay takes it for a recording", done.stderr)

    def test_what_is_a_recording_all_the_same(self):
        beside = csv_text(*self.decay_and_force(), header="%s")
        for header in "time,displacement,force", "t_s,displacement_mm,friction":
            with self.subTest(header):
                path = self.scratch.write("free.csv", beside.replace("%s", header))
                self.assertEqual(offline(path).returncode, 2)
                self.assert_decays(offline("--kind", "free_decay", path), "displacement")
        ours = '#fricid {"recording":1,"rig":"bench"}\n' + beside.replace("%s", "time_s,displacement_mm,force_N")
        self.assert_decays(offline(self.scratch.write("ours.csv", ours)), "displacement")

    def test_how_figures_are_brought_to_their_units_is_told(self):
        x, f = rubbed(2)
        for columns, words in (({"displacement_mm": [1e3 * v for v in x], "force_n": f}, "displacement brought to m"),
                               ({"displacement_m": x, "force_kN": [1e-3 * v for v in f]}, "force brought to N")):
            done = self.offline(columns)
            self.assertIn(words, done.stderr)
            self.assertNotIn("seconds", done.stderr)

    def test_forces_and_torques_of_any_size_are_known_by_their_units(self):
        x, f = rubbed(2)
        wanted = self.one(self.offline({"displacement_m": x, "force_n": f}))["friction"]["value"]
        for motion, load, scale in (("displacement_m", "force_un", 1e6), ("displacement_m", "force (µN)", 1e6), ("angle_rad", "torque_nmm", 1e3),
                                    ("angle_rad", "torque (mN*m)", 1e3), ("angle_rad", "torque (N·mm)", 1e3), ("angle_rad", "torque_knm", 1e-3)):
            with self.subTest(load):
                result = self.one(self.offline({motion: x, load: [scale * v for v in f]}))
                self.assertAlmostEqual(result["friction"]["value"], wanted, delta=1e-9 * wanted)

    def test_a_terminal_tells_why_there_is_no_ladder(self):
        # Four cycles of 50 samples are loops, and too few samples for models.
        columns = {name: values[:4 * SAMPLES:SAMPLES // 50] for name, values in zip(("displacement_m", "force_n"), rubbed())}
        shown = fricidctl("identify", "--alone", self.scratch.write("short.csv", text_of(columns)))
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("no ladder of models: ", shown.stdout)

    def test_a_terminal_tells_once_why_there_are_no_figures(self):
        x, force = rubbed(3)
        for name, columns in (("still", {"displacement_m": x, "force_n": [2.0] * len(x)}), ("turned", {"displacement_m": x, "force_n": [-f for f in force]})):
            with self.subTest(name):
                path = self.scratch.write(f"{name}.csv", text_of(columns))
                reason = self.one(offline(path))["loop"]["reason"]
                shown = fricidctl("identify", "--alone", path)
                self.assertEqual(shown.stdout.count(reason), 1, shown.stdout)
                self.assertEqual("E " in shown.stdout, name == "turned", shown.stdout)

    def test_lack_of_fit_that_one_loop_cannot_show_is_not_denied(self):
        x, force = rubbed(cycles=2, noise=0.005)
        path = self.scratch.write("one.csv", text_of({"displacement_m": x, "force_n": force}))
        ladder = self.one(offline(path, ladder=True))["loop"]["ladder"]
        self.assertEqual((ladder["verdict"], ladder["model"]), ("ok", "dahl"))
        self.assertEqual((ladder["lack_of_fit"], ladder["lack_of_fit_expected"], ladder["lacks_fit"]), (None, None, None))
        self.assertIn("two whole loops", ladder["reason"])
        shown = fricidctl("identify", "--alone", path)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("lack of fit was not tested", shown.stdout)

    def test_steps_that_hide_the_shape_of_presliding_are_told(self):
        x, force = rubbed(cycles=3, noise=0.005)
        for share, told in ((0.5, True), (0.02, False)):
            with self.subTest(share):
                step = share * X_D
                path = self.scratch.write("steps.csv", text_of({
                    "displacement_m": [step * round(value / step) for value in x], "force_n": force}))
                ladder = self.one(offline(path, ladder=True))["loop"]["ladder"]
                self.assertEqual(ladder["coarse_steps"], told, ladder["displacement_steps"])
                shown = fricidctl("identify", "--alone", path)
                self.assertEqual("the displacement has steps of" in shown.stdout, told, shown.stdout)

    def test_arithmetic_is_no_lack_of_fit_and_a_thousandth_of_a_bent_spring_is(self):
        """Without noise a record is the same in every loop, to the last digit that is written."""
        x, force = rubbed(first=0)
        for bent, lacks in ((0, False), (1e-3, True)):
            with self.subTest(bent):
                path = self.scratch.write("exact.csv", text_of({
                    "displacement_m": x, "force_n": [f + bent * F_C * math.cos(9 * p / AMPLITUDE) for f, p in zip(force, x)]}))
                ladder = self.one(offline(path, ladder=True))["loop"]["ladder"]
                self.assertEqual(ladder["lacks_fit"], lacks, ladder["lack_of_fit"])

    def test_a_middle_of_rounding_is_shown_as_0(self):
        x, force = rubbed(first=0)
        path = self.scratch.write("exact.csv", text_of({"displacement_m": x, "force_n": force}, digits=17))
        self.assertRegex(fricidctl("identify", "--alone", path).stdout, r"(?m)^  x_m +0 m *$")

    def test_loops_that_are_not_shown_are_told(self):
        x, force = rubbed(cycles=20, noise=0.005)
        path = self.scratch.write("many.csv", text_of({"displacement_m": x, "force_n": force}))
        loop = self.one(offline(path))["loop"]
        shown = fricidctl("identify", "--alone", path)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("8 of 19 loops are shown", shown.stdout)
        (scatter,) = re.findall(r"a single loop scatters by ([0-9.]+) % in E", shown.stdout)
        energies = [each["energy"] for each in loop["loop"]]
        self.assertAlmostEqual(float(scatter), 100 * statistics.stdev(energies) / statistics.mean(energies), delta=0.03)
        self.assertEqual([line for line in shown.stdout.splitlines() if "loop" in line and len(line) > 80 and line[0] == " "], [])
        few = fricidctl("identify", "--alone", self.scratch.write("few.csv", text_of({
            "displacement_m": x[:5 * SAMPLES], "force_n": force[:5 * SAMPLES]})))
        self.assertNotIn("loops are shown", few.stdout)
        self.assertIn("a single loop scatters by", few.stdout)

    def test_a_drift_is_told_where_it_is_none_by_chance(self):
        def told(force_of, seed):
            x, force = rubbed(cycles=7, noise=0.02, seed=seed)
            generator = random.Random(seed + 100)
            path = self.scratch.write("drift.csv", text_of({"displacement_m": x, "force_n": force_of(force),
                                                            "normal_n": [generator.gauss(10, 0.1) for _ in x]}))
            return "over the run" in fricidctl("identify", "--alone", path).stdout
        self.assertLessEqual(sum(told(list, seed) for seed in range(12)), 1)
        self.assertTrue(told(lambda force: [f * (1 + 0.1 * i / len(force)) for i, f in enumerate(force)], 1))

    def test_a_record_without_loops_tells_the_way_out(self):
        times, x, f = self.decay_and_force()
        done = offline(self.scratch.write("free.csv", csv_text(times, x, [1.0] * len(f), header="time_s,displacement_mm,force_n")))
        self.assertEqual(done.returncode, 1)
        self.assertIn("--kind free_decay takes it for a recording", done.stderr)

    def test_figures_too_large_to_calculate_with_are_told_and_not_judged(self):
        """Up to the limit a loop is one; beyond it there is no verdict on physics, be it one row or all."""
        x, f = rubbed()
        for scale in (1e50, 1e200):
            path = self.scratch.write("large.csv", text_of({"displacement_m": x, "force_n": [scale * v for v in f]}))
            done = fricidctl("identify", "--alone", path)
            if scale < 1e60:
                self.assertIn("loop, ok", done.stdout, done.stderr)
            else:
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, r"large\.csv:\d+: `.*e\+(199|200)` is too large .* up to 1e\+60")
        f[700] = 1e300
        done = fricidctl("identify", "--alone", self.scratch.write("one.csv", text_of({"displacement_m": x, "force_n": f})))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("one.csv:702: `1e+300` is too large", done.stderr)

    def test_figures_too_small_to_calculate_with_are_told_and_not_judged(self):
        """The square of a column's figures vanished: standard errors were 0. A column of nothing is judged all the same."""
        x, f = rubbed()
        for scale, verdict in ((1e-50, "ok"), (1e-160, None), (0.0, "force_constant")):
            path = self.scratch.write("small.csv", text_of({"displacement_m": x, "force_n": [scale * v for v in f]}))
            done = fricidctl("identify", "--alone", path)
            if verdict:
                self.assertIn(f"loop, {verdict}", done.stdout, done.stderr)
            else:
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("small.csv: force_n is too small to calculate with: the largest of a column is at least 1e-60", done.stderr)

    def test_names_in_another_language_are_told_by_their_units(self):
        x, f = rubbed()
        rows = [(1e3 * i / RATE_HZ, 1e3 * a, b) for i, (a, b) in enumerate(zip(x, f))]
        german = lambda row: ";".join(f"{value:.9g}".replace(".", ",") for value in row) + "\n"
        def read(header, extra=()):
            text = header + "\n" + "".join(german((*row, *extra)) for row in rows)
            return offline(self.scratch.write("pin.csv", text))
        for header in "Zeit [ms];Weg [mm];Kraft [N]", "Time (ms);Weg (mm);Kraft (N)", "Time_ms;Weg_mm;Kraft_N":
            done = read(header)
            self.assert_loops(self.one(done))
            self.assertIn("columns known by their units", done.stderr)
        # What is called normal presses the contact together.
        for header in "Zeit [ms];Weg [mm];Kraft [N];Normalkraft [N]", "Time (ms);Stroke (mm);Friction Force (N);Normal Load (N)":
            result = self.one(read(header, (20.0,)))
            self.assert_loops(result)
            self.assertAlmostEqual(result["mu_forward"]["value"], result["plateau_forward"]["value"] / 20.0, delta=1e-9)
        # Nobody can choose between two others.
        done = read("Zeit [ms];Weg [mm];Kraft [N];Last [N]", (20.0,))
        self.assertEqual((done.returncode, done.results), (2, []))
        self.assertIn("both `Kraft [N]` and `Last [N]` may be the force of a loop", done.stderr)
        # A hammer beside sensors of a displacement is a recording where that is said.
        for header in "time_s,lvdt_mm,hammer_N", "time_s,lvdt1_mm,lvdt2_mm,hammer_N":
            times, x, f = self.decay_and_force()
            traces = (x, f) if header.count(",") == 2 else (x, x, f)
            path = self.scratch.write("hammer.csv", csv_text(times, *traces, header=header))
            done = offline(path)
            self.assertEqual(done.returncode, 2 if len(traces) == 3 else 1, done.stderr)
            self.assertNotIn("free_decay", {result["kind"] for result in done.results})
            self.assert_decays(offline("--kind", "free_decay", path), *header.split(",")[1].split("_")[:1])
        # What counts something is no force, nor are nanometres a torque.
        for header in "time_ms;weg_mm;anzahl_n", "time_ms;winkel_rad;weg_nm":
            self.assertNotIn("loop", {result.get("kind") for result in read(header).results})

    def test_units_below_the_names(self):
        """As test machines write them, with prose above, and the time wherever it is."""
        x, f = rubbed()
        rows = [(i / RATE_HZ, a, b) for i, (a, b) in enumerate(zip(x, f))]
        def read(header, order, scales, *options, delimiter=","):
            text = header + "\n" + "".join(delimiter.join(f"{row[k] * scales[k]:.9g}" for k in order) + "\n" for row in rows)
            return offline(*options, self.scratch.write("machine.csv", text))
        for header, order, scales, delimiter in (("time,displacement,force\ns,mm,kN", (0, 1, 2), (1, 1e3, 1e-3), ","),
                                                 ("Time;Stroke;Load\n(s);(mm);(kN)", (0, 1, 2), (1, 1e3, 1e-3), ";"),
                                                 ("Test 7, dry\n\nTime,Stroke,Load\nsec,in,lbf", (0, 1, 2), (1, 1 / 0.0254, 1 / 4.4482216152605), ","),
                                                 ("Axial Displacement\tAxial Force\tRunning Time\nmm\tkN\tSec", (1, 2, 0), (1, 1e3, 1e-3), "\t")):
            with self.subTest(header):
                done = read(header, order, scales, delimiter=delimiter)
                self.assert_loops(self.one(done))
                self.assertIn("units below the names", done.stderr)
        done = read("Lead Displacement,Lead Force\nmm,kN", (1, 2), (1, 1e3, 1e-3), "--rate", f"{RATE_HZ}")
        self.assert_loops(self.one(done))
        # What has its units in its names already, or none below them, is told as ever, with the line of the names.
        done = read("time,displacement,force", (0, 1, 2), (1, 1e3, 1e-3))
        self.assertEqual(done.returncode, 2)
        self.assertIn("machine.csv:1: `time` has no unit that is known", done.stderr)
        done = read("time,displacement,force\ns,mm,stone", (0, 1, 2), (1, 1e3, 1e-3))
        self.assertEqual(done.returncode, 2)
        self.assertIn("machine.csv:1: `force (stone)` has no unit that is known", done.stderr)

    def test_pounds_are_a_force(self):
        x, f = rubbed()
        inches, pounds = [v / 0.0254 for v in x], [v / 4.4482216152605 for v in f]
        for columns in ({"displacement_in": inches, "force_lb": pounds}, {"displacement (in)": inches, "friction force (kip)": [v / 1e3 for v in pounds]},
                        {"disp_in": inches, "load_kips": [v / 1e3 for v in pounds]}, {"disp (in.)": inches, "load (lbs)": pounds}):
            with self.subTest(list(columns)):
                self.assert_loops(self.one(self.offline(columns)))

    def test_options_of_recordings_are_refused_with_the_reason(self):
        x, f = rubbed()
        path = self.scratch.write("pin.csv", text_of({"displacement_m": x, "force_n": f}))
        for options in (("--columns", "1,2,3"), ("--calibration", "force_n=[0, 2] N")):
            done = fricidctl("identify", "--alone", *options, path)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"{options[0]} is said of recordings, not of loop: the header", done.stderr)

    def test_figures_that_are_missing_or_none_are_told_with_their_line(self):
        text = "time_s,displacement_m,force_n\n0,0,0\n1,1,1\n2,%s,1\n"
        for figure in "", "nan", "inf", "wet":
            with self.subTest(figure):
                done = offline(self.scratch.write("hole.csv", text % figure))
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("hole.csv:4:", done.stderr)

    def test_a_time_that_goes_back_has_a_verdict(self):
        lines = text_of(dict(zip(("displacement_m", "force_n"), rubbed()))).splitlines(True)
        lines[100], lines[101] = lines[101], lines[100]
        done = offline(self.scratch.write("back.csv", "".join(lines)))
        self.assertEqual((done.returncode, self.one(done)["verdict"]), (1, "time_not_increasing"))
        self.assertIn("the time of line 102 is not later", done.stderr)

    def test_the_kind_may_be_said(self):
        x, f = rubbed()
        columns = {"displacement_mm": [1e3 * v for v in x], "force_n": f}
        self.assert_loops(self.one(self.offline(columns, "--kind", "loop")))
        path = self.scratch.write("free.csv", csv_text(*self.decay_and_force(), header="time_s,displacement_mm,force_n"))
        self.assert_decays(offline("--kind", "free_decay", path), "displacement")
        done = self.offline({"lvdt_mm": x}, "--kind", "loop")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("displacement_m,force_n,time_s", done.stderr)


class Requests(LoopTest):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.daemon.__enter__()
        cls.addClassCleanup(cls.daemon.abandon)
        x, f = rubbed(noise=0.005)
        cls.columns = {"displacement_m": x, "force_n": f, "time_s": [i / RATE_HZ for i in range(len(x))]}

    def test_a_request_in_one_and_in_pieces_a_store_and_a_terminal(self):
        with self.daemon.client() as client:
            (told,) = client.call("identify", kind="loop", columns=self.columns, keep=True, name="pin")["results"]
            self.assertEqual(complaints("loop.json", told), [])
            self.assert_loops(told, within=0.005)
            upload = client.call("identify.begin", kind="loop", form=",".join(self.columns))["upload"]
            for first in range(0, len(self.columns["force_n"]), 700):
                taken = client.call("identify.append", upload=upload,
                                    columns={name: values[first:first + 700] for name, values in self.columns.items()})
                self.assertEqual(taken["samples"], min(first + 700, len(self.columns["force_n"])))
            (pieces,) = client.call("identify.finish", upload=upload)["results"]
            self.assertEqual(pieces["loop"], told["loop"])
            kept = client.call("results.get", id=told["id"])
            self.assertEqual(kept["loop"], told["loop"])
            (listed,) = client.call("results.list", kind="loop")["results"]
            self.assertEqual((listed["id"], listed["figures"]["energy"]["value"]), (told["id"], told["energy"]["value"]))
            self.assertEqual(client.call("reidentify", id=told["id"], check=True)["changed"], 0)
        table = self.daemon.fricidctl("results", "--kind", "loop").stdout
        self.assertIn("FIGURES", table)
        self.assertNotIn("HALF CYCLES", table)
        shown = self.daemon.fricidctl("show", str(told["id"])).stdout
        for word in ("loop, ok", "7 loops in 1 run", "E/J", "k_sec"):
            self.assertIn(word, shown)
        self.assertEqual([line for line in shown.splitlines() if line.startswith("  ") and len(line) > 80], [])
        picture = self.daemon.fricidctl("plot", "-o", "-", str(told["id"]))
        self.assertEqual(picture.returncode, 0, picture.stderr)
        for word in ("$samples << END", "$loops << END", "force, N"):
            self.assertIn(word, picture.stdout)
        first = picture.stdout.split("$samples << END\n")[1].splitlines()[0].split()
        self.assertAlmostEqual(float(first[0]), self.columns["displacement_m"][0], delta=1e-9)

    def assert_best_models(self, table, ladder):
        """Every one with its parameters, from the least evidence on."""
        models = [rung for rung in ladder["models"] if rung["verdict"] == "ok" and not rung["reduced"]]
        best = sorted(models, key=lambda rung: rung["evidence"])[:5]
        begin = 0
        for rung in best:
            # In a row, or behind the names of the columns where those do not fit.
            row = re.compile(r"(> )?" + re.escape(rung["model"]) + r" +(?:F_C/N )?([\d.]+)\(").search(table, begin)
            self.assertTrue(row, (rung["model"], table))
            self.assertEqual(bool(row[1]), rung["model"] == ladder["model"])
            self.assertLess(abs(float(row[2]) - rung["f_c"]["value"]), rung["f_c"]["se"])
            begin = row.end()

    def test_loops_are_sorted_and_chosen_by_their_figures(self):
        """Of the same record in three scales, of displacement and of force."""
        with Daemon(service="ladder_deadline_s = 600;") as daemon, daemon.client() as client:
            told = {}
            for way, level in ((1, 1), (2, 0.2), (0.5, 0.5)):
                (told[way],) = client.call("identify", kind="loop", keep=True, columns=self.columns | {
                    "displacement_m": [way * x for x in self.columns["displacement_m"]],
                    "force_n": [level * f for f in self.columns["force_n"]]})["results"]
            shown = daemon.fricidctl("show", str(told[1]["id"])).stdout
            self.assert_best_models(shown.split("the parameters of the best ")[1], told[1]["loop"]["ladder"])
            client.call("identify", kind="bounces", columns={"flight_s": [0.4, 0.36]}, keep=True)
            ways = {result["id"]: way for way, result in told.items()}

            def listed(**parameters):
                return [ways[summary["id"]] for summary in client.call("results.list", **parameters)["results"]]
            self.assertEqual(listed(sort="energy"), [1, 2, 0.5])
            self.assertEqual(listed(sort="stroke", ascending=True), [0.5, 1, 2])
            self.assertEqual(listed(sort="f_c", limit=2), [1, 0.5])
            self.assertEqual(listed(energy_min=0.9 * told[2]["energy"]["value"], stroke_max=3 * AMPLITUDE), [1])
            self.assertEqual(listed(f_c_min=0.9, f_c_max=1.1), [0.5])
            self.assertEqual(listed(x_d_min=1.5 * X_D), [2])
            self.assertEqual(sorted(listed(period_s_min=0.49, period_s_max=0.51)), [0.5, 1, 2])
            self.assertEqual(listed(mu_forward_min=0), [])
            model = told[1]["loop"]["ladder"]["model"]
            chosen = [way for way in (0.5, 2, 1) if told[way]["loop"]["ladder"]["model"] == model]
            self.assertEqual(listed(model=model), chosen)
            self.assertEqual(listed(model="bouc_wen"), [])
            for summary in client.call("results.list", kind="loop")["results"]:
                self.assertEqual(summary["contact_model"], told[ways[summary["id"]]]["loop"]["ladder"]["model"])
            self.assertRegex(daemon.fricidctl("results").stdout, rf"(?s)^.* MODEL .*\n.* {re.escape(model)} ")
            with self.assertRaises(ProtocolError) as caught:
                client.call("results.list", model="lugre")
            self.assertIn("there is no model lugre", str(caught.exception))
            shown = daemon.fricidctl("results", "--where", f"model={model}", "--columns", "id")
            self.assertEqual([ways[int(row)] for row in shown.stdout.splitlines()[1:]], chosen, shown.stderr)
            page = client.call("results.list", sort="k_sec", limit=1)
            (later,) = client.call("results.list", sort="k_sec", limit=1, cursor=page["next_cursor"])["results"]
            self.assertEqual([ways[page["results"][0]["id"]], ways[later["id"]]], [0.5, 1])
            shown = daemon.fricidctl("results", "--where", "energy_min=1e-9", "--sort", "friction")
            self.assertEqual((shown.returncode, len(shown.stdout.splitlines())), (0, 4), shown.stderr)
            shown = daemon.fricidctl("results", "--kind", "loop", "--sort", "f_c", "--columns", "id,energy,f_c,mu_forward")
            head, *rows = shown.stdout.splitlines()
            self.assertEqual((head.split(), len(rows)), (["ID", "energy", "f_c", "mu_forward"], 3), shown.stdout)
            for row, way in zip(rows, (1, 0.5, 2)):
                energy, f_c = (re.match(r"[0-9.]+", cell)[0] for cell in re.findall(r"[0-9.]+\([0-9]+\)", row)[:2])
                self.assertIn(str(told[way]["id"]), row.split())
                self.assertTrue(f"{told[way]['loop']['ladder']['f_c']['value']:.9f}".startswith(f_c[:4]), row)

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def svg_of_a_stroke(self, half, forces=1):
        """The picture of a record whose displacement goes that far to either side, with so many times the forces."""
        largest = max(abs(x) for x in self.columns["displacement_m"])
        columns = self.columns | {"displacement_m": [half * x / largest for x in self.columns["displacement_m"]],
                                  "force_n": [forces * force for force in self.columns["force_n"]]}
        with self.daemon.client() as client:
            (told,) = client.call("identify", kind="loop", columns=columns, keep=True)["results"]
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "loop.svg")
            drawn = self.daemon.fricidctl("plot", "-o", path, str(told["id"]))
            self.assertEqual(drawn.returncode, 0, drawn.stderr)
            with open(path, encoding="utf-8") as svg:
                return svg.read()

    def test_the_panel_is_filled_by_a_loop(self):
        picture = self.svg_of_a_stroke(0.00101)
        width = float(re.search(r'viewBox="0 0 ([\d.]+)', picture).group(1))
        (loop,) = re.findall(r"rgb\(160, 160, 160\)'\s+d='M\d[^']{2000,}", picture)
        across = [float(x) for x in re.findall(r"[ML]([\d.]+),", loop)]
        self.assertGreater(max(across) - min(across), 0.4 * width)  # the panel is 0.47 of it, its tics 0.002 apart

    def test_names_beside_powers_of_ten_are_in_the_picture(self):
        picture = self.svg_of_a_stroke(0.001, 1e-9)
        names = re.findall(r'translate\((-?[\d.]+),[\d.]+\) rotate\(270\)[^>]*>\s*<text>([^<]*)', picture)
        self.assertIn("force, N", [name for _, name in names])
        for x, name in names:
            self.assertGreater(float(x), 10, name)  # half a line of text

    def test_numbers_below_a_picture_do_not_touch(self):
        picture = self.svg_of_a_stroke(0.001)
        centred = re.findall(r'translate\(([\d.]+),([\d.]+)\)[^>]*text-anchor="middle">\s*<text>(.*?)</text>', picture,
                             re.DOTALL)
        rows = {}
        for x, y, text in centred:
            rows.setdefault(float(y), []).append((float(x), len(re.sub(r"<[^>]*>|\s", "", text))))
        self.assertTrue(any(len(row) > 2 for row in rows.values()), centred)
        for row in rows.values():
            for (left, before), (right, after) in itertools.pairwise(sorted(row)):
                self.assertGreater(right - left, 3.5 * (before + after), row)  # half of both, of seven points a letter

    def test_a_picture_has_what_the_model_leaves_over(self):
        with Daemon(service="ladder_deadline_s = 600;") as daemon, daemon.client() as client:
            (told,) = client.call("identify", kind="loop", columns=self.columns, keep=True)["results"]
            picture = daemon.fricidctl("plot", "-o", "-", str(told["id"]))
        self.assertEqual(picture.returncode, 0, picture.stderr)
        rows = [[float(figure) for figure in line.split()]
                for line in picture.stdout.split("$samples << END\n")[1].split("END")[0].splitlines()]
        whole = [row for row in rows if len(row) == 4]
        self.assertGreater(len(whole), len(rows) / 2)
        rms = math.sqrt(sum(row[3] ** 2 for row in whole) / len(whole))
        self.assertAlmostEqual(rms / told["loop"]["ladder"]["residual_rms"], 1, delta=0.1)
        for row in whole:
            self.assertAlmostEqual(row[1] - row[2], row[3], delta=1e-7)
        loops = [[float(figure) for figure in line.split()]
                 for line in picture.stdout.split("$loops << END\n")[1].split("END")[0].splitlines()]
        self.assertEqual(len(loops), len(told["loop"]["loop"]))
        for row, loop in zip(loops, told["loop"]["loop"]):
            for drawn, name in zip(row, ("number", "energy", "se_energy", "friction", "se_friction")):
                self.assertAlmostEqual(drawn / loop[name], 1, delta=1e-7, msg=name)

    def test_elements_of_unknown_length_have_no_panel(self):
        """They slip between two samples, whichever way these are: an axis for none of them ends the picture."""
        generator, deflection, before, rows = random.Random(3), 0.0, -1.6e-3, []
        for i in range(400):
            for k in range(200):
                x = -1.6e-3 * math.cos(2 * math.pi * 5 * (i + (k + 1) / 200) / 200)
                sense = 1 if x > before else -1
                deflection, before = sense + (deflection - sense) * math.exp(-abs(x - before) / 1e-6), x
            rows.append(f"{(i + 1) / 200:.6f},{x + generator.gauss(0, 1e-7):.10g},{1000 * deflection + generator.gauss(0, 10):.8g}")
        path = self.scratch.write("fast.csv", "time_s,displacement_m,force_n\n" + "\n".join(rows) + "\n")
        (result,) = json.loads(fricidctl("identify", "--alone", "--json", path).stdout)["results"]
        elements = result["loop"]["ladder"]["elements"]
        self.assertTrue(elements, result["loop"]["ladder"]["model"])
        self.assertEqual({element["slip_length"]["value"] for element in elements}, {None})
        picture = fricidctl("plot", "-o", "-", path)
        self.assertEqual(picture.returncode, 0, picture.stderr)
        self.assertIn("$elements << END\nEND\n", picture.stdout)
        self.assertNotIn("stats $elements", picture.stdout)

    def test_a_dip_that_nothing_slides_through_has_its_panel(self):
        """LuGre whose friction is built up over a tenth of the stroke: the curve over speed is that of the model."""
        generator, length, level, dip, v_s, viscous, bristle = random.Random(5), 1e-5, 1.0, 0.5, 1e-4, 200.0, 500.0
        deflection, rows, pieces = 0.0, [], 20
        for i in range(1600):
            x, v = (10 * length * f(2 * math.pi * i / 400 + 0.4) for f in (math.sin, math.cos))
            v *= 2 * math.pi
            for k in range(pieces):
                ends = [10 * length * math.sin(2 * math.pi * (i - 1 + (k + j) / pieces) / 400 + 0.4) for j in (0, 1)]
                way, speed = ends[1] - ends[0], abs(ends[1] - ends[0]) * 400 * pieces
                holds = math.copysign(1 + dip * math.exp(-(speed / v_s) ** 2), way)
                deflection = holds + (deflection - holds) * math.exp(-abs(way / length / holds))
            slip = v - abs(v) * deflection / (1 + dip * math.exp(-(v / v_s) ** 2))
            force = level * deflection + bristle * slip + viscous * v + generator.gauss(0, 0.003)
            rows.append(f"{i / 400},{x:.12g},{force:.9g}")
        picture = fricidctl("plot", "-o", "-", self.scratch.write("lugre.csv", "time_s,displacement_m,force_n\n" + "\n".join(rows) + "\n"))
        self.assertEqual(picture.returncode, 0, picture.stderr)
        curve = [list(map(float, line.split())) for line in picture.stdout.split("$curve << END\n")[1].split("END\n")[0].splitlines() if line]
        self.assertEqual(len(curve), 48)
        for velocity, measured, model, u_model in curve:
            steady = math.copysign(level * (1 + dip * math.exp(-(velocity / v_s) ** 2)), velocity) + viscous * velocity
            self.assertTrue(math.isnan(measured))
            self.assertLess(abs(model - steady), 4 * u_model)
            self.assertLess(u_model, 0.02)
        self.assertAlmostEqual(curve[-1][0] / (2 * math.pi * 10 * length), 1, delta=1e-3)
        self.assertNotIn("with points pt 6", picture.stdout)

    def test_requests_that_do_not_fit(self):
        short = {name: values[:50] for name, values in self.columns.items()}
        with self.daemon.client() as client:
            for parameters in ({"columns": short | {"force_n": [1.0]}}, {"columns": {"force_n": [1.0], "time_s": [1.0]}},
                               {"columns": short, "unit": "mm"}, {"columns": short, "sample_rate_hz": 100.0}, {}):
                with self.subTest(list(parameters)), self.assertRaises(ProtocolError):
                    client.call("identify", kind="loop", **parameters)
            form = ",".join(self.columns)
            for parameters in ({"kind": "loop", "form": "force_n"}, {"kind": "loop", "form": form, "time_stamped": True, "keep": True},
                               {"kind": "loop", "form": form, "sample_rate_hz": 100.0}, {"kind": "loop", "form": form, "start_s": 1.0},
                               {"kind": "ring_down", "form": form, "sample_rate_hz": 100.0}, {"form": form, "time_stamped": True}):
                with self.subTest(parameters), self.assertRaises(ProtocolError):
                    client.call("identify.begin", **parameters)
            upload = client.call("identify.begin", kind="loop", form=form)["upload"]
            of_samples = client.call("identify.begin", sample_rate_hz=100.0)["upload"]
            for number, piece in ((upload, {"displacement": [1.0]}), (upload, {"columns": {"force_n": [1.0]}}),
                                  (upload, {"columns": short, "displacement": [1.0]}), (upload, {"columns": short, "clipped": [0]}),
                                  (of_samples, {"columns": short, "displacement": [1.0]})):
                with self.subTest(list(piece)), self.assertRaises(ProtocolError):
                    client.call("identify.append", upload=number, **piece)
            for largest, fits in ((1e50, True), (1e200, False)):
                large = short | {"force_n": [0.0] * 49 + [largest]}
                for method, parameters in (("identify", {"kind": "loop"}), ("identify.append", {"upload": upload})):
                    answer = client.ask(method, columns=large, **parameters)
                    told = answer["error"]["message"] if "error" in answer else ""
                    self.assertEqual(told == "", fits, told)
                    if not fits:
                        self.assertRegex(told, "force_n, element 49, is too large to calculate with: .* up to 1e\\+60")

    def test_figures_that_are_too_small_together(self):
        """A piece may be small, since the next one need not be; the whole may not."""
        small = {name: [1e-160 * v if name == "displacement_m" else v for v in values[:50]] for name, values in self.columns.items()}
        with self.daemon.client() as client:
            told = client.ask("identify", kind="loop", columns=small)["error"]["message"]
            self.assertIn("displacement_m is too small to calculate with", told)
            upload = client.call("identify.begin", kind="loop", form=",".join(self.columns))["upload"]
            client.call("identify.append", upload=upload, columns=small)
            told = client.ask("identify.finish", upload=upload)["error"]["message"]
            self.assertIn("displacement_m is too small to calculate with", told)
            client.call("identify.append", upload=upload, columns={name: values[50:] for name, values in self.columns.items()})
            self.assertEqual(client.call("identify.finish", upload=upload)["results"][0]["kind"], "loop")

    def test_fricidctl_sends_a_file_that_no_request_holds(self):
        x, f = rubbed(45, noise=0.005)
        path = self.scratch.write("pin.csv", text_of({"displacement_mm": [1e3 * v for v in x], "force_n": f}))
        done = self.daemon.fricidctl("identify", path)
        self.assertIn("pin.csv, loop", done.stdout, done.stderr)
        self.assertIn("44 loops in 1 run", done.stdout)


class BadFiles(LoopTest):
    """Each fault has its sentence, from a user who runs no daemon."""

    def identify(self, text, *options):
        return fricidctl("identify", *options, self.scratch.write("loop.csv", text))

    def test_rows_without_a_time_come_at_the_rate_that_is_said(self):
        x, f = rubbed(noise=0.01)
        with_time = text_of({"displacement_m": x, "force_n": f})
        lines = with_time.splitlines()
        rate_hz = 1 / (float(lines[2].split(",")[0]) - float(lines[1].split(",")[0]))
        without = "".join(line.split(",", 1)[1] + "\n" for line in lines)
        stamped = self.identify(with_time, "--json")
        done = self.identify(without, "--json", "--rate", f"{rate_hz:.9g}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rows a second", done.stderr)
        one, other = (json.loads(text.stdout)["results"][0] for text in (stamped, done))
        self.assertAlmostEqual(other["period_s"]["value"] / one["period_s"]["value"], 1, delta=1e-6)
        self.assertAlmostEqual(other["energy"]["value"] / one["energy"]["value"], 1, delta=1e-6)
        refused = self.identify(with_time, "--rate", "100")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--rate is said of recordings, not of loop", refused.stderr)

    def test_what_is_wrong_is_said(self):
        x, f = rubbed(noise=0.01)
        good = text_of({"displacement_m": x, "force_n": f})
        lines = good.splitlines(True)
        backwards = "".join([lines[0], *(stamp.split(",")[0] + "," + row.split(",", 1)[1] for stamp, row in zip(lines[:0:-1], lines[1:]))])
        columns = lambda x, f: text_of({"displacement_m": x, "force_n": f})
        for status, words, text in (
                (2, "`displacement` has no unit", good.replace("displacement_m,force_n", "displacement,force")),
                (2, "`time` has no unit that is known: the time of a loop is called time_s", good.replace("time_s", "time")),
                (2, "loop.csv:102: 2 columns", "".join([*lines[:101], lines[101].rsplit(",", 1)[0] + "\n", *lines[102:]])),
                (2, "loop.csv:102: `nan`", "".join([*lines[:101], lines[101].rsplit(",", 1)[0] + ",nan\n", *lines[102:]])),
                (4, "a clock was set back", backwards),
                (4, "a clock was set back", "".join([*lines[:101], lines[100], *lines[101:]])),
                (4, "motion and force are swapped", columns(f, x)),
                (4, "`force_sign = -1` in `physical` turns round", columns(x, [-v for v in f])),
                (4, "nothing was driven", columns([1e-6 * (v - g) for v, g in zip(f, f)], f)),
                (4, "nothing slips", columns(x, [1e3 * v for v in x])),
                (4, "does not come back", columns(x[60:160], f[60:160])),
                # From 0.05 of a period before a lower reversal to as much behind the next one.
                (4, "a tenth of the stroke on the way back", columns(x[140:360], f[140:360])),
                (4, "its sensor is at its limit", columns(x, [max(-1.5, min(1.5, v)) for v in f])),
                (4, "is its sensor connected?", columns(x, [1.0] * len(x)))):
            with self.subTest(words):
                done = self.identify(text)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                self.assertIn(words, " ".join((done.stdout + done.stderr).split()))
                self.assertIn("one is started for this alone", done.stderr)
                self.assertNotIn("no fricidd answers", done.stderr)

    def runs_at(self, speeds):
        """A file a constant speed, of Dahl's friction with a dip that comes out of no single one of them."""
        generator = random.Random(8)
        quarter, files = 76, []
        for k, speed in enumerate(speeds):
            level = 1 + 0.5 * math.exp(-(speed / 1e-3) ** 2)
            step = AMPLITUDE / quarter
            x = [step * (quarter - abs((i + 31) % (4 * quarter) - 2 * quarter)) for i in range(4 * 4 * quarter)]
            rows, deflection, before = ["time_s,displacement_m,force_n"], 0.0, x[0]
            for i, way in enumerate(x):
                sense = 1 if way >= before else -1
                deflection = sense * level + (deflection - sense * level) * math.exp(-abs(way - before) / X_D / level)
                before = way
                force = k + F_C * deflection + generator.gauss(0, 0.02)
                rows.append(f"{i * step / speed:.9f},{way:.9g},{force:.9g}")
            files.append(self.scratch.write(f"speed_{k}.csv", "\n".join(rows) + "\n"))
        return files

    def test_runs_of_one_contact_are_fitted_together(self):
        files = self.runs_at((0.3e-3, 0.8e-3, 1.5e-3, 3e-3, 6e-3))
        for file in files:
            friction = json.loads(fricidctl("--json", "identify", "--alone", file).stdout)["results"][0]["loop"]["ladder"]
            self.assertIsNone(friction["v_s"]["value"], file)
        done = fricidctl("--json", "identify", "--alone", "--together", *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["results"]), 1)
        result = json.loads(done.stdout)["results"][0]
        self.assertEqual(complaints("loop.json", result), [])
        friction = result["loop"]["ladder"]
        self.assertEqual((friction["model"], friction["parts"], result["loop"]["runs"]), ("dahl+stribeck", 5, 5))
        for name, truth in (("f_c", F_C), ("x_d", X_D), ("f_s", 1.5 * F_C), ("v_s", 1e-3)):
            self.assertLess(abs(friction[name]["value"] - truth), 4 * friction[name]["se"], name)
            self.assertLess(friction[name]["se"] / truth, 0.02, name)
        for k, offset in enumerate(friction["offsets"]):
            self.assertLess(abs(offset["value"] - k), 4 * offset["se"], k)
        printed = fricidctl("identify", "--alone", "--together", *files)
        self.assertIn("F_0 of each part:", printed.stdout)
        self.assertIn(f"{files[0]} and 4 more, together, loop", printed.stdout)

    def test_a_picture_of_runs_has_each_with_its_offset(self):
        files = self.runs_at((0.8e-3, 3e-3))
        with Daemon(service="ladder_deadline_s = 600;") as daemon:
            done = daemon.fricidctl("--json", "identify", "--keep", "--together", *files)
            self.assertEqual(done.returncode, 0, done.stderr)
            (result,) = json.loads(done.stdout)["results"]
            picture = daemon.fricidctl("plot", "-o", "-", str(result["id"]))
        self.assertEqual(picture.returncode, 0, picture.stderr)
        self.assertIn(f"run {result['loop']['main_run']} of 2", picture.stdout)
        runs = picture.stdout.split("$samples << END\n")[1].split("END")[0].strip().split("\n\n")
        self.assertEqual(len(runs), 2)
        for run in runs:
            left = [float(line.split()[3]) for line in run.splitlines() if len(line.split()) == 4]
            self.assertGreater(len(left), len(run.splitlines()) / 2)
            rms = math.sqrt(sum(value ** 2 for value in left) / len(left))
            self.assertAlmostEqual(rms / result["loop"]["ladder"]["residual_rms"], 1, delta=0.15)

    def test_what_does_not_belong_together_is_told(self):
        files = self.runs_at((1e-3, 4e-3))
        x, f = rubbed(3)
        others = {"columns": text_of({"displacement_m": x, "force_n": f, "normal_n": [3.0] * len(x)}),
                  "is said of loops": csv_text(*release(Decay()))}
        for words, text in others.items():
            done = fricidctl("identify", "--alone", "--together", files[0], self.scratch.write("other.csv", text))
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")
        done = fricidctl("identify", "--alone", "--together", files[0], self.scratch.path / "none.csv")
        self.assertEqual(done.returncode, 2)
        self.assertIn("none.csv: cannot be opened: No such file or directory", done.stderr)
        twice = self.scratch.write("copy.csv", files[0].read_text())
        done = fricidctl("identify", "--alone", "--together", *files, twice)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("copy.csv has the same content as", done.stderr)
        names, *rows = files[0].read_text().split()
        self.assertIn("displacement_m,force_n", names)
        in_kilonewtons = [",".join([*row.split(",")[:-1], f"{float(row.split(',')[-1]) / 1000:.12g}"]) for row in rows]
        twice = self.scratch.write("kilo.csv", "\n".join([names.replace("force_n", "force_kN"), *in_kilonewtons]) + "\n")
        done = fricidctl("identify", "--alone", "--together", *files, twice)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("kilo.csv has the same run as", done.stderr)
        text = files[0].read_text()
        many = [self.scratch.write(f"many_{i}.csv", text + "\n" * i) for i in range(18)]
        done = fricidctl("identify", "--alone", "--together", *many)
        self.assertEqual(done.returncode, 2)
        self.assertIn("18 runs: no more than 16 are fitted together", done.stderr)

    def test_any_scale_is_right(self):
        x, f = rubbed()
        for of_way, of_force in ((1e-12, 1e-12), (1e12, 1e12), (1e12, 1e-12)):
            with self.subTest((of_way, of_force)):
                result = self.one(self.offline({"displacement_m": [of_way * v for v in x], "force_n": [of_force * v for v in f]}))
                self.assertAlmostEqual(result["energy"]["value"] / (ENERGY * of_way * of_force), 1, delta=1e-4)


class Measured(LoopTest):
    """Records of others, where they are at hand."""

    calculates_for_long = True

    def record(self, name, ladder=False):
        path = SOURCE / ".." / "shared" / "data" / "friction" / name
        if not path.exists():
            self.skipTest(f"{path} is not here")
        return self.one(offline(str(path), ladder=ladder))

    def test_a_pin_that_slides_to_and_fro(self):
        result = self.record("tribometer_reciprocating.csv")
        self.assertEqual(result["verdict"], "ok")
        # Before them one opens from rest, and the last ends somewhere else.
        run = result["loop"]["run"][result["loop"]["main_run"] - 1]
        self.assertIn(run["loops"], (48, 49))
        self.assertAlmostEqual(result["energy"]["value"], 0.516e-3, delta=0.009e-3)
        self.assertAlmostEqual(result["mu_forward"]["value"], 0.462, delta=0.007)
        self.assertAlmostEqual(result["mu_backward"]["value"], -0.469, delta=0.007)
        self.assertAlmostEqual(result["c_eq"]["value"] / 4940, 1, delta=0.1)

    def test_twenty_seconds_of_the_pin(self):
        path = SOURCE / ".." / "shared" / "data" / "friction" / "tribometer_reciprocating.csv"
        if not path.exists():
            self.skipTest(f"{path} is not here")
        lines = [line for line in path.read_text().splitlines()
                 if not line[0].isdigit() or 100 <= float(line.split(",")[0]) < 120]
        window = self.scratch.write("window.csv", "\n".join(lines) + "\n")
        friction = self.one(offline(window, ladder=True))["loop"]["ladder"]
        # Two shapes explain it about alike.
        self.assertIn(friction["model"], ("bouc_wen", "elastoplastic"))
        self.assertTrue(friction["tie"])
        self.assertLess(friction["residual_rms"], 0.14)
        self.assertTrue(2.25 < friction["f_c"]["value"] < 2.45, friction["f_c"])
        self.assertTrue(40e3 < friction["sigma_0"]["value"] < 43e3, friction["sigma_0"])
        for unseen in ("v_s", "sigma_1"):
            self.assertIsNone(friction[unseen]["value"])
            self.assertTrue(friction[unseen]["reason"])

    def test_steps_that_are_most_unlike(self):
        # An integration's own steps, from a hundredth to a hundred presliding lengths, with what its tolerance left.
        friction = self.record("synthetic_peer_lugre_test_data_1.csv", ladder=True)["loop"]["ladder"]
        for name, truth, within in (("f_c", 15, 0.02), ("f_s", 25, 0.02), ("v_s", 0.25, 0.02), ("sigma_0", 1e6, 0.06)):
            self.assertAlmostEqual(friction[name]["value"] / truth, 1, delta=within, msg=name)
        self.assertLess(friction["sigma_1"]["value"], 30)

    def test_a_damper_with_play(self):
        result = self.record("arts_brfd_0_5hz_36lb.csv", ladder=True)
        self.assertEqual(result["verdict"], "ok")
        self.assertGreater(result["loop"]["loops"], 3)
        friction = result["loop"]["ladder"]
        # Its limits are unlike, and its stops harden: as springs they leave 1280 N. A viscous force is not seen.
        self.assertEqual(friction["model"], "backlash+hardening")
        self.assertTrue(4.4e-3 < friction["gap"]["value"] < 4.8e-3, friction["gap"])
        self.assertGreater(friction["hardening"]["value"], 1.5)
        self.assertLess(friction["residual_rms"], 1200)


if __name__ == "__main__":
    main()
