# SPDX-License-Identifier: GPL-3.0-or-later
# fricid-repair: a store of what can be read of damaged ones.
sbin_PROGRAMS += fricid-repair
fricid_repair_SOURCES = daemon/repair/main.c
fricid_repair_CPPFLAGS = $(libdaemon_a_CPPFLAGS)
fricid_repair_LDADD = $(DAEMON_LIBS)

dist_man_MANS += daemon/repair/fricid-repair.8
