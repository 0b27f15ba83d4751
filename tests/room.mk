# SPDX-License-Identifier: GPL-3.0-or-later
# Unit tests are described by the room that they test; this file holds what all of them share and the service tests.
EXTRA_DIST += tests/unit/run_suite.h
UNIT_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit $(CHECK_CFLAGS) $(GSL_CFLAGS) $(JANSSON_CFLAGS) \
	$(LIBEVENT_CFLAGS) -DTEST_DATA='"$(abs_top_srcdir)/tests/data"' -DSHARED_DATA='"$(abs_top_srcdir)/../shared/data"'
