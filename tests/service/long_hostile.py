#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hostile clients of test_hostile.py, long enough for the daemon to lose patience with those that do not read."""

import os
import sys

os.environ["FRICID_HOSTILE_S"] = "45"
sys.argv = [sys.argv[0], "Everything"]

from test_hostile import *  # noqa: E402, F403 (the duration is read when the tests are)
from run_tests import main  # noqa: E402

if __name__ == "__main__":
    main()
