# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/service/backend.h \
	daemon/service/json_value.c daemon/service/json_value.h \
	daemon/service/result_json.c daemon/service/result_json.h \
	daemon/service/section_json.c daemon/service/section_json.h \
	daemon/service/service.h
