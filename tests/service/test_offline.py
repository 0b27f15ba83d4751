# SPDX-License-Identifier: GPL-3.0-or-later
"""fricidd --offline: recordings in, results out, exit status 0, 1 or 2."""

import math
import os
import random
import unittest

from fricid_harness import (
    EXAMPLE_RECORDING,
    Decay,
    ScratchDirectory,
    csv_text,
    deviation,
    offline,
    release,
)
from schemas import complaints
from run_tests import main


class OfflineTest(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def recording(self, content, name="run.csv"):
        return self.scratch.write(name, content)

    def assert_recovers(self, result, decay, relative):
        """Every parameter of the fit within `relative` of the truth (displacements: of the first amplitude)."""
        fit = result["fit"]
        self.assertEqual(fit["verdict"], "ok", fit["reason"])
        self.assertAlmostEqual(fit["f_n_hz"]["value"] / decay.f_n, 1, delta=relative)
        self.assertAlmostEqual(fit["zeta"]["value"], decay.zeta, delta=relative * max(decay.zeta, 1e-3))
        self.assertAlmostEqual(fit["x_k"]["value"], decay.x_k, delta=relative * abs(decay.x0))
        self.assertAlmostEqual(fit["bias"]["value"], decay.bias, delta=relative * abs(decay.x0))


class Bounces(OfflineTest):
    def test_heights_give_restitution_and_damping(self):
        text = "ball,h0_cm,h1_cm\n" + "".join(f"golf,{h},{h * r}\n" for h in (30, 50) for r in (0.81, 0.64))
        config = self.scratch.write("contact.conf", "physical: { mass_kg = 2.0; stiffness_n_per_m = 800.0; };")
        done = offline("--config", config, self.recording(text))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.results), 1)
        result = done.results[0]
        self.assertEqual(complaints("restitution.json", result), [])
        self.assertAlmostEqual(result["e"]["value"], 0.85, delta=1e-12)
        self.assertAlmostEqual(result["e"]["se"], math.sqrt(4 * 0.05**2 / 3) / 2, delta=1e-12)
        zeta = math.log(1 / 0.85) / math.hypot(math.pi, math.log(1 / 0.85))
        self.assertAlmostEqual(result["zeta"]["value"], zeta, delta=1e-12)
        self.assertAlmostEqual(result["c_n_s_per_m"]["value"], 2 * 40 * zeta, delta=1e-12)

    def test_a_recording_may_have_a_channel_called_height(self):
        done = offline(self.recording(csv_text(*release(Decay())).replace("time_s,lvdt_mm", "time_s,height_mm", 1)))
        self.assertEqual([(result["kind"], result["channel"], result["verdict"]) for result in done.results],
                         [("free_decay", "height", "ok")], done.stderr)

    def test_a_mistake_is_told_with_its_line(self):
        done = offline(self.recording("ball,h0_cm,h1_cm\ngolf,1,x\n"))
        self.assertEqual(done.returncode, 2)
        self.assertIn(":2: `x` is not a number", done.stderr)

    def test_what_makes_no_table_is_told(self):
        for text, word in (("ball,h0_cm,h1_mm\ngolf,30,200\n", ":1: the header does not name .* in one unit"),
                           ("v_in_m_per_s,v_out_mm_per_s\n1,500\n", ":1: the header does not name .* in one unit"),
                           ("h0_cm,h1_cm\n30,20\0junk\n", ":2: zero bytes"),
                           ("ball,h0_cm,h1_cm\n", ":1: the file ends without a single row")):
            done = offline(self.recording(text))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, word)

    def test_a_line_without_anything_is_a_height_that_was_not_measured(self):
        """Else the bounces before and behind it would pass for one."""
        (result,) = offline(self.recording("height_mm\n100\n50\n\n25\n12.5\n\n")).results
        self.assertEqual(result["impacts"], 2)
        self.assertAlmostEqual(result["e"]["value"], math.sqrt(0.5), delta=1e-12)

    def test_bounces_are_no_decay_that_is_cut_already_and_have_no_time(self):
        for option in ["--whole"], ["--time-unit", "ms"], ["--rate", "1000"], ["--amplitude-max", "9"], ["--amplitude-min", "1"]:
            done = offline(*option, self.recording("ball,h0_cm,h1_cm\ngolf,30,20\n"))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"{option[0]} is said of recordings, not of bounces", done.stderr)


class GoodRecordings(OfflineTest):
    def test_example_recording_gives_three_decays_a_channel(self):
        done = offline(EXAMPLE_RECORDING)
        self.assertEqual(done.returncode, 0, done.stderr)
        for channel in {result["channel"] for result in done.results}:
            of_channel = [result for result in done.results if result["channel"] == channel]
            self.assertEqual([result["verdict"] for result in of_channel], ["ok"] * 3, channel)
        for result in done.results:
            self.assertEqual(complaints("result.json", result), [])
            self.assertEqual(result["source"]["kind"], "recording")

    def test_exact_decay_comes_back(self):
        decay = Decay(zeta=0.02, x_k=0.1, x0=10.0, f_n=5.0, bias=0.3)
        rate, displacements = 500.0, []
        times = [i / rate for i in range(int((decay.duration() - 0.05) * rate))]
        displacements = [decay.at(t) for t in times]
        text = "time_s,lvdt_mm\n" + "".join(f"{t!r},{x!r}\n" for t, x in zip(times, displacements))
        done = offline("--whole", self.recording(text))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.results), 1)
        self.assert_recovers(done.results[0], decay, 1e-9)

    def test_limits_that_leave_nothing_have_a_verdict(self):
        decay = Decay(zeta=0.02, x_k=0.1, x0=10.0, f_n=5.0)
        text = csv_text([i / 500 for i in range(2000)], [decay.at(i / 500) for i in range(2000)])
        (result,) = offline("--whole", "--amplitude-min", 20, self.recording(text)).results
        self.assertEqual(result["verdict"], "too_few_half_cycles")
        self.assertEqual(complaints("result.json", result), [])

    def test_a_limit_is_held_against_the_configured_other(self):
        path = self.scratch.write("limits.conf", "rigs = ();\nsegment = { start_below = 5.0; };\n")
        done = offline("--config", path, "--amplitude-min", 6, EXAMPLE_RECORDING)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("nothing is left between the amplitudes", done.stderr)
        self.assertNotEqual(offline("--config", path, "--amplitude-min", 6, "--amplitude-max", 9, EXAMPLE_RECORDING).returncode, 2)

    def test_exact_run_is_segmented_and_comes_back(self):
        decay = Decay(bias=-0.25)
        done = offline(self.recording(csv_text(*release(decay))))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.results), 1)
        self.assert_recovers(done.results[0], decay, 1e-5)

    def test_noisy_run_within_five_standard_errors(self):
        decay = Decay(x_s=0.19)
        done = offline(self.recording(csv_text(*release(decay, noise=0.02, step=0.01, seed=7))))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.results), 1)
        fit = done.results[0]["fit"]
        for name, truth in (("f_n_hz", decay.f_n), ("zeta", decay.zeta), ("x_k", decay.x_k), ("bias", decay.bias)):
            self.assertLess(abs(deviation(fit[name], truth)), 5, name)
        self.assertLess(fit["zeta"]["se"], 0.02 * decay.zeta)

    def test_two_channels_with_their_units(self):
        decay = Decay(x_s=0.19)
        times, millimetres = release(decay, noise=0.01)
        metres = [x / 1000 for x in millimetres]
        done = offline(self.recording(csv_text(times, millimetres, metres, header="time_s,lvdt_mm,laser_m")))
        self.assertEqual(done.returncode, 0, done.stderr)
        units = {result["channel"]: result["units"]["displacement"] for result in done.results}
        self.assertEqual(units, {"lvdt": "mm", "laser": "m"})
        x_k = {result["channel"]: result["fit"]["x_k"]["value"] for result in done.results}
        self.assertAlmostEqual(x_k["laser"] * 1000 / x_k["lvdt"], 1, delta=1e-6)

    def test_without_a_header_and_with_comments(self):
        text = "# taken on a Friday\n" + csv_text(*release(Decay()), header=None)
        done = offline("--time-unit", "s", self.recording(text))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([result["units"]["displacement"] for result in done.results], ["1"])

    def test_lines_that_end_as_on_windows(self):
        done = offline(self.recording(csv_text(*release(Decay())).replace("\n", "\r\n")))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.results), 1)

    def test_time_stamps_that_are_not_uniform(self):
        decay = Decay(x_s=0.19)
        times, _ = release(decay)
        stamps = [t + (0.0003 if i % 3 else 0.0) for i, t in enumerate(times)]
        text = csv_text(stamps, [decay.bias if t < 1.5 else self.moved(decay, t) for t in stamps])
        done = offline(self.recording(text))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.results), 1)
        self.assertIsNone(done.results[0]["record"]["sample_rate_hz"])
        self.assert_recovers(done.results[0], decay, 1e-4)

    @staticmethod
    def moved(decay, t):
        way = min(t - 1.5, 1.0)
        return decay.at(t - 3.0) if t >= 3.0 else decay.bias + decay.x0 * way * way * (3 - 2 * way)

    def test_several_files_one_after_the_other(self):
        paths = [
            self.recording(csv_text(*release(Decay(x0=x0), noise=0.01)), f"{name}.csv")
            for name, x0 in (("first", 10.0), ("second", 14.0))
        ]
        done = offline(*paths)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([os.path.basename(result["source"]["device"]) for result in done.results], ["first.csv", "second.csv"])

    def test_status_1_when_a_file_has_no_decay(self):
        good = self.recording(csv_text(*release(Decay())), "good.csv")
        times = [i / 1000 for i in range(3000)]
        dice = random.Random(3)
        still = self.recording(csv_text(times, [dice.gauss(0, 0.01) for _ in times]), "still.csv")
        done = offline(still)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("still.csv", done.stderr)
        done = offline(still, good)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.results), 1)


    def test_a_motion_that_was_dropped_beside_a_result_is_told(self):
        times, x = release(Decay())
        short = [max(x) * math.cos(2 * math.pi * 5 * t) * math.exp(-20 * t) for t in times]
        rest = [times[-1] + 0.001 * i for i in range(1, 1000)]
        after = [times[-1] + 1 + t for t in times]
        last = x[-1]
        path = self.recording(csv_text(times + rest + after, x + [last] * len(rest) + [last + v for v in short]))
        done = offline(path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"run\.csv: 1 result; \d+ candidates? dropped: fewer half cycles")

    def test_what_a_header_lacks_to_be_of_loops_is_said_where_no_decay_is_found(self):
        rows = [f"{i / 100:.2f},{math.sin(i / 10):.6f},{math.copysign(5, math.cos(i / 10)):g}" for i in range(1000)]
        path = self.recording("time_s,x,f\n" + "\n".join(rows) + "\n")
        lacking = "for a friction loop its header must say displacement_m for `x` and say force_n for `f`"
        self.assertIn(lacking, offline(path).stderr)
        self.assertNotIn(lacking, offline("--kind", "free_decay", path).stderr)
        self.assertNotIn("friction loop", offline("--whole", path).stderr)

    def test_a_loop_whose_times_are_dates_is_told_so(self):
        rows = [f"2026-11-14 20:07:{i / 100:09.6f},{math.sin(i / 10):.6f},{math.copysign(5, math.cos(i / 10)):g}" for i in range(1000)]
        done = offline(self.recording("Timestamp,Displacement (mm),Force (N)\n" + "\n".join(rows) + "\n"))
        self.assertIn("for a friction loop it must be a table of text with its times as numbers, in a column such as time_s, or of rows that come evenly without a time, and with --rate", done.stderr)

    def test_columns_without_a_header_are_told_what_one_of_loops_is(self):
        rows = [f"{math.sin(i / 10):.6f},{math.copysign(5, math.cos(i / 10)):g}" for i in range(1000)]
        done = offline("--rate", "100", self.recording("\n".join(rows) + "\n"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("give the columns a header, such as displacement_mm,force_n", done.stderr)
        done = offline(self.recording("\n".join(f"{i / 100:.2f},{row}" for i, row in enumerate(rows)) + "\n"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("or of a friction loop time_s,displacement_mm,force_n", done.stderr)

    def test_the_verdict_of_records_without_a_valid_one_is_said(self):
        rows = [f"{i / 100:.2f},{math.sin(i / 10):.6f},7" for i in range(1000)]
        done = offline(self.recording("time_s,displacement_mm,force_n\n" + "\n".join(rows) + "\n"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("no valid result; 1 record: all samples of the force are alike", done.stderr)


class BadRecordings(OfflineTest):
    """Exit status 2, nothing on standard output, file and line on standard error."""

    good_rows = [f"{i / 1000:.3f},{i % 5}" for i in range(1000)]

    def with_row(self, row, at=500):
        rows = list(self.good_rows)
        rows[at] = row
        return "time_s,lvdt_mm\n" + "\n".join(rows) + "\n"

    def assert_refused(self, path, line=None):
        done = offline(path)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        place = os.path.basename(str(path)) + (f":{line}:" if line else "")
        self.assertIn(place, done.stderr)
        self.assertLess(len(done.stderr), 2000)

    def test_word_instead_of_a_number(self):
        self.assert_refused(self.recording(self.with_row("0.500,oops")), 502)

    def test_number_with_something_behind_it(self):
        self.assert_refused(self.recording(self.with_row("0.500,1.5mm")), 502)

    def test_decimal_comma(self):
        self.assert_refused(self.recording(self.with_row("0,500;1,5")), 502)

    def test_not_a_number(self):
        for word in ("nan", "inf", "-inf", "1e999"):
            with self.subTest(word):
                self.assert_refused(self.recording(self.with_row(f"0.500,{word}")), 502)

    def test_column_missing(self):
        self.assert_refused(self.recording(self.with_row("0.500")), 502)

    def test_column_too_many(self):
        self.assert_refused(self.recording(self.with_row("0.500,1,2")), 502)

    def test_time_that_stands_still_or_goes_back(self):
        for stamp in ("0.499", "0.100"):
            with self.subTest(stamp):
                self.assert_refused(self.recording(self.with_row(f"{stamp},1")), 502)

    def test_time_only(self):
        self.assert_refused(self.recording("time_s\n" + "\n".join(f"{i / 1000:.3f}" for i in range(100)) + "\n"), 1)

    def test_empty_file(self):
        self.assert_refused(self.recording(""))

    def test_header_only(self):
        self.assert_refused(self.recording("time_s,lvdt_mm\n"))

    def test_folder(self):
        path = self.scratch.path / "folder.csv"
        path.mkdir()
        self.assert_refused(path)

    def test_no_such_file(self):
        self.assert_refused(self.scratch.path / "nowhere.csv")

    def test_binary_junk(self):
        self.assert_refused(self.recording(bytes(range(256)) * 4000))

    def test_zeros(self):
        self.assert_refused(self.recording(bytes(1 << 20)))

    def test_line_of_five_megabytes(self):
        self.assert_refused(self.recording(self.with_row("0.500," + "1" * 5_000_000)), 502)
        self.assert_refused(self.recording(b"x" * 5_000_000, "long.csv"), 1)

    def test_bad_file_among_good_ones(self):
        good = self.recording(csv_text(*release(Decay())), "good.csv")
        bad = self.recording(self.with_row("0.500,oops"), "bad.csv")
        done = offline(good, bad)
        self.assertEqual(done.returncode, 2)
        self.assertIn("bad.csv:502:", done.stderr)

    def test_no_file_at_all(self):
        self.assertEqual(offline().returncode, 2)

    def test_too_few_samples_a_cycle_are_named(self):
        """Of motions that fade fast: of nothing else is seen that they are free."""
        for samples_a_cycle, words in ((8, "there must be about 12 samples a cycle"), (12, "fewer than 20 samples a cycle")):
            times, positions = release(Decay(f_n=5.0, zeta=0.05, x_k=1.0, x0=10.0), rate=5.07 * samples_a_cycle)
            done = offline(self.recording(csv_text(times, positions)))
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    main()
