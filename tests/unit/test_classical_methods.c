/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods that users compare with: exact where their assumption holds, and what they do where it does not. */
#include "closed_form_decay.h"
#include "identify/decay/decrement.h"
#include "identify/decay/extremum.h"
#include "identify/decay/full_record_fit.h"
#include "identify/decay/jacobsen_ayre.h"
#include "identify/decay/linear_decrement.h"
#include "identify/decay/logarithmic_decrement.h"
#include "run_suite.h"

#include <check.h>
#include <string.h>

enum { SEED = 19580101 };

/* The true extrema of a decay, bias included. */
static void true_extrema(const struct true_decay *truth, struct extremum *extrema, size_t count)
{
    memset(extrema, 0, count * sizeof *extrema);
    for (size_t j = 0; j < count; j++) {
        extrema[j].displacement = truth->bias + true_extremum(truth, j, NULL);
        extrema[j].time_s = (double)j;
    }
}

START_TEST(logarithmic_decrement_of_a_viscous_decay)
{
    const double zeta[] = {0.001, 0.02, 0.2};
    for (size_t k = 0; k < 3; k++) {
        const struct true_decay truth = {1, zeta[k], 0, 0, k == 1 ? -3.0 : 3.0, 0.7, 0};
        struct extremum extrema[12];
        struct logarithmic_decrement found;
        true_extrema(&truth, extrema, 12);
        ck_assert_int_eq(logarithmic_decrement(extrema, 12, 1, &found), VERDICT_OK);
        ck_assert_double_eq_tol(found.zeta.value, zeta[k], 1e-12);
        ck_assert_double_eq_tol(found.delta, 2 * M_PI * true_beta(&truth), 1e-11);
        ck_assert(found.zeta.low <= zeta[k] + 1e-12 && zeta[k] <= found.zeta.high + 1e-12);
        ck_assert_double_le(found.rms, 1e-12);
    }
}
END_TEST

START_TEST(linear_decrement_of_a_coulomb_decay)
{
    const struct true_decay truth = {1, 0, 0.05, 0, -1, 0.3, 0};
    struct extremum extrema[10];
    struct linear_decrement found;
    true_extrema(&truth, extrema, 10);
    ck_assert_int_eq(linear_decrement(extrema, 10, 1, &found), VERDICT_OK);
    ck_assert_double_eq_tol(found.x_k.value, 0.05, 1e-13);
    ck_assert_double_eq_tol(found.per_cycle, 0.2, 1e-12);
    ck_assert_double_le(found.rms, 1e-13);
}
END_TEST

START_TEST(jacobsen_and_ayre_tell_both_apart)
{
    const struct true_decay truth = {1, 0.02, 0.01, 0, 1, -0.2, 0};
    struct extremum extrema[20];
    struct jacobsen_ayre found;
    true_extrema(&truth, extrema, 20);
    ck_assert_int_eq(jacobsen_ayre(extrema, 20, &found), VERDICT_OK);
    ck_assert_double_eq_tol(found.zeta.value, 0.02, 1e-11);
    ck_assert_double_eq_tol(found.x_k.value, 0.01, 1e-11);
    /* A viscous decay alone has no friction, and the other way round. */
    const struct true_decay viscous = {1, 0.02, 0, 0, 1, 0, 0};
    true_extrema(&viscous, extrema, 20);
    ck_assert_int_eq(jacobsen_ayre(extrema, 20, &found), VERDICT_OK);
    ck_assert_double_eq_tol(found.x_k.value, 0, 1e-12);
}
END_TEST

/* Each method blames its own kind of damping for everything. */
START_TEST(a_wrong_assumption_shows)
{
    const struct true_decay both = {1, 0.02, 0.01, 0, 1, 0, 0};
    struct extremum extrema[20];
    struct logarithmic_decrement logarithmic;
    struct linear_decrement linear;
    true_extrema(&both, extrema, 20);
    ck_assert_int_eq(logarithmic_decrement(extrema, 20, 1, &logarithmic), VERDICT_OK);
    ck_assert_int_eq(linear_decrement(extrema, 20, 1, &linear), VERDICT_OK);
    ck_assert_double_gt(logarithmic.zeta.low, 0.02);
    ck_assert_double_gt(linear.x_k.low, 0.01);
}
END_TEST

START_TEST(what_does_not_decay_is_named)
{
    struct extremum extrema[10] = {{0}};
    struct logarithmic_decrement logarithmic;
    struct linear_decrement linear;
    struct jacobsen_ayre both;
    for (size_t j = 0; j < 10; j++)
        extrema[j].displacement = (j % 2 ? -1.0 : 1.0) * (1 + 0.1 * (double)j);
    ck_assert_int_eq(logarithmic_decrement(extrema, 10, 1, &logarithmic), VERDICT_NOT_DECAYING);
    ck_assert_int_eq(linear_decrement(extrema, 10, 1, &linear), VERDICT_NOT_DECAYING);
    ck_assert_int_ne(jacobsen_ayre(extrema, 10, &both), VERDICT_OK);
    ck_assert_int_eq(logarithmic_decrement(extrema, 3, 1, &logarithmic), VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_int_eq(linear_decrement(extrema, 3, 1, &linear), VERDICT_TOO_FEW_HALF_CYCLES);
    ck_assert_int_eq(jacobsen_ayre(extrema, 6, &both), VERDICT_TOO_FEW_HALF_CYCLES);
    extrema[4].displacement = extrema[5].displacement;
    ck_assert_int_eq(logarithmic_decrement(extrema, 10, 1, &logarithmic), VERDICT_NOT_FINITE);
    ck_assert_double_nan(logarithmic.zeta.value);
}
END_TEST

/* Where a method's assumption holds, its interval holds the truth in 95 % of noisy records; Jacobsen and Ayre's more.
 */
START_TEST(intervals_hold_the_truth)
{
    enum { RECORDS = 400 };
    const struct true_decay viscous = {1, 0.02, 0, 0, 1, 0, 0}, coulomb = {1, 0, 0.02, 0, 1, 0, 0};
    const struct true_decay both = {1, 0.02, 0.01, 0, 1, 0, 0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, SEED + 1);
    int logarithmic_holds = 0, linear_holds = 0, both_hold = 0;
    for (int n = 0; n < RECORDS; n++) {
        struct extremum extrema[3][20];
        true_extrema(&viscous, extrema[0], 20);
        true_extrema(&coulomb, extrema[1], 20);
        true_extrema(&both, extrema[2], 20);
        for (size_t k = 0; k < 60; k++)
            extrema[k / 20][k % 20].displacement += gsl_ran_gaussian(rng, 0.002);
        struct logarithmic_decrement logarithmic;
        struct linear_decrement linear;
        struct jacobsen_ayre apart;
        logarithmic_decrement(extrema[0], 20, 1, &logarithmic);
        linear_decrement(extrema[1], 20, 1, &linear);
        jacobsen_ayre(extrema[2], 20, &apart);
        logarithmic_holds += logarithmic.zeta.low <= 0.02 && 0.02 <= logarithmic.zeta.high;
        linear_holds += linear.x_k.low <= 0.02 && 0.02 <= linear.x_k.high;
        both_hold +=
            apart.zeta.low <= 0.02 && 0.02 <= apart.zeta.high && apart.x_k.low <= 0.01 && 0.01 <= apart.x_k.high;
    }
    gsl_rng_free(rng);
    /* 95 % within four standard deviations of the count. */
    ck_assert_int_ge(logarithmic_holds, RECORDS * 906 / 1000);
    ck_assert_int_ge(linear_holds, RECORDS * 906 / 1000);
    ck_assert_int_ge(both_hold, RECORDS * 906 / 1000);
    ck_assert_int_le(logarithmic_holds, RECORDS * 994 / 1000);
    ck_assert_int_le(linear_holds, RECORDS * 994 / 1000);
}
END_TEST

/* What SHK report of one record: the local values of the decrement method scatter by tens of percent, and grow wilder
 * towards the end, while the fit of the same record is right to a percent. */
START_TEST(local_decrements_scatter_and_the_fit_does_not)
{
    const struct true_decay truth = {10 * M_PI, 0.02, 0.02, 0, 1, 0.1, 0};
    const struct sampling sampling = {.period_s = 1.0 / 800, .count = 1081, .noise = 0.01};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, SEED);
    double *y;
    struct decay_record record = measured_record(&truth, &sampling, rng, &y);
    struct extremum *extrema = NULL;
    size_t count = 0;
    struct decrement decrement;
    struct full_record_fit fit;
    ck_assert_int_eq(extrema_find(&record, NULL, &extrema, &count), VERDICT_OK);
    ck_assert_int_eq(decrement_identify(extrema, count, 0.01, &decrement), VERDICT_OK);
    const struct full_record_options options = {.model = DAMPING_VISCOUS_COULOMB};
    ck_assert_int_eq(full_record_fit(&record, &options, &fit), VERDICT_OK);
    const double fitted = fabs(fit.estimate[FIT_ZETA].value - 0.02);
    ck_assert_double_gt(decrement.zeta.sd, 0.2 * 0.02);
    ck_assert_double_gt(decrement.zeta.sd, 10 * fit.estimate[FIT_ZETA].se);
    ck_assert_double_le(fitted, 4 * fit.estimate[FIT_ZETA].se);
    ck_assert_double_le(fit.estimate[FIT_ZETA].se, 0.03 * 0.02);
    double early = 0, late = 0;
    for (size_t n = 0; n < decrement.local_count; n++) {
        const double off = fabs(decrement.local[n].zeta - 0.02);
        double *part = n < decrement.local_count / 2 ? &early : &late;
        *part = fmax(*part, isfinite(off) ? off : 1);
    }
    ck_assert_double_gt(late, early);
    decrement_clear(&decrement);
    free(extrema);
    free(y);
    gsl_rng_free(rng);
}
END_TEST

int main(void)
{
    printf("seed %d\n", SEED);
    Suite *suite = suite_create("classical methods");
    TCase *tests = tcase_create("classical");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, logarithmic_decrement_of_a_viscous_decay);
    tcase_add_test(tests, linear_decrement_of_a_coulomb_decay);
    tcase_add_test(tests, jacobsen_and_ayre_tell_both_apart);
    tcase_add_test(tests, a_wrong_assumption_shows);
    tcase_add_test(tests, what_does_not_decay_is_named);
    tcase_add_test(tests, intervals_hold_the_truth);
    tcase_add_test(tests, local_decrements_scatter_and_the_fit_does_not);
    return run_suite(suite);
}
