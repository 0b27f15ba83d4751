/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must not matter: the unit of displacement, the clock's zero, the side of the release, the sensor's zero. And a
 * fit of the model's own prediction must find the same again. */
#include "closed_form_decay.h"
#include "identify/decay/decay_model.h"
#include "identify/decay/identify.h"
#include "run_suite.h"

#include <check.h>

enum { SEED = 20070101, SAMPLES = 900, ROUNDS = 6 };

struct pair {
    double original[SAMPLES], changed[SAMPLES];
};

static struct identification identified(const double *y, double start_s, double period_s)
{
    const struct decay_record record = {
        .displacement = y, .count = SAMPLES, .start_s = start_s, .period_s = period_s, .first_extremum_s = NAN};
    const struct identify_settings settings = {.physical = physical_default_settings()};
    struct identification found;
    identify(&record, NULL, &settings, &found);
    return found;
}

static void make(gsl_rng *rng, struct pair *pair)
{
    struct true_decay truth = {2 * M_PI * (4 + gsl_rng_uniform(rng)),
                               0.005 + 0.02 * gsl_rng_uniform(rng),
                               0.01 * gsl_rng_uniform(rng),
                               0,
                               1,
                               0.2,
                               -1e-3 * gsl_rng_uniform(rng)};
    const struct sampling sampling = {.period_s = 2e-3, .count = SAMPLES, .noise = 0.003};
    double *y;
    measured_record(&truth, &sampling, rng, &y);
    for (size_t i = 0; i < SAMPLES; i++)
        pair->original[i] = y[i];
    free(y);
}

static void expect_equal(const struct estimate *a, const struct estimate *b, double factor, double offset,
                         double tolerance)
{
    /* What is at its bound stays there. */
    ck_assert_int_eq(a->at_bound, b->at_bound);
    const double scale = fmax(fabs(a->value), a->high - a->low) * fabs(factor);
    ck_assert_double_eq_tol(b->value, factor * a->value + offset, tolerance * scale);
    if (!a->at_bound)
        ck_assert_double_eq_tol(b->se, fabs(factor) * a->se, 1e-4 * fabs(factor) * a->se);
}

/* Compares two identifications whose displacements differ by factor and offset and whose times by shift and stretch. */
static void expect_same(const struct identification *a, const struct identification *b, double factor, double offset,
                        double shift, double stretch)
{
    const double size = fabs(factor);
    ck_assert_int_eq(a->verdict, b->verdict);
    ck_assert_int_eq(a->recommended, b->recommended);
    expect_equal(&a->fit.estimate[FIT_ZETA], &b->fit.estimate[FIT_ZETA], 1, 0, 1e-6);
    expect_equal(&a->fit.estimate[FIT_OMEGA_N], &b->fit.estimate[FIT_OMEGA_N], 1 / stretch, 0, 1e-8);
    expect_equal(&a->fit.estimate[FIT_X_K], &b->fit.estimate[FIT_X_K], size, 0, 1e-6);
    expect_equal(&a->fit.estimate[FIT_X0], &b->fit.estimate[FIT_X0], factor, 0, 1e-6);
    ck_assert_double_eq_tol(b->fit.estimate[FIT_BIAS].value, factor * a->fit.estimate[FIT_BIAS].value + offset,
                            1e-6 * size);
    ck_assert_double_eq_tol(b->fit.estimate[FIT_T0].value, a->fit.estimate[FIT_T0].value * stretch + shift, 1e-6);
    expect_equal(&a->extrema_fit.estimate[FIT_ZETA], &b->extrema_fit.estimate[FIT_ZETA], 1, 0, 1e-5);
    expect_equal(&a->extrema_fit.estimate[FIT_X_K], &b->extrema_fit.estimate[FIT_X_K], size, 0, 1e-5);
    ck_assert_double_eq_tol(b->logarithmic_decrement.zeta.value, a->logarithmic_decrement.zeta.value, 1e-6);
    ck_assert_double_eq_tol(b->linear_decrement.x_k.value, size * a->linear_decrement.x_k.value, 1e-6 * size);
    ck_assert_int_eq(a->choice.verdict, b->choice.verdict);
    ck_assert_int_eq(a->choice.terms, b->choice.terms);
    ck_assert_double_eq_tol(b->drifts.damping.relative, a->drifts.damping.relative, 1e-4);
    ck_assert_uint_eq(a->windows.count, b->windows.count);
}

static void check(double factor, double offset, double shift, double stretch)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, SEED);
    for (int n = 0; n < ROUNDS; n++) {
        static struct pair pair;
        make(rng, &pair);
        for (size_t i = 0; i < SAMPLES; i++)
            pair.changed[i] = factor * pair.original[i] + offset;
        struct identification a = identified(pair.original, 0, 2e-3);
        struct identification b = identified(pair.changed, shift, 2e-3 * stretch);
        expect_same(&a, &b, factor, offset, shift, stretch);
        identification_clear(&a);
        identification_clear(&b);
    }
    gsl_rng_free(rng);
}

START_TEST(the_unit_of_displacement_does_not_matter)
{
    check(25.4, 0, 0, 1);
    check(1e-9, 0, 0, 1);
    check(3e11, 0, 0, 1);
}
END_TEST

START_TEST(the_zero_of_the_clock_does_not_matter)
{
    check(1, 0, 12.5, 1);
    check(1, 0, -7000, 1);
}
END_TEST

START_TEST(the_unit_of_time_does_not_matter)
{
    check(1, 0, 0, 1024);
}
END_TEST

START_TEST(the_side_of_the_release_does_not_matter)
{
    check(-1, 0, 0, 1);
}
END_TEST

START_TEST(the_zero_of_the_sensor_does_not_matter)
{
    check(1, 40, 0, 1);
}
END_TEST

/* The prediction of a fit, fitted. */
START_TEST(the_models_own_prediction_is_found_again)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, SEED + 1);
    for (int n = 0; n < ROUNDS; n++) {
        static struct pair pair;
        make(rng, &pair);
        struct identification a = identified(pair.original, 0, 2e-3);
        const struct full_record_fit *fit = &a.fit;
        const double parameters[FIT_PARAMETERS] = {fit->estimate[FIT_OMEGA_N].value, fit->estimate[FIT_ZETA].value,
                                                   fit->estimate[FIT_X_K].value,     fit->estimate[FIT_X0].value,
                                                   fit->estimate[FIT_BIAS].value,    fit->estimate[FIT_T0].value};
        for (size_t i = 0; i < SAMPLES; i++)
            pair.changed[i] = decay_value(parameters, (double)i * 2e-3, NULL);
        struct identification b = identified(pair.changed, 0, 2e-3);
        ck_assert_int_eq(b.fit.verdict, VERDICT_OK);
        ck_assert_double_eq_tol(b.fit.estimate[FIT_ZETA].value, fit->estimate[FIT_ZETA].value, 1e-9);
        ck_assert_double_eq_tol(b.fit.estimate[FIT_X_K].value, fit->estimate[FIT_X_K].value, 1e-9);
        ck_assert_double_eq_tol(b.fit.estimate[FIT_OMEGA_N].value, fit->estimate[FIT_OMEGA_N].value, 1e-8);
        ck_assert_double_eq_tol(b.fit.estimate[FIT_BIAS].value, fit->estimate[FIT_BIAS].value, 1e-9);
        ck_assert_double_le(b.fit.rms, 1e-9);
        identification_clear(&a);
        identification_clear(&b);
    }
    gsl_rng_free(rng);
}
END_TEST

int main(void)
{
    printf("seed %d\n", SEED);
    Suite *suite = suite_create("invariance");
    TCase *tests = tcase_create("invariance");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, the_unit_of_displacement_does_not_matter);
    tcase_add_test(tests, the_zero_of_the_clock_does_not_matter);
    tcase_add_test(tests, the_unit_of_time_does_not_matter);
    tcase_add_test(tests, the_side_of_the_release_does_not_matter);
    tcase_add_test(tests, the_zero_of_the_sensor_does_not_matter);
    tcase_add_test(tests, the_models_own_prediction_is_found_again);
    return run_suite(suite);
}
