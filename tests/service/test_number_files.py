#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings that are no text: sound, and files of MATLAB. The same decay in each gives the same figures as in text;
what cannot be known of a file is refused with the candidates. (HDF5: tests/unit/test_number_files.c, which writes it.)"""

import functools
import gzip
import json
import random
import re
import struct
import unittest
import zlib
from pathlib import Path

from fricid_harness import FRICIDD, Daemon, Decay, ScratchDirectory, offline, recording_rig, release, run_program
from run_tests import main

RATE_HZ = 500.0
FULL_SCALE_MM = 16.0
TIMES, POSITIONS = release(Decay(f_n=5.0, zeta=0.01, x_k=0.1, x0=10.0), rate=RATE_HZ)
SHARES = [x / FULL_SCALE_MM for x in POSITIONS]


@functools.cache
def parts_of_this_build():
    return run_program(FRICIDD, "--version").stdout


def built_with(library):
    return f"{library} yes" in parts_of_this_build()


# --- sound ---

def packed(values, bits):
    """Samples as WAV has them: 8 bits without a sign, "float" and "double" as they are."""
    if bits in ("float", "double"):
        return struct.pack(f"<{len(values)}{'f' if bits == 'float' else 'd'}", *values)
    codes = [round(x * 2 ** (bits - 1)) for x in values]
    if bits == 8:
        return bytes(code + 128 for code in codes)
    return b"".join((code & (2 ** bits - 1)).to_bytes(bits // 8, "little") for code in codes)


def wav(channels, bits=16, rate=RATE_HZ, code=None, sizes=None):
    frames = packed([x for frame in zip(*channels) for x in frame], bits)
    width = {"float": 32, "double": 64}.get(bits, bits) // 8
    code = code if code is not None else 3 if isinstance(bits, str) else 1
    form = struct.pack("<HHIIHH", code, len(channels), round(rate), round(rate) * width * len(channels),
                       width * len(channels), 8 * width)
    data_size = len(frames) if sizes is None else sizes
    body = b"WAVE" + b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", data_size) + frames
    return b"RIFF" + struct.pack("<I", len(body)) + body


# --- MATLAB ---

DOUBLE, SINGLE, INT16, INT64, CHAR, STRUCT = (6, 9, "d"), (7, 7, "f"), (10, 3, "h"), (14, 12, "q"), (4, 4, "H"), (2, 9, "d")


def element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def variable(name, values, shape=None, of=DOUBLE, compress=False):
    """A matrix, column by column."""
    class_code, data_code, letter = of
    shape = shape or (len(values), 1)
    matrix = element(14, element(6, struct.pack("<II", class_code, 0)) + element(5, struct.pack("<ii", *shape)) +
                     element(1, name.encode()) + element(data_code, struct.pack(f"<{len(values)}{letter}", *values)))
    if not compress:
        return matrix
    small = zlib.compress(matrix)
    return struct.pack("<II", 15, len(small)) + small


def complex_variable(name, values):
    """All of its values are real."""
    parts = element(9, struct.pack(f"<{len(values)}d", *values)) + element(9, bytes(8 * len(values)))
    return element(14, element(6, struct.pack("<II", 6 | 0x800, 0)) + element(5, struct.pack("<ii", len(values), 1)) +
                   element(1, name.encode()) + parts)


def mat(*variables):
    return b"MATLAB 5.0 MAT-file, written by a test".ljust(124) + struct.pack("<H", 0x0100) + b"IM" + b"".join(variables)


T, X = variable("t", TIMES), variable("lvdt_mm", POSITIONS)
PLAIN = "time_s,lvdt_mm\n" + "".join(f"{t:.3f},{x:.6f}\n" for t, x in zip(TIMES, POSITIONS))
COUNT = len(TIMES)
CUT = mat(T, X)[:-100]

# What it is, the library, the file, the options, what is said, channel and unit, and a share of the figures.
ALIKE = [
    ("16 bit", "sndfile", wav([SHARES]), (), "WAV, 16 bit, 500 rows a second", ("channel1", "full scale"), 3e-4),
    ("8 bit", "sndfile", wav([SHARES], 8), (), "WAV, 8 bit", ("channel1", "full scale"), 1e-1),
    ("24 bit", "sndfile", wav([SHARES], 24), (), "WAV, 24 bit", ("channel1", "full scale"), 1e-5),
    ("32 bit", "sndfile", wav([SHARES], 32), (), "WAV, 32 bit", ("channel1", "full scale"), 1e-5),
    ("floating point", "sndfile", wav([SHARES], "float"), (), "WAV, float", ("channel1", "full scale"), 1e-5),
    ("double", "sndfile", wav([SHARES], "double"), (), "WAV, double", ("channel1", "full scale"), 1e-5),
    ("the second of two channels", "sndfile", wav([[0.0] * COUNT, SHARES], 24), ("--columns", "channel2"), "WAV, 24 bit",
     ("channel2", "full scale"), 1e-5),
    ("the second by its number", "sndfile", wav([[0.0] * COUNT, SHARES], 24), ("--columns", "2"), "WAV",
     ("channel2", "full scale"), 1e-5),
    ("another rate than the file says", "sndfile", wav([SHARES], 24, 44100), ("--rate", "500"), "500 rows a second",
     ("channel1", "full scale"), 1e-5),
    ("a file whose end is missing", "sndfile", wav([SHARES], 24, sizes=2 ** 31), (), "its end is missing",
     ("channel1", "full scale"), 1e-5),
    ("packed sound", "sndfile", gzip.compress(wav([SHARES], 24)), (), "gzip, WAV, 24 bit", ("channel1", "full scale"), 1e-5),
    ("vectors in a packed file", "matio", gzip.compress(mat(T, X)), (), "gzip, MATLAB, time in s", ("lvdt", "mm"), 1e-5),
    ("two vectors", "matio", mat(T, X), (), "MATLAB, time in s", ("lvdt", "mm"), 1e-5),
    ("vectors that are packed", "matio", mat(variable("t", TIMES, compress=True),
                                             variable("lvdt_mm", POSITIONS, compress=True)), (), "MATLAB", ("lvdt", "mm"),
     1e-5),
    ("the time behind", "matio", mat(X, T), (), "MATLAB, time in s", ("lvdt", "mm"), 1e-5),
    ("rows instead of columns", "matio", mat(variable("t", TIMES, (1, COUNT)), variable("lvdt_mm", POSITIONS, (1, COUNT))),
     (), "MATLAB", ("lvdt", "mm"), 1e-5),
    ("milliseconds", "matio", mat(variable("t_ms", [1e3 * t for t in TIMES]), X), (), "time in ms", ("lvdt", "mm"), 1e-5),
    ("nanoseconds since 1970", "matio", mat(variable("t_ns", [1715983198123456789 + round(1e9 * t) for t in TIMES], of=INT64), X), (),
     "time in ns since 1970, from the first row", ("lvdt", "mm"), 1e-6),
    ("seconds since 1970", "matio", mat(variable("t", [1715983198.125 + t for t in TIMES]), X), (),
     "time in s .assumed. since 1970, from the first row", ("lvdt", "mm"), 1e-4),
    ("settings and text beside", "matio", mat(variable("Fs", [500.0]), variable("note", [104, 105], (1, 2), CHAR), T, X), (),
     "without 1 variables that are no vectors", ("lvdt", "mm"), 1e-5),
    ("other lengths beside", "matio", mat(variable("window", [0.5] * 64), T, X), (),
     r"MATLAB, left out: window \(64 values\)", ("lvdt", "mm"), 1e-5),
    ("single precision", "matio", mat(variable("t", TIMES, of=SINGLE), variable("lvdt_mm", POSITIONS, of=SINGLE)), (),
     "MATLAB", ("lvdt", "mm"), 1e-5),
    ("a matrix", "matio", mat(variable("run", TIMES + POSITIONS, (COUNT, 2))),
     ("--columns", "run 1,run 2", "--time-unit", "s"), "MATLAB", ("run 2", "1"), 1e-5),
    ("whole numbers and a rate", "matio", mat(variable("lvdt_um", [round(1e3 * x) for x in POSITIONS], of=INT16)),
     ("--rate", "500"), "MATLAB, 500 rows a second", ("lvdt", "um"), 1e-3),
]

NAN = POSITIONS[:100] + [float("nan")] + POSITIONS[101:]
REFUSED = [
    ("compressed sound", "sndfile", wav([SHARES], 8, code=7), (), "compressed sound"),
    ("no channels", "sndfile", wav([SHARES])[:22] + b"\0\0" + wav([SHARES])[24:], (), "WAV file"),
    ("a header alone", "sndfile", wav([[]]), (), "has no column of numbers: channel1 (0)"),
    ("times that stand still", "matio", mat(variable("t", [t - t % 0.008 for t in TIMES]), X), (), "say so with --rate mean"),
    ("times that go back, beside a rate", "matio", mat(variable("t", TIMES[::-1]), X), ("--rate", "500"),
     "row 2: the first column goes back"),
    ("milliseconds called time", "matio", mat(variable("t", [1e3 * t for t in TIMES]), X), (),
     "in seconds its rows would be 2 s apart"),
    ("a channel that is not there", "sndfile", wav([SHARES]), ("--columns", "channel2"), "channel1 ("),
    ("not a number in sound", "sndfile", wav([NAN], "double"), (), "row 101: the value of channel1 is not a number"),
    ("sound by semicolons", "sndfile", wav([SHARES]), ("--delimiter", "semicolon"), "is no text"),
    ("a calibration of two channels", "sndfile", wav([SHARES, SHARES]), ("--calibration", "16 mm"),
     "does not say of which channel it is, as in 'NAME=[0.0, 2.5] mm': its channels are channel1, channel2"),
    ("a calibration of another channel", "sndfile", wav([SHARES]), ("--calibration", "lvdt=16 mm"), "channels are channel1"),
    ("two calibrations", "sndfile", wav([SHARES]), ("--calibration", "16 mm", "--calibration", "channel1=2 mm"), "told twice"),
    ("a calibration without a unit", "sndfile", wav([SHARES]), ("--calibration", "[0, 16]"), "coefficients, of which one behind the first is not 0"),
    ("a calibration without a slope", "sndfile", wav([SHARES]), ("--calibration", "[16] mm"), "coefficients, of which one behind the first is not 0"),
    ("a packed file of MATLAB that is cut", "matio", gzip.compress(CUT), (), "cut"),
    ("a packed WAV file that is cut", "zlib", gzip.compress(wav([SHARES]))[:-100], (), "unpacked"),
    ("not a number", "matio", mat(T, variable("lvdt_mm", NAN)), (), "row 101: the value of lvdt is not a number"),
    ("a time that stands still", "matio", mat(variable("t", TIMES[:9] + [TIMES[8]] + TIMES[10:]), X), (),
     "row 10: the time does not increase"),
    ("no time", "matio", mat(X, variable("force_n", POSITIONS)), (), "--columns"),
    ("two times", "matio", mat(T, variable("time_ms", TIMES), X), (), "more than one time: t ("),
    ("several lengths without a time", "matio", mat(X, variable("window", [0.5] * 64)), (), f"lvdt_mm ({COUNT}), window (64)"),
    ("columns of several lengths", "matio", mat(T, X, variable("window", [0.5] * 64)), ("--columns", "t,window"),
     "several lengths"),
    ("a struct", "matio", mat(variable("s", [], (0, 0), STRUCT)), (), "t = s.t"),
    ("rows for columns", "matio", mat(variable("data", [y for row in zip(TIMES, POSITIONS) for y in row], (2, COUNT))), (), "data = data.'"),
    ("complex samples", "matio", mat(T, complex_variable("x", POSITIONS)), (), "without x, which is of complex numbers"),
    ("complex samples alone", "matio", mat(complex_variable("x", POSITIONS)), (), "x = real(x)"),
    ("a time alone", "matio", mat(T), (), f"no channel stands beside its time: t ({COUNT})"),
    ("an empty file of MATLAB", "matio", mat(), (), "without variables"),
    ("a file of MATLAB that is cut", "matio", CUT, (), "cut"),
    ("more numbers than there can be", "matio", mat(variable("t", TIMES, (2 ** 31 - 1, 2 ** 31 - 1))), (), "MATLAB"),
    ("an HDF5 file that is cut", "hdf5", b"\x89HDF\r\n\x1a\n" + bytes(100), (), "HDF5"),
]


def figures(result):
    return [result["fit"][name]["value"] for name in ("f_n_hz", "zeta")]


class NumberFileTest(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def file(self, content, name="run.csv"):
        """The name says nothing: the first bytes count."""
        return self.scratch.write(name, content)

    def test_the_same_decay_as_in_text(self):
        (plain,) = offline(self.file(PLAIN)).results
        for name, library, content, options, said, column, share in ALIKE:
            with self.subTest(name):
                done = offline(*options, self.file(content))
                if not built_with(library):
                    self.assertEqual(done.returncode, 2)
                    self.assertIn("fricid was built without", done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, f"run.csv: read as: .*{said}")
                (result,) = [result for result in done.results if result["verdict"] == "ok"]
                self.assertEqual((result["channel"], result["units"]["displacement"]), column)
                for value, expected in zip(figures(result), figures(plain)):
                    self.assertAlmostEqual(value / expected, 1, delta=share)

    def test_a_calibration_makes_displacements(self):
        """Of volts, counts or parts of a full scale; with the resolution that the file tells."""
        volts = "t_s;x_V;y_V\n" + "".join(f"{t:.3f};{x / 2.5 - 2:.6f};{x:.6f}\n" for t, x in zip(TIMES, POSITIONS))
        counts = mat(T, variable("lvdt", [round(100 * x) for x in POSITIONS], of=INT16))
        cases = [
            ("sndfile", wav([SHARES], 24), ["[0.1, 16.000000000000004] mm"],
             "channel1 by [0.1, 16.000000000000004] in mm", 2 ** -23 * FULL_SCALE_MM),
            ("sndfile", wav([SHARES], 24), ["16mm"], "channel1 by [0, 16] in mm", 2 ** -23 * FULL_SCALE_MM),
            ("zlib", volts, ["x = [5, 2.5] mm", "y=[0, 1] mm"], "time in s, x by [5, 2.5] in mm, y by [0, 1] in mm", None),
            ("matio", counts, ["lvdt=[0, 0.01, 0] mm"], "lvdt by [0, 0.01, 0] in mm", 0.01),
        ]
        (plain,) = offline(self.file(PLAIN)).results
        for library, content, texts, said, resolution in cases:
            with self.subTest(said):
                if not built_with(library):
                    continue
                options = [word for text in texts for word in ("--calibration", text)]
                done = offline(*options, self.file(content.encode() if isinstance(content, str) else content))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(len(done.results), len(texts))
                for result in done.results:
                    self.assertTrue(result["record"]["read_as"].endswith(said), result["record"]["read_as"])
                    self.assertEqual(result["units"]["displacement"], "mm")
                    self.assertAlmostEqual(result["fit"]["x_k"]["value"] / plain["fit"]["x_k"]["value"], 1, delta=1e-2)
                    self.assertAlmostEqual(result["record"]["resolution"] or 0, resolution or 0, delta=1e-12)

    def test_what_cannot_be_read_is_refused(self):
        for name, library, content, options, words in REFUSED:
            with self.subTest(name):
                done = offline(*options, self.file(content))
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(words if built_with(library) else "fricid was built without", done.stderr)

    def test_a_library_that_cannot_be_loaded(self):
        """Only who has such a file is told of it: the loader finds a text under the library's name first."""
        files = {"sndfile": wav([SHARES], 24), "matio": mat(T, X), "hdf5": b"\x89HDF\r\n\x1a\n" + bytes(100)}
        for part, content in files.items():
            if not built_with(part):
                continue
            name = re.search(rb"lib%s[\w-]*\.so[.\d]*" % part.encode(), Path(FRICIDD).read_bytes()).group().decode()
            self.scratch.write(name, "no library\n")
            environment = {"LD_LIBRARY_PATH": str(self.scratch.path)}
            done = offline(self.file(content), environment=environment)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, f"needs a library that cannot be loaded: .*{name}")
            self.assertEqual(len(offline(self.file(PLAIN), environment=environment).results), 1)

    def test_a_file_that_is_cut_says_so(self):
        dice, sound, matlab = random.Random(3), wav([SHARES, SHARES], 24), mat(T, X)
        for _ in range(10):
            done = offline(self.file(sound[:dice.randrange(100, len(sound) - 6)]))
            self.assertIn("its end is missing" if built_with("sndfile") else "without libsndfile", done.stderr)
            done = offline(self.file(matlab[:dice.randrange(200, len(matlab))]))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, "cut|without libmatio")

    def test_a_rig_and_fricidctl_read_sound(self):
        if not built_with("sndfile"):
            self.skipTest("this build reads no WAV files")
        path = self.file(wav([SHARES], 24), "run.wav")
        with Daemon(rigs=recording_rig(path)) as daemon:
            (of_rig,) = daemon.wait_for_results(1)
            self.assertEqual(of_rig["verdict"], "ok")
            done = daemon.fricidctl("identify", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("read as: WAV, 24 bit, 500 rows a second", done.stderr)
            self.assertIn("full scale", done.stdout)
            done = daemon.fricidctl("identify", "--json", "--calibration", "[0, 16] mm", path)
            (result,) = json.loads(done.stdout)["results"]
            self.assertEqual(result["units"]["displacement"], "mm")
            self.assertEqual(result["record"]["read_as"], "WAV, 24 bit, 500 rows a second, channel1 by [0, 16] in mm")
            done = daemon.fricidctl("identify", "--calibration", "mm", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--calibration wants coefficients, of which one behind the first is not 0", done.stderr)


if __name__ == "__main__":
    main()
