# SPDX-License-Identifier: GPL-3.0-or-later
# Identifications as JSON and text. The tables are data alone, for programs that have no use for the daemon's code.
noinst_LIBRARIES += libtables.a
libtables_a_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS)
libtables_a_SOURCES = \
	daemon/identify/decay/decay_parameter.h daemon/identify/common/unit_kind.h \
	daemon/report/field.c daemon/report/field.h \
	daemon/report/fit_tables.c \
	daemon/report/judgement_tables.c \
	daemon/report/joint_tables.c \
	daemon/report/joint_view.h \
	daemon/report/ladder_tables.c \
	daemon/report/result_tables.c \
	daemon/report/ladder_view.h \
	daemon/report/result_view.h \
	daemon/report/run_tables.c daemon/report/run_view.h \
	daemon/report/table_rows.h \
	daemon/report/tables.h \
	daemon/store/results_query.c daemon/store/results_query.h \
	daemon/store/searched_figure.c daemon/store/searched_figure.h

libdaemon_a_SOURCES += \
	daemon/report/compare_results.c daemon/report/compare_results.h \
	daemon/report/result_json.c daemon/report/result_json.h \
	daemon/report/result_text.c daemon/report/result_text.h \
	daemon/report/result_view.c \
	daemon/report/joint_view.c \
	daemon/report/ladder_view.c \
	daemon/report/run_json.c daemon/report/run_json.h \
	daemon/report/section_json.c daemon/report/section_json.h \
	daemon/report/missing_fields.c daemon/report/missing_fields.h \
	daemon/report/vocabulary.c daemon/report/vocabulary.h

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_result_json
TESTS += tests/unit/test_result_json
tests_unit_test_result_json_SOURCES = tests/unit/test_result_json.c
tests_unit_test_result_json_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_result_json_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)

# Models go by JSON from a ladder to what foretells by them.
check_PROGRAMS += tests/unit/test_contact_force
TESTS += tests/unit/test_contact_force
tests_unit_test_contact_force_SOURCES = tests/unit/test_contact_force.c
tests_unit_test_contact_force_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_contact_force_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
endif
