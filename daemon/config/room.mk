# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/config/config_arena.c daemon/config/config_arena.h \
	daemon/config/config_reader.c daemon/config/config_reader.h \
	daemon/config/config_text.c daemon/config/config_text.h \
	daemon/config/configuration.c daemon/config/configuration.h \
	daemon/config/read_channels.c \
	daemon/config/read_file.c daemon/config/read_file.h \
	daemon/config/read_physical.c \
	daemon/config/read_rig.c \
	daemon/config/read_segment.c \
	daemon/config/read_service.c \
	daemon/config/read_source.c \
	daemon/config/sections.h \
	daemon/config/suggestion.c daemon/config/suggestion.h
