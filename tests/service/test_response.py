# SPDX-License-Identifier: GPL-3.0-or-later
"""Frequency responses: by file, by request, from the store, and on the terminal."""

import math
import pathlib
import unittest

from fricid_harness import SOURCE, Daemon, ScratchDirectory, offline
from run_tests import main
from schemas import complaints

MEASURED = pathlib.Path(SOURCE) / ".." / "shared" / "data" / "ringdowns" / "brb_forced_response.csv"
F_0, ZETA = 80.0, 0.003


def resonance():
    frequencies = [F_0 * (1 + 4 * ZETA * (i / 30 - 1)) for i in range(61)]
    return frequencies, [1 / math.hypot(1 - (f / F_0) ** 2, 2 * ZETA * f / F_0) for f in frequencies]


class ResponseTest(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def assert_resonance(self, result):
        self.assertEqual(complaints("half_power.json", result), [])
        self.assertEqual((result["kind"], result["verdict"]), ("response", "ok"))
        self.assertAlmostEqual(result["zeta"]["value"], ZETA, delta=1e-4 * ZETA)
        self.assertFalse(result["response"]["amplitude_dependent"])

    def test_a_file_and_what_is_wrong_with_one(self):
        f, a = resonance()
        for header, scale in (("frequency_hz,displacement_m", 1), ("freq (kHz),displacement (mm)", 1e-3), ("frequency_hz,response_v", 1)):
            path = self.scratch.write("r.csv", header + "\n" + "".join(f"{x * scale:.12g},{y:.12g}\n" for x, y in zip(f, a)))
            (result,) = offline(path).results
            self.assert_resonance(result)
        # A speed with its force is a curve as well, but for the frequency.
        path = self.scratch.write("r.csv", "frequency_hz,velocity_m_s,force_n\n" + "".join(f"{x:.12g},{y:.12g},2\n" for x, y in zip(f, a)))
        (result,) = offline(path).results
        self.assert_resonance(result)
        for level in "response (dB)", "response_dB":
            path = self.scratch.write("r.csv", f"frequency_hz,{level}\n" + "".join(f"{x},{20 * math.log10(y)}\n" for x, y in zip(f, a)))
            done = offline(path)
            self.assertEqual(done.returncode, 2)
            self.assertIn("the quantity itself is wanted", done.stderr)
        path = self.scratch.write("r.csv", "frequency_hz,response\n" + "".join(f"{x},{y}\n" for x, y in zip(f, a)))
        done = offline(path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("`response` tells no unit", done.stderr)
        (result,) = offline(self.scratch.write("r.csv", open(path).read().replace("response", "response_1"))).results
        self.assert_resonance(result)
        path = self.scratch.write("r.csv", "frequency_hz,displacement_m,velocity_m_s\n" + "".join(f"{x},{y},{y}\n" for x, y in zip(f, a)))
        done = offline(path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("both `displacement_m` and `velocity_m_s` may be the motion of a response", done.stderr)
        path = self.scratch.write("r.csv", "frequency_hz,freq_hz,displacement_m\n" + "".join(f"{x},{x},{y}\n" for x, y in zip(f, a)))
        done = offline(path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("both `frequency_hz` and `freq_hz`", done.stderr)

    def test_a_terminal_tells_that_the_force_was_held(self):
        # Coulomb friction takes 0.3 of the force: ((1 - r2) X)2 + (2 zeta r X + 0.3)2 = 1.
        share, rows = 0.3, []
        for f, _ in zip(*resonance()):
            r = f / F_0
            a, b = (1 - r * r) ** 2 + (2 * ZETA * r) ** 2, 4 * ZETA * r * share
            x = (math.sqrt(b * b - 4 * a * (share * share - 1)) - b) / (2 * a)
            rows.append(f"{f:.12g},{x:.12g},1\n")
        path = self.scratch.write("r.csv", "frequency_hz,displacement_m,force_n\n" + "".join(rows))
        with Daemon() as daemon:
            shown = daemon.fricidctl("identify", path)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("the figure belongs to no single amplitude", shown.stdout)
        self.assertIn("measure at constant response", " ".join(shown.stdout.split()))

    def test_a_request_a_store_and_a_terminal(self):
        f, a = resonance()
        columns = {"displacement_m": a, "frequency_hz": f}
        with Daemon() as daemon, daemon.client() as client:
            (told,) = client.call("identify", kind="response", columns=columns, keep=True)["results"]
            self.assert_resonance(told)
            (listed,) = client.call("results.list", kind="response")["results"]
            self.assertEqual(listed["id"], told["id"])
            shown = daemon.fricidctl("show", str(told["id"]))
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertIn("response, ok", shown.stdout)
            picture = daemon.fricidctl("plot", "-o", "-", str(told["id"]))
            self.assertEqual(picture.returncode, 0, picture.stderr)
            rows = picture.stdout.split("$response << END\n")[1].split("END")[0].splitlines()
            self.assertEqual(len(rows), len(f))
            self.assertAlmostEqual(float(rows[3].split()[1]), f[3], delta=1e-6)
            self.assertEqual(picture.stdout.count("set arrow"), 2)

    def test_the_measured_beam(self):
        if not MEASURED.exists():
            self.skipTest(f"{MEASURED} is not here")
        results = offline(str(MEASURED)).results
        self.assertEqual([result["group"] for result in results],
                         [f"force, {i}" for i in range(4)] + [f"response, {i}" for i in range(8)])
        self.assertTrue(all(result["verdict"] == "ok" for result in results))
        held = [100 * result["zeta"]["value"] for result in results[4:]]
        self.assertEqual(held, sorted(held))
        self.assertAlmostEqual(held[0], 0.158, delta=0.003)
        self.assertAlmostEqual(held[-1], 0.647, delta=0.01)
        self.assertEqual([result["response"]["amplitude_dependent"] for result in results], [True] * 4 + [False] * 8)


if __name__ == "__main__":
    main()
