# SPDX-License-Identifier: GPL-3.0-or-later
# Identifications as JSON and text.
libdaemon_a_SOURCES += \
	daemon/report/classical_json.c daemon/report/classical_json.h \
	daemon/report/compare_results.c daemon/report/compare_results.h \
	daemon/report/judgement_json.c daemon/report/judgement_json.h \
	daemon/report/restitution_json.c daemon/report/restitution_json.h \
	daemon/report/result_json.c daemon/report/result_json.h \
	daemon/report/result_text.c daemon/report/result_text.h \
	daemon/report/section_json.c daemon/report/section_json.h

made_result = tests/unit/made_result.c tests/unit/made_result.h
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_result_json
TESTS += tests/unit/test_result_json
tests_unit_test_result_json_SOURCES = tests/unit/test_result_json.c $(made_result)
tests_unit_test_result_json_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_result_json_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
endif
