/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "closed_form_decay.h"
#include "identify/decay/identify.h"
#include "run_suite.h"

#include <pthread.h>
#include <string.h>

static const struct identify_settings no_settings = {
    .physical = {.mass_kg = NAN, .stiffness_n_per_m = NAN, .gravity_m_per_s2 = 9.80665, .metres_per_unit = NAN},
    .cancel = NULL};

static double cycle_of(const struct true_decay *truth)
{
    return 2 * M_PI / true_omega_d(truth);
}

static struct sampling sampled(const struct true_decay *truth, double per_cycle, double cycles, double phase)
{
    const double cycle = cycle_of(truth);
    return (struct sampling){
        .start_s = truth->t0 + phase * cycle, .period_s = cycle / per_cycle, .count = (size_t)(per_cycle * cycles)};
}

static gsl_rng *seeded(unsigned long seed)
{
    printf("seed %lu\n", seed);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    return rng;
}

/* Measures the decay and identifies it; the caller clears the identification. */
static void identify_truth(const struct true_decay *truth, const struct sampling *sampling, gsl_rng *rng,
                           struct identification *found)
{
    double *y = NULL;
    const struct decay_record record = measured_record(truth, sampling, rng, &y);
    const enum verdict verdict = identify(&record, NULL, &no_settings, found);
    ck_assert_int_eq(verdict, found->verdict);
    free(y);
}

/* Six samples a cycle are enough for the full record, and show no crest. */
START_TEST(extrema_between_few_samples_are_not_called_missing)
{
    const struct true_decay truth = {.omega_n = 31.4, .zeta = 0.01, .x_k = 0.005, .x0 = 1};
    struct sampling sampling = sampled(&truth, 6.2, 15, -0.3);
    sampling.noise = 0.003;
    gsl_rng *rng = seeded(19981);
    struct identification found;
    identify_truth(&truth, &sampling, rng, &found);
    ck_assert_int_eq(found.recommended, RECOMMENDED_FIT);
    ck_assert_double_eq_tol(found.fit.estimate[FIT_ZETA].value, 0.01, 5 * found.fit.estimate[FIT_ZETA].se);
    ck_assert_int_eq(found.extrema_fit.verdict, VERDICT_TOO_FEW_SAMPLES);
    ck_assert_int_eq(found.decrement.verdict, VERDICT_TOO_FEW_SAMPLES);
    identification_clear(&found);
    gsl_rng_free(rng);
}
END_TEST

START_TEST(every_section_agrees_on_exact_data)
{
    const struct true_decay truths[] = {
        {31.4, 0.02, 0.01, 0, 1, 0.1, 0}, {31.4, 0.1, 0.05, 0.05, -1, 0.3, 2}, {31.4, 0.05, 0.003, 0, 1, -4, 7}};
    for (size_t n = 0; n < 3; n++) {
        const struct true_decay *truth = &truths[n];
        const struct sampling sampling = sampled(truth, 100, 12, -0.2);
        struct identification found;
        identify_truth(truth, &sampling, NULL, &found);
        ck_assert_int_eq(found.verdict, VERDICT_OK);
        ck_assert_int_eq(found.recommended, RECOMMENDED_FIT);
        ck_assert_int_eq(found.extrema_fit.verdict, VERDICT_OK);
        ck_assert_int_eq(found.decrement.verdict, VERDICT_OK);
        const double zetas[] = {found.fit.estimate[FIT_ZETA].value, found.extrema_fit.estimate[FIT_ZETA].value,
                                found.decrement.zeta_m};
        const double x_ks[] = {found.fit.estimate[FIT_X_K].value, found.extrema_fit.estimate[FIT_X_K].value,
                               found.decrement.x_k_m};
        for (size_t k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(zetas[k] / truth->zeta, 1, k == 0 ? 1e-9 : 1e-7);
            ck_assert_double_eq_tol(x_ks[k] / truth->x_k, 1, k == 0 ? 1e-9 : 1e-7);
        }
        ck_assert_double_eq_tol(found.extrema_fit.estimate[FIT_OMEGA_N].value / truth->omega_n, 1, 1e-7);
        ck_assert_double_eq_tol(found.extrema_fit.estimate[FIT_X0].value / truth->x0, 1, 1e-7);
        ck_assert_int_eq(found.physical.verdict, VERDICT_NOT_COMPUTED);
        identification_clear(&found);
    }
}
END_TEST

/* A recording of two releases that is taken for one decay: whichever part the fit chose, it must not pass. */
START_TEST(two_releases_are_not_one_decay)
{
    gsl_rng *rng = seeded(20260722);
    const struct true_decay truth = {31.4, 0.02, 0.02, 0.03, 1, 0.1, 0};
    const struct sampling sampling = {.period_s = 1e-3, .count = 6000, .noise = 1e-3};
    double *y = malloc(2 * sampling.count * sizeof *y);
    ck_assert_ptr_nonnull(y);
    for (size_t i = 0; i < 2 * sampling.count; i++) {
        double t = (double)(i % sampling.count) * sampling.period_s - 1;
        y[i] = (t < 0 ? truth.bias + truth.x0 : true_displacement(&truth, t)) + gsl_ran_gaussian(rng, sampling.noise);
    }
    for (size_t releases = 1; releases <= 2; releases++) {
        const struct decay_record record = {.displacement = y,
                                            .count = releases * sampling.count,
                                            .period_s = sampling.period_s,
                                            .first_extremum_s = NAN};
        const struct identify_settings settings = {.physical = physical_default_settings()};
        struct identification found;
        identify(&record, NULL, &settings, &found);
        ck_assert_int_eq(found.verdict, releases == 1 ? VERDICT_OK : VERDICT_NOT_ONE_DECAY);
        ck_assert_int_eq(found.recommended, releases == 1 ? RECOMMENDED_FIT : RECOMMENDED_NONE);
        identification_clear(&found);
    }
    free(y);
    gsl_rng_free(rng);
}
END_TEST

/* x_s from the record's own tail at rest: the stop before zero is crossed, and static friction that holds early. */
START_TEST(the_tail_at_rest_brackets_static_friction)
{
    gsl_rng *rng = seeded(20260721);
    const struct true_decay truths[] = {{31.4, 0.1, 0.05, 0.05, 1, 0.3, 0},
                                        {31.4, 0.02, 0.02, 0.03, -1, 0.1, 1},
                                        {31.4, 0.02, 0.01, 0.1, 1, 0.1, 1},
                                        {31.4, 0, 0.03, 0.04, 1, 0, 0}};
    const double noises[] = {0, 1e-3, 5e-3, 0}, tails[] = {4, 4, 4, 0.8}; /* cycles */
    for (size_t t = 0; t < 4; t++)
        for (size_t n = 0; n < 4; n++) {
            const struct true_decay *truth = &truths[t];
            const size_t half_cycles = true_half_cycles(truth, 1000);
            struct sampling sampling = sampled(truth, 120, (double)half_cycles / 2 + tails[n], -0.2);
            sampling.noise = noises[n];
            struct identification found;
            identify_truth(truth, &sampling, rng, &found);
            ck_assert_int_eq(found.verdict, VERDICT_OK);
            ck_assert_int_eq(found.static_friction.verdict, VERDICT_OK);
            ck_assert_double_le(found.static_friction.x_s_min, truth->x_s + 1e-9);
            ck_assert_double_gt(found.static_friction.x_s_max, truth->x_s);
            if (noises[n] <= 0 && t == 0) {
                ck_assert_double_eq_tol(found.static_friction.x_s_min, 0.05, 1e-9);
                ck_assert_double_eq_tol(found.static_friction.x_s_max, 0.053786273, 1e-9);
            }
            ck_assert_double_eq_tol(found.fit.estimate[FIT_ZETA].value, truth->zeta, 6 * noises[n] + 1e-9);
            identification_clear(&found);
        }
    gsl_rng_free(rng);
}
END_TEST

/* A last half cycle that is small beside the ones before it is no part of the rest. */
START_TEST(the_rest_position_is_that_after_the_stop)
{
    gsl_rng *rng = seeded(20260723);
    const struct true_decay truths[] = {{31.4, 0.02, 0.01, 0, 1, 0.1, 0}, {31.4, 0.1, 0.05, 0, 1, 0.1, 0}};
    const double noises[] = {0, 1e-4, 1e-4, 5e-3, 5e-3};
    for (size_t t = 0; t < 2; t++)
        for (size_t n = 0; n < 5; n++) {
            const size_t half_cycles = true_half_cycles(&truths[t], 1000);
            struct sampling sampling = sampled(&truths[t], 200, (double)half_cycles / 2 + 4, 0);
            sampling.noise = noises[n];
            struct identification found;
            identify_truth(&truths[t], &sampling, rng, &found);
            const double rest = truths[t].bias + true_extremum(&truths[t], half_cycles, NULL);
            /* A cycle of 200 samples. */
            ck_assert_double_eq_tol(found.rest.position, rest, 5 * noises[n] / sqrt(200) + 1e-12);
            ck_assert_double_le(found.rest.se, 2 * noises[n] / sqrt(200) + 1e-12);
            identification_clear(&found);
        }
    gsl_rng_free(rng);
}
END_TEST

/* Whatever a flagged sample reads, wherever it stands behind the stop. */
START_TEST(a_flagged_sample_hides_no_rest)
{
    gsl_rng *rng = seeded(20260724);
    const struct true_decay truth = {31.4, 0.02, 0.01, 0, 1, 0.1, 0};
    const size_t half_cycles = true_half_cycles(&truth, 1000);
    struct sampling sampling = sampled(&truth, 200, (double)half_cycles / 2 + 4, 0);
    sampling.noise = 1e-4;
    const double rest = truth.bias + true_extremum(&truth, half_cycles, NULL);
    const double stop = (double)half_cycles * M_PI / true_omega_d(&truth) / sampling.period_s;
    for (int k = -5; k <= 5; k++) {
        double *y;
        const struct decay_record whole = measured_record(&truth, &sampling, rng, &y);
        unsigned char *flags = calloc(whole.count, 1);
        ck_assert_ptr_nonnull(flags);
        struct decay_record record = whole;
        const struct identify_settings settings = {.physical = physical_default_settings()};
        struct identification found;
        const size_t spike = (size_t)lround(stop) + (size_t)(5 + k);
        record.flags = flags;
        for (size_t later = spike; later < whole.count; later += 50) {
            flags[later] = SAMPLE_SPIKE;
            y[later] = k % 2 ? NAN : 1e300;
        }
        identify(&record, NULL, &settings, &found);
        ck_assert_double_eq_tol(found.rest.position, rest, 5 * sampling.noise / sqrt(200) + 1e-12);
        identification_clear(&found);
        free(flags);
        free(y);
    }
    gsl_rng_free(rng);
}
END_TEST

/* The slow end of a strongly damped motion, cut off at the stop, is no level. */
START_TEST(no_rest_in_the_last_swing)
{
    for (int n = 0; n < 60; n++) {
        const struct true_decay truth = {31.4, 0.3 + 0.004 * n, 0.01, 0.01, -1, -0.7, 100};
        const struct sampling sampling = sampled(&truth, 43, (double)true_half_cycles(&truth, 1000) / 2, 0);
        struct identification found;
        identify_truth(&truth, &sampling, NULL, &found);
        ck_assert(!isfinite(found.rest.position));
        identification_clear(&found);
    }
}
END_TEST

/* Viscous decay that sinks into the noise has not come to rest, and one still moving neither. */
START_TEST(no_rest_where_none_is_seen)
{
    gsl_rng *rng = seeded(20260722);
    const struct true_decay truths[] = {{31.4, 0.05, 0, 0, 1, 0.3, 0}, {31.4, 0.01, 0.005, 0, 1, 0.3, 0}};
    const double cycles[] = {30, 5};
    for (size_t t = 0; t < 2; t++)
        for (int trial = 0; trial < 10; trial++) {
            struct sampling sampling = sampled(&truths[t], 80, cycles[t], 0);
            sampling.noise = 0.01;
            struct identification found;
            identify_truth(&truths[t], &sampling, rng, &found);
            ck_assert_int_eq(found.verdict, VERDICT_OK);
            ck_assert_int_eq(found.static_friction.verdict, VERDICT_NOT_COMPUTED);
            ck_assert_double_nan(found.static_friction.x_s_min);
            ck_assert_double_nan(found.static_friction.x_s_max);
            identification_clear(&found);
        }
    gsl_rng_free(rng);
}
END_TEST

/* A rest position that somebody else measured is used as it is, and contradicted where it cannot be. */
START_TEST(the_rest_position_may_be_told)
{
    const struct true_decay truth = {31.4, 0.02, 0.02, 0.03, 1, 0.1, 0};
    const size_t n = true_half_cycles(&truth, 1000);
    const struct sampling sampling = sampled(&truth, 120, (double)n / 2, -0.2);
    double *y = NULL;
    const struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
    struct rest_observation rest = {0.1 + true_extremum(&truth, n, NULL), 1e-6};
    struct identification found;
    identify(&record, &rest, &no_settings, &found);
    ck_assert_int_eq(found.static_friction.verdict, VERDICT_OK);
    ck_assert_double_le(found.static_friction.x_s_min, 0.03);
    ck_assert_double_gt(found.static_friction.x_s_max, 0.03);
    ck_assert_double_eq(found.rest.position, rest.position);
    identification_clear(&found);
    rest.position = 0.5;
    identify(&record, &rest, &no_settings, &found);
    ck_assert_int_eq(found.verdict, VERDICT_OK);
    ck_assert_int_eq(found.static_friction.verdict, VERDICT_REST_CONTRADICTS_DECAY);
    identification_clear(&found);
    free(y);
}
END_TEST

/* A sample from before the first extremum must not be fitted. */
START_TEST(a_first_sample_before_the_extremum)
{
    const struct true_decay truth = {31.4, 0.02, 0.05, 0, 1, 0, 0};
    struct sampling sampling = sampled(&truth, 20, 1, -0.025);
    sampling.count = 101;
    struct identification found;
    identify_truth(&truth, &sampling, NULL, &found);
    ck_assert_int_eq(found.verdict, VERDICT_OK);
    ck_assert_double_eq_tol(found.fit.estimate[FIT_ZETA].value / truth.zeta, 1, 1e-9);
    ck_assert_double_eq_tol(found.fit.estimate[FIT_X_K].value / truth.x_k, 1, 1e-9);
    ck_assert_double_eq_tol(found.extrema_fit.estimate[FIT_ZETA].value / truth.zeta, 1, 1e-6);
    identification_clear(&found);
}
END_TEST

/* F+ = 0.03 k and F- = 0.01 k: the motion swings about +0.01 on the way down and about -0.03 on the way up. */
START_TEST(friction_that_differs_between_directions)
{
    enum { SAMPLES = 1800 };
    double y[SAMPLES];
    double start = 1;
    size_t half = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        const double phase = 0.02 * (double)i - (double)half * M_PI;
        const double centre = half % 2 == 0 ? 0.01 : -0.03;
        y[i] = centre + (start - centre) * cos(phase);
        if (phase + 0.02 >= M_PI) {
            start = 2 * centre - start;
            half++;
        }
    }
    const struct decay_record record = {
        .displacement = y, .count = SAMPLES, .period_s = 0.001, .first_extremum_s = NAN};
    struct identification found;
    identify(&record, NULL, &no_settings, &found);
    ck_assert_int_eq(found.verdict, VERDICT_OK);
    const struct estimate *x_ks[] = {&found.fit.estimate[FIT_X_K], &found.extrema_fit.estimate[FIT_X_K]};
    const struct estimate *biases[] = {&found.fit.estimate[FIT_BIAS], &found.extrema_fit.estimate[FIT_BIAS]};
    const struct estimate *x0s[] = {&found.fit.estimate[FIT_X0], &found.extrema_fit.estimate[FIT_X0]};
    for (size_t n = 0; n < 2; n++) {
        ck_assert_double_eq_tol(x_ks[n]->value, 0.02, 1e-8);
        ck_assert_double_eq_tol(biases[n]->value, -0.01, 1e-8);
        ck_assert_double_eq_tol(x0s[n]->value, 1.01, 1e-8);
    }
    ck_assert_double_lt(found.fit.rms, 1e-9);
    identification_clear(&found);
}
END_TEST

START_TEST(one_half_cycle_is_underdetermined)
{
    const struct true_decay truth = {31.4, 0.02, 0.02, 0, 1, 0, 0};
    const double lengths[] = {0.48, 0.495, 0.5};
    for (size_t n = 0; n < 3; n++) {
        const struct sampling sampling = sampled(&truth, 200, lengths[n], 0);
        struct identification found;
        identify_truth(&truth, &sampling, NULL, &found);
        ck_assert_int_eq(found.verdict, VERDICT_UNDERDETERMINED);
        ck_assert_int_eq(found.recommended, RECOMMENDED_NONE);
        identification_clear(&found);
    }
}
END_TEST

/* A frequency that rises by some percent as the amplitude falls, as a pendulum's does: one omega_n cannot follow it. */
START_TEST(a_drifting_frequency_leaves_it_to_the_extrema)
{
    const struct true_decay truth = {31.4, 0.002, 0.002, 0, 1, 0.1, 0};
    enum { SAMPLES = 12000 };
    double *y = calloc(SAMPLES, sizeof *y);
    const double beta = true_beta(&truth), step = 2 * M_PI / 150;
    double phase = 0;
    size_t half = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        const double x = true_extremum(&truth, half, NULL), sigma = half % 2 == 0 ? 1 : -1;
        y[i] = truth.bias + (x - sigma * truth.x_k) * exp(-beta * phase) * (cos(phase) + beta * sin(phase)) +
               sigma * truth.x_k;
        phase += step * (1 - 0.05 * x * x);
        if (phase >= M_PI) {
            phase -= M_PI;
            half++;
        }
    }
    const struct decay_record record = {
        .displacement = y, .count = SAMPLES, .period_s = 0.001, .first_extremum_s = NAN};
    struct identification found;
    identify(&record, NULL, &no_settings, &found);
    ck_assert_int_eq(found.fit.verdict, VERDICT_OUT_OF_PHASE);
    ck_assert_int_eq(found.recommended, RECOMMENDED_EXTREMA_FIT);
    ck_assert_int_eq(found.verdict, VERDICT_OK);
    ck_assert_double_eq_tol(found.extrema_fit.estimate[FIT_ZETA].value / truth.zeta, 1, 0.01);
    ck_assert_double_eq_tol(found.extrema_fit.estimate[FIT_X_K].value / truth.x_k, 1, 0.01);
    identification_clear(&found);
    free(y);
}
END_TEST

/* SHK 2007 §3.2: on one and the same record the local decrements scatter, the fit does not. */
START_TEST(local_decrements_scatter_and_the_fit_does_not)
{
    gsl_rng *rng = seeded(20260723);
    const struct true_decay truth = {2 * M_PI * 6.89, 0.0184, 0.0112 / 1.5, 0, 1, 0, 0};
    struct sampling sampling = sampled(&truth, 160, 9, 0);
    sampling.noise = 0.004;
    struct identification found;
    identify_truth(&truth, &sampling, rng, &found);
    ck_assert_int_eq(found.verdict, VERDICT_OK);
    ck_assert_uint_gt(found.decrement.zeta.count, 10);
    ck_assert_double_gt(found.decrement.zeta.sd, 0.1 * truth.zeta);
    ck_assert_double_gt(found.decrement.zeta.sd, 20 * fabs(found.fit.estimate[FIT_ZETA].value - truth.zeta));
    ck_assert_double_lt(fabs(found.fit.estimate[FIT_ZETA].value / truth.zeta - 1), 0.01);
    /* The fit to all extrema at once is nearly as good, and agrees. */
    const double together = hypot(found.fit.estimate[FIT_ZETA].se, found.extrema_fit.estimate[FIT_ZETA].se);
    ck_assert_double_lt(fabs(found.fit.estimate[FIT_ZETA].value - found.extrema_fit.estimate[FIT_ZETA].value),
                        4 * together);
    ck_assert_double_lt(found.extrema_fit.estimate[FIT_ZETA].se, 3 * found.fit.estimate[FIT_ZETA].se);
    identification_clear(&found);
    gsl_rng_free(rng);
}
END_TEST

static const struct model_merit *best_model(const struct identification *found)
{
    const struct model_merit *best = &found->models[0];
    for (size_t n = 1; n < MODEL_COUNT; n++)
        if (found->models[n].aicc < best->aicc || isnan(best->aicc))
            best = &found->models[n];
    return best;
}

START_TEST(the_right_damping_has_the_smallest_aicc)
{
    gsl_rng *rng = seeded(20260724);
    const struct true_decay truths[] = {
        {31.4, 0.02, 0, 0, 1, 0.1, 0}, {31.4, 0, 0.02, 0, 1, 0.1, 0}, {31.4, 0.02, 0.01, 0, 1, 0.1, 0}};
    const enum damping_model models[] = {DAMPING_VISCOUS, DAMPING_COULOMB, DAMPING_VISCOUS_COULOMB};
    enum { TRIALS = 40 };
    for (size_t t = 0; t < 3; t++) {
        int right = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            struct sampling sampling = sampled(&truths[t], 60, 9, -0.2);
            sampling.noise = 0.01;
            struct identification found;
            identify_truth(&truths[t], &sampling, rng, &found);
            for (size_t n = 0; n < MODEL_COUNT; n++)
                ck_assert_int_eq(found.models[n].model, models[n]);
            right += best_model(&found)->model == models[t];
            identification_clear(&found);
        }
        /* AICc lets a superfluous term in in one record of twelve. */
        ck_assert_int_ge(right, t == 2 ? TRIALS : TRIALS * 3 / 4);
    }
    gsl_rng_free(rng);
}
END_TEST

/* Friction alone would stop a long viscous decay before its end: a bad model, but one with a merit. */
START_TEST(a_model_that_stops_early_is_still_compared)
{
    gsl_rng *rng = seeded(20261121);
    const struct true_decay truth = {31.4, 0.0054, 0.0019, 0, 1, 0.1, 0};
    struct sampling sampling = sampled(&truth, 60, 49.5, 0);
    struct identification found;
    sampling.noise = 0.00075;
    identify_truth(&truth, &sampling, rng, &found);
    for (size_t n = 0; n < MODEL_COUNT; n++)
        ck_assert_double_finite(found.models[n].aicc);
    ck_assert_int_eq(best_model(&found)->model, DAMPING_VISCOUS_COULOMB);
    identification_clear(&found);
    gsl_rng_free(rng);
}
END_TEST

START_TEST(mass_and_stiffness_give_forces)
{
    const struct true_decay truth = {34.686, 0.0177, 0.17879, 0.2, 12, -0.01, 0};
    const struct sampling sampling = sampled(&truth, 180, 14, -0.2);
    double *y = NULL;
    const struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
    struct identify_settings settings = {.physical = physical_default_settings()};
    settings.physical.mass_kg = 1.92;
    settings.physical.stiffness_n_per_m = 2310;
    settings.physical.metres_per_unit = 1e-3;
    struct identification found;
    identify(&record, NULL, &settings, &found);
    ck_assert_int_eq(found.physical.verdict, VERDICT_OK);
    ck_assert_double_eq_tol(found.physical.f_k_n.value, 0.413, 1e-5);
    ck_assert_double_eq_tol(found.physical.mu.value, 0.413 / 1.92 / 9.80665, 1e-6);
    ck_assert_double_eq_tol(found.physical.c_n_s_per_m.value, 2.3576, 1e-3);
    identification_clear(&found);
    free(y);
}
END_TEST

START_TEST(cancelled_before_it_began)
{
    const struct true_decay truth = {31.4, 0.02, 0.01, 0, 1, 0.1, 0};
    const struct sampling sampling = sampled(&truth, 100, 10, 0);
    double *y = NULL;
    const struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
    const atomic_bool stop = true;
    const struct identify_settings settings = {.physical = physical_default_settings(), .cancel = &stop};
    struct identification found;
    ck_assert_int_eq(identify(&record, NULL, &settings, &found), VERDICT_CANCELLED);
    ck_assert_int_eq(found.recommended, RECOMMENDED_NONE);
    ck_assert_int_eq(found.fit.verdict, VERDICT_CANCELLED);
    ck_assert_int_eq(found.models[0].verdict, VERDICT_CANCELLED);
    ck_assert_double_nan(found.fit.estimate[FIT_ZETA].value);
    ck_assert_double_nan(found.extrema_fit.estimate[FIT_X_K].value);
    ck_assert_double_nan(found.decrement.beta);
    identification_clear(&found);
    free(y);
}
END_TEST

static void check_estimate(const struct estimate *estimate, bool promised)
{
    ck_assert(!isinf(estimate->value) && !isinf(estimate->se) && !isinf(estimate->low) && !isinf(estimate->high));
    if (!promised)
        return;
    ck_assert(isfinite(estimate->value));
    ck_assert(estimate->at_bound || isfinite(estimate->se));
    ck_assert(!(estimate->se < 0));
}

/* What holds for every identification whatsoever. */
static void check_promises(const struct identification *found)
{
    const struct full_record_fit *fit = &found->fit;
    const struct extrema_fit *extrema = &found->extrema_fit;
    const struct estimate *of_fit[] = {&fit->estimate[FIT_OMEGA_N], &fit->f_n_hz,           &fit->estimate[FIT_ZETA],
                                       &fit->estimate[FIT_X_K],     &fit->estimate[FIT_X0], &fit->estimate[FIT_BIAS],
                                       &fit->estimate[FIT_T0]};
    const struct estimate *of_extrema[] = {&extrema->estimate[FIT_OMEGA_N], &extrema->f_n_hz,
                                           &extrema->estimate[FIT_ZETA],    &extrema->estimate[FIT_X_K],
                                           &extrema->estimate[FIT_X0],      &extrema->estimate[FIT_BIAS],
                                           &extrema->estimate[FIT_T0]};
    for (size_t n = 0; n < 7; n++) {
        check_estimate(of_fit[n], fit->verdict == VERDICT_OK);
        check_estimate(of_extrema[n], extrema->verdict == VERDICT_OK);
    }
    ck_assert_int_eq(found->verdict == VERDICT_OK, found->recommended != RECOMMENDED_NONE);
    ck_assert(found->recommended != RECOMMENDED_FIT || fit->verdict == VERDICT_OK);
    ck_assert(found->recommended != RECOMMENDED_EXTREMA_FIT || extrema->verdict == VERDICT_OK);
    const struct static_friction *friction = &found->static_friction;
    ck_assert_int_eq(friction->verdict == VERDICT_OK, isfinite(friction->x_s_min) && isfinite(friction->x_s_max));
    ck_assert(friction->verdict != VERDICT_OK || friction->x_s_min < friction->x_s_max);
    const struct decrement *decrement = &found->decrement;
    const double numbers[] = {decrement->zeta.mean,  decrement->zeta.sd,   decrement->x_k.mean,   decrement->x_k.sd,
                              decrement->delta,      decrement->beta,      decrement->zeta_m,     decrement->x_k_m,
                              decrement->bound_beta, decrement->bound_x_k, found->models[0].aicc, found->models[1].aicc,
                              found->models[2].aicc, found->rest.position, found->rest.se,        fit->rms,
                              fit->r_squared,        extrema->rms};
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        ck_assert(!isinf(numbers[n]));
    ck_assert(decrement->verdict != VERDICT_OK || isfinite(decrement->beta));
}

enum { GARBAGE_SAMPLES = 700 };

/* One sample of the kind of garbage wanted. */
static double garbage(int kind, size_t i, double previous, gsl_rng *rng)
{
    const double n = (double)i;
    switch (kind) {
    case 0:
        return gsl_ran_gaussian(rng, 1);
    case 1:
        return previous + gsl_ran_gaussian(rng, 1);
    case 2:
        return 1e300 * (gsl_rng_uniform(rng) - 0.5);
    case 3:
        return exp(0.02 * n) * cos(0.1 * n);
    case 4:
        return i % 2 ? 1 : -1;
    case 5:
        return 3 + 1e-4 * n;
    case 6:
        return floor(3 * cos(0.05 * n) * exp(-0.01 * n));
    case 7:
        return i < 350 ? 1 : 0;
    case 8:
        return cos(0.1 * n) + cos(0.1618 * n);
    case 9:
        return cos(0.2 * n);
    case 10:
        return exp(-0.1 * n) * cos(0.2 * n) + (gsl_rng_uniform(rng) < 0.01 ? 10 * gsl_ran_gaussian(rng, 1) : 0);
    case 11:
        return gsl_rng_uniform(rng) < 0.002 ? NAN : cos(0.1 * n);
    case 12:
        return gsl_ran_cauchy(rng, 1);
    case 13:
        return i == 300 ? 1e6 : 0;
    case 14:
        return 5e-324 * (double)gsl_rng_uniform_int(rng, 100);
    default:
        return 1e15 + cos(0.1 * n) * exp(-0.005 * n);
    }
}

START_TEST(garbage_never_passes_for_a_result)
{
    gsl_rng *rng = seeded(20260725);
    for (int trial = 0; trial < 6; trial++)
        for (int kind = 0; kind < 16; kind++) {
            double y[GARBAGE_SAMPLES], time[GARBAGE_SAMPLES];
            uint8_t flags[GARBAGE_SAMPLES];
            for (size_t i = 0; i < GARBAGE_SAMPLES; i++) {
                y[i] = garbage(kind, i, i > 0 ? y[i - 1] : 0, rng);
                time[i] = (double)i + 0.5 * gsl_rng_uniform(rng);
                flags[i] = gsl_rng_uniform(rng) < 0.05;
            }
            const size_t lengths[] = {GARBAGE_SAMPLES, 0, 1, 2, 7, 8, 20, 100};
            for (size_t n = 0; n < 8; n++) {
                const struct decay_record record = {.displacement = y,
                                                    .time_s = trial % 2 ? time : NULL,
                                                    .flags = trial % 3 == 2 ? flags : NULL,
                                                    .count = lengths[n],
                                                    .period_s = 0.01,
                                                    .first_extremum_s = trial % 3 == 1 ? 0.5 : NAN,
                                                    .resolution = trial == 4 ? 0.1 : 0,
                                                    .noise = trial == 5 ? 0.1 : 0};
                const struct rest_observation rest = {trial == 3 ? 0.3 : NAN, 0.01};
                struct identification found;
                identify(&record, &rest, &no_settings, &found);
                check_promises(&found);
                if (lengths[n] < 7)
                    ck_assert_int_ne(found.verdict, VERDICT_OK);
                identification_clear(&found);
            }
        }
    gsl_rng_free(rng);
}
END_TEST

START_TEST(what_is_no_decay_gets_a_named_verdict)
{
    gsl_rng *rng = seeded(20260726);
    const int kinds[] = {0, 3, 5, 11, 13, 14};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double y[GARBAGE_SAMPLES];
        for (size_t i = 0; i < GARBAGE_SAMPLES; i++)
            y[i] = garbage(kinds[k], i, 0, rng);
        const struct decay_record record = {
            .displacement = y, .count = GARBAGE_SAMPLES, .period_s = 0.01, .first_extremum_s = NAN};
        struct identification found;
        const enum verdict verdict = identify(&record, NULL, &no_settings, &found);
        ck_assert_msg(verdict != VERDICT_OK, "kind %d", kinds[k]);
        ck_assert(kinds[k] != 3 || verdict == VERDICT_NOT_DECAYING);
        identification_clear(&found);
    }
    double constant[GARBAGE_SAMPLES] = {0};
    const struct decay_record still = {
        .displacement = constant, .count = GARBAGE_SAMPLES, .period_s = 0.01, .first_extremum_s = NAN};
    struct identification found;
    ck_assert_int_eq(identify(&still, NULL, &no_settings, &found), VERDICT_NO_OSCILLATION);
    identification_clear(&found);
    gsl_rng_free(rng);
}
END_TEST

/* What one thread is to identify, and what came out. */
struct task {
    const struct decay_record *record;
    double zeta, x_k, aicc;
};

static void *identify_in_thread(void *argument)
{
    struct task *task = argument;
    for (int repeat = 0; repeat < 5; repeat++) {
        struct identification found;
        identify(task->record, NULL, &no_settings, &found);
        task->zeta = found.fit.estimate[FIT_ZETA].value;
        task->x_k = found.extrema_fit.estimate[FIT_X_K].value;
        task->aicc = found.models[1].aicc;
        identification_clear(&found);
    }
    return NULL;
}

START_TEST(threads_do_not_disturb_each_other)
{
    enum { THREADS = 4 };
    gsl_rng *rng = seeded(20260727);
    double *y[THREADS];
    struct decay_record records[THREADS];
    struct task alone[THREADS], together[THREADS];
    pthread_t threads[THREADS];
    for (size_t n = 0; n < THREADS; n++) {
        const struct true_decay truth = {31.4, 0.01 * (double)(n + 1), 0.01, 0, 1, 0.1, 0};
        struct sampling sampling = sampled(&truth, 50, 8, -0.1);
        sampling.noise = 0.005;
        records[n] = measured_record(&truth, &sampling, rng, &y[n]);
        alone[n] = together[n] = (struct task){.record = &records[n]};
        identify_in_thread(&alone[n]);
    }
    for (size_t n = 0; n < THREADS; n++)
        ck_assert_int_eq(pthread_create(&threads[n], NULL, identify_in_thread, &together[n]), 0);
    for (size_t n = 0; n < THREADS; n++) {
        ck_assert_int_eq(pthread_join(threads[n], NULL), 0);
        ck_assert_double_eq(together[n].zeta, alone[n].zeta);
        ck_assert_double_eq(together[n].x_k, alone[n].x_k);
        ck_assert_double_eq(together[n].aicc, alone[n].aicc);
        free(y[n]);
    }
    gsl_rng_free(rng);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("identify");
    TCase *tests = tcase_create("identify");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, extrema_between_few_samples_are_not_called_missing);
    tcase_add_test(tests, every_section_agrees_on_exact_data);
    tcase_add_test(tests, two_releases_are_not_one_decay);
    tcase_add_test(tests, the_tail_at_rest_brackets_static_friction);
    tcase_add_test(tests, a_flagged_sample_hides_no_rest);
    tcase_add_test(tests, the_rest_position_is_that_after_the_stop);
    tcase_add_test(tests, no_rest_in_the_last_swing);
    tcase_add_test(tests, no_rest_where_none_is_seen);
    tcase_add_test(tests, the_rest_position_may_be_told);
    tcase_add_test(tests, a_first_sample_before_the_extremum);
    tcase_add_test(tests, friction_that_differs_between_directions);
    tcase_add_test(tests, one_half_cycle_is_underdetermined);
    tcase_add_test(tests, a_drifting_frequency_leaves_it_to_the_extrema);
    tcase_add_test(tests, local_decrements_scatter_and_the_fit_does_not);
    tcase_add_test(tests, the_right_damping_has_the_smallest_aicc);
    tcase_add_test(tests, a_model_that_stops_early_is_still_compared);
    tcase_add_test(tests, mass_and_stiffness_give_forces);
    tcase_add_test(tests, cancelled_before_it_began);
    tcase_add_test(tests, garbage_never_passes_for_a_result);
    tcase_add_test(tests, what_is_no_decay_gets_a_named_verdict);
    tcase_add_test(tests, threads_do_not_disturb_each_other);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
