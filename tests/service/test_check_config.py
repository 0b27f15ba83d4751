# SPDX-License-Identifier: GPL-3.0-or-later
"""What fricidd --check-config says, where, and with which exit status."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from run_tests import main

SOURCE = Path(os.environ.get("TOP_SRCDIR", Path(__file__).resolve().parents[2]))
FRICIDD = os.environ.get("FRICIDD", str(SOURCE / "build" / "fricidd"))
LAUNCHER = os.environ.get("TEST_LAUNCHER", "").split()
RECORDING = SOURCE / "tests" / "data" / "bearing_three_releases.csv"


def check(path):
    return subprocess.run([*LAUNCHER, FRICIDD, "--check-config", "--config", str(path)], capture_output=True, text=True,
                          timeout=120, check=False)


class CheckConfig(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "test.conf"

    def refused(self, path, said):
        done = check(path)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, said)
        return done.stderr.splitlines()

    def accepted(self, path):
        done = check(path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_is_shipped(self):
        self.accepted(SOURCE / "etc" / "fricid.conf")
        self.accepted(SOURCE / "etc" / "simulated.conf")

    def test_everything_switched_on(self):
        text = (SOURCE / "etc" / "fricid.conf").read_text(encoding="utf-8")
        text = re.sub("^#", "", text, flags=re.MULTILINE)
        self.file.write_text(text.replace("../tests/data/bearing_three_releases.csv", str(RECORDING)), encoding="utf-8")
        self.accepted(self.file)

    def test_an_empty_file(self):
        self.file.touch()
        self.accepted(self.file)

    def test_every_mistake_on_a_line_of_its_own(self):
        path = SOURCE / "tests" / "data" / "config" / "every_mistake.conf"
        lines = path.read_text(encoding="utf-8").splitlines()
        wrong = [number for number, line in enumerate(lines, 1) if "# wrong: " in line]
        said = self.refused(path, "zeta")
        self.assertEqual([int(line[len(str(path)):].split(":")[1]) for line in said], wrong)

    def test_the_first_syntax_error(self):
        self.file.write_text("segment:\n{\n  start_below = 1,5;\n};\nservice = ;\n", encoding="utf-8")
        said = self.refused(self.file, rf"^{re.escape(str(self.file))}:3: syntax error")
        self.assertEqual(len(said), 1)

    def test_no_configuration_at_all(self):
        self.refused(self.file, "No such file")
        self.refused(self.file.parent, "is a folder")
        self.refused(FRICIDD, "is it really a configuration file")

    def test_a_daemon_does_not_start_with_a_mistake(self):
        self.file.write_text("segment: { min_half_cycles = 1; };\n", encoding="utf-8")
        done = subprocess.run([*LAUNCHER, FRICIDD, "--config", str(self.file)], capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"{self.file}:1: `min_half_cycles` is 1", done.stderr)


if __name__ == "__main__":
    main()
