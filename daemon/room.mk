# SPDX-License-Identifier: GPL-3.0-or-later
# fricidd: a library of everything but main, so that tests and benches link the same code.
noinst_LIBRARIES += libdaemon.a
libdaemon_a_CPPFLAGS = $(AM_CPPFLAGS) $(LIBEVENT_CFLAGS) $(JANSSON_CFLAGS) $(LIBCONFIG_CFLAGS) $(SYSTEMD_CFLAGS) \
	$(SQLITE_CFLAGS) $(GSL_CFLAGS) $(COMEDI_CFLAGS) -DFRICID_SYSCONFDIR='"$(sysconfdir)"'
libdaemon_a_SOURCES = \
	daemon/analysis.c daemon/analysis.h \
	daemon/backup_file.c daemon/backup_file.h \
	daemon/care.c daemon/care.h \
	daemon/clock_anchor.c daemon/clock_anchor.h \
	daemon/compare_results.c daemon/compare_results.h \
	daemon/configurations.c daemon/configurations.h \
	daemon/daemon_links.c daemon/daemon_state.h \
	daemon/devices.c daemon/devices.h \
	daemon/drop_reports.c daemon/drop_reports.h \
	daemon/decay_job.c daemon/decay_job.h \
	daemon/identify_job.c daemon/identify_job.h \
	daemon/log.c daemon/log.h \
	daemon/log_entry.c daemon/log_entry.h \
	daemon/log_ids.c daemon/log_ids.h \
	daemon/notebook.c daemon/notebook.h \
	daemon/bounces.c daemon/bounces.h \
	daemon/offline.c daemon/offline.h \
	daemon/options.c daemon/options.h \
	daemon/pipeline.c daemon/pipeline.h \
	daemon/pipeline_state.h daemon/pipeline_status.c daemon/pipeline_store.c \
	daemon/questions.c daemon/questions.h \
	daemon/recording_input.c daemon/recording_input.h \
	daemon/reload.c daemon/reload.h \
	daemon/reload_report.c daemon/reload_report.h \
	daemon/rig.c daemon/rig.h \
	daemon/rig_decays.c daemon/rig_signals.c daemon/rig_state.h daemon/rig_stream.c \
	daemon/rig_set.c daemon/rig_set.h \
	daemon/serve.c daemon/serve.h \
	daemon/signal_meter.c daemon/signal_meter.h \
	daemon/store_reader.c daemon/store_reader.h \
	daemon/store_start.c daemon/store_start.h \
	daemon/store_writer.c daemon/store_writer.h \
	daemon/sweep.c daemon/sweep.h \
	daemon/systemd.c daemon/systemd.h \
	daemon/watchdog.c daemon/watchdog.h

EXTRA_DIST += daemon/README.md
dist_man_MANS += daemon/fricidd.8

sbin_PROGRAMS += fricidd
fricidd_SOURCES = daemon/main.c
fricidd_CPPFLAGS = $(libdaemon_a_CPPFLAGS)
fricidd_LDADD = $(DAEMON_LIBS)

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_signal_meter
TESTS += tests/unit/test_signal_meter
check_PROGRAMS += tests/unit/test_journal tests/unit/test_pipeline tests/unit/test_questions tests/unit/test_reload tests/unit/test_rig tests/unit/test_short_memory tests/unit/test_sweep tests/unit/test_wrap
TESTS += tests/unit/test_journal tests/unit/test_pipeline tests/unit/test_questions tests/unit/test_reload tests/unit/test_rig tests/unit/test_short_memory tests/unit/test_sweep tests/unit/test_wrap
endif
tests_unit_test_reload_SOURCES = tests/unit/test_reload.c
tests_unit_test_reload_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_reload_LDFLAGS = -Wl,--wrap=configuration_load
tests_unit_test_reload_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_journal_SOURCES = tests/unit/test_journal.c
tests_unit_test_journal_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_journal_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sd_journal_sendv -Wl,--wrap=systemd_notify \
	-Wl,--wrap=systemd_watchdog_s
tests_unit_test_journal_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_pipeline_SOURCES = tests/unit/test_pipeline.c tests/unit/closed_form_decay.h
tests_unit_test_pipeline_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_pipeline_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_pipeline_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=calloc,--wrap=store_put_result,--wrap=identify
tests_unit_test_questions_SOURCES = tests/unit/test_questions.c tests/unit/stored_decays.c tests/unit/stored_decays.h
tests_unit_test_questions_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_questions_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_sweep_SOURCES = tests/unit/test_sweep.c
tests_unit_test_sweep_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_sweep_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_sweep_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=store_reader_submit,--wrap=next_waiting,--wrap=read_decay
tests_unit_test_wrap_SOURCES = tests/unit/test_wrap.c tests/unit/closed_form_decay.h
tests_unit_test_wrap_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_wrap_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_short_memory_SOURCES = tests/unit/test_short_memory.c tests/unit/failing_memory.c \
	tests/unit/failing_memory.h tests/unit/closed_form_decay.h
tests_unit_test_short_memory_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_short_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=strdup -Wl,--wrap=asprintf -Wl,--wrap=newlocale
tests_unit_test_short_memory_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
# Its source is one that the test drives.
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_restitution
TESTS += tests/unit/test_restitution
endif
tests_unit_test_restitution_SOURCES = tests/unit/test_restitution.c
tests_unit_test_restitution_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_restitution_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)

tests_unit_test_rig_SOURCES = tests/unit/test_rig.c tests/unit/closed_form_decay.h
tests_unit_test_rig_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_rig_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=simulated_rig_create -Wl,--wrap=calloc
tests_unit_test_rig_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_signal_meter_SOURCES = tests/unit/test_signal_meter.c
tests_unit_test_signal_meter_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_signal_meter_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
