# SPDX-License-Identifier: GPL-3.0-or-later
# The last minutes of every channel, in memory.
libdaemon_a_SOURCES += \
	daemon/recorder/recorder.c daemon/recorder/recorder.h \
	daemon/recorder/scan_ring.c daemon/recorder/scan_ring.h

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_recorder
TESTS += tests/unit/test_recorder
tests_unit_test_recorder_SOURCES = tests/unit/test_recorder.c
tests_unit_test_recorder_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_recorder_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
endif
