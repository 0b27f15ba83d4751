# SPDX-License-Identifier: GPL-3.0-or-later
"""How every test file in Python ends."""

import sys
import unittest

from fricid_harness import SLOWNESS, THINNING


class Loader(unittest.TestLoader):
    """Under a sanitizer, with TEST_THINNING = n, takes every n-th test of each class, by their names; never of those asked
    for by their names."""

    def getTestCaseNames(self, case):
        names = super().getTestCaseNames(case)
        return names[::THINNING] if SLOWNESS > 1 and not self.testNamePatterns else names


def main():
    """Runs the tests of the calling file; exits with 77 when some were skipped and none failed."""
    runner = unittest.TextTestRunner(sys.stdout, verbosity=2)
    program = unittest.main(module="__main__", exit=False, testRunner=runner, testLoader=Loader())
    if not program.result.wasSuccessful() or program.result.testsRun == 0:
        sys.exit(1)
    sys.exit(77 if program.result.skipped else 0)
