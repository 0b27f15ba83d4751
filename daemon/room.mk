# SPDX-License-Identifier: GPL-3.0-or-later
# fricidd: a library of everything but main, so that tests and benches link the same code.
noinst_LIBRARIES += libdaemon.a
libdaemon_a_CPPFLAGS = $(AM_CPPFLAGS) $(LIBEVENT_CFLAGS) $(JANSSON_CFLAGS) $(LIBCONFIG_CFLAGS) $(SYSTEMD_CFLAGS) \
	$(SQLITE_CFLAGS) $(GSL_CFLAGS) $(COMEDI_CFLAGS) -DFRICID_SYSCONFDIR='"$(sysconfdir)"'
libdaemon_a_SOURCES = \
	daemon/configurations.c daemon/configurations.h \
	daemon/daemon_connections.c daemon/daemon_state.h \
	daemon/devices.c daemon/devices.h \
	daemon/options.c daemon/options.h \
	daemon/reload.c daemon/reload.h \
	daemon/reload_report.c daemon/reload_report.h \
	daemon/serve.c daemon/serve.h

EXTRA_DIST += daemon/README.md
dist_man_MANS += daemon/fricidd.8

sbin_PROGRAMS += fricidd
fricidd_SOURCES = daemon/main.c
fricidd_CPPFLAGS = $(libdaemon_a_CPPFLAGS)
fricidd_LDADD = $(DAEMON_LIBS)

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_reload
TESTS += tests/unit/test_reload
endif
tests_unit_test_reload_SOURCES = tests/unit/test_reload.c
tests_unit_test_reload_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_reload_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=configuration_load
tests_unit_test_reload_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
