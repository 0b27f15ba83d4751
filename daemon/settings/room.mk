# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/settings/config_arena.c daemon/settings/config_arena.h \
	daemon/settings/config_complaints.c daemon/settings/config_complaints.h \
	daemon/settings/config_reader.c daemon/settings/config_reader.h \
	daemon/settings/config_text.c daemon/settings/config_text.h \
	daemon/settings/read_file.c daemon/settings/read_file.h
