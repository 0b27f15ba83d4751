# SPDX-License-Identifier: GPL-3.0-or-later
# What records are of; among the tables, for fricidctl reads and shows such records, too.
libtables_a_SOURCES += \
	daemon/report/kinds/bounces.c \
	daemon/report/kinds/curve.c \
	daemon/report/kinds/contact_check.c daemon/report/kinds/contact_check.h \
	daemon/report/kinds/contact_json.c daemon/report/kinds/contact_json.h \
	daemon/report/kinds/contact_task.c daemon/report/kinds/contact_task.h \
	daemon/report/kinds/simulation_json.c daemon/report/kinds/simulation_json.h \
	daemon/report/kinds/ring_down_backbone.c daemon/report/kinds/ring_down_backbone.h \
	daemon/report/kinds/ring_down_lines.c daemon/report/kinds/ring_down_lines.h \
	daemon/report/kinds/ring_down_simulation.c daemon/report/kinds/ring_down_simulation.h \
	daemon/report/kinds/friction_tables.c daemon/report/kinds/friction_tables.h daemon/report/kinds/loop_tables.h \
	daemon/report/kinds/kind_rows.h \
	daemon/report/kinds/loop.c \
	daemon/report/kinds/loop_columns.c daemon/report/kinds/loop_columns.h \
	daemon/report/kinds/response.c \
	daemon/report/kinds/ring_down.c \
	daemon/report/kinds/record_kind.c daemon/report/kinds/record_kind.h \
	daemon/report/kinds/recording_sensors.c daemon/report/kinds/recording_sensors.h \
	daemon/report/kinds/table_file.c daemon/report/kinds/table_file.h \
	daemon/report/kinds/table_join.c daemon/report/kinds/table_join.h \
	daemon/report/kinds/table_header.c daemon/report/kinds/table_header.h \
	daemon/report/kinds/table_text.c daemon/report/kinds/table_text.h \
	daemon/report/kinds/unit_scale.c daemon/report/kinds/unit_scale.h

# What is done with them is the daemon's.
libdaemon_a_SOURCES += daemon/report/kinds/kind_work.c daemon/report/kinds/kind_work.h

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_loop_columns tests/unit/test_record_kinds tests/unit/test_restitution
TESTS += tests/unit/test_loop_columns tests/unit/test_record_kinds tests/unit/test_restitution
endif
tests_unit_test_loop_columns_SOURCES = tests/unit/test_loop_columns.c
tests_unit_test_loop_columns_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_loop_columns_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_record_kinds_SOURCES = tests/unit/test_record_kinds.c tests/unit/closed_form_decay.h
tests_unit_test_record_kinds_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_record_kinds_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_restitution_SOURCES = tests/unit/test_restitution.c
tests_unit_test_restitution_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_restitution_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
