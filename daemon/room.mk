# SPDX-License-Identifier: GPL-3.0-or-later
# fricidd: a library of everything but main, so that tests and benches link the same code.
noinst_LIBRARIES += libdaemon.a
libdaemon_a_CPPFLAGS = $(AM_CPPFLAGS) $(LIBEVENT_CFLAGS) $(JANSSON_CFLAGS) $(LIBCONFIG_CFLAGS) $(SYSTEMD_CFLAGS) \
	$(GSL_CFLAGS) -DFRICID_SYSCONFDIR='"$(sysconfdir)"'
libdaemon_a_SOURCES =

sbin_PROGRAMS += fricidd
fricidd_SOURCES = daemon/main.c
fricidd_CPPFLAGS = $(libdaemon_a_CPPFLAGS)
fricidd_LDADD = $(DAEMON_LIBS)
