# SPDX-License-Identifier: GPL-3.0-or-later
# The science: records in, identifications out. A library of its own.
noinst_LIBRARIES += libidentify.a
libidentify_a_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS)
libidentify_a_SOURCES = \
	daemon/identify/decay_model.c \
	daemon/identify/decay_model.h \
	daemon/identify/decrement.c \
	daemon/identify/decrement.h \
	daemon/identify/estimate.h \
	daemon/identify/extrema_fit.c \
	daemon/identify/extrema_fit.h \
	daemon/identify/extremum.c \
	daemon/identify/extremum.h \
	daemon/identify/full_record_fit.h \
	daemon/identify/identify.h \
	daemon/identify/normal_equations.c \
	daemon/identify/normal_equations.h \
	daemon/identify/physical.c \
	daemon/identify/physical.h \
	daemon/identify/record.h \
	daemon/identify/static_friction.c \
	daemon/identify/static_friction.h \
	daemon/identify/turning_points.c \
	daemon/identify/turning_points.h \
	daemon/identify/verdict.c

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_decay_model
TESTS += tests/unit/test_decay_model
tests_unit_test_decay_model_SOURCES = tests/unit/test_decay_model.c
tests_unit_test_decay_model_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_decay_model_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
endif
