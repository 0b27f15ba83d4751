/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "closed_form_decay.h"
#include "identify/decay/extrema_drift.h"
#include "identify/decay/extrema_fit.h"
#include "run_suite.h"

#include <string.h>

static size_t exact_extrema(const struct true_decay *truth, struct extremum *extrema, size_t most)
{
    const size_t count = true_half_cycles(truth, most);
    for (size_t j = 0; j < count; j++)
        extrema[j] = (struct extremum){
            .time_s = truth->t0 + (double)j * M_PI / true_omega_d(truth),
            .displacement = truth->bias + true_extremum(truth, j, NULL),
        };
    return count;
}

START_TEST(exact_extrema_give_the_truth)
{
    const struct true_decay truths[] = {{30, 0.02, 0.01, 0, 1, 0.3, 2},
                                        {30, 0.1, 0.05, 0, -1, 0.3, 2},
                                        {30, 0, 0.03, 0, 1, -2, 0},
                                        {30, 0.25, 0, 0, 1, 0, 0},
                                        {30, 0.001, 0.0001, 0, -1, 0, 5},
                                        {30, 0.02, 1e-14, 0, 1e-12, 0, 0},
                                        {30e3, 0.05, 2e10, 0, -1e12, 1e11, 0},
                                        {30, 0.02, 0.01, 0.05, 1, 0.3, 1e9},
                                        {3e-5, 0.15, 0.001, 0, 1, 7, 0}};
    for (size_t n = 0; n < sizeof truths / sizeof truths[0]; n++) {
        const struct true_decay *truth = &truths[n];
        struct extremum extrema[150];
        const size_t count = exact_extrema(truth, extrema, n == 3 || n == 8 ? 7 : 150);
        const double scale = fabs(truth->x0);
        struct extrema_fit fit;
        ck_assert_int_eq(extrema_fit(extrema, count, &fit), VERDICT_OK);
        ck_assert_double_eq_tol(fit.estimate[FIT_ZETA].value, truth->zeta, 1e-12);
        ck_assert_double_eq_tol(fit.estimate[FIT_X_K].value / scale, truth->x_k / scale, 1e-12);
        ck_assert_double_eq_tol(fit.estimate[FIT_X0].value / truth->x0, 1, 1e-12);
        ck_assert_double_eq_tol(fit.estimate[FIT_BIAS].value / scale, truth->bias / scale, 1e-11);
        ck_assert_double_eq_tol(fit.estimate[FIT_OMEGA_N].value / truth->omega_n, 1, n == 7 ? 1e-6 : 1e-11);
        ck_assert_double_eq_tol(fit.f_n_hz.value * 2 * M_PI / truth->omega_n, 1, n == 7 ? 1e-6 : 1e-11);
        ck_assert_double_le(fit.rms / scale, 1e-12);
        ck_assert_uint_eq(fit.extrema, count);
    }
}
END_TEST

/* Published, recomputed: the extrema of SHK's recursion for zeta = 0.02, x_k = 0.01. */
START_TEST(tabulated_extrema)
{
    const double heights[] = {1, 0.919698667, 0.844288524, 0.773471645, 0.706968253, 0.644515612};
    struct extremum extrema[6] = {{0}};
    for (size_t j = 0; j < 6; j++) {
        extrema[j].displacement = (j % 2 ? -1 : 1) * heights[j];
        extrema[j].time_s = 0.1 * (double)j;
    }
    struct extrema_fit fit;
    ck_assert_int_eq(extrema_fit(extrema, 6, &fit), VERDICT_OK);
    ck_assert_double_eq_tol(fit.estimate[FIT_ZETA].value, 0.02, 1e-6);
    ck_assert_double_eq_tol(fit.estimate[FIT_X_K].value, 0.01, 1e-6);
}
END_TEST

/* Friction that differs between directions looks like a bias: F+ = 0.03 k, F- = 0.01 k, released at +1. */
START_TEST(unequal_friction)
{
    struct extremum extrema[30] = {{0}};
    double x = 1;
    size_t count = 0;
    for (; count < 30 && fabs(x) > 0.05; count++) {
        extrema[count].displacement = x;
        extrema[count].time_s = (double)count;
        /* Moving down the friction force F- shifts the middle of the swing to +0.01, moving up F+ to -0.03. */
        x = x > 0 ? 2 * 0.01 - x : -2 * 0.03 - x;
    }
    struct extrema_fit fit;
    ck_assert_int_eq(extrema_fit(extrema, count, &fit), VERDICT_OK);
    ck_assert_double_eq_tol(fit.estimate[FIT_X_K].value, 0.02, 1e-12);
    ck_assert_double_eq_tol(fit.estimate[FIT_BIAS].value, -0.01, 1e-12);
    ck_assert_double_eq_tol(fit.estimate[FIT_X0].value, 1.01, 1e-12);
    ck_assert_double_le(fit.rms, 1e-12);
}
END_TEST

/* Over many noisy sets of extrema the errors are what the fit says, and the intervals cover. */
START_TEST(stated_errors_are_true)
{
    const unsigned long seed = 20260717;
    printf("seed %lu\n", seed);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    enum { TRIALS = 1000 };
    for (int told = 0; told < 2; told++) {
        const struct true_decay truth = {30, 0.02, 0.01, 0, 1, 0.3, 2};
        const double noise = 0.001;
        double squares[3] = {0};
        int covered[3] = {0};
        for (int trial = 0; trial < TRIALS; trial++) {
            struct extremum extrema[30];
            const size_t count = exact_extrema(&truth, extrema, 30);
            for (size_t j = 0; j < count; j++) {
                extrema[j].displacement += gsl_ran_gaussian(rng, noise);
                extrema[j].time_s += gsl_ran_gaussian(rng, 1e-4);
                extrema[j].se = told ? noise : 0;
                extrema[j].time_se_s = told ? 1e-4 : 0;
            }
            struct extrema_fit fit;
            ck_assert_int_eq(extrema_fit(extrema, count, &fit), VERDICT_OK);
            const struct estimate *estimates[3] = {&fit.estimate[FIT_ZETA], &fit.estimate[FIT_X_K],
                                                   &fit.estimate[FIT_OMEGA_N]};
            const double values[3] = {truth.zeta, truth.x_k, truth.omega_n};
            for (size_t p = 0; p < 3; p++) {
                squares[p] += pow((estimates[p]->value - values[p]) / estimates[p]->se, 2);
                covered[p] += estimates[p]->low <= values[p] && values[p] <= estimates[p]->high;
            }
        }
        for (size_t p = 0; p < 3; p++) {
            ck_assert_double_eq_tol(sqrt(squares[p] / TRIALS), told ? 0.94 : 1.05, 0.1);
            ck_assert_int_ge(covered[p], (int)(0.93 * TRIALS));
            ck_assert_int_le(covered[p], (int)(0.985 * TRIALS));
        }
    }
    gsl_rng_free(rng);
}
END_TEST

/* Extrema that are known better count for more. */
START_TEST(weights)
{
    const struct true_decay truth = {30, 0.02, 0.01, 0, 1, 0.3, 2};
    struct extremum extrema[20];
    const size_t count = exact_extrema(&truth, extrema, 20);
    for (size_t j = 0; j < count; j++) {
        extrema[j].se = j == 4 ? 1 : 1e-6;
        extrema[j].time_se_s = j == 4 ? 1 : 1e-6;
    }
    extrema[4].displacement += 0.1;
    extrema[4].time_s += 0.01;
    struct extrema_fit fit;
    ck_assert_int_eq(extrema_fit(extrema, count, &fit), VERDICT_OK);
    ck_assert_double_eq_tol(fit.estimate[FIT_ZETA].value, 0.02, 1e-9);
    ck_assert_double_eq_tol(fit.estimate[FIT_OMEGA_N].value, 30, 1e-6);
}
END_TEST

/* Noise that pulls a parameter beyond its bound leaves it there, with a one-sided limit that holds in 95 %. */
START_TEST(estimates_at_their_bounds)
{
    const unsigned long seed = 20260718;
    printf("seed %lu\n", seed);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    const struct true_decay truths[] = {{30, 0.02, 0, 0, 1, 0.3, 2}, {30, 0, 0.01, 0, 1, 0.3, 2}};
    for (size_t n = 0; n < 2; n++) {
        int held = 0;
        for (int trial = 0; trial < 300; trial++) {
            struct extremum extrema[30];
            const size_t count = exact_extrema(&truths[n], extrema, 30);
            for (size_t j = 0; j < count; j++)
                extrema[j].displacement += gsl_ran_gaussian(rng, 0.001);
            struct extrema_fit fit;
            ck_assert_int_eq(extrema_fit(extrema, count, &fit), VERDICT_OK);
            const struct estimate *bound = n == 0 ? &fit.estimate[FIT_X_K] : &fit.estimate[FIT_ZETA];
            ck_assert_double_ge(bound->value, 0);
            if (!bound->at_bound)
                continue;
            held++;
            ck_assert_double_eq(bound->value, 0);
            ck_assert_double_nan(bound->se);
            ck_assert_double_eq(bound->low, 0);
            ck_assert_double_gt(bound->high, 0);
            const struct estimate *other = n == 0 ? &fit.estimate[FIT_ZETA] : &fit.estimate[FIT_X_K];
            ck_assert(!other->at_bound && isfinite(other->se));
        }
        /* Half of the time, on average; the limits are five standard deviations of a fair coin. */
        ck_assert_int_ge(held, 106);
        ck_assert_int_le(held, 194);
    }
    gsl_rng_free(rng);
}
END_TEST

START_TEST(what_cannot_be_fitted_is_named)
{
    struct extremum extrema[10] = {{0}};
    struct extrema_fit fit;
    ck_assert_int_eq(extrema_fit(NULL, 0, &fit), VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_int_eq(extrema_fit(extrema, 3, &fit), VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_double_nan(fit.estimate[FIT_ZETA].value);
    ck_assert_double_nan(fit.estimate[FIT_OMEGA_N].high);
    ck_assert_int_eq(extrema_fit(extrema, 10, &fit), VERDICT_NO_OSCILLATION);
    for (size_t j = 0; j < 10; j++)
        extrema[j] = (struct extremum){.time_s = (double)j, .displacement = j % 2 ? -1 : 1};
    ck_assert_int_eq(extrema_fit(extrema, 10, &fit), VERDICT_NOT_DECAYING);
    for (size_t j = 0; j < 10; j++)
        extrema[j].displacement *= pow(1.1, (double)j);
    ck_assert_int_eq(extrema_fit(extrema, 10, &fit), VERDICT_NOT_DECAYING);
    extrema[3].time_s = NAN;
    ck_assert_int_eq(extrema_fit(extrema, 10, &fit), VERDICT_NOT_FINITE);
    extrema[3].time_s = 3;
    extrema[9].displacement = INFINITY;
    ck_assert_int_eq(extrema_fit(extrema, 10, &fit), VERDICT_NOT_FINITE);
}
END_TEST

/* Measured decays of other people, in the amplitude windows for which reference figures exist. */
struct measured {
    const char *file;
    double from, to; /* amplitudes */
    double resolution;
    double f_n_hz, zeta, x_k;
};

static const struct measured measured[] = {
    {"carter_adip_pend", 0.21, 0.35, 0.000436, 1.0062, 0.000893, 0.8896e-3},
    {"yf_lab2_16", 0.02, 0.35, 0.002618, 0.768, 0.00063, 0.523e-3},
    {"yf_lab2_22", 0.02, 0.35, 0.002618, 1.007, 0.00057, 0.994e-3},
    {"yf_data32", 0.03, 0.35, 0.005236, 0.9686, 0.00084, 1.40e-3},
    {"alq_70", 0.6, 25, 0.0879, 3.996, 0.00614, 0.0153},
    {"alq_100", 0.6, 25, 0.0879, 2.751, 0.00544, 0.0126},
};

enum { MOST_SAMPLES = 40000 };

static size_t read_columns(const char *name, double *time, double *value)
{
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/decays/%s.csv", SHARED_DATA, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    size_t count = 0;
    while (count < MOST_SAMPLES && fgets(line, sizeof line, file))
        count += sscanf(line, "%lf,%lf", &time[count], &value[count]) == 2;
    fclose(file);
    return count;
}

/* The extrema from the first swing below `to` to the last above `from`. */
static const struct extremum *window(const struct extremum *extrema, size_t *count, double from, double to)
{
    size_t first = 0, last = *count - 1;
    while (first + 1 < last && fabs(extrema[first].displacement - extrema[first + 1].displacement) / 2 > to)
        first++;
    while (last > first + 1 && fabs(extrema[last].displacement - extrema[last - 1].displacement) / 2 < from)
        last--;
    *count = last - first + 1;
    return extrema + first;
}

START_TEST(measured_decays)
{
    static double time[MOST_SAMPLES], value[MOST_SAMPLES];
    const struct measured *given = &measured[_i];
    const size_t samples = read_columns(given->file, time, value);
    if (samples == 0)
        return;
    const struct decay_record record = {.displacement = value,
                                        .time_s = time,
                                        .count = samples,
                                        .first_extremum_s = NAN,
                                        .resolution = given->resolution};
    struct extremum *extrema = NULL;
    size_t count = 0;
    ck_assert_int_eq(extrema_find(&record, NULL, &extrema, &count), VERDICT_OK);
    const struct extremum *part = window(extrema, &count, given->from, given->to);
    struct extrema_fit fit;
    ck_assert_int_eq(extrema_fit(part, count, &fit), VERDICT_OK);
    ck_assert_double_eq_tol(fit.f_n_hz.value / given->f_n_hz, 1, 0.005);
    ck_assert_double_eq_tol(fit.estimate[FIT_ZETA].value / given->zeta, 1, 0.2);
    ck_assert_double_eq_tol(fit.estimate[FIT_X_K].value / given->x_k, 1, 0.2);
    free(extrema);
}
END_TEST

static bool shared_data_there(void)
{
    FILE *file = fopen(SHARED_DATA "/decays/alq_70.csv", "r");
    if (file)
        fclose(file);
    return file != NULL;
}

/* Heights of which one has no known error weigh all the same, wherever that one is. */
START_TEST(a_height_without_an_error_is_no_infinite_weight)
{
    const struct true_decay truth = {30, 0.02, 0.001, 0, 1, 0.3, 2};
    struct extremum extrema[40];
    struct extrema_fit fit;
    struct drifts alike, without;
    const size_t count = exact_extrema(&truth, extrema, 40), unknown[] = {0, 20, count - 1};
    for (size_t j = 0; j < count; j++)
        extrema[j].displacement += 1e-4 * sin(3.0 * (double)j);
    ck_assert_int_eq(extrema_fit(extrema, count, &fit), VERDICT_OK);
    ck_assert_int_eq(extrema_drifts(extrema, count, &fit, &alike), VERDICT_OK);
    for (size_t n = 0; n < 3; n++) {
        for (size_t j = 0; j < count; j++)
            extrema[j].se = j == unknown[n] ? 0 : 1e-4 * (1 + (double)j);
        ck_assert_int_eq(extrema_drifts(extrema, count, &fit, &without), VERDICT_OK);
        ck_assert_double_eq_tol(without.damping.size.value, alike.damping.size.value, 1e-12);
        ck_assert_double_eq_tol(without.damping.size.se, alike.damping.size.se, 1e-12);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("extrema_fit");
    TCase *tests = tcase_create("extrema_fit");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, exact_extrema_give_the_truth);
    tcase_add_test(tests, tabulated_extrema);
    tcase_add_test(tests, unequal_friction);
    tcase_add_test(tests, stated_errors_are_true);
    tcase_add_test(tests, weights);
    tcase_add_test(tests, estimates_at_their_bounds);
    tcase_add_test(tests, what_cannot_be_fitted_is_named);
    tcase_add_test(tests, a_height_without_an_error_is_no_infinite_weight);
    const bool shared = shared_data_there();
    if (shared)
        tcase_add_loop_test(tests, measured_decays, 0, sizeof measured / sizeof measured[0]);
    else
        printf("SKIP measured_decays: ../shared is absent\n");
    suite_add_tcase(suite, tests);
    const int result = run_suite(suite);
    return result == EXIT_SUCCESS && !shared ? TEST_SKIPPED : result;
}
