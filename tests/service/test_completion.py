# SPDX-License-Identifier: GPL-3.0-or-later
"""What bash offers behind fricidctl and fricidd when Tab is pressed."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from run_tests import main

SOURCE = Path(os.environ.get("TOP_SRCDIR", Path(__file__).resolve().parents[2]))
FRICIDCTL = os.environ.get("FRICIDCTL", str(SOURCE / "build" / "fricidctl"))

SCRIPT = """
set -u
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMPREPLY=()
"_$1" || true
printf '%s\\n' "${COMPREPLY[@]}"
"""


def offered(*words, directory="/"):
    script = SOURCE / "etc" / "bash-completion" / words[0]
    done = subprocess.run(["bash", "-c", SCRIPT, "bash", str(script), *words], capture_output=True, text=True,
                          cwd=directory, check=True, timeout=60)
    assert not done.stderr, done.stderr
    return set(done.stdout.split())


class Completion(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(offered("fricidctl", ""), {"status", "results", "show", "watch", "identify", "version"})
        self.assertEqual(offered("fricidctl", "--json", "s"), {"status", "show"})

    def test_options_of_a_command(self):
        self.assertEqual(offered("fricidctl", "show", "--i"), {"--intervals"})
        self.assertIn("--limit", offered("fricidctl", "results", "--rig", "bearing", "--"))
        self.assertNotIn("--whole", offered("fricidctl", "status", "--"))
        self.assertEqual(offered("fricidctl", "results", "--limit", ""), set())

    def test_every_option_that_the_help_names(self):
        text = subprocess.run([FRICIDCTL, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
        commands = re.findall(r"^  ([a-z]+)(.*)$", text, re.MULTILINE)
        self.assertEqual(len(commands), 6)
        for name, arguments in commands:
            self.assertLessEqual(set(re.findall(r"--[a-z-]+", arguments)), offered("fricidctl", name, "--"))
        self.assertLessEqual({"--json", "--socket", "--timeout", "--help"}, offered("fricidctl", "--"))

    def test_files(self):
        with tempfile.TemporaryDirectory() as directory:
            Path(directory, "monday.csv").touch()
            self.assertEqual(offered("fricidctl", "identify", "mon", directory=directory), {"monday.csv"})
            self.assertEqual(offered("fricidd", "--offline", "mon", directory=directory), {"monday.csv"})
            self.assertEqual(offered("fricidctl", "--socket", "mon", directory=directory), {"monday.csv"})

    def test_daemon(self):
        self.assertEqual(offered("fricidd", "--c"), {"--config", "--check-config"})


if __name__ == "__main__":
    main()
