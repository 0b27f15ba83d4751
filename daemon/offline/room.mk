# SPDX-License-Identifier: GPL-3.0-or-later
# Recordings and tables in, results out.
libdaemon_a_SOURCES += \
	daemon/offline/file_runs.c daemon/offline/file_runs.h \
	daemon/offline/offline.c daemon/offline/offline.h \
	daemon/offline/recording_input.c daemon/offline/recording_input.h
