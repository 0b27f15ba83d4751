# SPDX-License-Identifier: GPL-3.0-or-later
# What segment/, identify/ and the client's picture know of the motion: headers alone.
EXTRA_DIST += daemon/motion/half_cycle_law.h daemon/motion/lanes.h daemon/motion/loops.h daemon/motion/sampling_pace.h daemon/motion/small_cholesky.h daemon/motion/zigzag.h
# Instructions that files of loops are compiled for, by the lanes of their vectors: see lanes.h.
lanes_2_cflags =
lanes_4_cflags = -mavx2 -mfma
lanes_8_cflags = $(lanes_4_cflags) -mavx512f -mavx512dq -mavx512vl

check_PROGRAMS += tests/unit/test_small_cholesky
TESTS += tests/unit/test_small_cholesky
tests_unit_test_small_cholesky_SOURCES = tests/unit/test_small_cholesky.c
tests_unit_test_small_cholesky_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_small_cholesky_LDADD = $(GSL_LIBS) $(CHECK_LIBS)
