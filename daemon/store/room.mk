# SPDX-License-Identifier: GPL-3.0-or-later
# What is kept of decays and results.
libdaemon_a_SOURCES += \
	daemon/store/kept.c daemon/store/kept.h \
	daemon/store/memory_store.c \
	daemon/store/store.h
