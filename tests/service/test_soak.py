# SPDX-License-Identifier: GPL-3.0-or-later
"""A short soak: what months do to the daemon, in minutes of virtual time and near the ends of its counters."""

import unittest

from fricid_harness import PATIENCE_S, SLOWNESS, seconds
from run_tests import main
from soak import soak

# Hours of virtual time; a sanitizer makes the daemon slow.
HOURS = 0.2 if SLOWNESS == 1 else 0.05


class Soak(unittest.TestCase):
    def test_from_the_beginning(self):
        print(soak(HOURS, limit_s=seconds(PATIENCE_S)))

    def test_over_32_bits(self):
        print(soak(HOURS / 4, first_scan=2**32 - 30000, first_number=2**32 - 20, limit_s=seconds(PATIENCE_S)))

    def test_over_53_bits(self):
        print(soak(HOURS / 4, first_scan=2**53 - 30000, first_number=2**53 - 5000, limit_s=seconds(PATIENCE_S)))

    def test_a_counter_of_a_few_bits(self):
        """10 bits are 4.5 mm: the encoder's counter wraps around in nearly every half cycle."""
        print(soak(HOURS / 4, counter_bits=10, limit_s=seconds(PATIENCE_S)))


if __name__ == "__main__":
    main()
