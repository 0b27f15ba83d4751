# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/segment/candidate.c \
	daemon/segment/candidate.h \
	daemon/segment/consistency.c \
	daemon/segment/consistency.h \
	daemon/segment/cutting.c \
	daemon/segment/cutting.h \
	daemon/segment/decay.c \
	daemon/segment/decay.h \
	daemon/segment/decay_finder.c \
	daemon/segment/decay_finder.h \
	daemon/segment/decay_law.c \
	daemon/segment/decay_law.h \
	daemon/segment/half_cycle.c \
	daemon/segment/half_cycle.h \
	daemon/segment/names.c \
	daemon/segment/noise_floor.c \
	daemon/segment/noise_floor.h \
	daemon/segment/release.c \
	daemon/segment/release.h \
	daemon/segment/sample_history.c \
	daemon/segment/sample_history.h \
	daemon/segment/scan_block.h \
	daemon/segment/segmenter.c \
	daemon/segment/segmenter.h \
	daemon/segment/spikes.c \
	daemon/segment/spikes.h \
	daemon/segment/surroundings.c \
	daemon/segment/surroundings.h \
	daemon/segment/turning_points.c \
	daemon/segment/turning_points.h

EXTRA_DIST += tests/unit/stream_generator.h tests/unit/segment_harness.h
stream_generator = tests/unit/stream_generator.c tests/unit/segment_harness.c

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_segmenter
TESTS += tests/unit/test_segmenter
tests_unit_test_segmenter_SOURCES = tests/unit/test_segmenter.c $(stream_generator)
tests_unit_test_segmenter_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_segmenter_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
endif
