# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/service/backend.h \
	daemon/service/result_json.h \
	daemon/service/service.h
