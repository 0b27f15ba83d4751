# SPDX-License-Identifier: GPL-3.0-or-later
# Decays out of a stream. A library of its own, as the science is.
noinst_LIBRARIES += libsegment.a
EXTRA_DIST += daemon/segment/README.md
libsegment_a_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS)
# Files of loops, once for each width of vector: see motion/lanes.h. Nothing in this library, inside a loop or outside,
# multiplies and adds in one instruction, which rounds once only: whether a half cycle is judged in a loop or outside of
# one depends on how a stream is cut.
libsegment_a_CFLAGS = $(AM_CFLAGS) $(numbers_cflags) -ffp-contract=off
libsegment_a_LIBADD = $(segment_loops)
libsegment_a_DEPENDENCIES = $(segment_loops)
segment_loops_sources = \
	daemon/segment/chunk_loops.c daemon/segment/chunk_loops.h \
	daemon/segment/decay_law_loops.c daemon/segment/decay_law_loops.h \
	daemon/segment/free_fit_loops.c daemon/segment/free_fit_loops.h \
	daemon/segment/half_cycle_loops.c daemon/segment/half_cycle_loops.h \
	daemon/segment/last_motion_loops.c daemon/segment/last_motion_loops.h \
	daemon/segment/noise_floor_loops.c daemon/segment/noise_floor_loops.h \
	daemon/segment/quick_follow_loops.c daemon/segment/quick_follow_loops.h \
	daemon/segment/shape_loops.c daemon/segment/shape_loops.h \
	daemon/segment/vertex_loops.c daemon/segment/vertex_loops.h \
	daemon/segment/quads.h daemon/segment/shape_quads.h daemon/segment/spiral_quads.h
EXTRA_LIBRARIES += libsegment_2.a libsegment_4.a libsegment_8.a
libsegment_2_a_SOURCES = $(segment_loops_sources)
libsegment_2_a_CPPFLAGS = $(libsegment_a_CPPFLAGS) -DLANES=2
libsegment_2_a_CFLAGS = $(libsegment_a_CFLAGS) $(lanes_2_cflags)
libsegment_4_a_SOURCES = $(segment_loops_sources)
libsegment_4_a_CPPFLAGS = $(libsegment_a_CPPFLAGS) -DLANES=4
libsegment_4_a_CFLAGS = $(libsegment_a_CFLAGS) $(lanes_4_cflags)
libsegment_8_a_SOURCES = $(segment_loops_sources)
libsegment_8_a_CPPFLAGS = $(libsegment_a_CPPFLAGS) -DLANES=8
libsegment_8_a_CFLAGS = $(libsegment_a_CFLAGS) $(lanes_8_cflags)
segment_loops = $(libsegment_2_a_OBJECTS)
if WIDE_VECTORS
segment_loops += $(libsegment_4_a_OBJECTS) $(libsegment_8_a_OBJECTS)
endif
libsegment_a_SOURCES = \
	daemon/segment/beats.c \
	daemon/segment/beats.h \
	daemon/segment/candidate.h \
	daemon/segment/candidate_chain.c \
	daemon/segment/candidate_chain.h \
	daemon/segment/candidate_follow.c \
	daemon/segment/candidate_learn.h \
	daemon/segment/candidate_start.c \
	daemon/segment/clock_jump.c daemon/segment/clock_jump.h \
	daemon/segment/chunk.c \
	daemon/segment/chunk.h \
	daemon/segment/swing_trend.c \
	daemon/segment/swing_trend.h \
	daemon/segment/record_cut.c \
	daemon/segment/record_cut.h \
	daemon/segment/decay.c \
	daemon/segment/decay.h \
	daemon/segment/decay_finder.c \
	daemon/segment/loop_cutter.c daemon/segment/loop_cutter.h \
	daemon/segment/loop_cut_end.c daemon/segment/loop_cut_end.h \
	daemon/segment/loop_closing.c daemon/segment/loop_closing.h \
	daemon/segment/loop_end_prediction.c daemon/segment/loop_end_prediction.h \
	daemon/segment/loop_mark.c daemon/segment/loop_mark.h \
	daemon/segment/loop_scans.c daemon/segment/loop_scans.h \
	daemon/segment/turn_rise.c daemon/segment/turn_rise.h \
	daemon/segment/ring_down_cutter.c daemon/segment/ring_down_cutter.h \
	daemon/segment/decay_finder.h daemon/segment/finder_state.h \
	daemon/segment/decay_law.c \
	daemon/segment/decay_law.h \
	daemon/segment/default_settings.c \
	daemon/segment/drop_reason.h \
	daemon/segment/ended_candidate.h \
	daemon/segment/ending.c \
	daemon/segment/ending.h \
	daemon/segment/extremes.h \
	daemon/segment/flat_crests.c \
	daemon/segment/flat_crests.h \
	daemon/segment/free_fit.c \
	daemon/segment/free_fit.h \
	daemon/segment/signal_quality.c \
	daemon/segment/signal_quality.h \
	daemon/segment/quick_follow.c \
	daemon/segment/quick_follow.h \
	daemon/segment/half_cycle.c \
	daemon/segment/half_cycle.h \
	daemon/segment/last_motion.c \
	daemon/segment/last_motion.h \
	daemon/segment/motion_walk.h \
	daemon/segment/names.c \
	daemon/segment/noise_floor.c \
	daemon/segment/noise_floor.h \
	daemon/segment/certain_end.c \
	daemon/segment/certain_end.h \
	daemon/segment/clipping.c \
	daemon/segment/clipping.h \
	daemon/segment/record_take.c \
	daemon/segment/record_take.h \
	daemon/segment/release.c \
	daemon/segment/release.h \
	daemon/segment/rhythm.c \
	daemon/segment/rhythm.h \
	daemon/segment/run_grouping.c \
	daemon/segment/run_grouping.h \
	daemon/segment/sample_history.c \
	daemon/segment/sample_history.h \
	daemon/segment/scan_block.h \
	daemon/segment/segment_settings.h \
	daemon/segment/scan_pace.c \
	daemon/segment/scan_pace.h \
	daemon/segment/segmenter.c \
	daemon/segment/segmenter.h \
	daemon/segment/segmenter_look.c \
	daemon/segment/segmenter_state.h \
	daemon/segment/shape.c \
	daemon/segment/shape.h \
	daemon/segment/spikes.c \
	daemon/segment/spikes.h \
	daemon/segment/spiral.c \
	daemon/segment/spiral.h \
	daemon/segment/spread.c \
	daemon/segment/spread.h \
	daemon/segment/tolerances.h \
	daemon/segment/stamp_holes.c \
	daemon/segment/stamp_holes.h \
	daemon/segment/surroundings.c \
	daemon/segment/surroundings.h \
	daemon/segment/turning_points.c \
	daemon/segment/turning_points.h \
	daemon/segment/vertex.c \
	daemon/segment/vertex.h \
	daemon/segment/running_half_cycle.c \
	daemon/segment/running_half_cycle.h


# make bench: samples a second.
EXTRA_PROGRAMS += tests/bench/bench_segmenter
BENCHES += tests/bench/bench_segmenter
tests_bench_bench_segmenter_SOURCES = tests/bench/bench_segmenter.c tests/unit/stream_generator.c
tests_bench_bench_segmenter_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit
tests_bench_bench_segmenter_LDADD = $(DAEMON_LIBS)

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_free_fit tests/unit/test_quick_follow tests/unit/test_last_motion tests/unit/test_segment_endings \
	tests/unit/test_segment_hostile tests/unit/test_ring_down_cutter tests/unit/test_loop_cutter
TESTS += tests/unit/test_free_fit tests/unit/test_quick_follow tests/unit/test_last_motion tests/unit/test_segment_endings \
	tests/unit/test_segment_hostile tests/unit/test_ring_down_cutter tests/unit/test_loop_cutter
check_PROGRAMS += tests/unit/test_segmenter tests/unit/test_segment_streams tests/unit/test_segment_memory \
	tests/unit/test_run_grouping tests/unit/test_chunk tests/unit/test_noise_floor tests/unit/test_measured_decays tests/unit/test_measured_windows tests/unit/test_segment_hands \
	tests/unit/test_segment_starts tests/unit/test_segment_beats tests/unit/long_segmenter
TESTS += tests/unit/test_segmenter tests/unit/test_segment_streams tests/unit/test_segment_memory \
	tests/unit/test_run_grouping tests/unit/test_chunk tests/unit/test_noise_floor tests/unit/test_measured_decays tests/unit/test_measured_windows tests/unit/test_segment_hands \
	tests/unit/test_segment_starts tests/unit/test_segment_beats
LONG_TESTS += tests/unit/long_segmenter
endif
tests_unit_test_free_fit_SOURCES = tests/unit/test_free_fit.c tests/unit/closed_form_decay.h
tests_unit_test_free_fit_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_free_fit_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_loop_cutter_SOURCES = tests/unit/test_loop_cutter.c
tests_unit_test_loop_cutter_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_loop_cutter_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_ring_down_cutter_SOURCES = tests/unit/test_ring_down_cutter.c tests/unit/struck_structure.h
tests_unit_test_ring_down_cutter_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ring_down_cutter_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_segment_hostile_SOURCES = tests/unit/test_segment_hostile.c
tests_unit_test_segment_hostile_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_segment_hostile_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_quick_follow_SOURCES = tests/unit/test_quick_follow.c
tests_unit_test_quick_follow_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_quick_follow_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_quick_follow_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=finder_follows_quickly
tests_unit_test_last_motion_SOURCES = tests/unit/test_last_motion.c tests/unit/closed_form_decay.h
tests_unit_test_last_motion_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_last_motion_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_segment_endings_SOURCES = tests/unit/test_segment_endings.c
tests_unit_test_segment_endings_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_segment_endings_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_segmenter_SOURCES = tests/unit/test_segmenter.c
tests_unit_test_segmenter_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_segmenter_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_segment_streams_SOURCES = tests/unit/test_segment_streams.c
tests_unit_test_segment_streams_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_segment_streams_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_segment_memory_SOURCES = tests/unit/test_segment_memory.c
tests_unit_test_segment_memory_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_segment_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=free
tests_unit_test_segment_memory_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_run_grouping_SOURCES = tests/unit/test_run_grouping.c
tests_unit_test_run_grouping_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_run_grouping_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_chunk_SOURCES = tests/unit/test_chunk.c
tests_unit_test_chunk_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_chunk_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_noise_floor_SOURCES = tests/unit/test_noise_floor.c
tests_unit_test_noise_floor_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_noise_floor_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_measured_windows_SOURCES = tests/unit/test_measured_windows.c
tests_unit_test_measured_windows_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_measured_windows_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_segment_hands_SOURCES = tests/unit/test_segment_hands.c
tests_unit_test_segment_hands_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_segment_hands_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_segment_starts_SOURCES = tests/unit/test_segment_starts.c
tests_unit_test_segment_starts_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_segment_starts_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_segment_beats_SOURCES = tests/unit/test_segment_beats.c
tests_unit_test_segment_beats_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_segment_beats_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_measured_decays_SOURCES = tests/unit/test_measured_decays.c
tests_unit_test_measured_decays_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_measured_decays_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_long_segmenter_SOURCES = tests/unit/long_segmenter.c
tests_unit_long_segmenter_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_segmenter_LDADD = $(TEST_HELPERS) $(DAEMON_LIBS) $(CHECK_LIBS)
