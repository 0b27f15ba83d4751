# SPDX-License-Identifier: GPL-3.0-or-later
# What is kept of decays and results.
libdaemon_a_SOURCES += \
	daemon/store/database.c daemon/store/database.h \
	daemon/store/kept.c daemon/store/kept.h \
	daemon/store/query.c daemon/store/query.h \
	daemon/store/read_decay.c daemon/store/read_decay.h \
	daemon/store/sample_codec.c daemon/store/sample_codec.h \
	daemon/store/schema.c daemon/store/schema.h \
	daemon/store/store.c daemon/store/store.h \
	daemon/store/store_care.c \
	daemon/store/store_get.c \
	daemon/store/store_put.c \
	daemon/store/store_repair.c \
	daemon/store/store_state.h \
	daemon/store/text_list.c daemon/store/text_list.h
