# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/service/backend.c daemon/service/backend.h \
	daemon/service/configuration_json.c daemon/service/configuration_json.h \
	daemon/service/connection.c daemon/service/connection.h \
	daemon/service/event_json.c daemon/service/event_json.h \
	daemon/service/exchange.c daemon/service/exchange.h \
	daemon/service/simulation_upload.h \
	daemon/service/handed_form.c daemon/service/handed_form.h \
	daemon/service/held_uploads.c daemon/service/held_uploads.h \
	daemon/service/history.c daemon/service/history.h \
	daemon/service/identify_parameters.c daemon/service/identify_parameters.h \
	daemon/service/memory_budget.c daemon/service/memory_budget.h \
	daemon/service/methods.c daemon/service/methods.h \
	daemon/service/methods_daemon.c \
	daemon/service/methods_identify.c \
	daemon/service/methods_recorder.c \
	daemon/service/methods_results.c \
	daemon/service/methods_rigs.c \
	daemon/service/methods_simulate.c \
	daemon/service/simulate_parameters.c daemon/service/simulate_parameters.h \
	daemon/service/upload_parameters.h \
	daemon/service/devices_json.c daemon/service/devices_json.h \
	daemon/service/methods_topics.c \
	daemon/service/notice.c daemon/service/notice.h \
	daemon/service/outbox.c daemon/service/outbox.h \
	daemon/service/parameters.c daemon/service/parameters.h \
	daemon/service/peer_rights.c daemon/service/peer_rights.h \
	daemon/service/samples_json.c daemon/service/samples_json.h \
	daemon/service/service.c daemon/service/service.h \
	daemon/service/service_socket.c daemon/service/service_socket.h \
	daemon/service/service_event.h \
	daemon/service/service_state.c daemon/service/service_state.h \
	daemon/service/session.c daemon/service/session.h \
	daemon/service/session_state.c daemon/service/session_state.h \
	daemon/service/session_memory.c daemon/service/session_memory.h \
	daemon/service/shares.c daemon/service/shares.h \
	daemon/service/status_json.c daemon/service/status_json.h \
	daemon/service/topic.h \
	daemon/service/fair_queue.c daemon/service/fair_queue.h \
	daemon/service/methods_store.c \
	daemon/service/results_filter.c daemon/service/results_filter.h \
	daemon/service/subscription_state.h \
	daemon/service/subscription.c daemon/service/subscription.h \
	daemon/service/stored_answers.c daemon/service/stored_answers.h \
	daemon/service/upload.c daemon/service/upload.h daemon/service/upload_state.h \
	daemon/service/upload_marks.c daemon/service/upload_marks.h

if HAVE_CHECK
service_tests = tests/unit/test_history tests/unit/test_service \
	tests/unit/test_service_clients tests/unit/test_service_identify tests/unit/test_service_socket \
	tests/unit/test_subscription tests/unit/test_fair_queue
check_PROGRAMS += $(service_tests)
TESTS += $(service_tests)
tests_unit_test_history_SOURCES = tests/unit/test_history.c
tests_unit_test_history_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_history_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_subscription_SOURCES = tests/unit/test_subscription.c
tests_unit_test_subscription_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_subscription_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_fair_queue_SOURCES = tests/unit/test_fair_queue.c
tests_unit_test_fair_queue_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_fair_queue_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_service_SOURCES = tests/unit/test_service.c
tests_unit_test_service_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_service_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_service_clients_SOURCES = tests/unit/test_service_clients.c
tests_unit_test_service_clients_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_service_clients_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_service_identify_SOURCES = tests/unit/test_service_identify.c
tests_unit_test_service_identify_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_service_identify_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_service_socket_SOURCES = tests/unit/test_service_socket.c
tests_unit_test_service_socket_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_service_socket_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
endif

# The real daemon, its messages held against the schemas.
TESTS += tests/service/test_protocol.py
EXTRA_DIST += tests/service/test_protocol.py tests/service/schemas.py \
	tests/service/record_session.py tests/data/session-1.0.jsonl \
	tests/data/session-1.1.jsonl tests/data/session-1.2.jsonl \
	tests/data/session-1.3.jsonl
