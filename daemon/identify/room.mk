# SPDX-License-Identifier: GPL-3.0-or-later
# The science: records in, identifications out. A library of its own.
noinst_LIBRARIES += libidentify.a
libidentify_a_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS)
libidentify_a_SOURCES = \
	daemon/identify/bounded_step.c \
	daemon/identify/bounded_step.h \
	daemon/identify/coarse_record.c \
	daemon/identify/coarse_record.h \
	daemon/identify/covariance.c \
	daemon/identify/covariance.h \
	daemon/identify/correlated_noise.h \
	daemon/identify/decay_minimiser.c \
	daemon/identify/decay_minimiser.h \
	daemon/identify/fit_report.c \
	daemon/identify/fit_report.h \
	daemon/identify/fit_samples.c \
	daemon/identify/fit_search.c \
	daemon/identify/fit_values.c \
	daemon/identify/fit_values.h \
	daemon/identify/fitting.h \
	daemon/identify/full_record_fit.c \
	daemon/identify/normal_equations.h \
	daemon/identify/power_sums.c \
	daemon/identify/power_sums.h \
	daemon/identify/quantisation.c \
	daemon/identify/quantisation.h \
	daemon/identify/residual_noise.c \
	daemon/identify/residual_noise.h \
	daemon/identify/residual_statistics.c \
	daemon/identify/residual_statistics.h \
	daemon/identify/row_lanes.h \
	daemon/identify/row_sums.c \
	daemon/identify/row_sums.h \
	daemon/identify/rest_search.c \
	daemon/identify/rest_search.h \
	daemon/identify/scaled_record.c \
	daemon/identify/scaled_record.h \
	daemon/identify/starting_values.c \
	daemon/identify/starting_values.h \
	daemon/identify/swings.c \
	daemon/identify/swings.h \
	daemon/identify/decay_model.c \
	daemon/identify/decay_model.h \
	daemon/identify/ar_model.c \
	daemon/identify/ar_model.h \
	daemon/identify/closed_form_pass.c \
	daemon/identify/decay_block.h \
	daemon/identify/decay_pass.c \
	daemon/identify/decay_pass.h \
	daemon/identify/damping_model.c \
	daemon/identify/damping_model.h \
	daemon/identify/decay_rows.c \
	daemon/identify/decay_rows.h \
	daemon/identify/decrement.c \
	daemon/identify/decrement.h \
	daemon/identify/estimate.h \
	daemon/identify/extrema_fit.c \
	daemon/identify/extrema_fit.h \
	daemon/identify/extremum.c \
	daemon/identify/extremum.h \
	daemon/identify/extremum_refine.c \
	daemon/identify/extremum_refine.h \
	daemon/identify/full_record_fit.h \
	daemon/identify/half_cycle_group.c \
	daemon/identify/half_cycle_group.h \
	daemon/identify/half_cycle_group_lanes.h \
	daemon/identify/half_cycle_lanes.h \
	daemon/identify/half_cycle_pass.c \
	daemon/identify/half_cycle_pass.h \
	daemon/identify/half_cycle_walk.c \
	daemon/identify/half_cycle_walk.h \
	daemon/identify/identify.c \
	daemon/identify/identify.h \
	daemon/identify/lanes.h \
	daemon/identify/lanes_each.h \
	daemon/identify/jacobsen_ayre.c \
	daemon/identify/jacobsen_ayre.h \
	daemon/identify/linear_decrement.c \
	daemon/identify/linear_decrement.h \
	daemon/identify/logarithmic_decrement.c \
	daemon/identify/logarithmic_decrement.h \
	daemon/identify/decay_scan.c \
	daemon/identify/decay_scan.h \
	daemon/identify/rivals.c \
	daemon/identify/rivals.h \
	daemon/identify/widening.c \
	daemon/identify/widening.h \
	daemon/identify/extrema_chain.c \
	daemon/identify/extrema_chain.h \
	daemon/identify/thinned_chain.c \
	daemon/identify/disturbance.c \
	daemon/identify/disturbance.h \
	daemon/identify/drift.c \
	daemon/identify/drift.h \
	daemon/identify/extrema_drift.c \
	daemon/identify/extrema_drift.h \
	daemon/identify/amplitude_windows.c \
	daemon/identify/amplitude_windows.h \
	daemon/identify/uncertainty_budget.c \
	daemon/identify/uncertainty_budget.h \
	daemon/identify/restitution.c \
	daemon/identify/restitution.h \
	daemon/identify/model_choice.c \
	daemon/identify/model_choice.h \
	daemon/identify/decay_parameter.c \
	daemon/identify/decay_parameter.h \
	daemon/identify/physical.c \
	daemon/identify/physical.h \
	daemon/identify/record.h \
	daemon/identify/rest_tail.c \
	daemon/identify/rest_tail.h \
	daemon/identify/sample_lanes.h \
	daemon/identify/sample_pass.c \
	daemon/identify/sample_pass.h \
	daemon/identify/single_decay.c \
	daemon/identify/single_decay.h \
	daemon/identify/small_least_squares.c \
	daemon/identify/small_least_squares.h \
	daemon/identify/static_friction.c \
	daemon/identify/static_friction.h \
	daemon/identify/swing_line.c \
	daemon/identify/swing_line.h \
	daemon/identify/trace.c \
	daemon/identify/trace.h \
	daemon/identify/turning_points.c \
	daemon/identify/turning_points.h \
	daemon/identify/verdict.c \
	daemon/identify/zigzag.c \
	daemon/identify/zigzag.h

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_decay_model
TESTS += tests/unit/test_decay_model
tests_unit_test_decay_model_SOURCES = tests/unit/test_decay_model.c
tests_unit_test_decay_model_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_decay_model_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_decay_grid
TESTS += tests/unit/test_decay_grid
tests_unit_test_decay_grid_SOURCES = tests/unit/test_decay_grid.c tests/unit/decay_grid.c tests/unit/decay_grid.h \
	tests/unit/closed_form_decay.h
tests_unit_test_decay_grid_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_decay_grid_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_fit_effort
TESTS += tests/unit/test_fit_effort
tests_unit_test_fit_effort_SOURCES = tests/unit/test_fit_effort.c tests/unit/decay_grid.c tests/unit/decay_grid.h \
	tests/unit/closed_form_decay.h
tests_unit_test_fit_effort_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_fit_effort_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=free
tests_unit_test_fit_effort_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/long_decay_grid
LONG_TESTS += tests/unit/long_decay_grid
tests_unit_long_decay_grid_SOURCES = tests/unit/long_decay_grid.c tests/unit/decay_grid.c tests/unit/decay_grid.h \
	tests/unit/closed_form_decay.h
tests_unit_long_decay_grid_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_decay_grid_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_half_cycle_pass
TESTS += tests/unit/test_half_cycle_pass
tests_unit_test_half_cycle_pass_SOURCES = tests/unit/test_half_cycle_pass.c tests/unit/closed_form_decay.h
tests_unit_test_half_cycle_pass_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_half_cycle_pass_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_decay_pass
TESTS += tests/unit/test_decay_pass
tests_unit_test_decay_pass_SOURCES = tests/unit/test_decay_pass.c tests/unit/closed_form_decay.h
tests_unit_test_decay_pass_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_decay_pass_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_full_record_fit
TESTS += tests/unit/test_full_record_fit
tests_unit_test_full_record_fit_SOURCES = tests/unit/test_full_record_fit.c tests/unit/closed_form_decay.h
tests_unit_test_full_record_fit_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_full_record_fit_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_fit_statistics
TESTS += tests/unit/test_fit_statistics
tests_unit_test_fit_statistics_SOURCES = tests/unit/test_fit_statistics.c tests/unit/fit_statistics.h \
	tests/unit/closed_form_decay.h
tests_unit_test_fit_statistics_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_fit_statistics_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_coloured_noise
TESTS += tests/unit/test_coloured_noise
tests_unit_test_coloured_noise_SOURCES = tests/unit/test_coloured_noise.c tests/unit/fit_statistics.h \
	tests/unit/closed_form_decay.h
tests_unit_test_coloured_noise_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_coloured_noise_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_fit_measured
TESTS += tests/unit/test_fit_measured
tests_unit_test_fit_measured_SOURCES = tests/unit/test_fit_measured.c
tests_unit_test_fit_measured_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_fit_measured_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/long_full_record_fit
LONG_TESTS += tests/unit/long_full_record_fit
tests_unit_long_full_record_fit_SOURCES = tests/unit/long_full_record_fit.c tests/unit/fit_statistics.h \
	tests/unit/closed_form_decay.h
tests_unit_long_full_record_fit_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_full_record_fit_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_coverage
TESTS += tests/unit/test_coverage
tests_unit_test_coverage_SOURCES = tests/unit/test_coverage.c tests/unit/coverage_campaign.h \
	tests/unit/fit_statistics.h tests/unit/closed_form_decay.h
tests_unit_test_coverage_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_coverage_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/long_coverage
LONG_TESTS += tests/unit/long_coverage
tests_unit_long_coverage_SOURCES = tests/unit/long_coverage.c tests/unit/coverage_campaign.h \
	tests/unit/fit_statistics.h tests/unit/closed_form_decay.h
tests_unit_long_coverage_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_coverage_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_extrema_chain
TESTS += tests/unit/test_extrema_chain
tests_unit_test_extrema_chain_SOURCES = tests/unit/test_extrema_chain.c tests/unit/decay_grid.c \
	tests/unit/decay_grid.h tests/unit/closed_form_decay.h
tests_unit_test_extrema_chain_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_extrema_chain_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_disturbance
TESTS += tests/unit/test_disturbance
tests_unit_test_disturbance_SOURCES = tests/unit/test_disturbance.c tests/unit/closed_form_decay.h
tests_unit_test_disturbance_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_disturbance_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/unit/test_model_holds
TESTS += tests/unit/test_model_holds
tests_unit_test_model_holds_SOURCES = tests/unit/test_model_holds.c tests/unit/integrated_decay.h tests/unit/closed_form_decay.h
tests_unit_test_model_holds_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_model_holds_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_classical_methods
TESTS += tests/unit/test_classical_methods
tests_unit_test_classical_methods_SOURCES = tests/unit/test_classical_methods.c tests/unit/closed_form_decay.h
tests_unit_test_classical_methods_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_classical_methods_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_uncertainty_budget
TESTS += tests/unit/test_uncertainty_budget
tests_unit_test_uncertainty_budget_SOURCES = tests/unit/test_uncertainty_budget.c tests/unit/closed_form_decay.h
tests_unit_test_uncertainty_budget_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_uncertainty_budget_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_invariance tests/unit/test_degenerate_records
TESTS += tests/unit/test_invariance tests/unit/test_degenerate_records
tests_unit_test_degenerate_records_SOURCES = tests/unit/test_degenerate_records.c
tests_unit_test_degenerate_records_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_degenerate_records_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_invariance_SOURCES = tests/unit/test_invariance.c tests/unit/closed_form_decay.h
tests_unit_test_invariance_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_invariance_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_decrement
TESTS += tests/unit/test_decrement
tests_unit_test_decrement_SOURCES = tests/unit/test_decrement.c tests/unit/closed_form_decay.h
tests_unit_test_decrement_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_decrement_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_physical
TESTS += tests/unit/test_physical
tests_unit_test_physical_SOURCES = tests/unit/test_physical.c tests/unit/closed_form_decay.h
tests_unit_test_physical_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_physical_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_static_friction
TESTS += tests/unit/test_static_friction
tests_unit_test_static_friction_SOURCES = tests/unit/test_static_friction.c tests/unit/closed_form_decay.h
tests_unit_test_static_friction_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_static_friction_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_extrema_fit
TESTS += tests/unit/test_extrema_fit
tests_unit_test_extrema_fit_SOURCES = tests/unit/test_extrema_fit.c tests/unit/closed_form_decay.h
tests_unit_test_extrema_fit_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_extrema_fit_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_extremum
TESTS += tests/unit/test_extremum
tests_unit_test_extremum_SOURCES = tests/unit/test_extremum.c tests/unit/closed_form_decay.h
tests_unit_test_extremum_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_extremum_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_identify
TESTS += tests/unit/test_identify
tests_unit_test_identify_SOURCES = tests/unit/test_identify.c tests/unit/closed_form_decay.h
tests_unit_test_identify_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_identify_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
endif

# make bench: how long an identification takes, against what people use today. Not built otherwise.
EXTRA_PROGRAMS += tests/bench/bench_fit
BENCHES += tests/bench/bench_fit
EXTRA_DIST += daemon/identify/README.md tests/bench/scipy_fit.py
tests_bench_bench_fit_SOURCES = tests/bench/bench_fit.c tests/bench/bench_records.h tests/bench/fit_peers.c \
	tests/bench/fit_peers.h tests/unit/closed_form_decay.h
tests_bench_bench_fit_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit -I$(top_srcdir)/tests/bench $(GSL_CFLAGS) \
	$(CMINPACK_CFLAGS) $(FFTW_CFLAGS)
tests_bench_bench_fit_LDADD = $(IDENTIFY_LIBS) $(CMINPACK_LIBS) $(FFTW_LIBS)
