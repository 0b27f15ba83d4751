/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "closed_form_decay.h"
#include "identify/decay/decrement.h"
#include "run_suite.h"

/* LF 1998 §4, table 1: the measured extrema, rounded to the step of 0.001. */
static const double published[] = {1.000, -0.867, 0.747, -0.638, 0.540, -0.451,
                                   0.370, -0.297, 0.231, -0.171, 0.116, -0.067};
static const size_t published_count = sizeof published / sizeof published[0];

START_TEST(the_published_example_to_the_printed_digits)
{
    const struct {
        size_t m;
        double beta, alpha, x_k, psi;
    } rows[] = {{1, 0.0322, 0.0059, 0.0194, 0.0082},
                {3, 0.0316, 0.0022, 0.0201, 0.0037},
                {5, 0.0318, 0.0015, 0.0198, 0.0028},
                {7, 0.0313, 0.0012, 0.0204, 0.0025}};
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        struct decrement found;
        ck_assert_int_eq(decrement_cumulative(published, published_count, 2, 2, rows[n].m, 0.001, &found), VERDICT_OK);
        ck_assert_double_eq_tol(found.beta, rows[n].beta, 0.5e-4);
        ck_assert_double_eq_tol(found.bound_beta, rows[n].alpha, 0.5e-4);
        ck_assert_double_eq_tol(found.x_k_m, rows[n].x_k, 0.5e-4);
        ck_assert_double_eq_tol(found.bound_x_k, rows[n].psi, 0.5e-4);
        /* Eq. 18 is the case m = 1 of Eqs. 15 and 17. */
        ck_assert_double_eq_tol(found.bound_gamma, 0.0082, 0.5e-4);
        ck_assert_uint_eq(found.m, rows[n].m);
    }
}
END_TEST

START_TEST(a_record_that_starts_at_a_trough)
{
    double mirrored[sizeof published / sizeof published[0]];
    for (size_t j = 0; j < published_count; j++)
        mirrored[j] = 5 - published[j];
    struct decrement crest, trough;
    for (size_t j = 2; j < 6; j++) {
        decrement_cumulative(published, published_count, 2, j, 4, 0.001, &crest);
        decrement_cumulative(mirrored, published_count, 2, j, 4, 0.001, &trough);
        ck_assert_double_eq_tol(trough.beta, crest.beta, 1e-12);
        ck_assert_double_eq_tol(trough.x_k_m, crest.x_k_m, 1e-12);
        ck_assert_double_gt(trough.x_k_m, 0.015);
    }
}
END_TEST

START_TEST(extrema_that_do_not_reach_far_enough)
{
    struct decrement found;
    ck_assert_int_eq(decrement_cumulative(published, 5, 2, 2, 2, 0.001, &found), VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_int_eq(decrement_cumulative(published, 5, 0, 2, 1, 0.001, &found), VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_int_eq(decrement_cumulative(published, 5, 1, 4, 1, 0.001, &found), VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_int_eq(decrement_cumulative(published, 0, 1, 1, 1, 0.001, &found), VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_int_eq(decrement_cumulative(published, 12, SIZE_MAX, 2, SIZE_MAX, 1, &found),
                     VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_double_nan(found.beta);
    ck_assert_int_eq(decrement_cumulative(published, 5, 2, 2, 1, 0.001, &found), VERDICT_OK);
}
END_TEST

static size_t exact_extrema(const struct true_decay *truth, struct extremum *extrema, size_t most)
{
    size_t count = true_half_cycles(truth, most);
    for (size_t j = 0; j < count; j++)
        extrema[j] = (struct extremum){
            .time_s = truth->t0 + (double)j * M_PI / true_omega_d(truth),
            .displacement = truth->bias + true_extremum(truth, j, NULL),
        };
    return count;
}

START_TEST(exact_extrema_give_the_truth_at_every_place)
{
    const struct true_decay truths[] = {{30, 0.02, 0.01, 0, 1, 0.3, 0},
                                        {30, 0.02, 0.01, 0, -1, 0.3, 0},
                                        {30, 0, 0.03, 0, 1, -2, 0},
                                        {30, 0.25, 0.0, 0, 1e-12, 0, 0},
                                        {30, 0.1, 2e10, 0, -1e12, 0, 0}};
    for (size_t n = 0; n < sizeof truths / sizeof truths[0]; n++) {
        const struct true_decay *truth = &truths[n];
        struct extremum extrema[40];
        const size_t count = exact_extrema(truth, extrema, n == 3 ? 8 : 40);
        const double scale = fabs(truth->x0);
        struct decrement found;
        ck_assert_int_eq(decrement_identify(extrema, count, 1e-9 * scale, &found), VERDICT_OK);
        ck_assert_uint_eq(found.local_count, count - 3);
        for (size_t k = 0; k < found.local_count; k++) {
            ck_assert_double_eq_tol(found.local[k].zeta, truth->zeta, 1e-9);
            ck_assert_double_eq_tol(found.local[k].x_k / scale, truth->x_k / scale, 1e-9);
        }
        ck_assert_double_eq_tol(found.zeta.mean, truth->zeta, 1e-9);
        ck_assert_double_lt(found.zeta.sd, 1e-9);
        ck_assert_double_eq_tol(found.beta, true_beta(truth), 1e-9);
        ck_assert_double_eq_tol(found.zeta_m, truth->zeta, 1e-9);
        ck_assert_double_eq_tol(found.x_k_m / scale, truth->x_k / scale, 1e-9);
        decrement_clear(&found);
    }
}
END_TEST

START_TEST(the_chosen_m_has_the_smallest_bound)
{
    const struct true_decay truth = {30, 0.01, 0.005, 0, 1, 0, 0};
    struct extremum extrema[60];
    double y[60];
    const size_t count = exact_extrema(&truth, extrema, 60);
    for (size_t j = 0; j < count; j++)
        y[j] = extrema[j].displacement;
    struct decrement best, other;
    ck_assert_int_eq(decrement_identify(extrema, count, 0.002, &best), VERDICT_OK);
    ck_assert_uint_gt(best.m, 1);
    for (size_t m = 1; best.i + m + 1 < count; m++) {
        decrement_cumulative(y, count, best.i, best.j, m, 0.002, &other);
        ck_assert_double_ge(other.bound_beta, best.bound_beta);
    }
    decrement_clear(&best);
}
END_TEST

/* With every extremum off by at most delta, the errors stay within alpha and psi (LF Eqs. 15 and 17, first order). */
START_TEST(the_bounds_hold)
{
    const unsigned long seed = 20260711;
    printf("seed %lu\n", seed);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    const double delta = 2e-4;
    for (int trial = 0; trial < 500; trial++) {
        struct true_decay truth = {30, 0.05 * gsl_rng_uniform(rng), 0.01 * gsl_rng_uniform(rng) + 0.001, 0, 1, 0.2, 0};
        struct extremum extrema[30];
        const size_t count = exact_extrema(&truth, extrema, 30);
        for (size_t j = 0; j < count; j++)
            extrema[j].displacement += delta * (2 * gsl_rng_uniform(rng) - 1);
        struct decrement found;
        ck_assert_int_eq(decrement_identify(extrema, count, delta, &found), VERDICT_OK);
        ck_assert_double_le(fabs(found.beta - true_beta(&truth)), 1.05 * found.bound_beta);
        ck_assert_double_le(fabs(found.x_k_m - truth.x_k), 1.05 * found.bound_x_k);
        decrement_clear(&found);
    }
    gsl_rng_free(rng);
}
END_TEST

START_TEST(what_does_not_decay_is_named)
{
    struct extremum extrema[10] = {{0}};
    struct decrement found;
    ck_assert_int_eq(decrement_identify(extrema, 3, 0.1, &found), VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_uint_eq(found.local_count, 0);
    ck_assert_int_eq(decrement_identify(NULL, 0, 0.1, &found), VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_int_eq(decrement_identify(extrema, 10, 0.1, &found), VERDICT_NOT_DECAYING);
    ck_assert_double_nan(found.zeta.mean);
    decrement_clear(&found);
    for (size_t j = 0; j < 10; j++)
        extrema[j].displacement = pow(-1.1, (double)j);
    ck_assert_int_eq(decrement_identify(extrema, 10, 0.001, &found), VERDICT_NOT_DECAYING);
    decrement_clear(&found);
    extrema[4].displacement = NAN;
    ck_assert_int_eq(decrement_identify(extrema, 10, 0.001, &found), VERDICT_NOT_FINITE);
    decrement_clear(&found);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decrement");
    TCase *tests = tcase_create("decrement");
    tcase_add_test(tests, the_published_example_to_the_printed_digits);
    tcase_add_test(tests, a_record_that_starts_at_a_trough);
    tcase_add_test(tests, extrema_that_do_not_reach_far_enough);
    tcase_add_test(tests, exact_extrema_give_the_truth_at_every_place);
    tcase_add_test(tests, the_chosen_m_has_the_smallest_bound);
    tcase_add_test(tests, the_bounds_hold);
    tcase_add_test(tests, what_does_not_decay_is_named);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
