# SPDX-License-Identifier: GPL-3.0-or-later
# From a decay to its published result, and whatever else the threads of the store are asked for.
libdaemon_a_SOURCES += \
	daemon/pipeline/analysis.c daemon/pipeline/analysis.h \
	daemon/pipeline/backup_file.c daemon/pipeline/backup_file.h \
	daemon/pipeline/maintenance.c daemon/pipeline/maintenance.h \
	daemon/pipeline/pipeline_decays.c \
	daemon/pipeline/decay_job.c daemon/pipeline/decay_job.h \
	daemon/pipeline/identify_job.c daemon/pipeline/identify_job.h \
	daemon/pipeline/simulate_job.c daemon/pipeline/simulate_job.h \
	daemon/pipeline/joint_results.c daemon/pipeline/joint_results.h \
	daemon/pipeline/joint_runs.c daemon/pipeline/joint_runs.h \
	daemon/pipeline/pipeline_joint.c \
	daemon/pipeline/pipeline_room.c \
	daemon/pipeline/publication_log.c daemon/pipeline/publication_log.h \
	daemon/pipeline/pipeline.c daemon/pipeline/pipeline.h \
	daemon/pipeline/pipeline_attempt.c daemon/pipeline/pipeline_requests.c daemon/pipeline/pipeline_state.h \
	daemon/pipeline/pipeline_status.c daemon/pipeline/pipeline_store.c \
	daemon/pipeline/release_memory.c daemon/pipeline/release_memory.h \
	daemon/pipeline/questions.c daemon/pipeline/questions.h \
	daemon/pipeline/retention.c daemon/pipeline/retention.h \
	daemon/pipeline/store_reader.c daemon/pipeline/store_reader.h \
	daemon/pipeline/store_start.c daemon/pipeline/store_start.h \
	daemon/pipeline/store_writer.c daemon/pipeline/store_writer.h \
	daemon/pipeline/backlog.c daemon/pipeline/backlog.h

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_pipeline tests/unit/test_joint_runs tests/unit/test_questions tests/unit/test_short_memory tests/unit/test_backlog tests/unit/test_wrap
TESTS += tests/unit/test_pipeline tests/unit/test_joint_runs tests/unit/test_questions tests/unit/test_short_memory tests/unit/test_backlog tests/unit/test_wrap
endif
tests_unit_test_pipeline_SOURCES = tests/unit/test_pipeline.c tests/unit/closed_form_decay.h
tests_unit_test_pipeline_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_pipeline_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_pipeline_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=calloc,--wrap=store_put_decay,--wrap=store_put_result,--wrap=identify,--wrap=identify_ladder,--wrap=friction_ladder_identify
tests_unit_test_joint_runs_SOURCES = tests/unit/test_joint_runs.c
tests_unit_test_joint_runs_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_joint_runs_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_questions_SOURCES = tests/unit/test_questions.c
tests_unit_test_questions_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_questions_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_short_memory_SOURCES = tests/unit/test_short_memory.c tests/unit/failing_memory.c \
	tests/unit/failing_memory.h tests/unit/closed_form_decay.h
tests_unit_test_short_memory_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_short_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=strdup -Wl,--wrap=asprintf -Wl,--wrap=newlocale
tests_unit_test_short_memory_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_backlog_SOURCES = tests/unit/test_backlog.c
tests_unit_test_backlog_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_backlog_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_backlog_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=store_reader_submit,--wrap=read_decay
tests_unit_test_wrap_SOURCES = tests/unit/test_wrap.c tests/unit/closed_form_decay.h
tests_unit_test_wrap_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_wrap_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
