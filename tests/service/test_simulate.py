# SPDX-License-Identifier: GPL-3.0-or-later
"""What is foretold of a contact: its force for a motion, and the motion of a mass that a force pushes."""

import csv
import json
import math
import random
import select
import unittest

from fricid_harness import Daemon, Decay, ScratchDirectory, fricidctl, offline, release
from run_tests import main
from store_files import wait_for

RATE_HZ, SAMPLES, AMPLITUDE, F_C, X_D, NOISE = 400.0, 200, 1e-3, 2.0, 1e-4, 0.02
LUGRE = {"shape": "dahl", "f_c": 1, "sigma_0": 1e5, "f_s": 1.5, "v_s": 1e-3, "sigma_1": math.sqrt(1e5), "sigma_2": 0.4}


def rubbed(cycles, seed=3):
    """Dahl's friction in N over a sine in m, with noise."""
    generator = random.Random(seed)
    displacement = [AMPLITUDE * math.sin(2 * math.pi * i / SAMPLES) for i in range(cycles * SAMPLES)]
    force, deflection, before = [], 0.0, displacement[0]
    for x in displacement:
        sense = 1 if x > before else -1
        deflection = sense + (deflection - sense) * math.exp(-abs(x - before) / X_D)
        before = x
        force.append(F_C * deflection + generator.gauss(0, NOISE))
    return displacement, force


def table(columns, first=0):
    rows = zip(*columns.values())
    return ",".join(["time_s", *columns]) + "\n" + "".join(
        f"{(first + i) / RATE_HZ:.6f}," + ",".join(f"{value:.9g}" for value in row) + "\n" for i, row in enumerate(rows))


class SimulateTest(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def file(self, name, content):
        return self.scratch.write(name, content if isinstance(content, str) else json.dumps(content))

    def run_it(self, model, motion, *options):
        model = self.file("model.json", model) if isinstance(model, (dict, str)) else str(model)
        return fricidctl("simulate", model, self.file("motion.csv", motion), *options)

    def rows(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(done.stdout.splitlines())]


class Halves(SimulateTest):
    """A ladder of the first half of a run foretells the other half."""

    def setUp(self):
        super().setUp()
        x, force = rubbed(16)
        half = len(x) // 2
        first = self.file("first.csv", table({"displacement_m": x[:half], "force_n": force[:half]}))
        (self.result,) = offline(first, ladder=True).results
        self.second = table({"displacement_mm": [1e3 * v for v in x[half:]], "force_n": force[half:]}, half)

    def residual(self, model):
        done = self.run_it(model, self.second, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_the_half_that_was_held_out_leaves_no_more_than_the_fit(self):
        ladder = self.result["loop"]["ladder"]
        whole = self.residual(self.result)
        self.assertLess(whole["residual_rms"], 1.1 * ladder["residual_rms"])
        self.assertGreater(whole["residual_rms"], 0.9 * NOISE)
        # From any part of what is exported the same comes out, to the last digit.
        (rung,) = [one for one in ladder["models"] if one["model"] == ladder["model"]]
        self.assertEqual(self.residual(ladder), whole)
        self.assertEqual(self.residual(rung), whole)
        # And from what identify tells of a file, beside which there may be what is no loop.
        self.assertEqual(self.residual({"results": [{"kind": "free_decay"}, self.result], "files": []}), whole)
        # The band is that of the curve, not of a sample, and wide as long as the start matters.
        late = whole["se_force"][whole["known_from"] + SAMPLES:]
        self.assertLess(max(late), NOISE)
        self.assertGreater(min(late), 0)
        self.assertGreater(whole["se_force"][0], F_C / 2)

    def test_parameters_alone_foretell_the_same(self):
        ladder = self.result["loop"]["ladder"]
        rung = {"shape": "dahl", **{name: ladder[name]["value"] for name in ("f_c", "x_d", "f_0")}}
        whole, alone = self.residual(self.result), self.residual(rung)
        self.assertEqual(alone["force"], whole["force"])

    def test_what_is_not_known_is_told(self):
        rung = {"model": "dahl", "f_c": self.result["loop"]["ladder"]["f_c"], "x_d": {"value": None, "se": None}}
        done = self.run_it(rung, self.second)
        self.assertEqual(done.returncode, 2)
        self.assertIn("x_d: is not known", done.stderr)


class Parts(SimulateTest):
    """Joint runs have an offset each, and the force that of the one that is asked for."""

    OFFSETS = (0.5, -1.0)

    def setUp(self):
        super().setUp()
        self.runs, files = [], []
        for k, offset in enumerate(self.OFFSETS):
            x, force = rubbed(8, seed=20 + k)
            self.runs.append(table({"displacement_m": x, "force_n": [value + offset for value in force]}))
            files.append(self.file(f"run_{k}.csv", self.runs[k]))
        done = fricidctl("--json", "identify", "--alone", "--together", *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.told = json.loads(done.stdout)

    def test_each_run_is_foretold_with_its_offset(self):
        model = self.file("told.json", self.told)
        for part, offset in enumerate(self.OFFSETS, start=1):
            motion = self.file("motion.csv", self.runs[part - 1])
            found = json.loads(fricidctl("--json", "simulate", model, motion, "--part", str(part)).stdout)
            self.assertEqual(found["part"], part)
            self.assertLess(abs(found["f_0"] - offset), 5 * NOISE / math.sqrt(len(found["force"])) + 1e-3 * F_C)
            self.assertLess(found["residual_rms"], 1.1 * NOISE)
            self.assertLess(max(found["se_force"][found["known_from"] + SAMPLES:]), NOISE)
        silent = fricidctl("simulate", model, motion)
        self.assertEqual(silent.returncode, 0, silent.stderr)
        self.assertIn("the offset of part 1 of 2", silent.stderr)
        self.assertIn("--part N tells of another", silent.stderr)

    def test_the_band_of_each_run_is_that_of_its_force(self):
        # Far from displacement 0, at which offsets are told, what is left open of a stiff spring is in them as well.
        runs = []
        for k, offset in enumerate(self.OFFSETS):
            x, force = rubbed(8, seed=40 + k)
            runs.append(table({"displacement_m": [0.1 + way for way in x],
                               "force_n": [value + offset + 2e4 * way for value, way in zip(force, x)]}))
        done = fricidctl("--json", "identify", "--alone", "--together",
                         *(self.file(f"stiff_{k}.csv", run) for k, run in enumerate(runs)))
        model = self.file("stiff.json", done.stdout)
        bands = []
        for part, run in enumerate(runs, start=1):
            found = json.loads(
                fricidctl("--json", "simulate", model, self.file("run.csv", run), "--part", str(part)).stdout)
            self.assertLess(found["residual_rms"], 1.1 * NOISE)
            bands.append(max(found["se_force"][found["known_from"] + SAMPLES:]))
        self.assertLess(max(bands), 0.3 * NOISE)
        self.assertLess(max(bands), 1.5 * min(bands))

    def test_a_part_that_is_not_there_is_told(self):
        ladder = self.told["results"][0]["loop"]["ladder"]
        unknown = json.loads(json.dumps(self.told))
        unknown["results"][0]["loop"]["ladder"]["offsets"][1] = {"value": None, "se": None, "reason": "not seen"}
        earlier = json.loads(json.dumps(ladder))
        earlier["offsets"][1]["covariance"] = []
        older = {key: value for key, value in ladder.items() if key != "offsets"}
        by_hand = {"shape": "dahl", "f_c": 2, "x_d": 1e-4}
        for part, model, words in (("3", self.told, "has 2 parts, and there is no part 3"),
                                   ("2", by_hand, "has one offset, f_0, and there is no part 2"),
                                   ("2", unknown, "that of part 2 is not known: not seen"),
                                   ("2", earlier, "covariances are missing"),
                                   ("2", older, "reidentify the record")):
            done = self.run_it(model, self.runs[0], "--part", part)
            self.assertEqual(done.returncode, 2, done.stdout[:200])
            self.assertIn(words, done.stderr)
        self.rows(self.run_it(by_hand, self.runs[0], "--part", "1"))

    def test_programs_choose_it_too(self):
        x, force = rubbed(2)
        columns = {"time_s": [i / RATE_HZ for i in range(len(x))], "displacement_m": x}
        ladder = self.told["results"][0]["loop"]["ladder"]
        chosen_alone = ladder | {"models": [rung for rung in ladder["models"] if rung["model"] == ladder["model"]]}
        with Daemon() as daemon, daemon.client() as client:
            answers = [client.call("simulate", model=chosen_alone, columns=columns, **chosen)
                       for chosen in ({}, {"part": 1}, {"part": 2})]
        self.assertEqual([answer["part"] for answer in answers], [1, 1, 2])
        self.assertEqual(answers[0]["force"], answers[1]["force"])
        for first, second in zip(answers[1]["force"], answers[2]["force"]):
            self.assertAlmostEqual(second - first, answers[2]["f_0"] - answers[1]["f_0"], places=9)


class Shapes(SimulateTest):
    """What walks by itself is foretold as it was identified."""

    def check(self, force_of, model):
        generator = random.Random(5)
        x = [AMPLITUDE * (1 - 0.002 * i / SAMPLES) * math.sin(2 * math.pi * i / SAMPLES) for i in range(12 * SAMPLES)]
        force = [value + generator.gauss(0, NOISE) for value in force_of(x)]
        half = len(x) // 2
        first = self.file("first.csv", table({"displacement_m": x[:half], "force_n": force[:half]}))
        (result,) = offline(first, ladder=True).results
        ladder = result["loop"]["ladder"]
        self.assertEqual(ladder["model"], model)
        second = table({"displacement_m": x[half:], "force_n": force[half:]}, half)
        done = self.run_it(result, second, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertLess(found["residual_rms"], 1.1 * ladder["residual_rms"])
        self.assertGreater(min(found["se_force"]), 0)
        self.assertLess(max(found["se_force"][found["known_from"] + SAMPLES:]), NOISE)

    def test_elements(self):
        def force_of(x):
            stretched, before, force = [0.0, 0.0], x[0], []
            for now in x:
                stretched = [max(-d, min(d, e + now - before)) for d, e in zip((5e-5, 3e-4), stretched)]
                before = now
                force.append(1.2 * stretched[0] / 5e-5 + 0.8 * stretched[1] / 3e-4)
            return force
        self.check(force_of, "maxwell_slip")

    def test_a_gap(self):
        def force_of(x):
            at, before, force = 0.0, x[0], []
            for now in x:
                at = max(-4e-4, min(6e-4, at + now - before))
                before = now
                force.append(1e4 * math.copysign(max(abs(at) - 2e-4, 0), at))
            return force
        self.check(force_of, "backlash")

    def test_stops_that_harden(self):
        # A stop is pressed with 1 N at x_d/2 beyond the gap, with 1e4 N/m there, and with the power of Hertz.
        def pressed(way):
            return max(1 + (2 * way / 2e-4 - 1) / 1.5, 0) ** 1.5

        def force_of(x):
            slips = 2e-4 + 2e-4 * (1 + 1.5 * (2 ** (1 / 1.5) - 1)) / 2
            at, before, force = 0.0, x[0], []
            for now in x:
                at = max(-slips, min(slips, at + now - before))
                before = now
                force.append(pressed(at - 2e-4) - pressed(-at - 2e-4))
            return force
        self.check(force_of, "backlash+hardening")


class Beside(SimulateTest):
    """Unlike levels, a path and a mass are foretold from what was exported of them."""

    SLOPE, MASS, RATIO, OMEGA = 400.0, 6.0, 1.3, 2 * math.pi * RATE_HZ / SAMPLES

    def test_levels_path_and_mass(self):
        generator = random.Random(7)
        x, force, deflection, before = [], [], 0.0, None
        for i in range(12 * SAMPLES):
            phase, swell = 2 * math.pi * i / SAMPLES, 1 - 0.03 * i / SAMPLES
            now = AMPLITUDE * swell * (math.sin(phase) + 0.05 * math.sin(3 * phase))
            inertia = -self.MASS * AMPLITUDE * swell * self.OMEGA ** 2 * (math.sin(phase) + 0.45 * math.sin(3 * phase))
            sense = 1 if before is None or now > before else -1
            limit = sense * 2 * (self.RATIO if sense > 0 else 1) / (1 + self.RATIO)
            way = abs(now - (now if before is None else before))
            deflection = limit + (deflection - limit) * math.exp(-way / X_D / abs(limit))
            before = now
            x.append(now)
            force.append((F_C + self.SLOPE * now) * deflection + inertia + generator.gauss(0, NOISE))
        half = len(x) // 2
        first = self.file("first.csv", table({"displacement_m": x[:half], "force_n": force[:half]}))
        (result,) = offline(first, ladder=True).results
        ladder = result["loop"]["ladder"]
        self.assertEqual(ladder["model"], "dahl+levels+path+mass")
        self.assertAlmostEqual(ladder["moved_mass"]["value"], self.MASS, delta=4 * ladder["moved_mass"]["se"] + 0.1)
        second = table({"displacement_m": x[half:], "force_n": force[half:]}, half)
        (rung,) = [one for one in ladder["models"] if one["model"] == ladder["model"]]
        for model in (result, rung):
            done = self.run_it(model, second, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(json.loads(done.stdout)["residual_rms"], 1.15 * ladder["residual_rms"])


class Motions(SimulateTest):
    def pushed(self, model, force, *options, step_s=1e-3):
        motion = "time_s,force_n\n" + "".join(f"{i * step_s:.6f},{value:.9g}\n" for i, value in enumerate(force))
        return self.rows(self.run_it(model, motion, *options))

    def test_a_mass_on_a_spring_sticks_and_slips(self):
        rows = self.pushed(LUGRE | {"k_x": 2, "mass": 1}, [0.2 * i * 1e-3 for i in range(8001)])
        self.assertEqual(list(rows[0]), ["time_s", "displacement_m", "velocity_m_s", "force_n"])
        passes = [after["time_s"] - 1e-3 * (after["velocity_m_s"] - 0.05) / (after["velocity_m_s"] - before["velocity_m_s"])
                  for before, after in zip(rows, rows[1:]) if before["velocity_m_s"] < 0.05 <= after["velocity_m_s"]]
        self.assertEqual([round(time, 4) for time in passes], [7.5404])

    def test_a_mass_that_is_too_light_is_told(self):
        done = self.run_it(LUGRE, "time_s,force_n\n" + "".join(f"{i * 1e-3},{0.1 * i}\n" for i in range(20)),
                           "--mass", "1e-12")
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("so light", done.stderr)

    def test_elastoplastic_bristles_do_not_drift(self):
        push = [0.4 + 0.2 * math.sin(2 * math.pi * i * 1e-3) for i in range(3001)]
        for model, drift in ((LUGRE, 2.3474e-6), (LUGRE | {"shape": "elastoplastic", "z_ba": 7e-6}, 0)):
            rows = self.pushed(model, push, "--mass", "1")
            self.assertAlmostEqual(rows[3000]["displacement_m"] - rows[2000]["displacement_m"], drift, delta=1e-10)

    def test_what_comes_out_is_a_recording_of_loops(self):
        push = [2 * math.sin(2 * math.pi * i * 2e-3) for i in range(4000)]
        done = self.run_it(LUGRE | {"mass": 1, "k_x": 20},
                           "time_s,force_n\n" + "".join(f"{i * 2e-3:.6f},{v:.9g}\n" for i, v in enumerate(push)))
        (result,) = offline(self.file("loops.csv", done.stdout)).results
        self.assertEqual((result["kind"], result["verdict"]), ("loop", "ok"))


class Models(SimulateTest):
    MOTION = table({"displacement_m": rubbed(2)[0]})

    def test_a_contact_without_dry_friction_answers_a_motion_alone(self):
        model = {"shape": "frictionless", "k_x": 2e4, "f_0": 0.5}
        x = rubbed(2)[0]
        done = self.run_it(model, self.MOTION)
        force = [row["force_n"] for row in self.rows(done)]
        for k in range(0, len(x), 50):
            self.assertAlmostEqual(force[k], 0.5 + 2e4 * x[k], delta=1e-4 * 2e4 * max(x))
        done = self.run_it(model | {"mass": 1}, table({"force_n": [0.0, 1.0, 2.0]}))
        self.assertEqual(done.returncode, 2)
        self.assertIn("a model without dry friction", done.stderr)

    def test_a_mass_that_nothing_is_asked_of_is_told(self):
        model = {"shape": "frictionless", "k_x": 2e4}
        with_mass, without = self.run_it(model, self.MOTION, "--mass", "1"), self.run_it(model, self.MOTION)
        self.assertEqual((with_mass.returncode, with_mass.stdout), (0, without.stdout))
        self.assertIn("--mass says nothing here", with_mass.stderr)
        self.assertNotIn("--mass", without.stderr)

    def test_what_is_wrong_is_told_with_its_key(self):
        dahl = {"shape": "dahl", "f_c": 2, "x_d": 1e-4}
        two = {"shape": "maxwell_slip", "elements": [{"slip_length": 5e-6, "slip_force": 1}, {"slip_length": 2e-5, "slip_force": 2}]}
        for model, words in ((dahl | {"xd": 1}, "xd: a model has no such key; its parameters are f_c, x_d, "), (dahl | {"f_c": -2}, "f_c: must be above 0"),
                             (dahl | {"f_c": "2"}, "f_c: must be a number"), ({"shape": "dahl", "f_c": 2}, "x_d: is missing"),
                             (dahl | {"shape": "dhal"}, "shape: rigid, dahl"), (dahl | {"f_s": 3}, "v_s: is missing"),
                             (dahl | {"f_s": 1, "v_s": 1}, "f_s: must not be below f_c"), ({"f_c": 2}, "shape: is missing"),
                             (dahl | {"z_ba": 1e-5}, "z_ba: the model lacks"), (dahl | {"deflection": 2}, "deflection: from -1 to 1"),
                             ({"shape": "elastoplastic", "f_c": 2, "x_d": 1e-4, "z_ba": 2e-4}, "z_ba: must be below x_d"),
                             ({"shape": "elastoplastic", "f_c": 2, "x_d": 1e-4, "z_ba": 6e-5, "level_ratio": 4},
                              "z_ba: must be below x_d times the lower"),
                             ({"shape": "bouc_wen", "f_c": 2, "x_d": 1e-4, "n_bw": 2}, "beta_bw: is missing"),
                             ({"shape": "bouc_wen", "f_c": 2, "x_d": 1e-4, "n_bw": 7000, "beta_bw": 0.5}, "n_bw: must be from"),
                             ({"shape": "backlash", "f_c": 2, "x_d": 1e-4, "gap": 1e-4, "limit_ratio": 1, "hardening": 0.9},
                              "hardening: must be from 1"), (dahl | {"hardening": 2}, "hardening: the model lacks"),
                             ({"model": "dahl+viscous", "f_c": 2, "x_d": 1e-4}, "sigma_2: is missing"),
                             ({"elements": [{"slip_length": 1e-4}]}, "slip_force: must be a number"),
                             (dahl | {"mass": 0}, "mass: must be a number above 0"),
                             (dahl | {"f_c_forward": 3}, "f_c_forward: follows from f_c"),
                             (dahl | {"f_c_backward": 3}, "f_c_backward: follows from f_c"),
                             (dahl | {"level_ratio": 0}, "level_ratio: must be above 0"),
                             (dahl | {"sigma_0": 7}, "sigma_0: contradicts f_c and x_d"),
                             (dahl | {"f_c": {"value": 2, "se": -0.1}}, "f_c: its standard uncertainty"),
                             ({"shape": "maxwell_slip"}, "is missing"),
                             (two | {"f_c": 5}, "f_c: contradicts elements"), (two | {"sigma_0": 1e5}, "sigma_0: contradicts elements"),
                             (two | {"x_d": 5e-5}, "x_d: contradicts elements"),
                             ({"shape": "backlash", "f_c": 2, "x_d": 1e-4, "gap": 1e-4}, "limit_ratio: is missing: 1 where"),
                             ({"results": []}, "results: none of them is of a loop"),
                             ({"results": 2 * [{"kind": "loop", "loop": {}}]}, "results: several are of loops"),
                             (dahl | {"moved_mass": -1}, "moved_mass: must not be below 0"), ([1], "a model is an object"),
                             ("{\"shape\": dahl}", "model.json:1: "), ({"loop": {}}, "has no ladder")):
            with self.subTest(model):
                done = self.run_it(json.dumps(model) if isinstance(model, list) else model, self.MOTION)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(words, done.stderr)

    def test_a_stiffness_beside_the_length_may_be_rounded(self):
        dahl = {"shape": "dahl", "f_c": 2.3, "x_d": 5.4e-5}
        alone, both = (self.run_it(model, self.MOTION) for model in (dahl, dahl | {"sigma_0": 4.3e4}))
        self.assertEqual((both.returncode, both.stdout), (0, alone.stdout), both.stderr)

    def test_json_goes_where_it_is_told(self):
        path = self.scratch.path / "found.json"
        dahl = {"shape": "dahl", "f_c": 2, "x_d": 1e-4}
        written, shown = self.run_it(dahl, self.MOTION, "--json", "-o", path), self.run_it(dahl, self.MOTION, "--json")
        self.assertEqual((written.returncode, written.stdout), (0, ""), written.stderr)
        self.assertEqual(path.read_text(), shown.stdout)
        self.assertEqual(json.loads(shown.stdout)["verdict"], "ok")
        again = self.run_it(dahl, self.MOTION, "--json", "-o", path)
        self.assertEqual(again.returncode, 2)
        self.assertIn("--force", again.stderr)

    def test_elements_are_a_contact(self):
        # E = 4 sum w_i max(A - D_i, 0) over the second cycle.
        elements = [{"slip_length": 2e-4, "slip_force": 1}, {"slip_length": 5e-4, "slip_force": 0.5}, {"slip_length": 2e-3, "slip_force": 2}]
        rows = self.rows(self.run_it({"elements": elements, "deflection": 0}, self.MOTION))[:2 * SAMPLES]
        energy = sum((a["force_n"] + b["force_n"]) / 2 * (b["displacement_m"] - a["displacement_m"])
                     for a, b in zip(rows[SAMPLES // 4:], rows[SAMPLES // 4 + 1:SAMPLES // 4 + SAMPLES + 1]))
        self.assertAlmostEqual(energy, 4 * (1 * 8e-4 + 0.5 * 5e-4), delta=2e-6)
        named = self.rows(self.run_it({"shape": "maxwell_slip", "elements": elements, "deflection": 0}, self.MOTION))
        self.assertEqual(named[:2 * SAMPLES], rows)
        # What was exported has what the fit had where nothing is known, as of an element that never slipped.
        unknown = {"value": None, "se": None, "reason": "not seen"}
        exported = [{"slip_length": unknown, "slip_force": unknown, "fitted_length": element["slip_length"],
                     "fitted_force": element["slip_force"]} for element in elements]
        self.assertEqual(self.rows(self.run_it({"elements": exported, "deflection": 0}, self.MOTION))[:2 * SAMPLES], rows)
        # A result that was stored before that was told has its figures alone.
        stored = [element | {"fitted_length": None, "fitted_force": None} for element in elements]
        self.assertEqual(self.rows(self.run_it({"elements": stored, "deflection": 0}, self.MOTION))[:2 * SAMPLES], rows)

    def test_elements_have_the_same_rule_by_shape_and_by_model(self):
        elements = {"elements": [{"slip_length": 2e-4, "slip_force": 1}, {"slip_length": 5e-4, "slip_force": 2}]}
        dip = {"f_s": 4, "v_s": 1e-3, "sigma_2": 1, "attraction": 100}
        for more in ({}, {"f_c": 3}):
            shape = self.run_it({"shape": "maxwell_slip"} | elements | dip | more, self.MOTION)
            model = self.run_it({"model": "maxwell_slip+viscous+stribeck+attraction"} | elements | dip | more, self.MOTION)
            self.assertEqual((model.returncode, model.stdout), (0, shape.stdout), model.stderr + shape.stderr)
        alone, beside = (self.run_it({"shape": "maxwell_slip"} | elements | more, self.MOTION) for more in ({}, {"f_c": 3, "sigma_0": 9e3}))
        self.assertEqual(self.rows(beside), self.rows(alone), beside.stderr)

    def test_files_that_do_not_fit_are_told(self):
        dahl = {"shape": "dahl", "f_c": 2, "x_d": 1e-4}
        for motion, words in (("time_s,lvdt_mm\n0,0\n1,1\n", "there is no motion and no force"),
                              ("time_s,velocity_m_s\n0,0\n1,1\n", "there is no motion and no force"),
                              ("time_s,force_n\n0,0\n1,1\n", "--mass KG tells"),
                              ("time_s,displacement_m,angle_rad\n0,0,0\n1,1,1\n", "both a displacement and an angle"),
                              ("time_s,displacement_mm,displacement_um\n0,0,0\n1,1,1\n", "two columns are called")):
            done = self.run_it(dahl, motion)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)
        done = self.run_it(dahl, "time_s,displacement_mm\n0,0\n1,1\n")
        self.assertEqual(done.returncode, 4)
        done = fricidctl("simulate", "nothing.json", self.file("motion.csv", self.MOTION))
        self.assertEqual(done.returncode, 2)
        self.assertIn("no file 'nothing.json'", done.stderr)


class Results(SimulateTest):
    def test_a_result_of_the_daemon_by_its_id(self):
        x, force = rubbed(8)
        columns = {"displacement_m": x, "force_n": force, "time_s": [i / RATE_HZ for i in range(len(x))]}
        with Daemon(service="ladder_deadline_s = 600;") as daemon, daemon.client() as client:
            (told,) = client.call("identify", kind="loop", columns=columns, keep=True)["results"]
            done = daemon.fricidctl("simulate", str(told["id"]), self.file("motion.csv", table({"displacement_m": x})))
            rows = self.rows(done)
        for row, f in list(zip(rows, force))[SAMPLES:]:
            self.assertLess(abs(row["force_n"] - f), 6 * NOISE)

    def test_a_decay_has_no_contact(self):
        times, x = release(Decay(), rate=500.0)
        with Daemon() as daemon, daemon.client() as client:
            told = client.call("identify", displacement=x, time_s=times, unit="mm", keep=True)["results"][0]
            motion = self.file("motion.csv", table({"displacement_m": [0.0] * 9}))
            done = daemon.fricidctl("simulate", str(told["id"]), motion)
            refused = client.ask("simulate", id=told["id"], columns={"displacement_m": [0.0] * 9, "time_s": list(range(9))})
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        for sentence in (done.stderr, refused["error"]["message"]):
            self.assertIn("the result is of a free_decay, and only one of a loop has a contact", sentence)


class Method(SimulateTest):
    """The daemon's method foretells what fricidctl computes from the same model and motion, to the last digit."""

    DAHL = {"shape": "dahl", "f_c": {"value": 2.0, "se": 0.02}, "x_d": {"value": 1e-4, "se": 2e-6}}

    def setUp(self):
        super().setUp()
        self.daemon = self.enterContext(Daemon(service="ladder_deadline_s = 600;"))
        self.client = self.enterContext(self.daemon.client())

    @staticmethod
    def columns(cycles=8, first=0, **more):
        x, _ = rubbed(cycles)
        return {"displacement_m": x, "time_s": [(first + i) / RATE_HZ for i in range(len(x))], **more}

    def file_of(self, columns):
        names = ["time_s", *(name for name in columns if name != "time_s")]
        rows = zip(*(columns[name] for name in names))
        return ",".join(names) + "\n" + "".join(",".join(repr(value) for value in row) + "\n" for row in rows)

    def fetched(self, answer):
        """All pages of an answer."""
        found = {name: list(answer[name]) for name in ("time_s", "displacement", "velocity", "force", "se_force")}
        while answer["remaining"]:
            answer = self.client.call("simulate.more", upload=answer["upload"], offset=len(found["force"]))
            for name, values in found.items():
                values += answer[name]
        return found

    def test_the_force_of_a_motion(self):
        columns = self.columns(force_n=rubbed(8)[1])
        answer = self.client.call("simulate", model=self.DAHL, columns=columns)
        done = self.run_it(self.DAHL, self.file_of(columns), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, values in json.loads(done.stdout).items():
            self.assertEqual(answer[name], values, name)
        self.assertEqual((answer["verdict"], answer["remaining"], answer["upload"]), ("ok", 0, 0))
        # Sliding, the force is F_C and its uncertainty that of F_C.
        far = max(range(SAMPLES, len(columns["time_s"])), key=lambda i: answer["force"][i])
        self.assertAlmostEqual(answer["force"][far], 2, delta=1e-3)
        self.assertAlmostEqual(answer["se_force"][far], 0.02, delta=2e-4)

    def test_the_motion_of_a_mass(self):
        columns = {"force_n": [0.2e-3 * i for i in range(8001)], "time_s": [1e-3 * i for i in range(8001)]}
        answer = self.client.call("simulate", model=LUGRE | {"k_x": 2}, mass=1, columns=columns)
        self.assertEqual((answer["se_force"], answer["remaining"]), (None, 8001 - 2048))
        velocity = answer["velocity"]
        for offset in (2048, 4096, 6144):
            velocity += self.client.call("simulate.more", upload=answer["upload"], offset=offset)["velocity"]
        # The same break-away as that of the file.
        (first,) = [i for i in range(1, 8001) if velocity[i - 1] < 0.05 <= velocity[i]]
        passed = 1e-3 * (first - (velocity[first] - 0.05) / (velocity[first] - velocity[first - 1]))
        self.assertEqual(round(passed, 4), 7.5404)
        last = self.client.call("simulate.more", upload=answer["upload"], offset=8001)
        self.assertEqual((last["force"], last["upload"]), ([], 0))
        self.assertIn("error", self.client.ask("simulate.more", upload=answer["upload"], offset=0))

    def test_a_long_motion_in_pieces(self):
        whole = self.columns(60)
        upload = self.client.call("simulate.begin", model=self.DAHL, form="displacement_m,time_s")["upload"]
        for first in range(0, 60 * SAMPLES, 5000):
            piece = {name: values[first:first + 5000] for name, values in whole.items()}
            appended = self.client.call("simulate.append", upload=upload, columns=piece)
        self.assertEqual(appended["samples"], 60 * SAMPLES)
        found = self.fetched(self.client.call("simulate.finish", upload=upload))
        done = json.loads(self.run_it(self.DAHL, self.file_of(whole), "--json").stdout)
        self.assertEqual({name: done[name] for name in found}, found)

    def test_a_result_by_its_id(self):
        x, force = rubbed(8)
        columns = self.columns(force_n=force)
        (told,) = self.client.call("identify", kind="loop", columns=columns, keep=True)["results"]
        answer = self.client.call("simulate", id=told["id"], columns=columns)
        ladder = self.client.call("results.get", id=told["id"])["loop"]["ladder"]
        (chosen,) = [rung for rung in ladder["models"] if rung["model"] == ladder["model"]]
        self.assertEqual(self.client.call("simulate", model=chosen, columns=columns), answer)
        self.assertAlmostEqual(answer["residual_rms"], NOISE, delta=0.1 * NOISE)

    def test_what_does_not_fit_is_told(self):
        columns = self.columns(2)
        for parameters, words in (({"columns": columns}, "either id or model"),
                                  ({"columns": columns, "id": 1, "model": self.DAHL}, "either id or model"),
                                  ({"columns": columns, "id": 10 ** 9}, "is not held"),
                                  ({"columns": columns, "model": {"shape": "dahl", "f_c": 2}}, "x_d: is missing"),
                                  ({"columns": columns, "model": 7}, "model must be an object"),
                                  ({"columns": {"force_n": [1, 2], "time_s": [0, 1]}, "model": self.DAHL}, "a force moves a mass"),
                                  ({"columns": {"displacement_m": [1, 2], "time_s": [0]}, "model": self.DAHL}, "they must be alike"),
                                  ({"columns": {"displacement_mm": [1, 2], "time_s": [0, 1]}, "model": self.DAHL},
                                   "the columns of a simulation are displacement_m,time_s, or ")):
            with self.subTest(words):
                self.assertIn(words, self.client.ask("simulate", **parameters)["error"]["message"])
        backwards = columns | {"time_s": columns["time_s"][::-1]}
        answer = self.client.call("simulate", model=self.DAHL, columns=backwards)
        self.assertEqual((answer["verdict"], answer["force"]), ("time_not_increasing", []))
        self.assertTrue(answer["reason"])
        upload = self.client.call("simulate.begin", model=self.DAHL, form="displacement_m,time_s")["upload"]
        for method in ("identify.finish", "identify.append", "simulate.more"):
            more = {"columns": columns} if method == "identify.append" else {"offset": 0} if method == "simulate.more" else {}
            self.assertIn("no ", self.client.ask(method, upload=upload, **more)["error"]["message"])
        # Of four places none was lost to what was refused.
        for _ in range(3):
            self.client.call("simulate.begin", model=self.DAHL, form="angle_rad,time_s")
        self.assertEqual(self.client.ask("simulate", model=self.DAHL, columns=columns)["error"]["data"]["name"], "busy")

    def test_a_client_that_goes_away_leaves_nothing_behind(self):
        columns = self.columns(30)
        for _ in range(3):
            with self.daemon.client() as leaver:
                leaver.send_line(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "simulate",
                                             "params": {"model": self.DAHL, "columns": columns}}))
        self.assertEqual(self.client.call("simulate", model=self.DAHL, columns=columns)["verdict"], "ok")

    def test_what_nobody_waits_for_is_not_computed(self):
        # So light a mass rings on the contact some 900 times between two samples: that takes minutes.
        force = {"force_n": [1.9 * math.sin(i / 50) for i in range(8000)], "time_s": [i / RATE_HZ for i in range(8000)]}
        light = 2e4 / (2 * math.pi * RATE_HZ * 900) ** 2
        with self.daemon.client() as leaver:
            leaver.send_line(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "simulate",
                                         "params": {"model": self.DAHL, "columns": force, "mass": light}}))
            # What is asked behind it waits for it.
            wait_for(lambda: any(thread["running_s"] for thread in self.client.call("status")["threads"]
                                 if thread["name"] == "ladders"), "the simulation's begin")
            short = {name: values[:50] for name, values in force.items()}
            self.client.send_line(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "simulate",
                                              "params": {"model": self.DAHL, "columns": short, "mass": 1.0}}))
            self.assertEqual(select.select([self.client.socket], [], [], 1)[0], [])
        self.assertEqual(self.client.answer()["result"]["verdict"], "ok")


if __name__ == "__main__":
    main()
