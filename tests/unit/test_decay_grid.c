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
    tcase_add_test(tests, bounds_are_the_published_ones);
    return run_suite(suite);
}
