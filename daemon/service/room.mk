# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/service/backend.c daemon/service/backend.h \
	daemon/service/event_json.c daemon/service/event_json.h \
	daemon/service/exchange.c daemon/service/exchange.h \
	daemon/service/history.c daemon/service/history.h \
	daemon/service/json_value.c daemon/service/json_value.h \
	daemon/service/methods.c daemon/service/methods.h \
	daemon/service/methods_daemon.c \
	daemon/service/methods_identify.c \
	daemon/service/methods_results.c \
	daemon/service/methods_topics.c \
	daemon/service/notice.c daemon/service/notice.h \
	daemon/service/outbox.c daemon/service/outbox.h \
	daemon/service/parameters.c daemon/service/parameters.h \
	daemon/service/peer_rights.c daemon/service/peer_rights.h \
	daemon/service/result_json.c daemon/service/result_json.h \
	daemon/service/section_json.c daemon/service/section_json.h \
	daemon/service/service.c daemon/service/service.h \
	daemon/service/service_socket.c daemon/service/service_socket.h \
	daemon/service/service_state.h \
	daemon/service/session.c daemon/service/session.h \
	daemon/service/status_json.c daemon/service/status_json.h \
	daemon/service/topic.h \
	daemon/service/upload.c daemon/service/upload.h
