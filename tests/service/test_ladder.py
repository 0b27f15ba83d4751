# SPDX-License-Identifier: GPL-3.0-or-later
"""The ladder of models: behind the first answer, in every way that a decay takes."""

import contextlib
import json
import re
import time
import unittest

from fricid_harness import (PATIENCE_S, Daemon, Decay, ScratchDirectory, csv_text, fricidctl, offline, release, seconds,
                            simulated_rig)
from run_tests import main
from store_files import file_of, kill, opened

LADDER = "ladder_deadline_s = 600.0;"

# What the simulated rig is, which knows no solution of its motion; the terms that a fit of it needs; and how large the
# one beyond viscous damping and friction is, in mm.
MECHANICS = [
    ("", {"viscous", "coulomb"}, None, None),
    ("drag_per_m = 12.0;", {"viscous", "coulomb", "drag"}, "drag", 0.012),
    ("cubic_per_m2 = -300.0;", {"viscous", "coulomb", "cubic"}, "cubic", -3e-4),
    ("presliding_distance_m = 0.0006;", {"viscous", "coulomb", "presliding"}, "x_d", 0.6),
]

# What the first answer says of these, which the chosen rung explains.
DOUBTS = {None: None, "drag": "damping_drift", "cubic": "frequency_drift", "x_d": "frequency_drift"}


def rig(mechanics="", **keys):
    return simulated_rig(source=mechanics, channels='{ name = "lvdt"; sensor = "lvdt"; }', **keys)


def wait_for_ladder(daemon, client, decay=1):
    """The result of a decay, as soon as it has its ladder."""
    daemon.wait_for_results(decay)
    return wait_for_ladders(daemon, client, [decay])[0]


def wait_for_ladders(daemon, client, decays):
    """The results of these decays, as soon as all have their ladder."""
    deadline = time.monotonic() + seconds(PATIENCE_S)
    while time.monotonic() < deadline:
        results = [client.call("results.get", id=decay) for decay in decays]
        # It is stored a moment before it is told, which gives it its number.
        if all(result["ladder"]["verdict"] not in ("not_computed", "pending") and result["seq"] for result in results):
            return results
        time.sleep(0.1)
    raise AssertionError(f"no ladder\n{daemon.errors()}")


class Live(unittest.TestCase):
    def test_it_finds_what_the_rig_is(self):
        for mechanics, terms, name, truth in MECHANICS:
            with self.subTest(mechanics), Daemon(rig(mechanics, duration_s=12), LADDER) as daemon, \
                    daemon.client() as client:
                result = wait_for_ladder(daemon, client)
                ladder = result["ladder"]
                chosen = ladder["models"][ladder["chosen"]]
                self.assertEqual(set(chosen["terms"]), terms, chosen)
                self.assertEqual(ladder["terms"], chosen["terms"])
                self.assertFalse(ladder["clock_step"]["found"], ladder["clock_step"])
                self.assertFalse(ladder["zero_steps"]["found"], ladder["zero_steps"])
                sheet = daemon.fricidctl("show", "1").stdout
                self.assertRegex(sheet, r"the ladder of models .*the best of 40\)\n +criterion +residual .*\n +chosen ")
                if name:
                    estimate = chosen["estimates"][name]
                    self.assertLess(abs(estimate["value"] - truth), 4 * estimate["se"] + 0.01 * abs(truth), estimate)
                self.expect_one_statement(daemon, client, result, "ladder" if name else "fit")
                first = client.call("results.get", id=1, revision=1)
                self.assertIn(DOUBTS[name], [None, *first["flags"]])
                self.assertFalse([flag for flag in result["flags"] if not flag.startswith("few_")], result["flags"])

    def expect_one_statement(self, daemon, client, result, recommended):
        """The chosen rung's name and figures stand wherever a result is told of."""
        ladder = result["ladder"]
        model = "+".join(ladder["terms"])
        self.assertEqual((result["recommended"], result["verdict"]), (recommended, "ok"))
        self.assertEqual((result["model_choice"]["model"], result["model_choice"]["based_on"]), (model, "ladder"))
        section = result[recommended]
        summary, = client.call("results.list", limit=1, before_id=2)["results"]
        self.assertEqual((summary["model"], summary["recommended"]), (model, recommended))
        for name in ("f_n_hz", "zeta", "x_k", "x0"):
            self.assertEqual(summary[name], section[name], name)
            self.assertIsNotNone(section[name]["u"], name)
            line, = (line for line in result["budget"]["quantities"] if line["quantity"] == name)
            self.assertEqual((line["value"], line["u"]), (section[name]["value"], section[name]["u"]), name)
            self.assertGreaterEqual(line["u"], section[name]["se"])
        for name in set(ladder["terms"]) & {"drag", "cubic"}:
            self.assertGreaterEqual(ladder[name]["u"], ladder[name]["se"])
        other = "fit" if recommended == "ladder" else "extrema_fit"
        self.assertIsNone(result[other]["f_n_hz"]["u"])
        words = model.replace("coulomb", "Coulomb").replace("+", " + ")
        self.assertRegex(daemon.fricidctl("show", "1").stdout, rf"    {re.escape(words)}, ok\n")
        self.assertIn(words, daemon.fricidctl("results", "--columns", "id,model").stdout)
        self.expect_motion(daemon, section["rms"], recommended == "ladder")
        if recommended == "ladder":
            self.expect_frequencies(daemon, ladder)

    def expect_motion(self, daemon, rms, frequencies):
        """The picture's curve is the motion that left this residual; the frequencies stand below where they change."""
        script = daemon.fricidctl("plot", "1", "-o", "-").stdout
        rows = [line.split() for line in script.split("$samples << END\n")[1].split("END\n")[0].splitlines()]
        self.assertEqual(("$cycles << END\n" in script, "title 'cycles'" in script), (frequencies, frequencies))
        squares = [(float(measured) - float(motion)) ** 2 for _, measured, flag, motion in rows
                   if flag == "0" and motion != "NaN"]
        self.assertGreater(len(squares), 0.5 * len(rows))
        self.assertLess((sum(squares) / len(squares)) ** 0.5, 1.5 * rms)

    def expect_frequencies(self, daemon, ladder):
        """The curve below the picture is that of the motion, f_n (1 + 3/8 cubic A²) of a cubic stiffness, and the
        cycles lie around it."""
        script = daemon.fricidctl("plot", "1", "-o", "-").stdout
        self.assertNotIn("f_n as above", script)
        curve, cycles = ([tuple(map(float, line.split())) for line in script.split(f"${name} << END\n")[1]
                          .split("END\n")[0].splitlines()] for name in ("turns", "cycles"))
        self.assertGreaterEqual(len(curve), len(cycles))
        by_amplitude = sorted(curve)
        for amplitude, f_n_hz in cycles[:len(cycles) // 2]:
            near = min(by_amplitude, key=lambda row: abs(row[0] - amplitude))
            self.assertAlmostEqual(f_n_hz / near[1], 1, delta=3e-3)
        for amplitude, f_n_hz in curve if "cubic" in ladder["terms"] else []:
            law = ladder["f_n_hz"]["value"] * (1 + 0.375 * ladder["cubic"]["value"] * amplitude ** 2)
            self.assertAlmostEqual(f_n_hz / law, 1, delta=1e-3)

    def test_the_first_answer_does_not_wait(self):
        """Both answers are told of and stored; but for the ladder they say the same."""
        with Daemon(rig("drag_per_m = 12.0;", duration_s=12), LADDER) as daemon, daemon.client() as client:
            later = wait_for_ladder(daemon, client)
            first = client.call("results.get", id=1, revision=1)
            self.assertEqual(later["revision"], 2)
            client.call("subscribe", topics=["result"], from_seq=1)
            told = []
            while not told or told[-1]["seq"] < later["seq"]:
                told.append(client.notification("notify.result")["result"])
            self.assertEqual([result for result in told if result["id"] == 1], [first, later])
            self.assertEqual((first["recommended"], later["recommended"]), ("fit", "ladder"))
            self.assertEqual((first["provisional"], later["provisional"]), (True, False))
            self.assertFalse(client.call("results.list", id=1)["results"][0]["provisional"])
            self.assertEqual(first["ladder"]["verdict"], "pending")
            self.assertIn("higher revision", first["ladder"]["reason"])
            self.assertEqual(first["fit"]["omega_n"]["value"], later["fit"]["omega_n"]["value"])

    def test_earlier_releases_are_asked(self):
        """Four releases know more of a drag that none of them shows; a check alone asks nobody, and finds the same."""
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        with Daemon(rig(duration_s=60), LADDER, directory=scratch) as daemon, daemon.client() as client:
            daemon.wait_for_results(4)
            results = wait_for_ladders(daemon, client, [1, 2, 3, 4])
            self.assertEqual([result["ladder"]["earlier_releases"] for result in results], [0, 1, 2, 3])
            of_zeta = [line for result in results for line in result["budget"]["quantities"]
                       if line["quantity"] == "zeta"]
            self.assertLess(of_zeta[3]["u_model"], 0.8 * of_zeta[0]["u_model"])
            self.assertRegex(daemon.fricidctl("show", "4", "--intervals").stdout, "this record and 3\\s+before it")
        with Daemon("", LADDER, directory=scratch) as daemon, daemon.client() as client:
            checked = client.call("reidentify", check=True)
            self.assertEqual((checked["failed"], checked["changed"]), (0, 0), checked)

    def test_it_ends_with_the_daemon(self):
        """A ladder holds up no stop, and what the decay has stays."""
        with Daemon(rig(duration_s=120), LADDER) as daemon:
            daemon.wait_for_results(3)
            self.assertLess(daemon.stop_in_s(), seconds(5))

    def test_without_it(self):
        with Daemon(rig(duration_s=12), "ladder_deadline_s = 0;") as daemon, daemon.client() as client:
            daemon.wait_for_results(1)
            daemon.wait_until_ended()
            result = client.call("results.get", id=1)
            self.assertEqual((result["revision"], result["ladder"]["verdict"]), (1, "not_computed"))
            self.assertIn("ladder_deadline_s", result["ladder"]["reason"])

    def test_identified_anew(self):
        """A result that had none gets its ladder, and the check finds that again."""
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        with Daemon(rig(duration_s=12), "ladder_deadline_s = 0;", directory=scratch) as daemon:
            daemon.wait_until_ended()
        with Daemon("", LADDER, directory=scratch) as daemon, daemon.client() as client:
            again = client.call("reidentify")
            self.assertEqual(again["failed"], 0, again)
            result = client.call("results.get", id=1)
            self.assertEqual((result["revision"], result["ladder"]["verdict"]), (2, "ok"))
            checked = client.call("reidentify", check=True)
            self.assertEqual(checked["changed"], 0, checked)
        with Daemon("", "ladder_deadline_s = 0;", directory=scratch) as daemon, daemon.client() as client:
            checked = client.call("reidentify", check=True)
            self.assertEqual((checked["decays"], checked["changed"]), (again["decays"], 0), checked)


class TakenUp(unittest.TestCase):
    """What was promised when a daemon was killed, or ended, is made by the next one."""

    CHANNELS = 6  # their ladders are all promised at once, and take much longer than the promise

    def left_behind(self, end):
        """A store with first answers whose ladders are pending, and the ids of these."""
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        channels = ", ".join(f'{{ name = "c{number}"; sensor = "lvdt"; }}' for number in range(self.CHANNELS))
        daemon = Daemon(simulated_rig(duration_s=5, channels=channels), LADDER, directory=scratch)
        self.addCleanup(daemon.abandon)
        daemon.__enter__().wait_for_results(self.CHANNELS)
        end(daemon)
        with contextlib.closing(opened(file_of(daemon))) as store:
            rows = store.execute("SELECT decay, text FROM result JOIN document ON result = result.id WHERE latest")
            pending = [decay for decay, text in rows if json.loads(text)["ladder"]["verdict"] == "pending"]
        self.assertTrue(pending)
        return scratch, pending

    def expect_ladders(self, scratch, pending):
        """With what is measured meanwhile before them."""
        with Daemon(rig(duration_s=5, name="other"), LADDER, directory=scratch) as daemon, daemon.client() as client:
            wait_for_ladders(daemon, client, pending)
            for decay in pending:
                first, second = [client.call("results.get", id=decay, revision=revision) for revision in (1, 2)]
                self.assertEqual((first["ladder"]["verdict"], second["ladder"]["verdict"]), ("pending", "ok"))
                self.assertEqual(first["fit"]["omega_n"]["value"], second["fit"]["omega_n"]["value"])
            seqs = [client.call("results.get", id=decay, revision=2)["seq"] for decay in pending]
            new = daemon.wait_for_results(1, rig="other")[-1]
            self.assertLess(client.call("results.get", id=new["id"], revision=1)["seq"], max(seqs))
            client.call("subscribe", topics=["result"], from_seq=min(seqs))
            self.assertIn(client.notification("notify.result")["result"]["id"], pending)

    def test_after_a_kill(self):
        self.expect_ladders(*self.left_behind(kill))

    def test_after_an_end(self):
        self.expect_ladders(*self.left_behind(Daemon.stop))


class HandedIn(unittest.TestCase):
    """One answer, with the ladder in it."""

    DECAY = Decay(f_n=2.0, zeta=0.01, x_k=0.1, x0=12.0)

    def record(self):
        return release(self.DECAY, rate=200.0, noise=0.01)

    def test_to_the_daemon(self):
        with Daemon("", LADDER) as daemon, daemon.client() as client:
            times, values = self.record()
            answer = client.call("identify", displacement=values, time_s=times, unit="mm")
            result = answer["results"][0]
            self.assertEqual(result["ladder"]["verdict"], "ok", result["ladder"]["reason"])
            self.assertEqual(set(result["ladder"]["terms"]), {"viscous", "coulomb"})
            self.assertEqual(result["revision"], 1)

    def test_offline(self):
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        path = scratch.write("free.csv", csv_text(*self.record()))
        for ladder, verdict in ((True, "ok"), (False, "not_computed")):
            (result,) = offline(path, ladder=ladder).results
            self.assertEqual(result["ladder"]["verdict"], verdict, result["ladder"]["reason"])

    def test_a_recorder_that_lost_samples_unsaid(self):
        """The motion is one decay, in which the ladder finds the step of the clock."""
        for lost, at in ((4, 1800), (20, 1950)):
            times, values = release(Decay(f_n=2.0, zeta=0.004, x_k=0.02, x0=12.0), rate=200.0, noise=0.01)
            text = csv_text(times[:-lost], values[:at] + values[at + lost:])
            scratch = ScratchDirectory()
            self.addCleanup(scratch.remove)
            (result,) = offline(scratch.write("stepped.csv", text), ladder=lost == 4).results
            self.assertGreater(result["record"]["half_cycles"], 110)
            if lost == 4:
                step = result["ladder"]["clock_step"]
                self.assertTrue(step["found"], step)
                self.assertLess(abs(step["lost"]["value"] - 0.02), 4 * step["lost"]["se"] + 1e-4, step)

    def uncertainty_of_files(self, *options):
        """The combined uncertainty of zeta over the statistical one, file by file."""
        done = fricidctl("--json", "identify", "--alone", *options, *self.files)
        self.assertEqual(done.returncode, 0, done.stderr)
        ratios = []
        for result in json.loads(done.stdout)["results"]:
            (line,) = [line for line in result["budget"]["quantities"] if line["quantity"] == "zeta"]
            self.assertLess(abs(line["value"] - self.DECAY.zeta), 2 * line["expanded"])
            ratios.append(line["u"] / line["u_stat"])
        return ratios

    def test_files_of_one_rig(self):
        scratch = ScratchDirectory()
        self.addCleanup(scratch.remove)
        decay = Decay(f_n=5.0, zeta=0.01, x_k=0.1, x0=10.0)
        self.files = [scratch.write(f"{seed}.csv", csv_text(*release(decay, rate=500.0, noise=0.01, seed=seed))) for seed in range(1, 9)]
        apart, together = self.uncertainty_of_files(), self.uncertainty_of_files("--together")
        self.assertAlmostEqual(together[0], apart[0], delta=1e-6)
        # What one release cannot tell is as large in each of them; eight tell it by the root of eight better.
        self.assertGreater(min(apart), 4)
        self.assertLess(together[-1], 0.6 * apart[-1])
        other = scratch.write("other.csv", csv_text(*release(decay, rate=500.0), header="time_s,acc_m/s2"))
        refused = fricidctl("identify", "--alone", "--together", self.files[0], other)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--together is said of loops and of free decays", refused.stderr)

    def test_kept(self):
        with Daemon("", LADDER) as daemon, daemon.client() as client:
            times, values = self.record()
            answer = client.call("identify", displacement=values, time_s=times, unit="mm", keep=True)
            result = client.call("results.get", id=answer["results"][0]["id"])
            self.assertEqual((result["revision"], result["ladder"]["verdict"]), (1, "ok"))


if __name__ == "__main__":
    main()
