# SPDX-License-Identifier: GPL-3.0-or-later
# What segment/, identify/ and the client's picture know of the motion: headers alone.
EXTRA_DIST += daemon/motion/half_cycle_law.h daemon/motion/small_cholesky.h

check_PROGRAMS += tests/unit/test_small_cholesky
TESTS += tests/unit/test_small_cholesky
tests_unit_test_small_cholesky_SOURCES = tests/unit/test_small_cholesky.c
tests_unit_test_small_cholesky_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_small_cholesky_LDADD = $(GSL_LIBS) $(CHECK_LIBS)
