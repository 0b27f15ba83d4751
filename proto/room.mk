# SPDX-License-Identifier: GPL-3.0-or-later
# What daemon and client share.
noinst_LIBRARIES += libproto.a
libproto_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
libproto_a_SOURCES = \
	proto/address.h \
	proto/complaint.c proto/complaint.h \
	proto/recording.h
