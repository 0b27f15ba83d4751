# SPDX-License-Identifier: GPL-3.0-or-later
# What fricid asks of and tells the machine: its clocks, its journal, its service manager.
libdaemon_a_SOURCES += \
	daemon/system/clock_anchor.c daemon/system/clock_anchor.h \
	daemon/system/log.c daemon/system/log.h \
	daemon/system/log_entry.c daemon/system/log_entry.h daemon/system/log_message.h \
	daemon/system/log_ids.c daemon/system/log_ids.h \
	daemon/system/systemd.c daemon/system/systemd.h \
	daemon/system/watchdog.c daemon/system/watchdog.h

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_journal
TESTS += tests/unit/test_journal
endif
tests_unit_test_journal_SOURCES = tests/unit/test_journal.c
tests_unit_test_journal_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_journal_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sd_journal_sendv -Wl,--wrap=systemd_notify \
	-Wl,--wrap=systemd_watchdog_s
tests_unit_test_journal_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
