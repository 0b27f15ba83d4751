# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured decays between two amplitudes: what is recommended is what they obey."""

import unittest

from fricid_harness import SOURCE, Daemon, offline, seconds
from run_tests import main

DECAYS = SOURCE / ".." / "shared" / "data" / "decays"

PENDULUM = {"cubic": (-0.2, -0.1333)}  # sin x = x - x^3/6, within a fifth

# Between which amplitudes, in the record's unit; the residual that the best model known leaves there, and where its
# figures lie. A record that is cut into decays where its clock steps is taken as one.
RECORDS = [
    ("yf_lab2_22", 0.35, 0.02, [], 1.75e-3, {"x_k": (1.05e-3, 1.15e-3), "x_d": (1e-3, 3e-3), **PENDULUM}),
    ("yf_lab2_22", 0.35, 0.02, ["--whole"], 1.75e-3, {"x_k": (1.05e-3, 1.15e-3), "x_d": (1e-3, 3e-3), **PENDULUM}),
    ("yf_lab2_16", 0.35, 0.02, [], 2.45e-3, {"x_k": (0.60e-3, 0.66e-3), "x_d": (3.5e-3, 5.5e-3), **PENDULUM}),
    ("yf_data32", 0.35, 0.03, [], 1.78e-3, {"x_k": (1.45e-3, 1.55e-3), **PENDULUM}),
    ("alq_70", 25.0, 0.6, [], 0.072, {"square": (-0.0045, -0.0025)}),
    ("alq_100", 25.0, 0.6, [], 0.117, {"square": (-0.0055, -0.0035)}),
    ("carter_adip_pend", 0.35, 0.2, ["--whole"], 1.5e-3, {"cubic": (-0.20, -0.13)}),
    ("seismo_blow", 0.14, 0.01, ["--whole"], 4.3e-3, {}),
]


class Measured(unittest.TestCase):
    def identified(self, name, *options, ladder=True):
        done = offline(*options, DECAYS / f"{name}.csv", ladder=ladder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.results[0]

    def test_what_measured_decays_obey(self):
        for name, most, least, how, rms, bounds in RECORDS:
            with self.subTest(name, how=how):
                result = self.identified(name, "--amplitude-max", most, "--amplitude-min", least, *how)
                ladder = result["ladder"]
                self.assertEqual(result["recommended"], "ladder")
                self.assertEqual(result["model_choice"]["model"], "+".join(ladder["terms"]))
                self.assertLessEqual(ladder["rms"], rms)
                self.assertLess(ladder["rms"], 0.7 * result["fit"]["rms"])
                for figure, (low, high) in bounds.items():
                    self.assertTrue(low <= ladder[figure]["value"] <= high, (figure, ladder[figure]))
                    self.assertGreaterEqual(ladder[figure]["u"], ladder[figure]["se"], figure)
                stepped = name.startswith("carter")
                self.assertEqual(ladder["clock_step"]["found"], stepped)
                for fault in ("clock_step", "zero_steps"):
                    self.assertEqual(fault in result["flags"], ladder[fault]["found"], fault)
                self.assertFalse(ladder["consistency"]["contradicts"], ladder["consistency"])
                self.assertEqual(ladder["consistency"]["errors"] is None, stepped)
                chosen = ladder["models"][ladder["chosen"]]["estimates"]
                if stepped:
                    self.assertGreater(ladder["f_n_hz"]["se"], 1.01 * chosen["f_n"]["se"])
                self.assertNotIn("damping_drift", result["flags"])
                for window in result["windows"]["window"]:
                    self.assertLessEqual(window["largest"], most)
                    self.assertGreaterEqual(window["smallest"], least)

    def test_the_sheet_tells_what_the_recorder_did(self):
        # Its ladder takes a sanitizer on a busy computer longer than a daemon without a configuration lets it.
        with Daemon(service=f"ladder_deadline_s = {seconds(300)};") as daemon:
            done = daemon.fricidctl("identify", "--whole", "--amplitude-max", 0.35, "--amplitude-min", 0.2,
                                    DECAYS / "carter_adip_pend.csv", limit=300)
        self.assertRegex(done.stdout, r"  clock_step: the recorder's clock lost 0\.0(19|20)\d*\(\d+\) s at 113\.\d+")
        self.assertIn("! clock_step: the recorder lost or repeated time", done.stdout)
        self.assertNotIn("! consistency", done.stdout)

    def test_without_limits(self):
        """All of a decay, down to where it stops, has more half cycles."""
        limits = ("--amplitude-max", "0.35", "--amplitude-min", "0.02")
        everything = self.identified("yf_data32", ladder=False)
        part = self.identified("yf_data32", *limits, ladder=False)
        self.assertGreater(everything["record"]["half_cycles"], 1.5 * part["record"]["half_cycles"])


if __name__ == "__main__":
    if DECAYS.is_dir():
        main()
    print("SKIP: the measured records in ../shared are not here")
    raise SystemExit(77)
