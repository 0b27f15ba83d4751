# SPDX-License-Identifier: GPL-3.0-or-later
# Recordings and files of bounces in, results out.
libdaemon_a_SOURCES += \
	daemon/offline/bounces.c daemon/offline/bounces.h \
	daemon/offline/file_runs.c daemon/offline/file_runs.h \
	daemon/offline/offline.c daemon/offline/offline.h \
	daemon/offline/recording_input.c daemon/offline/recording_input.h

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_restitution
TESTS += tests/unit/test_restitution
endif
tests_unit_test_restitution_SOURCES = tests/unit/test_restitution.c
tests_unit_test_restitution_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_restitution_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
