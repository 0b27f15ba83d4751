# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of friction over speed: by file, by request, from the store, and on the terminal."""

import math
import re
import pathlib
import random
import unittest

from fricid_harness import SOURCE, Daemon, ProtocolError, ScratchDirectory, offline
from run_tests import main
from schemas import complaints

F_C, DIP, V_S, SIGMA_2, F_0 = 2.0, 1.0, 0.02, 3.0, 0.2
DRIVE = pathlib.Path(SOURCE) / ".." / "shared" / "data" / "friction" / "tro2021_drive1_stribeck.csv"


def measured(f_c=F_C):
    generator = random.Random(5)
    speeds = [sign * 1e-3 * 200 ** (i / 14) for i in range(15) for sign in (1, -1)]
    return speeds, [math.copysign(f_c + DIP * math.exp(-(v / V_S) ** 2), v) + SIGMA_2 * v + F_0 +
                    generator.gauss(0, 0.01) for v in speeds]


def text_of(header, *columns):
    return header + "\n" + "".join(",".join(str(cell) for cell in row) + "\n" for row in zip(*columns))


class CurveTest(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def assert_curve(self, result, f_c=F_C):
        self.assertEqual(complaints("curve.json", result), [])
        self.assertEqual((result["kind"], result["verdict"], result["units"]["displacement"]), ("curve", "ok", "m"))
        for name, value in (("f_c", f_c), ("f_s", f_c + DIP), ("v_s", V_S), ("sigma_2", SIGMA_2), ("f_0", F_0)):
            self.assertLess(abs(result[name]["value"] - value), 4 * result[name]["se"], name)
        self.assertEqual((result["curve"]["stribeck"], result["curve"]["stribeck_exponent"]), ("found", 2))


class Files(CurveTest):
    def one(self, *arguments):
        done = offline(*arguments)
        self.assertEqual(len(done.results), 1, done.stderr)
        return done.results[0]

    def test_units_and_order_of_columns_are_as_the_header_says(self):
        v, f = measured()
        for header, columns in (("velocity_m_s,force_n", (v, f)), ("force (mN),speed [mm/s]", ([1e3 * x for x in f], [1e3 * x for x in v])),
                                ("velocity_m_s,force_n,force_std,temperature", (v, f, [0.01] * len(v), [20 + 0.01 * i for i in range(len(v))]))):
            self.assert_curve(self.one(self.scratch.write("curve.csv", text_of(header, *columns))))

    def test_labels_tell_one_curve_from_the_next(self):
        v, f = measured()
        v2, f2 = measured(3.0)
        path = self.scratch.write("two.csv", text_of("load,velocity_m_s,force_n", ["1 kg"] * len(v) + ["2 kg"] * len(v), v + v2, f + f2))
        results = offline(path).results
        self.assertEqual([result["group"] for result in results], ["1 kg", "2 kg"])
        self.assert_curve(results[0])
        self.assert_curve(results[1], 3.0)

    def test_what_is_wrong_is_said(self):
        v, f = measured()
        for header, columns, said in (("velocity_m_s,speed_m_s,force_n", (v, v, f), "both `velocity_m_s` and `speed_m_s`"),
                                      ("velocity_m_s,force_n,force_std", (v, f, [0.01] * 29 + ["x"]), "is not a number")):
            done = offline(self.scratch.write("bad.csv", text_of(header, *columns)))
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)
        turned = offline(self.scratch.write("turned.csv", text_of("velocity_m_s,force_n", v, [-x for x in f])))
        self.assertEqual(turned.results[0]["verdict"], "negative_energy")
        self.assertIn("opposite sign", turned.results[0]["curve"]["reason"])

    @unittest.skipUnless(DRIVE.exists(), "no ../shared")
    def test_a_measured_drive_has_a_dip_both_ways(self):
        result = self.one(str(DRIVE))
        self.assertEqual((result["units"]["displacement"], result["curve"]["stribeck_exponent"]), ("rad", 1))
        self.assertTrue(3 < result["v_s"]["value"] < 6.5)
        self.assertAlmostEqual(1e3 * result["f_0"]["value"], -0.36, delta=0.015)
        self.assertAlmostEqual(1e3 * result["curve"]["residual"], 0.036, delta=0.003)
        self.assertEqual([way["stribeck"] for way in result["curve"]["way"]], ["found", "found"])


class Requests(CurveTest):
    def test_a_request_a_store_and_a_terminal(self):
        v, f = measured()
        columns = {"velocity_m_s": v, "force_n": f}
        with Daemon() as daemon, daemon.client() as client:
            (told,) = client.call("identify", kind="curve", columns=columns, keep=True, name="pin")["results"]
            self.assert_curve(told)
            upload = client.call("identify.begin", kind="curve", form=",".join(columns))["upload"]
            for cut in (slice(0, 7), slice(7, None)):
                client.call("identify.append", upload=upload, columns={name: column[cut] for name, column in columns.items()})
            (pieces,) = client.call("identify.finish", upload=upload)["results"]
            self.assertEqual(pieces["curve"], told["curve"])
            (listed,) = client.call("results.list", kind="curve")["results"]
            self.assertEqual(listed["id"], told["id"])
            with self.assertRaises(ProtocolError):
                client.call("identify", kind="curve", columns={"velocity_m_s": v, "force_n": f[1:]})
            shown = daemon.fricidctl("show", str(told["id"])).stdout
            self.assertIn("F_C", shown)
            self.assertIn("found", shown)
            # The limits have the digits of the figure: of an interval something is left.
            wide = daemon.fricidctl("show", "--intervals", str(told["id"])).stdout
            limits = re.findall(r"95 %: \(?([−\d.]+) (?:…|to|\.\.\.) ([−\d.]+)", wide)
            self.assertGreaterEqual(len(limits), 4, wide)
            for low, high in limits:
                self.assertNotEqual(low, high)
            (low, high), f_c = limits[0], told["f_c"]
            self.assertLess(abs(float(low) - f_c["ci95_statistical"][0]), f_c["se"] / 10)
            self.assertLess(abs(float(high) - f_c["ci95_statistical"][1]), f_c["se"] / 10)
            picture = daemon.fricidctl("plot", "-o", "-", str(told["id"]))
            self.assertEqual(picture.returncode, 0, picture.stderr)
            rows = [line.split() for line in picture.stdout.split("$curve << END\n")[1].split("END")[0].splitlines()]
            # In order of velocity, with a gap between both ways.
            drawn = [float(row[0]) for row in rows if row]
            self.assertEqual(len(drawn), len(v))
            self.assertLess(max(abs(a - b) for a, b in zip(drawn, sorted(v))), 1e-8)
            self.assertEqual(rows.index([]), sum(1 for speed in v if speed < 0))


if __name__ == "__main__":
    main()
