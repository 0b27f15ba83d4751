/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "made_result.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct estimate nothing(void)
{
    return (struct estimate){NAN, NAN, NAN, NAN, false, {0}};
}

static void fill_with_nan(double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
}

static struct full_record_fit made_fit(void)
{
    struct full_record_fit fit = {
        .verdict = VERDICT_OK,
        .model = DAMPING_VISCOUS_COULOMB,
        .shown = LADDER_BIT(LADDER_ZETA),
        .estimate[FIT_OMEGA_N] = nothing(),
        .f_n_hz = nothing(),
        .estimate[FIT_ZETA] = {0.0177, 0.0002, 0.0173, 0.0181, false, {true, 0.00036, 0.017, 0.0184}},
        .estimate[FIT_X_K] = {0.0, NAN, 0.0, 0.003, true, {true, 0.0025, 0.0, 0.0041}},
        .estimate[FIT_X0] = nothing(),
        .estimate[FIT_BIAS] = nothing(),
        .estimate[FIT_T0] = nothing(),
        .beta = 0.017703,
        .omega_d = NAN,
        .covariance_kind = "ar",
        .rms = 0.004,
        .sum_of_squares = 0.02,
        .r_squared = 0.999,
        .residual_lag1 = 0.1,
        .samples = 1700,
        .half_cycles = 18,
        .iterations = 7,
        .noise_density = NAN,
        .freedom = 1694,
        .bias_freedom = 1694,
        .effective_samples = 900,
        .likelihood_ratio[FIT_ZETA] = 7832.25,
        .likelihood_ratio[FIT_X_K] = 0};
    fill_with_nan(&fit.covariance[0][0], FIT_PARAMETERS * FIT_PARAMETERS);
    fill_with_nan(&fit.correlation[0][0], FIT_PARAMETERS * FIT_PARAMETERS);
    fit.covariance[FIT_ZETA][FIT_ZETA] = 4e-8;
    fit.correlation[FIT_ZETA][FIT_ZETA] = 1.0;
    return fit;
}

static struct drifts made_drifts(void)
{
    const struct drift drag = {true, {0.04, 0.002, 0.036, 0.044, false, {0}}, 0.05, 400.0, {0}};
    const struct drift cubic = {false, nothing(), NAN, NAN, {0}};
    return (struct drifts){VERDICT_OK, cubic, drag, NAN, NAN};
}

static struct uncertainty_budget made_budget(void)
{
    struct uncertainty_budget budget = {.stiffness = {1.02, 0.004, true}};
    for (size_t n = 0; n < BUDGET_QUANTITIES; n++)
        budget.line[n] = (struct budget_line){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    budget.line[BUDGET_ZETA] = (struct budget_line){0.0177, 0.0002, 0, 0.0003, 0.00036, INFINITY, 1.96, 0.0007};
    return budget;
}

static struct identification made_identification(void)
{
    struct identification found = {
        .verdict = VERDICT_OK,
        .recommended = RECOMMENDED_FIT,
        .fit = made_fit(),
        .extrema_fit =
            {.verdict = VERDICT_TOO_FEW_HALF_CYCLES, .f_n_hz = nothing(), .freedom = NAN, .rms = NAN, .extrema = 2},
        .decrement = {.verdict = VERDICT_TOO_FEW_HALF_CYCLES,
                      .zeta = {NAN, NAN, 0},
                      .x_k = {0.18, NAN, 1},
                      .delta = 0.01,
                      .beta = NAN,
                      .zeta_m = NAN,
                      .x_k_m = NAN,
                      .bound_beta = NAN,
                      .bound_x_k = NAN,
                      .bound_gamma = NAN},
        .models = {{DAMPING_VISCOUS, VERDICT_OK, -12.5, 0.02},
                   {DAMPING_COULOMB, VERDICT_NOT_CONVERGED, NAN, NAN},
                   {DAMPING_VISCOUS_COULOMB, VERDICT_OK, -20.25, 0.004}},
        .logarithmic_decrement = {VERDICT_OK, {0.018, 0.0003, 0.0174, 0.0186, false, {0}}, 0.113, 0.01, 17},
        .linear_decrement = {VERDICT_NOT_DECAYING, nothing(), NAN, NAN, 17},
        .jacobsen_ayre = {VERDICT_TOO_FEW_HALF_CYCLES, nothing(), nothing(), 0, 0},
        .choice = {.verdict = VERDICT_OK,
                   .terms = LADDER_BIT(LADDER_ZETA),
                   .likelihood_ratio = {[FIT_ZETA] = 7832.25},
                   .threshold = TERM_ENTERS},
        .drifts = made_drifts(),
        .windows = {.verdict = VERDICT_TOO_FEW_HALF_CYCLES},
        .doubts = {.damping_drift = true},
        .budget = made_budget(),
        .static_friction = {VERDICT_OK, 0.179, 0.454, 0.01, 0.454},
        .physical = {VERDICT_NOT_COMPUTED, nothing(), nothing(), nothing()},
        .rest = {NAN, NAN},
    };
    struct decrement_local *local = calloc(2, sizeof *local);
    ck_assert_ptr_nonnull(local);
    local[0] = (struct decrement_local){2, 0.0178, 0.0178, 0.18};
    local[1] = (struct decrement_local){3, NAN, NAN, NAN};
    found.decrement.local = local;
    found.decrement.local_count = 2;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        found.extrema_fit.estimate[p] = nothing();
    return found;
}

static struct kept_result *make(struct decay *decay, const char *rig, const char *channel, uint64_t id)
{
    ck_assert_ptr_nonnull(decay);
    decay->half_cycles = 19;
    decay->ended_by = DECAY_END_REST;
    decay->dropped_first_half_cycle = true;
    decay->rest = (struct rest_observation){NAN, NAN};
    struct decay_origin origin = {
        .source_kind = "simulated",
        .device = "simulated rig",
        .config_id = "0123456789abcdef",
        .unit = "mm",
        .sample_rate_hz = decay->record.time_s ? 0.0 : 1000.0,
        .delay_s = 2e-5,
        .time_error_s = decay->record.time_s ? 3.2e-4 : 0.0,
        .released_at_ns = 1795243531204518999,
        .physical = {.mass_kg = NAN, .stiffness_n_per_m = NAN, .gravity_m_per_s2 = 9.80665, .metres_per_unit = 1e-3}};
    snprintf(origin.rig, sizeof origin.rig, "%s", rig);
    snprintf(origin.channel, sizeof origin.channel, "%s", channel);
    struct kept_decay *kept = kept_decay_create(&origin, decay);
    ck_assert_ptr_nonnull(kept);
    kept->id = kept->run = id;
    struct identification found = made_identification();
    struct kept_result *result = kept_result_create(kept, 1, &found);
    ck_assert_ptr_nonnull(result);
    kept_decay_release(kept); /* the result has a reference of its own */
    return result;
}

static double *made_displacement(size_t samples)
{
    double *displacement = calloc(samples + 1, sizeof *displacement);
    ck_assert_ptr_nonnull(displacement);
    for (size_t i = 0; i < samples; i++)
        displacement[i] = 0.25 * (double)i;
    return displacement;
}

struct kept_result *made_result(const char *rig, const char *channel, uint64_t id, size_t samples)
{
    double *displacement = made_displacement(samples);
    struct decay *decay = decay_from_whole(displacement, NULL, NULL, samples, 7.5, 1e-3, 0.01);
    free(displacement);
    return make(decay, rig, channel, id);
}

struct kept_result *made_stamped_result(uint64_t id, size_t samples)
{
    double *displacement = made_displacement(samples), *time_s = made_displacement(samples);
    uint8_t *flags = calloc(samples + 1, 1);
    ck_assert_ptr_nonnull(flags);
    for (size_t i = 0; i < samples; i++)
        time_s[i] = 7.5 + (double)i * 1e-3 + (double)(i * i) * 1e-6;
    flags[1] = SAMPLE_CLIPPED;
    struct decay *decay = decay_from_whole(displacement, time_s, flags, samples, 7.5, 1e-3, 0.0);
    free(displacement);
    free(time_s);
    free(flags);
    return make(decay, "bench", "encoder", id);
}
