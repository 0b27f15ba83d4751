# SPDX-License-Identifier: GPL-3.0-or-later
# fricidctl: a thin client. A library of everything but main, so that its tests link the same code.
noinst_LIBRARIES += libclient.a
libclient_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(GSL_CFLAGS) $(NCURSES_CFLAGS) -DFRICID_SYSCONFDIR='"$(sysconfdir)"' \
	-DFRICID_SBINDIR='"$(sbindir)"'
libclient_a_SOURCES = \
	client/client.c client/client.h \
	client/columns.c client/columns.h \
	client/command_calibrate.c \
	client/command_complete.c \
	client/command_config.c \
	client/command_devices.c \
	client/command_doctor.c \
	client/command_export.c client/export_samples.c client/export_samples.h client/export_table.c client/export_table.h \
	client/command_identify.c \
	client/command_metrics.c \
	client/command_plot.c client/command_report.c \
	client/command_monitor.c \
	client/command_record.c \
	client/command_repair.c \
	client/command_results.c \
	client/command_run.c \
	client/command_scope.c \
	client/command_show.c \
	client/command_simulate.c \
	client/command_status.c \
	client/command_store.c \
	client/command_version.c \
	client/command_zero.c \
	client/command_watch.c \
	client/command.h client/commands.c client/commands.h \
	client/connection.c client/connection.h \
	client/describe.c client/describe.h \
	client/duration.c client/duration.h \
	client/doctor_facts.c client/doctor_judge.c client/doctor.h \
	client/exit_status.h \
	client/figures.c client/figures.h \
	client/results_pages.c client/results_pages.h \
	client/filter.c client/filter.h \
	client/finding.c client/finding.h \
	client/ending_signals.c client/ending_signals.h client/gnuplot.c client/gnuplot.h client/html.c client/html.h client/picture.c client/picture.h \
	client/installed_program.c client/installed_program.h \
	client/labels.c client/labels.h \
	client/metrics.c client/metrics.h \
	client/motion_file.c client/motion_file.h \
	client/notice.c client/notice.h \
	client/options.c client/options.h \
	client/own_daemon.c client/own_daemon.h \
	client/phrase.c client/phrase.h \
	client/show_joint.c client/show_joint.h \
	client/show_lines.c client/show_lines.h \
	client/show_ladder.c client/show_ladder.h \
	client/contact_curve.c client/contact_curve.h \
	client/plot_file.c client/plot_file.h client/plot_live.c client/plot_live.h client/recorder_rig.c client/recorder_rig.h client/plot_curve.c client/plot_curve.h client/plot_loop.c client/plot_loop.h \
	client/plot_extrema.c client/plot_extrema.h client/plot_motion.c client/plot_motion.h client/plot_ring_down.c client/plot_ring_down.h client/plot_script.c client/plot_script.h client/plot_title.c client/plot_title.h \
	client/pages.h \
	client/polynomial.c client/polynomial.h \
	client/progress_line.c client/progress_line.h \
	client/record_file.c client/record_file.h \
	client/record_track.c client/record_track.h \
	client/refusal.c client/refusal.h \
	client/reply.c client/reply.h \
	client/screen.c client/screen.h \
	client/show.c client/show.h \
	client/show_curve.c client/show_curve.h \
	client/show_friction_ladder.c client/show_friction_ladder.h \
	client/show_loop.c client/show_loop.h \
	client/show_modal_joint.c client/show_modal_joint.h \
	client/show_ring_down.c client/show_ring_down.h \
	client/show_table.c client/show_table.h \
	client/signal_feed.c client/signal_feed.h \
	client/signal_warning.c client/signal_warning.h \
	client/show_judgement.c client/show_judgement.h \
	client/table.c client/table.h \
	client/text_width.c client/text_width.h \
	client/wrapped.c client/wrapped.h \
	client/status_findings.c client/status_findings.h \
	client/upload.c client/upload.h \
	client/upload_table.c client/upload_table.h \
	client/monitor/canvas.c client/monitor/canvas.h \
	client/monitor/keys.c client/monitor/keys.h \
	client/monitor/layout.c client/monitor/layout.h \
	client/monitor/link.c client/monitor/link.h \
	client/monitor/model.c client/monitor/model.h \
	client/monitor/monitor.c client/monitor/monitor.h \
	client/monitor/panels.c client/monitor/panels.h \
	client/monitor/raster.c client/monitor/raster.h \
	client/monitor/result_text.c client/monitor/result_text.h \
	client/monitor/scene.c client/monitor/scene.h \
	client/monitor/sheet.c client/monitor/sheet.h \
	client/monitor/trace.c client/monitor/trace.h \
	client/monitor/view.c client/monitor/view.h \
	client/monitor/panel_channels.c \
	client/monitor/panel_decay.c \
	client/monitor/panel_events.c \
	client/monitor/panel_head.c \
	client/monitor/panel_keys.c \
	client/monitor/panel_results.c \
	client/monitor/panel_trace.c \
	client/monitor/terminal.h
if HAVE_NCURSES
libclient_a_SOURCES += client/monitor/terminal.c client/monitor/terminal_check.c client/monitor/terminal_check.h
EXTRA_DIST += client/monitor/no_terminal.c
else
libclient_a_SOURCES += client/monitor/no_terminal.c
EXTRA_DIST += client/monitor/terminal.c client/monitor/terminal_check.c client/monitor/terminal_check.h
endif

bin_PROGRAMS += fricidctl
fricidctl_SOURCES = client/main.c
fricidctl_CPPFLAGS = $(libclient_a_CPPFLAGS)
CLIENT_LIBS = libclient.a libtables.a libidentify.a $(PROTO_LIBS) $(GSL_LIBS) $(NCURSES_LIBS)
fricidctl_LDADD = $(CLIENT_LIBS)
dist_man_MANS += client/fricidctl.1
EXTRA_DIST += client/decay.png client/ring_down.png
dist_bashcompletion_DATA = etc/bash-completion/fricidctl etc/bash-completion/fricidd
dist_zshcompletion_DATA = etc/zsh-completion/_fricidctl etc/zsh-completion/_fricidd

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_polynomial
TESTS += tests/unit/test_polynomial
check_PROGRAMS += tests/unit/test_describe tests/unit/test_doctor tests/unit/test_figures tests/unit/test_labels tests/unit/test_monitor tests/unit/test_table
TESTS += tests/unit/test_describe tests/unit/test_doctor tests/unit/test_figures tests/unit/test_labels tests/unit/test_monitor tests/unit/test_table
endif
tests_unit_test_describe_SOURCES = tests/unit/test_describe.c
tests_unit_test_describe_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_describe_LDADD = $(CLIENT_LIBS) $(CHECK_LIBS)
tests_unit_test_doctor_SOURCES = tests/unit/test_doctor.c
tests_unit_test_doctor_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_doctor_LDADD = $(CLIENT_LIBS) $(CHECK_LIBS)
tests_unit_test_figures_SOURCES = tests/unit/test_figures.c
tests_unit_test_figures_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_figures_LDADD = $(CLIENT_LIBS) $(CHECK_LIBS)
tests_unit_test_labels_SOURCES = tests/unit/test_labels.c
tests_unit_test_labels_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_labels_LDADD = $(CLIENT_LIBS) $(CHECK_LIBS)
tests_unit_test_monitor_SOURCES = tests/unit/test_monitor.c
tests_unit_test_monitor_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_monitor_LDADD = $(CLIENT_LIBS) $(CHECK_LIBS)
tests_unit_test_table_SOURCES = tests/unit/test_table.c
tests_unit_test_table_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_table_LDADD = $(CLIENT_LIBS) $(CHECK_LIBS)

TESTS += tests/service/test_completion.py tests/service/test_fricidctl_fake.py tests/service/test_monitor.py tests/service/test_plot.py \
	tests/service/test_quoting.py tests/service/test_surroundings.py
EXTRA_DIST += tests/service/test_completion.py tests/service/test_fricidctl_fake.py tests/service/test_monitor.py tests/service/test_plot.py \
	tests/service/test_quoting.py tests/service/test_surroundings.py tests/service/schema_examples.py \
	tests/service/fake_fricidd.py \
	tests/service/sample_replies.py tests/service/tmux_screen.py
tests_unit_test_polynomial_SOURCES = tests/unit/test_polynomial.c
tests_unit_test_polynomial_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_polynomial_LDADD = $(CLIENT_LIBS) $(CHECK_LIBS)
