# SPDX-License-Identifier: GPL-3.0-or-later
libdaemon_a_SOURCES += \
	daemon/acquire/card_clock.c daemon/acquire/card_clock.h \
	daemon/acquire/code_scale.c daemon/acquire/code_scale.h \
	daemon/acquire/device_survey.h \
	daemon/acquire/comedi_driver.c \
	daemon/acquire/comedi_settings.c daemon/acquire/comedi_settings.h daemon/acquire/comedi_source.h \
	daemon/acquire/counter_unwrap.c daemon/acquire/counter_unwrap.h \
	daemon/acquire/message_ring.c daemon/acquire/message_ring.h \
	daemon/acquire/read_calibration.c daemon/acquire/read_calibration.h \
	daemon/acquire/recording_driver.c \
	daemon/acquire/recording_feed.c daemon/acquire/recording_feed.h \
	daemon/acquire/recording_source.c daemon/acquire/recording_source.h \
	daemon/acquire/simulated_carriage.c daemon/acquire/simulated_carriage.h \
	daemon/acquire/simulated_beam.c daemon/acquire/simulated_beam.h \
	daemon/acquire/simulated_contact.c daemon/acquire/simulated_contact.h \
	daemon/acquire/simulated_drive.c daemon/acquire/simulated_drive.h \
	daemon/acquire/simulated_driver.c \
	daemon/acquire/simulated_hand.c daemon/acquire/simulated_hand.h \
	daemon/acquire/simulated_motion.c daemon/acquire/simulated_motion.h \
	daemon/acquire/simulated_parts.h \
	daemon/acquire/simulated_random.c daemon/acquire/simulated_random.h \
	daemon/acquire/simulated_rig.c daemon/acquire/simulated_rig.h \
	daemon/acquire/simulated_sensor.c daemon/acquire/simulated_sensor.h \
	daemon/acquire/simulated_settings.c \
	daemon/acquire/source.c daemon/acquire/source.h \
	daemon/acquire/source_driver.c daemon/acquire/source_driver.h daemon/acquire/source_kinds.h

# A build without libcomedi refuses cards in words.
if HAVE_COMEDI
libdaemon_a_SOURCES += \
	daemon/acquire/comedi_card.c daemon/acquire/comedi_card.h \
	daemon/acquire/comedi_channel.c daemon/acquire/comedi_channel.h \
	daemon/acquire/comedi_counter.c daemon/acquire/comedi_counter.h \
	daemon/acquire/comedi_feed.c daemon/acquire/comedi_feed.h \
	daemon/acquire/comedi_group.c daemon/acquire/comedi_group.h \
	daemon/acquire/comedi_message.h \
	daemon/acquire/comedi_session.c daemon/acquire/comedi_session.h \
	daemon/acquire/comedi_source.c daemon/acquire/device_survey.c \
	daemon/acquire/comedi_stream.c daemon/acquire/comedi_stream.h
# Read or mapped? Needs a card: see its first lines.
EXTRA_PROGRAMS += tests/bench/bench_comedi_buffer
tests_bench_bench_comedi_buffer_SOURCES = tests/bench/bench_comedi_buffer.c
tests_bench_bench_comedi_buffer_LDADD = $(COMEDI_LIBS)
else
libdaemon_a_SOURCES += daemon/acquire/comedi_absent.c
endif
EXTRA_DIST += daemon/acquire/comedi_absent.c

# Writes what a simulated rig's sensors see as a recording.
check_PROGRAMS += tests/tools/simulate_recording
tests_tools_simulate_recording_SOURCES = tests/tools/simulate_recording.c
tests_tools_simulate_recording_CPPFLAGS = $(AM_CPPFLAGS) $(LIBEVENT_CFLAGS)
tests_tools_simulate_recording_LDADD = $(DAEMON_LIBS)

# Three decays for whoever has no recording yet; its comments say how it was made and what should be found.
EXTRA_DIST += tests/data/bearing_three_releases.csv

if HAVE_CHECK
ACQUIRE_TESTS = tests/unit/test_calibration tests/unit/test_card_clock tests/unit/test_message_ring \
	tests/unit/test_recording_source \
	tests/unit/test_simulated_beam tests/unit/test_simulated_drive \
	tests/unit/test_simulated_motion \
	tests/unit/test_simulated_rig
check_PROGRAMS += $(ACQUIRE_TESTS)
TESTS += $(ACQUIRE_TESTS)
tests_unit_test_calibration_SOURCES = tests/unit/test_calibration.c
tests_unit_test_calibration_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_calibration_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_card_clock_SOURCES = tests/unit/test_card_clock.c
tests_unit_test_card_clock_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_card_clock_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_message_ring_SOURCES = tests/unit/test_message_ring.c
tests_unit_test_message_ring_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_message_ring_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_recording_source_SOURCES = tests/unit/test_recording_source.c
tests_unit_test_recording_source_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_recording_source_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_simulated_beam_SOURCES = tests/unit/test_simulated_beam.c
tests_unit_test_simulated_beam_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_simulated_beam_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_simulated_drive_SOURCES = tests/unit/test_simulated_drive.c
tests_unit_test_simulated_drive_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_simulated_drive_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_simulated_motion_SOURCES = tests/unit/test_simulated_motion.c
tests_unit_test_simulated_motion_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_simulated_motion_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_simulated_rig_SOURCES = tests/unit/test_simulated_rig.c
tests_unit_test_simulated_rig_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_simulated_rig_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)

# The daemon's own code on a card that is made up, in a time that is made up.
if HAVE_COMEDI
COMEDI_TESTS = tests/unit/test_comedi_faults tests/unit/test_comedi_ring_down tests/unit/test_comedi_source
check_PROGRAMS += $(COMEDI_TESTS)
TESTS += $(COMEDI_TESTS)
card_bench = tests/unit/card_bench.c tests/unit/card_bench.h tests/unit/fake_comedi.c tests/unit/fake_comedi.h
card_bench_ldflags = $(AM_LDFLAGS) -Wl,--wrap=read -Wl,--wrap=source_monotonic_s -Wl,--wrap=message_ring_sleep
tests_unit_test_comedi_faults_SOURCES = tests/unit/test_comedi_faults.c $(card_bench)
tests_unit_test_comedi_faults_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_comedi_faults_LDFLAGS = $(card_bench_ldflags)
tests_unit_test_comedi_faults_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_comedi_ring_down_SOURCES = tests/unit/test_comedi_ring_down.c tests/unit/fake_comedi.c tests/unit/fake_comedi.h \
	tests/unit/configuration_file.c tests/unit/configuration_file.h
tests_unit_test_comedi_ring_down_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_comedi_ring_down_LDFLAGS = $(card_bench_ldflags)
tests_unit_test_comedi_ring_down_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
tests_unit_test_comedi_source_SOURCES = tests/unit/test_comedi_source.c $(card_bench)
tests_unit_test_comedi_source_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_comedi_source_LDFLAGS = $(card_bench_ldflags)
tests_unit_test_comedi_source_LDADD = $(DAEMON_LIBS) $(CHECK_LIBS)
endif
endif
