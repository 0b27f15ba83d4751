# SPDX-License-Identifier: GPL-3.0-or-later
# The science: records in, identifications out. A library of its own.
noinst_LIBRARIES += libidentify.a
libidentify_a_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS)
libidentify_a_CFLAGS = $(AM_CFLAGS) $(numbers_cflags)
# Files of loops, once for each width of vector: see motion/lanes.h.
libidentify_a_LIBADD = $(identify_loops)
libidentify_a_DEPENDENCIES = $(identify_loops)
identify_loops_sources = \
	daemon/identify/common/sample_pass_loops.c daemon/identify/common/sample_pass_loops.h \
	daemon/identify/decay/half_cycle_group_loops.c daemon/identify/decay/half_cycle_group_loops.h \
	daemon/identify/decay/half_cycle_pass_loops.c daemon/identify/decay/half_cycle_pass_loops.h \
	daemon/identify/decay/half_cycle_residual_loops.c daemon/identify/decay/half_cycle_residual_loops.h \
	daemon/identify/decay/half_cycle_pass_lanes.h \
	daemon/identify/decay/row_sums_loops.c daemon/identify/decay/row_sums_loops.h \
	daemon/identify/ladder/ladder_noise_loops.c daemon/identify/ladder/ladder_noise_loops.h \
	daemon/identify/ladder/ladder_pass_loops.c daemon/identify/ladder/ladder_pass_loops.h \
	daemon/identify/ladder/ladder_samples_loops.c daemon/identify/ladder/ladder_samples_loops.h \
	daemon/identify/ladder/ladder_term_loops.c daemon/identify/ladder/ladder_term_loops.h \
	daemon/identify/ladder/motion_series_loops.c daemon/identify/ladder/motion_series_loops.h \
	daemon/identify/loop/friction_pass_loops.c daemon/identify/loop/friction_pass_loops.h
EXTRA_LIBRARIES += libidentify_2.a libidentify_4.a libidentify_8.a
libidentify_2_a_SOURCES = $(identify_loops_sources)
libidentify_2_a_CPPFLAGS = $(libidentify_a_CPPFLAGS) -DLANES=2
libidentify_2_a_CFLAGS = $(libidentify_a_CFLAGS) $(lanes_2_cflags)
libidentify_4_a_SOURCES = $(identify_loops_sources)
libidentify_4_a_CPPFLAGS = $(libidentify_a_CPPFLAGS) -DLANES=4
libidentify_4_a_CFLAGS = $(libidentify_a_CFLAGS) $(lanes_4_cflags)
libidentify_8_a_SOURCES = $(identify_loops_sources)
libidentify_8_a_CPPFLAGS = $(libidentify_a_CPPFLAGS) -DLANES=8
libidentify_8_a_CFLAGS = $(libidentify_a_CFLAGS) $(lanes_8_cflags)
identify_loops = $(libidentify_2_a_OBJECTS)
if WIDE_VECTORS
identify_loops += $(libidentify_4_a_OBJECTS) $(libidentify_8_a_OBJECTS)
endif
libidentify_a_SOURCES = \
	daemon/identify/decay/bounded_step.c \
	daemon/identify/decay/bounded_step.h \
	daemon/identify/decay/coarse_record.c \
	daemon/identify/decay/coarse_record.h \
	daemon/identify/decay/conclusions.c \
	daemon/identify/decay/conclusions.h \
	daemon/identify/decay/covariance.c \
	daemon/identify/decay/covariance.h \
	daemon/identify/common/complex_number.h \
	daemon/identify/common/correlated_noise.h \
	daemon/identify/decay/decay_minimiser.c \
	daemon/identify/decay/decay_minimiser.h \
	daemon/identify/decay/fit_report.c \
	daemon/identify/decay/fit_report.h \
	daemon/identify/decay/fit_samples.c \
	daemon/identify/decay/fit_search.c \
	daemon/identify/decay/fit_values.c \
	daemon/identify/decay/fit_values.h \
	daemon/identify/decay/fitting.h \
	daemon/identify/decay/full_record_fit.c \
	daemon/identify/decay/normal_equations.h \
	daemon/identify/common/fisher_quantile.c \
	daemon/identify/common/fisher_quantile.h \
	daemon/identify/common/power_sums.c \
	daemon/identify/common/power_sums.h \
	daemon/identify/decay/quantisation.c \
	daemon/identify/decay/quantisation.h \
	daemon/identify/decay/residual_noise.c \
	daemon/identify/decay/residual_noise.h \
	daemon/identify/decay/residual_statistics.c \
	daemon/identify/decay/residual_statistics.h \
	daemon/identify/decay/row_sums.c \
	daemon/identify/decay/row_sums.h \
	daemon/identify/decay/rest_search.c \
	daemon/identify/decay/rest_search.h \
	daemon/identify/decay/rung_of_model.c \
	daemon/identify/decay/rung_of_model.h \
	daemon/identify/decay/scaled_record.c \
	daemon/identify/decay/scaled_record.h \
	daemon/identify/decay/starting_values.c \
	daemon/identify/decay/starting_values.h \
	daemon/identify/decay/swings.c \
	daemon/identify/decay/swings.h \
	daemon/identify/decay/decay_model.c \
	daemon/identify/decay/decay_model.h \
	daemon/identify/common/ar_model.c \
	daemon/identify/common/ar_model.h \
	daemon/identify/decay/decay_residuals.c \
	daemon/identify/decay/decay_residuals.h \
	daemon/identify/decay/damping_model.c \
	daemon/identify/decay/damping_model.h \
	daemon/identify/decay/decay_rows.c \
	daemon/identify/decay/decay_rows.h \
	daemon/identify/decay/decrement.c \
	daemon/identify/decay/decrement.h \
	daemon/identify/common/estimate.h \
	daemon/identify/decay/extrema_fit.c \
	daemon/identify/decay/extrema_fit.h \
	daemon/identify/decay/extremum.c \
	daemon/identify/decay/extremum.h \
	daemon/identify/decay/extremum_refine.c \
	daemon/identify/decay/extremum_refine.h \
	daemon/identify/decay/full_record_fit.h \
	daemon/identify/decay/full_record_result.h \
	daemon/identify/decay/half_cycle_residual.c \
	daemon/identify/decay/half_cycle_residual.h \
	daemon/identify/decay/half_cycle_group.c \
	daemon/identify/decay/half_cycle_group.h \
	daemon/identify/decay/half_cycle_pass.c \
	daemon/identify/decay/half_cycle_pass.h \
	daemon/identify/decay/half_cycle_walk.c \
	daemon/identify/decay/half_cycle_walk.h \
	daemon/identify/decay/identification.c \
	daemon/identify/decay/identification.h \
	daemon/identify/decay/identify.c \
	daemon/identify/decay/free_decay.c \
	daemon/identify/decay/free_decay.h \
	daemon/identify/decay/identify.h \
	daemon/identify/decay/identify_joint.c \
	daemon/identify/decay/identify_joint.h \
	daemon/identify/decay/identify_ladder.c \
	daemon/identify/decay/identify_ladder.h \
	daemon/identify/record_analysis.h \
	daemon/identify/decay/jacobsen_ayre.c \
	daemon/identify/decay/jacobsen_ayre.h \
	daemon/identify/decay/ladder_doubts.c \
	daemon/identify/decay/ladder_doubts.h \
	daemon/identify/decay/linear_decrement.c \
	daemon/identify/decay/linearity.c \
	daemon/identify/decay/linearity.h \
	daemon/identify/decay/linear_decrement.h \
	daemon/identify/decay/logarithmic_decrement.c \
	daemon/identify/decay/logarithmic_decrement.h \
	daemon/identify/decay/decay_scan.c \
	daemon/identify/decay/decay_scan.h \
	daemon/identify/decay/other_optima.c \
	daemon/identify/decay/other_optima.h \
	daemon/identify/decay/widening.c \
	daemon/identify/decay/widening.h \
	daemon/identify/decay/doubts.h \
	daemon/identify/decay/extrema_chain.c \
	daemon/identify/decay/extrema_chain.h \
	daemon/identify/decay/thinned_chain.c \
	daemon/identify/decay/disturbance.c \
	daemon/identify/decay/disturbance.h \
	daemon/identify/decay/disturbance_means.c \
	daemon/identify/decay/disturbance_means.h \
	daemon/identify/decay/drift.c \
	daemon/identify/decay/drift.h \
	daemon/identify/decay/extrema_drift.c \
	daemon/identify/decay/extrema_drift.h \
	daemon/identify/decay/amplitude_range.c \
	daemon/identify/decay/amplitude_range.h \
	daemon/identify/decay/amplitude_windows.c \
	daemon/identify/decay/amplitude_windows.h \
	daemon/identify/decay/uncertainty_budget.c \
	daemon/identify/decay/uncertainty_budget.h \
	daemon/identify/bounce/restitution.c \
	daemon/identify/bounce/restitution.h \
	daemon/identify/decay/model_choice.c \
	daemon/identify/decay/model_choice.h \
	daemon/identify/decay/model_fits.c \
	daemon/identify/decay/model_fits.h \
	daemon/identify/decay/decay_parameter.c \
	daemon/identify/decay/decay_parameter.h \
	daemon/identify/decay/main_figures.c \
	daemon/identify/decay/main_figures.h \
	daemon/identify/decay/physical.c \
	daemon/identify/decay/physical.h \
	daemon/identify/decay/record.h \
	daemon/identify/decay/rest_tail.c \
	daemon/identify/decay/rest_tail.h \
	daemon/identify/common/sample_pass.c \
	daemon/identify/common/sample_pass.h \
	daemon/identify/decay/single_decay.c \
	daemon/identify/decay/single_decay.h \
	daemon/identify/common/small_least_squares.c \
	daemon/identify/common/score_test.h \
	daemon/identify/common/sensor_steps.h \
	daemon/identify/common/student.h \
	daemon/identify/common/small_least_squares.h \
	daemon/identify/ladder/clock_leap.c \
	daemon/identify/ladder/clock_leap.h \
	daemon/identify/ladder/clock_steps.c \
	daemon/identify/ladder/clock_steps.h \
	daemon/identify/ladder/joint.c \
	daemon/identify/ladder/joint.h \
	daemon/identify/ladder/joint_channel.c \
	daemon/identify/ladder/joint_channel.h \
	daemon/identify/ladder/joint_contradiction.c \
	daemon/identify/ladder/joint_contradiction.h \
	daemon/identify/ladder/joint_fit.c \
	daemon/identify/ladder/joint_fit.h \
	daemon/identify/ladder/joint_spread.c \
	daemon/identify/ladder/joint_spread.h \
	daemon/identify/ladder/ladder_estimate.c \
	daemon/identify/ladder/ladder_estimate.h \
	daemon/identify/ladder/ladder.c \
	daemon/identify/ladder/ladder.h \
	daemon/identify/ladder/ladder_noise.c \
	daemon/identify/ladder/ladder_noise.h \
	daemon/identify/ladder/ladder_data.c \
	daemon/identify/ladder/ladder_data.h \
	daemon/identify/ladder/ladder_fit.c \
	daemon/identify/ladder/ladder_fit.h \
	daemon/identify/ladder/ladder_minimiser.c \
	daemon/identify/ladder/ladder_minimiser.h \
	daemon/identify/ladder/ladder_consistency.c \
	daemon/identify/ladder/ladder_consistency.h \
	daemon/identify/ladder/ladder_cycles.c \
	daemon/identify/ladder/ladder_cycles.h \
	daemon/identify/ladder/recorder_faults.c \
	daemon/identify/ladder/recorder_faults.h \
	daemon/identify/ladder/zero_drift.c \
	daemon/identify/ladder/zero_drift.h \
	daemon/identify/ladder/zero_steps.c \
	daemon/identify/ladder/ladder_samples.c \
	daemon/identify/ladder/ladder_samples.h \
	daemon/identify/ladder/ladder_pass.c \
	daemon/identify/ladder/ladder_pass.h \
	daemon/identify/ladder/ladder_start.c \
	daemon/identify/ladder/ladder_start.h \
	daemon/identify/ladder/motion_series.c \
	daemon/identify/ladder/ladder_motion.c \
	daemon/identify/ladder/ladder_motion.h \
	daemon/identify/ladder/ladder_reopen.c \
	daemon/identify/ladder/ladder_reopen.h \
	daemon/identify/ladder/earlier_releases.c \
	daemon/identify/ladder/earlier_releases.h \
	daemon/identify/ladder/ladder_comparison.c \
	daemon/identify/ladder/ladder_comparison.h \
	daemon/identify/ladder/ladder_term.c \
	daemon/identify/ladder/ladder_term.h \
	daemon/identify/ladder/motion_series.h \
	daemon/identify/ring_down/residual.c \
	daemon/identify/ring_down/residual.h \
	daemon/identify/ring_down/ring_down.c \
	daemon/identify/ring_down/ring_down_findings.h \
	daemon/identify/ring_down/ring_down_search.c \
	daemon/identify/ring_down/ring_down_search.h \
	daemon/identify/ring_down/ring_down_sensors.c \
	daemon/identify/ring_down/ring_down_sensors.h \
	daemon/identify/ring_down/ring_down_without_lines.c \
	daemon/identify/ring_down/ring_down_without_lines.h \
	daemon/identify/ring_down/ring_down_wide.c \
	daemon/identify/ring_down/ring_down_wide.h \
	daemon/identify/ring_down/ring_down.h \
	daemon/identify/ring_down/ring_down_mode.c \
	daemon/identify/ring_down/ring_down_mode.h \
	daemon/identify/ring_down/ring_down_words.c \
	daemon/identify/common/motion_unit.c \
	daemon/identify/common/motion_unit.h \
	daemon/identify/ring_down/backbone.c \
	daemon/identify/ring_down/backbone_beat.c \
	daemon/identify/ring_down/backbone.h \
	daemon/identify/ring_down/backbone_beat.h \
	daemon/identify/ring_down/mode_backbone.c \
	daemon/identify/ring_down/mode_backbone.h \
	daemon/identify/ring_down/mode_band.c \
	daemon/identify/ring_down/mode_band.h \
	daemon/identify/ring_down/smooth_law.c \
	daemon/identify/ring_down/smooth_law.h \
	daemon/identify/ring_down/ringing_spectrum.c \
	daemon/identify/ring_down/ringing_spectrum.h \
	daemon/identify/ring_down/spectral_modes.c \
	daemon/identify/ring_down/spectral_modes.h \
	daemon/identify/ring_down/spectral_band.c \
	daemon/identify/ring_down/spectral_band.h \
	daemon/identify/ring_down/microslip_figures.c \
	daemon/identify/ring_down/microslip_figures.h \
	daemon/identify/ring_down/blow.c \
	daemon/identify/ring_down/blow.h \
	daemon/identify/ring_down/blow_blocks.c \
	daemon/identify/ring_down/blow_blocks.h \
	daemon/identify/ring_down/copied_sensor.c \
	daemon/identify/ring_down/copied_sensor.h \
	daemon/identify/ring_down/left_lines.c \
	daemon/identify/ring_down/left_lines.h \
	daemon/identify/ring_down/calm_lines.c \
	daemon/identify/ring_down/calm_lines.h \
	daemon/identify/ring_down/steady_lines.c \
	daemon/identify/ring_down/steady_lines.h \
	daemon/identify/ring_down/dropout.c \
	daemon/identify/ring_down/dropout.h \
	daemon/identify/ring_down/hammer_contact.c \
	daemon/identify/ring_down/hammer_contact.h \
	daemon/identify/ring_down/knock.c \
	daemon/identify/ring_down/knock.h \
	daemon/identify/ring_down/knock_window.c \
	daemon/identify/ring_down/knock_window.h \
	daemon/identify/ring_down/undisturbed.c \
	daemon/identify/ring_down/undisturbed.h \
	daemon/identify/ring_down/untold_lines.c \
	daemon/identify/ring_down/untold_lines.h \
	daemon/identify/ring_down/unexplained_modes.c \
	daemon/identify/ring_down/unexplained_modes.h \
	daemon/identify/ring_down/explained_lines.c \
	daemon/identify/ring_down/explained_lines.h \
	daemon/identify/ring_down/wild_sample.c \
	daemon/identify/ring_down/wild_sample.h \
	daemon/identify/ring_down/without_modes.c \
	daemon/identify/ring_down/without_modes.h \
	daemon/identify/ring_down/sensed_blows.c \
	daemon/identify/ring_down/stretch.c \
	daemon/identify/ring_down/sensed_blows.h \
	daemon/identify/ring_down/stretch.h \
	daemon/identify/ring_down/baseband.c \
	daemon/identify/ring_down/baseband.h \
	daemon/identify/ring_down/deferred_correction.c \
	daemon/identify/ring_down/deferred_correction.h \
	daemon/identify/ring_down/law_curve.c \
	daemon/identify/ring_down/law_curve.h \
	daemon/identify/ring_down/law_doubt.c \
	daemon/identify/ring_down/law_doubt.h \
	daemon/identify/ring_down/law_fit.c \
	daemon/identify/ring_down/law_fit.h \
	daemon/identify/ring_down/law_correct.c \
	daemon/identify/ring_down/law_correct.h \
	daemon/identify/ring_down/law_fitting.c \
	daemon/identify/ring_down/law_fitting.h \
	daemon/identify/ring_down/mode_figures.c \
	daemon/identify/ring_down/mode_figures.h \
	daemon/identify/ring_down/mode_jump.c \
	daemon/identify/ring_down/mode_jump.h \
	daemon/identify/ring_down/mode_laws.c \
	daemon/identify/ring_down/mode_laws.h \
	daemon/identify/ring_down/slip_limit.c \
	daemon/identify/ring_down/slip_limit.h \
	daemon/identify/ring_down/law_start.c \
	daemon/identify/ring_down/law_start.h \
	daemon/identify/ring_down/microslip_law.c \
	daemon/identify/ring_down/microslip_law.h \
	daemon/identify/ring_down/macroslip_law.c \
	daemon/identify/ring_down/macroslip_search.c \
	daemon/identify/ring_down/macroslip_law.h \
	daemon/identify/ring_down/macroslip_search.h \
	daemon/identify/ring_down/macroslip_figures.c \
	daemon/identify/ring_down/macroslip_figures.h \
	daemon/identify/ring_down/joint_rates.c \
	daemon/identify/ring_down/joint_rates.h \
	daemon/identify/ring_down/mode_duration.c \
	daemon/identify/ring_down/mode_duration.h \
	daemon/identify/ring_down/mode_group_search.c \
	daemon/identify/ring_down/mode_group_search.h \
	daemon/identify/ring_down/mode_group.h \
	daemon/identify/ring_down/mode_pair.c \
	daemon/identify/ring_down/mode_pair.h \
	daemon/identify/ring_down/group_fitting.c \
	daemon/identify/ring_down/group_fitting.h \
	daemon/identify/ring_down/common_motion.c \
	daemon/identify/ring_down/common_motion.h \
	daemon/identify/ring_down/mode_separation.c \
	daemon/identify/ring_down/mode_separation.h \
	daemon/identify/ring_down/mode_sensors.c \
	daemon/identify/ring_down/mode_sensors.h \
	daemon/identify/ring_down/mode_fit.c \
	daemon/identify/ring_down/mode_fit.h \
	daemon/identify/ring_down/hilbert_joint.c \
	daemon/identify/ring_down/hilbert_joint.h \
	daemon/identify/ring_down/overlapping_bands.c \
	daemon/identify/ring_down/overlapping_bands.h \
	daemon/identify/ring_down/prediction.c \
	daemon/identify/ring_down/prediction.h \
	daemon/identify/ring_down/push.c \
	daemon/identify/ring_down/push.h \
	daemon/identify/ring_down/rectangle_search.c \
	daemon/identify/ring_down/rectangle_search.h \
	daemon/identify/ring_down/hilbert_route.c \
	daemon/identify/ring_down/hilbert_route.h \
	daemon/identify/ring_down/mode_simulation.c \
	daemon/identify/ring_down/mode_simulation.h \
	daemon/identify/ring_down/mode_motion.c \
	daemon/identify/ring_down/mode_motion.h \
	daemon/identify/ring_down/mode_repeats.c \
	daemon/identify/ring_down/mode_repeats.h \
	daemon/identify/common/instrument_estimate.c \
	daemon/identify/common/instrument_estimate.h \
	daemon/identify/ring_down/mode_pass.c \
	daemon/identify/ring_down/mode_pass.h \
	daemon/identify/ring_down/slow_flow.c \
	daemon/identify/ring_down/slow_flow.h \
	daemon/identify/ring_down/amplitude_law.h \
	daemon/identify/common/dense_cholesky.c \
	daemon/identify/common/dense_cholesky.h \
	daemon/identify/response/gain_parabola.c \
	daemon/identify/response/gain_parabola.h \
	daemon/identify/response/half_power.c \
	daemon/identify/response/half_power.h \
	daemon/identify/response/response_point.h \
	daemon/identify/response/second_peak.c \
	daemon/identify/response/second_peak.h \
	daemon/identify/curve/speed_curve.c \
	daemon/identify/curve/speed_curve.h \
	daemon/identify/curve/curve_choice.c \
	daemon/identify/curve/curve_choice.h \
	daemon/identify/curve/stribeck_fit.c \
	daemon/identify/curve/stribeck_fit.h \
	daemon/identify/common/unit_powers.c daemon/identify/common/unit_powers.h \
	daemon/identify/loop/contact_correction.c daemon/identify/loop/contact_correction.h \
	daemon/identify/loop/contact_settings.h \
	daemon/identify/loop/local_cubic.c daemon/identify/loop/local_cubic.h \
	daemon/identify/loop/loop_stribeck.c daemon/identify/loop/loop_stribeck.h \
	daemon/identify/loop/loop_uncertainty.c daemon/identify/loop/loop_uncertainty.h \
	daemon/identify/loop/contact_force.c \
	daemon/identify/loop/contact_force.h \
	daemon/identify/loop/contact_motion.c \
	daemon/identify/loop/contact_motion.h \
	daemon/identify/loop/contact_path.c \
	daemon/identify/loop/contact_path.h \
	daemon/identify/loop/friction_bent_walk.c \
	daemon/identify/loop/friction_bent_walk.h \
	daemon/identify/loop/friction_bounds.c \
	daemon/identify/loop/friction_bounds.h \
	daemon/identify/loop/friction_climb.c \
	daemon/identify/loop/friction_climb.h \
	daemon/identify/loop/friction_beside.c \
	daemon/identify/loop/friction_beside.h \
	daemon/identify/loop/friction_doubt.c \
	daemon/identify/loop/friction_doubt.h \
	daemon/identify/loop/friction_dropped_dip.c \
	daemon/identify/loop/friction_dropped_dip.h \
	daemon/identify/loop/friction_exponent.c \
	daemon/identify/loop/friction_exponent.h \
	daemon/identify/loop/friction_knowledge.c \
	daemon/identify/loop/friction_knowledge.h \
	daemon/identify/loop/friction_projection.c \
	daemon/identify/loop/friction_projection.h \
	daemon/identify/loop/friction_quantity.c \
	daemon/identify/loop/friction_quantity.h \
	daemon/identify/loop/friction_weights.c \
	daemon/identify/loop/friction_weights.h \
	daemon/identify/loop/friction_weighing.c \
	daemon/identify/loop/friction_whitened.c daemon/identify/loop/friction_whitened.h \
	daemon/identify/loop/friction_weighing.h \
	daemon/identify/loop/friction_conclusions.c \
	daemon/identify/loop/friction_conclusions.h \
	daemon/identify/loop/friction_figure.c \
	daemon/identify/loop/friction_figure.h \
	daemon/identify/loop/friction_offsets.c \
	daemon/identify/loop/friction_offsets.h \
	daemon/identify/loop/friction_onset.h \
	daemon/identify/loop/friction_one_frequency.c \
	daemon/identify/loop/friction_one_frequency.h \
	daemon/identify/loop/friction_one_speed.c \
	daemon/identify/loop/friction_one_speed.h \
	daemon/identify/loop/friction_fit.c \
	daemon/identify/loop/friction_fit.h \
	daemon/identify/loop/friction_gain.c \
	daemon/identify/loop/friction_gain.h \
	daemon/identify/loop/friction_gap_walk.c \
	daemon/identify/loop/friction_gap_walk.h \
	daemon/identify/loop/friction_slip_walk.c \
	daemon/identify/loop/friction_slip_walk.h \
	daemon/identify/loop/loop_limits.c \
	daemon/identify/loop/loop_limits.h \
	daemon/identify/loop/loop_parts.c \
	daemon/identify/loop/loop_parts.h \
	daemon/identify/loop/loop_pieces.c \
	daemon/identify/loop/loop_pieces.h \
	daemon/identify/loop/loop_stillness.c \
	daemon/identify/loop/loop_stillness.h \
	daemon/identify/loop/friction_ladder.c \
	daemon/identify/loop/friction_ladder.h \
	daemon/identify/loop/ladder_excerpt.c daemon/identify/loop/ladder_excerpt.h \
	daemon/identify/loop/friction_misfit.c \
	daemon/identify/loop/friction_misfit.h \
	daemon/identify/loop/friction_model.c \
	daemon/identify/loop/friction_model.h \
	daemon/identify/loop/friction_motion.c \
	daemon/identify/loop/friction_motion.h \
	daemon/identify/loop/friction_motions.c \
	daemon/identify/loop/friction_pass.c \
	daemon/identify/loop/friction_pass.h \
	daemon/identify/loop/friction_rung.h \
	daemon/identify/loop/friction_search.c \
	daemon/identify/loop/friction_search.h \
	daemon/identify/loop/friction_search_slip.c \
	daemon/identify/loop/friction_shape.c \
	daemon/identify/loop/friction_shape.h \
	daemon/identify/loop/friction_shaking.c \
	daemon/identify/loop/friction_shaking.h \
	daemon/identify/loop/friction_smooth.c \
	daemon/identify/loop/friction_start.c \
	daemon/identify/loop/friction_start.h \
	daemon/identify/loop/friction_stop.c \
	daemon/identify/loop/friction_stop.h \
	daemon/identify/loop/friction_term.c \
	daemon/identify/loop/friction_term.h \
	daemon/identify/loop/friction_unseen.c \
	daemon/identify/loop/friction_unseen.h \
	daemon/identify/loop/friction_walk.h \
	daemon/identify/loop/loop.c \
	daemon/identify/loop/loop.h \
	daemon/identify/loop/latest_loop.c daemon/identify/loop/latest_loop.h \
	daemon/identify/loop/loop_figures.c \
	daemon/identify/loop/loop_figures.h \
	daemon/identify/loop/loop_corner.c \
	daemon/identify/loop/loop_corner.h \
	daemon/identify/loop/loop_crest.c \
	daemon/identify/loop/loop_crest.h \
	daemon/identify/loop/loop_evidence.c \
	daemon/identify/loop/loop_evidence.h \
	daemon/identify/loop/loop_extremes.c \
	daemon/identify/loop/loop_extremes.h \
	daemon/identify/loop/loop_blunt.c \
	daemon/identify/loop/loop_blunt.h \
	daemon/identify/loop/loop_between.c \
	daemon/identify/loop/loop_between.h \
	daemon/identify/loop/loop_repeat.c \
	daemon/identify/loop/loop_repeat.h \
	daemon/identify/loop/loop_rest.c \
	daemon/identify/loop/loop_rest.h \
	daemon/identify/loop/loop_reversal.c \
	daemon/identify/loop/loop_reversal.h \
	daemon/identify/loop/loop_turn.h \
	daemon/identify/loop/loop_vertex.c \
	daemon/identify/loop/loop_vertex.h \
	daemon/identify/loop/loop_window.c \
	daemon/identify/loop/loop_window.h \
	daemon/identify/loop/simulation.c daemon/identify/loop/simulation.h \
	daemon/identify/loop/loop_run.c \
	daemon/identify/loop/loop_run.h \
	daemon/identify/loop/loop_signal.c \
	daemon/identify/loop/loop_speed.c \
	daemon/identify/loop/loop_speed.h \
	daemon/identify/loop/loop_signal.h \
	daemon/identify/ring_down/joint_motion.c \
	daemon/identify/ring_down/joint_motion.h \
	daemon/identify/ring_down/modal_iwan.c \
	daemon/identify/ring_down/modal_iwan.h \
	daemon/identify/decay/static_friction.c \
	daemon/identify/decay/static_friction.h \
	daemon/identify/decay/swing_line.c \
	daemon/identify/decay/swing_line.h \
	daemon/identify/decay/trace.c \
	daemon/identify/decay/trace.h \
	daemon/identify/decay/turning_points.c \
	daemon/identify/decay/turning_points.h \
	daemon/identify/common/verdict.c \
	daemon/identify/decay/window_drifts.c \
	daemon/identify/decay/window_drifts.h \
	daemon/identify/decay/swing_list.c \
	daemon/identify/decay/swing_list.h

if HAVE_CHECK
check_PROGRAMS += tests/unit/test_decay_model
TESTS += tests/unit/test_decay_model
tests_unit_test_decay_model_SOURCES = tests/unit/test_decay_model.c
tests_unit_test_decay_model_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_decay_model_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_decay_grid
TESTS += tests/unit/test_decay_grid
tests_unit_test_decay_grid_SOURCES = tests/unit/test_decay_grid.c tests/unit/closed_form_decay.h
tests_unit_test_decay_grid_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_decay_grid_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_fit_effort
TESTS += tests/unit/test_fit_effort
tests_unit_test_fit_effort_SOURCES = tests/unit/test_fit_effort.c tests/unit/closed_form_decay.h
tests_unit_test_fit_effort_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_fit_effort_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=free
tests_unit_test_fit_effort_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/long_decay_grid
LONG_TESTS += tests/unit/long_decay_grid
tests_unit_long_decay_grid_SOURCES = tests/unit/long_decay_grid.c tests/unit/closed_form_decay.h
tests_unit_long_decay_grid_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_decay_grid_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_half_cycle_pass
TESTS += tests/unit/test_half_cycle_pass
tests_unit_test_half_cycle_pass_SOURCES = tests/unit/test_half_cycle_pass.c tests/unit/closed_form_decay.h
tests_unit_test_half_cycle_pass_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_half_cycle_pass_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_decay_rows
TESTS += tests/unit/test_decay_rows
tests_unit_test_decay_rows_SOURCES = tests/unit/test_decay_rows.c tests/unit/closed_form_decay.h
tests_unit_test_decay_rows_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_decay_rows_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

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
tests_unit_test_extrema_chain_SOURCES = tests/unit/test_extrema_chain.c tests/unit/closed_form_decay.h
tests_unit_test_extrema_chain_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_extrema_chain_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_disturbance
TESTS += tests/unit/test_disturbance
tests_unit_test_disturbance_SOURCES = tests/unit/test_disturbance.c tests/unit/closed_form_decay.h
tests_unit_test_disturbance_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_disturbance_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/unit/test_earlier_releases
TESTS += tests/unit/test_earlier_releases
tests_unit_test_earlier_releases_SOURCES = tests/unit/test_earlier_releases.c
tests_unit_test_earlier_releases_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_earlier_releases_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
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

check_PROGRAMS += tests/unit/long_budget
LONG_TESTS += tests/unit/long_budget
tests_unit_long_budget_SOURCES = tests/unit/long_budget.c tests/unit/closed_form_decay.h
tests_unit_long_budget_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_budget_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/unit/test_budget_coverage
TESTS += tests/unit/test_budget_coverage
tests_unit_test_budget_coverage_SOURCES = tests/unit/test_budget_coverage.c tests/unit/closed_form_decay.h \
	tests/unit/integrated_decay.h
tests_unit_test_budget_coverage_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_budget_coverage_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

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

check_PROGRAMS += tests/unit/test_half_power
TESTS += tests/unit/test_half_power
tests_unit_test_half_power_SOURCES = tests/unit/test_half_power.c
tests_unit_test_half_power_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_half_power_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_loop_instruments
TESTS += tests/unit/test_loop_instruments
tests_unit_test_loop_instruments_SOURCES = tests/unit/test_loop_instruments.c
tests_unit_test_loop_instruments_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_loop_instruments_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_speed_curve
TESTS += tests/unit/test_speed_curve
tests_unit_test_speed_curve_SOURCES = tests/unit/test_speed_curve.c
tests_unit_test_speed_curve_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_speed_curve_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_contact_motion tests/unit/test_friction_model tests/unit/test_loop
TESTS += tests/unit/test_contact_motion tests/unit/test_friction_model tests/unit/test_loop
tests_unit_test_contact_motion_SOURCES = tests/unit/test_contact_motion.c
tests_unit_test_contact_motion_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_contact_motion_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_friction_model_SOURCES = tests/unit/test_friction_model.c
tests_unit_test_friction_model_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_friction_model_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/unit/long_friction tests/unit/long_friction_displacement
LONG_TESTS += tests/unit/long_friction tests/unit/long_friction_displacement
tests_unit_long_friction_SOURCES = tests/unit/long_friction.c tests/unit/friction_campaign.c tests/unit/friction_campaign.h
tests_unit_long_friction_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_friction_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_long_friction_displacement_SOURCES = tests/unit/long_friction_displacement.c tests/unit/friction_campaign.c tests/unit/friction_campaign.h
tests_unit_long_friction_displacement_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_friction_displacement_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_displacement_noise tests/unit/test_friction_beside tests/unit/test_friction_cancel tests/unit/test_friction_doubt tests/unit/test_friction_exact tests/unit/test_friction_fit tests/unit/test_friction_gms tests/unit/test_friction_joint tests/unit/test_friction_measured tests/unit/test_friction_slip_dip tests/unit/test_ladder_excerpt tests/unit/test_loop_pieces
TESTS += tests/unit/test_displacement_noise tests/unit/test_friction_beside tests/unit/test_friction_cancel tests/unit/test_friction_doubt tests/unit/test_friction_exact tests/unit/test_friction_fit tests/unit/test_friction_gms tests/unit/test_friction_joint tests/unit/test_friction_measured tests/unit/test_friction_slip_dip tests/unit/test_ladder_excerpt tests/unit/test_loop_pieces
tests_unit_test_displacement_noise_SOURCES = tests/unit/test_displacement_noise.c tests/unit/driven_contact.c tests/unit/driven_contact.h
tests_unit_test_displacement_noise_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_displacement_noise_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_friction_beside_SOURCES = tests/unit/test_friction_beside.c tests/unit/driven_contact.c tests/unit/driven_contact.h tests/unit/friction_campaign.c tests/unit/friction_campaign.h
tests_unit_test_friction_beside_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_friction_beside_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_friction_gms_SOURCES = tests/unit/test_friction_gms.c tests/unit/driven_contact.c tests/unit/driven_contact.h
tests_unit_test_friction_gms_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_friction_gms_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_friction_measured_SOURCES = tests/unit/test_friction_measured.c
tests_unit_test_friction_measured_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_friction_measured_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_friction_slip_dip_SOURCES = tests/unit/test_friction_slip_dip.c
tests_unit_test_friction_slip_dip_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_friction_slip_dip_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_ladder_excerpt_SOURCES = tests/unit/test_ladder_excerpt.c
tests_unit_test_ladder_excerpt_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ladder_excerpt_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_loop_pieces_SOURCES = tests/unit/test_loop_pieces.c tests/unit/driven_contact.c tests/unit/driven_contact.h
tests_unit_test_loop_pieces_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_loop_pieces_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_friction_cancel_SOURCES = tests/unit/test_friction_cancel.c tests/unit/driven_contact.c tests/unit/driven_contact.h
tests_unit_test_friction_cancel_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_friction_cancel_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_friction_joint_SOURCES = tests/unit/test_friction_joint.c tests/unit/driven_contact.c tests/unit/driven_contact.h
tests_unit_test_friction_joint_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_friction_joint_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_friction_doubt_SOURCES = tests/unit/test_friction_doubt.c tests/unit/driven_contact.c tests/unit/driven_contact.h
tests_unit_test_friction_doubt_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_friction_doubt_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_friction_exact_SOURCES = tests/unit/test_friction_exact.c tests/unit/driven_contact.c tests/unit/driven_contact.h
tests_unit_test_friction_exact_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_friction_exact_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_friction_fit_SOURCES = tests/unit/test_friction_fit.c tests/unit/driven_contact.c tests/unit/driven_contact.h
tests_unit_test_friction_fit_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_friction_fit_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
tests_unit_test_loop_SOURCES = tests/unit/test_loop.c
tests_unit_test_loop_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_loop_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_ladder
TESTS += tests/unit/test_ladder
tests_unit_test_ladder_SOURCES = tests/unit/test_ladder.c
tests_unit_test_ladder_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ladder_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_recorder_faults
TESTS += tests/unit/test_recorder_faults
tests_unit_test_recorder_faults_SOURCES = tests/unit/test_recorder_faults.c
tests_unit_test_recorder_faults_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_recorder_faults_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/long_ladder
LONG_TESTS += tests/unit/long_ladder
tests_unit_long_ladder_SOURCES = tests/unit/long_ladder.c
tests_unit_long_ladder_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_ladder_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_joint
TESTS += tests/unit/test_joint
tests_unit_test_joint_SOURCES = tests/unit/test_joint.c
tests_unit_test_joint_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_joint_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/long_joint
LONG_TESTS += tests/unit/long_joint
tests_unit_long_joint_SOURCES = tests/unit/long_joint.c
tests_unit_long_joint_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_joint_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_ladder_doubts
TESTS += tests/unit/test_ladder_doubts
tests_unit_test_ladder_doubts_SOURCES = tests/unit/test_ladder_doubts.c
tests_unit_test_ladder_doubts_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ladder_doubts_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/unit/test_ladder_short
TESTS += tests/unit/test_ladder_short
tests_unit_test_ladder_short_SOURCES = tests/unit/test_ladder_short.c
tests_unit_test_ladder_short_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ladder_short_LDADD = $(TEST_HELPERS) $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_ladder_measured
TESTS += tests/unit/test_ladder_measured
tests_unit_test_ladder_measured_SOURCES = tests/unit/test_ladder_measured.c
tests_unit_test_ladder_measured_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ladder_measured_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_ladder_motion
TESTS += tests/unit/test_ladder_motion
tests_unit_test_ladder_motion_SOURCES = tests/unit/test_ladder_motion.c
tests_unit_test_ladder_motion_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ladder_motion_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_modal_iwan
TESTS += tests/unit/test_modal_iwan
tests_unit_test_modal_iwan_SOURCES = tests/unit/test_modal_iwan.c
tests_unit_test_modal_iwan_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_modal_iwan_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_baseband
TESTS += tests/unit/test_baseband
tests_unit_test_baseband_SOURCES = tests/unit/test_baseband.c
tests_unit_test_baseband_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_baseband_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_slow_flow
TESTS += tests/unit/test_slow_flow
tests_unit_test_slow_flow_SOURCES = tests/unit/test_slow_flow.c tests/unit/ring_down_bench.h
tests_unit_test_slow_flow_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_slow_flow_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_hilbert_joint
TESTS += tests/unit/test_hilbert_joint
tests_unit_test_hilbert_joint_SOURCES = tests/unit/test_hilbert_joint.c
tests_unit_test_hilbert_joint_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_hilbert_joint_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_law_fit
TESTS += tests/unit/test_law_fit
tests_unit_test_law_fit_SOURCES = tests/unit/test_law_fit.c tests/unit/ring_down_bench.h
tests_unit_test_law_fit_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_law_fit_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/long_ring_down
LONG_TESTS += tests/unit/long_ring_down
tests_unit_long_ring_down_SOURCES = tests/unit/long_ring_down.c tests/unit/backbone_reading.h tests/unit/ring_down_bench.h
tests_unit_long_ring_down_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_long_ring_down_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_backbone
TESTS += tests/unit/test_backbone
tests_unit_test_backbone_SOURCES = tests/unit/test_backbone.c tests/unit/backbone_reading.h tests/unit/ring_down_bench.h
tests_unit_test_backbone_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_backbone_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_fisher_quantile
TESTS += tests/unit/test_fisher_quantile
tests_unit_test_fisher_quantile_SOURCES = tests/unit/test_fisher_quantile.c
tests_unit_test_fisher_quantile_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_fisher_quantile_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_blow
TESTS += tests/unit/test_blow
tests_unit_test_blow_SOURCES = tests/unit/test_blow.c tests/unit/struck_structure.h
tests_unit_test_blow_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_blow_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_macroslip
TESTS += tests/unit/test_macroslip
tests_unit_test_macroslip_SOURCES = tests/unit/test_macroslip.c tests/unit/ring_down_bench.h
tests_unit_test_macroslip_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_macroslip_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_disturbed_ring_down
TESTS += tests/unit/test_disturbed_ring_down
tests_unit_test_disturbed_ring_down_SOURCES = tests/unit/test_disturbed_ring_down.c tests/unit/struck_joint.h
tests_unit_test_disturbed_ring_down_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_disturbed_ring_down_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
check_PROGRAMS += tests/unit/test_double_hit
TESTS += tests/unit/test_double_hit
tests_unit_test_double_hit_SOURCES = tests/unit/test_double_hit.c tests/unit/struck_joint.h
tests_unit_test_double_hit_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_double_hit_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_steady_lines
TESTS += tests/unit/test_steady_lines
tests_unit_test_steady_lines_SOURCES = tests/unit/test_steady_lines.c
tests_unit_test_steady_lines_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_steady_lines_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_explained_lines
TESTS += tests/unit/test_explained_lines
tests_unit_test_explained_lines_SOURCES = tests/unit/test_explained_lines.c
tests_unit_test_explained_lines_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_explained_lines_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_spectral_modes
TESTS += tests/unit/test_spectral_modes
tests_unit_test_spectral_modes_SOURCES = tests/unit/test_spectral_modes.c tests/unit/struck_structure.h tests/unit/ring_down_bench.h
tests_unit_test_spectral_modes_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_spectral_modes_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_microslip_figures
TESTS += tests/unit/test_microslip_figures
tests_unit_test_microslip_figures_SOURCES = tests/unit/test_microslip_figures.c tests/unit/ring_down_bench.h
tests_unit_test_microslip_figures_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_microslip_figures_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_mode_fit
TESTS += tests/unit/test_mode_fit
tests_unit_test_mode_fit_SOURCES = tests/unit/test_mode_fit.c
tests_unit_test_mode_fit_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_mode_fit_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_ring_down_sensors
TESTS += tests/unit/test_ring_down_sensors
tests_unit_test_ring_down_sensors_SOURCES = tests/unit/test_ring_down_sensors.c tests/unit/struck_joint.h
tests_unit_test_ring_down_sensors_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ring_down_sensors_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_ring_down
TESTS += tests/unit/test_ring_down
tests_unit_test_ring_down_SOURCES = tests/unit/test_ring_down.c tests/unit/struck_joint.h tests/unit/struck_record.h
tests_unit_test_ring_down_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ring_down_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)
# The tests say what becomes of what is looked for behind a law.
tests_unit_test_ring_down_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=mode_backbone -Wl,--wrap=mode_laws_limit \
	-Wl,--wrap=mode_shape_of -Wl,--wrap=mode_laws_of -Wl,--wrap=mode_pair_of

check_PROGRAMS += tests/unit/test_ring_down_records
TESTS += tests/unit/test_ring_down_records
tests_unit_test_ring_down_records_SOURCES = tests/unit/test_ring_down_records.c tests/unit/struck_joint.h \
	tests/unit/struck_record.h
tests_unit_test_ring_down_records_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ring_down_records_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_mode_repeats
TESTS += tests/unit/test_mode_repeats
tests_unit_test_mode_repeats_SOURCES = tests/unit/test_mode_repeats.c
tests_unit_test_mode_repeats_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_mode_repeats_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_short_ring_down
TESTS += tests/unit/test_short_ring_down
tests_unit_test_short_ring_down_SOURCES = tests/unit/test_short_ring_down.c tests/unit/struck_joint.h \
	tests/unit/struck_record.h
tests_unit_test_short_ring_down_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_short_ring_down_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

check_PROGRAMS += tests/unit/test_ring_down_measured
TESTS += tests/unit/test_ring_down_measured
tests_unit_test_ring_down_measured_SOURCES = tests/unit/test_ring_down_measured.c tests/unit/backbone_reading.h
tests_unit_test_ring_down_measured_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_ring_down_measured_LDADD = $(IDENTIFY_LIBS) $(CHECK_LIBS)

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
EXTRA_PROGRAMS += tests/bench/bench_friction
BENCHES += tests/bench/bench_friction
EXTRA_DIST += tests/bench/scipy_friction.py
tests_bench_bench_friction_SOURCES = tests/bench/bench_friction.c tests/bench/fit_peers.c tests/bench/fit_peers.h
tests_bench_bench_friction_CPPFLAGS = $(tests_bench_bench_fit_CPPFLAGS)
tests_bench_bench_friction_LDADD = $(tests_bench_bench_fit_LDADD)

EXTRA_PROGRAMS += tests/bench/bench_ladder
BENCHES += tests/bench/bench_ladder
EXTRA_DIST += tests/bench/scipy_ladder.py
tests_bench_bench_ladder_SOURCES = tests/bench/bench_ladder.c tests/bench/fit_peers.c tests/bench/fit_peers.h
tests_bench_bench_ladder_CPPFLAGS = $(tests_bench_bench_fit_CPPFLAGS) $(CHECK_CFLAGS)
tests_bench_bench_ladder_LDADD = $(TEST_HELPERS) $(tests_bench_bench_fit_LDADD) $(CHECK_LIBS)
EXTRA_PROGRAMS += tests/bench/bench_ring_down
BENCHES += tests/bench/bench_ring_down
EXTRA_DIST += tests/bench/scipy_ring_down.py
tests_bench_bench_ring_down_SOURCES = tests/bench/bench_ring_down.c tests/bench/fit_peers.c tests/bench/fit_peers.h
tests_bench_bench_ring_down_CPPFLAGS = $(tests_bench_bench_fit_CPPFLAGS)
tests_bench_bench_ring_down_LDADD = $(tests_bench_bench_fit_LDADD)
