# SPDX-License-Identifier: GPL-3.0-or-later
# One rig, from its source to the decays that its segmenters find.
libdaemon_a_SOURCES += \
	daemon/rig/drop_reports.c daemon/rig/drop_reports.h \
	daemon/rig/rig.c daemon/rig/rig.h \
	daemon/rig/rig_loops.c daemon/rig/rig_ring_downs.c \
	daemon/rig/rig_decays.c daemon/rig/rig_signals.c daemon/rig/rig_state.c daemon/rig/rig_state.h \
	daemon/rig/rig_stream.c \
	daemon/rig/rig_set.c daemon/rig/rig_set.h \
	daemon/rig/signal_meter.c daemon/rig/signal_meter.h

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_rig tests/unit/test_signal_meter
TESTS += tests/unit/test_rig tests/unit/test_signal_meter
endif
tests_unit_test_rig_SOURCES = tests/unit/test_rig.c tests/unit/closed_form_decay.h
tests_unit_test_rig_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_rig_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=simulated_rig_create -Wl,--wrap=calloc
tests_unit_test_rig_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_signal_meter_SOURCES = tests/unit/test_signal_meter.c
tests_unit_test_signal_meter_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_signal_meter_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
