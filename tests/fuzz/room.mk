# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzz targets. With --enable-fuzzers they are libFuzzer programs, which `make check-fuzz` runs; in every other build
# the same programs run the seeds as an ordinary test.
fuzz_targets = service recording configuration decays
fuzz_programs = tests/fuzz/fuzz_service tests/fuzz/fuzz_recording tests/fuzz/fuzz_configuration tests/fuzz/fuzz_decays
check_PROGRAMS += $(fuzz_programs)
TESTS += tests/fuzz/seeds.sh
EXTRA_DIST += tests/fuzz/run tests/fuzz/long tests/fuzz/seeds.sh tests/fuzz/seeds tests/fuzz/service.dict \
	tests/fuzz/recording.dict tests/fuzz/configuration.dict

fuzz_common = tests/fuzz/fuzz.c tests/fuzz/fuzz.h
fuzz_cppflags = $(AM_CPPFLAGS) $(GSL_CFLAGS) $(JANSSON_CFLAGS) $(LIBEVENT_CFLAGS)
fuzz_ldflags = $(AM_LDFLAGS) $(FUZZER_LDFLAGS)
if !FUZZERS
fuzz_common += tests/fuzz/replay.c
fuzz_cppflags += -DFUZZ_REPLAYS
endif
if FUZZERS
# For the libraries of the science, in their rooms: no input spells out the numbers that these compare, and watching for
# that would take a third of the time.
numbers_cflags = -fno-sanitize-coverage=trace-cmp
endif
tests_fuzz_fuzz_service_SOURCES = tests/fuzz/fuzz_service.c $(fuzz_common)
tests_fuzz_fuzz_service_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_service_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_service_LDADD = $(DAEMON_LIBS)
tests_fuzz_fuzz_recording_SOURCES = tests/fuzz/fuzz_recording.c $(fuzz_common)
tests_fuzz_fuzz_recording_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_recording_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_recording_LDADD = $(PROTO_LIBS)
tests_fuzz_fuzz_configuration_SOURCES = tests/fuzz/fuzz_configuration.c $(fuzz_common)
tests_fuzz_fuzz_configuration_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_configuration_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_configuration_LDADD = $(DAEMON_LIBS)
tests_fuzz_fuzz_decays_SOURCES = tests/fuzz/fuzz_decays.c tests/fuzz/fuzz_stream.c tests/fuzz/fuzz_stream.h $(fuzz_common)
tests_fuzz_fuzz_decays_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_decays_CFLAGS = $(AM_CFLAGS) $(numbers_cflags)
tests_fuzz_fuzz_decays_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_decays_LDADD = $(DAEMON_LIBS)

# Each target for so many seconds, as many at a time as there are processors; before them a target with a deliberate
# fault, which the same run must find.
FUZZ_SECONDS = 30
EXTRA_PROGRAMS += tests/fuzz/fuzz_canary
tests_fuzz_fuzz_canary_SOURCES = tests/fuzz/fuzz_canary.c $(fuzz_common)
tests_fuzz_fuzz_canary_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_fuzz_canary_LDFLAGS = $(fuzz_ldflags)
check-fuzz: $(fuzz_programs) tests/fuzz/fuzz_canary
	@TOP_SRCDIR='$(abs_top_srcdir)' bash $(top_srcdir)/tests/fuzz/run $(FUZZ_SECONDS) $(fuzz_targets)
.PHONY: check-fuzz
LONG_TESTS += $(top_srcdir)/tests/fuzz/long
