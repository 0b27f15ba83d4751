# SPDX-License-Identifier: GPL-3.0-or-later
"""Ring-downs of a structure that was hit: by file, by request, from the store, and on the terminal."""

import math
import random
import re
import shutil
import unittest
import xml.etree.ElementTree

from fricid_harness import Daemon, ProtocolError, ScratchDirectory, offline
from run_tests import main
from schemas import complaints

RATE_HZ = 2048.0
BLOW_S = 0.25
# Frequency, damping ratio and share of the acceleration of two modes.
MODES = ((120.0, 0.002, 1.0), (410.0, 0.0015, 0.5))


def struck(seconds=3.0, modes=MODES, noise=0.005, seed=4, order=2):
    """Samples of a structure that is calm until it is hit; order: of the derivative that the sensor measures."""
    generator = random.Random(seed)
    samples = []
    for i in range(int(seconds * RATE_HZ)):
        since_s = i / RATE_HZ - BLOW_S
        value = generator.gauss(0, noise)
        for f_hz, zeta, share in modes if since_s > 0 else ():
            omega = 2 * math.pi * f_hz
            value += share * omega ** (order - 2) * math.exp(-zeta * omega * since_s) * math.cos(omega * since_s)
        samples.append(value)
    return samples


def softening(seconds=3.0, noise=0.002, seed=4):
    """One mode whose frequency falls with its amplitude by 1 %, and whose damping does not change: no joint is so."""
    generator = random.Random(seed)
    samples = []
    for i in range(int(seconds * RATE_HZ)):
        since_s = max(i / RATE_HZ - BLOW_S, 0.0)
        alpha, omega = 1.5, 2 * math.pi * 120
        amplitude = math.exp(-alpha * since_s) if since_s > 0 else 0.0
        turned = omega * (since_s - 0.01 * (1 - math.exp(-alpha * since_s)) / alpha)
        samples.append(generator.gauss(0, noise) + amplitude * math.cos(turned))
    return samples


def jointed(seconds=3.0, noise=0.005, seed=6):
    """One mode with a modal Iwan joint in microslip, by its slow flow: c 1.505, chi -0.303, r 1.909e6."""
    omega_0, c, chi, r = 757.4, 1.505, -0.303, 1.909e6
    generator = random.Random(seed)
    beta = math.gamma(chi + 2.5) * math.gamma(1.5) / math.gamma(chi + 4)
    amplitude, phase, samples = 2.2e-4, 0.0, []
    for i in range(int(seconds * RATE_HZ)):
        value = generator.gauss(0, noise * 126)
        if i / RATE_HZ > BLOW_S:
            slipped = r * amplitude ** (chi + 1) / (chi + 1)
            omega = math.sqrt(omega_0 ** 2 - 8 / math.pi * slipped * beta)
            loss = 4 * r * amplitude ** (chi + 3) / ((chi + 3) * (chi + 2)) + math.pi * omega * c * amplitude ** 2
            alpha = loss * omega / (2 * math.pi * (omega_0 ** 2 - slipped) * amplitude ** 2)
            value += amplitude * omega ** 2 * math.cos(phase)
            amplitude *= math.exp(-alpha / RATE_HZ)
            phase += omega / RATE_HZ
        samples.append(value)
    return samples


def text_of(samples, name="acc1_m/s2", skip=()):
    rows = (f"{i / RATE_HZ:.9f},{value:.9g}\n" for i, value in enumerate(samples) if i not in skip)
    return f"time_s,{name}\n" + "".join(rows)


def pushed(f_hz, zeta, contact_s, rate_hz=4096.0, seconds=2.0, noise=0.006, seed=5):
    """The acceleration of a mass that a half sine of force pushes for so long, over its largest value: by central
    differences of 64 steps a sample."""
    generator = random.Random(seed)
    step_s, omega = 1 / (64 * rate_hz), 2 * math.pi * f_hz
    before = now = 0.0
    samples = []
    for i in range(int(64 * rate_hz * seconds)):
        since_s = i * step_s - BLOW_S
        force = math.sin(math.pi * since_s / contact_s) if 0 < since_s < contact_s else 0.0
        left = step_s * step_s * (force - omega * omega * now) + 2 * now - (1 - zeta * omega * step_s) * before
        after = left / (1 + zeta * omega * step_s)
        if i % 64 == 0:
            samples.append((after - 2 * now + before) / (step_s * step_s))
        before, now = now, after
    largest = max(abs(value) for value in samples)
    return [value / largest + generator.gauss(0, noise) for value in samples]


def plain_of(shown):
    return shown.replace("×10", "e").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-"))


class RingDownTest(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def one(self, done):
        self.assertEqual(len(done.results), 1, done.stderr)
        self.assertEqual(complaints("ring_down.json", done.results[0]), [])
        return done.results[0]

    def assert_modes(self, result):
        found = result["ring_down"]
        self.assertEqual((result["kind"], result["verdict"], found["verdict"]), ("ring_down", "ok", "ok"), result)
        self.assertEqual(len(found["modes"]), len(MODES))
        for mode, (f_hz, zeta, _) in zip(found["modes"], MODES):
            self.assertEqual((mode["verdict"], mode["model"], mode["iwan"]), ("ok", "linear", None))
            self.assertTrue(mode["reason"])
            self.assertAlmostEqual(mode["omega_0"]["value"] / (2 * math.pi), f_hz, delta=0.01)
            self.assertAlmostEqual(mode["zeta_0"]["value"] / zeta, 1, delta=0.02)
            self.assertEqual(mode["recommended"], "law")
            self.assert_simulation(mode)
            points = mode["backbone"]
            self.assertEqual((points[0]["amplitude"], points[-1]["amplitude"]),
                             (mode["amplitude_max"], mode["amplitude_min"]))
            for point in points:
                self.assertLess(abs(point["zeta"] - zeta), 5 * point["se_zeta"] + 0.02 * zeta)


    def assert_simulation(self, mode):
        """A model that holds leaves the noise alone, over time and of every spectrum, and its peaks are those of the
        record."""
        simulation = mode["simulation"]
        self.assertEqual(simulation["verdict"], "ok")
        for name in "residual", "residual_first", "residual_after":
            self.assertLess(simulation[name], 1.4 * mode["law_residual"])
        self.assertEqual(simulation["course"][0]["time_s"], simulation["spectra"][0]["zeroed_s"])
        for point in simulation["course"]:
            self.assertAlmostEqual(point["model"], point["record"], delta=5 * mode["law_residual"])
        self.assertEqual(len(simulation["spectra"]), 4)
        heights = []
        for spectrum in simulation["spectra"]:
            self.assertLess(spectrum["misfit"], 0.2)
            peaks = [max(spectrum["points"], key=lambda point: point[which]) for which in ("record", "model")]
            self.assertEqual(peaks[0]["f_hz"], peaks[1]["f_hz"])
            heights.append(peaks[0]["record"])
        self.assertEqual((heights[0], heights), (1, sorted(heights, reverse=True)))


class Files(RingDownTest):
    def test_an_acceleration_is_of_a_ring_down(self):
        result = self.one(offline(self.scratch.write("beam.csv", text_of(struck()))))
        self.assert_modes(result)
        found = result["ring_down"]
        self.assertAlmostEqual(found["blow_s"], BLOW_S, delta=0.005)
        self.assertEqual((found["measured"], found["ended_by"], found["blows"]), ("acceleration", "end_of_record", 1))
        self.assertEqual(result["units"], {"displacement": "m"})
        self.assertAlmostEqual(result["f_n_hz"]["value"], MODES[0][0], delta=0.01)
        amplitude = found["modes"][0]["amplitude_max"]
        self.assertAlmostEqual(amplitude * (2 * math.pi * MODES[0][0]) ** 2, 1, delta=0.15)

    def test_the_slash_of_a_unit_may_be_an_underscore(self):
        for name, displacement in (("acceleration_m_s2", "m"), ("tip_mm_s2", "mm"), ("acc_m_per_s2", "m")):
            result = self.one(offline(self.scratch.write("beam.csv", text_of(struck(), name))))
            self.assertEqual((result["ring_down"]["measured"], result["units"], result["channel"]),
                             ("acceleration", {"displacement": displacement}, name.split("_")[0]))

    def test_what_a_displacement_is_of_is_said(self):
        path = self.scratch.write("beam.csv", text_of(struck(order=0, noise=1e-8), "x_mm"))
        self.assertEqual({result["kind"] for result in offline(path).results} - {"free_decay"}, set())
        result = self.one(offline("--kind", "ring_down", path))
        self.assert_modes(result)
        self.assertEqual((result["ring_down"]["measured"], result["units"]["displacement"]), ("displacement", "mm"))
        free = offline("--kind", "free_decay", self.scratch.write("acc.csv", text_of(struck(1.0))))
        self.assertEqual({result["kind"] for result in free.results} - {"free_decay"}, set())

    def test_an_acceleration_without_a_unit_is_no_displacement(self):
        text = text_of(struck(1.0), "acceleration")
        path = self.scratch.write("plain.csv", text)
        result = self.one(offline(path))
        self.assertEqual((result["kind"], result["verdict"]), ("ring_down", "unit_unknown"))
        self.assertIn("as in acceleration_m/s2 or --calibration 'acceleration=[0, 1] m/s2'", result["reason"])
        told = self.one(offline("--calibration", "acceleration=[0, 1] m/s2", path))
        self.assertEqual((told["verdict"], told["ring_down"]["measured"]), ("ok", "acceleration"))
        rows = [f"{row},{row.split(',')[1]}" for row in text.splitlines()[1:]]
        both = offline(self.scratch.write("both.csv", "time_s,acc,x\n" + "\n".join(rows) + "\n"))
        self.assertEqual({(result["channel"], result["kind"]) for result in both.results} - {("x", "free_decay")},
                         {("acc", "ring_down")})

    def test_a_velocity_in_a_unit_that_is_not_known_is_refused(self):
        for name, channel, unit in (("velocity_km_h", "velocity", "km_h"), ("v [km/h]", "v", "km/h"),
                                    ("v [mm/min]", "v", "mm/min"), ("v (m per min)", "v", "m per min"),
                                    ("v [kph]", "v", "kph"), ("a [m/h^2]", "a", "m/h^2")):
            with self.subTest(name):
                done = offline(self.scratch.write("rate.csv", text_of(struck(1.0), name)))
                result = self.one(done)
                self.assertEqual((result["kind"], result["channel"], result["verdict"], done.returncode),
                                 ("ring_down", channel, "unit_unknown", 1))
                self.assertIn(f"`{channel}` has the unit {unit}, and known are lengths", result["reason"])

    def test_units_of_motion(self):
        for name, quantity, unit in (("v [mm/s]", "velocity", "mm"), ("v [in/s]", "velocity", "in"),
                                     ("v [ips]", "velocity", "in"), ("a [g]", "acceleration", "m"),
                                     ("a [mg]", "acceleration", "m"), ("a [m/s^2]", "acceleration", "m"),
                                     ("a [m/s²]", "acceleration", "m"), ("a [mm/s2]", "acceleration", "mm"),
                                     ("x [µm]", "displacement", "µm"), ("x [mil]", "displacement", "mil")):
            with self.subTest(name):
                path = self.scratch.write("unit.csv", text_of(struck(1.0), name))
                result = self.one(offline("--kind", "ring_down", path))
                self.assertEqual((result["verdict"], result["ring_down"]["measured"], result["units"]["displacement"]),
                                 ("ok", quantity, unit))

    def test_bad_records_have_their_verdicts(self):
        calm = struck(modes=())
        gap = text_of(struck(), skip=range(4000, 4020))
        for name, text, verdict in (
                ("calm", text_of(calm), "no_blow"),
                ("unit", text_of(struck(), "acc1_V"), "unit_unknown"),
                ("constant", text_of([1.0] * 4000), "no_oscillation")):
            with self.subTest(name):
                done = offline("--kind", "ring_down", self.scratch.write(f"{name}.csv", text))
                result = self.one(done)
                self.assertEqual((result["verdict"], done.returncode), (verdict, 1))
                self.assertTrue(result["reason"])
                self.assertEqual(result["ring_down"]["modes"], [])
        result = self.one(offline(self.scratch.write("gap.csv", gap)))
        self.assertEqual(result["ring_down"]["ended_by"], "gap")
        self.assertAlmostEqual(result["ring_down"]["end_s"], 3999 / RATE_HZ, delta=1e-6)

    def test_hum_is_no_mode(self):
        """It is told with its own figures, and the modes stay as they are."""
        hum = ((50.0, 0.1), (100.0, 0.03), (180.0, 0.05))
        samples = [value + sum(share * math.sin(2 * math.pi * f_hz * i / RATE_HZ) for f_hz, share in hum)
                   for i, value in enumerate(struck(seconds=4.0))]
        result = self.one(offline(self.scratch.write("hum.csv", text_of(samples))))
        found = result["ring_down"]
        self.assertEqual([mode["verdict"] for mode in found["modes"]], ["ok", "ok"])
        for mode, (f_hz, _, _) in zip(found["modes"], MODES):
            self.assertAlmostEqual(mode["omega_0"]["value"] / (2 * math.pi), f_hz, delta=0.02)
        self.assertEqual([round(line["f_hz"]) for line in found["steady_lines"]], [50, 100, 180])
        for line, (f_hz, share) in zip(found["steady_lines"], hum):
            displacement = share / (2 * math.pi * f_hz) ** 2
            self.assertLess(abs(line["f_hz"] - f_hz), 4 * line["se_f_hz"])
            self.assertLess(abs(line["amplitude"] - displacement), 4 * line["se_amplitude"])
            self.assertLess(line["se_amplitude"], 0.1 * displacement)
        self.assertEqual(self.one(offline(self.scratch.write("calm.csv", text_of(struck()))))["ring_down"]["steady_lines"], [])

    def test_hum_beside_a_mode_does_not_bend_it(self):
        """A line 4 % below the mode, a tenth as strong, is fitted with it: the mode is as linear as without it."""
        modes = ((52.0, 0.004, 1.0), (410.0, 0.0015, 0.5))
        samples = [value + 0.1 * math.sin(2 * math.pi * 50 * i / RATE_HZ)
                   for i, value in enumerate([0.0] * int(0.75 * RATE_HZ) + struck(modes=modes, noise=0))]
        generator = random.Random(7)
        found = self.one(offline(self.scratch.write("beside.csv", text_of(
            [value + generator.gauss(0, 0.005) for value in samples]))))["ring_down"]
        self.assertEqual([(mode["verdict"], mode["model"]) for mode in found["modes"]], [("ok", "linear")] * 2)
        for mode, (f_hz, zeta, _) in zip(found["modes"], modes):
            self.assertAlmostEqual(mode["omega_0"]["value"] / (2 * math.pi), f_hz, delta=0.002)
            self.assertAlmostEqual(mode["zeta_0"]["value"], zeta, delta=0.01 * zeta)
        (line,) = found["steady_lines"]
        self.assertAlmostEqual(line["f_hz"], 50, delta=4 * line["se_f_hz"])
        self.assertLess(line["se_f_hz"], 0.001)

    def test_hum_that_is_no_line_of_its_own_is_told_once(self):
        """So near to a mode that a record so short does not tell the two apart, and as strong: the hum is a line and no
        mode, and the mode has its figures."""
        modes = ((54.7, 0.0074, 0.4), (210.0, 0.003, 1.0))
        generator = random.Random(3)
        samples = [value + 0.1 * math.sin(2 * math.pi * 50 * i / RATE_HZ + 1) + generator.gauss(0, 0.003)
                   for i, value in enumerate(struck(seconds=2.2, modes=modes, noise=0))]
        found = self.one(offline(self.scratch.write("near.csv", text_of(samples))))["ring_down"]
        self.assertEqual([mode["verdict"] for mode in found["modes"]], ["ok", "ok"])
        for mode, (f_hz, zeta, _) in zip(found["modes"], modes):
            for name, truth in (("omega_0", 2 * math.pi * f_hz), ("zeta_0", zeta)):
                self.assertAlmostEqual(mode[name]["value"], truth, delta=4 * mode[name]["u"])
            self.assertLess(mode["zeta_0"]["u"], 0.02 * zeta)
        self.assertEqual([round(line["f_hz"], 1) for line in found["steady_lines"]], [50.0])
        self.assertEqual(found["lines_left_out"], [])

    def test_a_hammer_that_is_still_there_bends_no_mode(self):
        """A soft tip pushes for three fifths of a period, and longer than its first crest tells: the mode is linear, and
        what is told of its largest amplitudes is right."""
        f_hz, zeta, rate_hz = 86.2231, 0.00519, 4096.0
        samples = pushed(f_hz, zeta, 0.0071, rate_hz)
        text = "time_s,acc1_m/s2\n" + "".join(f"{i / rate_hz:.9f},{value:.9g}\n" for i, value in enumerate(samples))
        (mode,) = self.one(offline(self.scratch.write("soft.csv", text)))["ring_down"]["modes"]
        self.assertEqual((mode["verdict"], mode["model"], mode["recommended"]), ("ok", "linear", "law"))
        for point in mode["law"] + mode["backbone"]:
            self.assertLess(abs(point["zeta"] - zeta), 4.5 * point["se_zeta"])

    def test_a_pair_beside_another_mode_is_told_by_one_sensor(self):
        """1.3 % apart, and a third mode a sixth away: what one law leaves of the beats says that there are two."""
        modes = ((186.41, 0.0019, 1.0), (188.89, 0.0018, 0.9), (221.05, 0.0017, 1.6))
        path = self.scratch.write("pair.csv", text_of(struck(seconds=1.95, modes=modes, noise=0.01)))
        found = self.one(offline(path))["ring_down"]
        self.assertEqual([mode["verdict"] for mode in found["modes"]], ["ok"] * 3)
        for mode, (f_hz, zeta, _) in zip(found["modes"], modes):
            for name, truth in (("omega_0", 2 * math.pi * f_hz), ("zeta_0", zeta)):
                self.assertAlmostEqual(mode[name]["value"], truth, delta=4 * mode[name]["u"])

    def test_a_line_that_is_told_as_no_mode_is_listed(self):
        """At the sum of the frequencies of two modes, a hundredth as strong, and a mode of a tenth of a per cent."""
        modes = ((100.0, 0.002, 1.0), (237.0, 0.002, 1.0), (337.0, 0.002, 0.03), (500.0, 0.002, 0.004))
        path = self.scratch.write("lines.csv", text_of(struck(modes=modes, noise=1e-4)))
        found = self.one(offline(path))["ring_down"]
        self.assertEqual([round(mode["omega_0"]["value"] / (2 * math.pi)) for mode in found["modes"]], [100, 237])
        self.assertEqual([(round(line["f_hz"]), line["cause"], [round(f_hz) for f_hz in line["of_hz"]])
                          for line in found["lines_left_out"]], [(337, "combination", [100, 237]), (500, "weak", [])])
        self.assertIn("fourteenth", found["lines_left_out"][0]["reason"])

    def test_a_hammer_that_hits_twice_is_told(self):
        """The second, lighter contact is a push of two samples that makes the same modes ring once more."""
        once = [value - noise for value, noise in zip(struck(noise=0), struck(noise=0, modes=()))]
        later = int(0.08 * RATE_HZ)
        twice = [value + 0.3 * before for value, before in zip(struck(), [0.0] * later + once)]
        for i in range(2):
            twice[int(BLOW_S * RATE_HZ) + later + i] += 0.5
        path = self.scratch.write("twice.csv", text_of(twice))
        result = self.one(offline(path))
        found = result["ring_down"]
        self.assertAlmostEqual(found["double_hit_s"], BLOW_S + 0.08, delta=0.003)
        self.assertGreater(found["start_s"], found["double_hit_s"])
        self.assert_modes(result)
        self.assertIsNone(self.one(offline(self.scratch.write("once.csv", text_of(struck()))))["ring_down"]["double_hit_s"])

    def test_a_wild_sample_is_bridged_and_what_knocks_often_is_no_hammer(self):
        """Nothing rings after the sample: it is no second contact, and the record is kept whole."""
        wild = struck()
        wild[int((BLOW_S + 0.1) * RATE_HZ)] += 0.5
        result = self.one(offline(self.scratch.write("wild.csv", text_of(wild))))
        found = result["ring_down"]
        self.assertEqual((found["double_hit_s"], found["wild_samples_bridged"]), (None, 1))
        self.assertLess(found["start_s"], BLOW_S + 0.05)
        self.assert_modes(result)
        self.assertEqual(self.one(offline(self.scratch.write("tame.csv", text_of(struck()))))
                         ["ring_down"]["wild_samples_bridged"], 0)
        often = struck()
        for knock in range(1, 8):
            often[int((BLOW_S + 0.06 * knock) * RATE_HZ)] += 0.5
        found = self.one(offline(self.scratch.write("often.csv", text_of(often))))["ring_down"]
        self.assertIsNone(found["double_hit_s"])
        self.assertLess(found["start_s"], BLOW_S + 0.05)

    def test_few_cycles_of_little_damping_are_told_as_few(self):
        decay = [math.exp(-0.015 * turn) * math.cos(turn * 2 * math.pi) for turn in (i / 20 for i in range(200))]
        self.assertEqual(self.one(offline(self.scratch.write("ten.csv", text_of(decay))))["ring_down"]["verdict"],
                         "too_few_half_cycles")

    def test_a_record_that_ends_after_a_few_cycles_behind_its_blow_is_told_as_too_short(self):
        """Four cycles that hardly decay; a blow behind which nothing is but a hammer's half wave still rings nothing."""
        short = struck(seconds=BLOW_S + 4.3 / 120, modes=((120.0, 0.0008, 1.0),))
        push = [value + (math.sin(math.pi * (i / RATE_HZ - BLOW_S) / 0.004) if 0 < i / RATE_HZ - BLOW_S < 0.004 else 0)
                for i, value in enumerate(struck(modes=()))]
        for samples, verdict in (short, "too_few_half_cycles"), (push, "no_ring_down"):
            with self.subTest(verdict):
                self.assertEqual(self.one(offline(self.scratch.write("short.csv", text_of(samples))))["verdict"], verdict)

    def test_a_sensor_that_stands_still_from_the_beginning_leaves_nothing(self):
        late = [0.0 if i < (BLOW_S + 0.1) * RATE_HZ else value for i, value in enumerate(struck(seed=5))]
        rows = (f"{i / RATE_HZ:.9f},{one:.9g},{other:.9g}\n" for i, (one, other) in enumerate(zip(struck(), late)))
        path = self.scratch.write("late.csv", "time_s,acc1_m/s2,acc2_m/s2\n" + "".join(rows))
        found = self.one(offline(path))["ring_down"]
        self.assertEqual((found["verdict"], found["ended_by"], found["modes"]), ("no_ring_down", "dropout", []))

    def test_what_disturbs_a_ring_down_ends_it(self):
        """A knock of a twentieth of the blow, and zeros: what was before them is told, and is right."""
        at_s, good = 1.5, struck(noise=0.002)
        knock = struck(noise=0)[:int((3 + BLOW_S - at_s) * RATE_HZ)]
        knocked = [value + (0.05 * knock[i - len(good) + len(knock)] if i >= len(good) - len(knock) else 0)
                   for i, value in enumerate(good)]
        dropped = [0.0 if 2560 <= i < 2660 else value for i, value in enumerate(good)]
        for samples, reason, last_s in ((knocked, "knock", at_s), (dropped, "dropout", 2560 / RATE_HZ)):
            with self.subTest(reason):
                result = self.one(offline(self.scratch.write(f"{reason}.csv", text_of(samples))))
                found = result["ring_down"]
                self.assertEqual((found["verdict"], found["ended_by"], found["blows"]), ("ok", reason, 1))
                self.assertTrue(last_s - 0.35 < found["end_s"] < last_s + 0.5 / RATE_HZ, found["end_s"])
                for mode, (f_hz, zeta, _) in zip(found["modes"], MODES, strict=True):
                    omega_0, zeta_0 = mode["omega_0"], mode["zeta_0"]
                    self.assertLess(abs(omega_0["value"] - 2 * math.pi * f_hz), 5 * omega_0["u"])
                    self.assertLess(abs(zeta_0["value"] - zeta), 5 * zeta_0["u"])

    def test_a_drift_that_is_larger_than_the_motion_hides_nothing(self):
        drifting = [value + 1000 + 20 * i / RATE_HZ for i, value in enumerate(struck())]
        result = self.one(offline(self.scratch.write("drift.csv", text_of(drifting))))
        self.assert_modes(result)
        self.assertAlmostEqual(result["ring_down"]["blow_s"], BLOW_S, delta=0.005)

    def test_few_cycles_are_told(self):
        """A mode that is lost in the noise after some ten, and a motion that does not fall."""
        for modes, verdict, reason in ((((80.0, 0.05, 1.0),), "too_few_half_cycles", "within 20 cycles"),
                                       (((80.0, 0.0, 1.0),), "not_decaying", "do not fall")):
            with self.subTest(verdict):
                result = self.one(offline(self.scratch.write("few.csv", text_of(struck(modes=modes, noise=0.02)))))
                self.assertEqual(result["ring_down"]["verdict"], verdict)
                mode, = result["ring_down"]["modes"]
                self.assertEqual(mode["verdict"], verdict)
                self.assertIn(reason, mode["reason"])

    def test_columns_of_one_unit_are_sensors_of_one_record(self):
        """Also of stamped samples; a dead one is named and left out; a column in another unit is a record of its own."""
        rows = (f"{i / RATE_HZ:.9f},{-0.5 * other:.9g},0.25,{value:.9g},{1000 * value:.9g}\n"
                for i, (value, other) in enumerate(zip(struck(), struck(noise=0.004, seed=5))))
        path = self.scratch.write("sensors.csv", "time_s,acc1_m/s2,acc2_m_s2,acc3_m_per_s2,acc4_mm/s2\n" + "".join(rows))
        done = offline(path)
        result, alone = done.results
        for each in done.results:
            self.assertEqual(complaints("ring_down.json", each), [])
        self.assertEqual((result["channel"], alone["channel"]), ("acc1,acc2,acc3", "acc4"), done.stderr)
        self.assert_modes(result)
        (dead,) = result["ring_down"]["dead_sensors"]
        self.assertEqual((dead["sensor"], dead["verdict"]), ("acc2", "dead_sensor"))
        self.assertTrue(dead["reason"])
        self.assertEqual(alone["ring_down"]["dead_sensors"], [])
        for mode in result["ring_down"]["modes"]:
            shape = {sensor["sensor"]: sensor for sensor in mode["shape"]}
            self.assertEqual((mode["reference"], sorted(shape)), ("acc3", ["acc1", "acc3"]))
            self.assertEqual((shape["acc3"]["re"], shape["acc3"]["im"]), (1, 0))
            self.assertAlmostEqual(shape["acc1"]["re"], -0.5, delta=4 * shape["acc1"]["se_re"])
            self.assertAlmostEqual(shape["acc1"]["im"], 0, delta=4 * shape["acc1"]["se_im"])
            self.assertLess(shape["acc1"]["drift"], 4 * shape["acc1"]["se_drift"])

    def test_a_column_that_is_there_twice_is_no_second_sensor(self):
        """Be it in another scale and rounded: its noise is the first one's, and errors stay as large as without it."""
        good = struck()
        for copied in (lambda value: f"{value:.9g}", lambda value: f"{-3 * value + 0.1:.4f}"):
            rows = (f"{i / RATE_HZ:.9f},{value:.9g},{copied(value)}\n" for i, value in enumerate(good))
            path = self.scratch.write("twice.csv", "time_s,acc1_m/s2,acc2_m/s2\n" + "".join(rows))
            result = self.one(offline(path))
            (dead,) = result["ring_down"]["dead_sensors"]
            self.assertEqual((dead["sensor"], dead["verdict"]), ("acc2", "copied_sensor"))
            self.assertIn("same noise", dead["reason"])
            self.assertEqual([len(mode["shape"]) for mode in result["ring_down"]["modes"]], [1, 1])
            self.assert_modes(result)

    def test_a_sensor_with_holes_is_left_out_of_several(self):
        """Where there is no other, the file is refused, with the line."""
        rows = [[i / RATE_HZ, value, 0.5 * value, -value] for i, value in enumerate(struck())]
        rows[1000][2], rows[3000][2] = "nan", ""
        text = "".join(",".join(map(str, row)) + "\n" for row in rows)
        several = self.scratch.write("holes.csv", "time_s,acc1_m/s2,acc2_m/s2,acc3_m/s2\n" + text)
        result = self.one(offline(several))
        self.assertEqual(result["channel"], "acc1,acc3")
        self.assertIn("acc2 left out, which has no finite number in line 1002", result["ring_down"]["read_as"])
        self.assert_modes(result)
        for name, header, arguments in (("single", "time_s,acc1_m/s2,acc2_mm/s2,acc3_m/s2\n", ()),
                                        ("decay", "time_s,acc1_m/s2,acc2_m/s2,acc3_m/s2\n", ("--kind", "free_decay"))):
            with self.subTest(name):
                done = offline(*arguments, self.scratch.write(f"{name}.csv", header + text))
                self.assertEqual((done.returncode, done.results), (2, []))
                self.assertIn(f"{name}.csv:1002: the value of acc2 is not a number", done.stderr)

    def test_kinds_that_are_not_of_samples_are_refused(self):
        for kind in "bounces", "thunder", "":
            done = offline("--kind", kind, self.scratch.write("beam.csv", text_of(struck(0.5))))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("--kind wants free_decay, ring_down, loop, curve or response", done.stderr)


class Requests(RingDownTest):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.daemon.__enter__()
        cls.addClassCleanup(cls.daemon.abandon)
        cls.samples = struck()

    def test_a_request_a_store_and_a_terminal(self):
        with self.daemon.client() as client:
            given = {"displacement": self.samples, "sample_rate_hz": RATE_HZ, "unit": "m/s2", "name": "acc1"}
            (told,) = client.call("identify", kind="ring_down", keep=True, **given)["results"]
            self.assertEqual(complaints("ring_down.json", told), [])
            self.assert_modes(told)
            kept = client.call("results.get", id=told["id"])
            self.assertEqual(kept["ring_down"], told["ring_down"])
            (listed,) = client.call("results.list", kind="ring_down")["results"]
            self.assertEqual(listed["id"], told["id"])
            self.assertEqual(listed["figures"]["f_n_hz"]["value"], told["f_n_hz"]["value"])
            self.assertIsNone(listed["half_cycles"])
            with self.assertRaises(ProtocolError):
                client.call("identify", kind="ring_down", columns={"h0": [1.0]})
        shown = self.daemon.fricidctl("show", str(told["id"])).stdout
        for word in ("blow at 0.25", "linear", "A/m", "mode 2", "Hilbert transform and polynomials: degree"):
            self.assertIn(word, shown)
        self.assertNotIn("dividing rectangles", shown)  # a linear mode has no joint
        plain = plain_of(shown)
        f_n_hz, at_m = map(float, re.search(r"f_n +([0-9.]+)\([0-9]+\) Hz at ([-.e0-9]+) m\n", plain).groups())
        curve = min((point for mode in told["ring_down"]["modes"] for point in mode[mode["recommended"]]),
                    key=lambda point: abs(point["omega"] - 2 * math.pi * told["f_n_hz"]["value"]))
        self.assertAlmostEqual(at_m / curve["amplitude"], 1, delta=0.05)
        self.assertAlmostEqual(f_n_hz, MODES[0][0], delta=0.001)
        script = self.daemon.fricidctl("plot", str(told["id"]), "-o", "-").stdout
        self.assertRegex(script, r"set title '.*: ring-down, f_n [0-9.()]+ Hz at [-.e0-9]+ m'")
        for word in ("$samples << END", "$course << END", "$spectra << END", "title 'record'", "title 'residual'",
                     "frequency, Hz", "$mode0 << END", "$mode1 << END", "$hilbert1 << END", "with points pt 2", "frequency, %", "damping ratio, %",
                     "loss a cycle, m^2/s^2", "amplitude, m", "120", "'acceleration, m/s^2'"):
            self.assertIn(word, script)
        self.assertEqual(script.split("$samples << END\n")[1].split("END")[0].count("\n"), len(self.samples))
        # The damping's axis is that of the curves and their bands, whatever the Hilbert transform makes.
        low, high = map(float, re.findall(r"set yrange \[(\S+):(\S+)\]", script)[1])
        curves = [point for mode in told["ring_down"]["modes"] for point in mode[mode["recommended"]]]
        ends = [100 * (point["zeta"] + sign * 1.96 * point["se_zeta"]) for point in curves for sign in (-1, 1)]
        self.assertAlmostEqual(high - low, 1.1 * (max(ends) - min(ends)), delta=1e-6 * high)
        self.assert_picture(str(told["id"]))

    def test_where_no_law_holds_there_is_one_answer(self):
        """That of the backbone, also of small amplitudes: the law's, which the record contradicts, is in the error."""
        with self.daemon.client() as client:
            (told,) = client.call("identify", kind="ring_down", keep=True, displacement=softening(), unit="m/s2",
                                  sample_rate_hz=RATE_HZ, name="acc1")["results"]
        self.assertEqual(complaints("ring_down.json", told), [])
        (mode,) = told["ring_down"]["modes"]
        self.assertEqual((mode["verdict"], mode["recommended"]), ("ok", "backbone"))
        least = mode["backbone"][-1]
        for name, of_least, truth in (("omega_0", "omega", 240 * math.pi), ("zeta_0", "zeta", 1.5 / (240 * math.pi))):
            self.assertAlmostEqual(mode[name]["value"] / least[of_least], 1, delta=1e-9)
            self.assertGreaterEqual(mode[name]["se"], least[f"se_{of_least}"])
            self.assertLess(abs(mode[name]["value"] - truth), 2 * mode[name]["se"])
        self.assertIsNone(mode["omega_0_beyond"])
        for point in mode["backbone"]:
            share = point["amplitude"] * point["omega"] ** 2
            self.assertAlmostEqual(point["omega"] / (2 * math.pi), 120 * (1 - 0.01 * share),
                                   delta=0.002 + 5 * point["se_omega"] / (2 * math.pi))
        shown = self.daemon.fricidctl("show", str(told["id"])).stdout
        self.assertIn("of mode 1 the backbone is recommended: f_0 and zeta_0 are those at its least amplitude", shown)

    def test_the_rows_of_a_joint(self):
        """Each parameter with its uncertainty, or why it has none and its bounds; the curve says which it is."""
        with self.daemon.client() as client:
            (told,) = client.call("identify", kind="ring_down", keep=True, displacement=jointed(), unit="m/s2",
                                  sample_rate_hz=RATE_HZ, name="acc1")["results"]
        (mode,) = told["ring_down"]["modes"]
        self.assertEqual((mode["model"], mode["recommended"], mode["iwan"]["consistent"]), ("microslip", "law", True))
        shown = plain_of(self.daemon.fricidctl("show", str(told["id"])).stdout)
        for label, truth in (("chi", -0.303), ("C", 1.505), ("R", 1.909e6)):
            value, digits, power = re.search(rf"^ +{label} +([-0-9.]+)\((\d+)\)(e\d+)?", shown, re.M).groups()
            se = float(digits) * 10 ** -len(value.partition(".")[2]) * float("1" + (power or ""))
            self.assertLess(abs(float(value + (power or "")) - truth), 4 * se)
        self.assertRegex(shown, r"\n +F_S +not told: microslip_only, [-.e0-9]+ … [-.e0-9]+ m/s\^2\n")
        at_least = re.search(r"\n +phi_max +not told: microslip_only, at least ([-.e0-9]+) m\n", shown).group(1)
        self.assertAlmostEqual(float(at_least) / mode["iwan"]["phi_max"]["lower"], 1, delta=0.01)
        for row in ("K_T", "K_inf", "beta"):
            self.assertRegex(shown, rf"\n +{row} +not told: microslip_only")
        self.assertEqual(mode["law_misfit"], 0.0003)
        self.assertIn("  by the law (the damping deviates from the law by 0.00030 of itself or less)", shown)
        self.assertRegex(shown, r"\n +[-.e0-9]+ +[.0-9]+\(\d+\) +[-.e0-9]+\(\d+\)\S* +[-.e0-9]+\(\d+\)\S* +[.0-9]+\([.0-9]+\)")
        wide = plain_of(self.daemon.fricidctl("show", "--intervals", str(told["id"])).stdout)
        low, high = map(float, re.search(r"\n +chi +\S+ +95 %: (\S+) … (\S+)\n", wide).groups())
        self.assertTrue(low < -0.303 < high, (low, high))
        self.assertIn(", with 95 % intervals:", wide)
        # That the joint may slip as a whole is beside the errors, from phi_max on, and not in them.
        first, last = mode["law"][0], mode["law"][-1]
        self.assertLess(first["se_zeta"], 0.02 * first["zeta"])
        self.assertGreater(first["slip_zeta"], 3 * first["se_zeta"])
        self.assertEqual([last[name] for name in ("slip_omega", "slip_zeta", "slip_dissipation")], [0, 0, 0])
        least = min(point["amplitude"] for point in mode["law"] if point["slip_zeta"] > 0)
        told_from = float(re.search(r"from ([-.e0-9]+) m on the whole joint may slip", shown).group(1))
        self.assertAlmostEqual(told_from / least, 1, delta=0.01)
        script = self.daemon.fricidctl("plot", str(told["id"]), "-o", "-").stdout
        self.assertIn("title 'if the whole joint slips'", script)
        drawn = [[float(word) for word in row.split()] for row in script.split("$mode0 << END\n")[1].split("END")[0].splitlines()]
        # Its band is as wide as at any smaller amplitude, and drawn within the picture.
        shares = [point["slip_zeta"] / point["zeta"] for point in mode["law"]]
        self.assertTrue(all(here >= smaller * (1 - 1e-9) for here, smaller in zip(shares, shares[1:])), shares)
        reach = 1.96 * math.hypot(first["se_zeta"], first["slip_zeta"])
        self.assertAlmostEqual(drawn[0][10] / (100 * (first["zeta"] + reach)), 1, delta=1e-6)
        self.assertTrue(math.isnan(drawn[-1][10]))
        scale = script.split("damping ratio, %")[1].split("set yrange [")[1].split("]")[0]
        low, high = map(float, scale.split(":"))
        for row in drawn:
            self.assertTrue(all(low < figure < high for figure in row[6:11] if not math.isnan(figure)), row)
        path = self.scratch.write("joint.csv", text_of(jointed()))
        self.assertIn(", with 95 % intervals:", self.daemon.fricidctl("identify", "--intervals", path).stdout)

    def test_sensors_of_one_request_are_kept_as_one_record(self):
        """Uniform, stamped, in pieces, from a file: always the same record."""
        others = struck(noise=0.004, seed=5)
        rows = [figure for value, other in zip(self.samples, others) for figure in (-0.5 * other, 0.25, value)]
        given = {"kind": "ring_down", "unit": "m/s2", "name": "beam", "sensors": "acc1,acc2,acc3", "keep": True}
        with self.daemon.client() as client:
            upload = client.call("identify.begin", sample_rate_hz=RATE_HZ, **given)["upload"]
            for i in range(0, len(rows), 6000):
                client.call("identify.append", upload=upload, displacement=rows[i:i + 6000])
            (told,) = client.call("identify.finish", upload=upload)["results"]
            self.assertEqual(complaints("ring_down.json", told), [])
            self.assert_modes(told)
            self.assertEqual([dead["sensor"] for dead in told["ring_down"]["dead_sensors"]], ["acc2"])
            self.assertEqual(client.call("results.get", id=told["id"])["ring_down"], told["ring_down"])
            short = {"kind": "ring_down", "unit": "m/s2", "sensors": "a,b"}
            stamps = [i / RATE_HZ for i in range(2000)]
            (stamped,) = client.call("identify", time_s=stamps, displacement=[
                figure for pair in zip(self.samples[:2000], others) for figure in (pair[0], 2 * pair[1])], **short)["results"]
            self.assertEqual({mode["reference"] for mode in stamped["ring_down"]["modes"]}, {"b"})
            for wrong in ({"displacement": [1.0, 2.0, 3.0], "sample_rate_hz": 1.0, **short},
                          {"displacement": [1.0, 2.0], "time_s": [0.0, 1.0], **short},
                          {"displacement": [1.0, 2.0], "sample_rate_hz": 1.0, **short, "sensors": "a,,b"},
                          {"displacement": [1.0, 2.0], "sample_rate_hz": 1.0, "sensors": "a,b"}):
                with self.assertRaises(ProtocolError):
                    client.call("identify", **wrong)
        shown = self.daemon.fricidctl("show", str(told["id"])).stdout
        self.assertRegex(shown, r"shape: acc3 1, acc1 −0\.(49|50)")
        self.assertIn("the sensor acc2 says nothing and is left out", shown)
        script = self.daemon.fricidctl("plot", str(told["id"]), "-o", "-").stdout
        drawn = script.split("$samples << END\n")[1].split("END")[0].splitlines()
        self.assertEqual(len(drawn), len(rows) // 3)
        self.assertAlmostEqual(float(drawn[1000].split()[0]), 1000 / RATE_HZ, delta=1e-9)
        self.assertAlmostEqual(float(drawn[1000].split()[1]), self.samples[1000], delta=1e-6)
        self.assertIn("'acceleration of acc3, m/s^2'", script)
        text = "".join(f"{i / RATE_HZ:.9f},{row[0]:.9g},{row[2]:.9g}\n"
                       for i, row in enumerate(zip(*(iter(rows),) * 3)))
        path = self.scratch.write("sensors.csv", "time_s,acc1_m/s2,acc3_m/s2\n" + text)
        self.assertRegex(self.daemon.fricidctl("identify", path).stdout, r"sensors.csv, acc1,acc3 +ring_down, ok\n")
        self.assertRegex(self.daemon.fricidctl("identify", "--channel", "acc1", path).stdout,
                         r"sensors.csv, acc1 +ring_down, ok\n")

    def assert_picture(self, number):
        """The legend lies above the panels whose lines it is of, below the spectra, over neither, and no number over another."""
        if not shutil.which("gnuplot"):
            return
        picture = self.scratch.path / "modes.svg"
        self.assertEqual(self.daemon.fricidctl("plot", number, "-o", str(picture)).returncode, 0)
        texts = []
        for group in xml.etree.ElementTree.parse(picture).getroot().iter():
            place = re.match(r"translate\(([0-9.]+),([0-9.]+)\)", group.get("transform", ""))
            if place:
                texts.append(("".join(group.itertext()).strip(), float(place[1]), float(place[2])))
        legend = [y for text, _, y in texts if re.fullmatch(r"[0-9.]+ Hz", text)]
        spectra, = (y for text, _, y in texts if text == "frequency, Hz")
        amplitudes = [(x, y) for text, x, y in texts if re.match("10\\s*[-−]", text)]
        self.assertGreater(len(legend), 1)
        self.assertGreater(len(amplitudes), 3)
        panels = min(y for text, _, y in texts if re.fullmatch("[-−0-9.]+", text) and y > spectra)
        self.assertTrue(spectra < min(legend) and max(legend) < panels, (spectra, legend, panels))
        lowest = sorted(x for x, y in amplitudes if y > max(y for _, y in amplitudes) - 5)
        self.assertGreater(min(b - a for a, b in zip(lowest, lowest[1:])), 40, lowest)

    def test_nothing_said_is_a_free_decay(self):
        """As before there were kinds, whatever the unit."""
        given = {"sample_rate_hz": RATE_HZ, "unit": "m/s2", "whole": True}
        samples = self.samples[:2048]
        with self.daemon.client() as client:
            (told,) = client.call("identify", displacement=samples, **given)["results"]
            self.assertEqual((told["kind"], told["units"]["displacement"]), ("free_decay", "m/s2"))
            upload = client.call("identify.begin", **given)["upload"]
            client.call("identify.append", upload=upload, displacement=samples)
            (told,) = client.call("identify.finish", upload=upload)["results"]
            self.assertEqual(told["kind"], "free_decay")

    def test_amplitudes_are_of_free_decays(self):
        sentence = "amplitude_max and amplitude_min are of free decays: the record is a ring_down"
        with self.daemon.client() as client:
            for limit in "amplitude_max", "amplitude_min":
                for method, more in (("identify", {"displacement": self.samples[:100]}), ("identify.begin", {})):
                    with self.subTest(limit, method=method), self.assertRaisesRegex(ProtocolError, sentence):
                        client.call(method, kind="ring_down", sample_rate_hz=RATE_HZ, unit="mm", **{limit: 1.0}, **more)
        path = self.scratch.write("short.csv", text_of(self.samples[:1000]))
        for option in "--amplitude-max", "--amplitude-min":
            for done in (offline(option, 1, path), self.daemon.fricidctl("identify", option, "1", path)):
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("acc1 is a ring_down: --amplitude-max and --amplitude-min are said of free decays", done.stderr)
        self.assertNotEqual(offline("--amplitude-max", 1, "--kind", "free_decay", path).returncode, 2)

    def test_fricidctl_sends_a_file(self):
        path = self.scratch.write("beam.csv", text_of(self.samples))
        shown = self.daemon.fricidctl("identify", path).stdout
        self.assertRegex(shown, r"beam.csv, acc1 +ring_down, ok\n")
        path = self.scratch.write("shift.csv", text_of(struck(order=0, noise=1e-8), "x_mm"))
        self.assertRegex(self.daemon.fricidctl("identify", "--kind", "ring_down", path).stdout, "ring_down, ok")
        refused = self.daemon.fricidctl("identify", "--kind", "bounces", path)
        self.assertEqual(refused.returncode, 2)


if __name__ == "__main__":
    main()
