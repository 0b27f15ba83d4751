/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A quick look at what long_decay_grid.c establishes. */
#include "decay_grid.h"
#include "run_suite.h"

enum { SEED = 6112026, CELLS = 8, RECORDS = 200, DECAYS = 300 };

/* 200 records leave a ratio uncertain by 5 %; five standard deviations of that. */
START_TEST(errors_are_near_the_bound)
{
    double ratios[CELLS * FIT_PARAMETERS];
    efficiencies(CELLS, RECORDS, SEED, ratios);
    for (size_t n = 0; n < CELLS * FIT_PARAMETERS; n++)
        ck_assert_double_eq_tol(ratios[n], 1.0, 0.25);
}
END_TEST

START_TEST(no_decay_is_lost)
{
    ck_assert_int_eq(count_lost(DECAYS, SEED), 0);
}
END_TEST

/* Noise of 8 %, from the grid: two sets of samples whose optima ask for each other, at both ends of the record. */
START_TEST(samples_that_take_turns_lose_nothing)
{
    static const double measured[] = {
        0.472,  0.783,  0.74,   1.095,  0.95,   1.155,  0.945,  0.829,  0.714,  0.688,  0.543,  0.547,  0.219,
        0.126,  -0.007, -0.084, -0.225, -0.435, -0.315, -0.445, -0.439, -0.471, -0.504, -0.348, -0.204, -0.375,
        -0.429, -0.14,  -0.082, 0.112,  0.08,   0.168,  0.241,  0.124,  0.119,  0.274,  0.084,  0.25,   0.23,
        0.026,  -0.019, 0.065,  -0.054, -0.047, 0.118,  -0.076, 0.013,  -0.111, -0.03,  -0.155, -0.085, -0.026,
        -0.104, -0.015, -0.103, -0.139, 0.081,  -0.068, -0.082, -0.121, 0.009,  -0.03,  -0.115, -0.044, -0.027};
    const size_t count = sizeof measured / sizeof *measured;
    const struct grid_decay decay = {
        .truth = {.omega_n = 0.2157, .zeta = 0.2311, .x_k = 0.00657, .x0 = 1.0, .t0 = 4.78},
        .sampling = {.period_s = 1.0, .count = count, .noise = 0.083},
        .half_cycles = 4.0};
    const struct decay_record record = {
        .displacement = measured, .count = count, .period_s = 1.0, .first_extremum_s = NAN};
    struct full_record_fit fit;
    full_record_fit(&record, NULL, &fit);
    const char *how = how_lost(&record, &decay, &fit);
    ck_assert_msg(!how, "%s", how);
}
END_TEST

/* Five half cycles of strong viscous damping, 22 samples a cycle, noise of 9.5 %: in one record of sixty a faster decay
 * with friction leaves the smaller residual, or the search ends nowhere. The standard errors must know of the other
 * explanation. */
START_TEST(two_explanations_are_both_allowed_for)
{
    struct grid_decay decay = {.truth = {.omega_n = 10.0 * M_PI, .zeta = 0.22, .x_k = 0.002, .x0 = 1.0},
                               .sampling = {.noise = 0.095},
                               .half_cycles = 5.0};
    const double half_period = M_PI / true_omega_d(&decay.truth);
    decay.truth.t0 = 0.3 * half_period;
    decay.sampling.period_s = 2.0 * half_period / 22.0;
    decay.sampling.count = (size_t)((decay.truth.t0 + 5.0 * half_period) / decay.sampling.period_s) + 1;
    ck_assert_int_le(count_lost_of(&decay, 2000, SEED), 4);
}
END_TEST

/* The bounds themselves against values computed elsewhere: f_0 = 5 Hz, 1000 samples/s, X_0 = 1, sigma = 0.01. */
START_TEST(bounds_are_the_published_ones)
{
    static const struct {
        double zeta, x_k;
        size_t samples;
        double zeta_percent, x_k_percent, f_percent;
    } rows[] = {{0.02, 0.01, 2200, 0.626, 0.781, 0.0053},
                {0.01, 0.001, 8100, 0.204, 1.016, 0.0010},
                {0.05, 0.02, 1001, 0.807, 1.205, 0.0190},
                {0.10, 0.05, 402, 1.516, 2.090, 0.0743}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct grid_decay decay = {
            .truth = {.omega_n = 10.0 * M_PI, .zeta = rows[n].zeta, .x_k = rows[n].x_k, .x0 = 1.0},
            .sampling = {.period_s = 1e-3, .count = rows[n].samples, .noise = 0.01},
            .half_cycles = 1e-2 * (double)rows[n].samples};
        double bounds[FIT_PARAMETERS];
        ck_assert(cramer_rao(&decay, bounds));
        ck_assert_double_eq_tol(100.0 * bounds[FIT_ZETA] / rows[n].zeta, rows[n].zeta_percent, 0.003);
        ck_assert_double_eq_tol(100.0 * bounds[FIT_X_K] / rows[n].x_k, rows[n].x_k_percent, 0.003);
        ck_assert_double_eq_tol(100.0 * bounds[FIT_OMEGA_N] / decay.truth.omega_n, rows[n].f_percent, 0.0001);
    }
}
END_TEST

int main(void)
{
    printf("seed %d\n", SEED);
    Suite *suite = suite_create("decay grid");
    TCase *tests = tcase_create("grid");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, errors_are_near_the_bound);
    tcase_add_test(tests, no_decay_is_lost);
    tcase_add_test(tests, samples_that_take_turns_lose_nothing);
    tcase_add_test(tests, two_explanations_are_both_allowed_for);
    tcase_add_test(tests, bounds_are_the_published_ones);
    return run_suite(suite);
}
