# SPDX-License-Identifier: GPL-3.0-or-later
# What is kept of decays and results.
libdaemon_a_SOURCES += \
	daemon/store/age_clock.c daemon/store/age_clock.h \
	daemon/store/checksum.h \
	daemon/store/columns.c daemon/store/columns.h \
	daemon/store/database.c daemon/store/database.h \
	daemon/store/database_files.c daemon/store/database_files.h \
	daemon/store/file_identity.c daemon/store/file_identity.h \
	daemon/store/file_layout.h \
	daemon/store/find_run.c daemon/store/find_run.h \
	daemon/store/kept.c daemon/store/kept.h \
	daemon/store/leaf_page.c daemon/store/leaf_page.h \
	daemon/store/log_file.c daemon/store/log_file.h \
	daemon/store/log_order.c daemon/store/log_order.h \
	daemon/store/conditions.c daemon/store/conditions.h \
	daemon/store/query.c daemon/store/query.h \
	daemon/store/read_decay.c daemon/store/read_decay.h \
	daemon/store/repair.c daemon/store/repair.h \
	daemon/store/run_table.c daemon/store/run_table.h \
	daemon/store/sample_codec.c daemon/store/sample_codec.h \
	daemon/store/schema.c daemon/store/schema.h \
	daemon/store/set_aside.c daemon/store/set_aside.h \
	daemon/store/store.c daemon/store/store.h \
	daemon/store/store_maintenance.c \
	daemon/store/store_clock.c \
	daemon/store/store_get.c \
	daemon/store/store_log.c \
	daemon/store/store_place.c \
	daemon/store/store_put.c \
	daemon/store/store_set_aside.c \
	daemon/store/store_state.h \
	daemon/store/stored_pages.c daemon/store/stored_pages.h \
	daemon/store/stored_rows.c daemon/store/stored_rows.h \
	daemon/store/tables.c daemon/store/tables.h \
	daemon/store/text_list.c daemon/store/text_list.h

# What the store costs.
EXTRA_PROGRAMS += tests/bench/bench_store
BENCHES += tests/bench/bench_store
tests_bench_bench_store_SOURCES = tests/bench/bench_store.c tests/unit/closed_form_decay.h
tests_bench_bench_store_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_bench_bench_store_LDADD = $(DAEMON_LIBS)

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_age_clock tests/unit/test_store tests/unit/test_store_faults tests/unit/test_store_log \
	tests/unit/test_store_memory \
	tests/unit/test_store_pages
TESTS += tests/unit/test_age_clock tests/unit/test_store tests/unit/test_store_faults tests/unit/test_store_log tests/unit/test_store_memory \
	tests/unit/test_store_pages
endif
tests_unit_test_age_clock_SOURCES = tests/unit/test_age_clock.c
tests_unit_test_age_clock_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_age_clock_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_store_SOURCES = tests/unit/test_store.c
tests_unit_test_store_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_store_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_store_faults_SOURCES = tests/unit/test_store_faults.c tests/unit/failing_disk.c tests/unit/failing_disk.h
tests_unit_test_store_faults_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_store_faults_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_store_faults_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=rename,--wrap=link,--wrap=unlink \
	-Wl,--wrap=pwrite,--wrap=ftruncate
tests_unit_test_store_log_SOURCES = tests/unit/test_store_log.c
tests_unit_test_store_log_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_store_log_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_store_pages_SOURCES = tests/unit/test_store_pages.c
tests_unit_test_store_pages_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_store_pages_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_store_memory_SOURCES = tests/unit/test_store_memory.c
tests_unit_test_store_memory_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_store_memory_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
