# SPDX-License-Identifier: GPL-3.0-or-later
# fricidctl: a thin client.
bin_PROGRAMS += fricidctl
fricidctl_SOURCES = client/main.c
fricidctl_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(LIBEVENT_CFLAGS)
fricidctl_LDADD = $(PROTO_LIBS)
