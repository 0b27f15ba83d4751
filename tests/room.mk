# SPDX-License-Identifier: GPL-3.0-or-later
# Unit tests are described by the room that they test; this file holds what all of them share, the canaries and the
# service tests.
EXTRA_DIST += tests/unit/asked.h tests/unit/run_suite.h tests/unit/thinning.h
UNIT_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit $(CHECK_CFLAGS) $(GSL_CFLAGS) $(JANSSON_CFLAGS) \
	$(LIBEVENT_CFLAGS) -DTEST_DATA='"$(abs_top_srcdir)/tests/data"' -DSHARED_DATA='"$(abs_top_srcdir)/../shared/data"'

# What several test programs need is compiled once.
EXTRA_LIBRARIES += tests/unit/libhelpers.a
tests_unit_libhelpers_a_SOURCES = tests/unit/decay_grid.c tests/unit/decay_grid.h tests/unit/joint_campaign.c \
	tests/unit/joint_campaign.h tests/unit/ladder_campaign.c tests/unit/ladder_campaign.h tests/unit/made_result.c \
	tests/unit/made_result.h tests/unit/random_lab.c tests/unit/random_lab.h tests/unit/segment_campaign.c \
	tests/unit/segment_campaign.h tests/unit/segment_harness.c tests/unit/segment_harness.h tests/unit/segment_judge.c \
	tests/unit/segment_judge.h tests/unit/segment_parameters.c tests/unit/service_bench.c tests/unit/service_bench.h \
	tests/unit/stored_decays.c tests/unit/stored_decays.h tests/unit/stream_generator.c tests/unit/stream_generator.h
tests_unit_libhelpers_a_CPPFLAGS = $(UNIT_CPPFLAGS)

# Every test, of whatever language, is started by the same script.
EXTRA_DIST += tests/demonstration/run tests/demonstration/tables.py tests/run_test tests/record tests/check_everything tests/pieces.py tests/lint/calls.py tests/lint/circles.py tests/lint/includes tests/lint/man_pages tests/lint/scripts tests/lint/sources
TEST_EXTENSIONS = .py .sh
LOG_COMPILER = $(RUN_TEST)
SH_LOG_COMPILER = $(RUN_TEST) $(SHELL)
if HAVE_PYTHON
RUN_TEST = $(PYTHON) $(top_srcdir)/tests/run_test
PY_LOG_COMPILER = $(RUN_TEST) $(PYTHON)
else
RUN_TEST =
PY_LOG_COMPILER = $(RUN_TEST) $(SHELL) -c 'echo "SKIP: no Python 3 was found"; exit 77'
endif

AM_TESTS_ENVIRONMENT = \
	FRICIDD='$(abs_top_builddir)/fricidd'; export FRICIDD; \
	FRICIDCTL='$(abs_top_builddir)/fricidctl'; export FRICIDCTL; \
	TOP_SRCDIR='$(abs_top_srcdir)'; export TOP_SRCDIR; \
	PYTHON='$(PYTHON)'; export PYTHON; \
	TEST_LAUNCHER='$(TEST_LAUNCHER)'; export TEST_LAUNCHER; \
	PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE; \
	SCHEMA_CACHE="$${SCHEMA_CACHE:-$(abs_top_builddir)/tests/schemas}"; export SCHEMA_CACHE; \
	$(SANITIZER_ENVIRONMENT)

clean-local:
	rm -rf tests/schemas

# What --enable-pieces has written.
distclean-local:
	[ ! -d pieces ] || find client daemon proto tests tools -name '*.d' -type f -exec rm -f {} +
	rm -rf GNUmakefile pieces

# A finding must end the program that it is in: no forks between the fault and the exit status that automake sees.
SANITIZER_ENVIRONMENT =
if SANITIZERS
SANITIZER_ENVIRONMENT += \
	ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1$${FREED_MB:+:quarantine_size_mb=$$FREED_MB:thread_local_quarantine_size_kb=64}; export ASAN_OPTIONS; \
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1; export UBSAN_OPTIONS; \
	CK_FORK=no; export CK_FORK; TEST_SLOWNESS=10; export TEST_SLOWNESS;
endif
if TSAN
SANITIZER_ENVIRONMENT += \
	TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1; export TSAN_OPTIONS; \
	CK_FORK=no; export CK_FORK; TEST_SLOWNESS=15; export TEST_SLOWNESS;
endif

# Programs with a deliberate fault: the sanitizers must catch it, or their silence elsewhere means nothing.
EXTRA_DIST += tests/canary/expect_report tests/canary/address.sh tests/canary/leak.sh tests/canary/undefined.sh \
	tests/canary/thread.sh
if SANITIZERS
check_PROGRAMS += tests/canary/address tests/canary/leak tests/canary/undefined
TESTS += tests/canary/address.sh tests/canary/leak.sh tests/canary/undefined.sh
endif
if TSAN
check_PROGRAMS += tests/canary/thread
TESTS += tests/canary/thread.sh
endif
tests_canary_address_SOURCES = tests/canary/address.c
tests_canary_leak_SOURCES = tests/canary/leak.c
tests_canary_undefined_SOURCES = tests/canary/undefined.c
tests_canary_thread_SOURCES = tests/canary/thread.c

# End to end, through the programs as users start them; first those that take longest.
SERVICE_TESTS = tests/service/test_retention.py tests/service/test_readers.py tests/service/test_store_disks.py tests/service/test_store_places.py \
	tests/service/test_store_kills.py tests/service/test_store_damage.py tests/service/test_store.py tests/service/test_record.py \
	tests/service/test_identify.py tests/service/test_conversation.py tests/service/test_crowd.py \
	tests/service/test_dialects.py tests/service/test_number_files.py tests/service/test_fricidctl.py \
	tests/service/test_hostile.py tests/service/test_hostile_signals.py tests/service/test_joint.py tests/service/test_ladder.py \
	tests/service/test_measured.py \
	tests/service/test_curve.py tests/service/test_export.py tests/service/test_response.py tests/service/test_many_connections.py tests/service/test_lifecycle.py tests/service/test_live_loops.py tests/service/test_live_ring_down.py tests/service/test_loop.py tests/service/test_offline.py \
	tests/service/test_reload.py tests/service/test_repair.py tests/service/test_ring_down.py tests/service/test_runs.py tests/service/test_simulate.py tests/service/test_soak.py \
	tests/service/test_sources.py tests/service/test_store_log_alone.py tests/service/test_store_upgrade.py
TESTS += $(SERVICE_TESTS)
LONG_TESTS += $(top_srcdir)/tests/service/long_hostile.py $(top_srcdir)/tests/service/long_store
EXTRA_DIST += tests/data/README.md tests/data/store-version-5.db.gz tests/data/store-version-5.jsonl.gz \
	tests/data/store-version-6.db.gz tests/data/store-version-6.jsonl.gz \
	tests/data/store-version-7.db.gz tests/data/store-version-7.jsonl.gz \
	tests/data/store-version-8.db.gz tests/data/store-version-8.jsonl.gz \
	tests/data/store-version-9-ring-down.db.gz tests/data/store-version-9-ring-down.jsonl.gz \
	tests/data/store-version-10.db.gz
EXTRA_DIST += tests/service/set_clock.c tests/service/store_files.py tests/service/soak.py tests/service/long_soak tests/service/long_store tests/service/long_hostile.py $(SERVICE_TESTS) tests/service/fricid_harness.py tests/service/run_tests.py tests/service/without_ladder.conf

# Those that wait most, for clocks, disks and each other's silence, come first: the processors are busy with the others
# meanwhile, and nobody waits for a clock at the end.
waiting_tests = tests/service/test_retention.py tests/service/test_store_places.py tests/service/test_store_disks.py \
	tests/service/test_record.py tests/service/test_monitor.py tests/unit/test_comedi_faults tests/unit/test_comedi_source tests/unit/test_pipeline
# Then those that keep one processor busy for longest: the other would have nothing to do at the end.
calculating_tests = tests/unit/test_ring_down tests/unit/test_ring_down_records tests/unit/test_friction_fit \
	tests/unit/test_store_faults tests/unit/test_store_pages tests/unit/test_loop tests/service/test_loop.py
tests_here = $(filter-out $(left_out), $(TESTS))
those_first = $(waiting_tests) $(calculating_tests)
longest_first = $(filter $(tests_here), $(those_first)) $(filter-out $(those_first), $(tests_here))
# What the short check leaves to check --all (left_out). Campaigns: uncertainties judged by many records. With gcc, what
# makes allocations and calls to the disk fail, or damages pages of a store: sanitizers see most of that, and have it.
campaigns = tests/unit/test_budget_coverage tests/unit/test_displacement_noise
failing_calls = tests/unit/test_store_faults tests/unit/test_store_log tests/unit/test_store_memory \
	tests/unit/test_store_pages
check-longest-first:
	@$(MAKE) $(AM_MAKEFLAGS) check-these these_programs='$(filter-out $(left_out), $(check_PROGRAMS))' these_tests='$(longest_first)'
.PHONY: check-longest-first

# Some tests, TEST_JOBS at a time and without make's own driver, whose shells take longer than many a test. Their sources
# are compiled with TEST_CFLAGS, what they test and share with CFLAGS. One make after the other: two would compile the
# same objects at the same time.
TEST_JOBS = 2
TEST_CFLAGS = $(CFLAGS)
check-these: all tests/unit/libhelpers.a
	@$(MAKE) $(AM_MAKEFLAGS) $(filter-out tests/unit/%, $(these_programs))
	@$(MAKE) $(AM_MAKEFLAGS) CFLAGS='$(TEST_CFLAGS)' $(filter tests/unit/%, $(these_programs))
	@$(AM_TESTS_ENVIRONMENT) $(RUN_TEST) --jobs $(TEST_JOBS) $(these_tests)
.PHONY: check-these

# What has more than one thread, for ThreadSanitizer: the rest cannot have a race.
threaded_programs = tests/canary/thread tests/unit/test_identify tests/unit/test_message_ring tests/unit/test_pipeline \
	tests/unit/test_recording_source \
	tests/unit/test_rig tests/unit/test_worker
threaded_tests = tests/canary/thread.sh tests/unit/test_identify tests/unit/test_message_ring tests/unit/test_pipeline \
	tests/unit/test_recording_source \
	tests/unit/test_rig tests/unit/test_worker $(threaded_service_tests)
threaded_service_tests = tests/service/test_protocol.py $(SERVICE_TESTS)
# The short check's: those in which all threads of the daemon have to do with each other.
busiest_service_tests = tests/service/test_identify.py tests/service/test_crowd.py tests/service/test_reload.py
check-threads:
	@$(MAKE) $(AM_MAKEFLAGS) check-these these_programs='$(threaded_programs)' these_tests='$(threaded_tests)'
.PHONY: check-threads

# The short check's part for sanitizers leaves these to check --all: what calculates for long runs once, with gcc, and so
# does what is of the client, of a disk that fills, or of a clock. Of each kind some stay: conversation, dialects,
# fricidctl, hostile, repair, ring_down, live_loops, store_damage, store_kills, store_upgrade; fit_measured,
# ladder_doubts, mode_fit, loop, loop_instruments, friction_gms, joint, segmenter, service_socket, spectral_modes,
# store_log, pipeline. Of those that stay, a service test runs one in TEST_THINNING of each class
# (run_tests.py). What is only called by these then, such as the laws of a joint that slips as a whole, the backbone, pieces of
# loops and fits of friction, is not run with sanitizers each time. crowd is ThreadSanitizer's.
long_with_sanitizers = tests/service/test_protocol.py tests/service/test_quoting.py tests/service/test_readers.py \
	tests/service/test_record.py tests/service/test_retention.py tests/service/test_store.py \
	tests/service/test_store_disks.py tests/service/test_fricidctl_fake.py tests/service/test_identify.py \
	tests/service/test_joint.py tests/service/test_ladder.py tests/service/test_many_connections.py \
	tests/service/test_measured.py tests/service/test_monitor.py tests/service/test_number_files.py \
	tests/service/test_plot.py tests/service/test_runs.py tests/service/test_soak.py tests/service/test_sources.py \
	tests/service/test_store_log_alone.py tests/service/test_store_places.py tests/service/test_units.py \
	tests/service/test_completion.py tests/service/test_crowd.py tests/service/test_export.py \
	tests/service/test_live_ring_down.py tests/service/test_simulate.py tests/service/test_surroundings.py \
	tests/unit/test_contact_force tests/unit/test_decay_grid tests/unit/test_disturbance tests/unit/test_extrema_chain \
	tests/unit/test_friction_beside tests/unit/test_friction_doubt tests/unit/test_friction_measured \
	tests/unit/test_model_holds \
	tests/unit/test_ring_down_sensors tests/unit/test_segment_streams tests/unit/test_comedi_faults \
	tests/unit/test_recorder_faults \
	tests/unit/test_backbone tests/unit/test_coloured_noise tests/unit/test_coverage tests/unit/test_fit_effort \
	tests/unit/test_fit_statistics tests/unit/test_loop_pieces tests/unit/test_segment_beats $(campaigns) \
	tests/unit/test_friction_fit tests/unit/test_ladder tests/unit/test_ladder_measured tests/unit/test_ladder_short \
	tests/unit/test_law_fit tests/unit/test_macroslip tests/unit/test_ring_down tests/unit/test_ring_down_measured \
	tests/unit/test_ring_down_records tests/unit/test_service_clients tests/unit/test_speed_curve
memory_tests = $(filter-out $(long_with_sanitizers), $(longest_first))
memory_programs = $(filter-out $(long_with_sanitizers) $(LONG_TESTS), $(check_PROGRAMS))
check-memory:
	@$(MAKE) $(AM_MAKEFLAGS) check-these these_programs='$(memory_programs)' these_tests='$(memory_tests)'
.PHONY: check-memory

# The short check's part of distcheck: whether what was built and installed works at all.
smoke_tests = tests/fuzz/seeds.sh tests/unit/test_configuration_documents tests/unit/test_identify tests/unit/test_segmenter \
	tests/unit/test_store tests/service/test_conversation.py tests/service/test_fricidctl.py tests/service/test_lifecycle.py \
	tests/service/test_offline.py tests/service/test_repair.py
smoke_programs = $(fuzz_programs) $(filter tests/unit/%, $(smoke_tests))

# fricidd against real Comedi devices: started by ./quickstart kernel and by check_everything, outside of make.
EXTRA_DIST += tests/kernel/README.md tests/kernel/ask_again.py tests/kernel/boot tests/kernel/build_guest \
	tests/kernel/init tests/kernel/job.service tests/kernel/make_motions.py tests/kernel/no_sync.c tests/kernel/pack \
	tests/kernel/power_cuts.py tests/kernel/rig.py tests/kernel/rig/Kbuild tests/kernel/rig/fricid_rig.c \
	tests/kernel/run tests/kernel/start tests/kernel/test_boot.py tests/kernel/test_comedi_test.py tests/kernel/test_delay.py tests/kernel/test_faults.py \
	tests/kernel/test_rig.py tests/kernel/test_systemd.py tests/kernel/trespass.py

# The long statistical grids of the rooms, and the newcomer's two commands on a bare system.
EXTRA_DIST += tests/check_long tests/bare/run
LONG_TESTS += $(top_srcdir)/tests/service/long_soak
check-long: all
	@$(MAKE) $(AM_MAKEFLAGS) $(check_PROGRAMS)
	@$(AM_TESTS_ENVIRONMENT) bash $(top_srcdir)/tests/check_long $(LONG_TESTS) $(top_srcdir)/tests/bare/run
.PHONY: check-long

# Those that guard the figures, as many at a time as there are processors, the longest first: friction takes as long as
# all others together. The one of the ladder takes an hour by itself and stays with check-long.
longest_figures = tests/unit/long_friction tests/unit/long_friction_displacement
long_figures = $(longest_figures) $(filter-out $(longest_figures) tests/unit/long_ladder, $(filter tests/unit/%, $(LONG_TESTS)))
check-figures: all
	@$(MAKE) $(AM_MAKEFLAGS) $(long_figures)
	@$(AM_TESTS_ENVIRONMENT) TEST_TIMEOUT=7200 $(RUN_TEST) --jobs "$$(nproc)" $(long_figures)
.PHONY: check-figures

# make bench: times, not verdicts. SciPy may live in another Python than the tests'.
EXTRA_DIST += tests/bench/run
CLEANFILES += $(EXTRA_PROGRAMS) $(EXTRA_LIBRARIES)
benches: $(BENCHES)
bench: benches
	@PYTHON='$(PYTHON)' TOP_SRCDIR='$(abs_top_srcdir)' bash $(top_srcdir)/tests/bench/run $(BENCHES)
.PHONY: bench benches
