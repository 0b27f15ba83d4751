# SPDX-License-Identifier: GPL-3.0-or-later
"""How every test file in Python ends."""

import sys
import unittest

from fricid_harness import SLOWNESS, THINNING


class Loader(unittest.TestLoader):
    """Under a sanitizer, with TEST_THINNING = n, takes every n-th test of each class, by their names, and none of a class
    that says calculates_for_long; never of those asked for by their names."""

    def getTestCaseNames(self, case):
        names = super().getTestCaseNames(case)
        if SLOWNESS == 1 or THINNING == 1 or self.testNamePatterns:
            return names
        return [] if getattr(case, "calculates_for_long", False) else names[::THINNING]


def main():
    """Runs the tests of the calling file; exits with 77 when some were skipped and none failed."""
    runner = unittest.TextTestRunner(sys.stdout, verbosity=2)
    program = unittest.main(module="__main__", exit=False, testRunner=runner, testLoader=Loader())
    if not program.result.wasSuccessful() or program.result.testsRun == 0:
        sys.exit(1)
    sys.exit(77 if program.result.skipped else 0)
