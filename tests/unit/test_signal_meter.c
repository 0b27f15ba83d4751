/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the meter says of streams whose figures are known. */
#include "identify/decay/record.h"
#include "rig/signal_meter.h"
#include "run_suite.h"

#include <gsl/gsl_randist.h>
#include <math.h>

START_TEST(a_few_samples_by_hand)
{
    static const double samples[] = {1000001, 1000003, 1000002};
    static const uint8_t flags[] = {0, SAMPLE_CLIPPED, SAMPLE_SPIKE};
    struct signal_meter meter = {0};
    signal_meter_take(&meter, samples, flags, 2);
    signal_meter_take(&meter, samples + 2, flags + 2, 1);
    ck_assert_uint_eq(meter.samples, 3);
    ck_assert_uint_eq(meter.clipped, 1);
    ck_assert_double_eq(meter.least, 1000001);
    ck_assert_double_eq(meter.most, 1000003);
    ck_assert_double_eq_tol(signal_meter_mean(&meter), 1000002, 1e-9);
    ck_assert_double_eq_tol(signal_meter_deviation(&meter), 1, 1e-9);
    /* (2² + 1²) / (2 * 2) */
    ck_assert_double_eq_tol(signal_meter_roughness(&meter), 1.25, 1e-9);
}
END_TEST

START_TEST(roughness_tells_slow_from_noise_from_too_fast)
{
    enum { COUNT = 20000 };
    gsl_rng *chance = gsl_rng_alloc(gsl_rng_mt19937);
    struct signal_meter slow = {0}, noise = {0}, fast = {0};
    for (int i = 0; i < COUNT; i++) {
        double a = sin(2 * M_PI * i / 1000.0), b = gsl_ran_gaussian(chance, 0.1), c = sin(0.98 * M_PI * i);
        signal_meter_take(&slow, &a, NULL, 1);
        signal_meter_take(&noise, &b, NULL, 1);
        signal_meter_take(&fast, &c, NULL, 1);
    }
    /* For a sine of w radians a sample it is 1 - cos w; for white noise 1, give or take 1/sqrt(n). */
    ck_assert_double_eq_tol(signal_meter_roughness(&slow), 1 - cos(2 * M_PI / 1000), 1e-6);
    ck_assert_double_eq_tol(signal_meter_roughness(&noise), 1, 5 / sqrt(COUNT));
    ck_assert_double_eq_tol(signal_meter_roughness(&fast), 1 - cos(0.98 * M_PI), 1e-3);
    gsl_rng_free(chance);
}
END_TEST

START_TEST(what_does_not_vary_has_no_roughness)
{
    static const double samples[] = {3, 3, 3};
    struct signal_meter meter = {0};
    ck_assert(isnan(signal_meter_mean(&meter)));
    ck_assert(isnan(signal_meter_deviation(&meter)));
    signal_meter_take(&meter, samples, NULL, 3);
    ck_assert_double_eq(signal_meter_deviation(&meter), 0);
    ck_assert(isnan(signal_meter_roughness(&meter)));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("signal meter");
    TCase *figures = tcase_create("figures");
    tcase_add_test(figures, a_few_samples_by_hand);
    tcase_add_test(figures, roughness_tells_slow_from_noise_from_too_fast);
    tcase_add_test(figures, what_does_not_vary_has_no_roughness);
    suite_add_tcase(suite, figures);
    return run_suite(suite);
}
