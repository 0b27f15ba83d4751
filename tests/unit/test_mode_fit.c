/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several modes at once, seen by several sensors: close pairs, in samples as they are and in a band. */
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/mode_fit.h"
#include "run_suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { MODES = 2, SENSORS = 2, SAMPLES = 3000 };
static double complex values[SENSORS * SAMPLES];

static const double omega[MODES] = {500, 512}, c[MODES] = {5, 4};
static const double complex amplitude[MODES][SENSORS] = {{1, 0.6 + 0.1 * I}, {0.8 - 0.2 * I, -0.9}};

/* Damped exponentials in closed form, as displacements. */
static void fill(bool analytic, double carrier, double noise, gsl_rng *random)
{
    for (size_t m = 0; m < SENSORS; m++)
        for (size_t i = 0; i < SAMPLES; i++) {
            const double time_s = (double)i / 1000;
            double complex sum = 0;
            for (size_t r = 0; r < MODES; r++)
                sum += amplitude[r][m] * cexp((-0.5 * c[r] + I * omega[r]) * time_s);
            sum = analytic ? sum * cexp(-I * carrier * time_s) : creal(sum);
            sum += gsl_ran_gaussian(random, noise) + (analytic ? I * gsl_ran_gaussian(random, noise) : 0);
            values[m * SAMPLES + i] = sum;
        }
}

/* Squared errors of the parameters and of the second shape's parts, each over its variance; ten of them. */
static double squared_errors(bool analytic, gsl_rng *random)
{
    const double noise = 0.02, carrier = 505;
    struct mode_samples samples = {.sensed = SENSED_DISPLACEMENT,
                                   .sensors = SENSORS,
                                   .count = SAMPLES,
                                   .period_s = 0.001,
                                   .analytic = analytic,
                                   .carrier = carrier,
                                   .values = values};
    struct mode_sum sum = {.modes = MODES, .law = {linear_law(499, 6), linear_law(513, 3)}};
    struct mode_fit fit;
    double squares = 0;
    size_t at = 0;
    fill(analytic, carrier, noise, random);
    ck_assert_str_eq(verdict_name(mode_fit(&samples, NULL, NULL, &sum, &fit)), "ok");
    ck_assert_double_eq_tol(fit.squares / (double)(fit.rows - fit.unknowns) / (noise * noise), 1, 0.1);
    ck_assert_uint_eq(fit.unknowns, 2 * MODES + 2 * MODES * SENSORS);
    for (size_t r = 0; r < MODES; r++) {
        const double truth[2] = {omega[r], c[r]};
        for (size_t p = 0; p < 2; p++, at++)
            squares += pow(sum.law[r].parameter[p] - truth[p], 2) / fit.inverse[at * (fit.unknowns + 1)];
    }
    for (size_t m = 0; m < SENSORS; m++)
        for (size_t r = 0; r < MODES; r++, at += 2) {
            const double complex error = sum.amplitude[r][m] - amplitude[r][m];
            squares += creal(error) * creal(error) / fit.inverse[at * (fit.unknowns + 1)];
            squares += cimag(error) * cimag(error) / fit.inverse[(at + 1) * (fit.unknowns + 1)];
        }
    mode_fit_clear(&fit);
    return squares / (noise * noise);
}

/* Twelve errors a record, 30 records: their mean square scatters by 7 to 10 %. */
START_TEST(a_close_pair_is_at_the_bound)
{
    enum { RECORDS = 30 };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int analytic = 0; analytic < 2; analytic++) {
        double squares = 0;
        for (int i = 0; i < RECORDS; i++)
            squares += squared_errors(analytic, random) / (12 * RECORDS);
        ck_assert_double_ge(squares, 0.7);
        ck_assert_double_le(squares, 1.3);
    }
    gsl_rng_free(random);
}
END_TEST

/* What is known beforehand pulls an estimate by its share of what is known in all. */
START_TEST(a_prior_counts_as_another_measurement)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct mode_samples samples = {
        .sensed = SENSED_DISPLACEMENT, .sensors = 1, .count = SAMPLES, .period_s = 0.001, .values = values};
    struct mode_sum plain = {.modes = MODES, .law = {linear_law(499, 6), linear_law(513, 3)}}, tied = plain;
    struct mode_fit free_fit, tied_fit;
    fill(false, 0, 0.02, random);
    ck_assert_str_eq(verdict_name(mode_fit(&samples, NULL, NULL, &plain, &free_fit)), "ok");
    /* That c of the first mode is 0, with fifty times the variance that the samples leave it; no other is tied. */
    const double variance = 4e-4, loose = 50 * variance * free_fit.inverse[1 * (free_fit.unknowns + 1)];
    const double precision[2 * MODES] = {0, 1 / loose};
    const struct mode_prior prior = {variance, precision};
    ck_assert_str_eq(verdict_name(mode_fit(&samples, &prior, NULL, &tied, &tied_fit)), "ok");
    ck_assert_double_eq_tol(tied.law[0].parameter[1] / plain.law[0].parameter[1], 50.0 / 51, 1e-3);
    ck_assert_double_lt(tied_fit.inverse[tied_fit.unknowns + 1], free_fit.inverse[free_fit.unknowns + 1]);
    mode_fit_clear(&free_fit);
    mode_fit_clear(&tied_fit);
    gsl_rng_free(random);
}
END_TEST

/* In samples of a band a motion that turns by one turn more from one to the next looks the same, and is not in it. */
START_TEST(what_is_beyond_the_band_is_no_answer)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const double turn = 2 * M_PI * 1000;
    const struct mode_samples samples = {.sensed = SENSED_DISPLACEMENT,
                                         .sensors = SENSORS,
                                         .count = SAMPLES,
                                         .period_s = 0.001,
                                         .analytic = true,
                                         .carrier = 505,
                                         .values = values};
    fill(true, 505, 0.02, random);
    for (int beyond = 0; beyond < MODES; beyond++) {
        struct mode_sum sum = {.modes = MODES, .law = {linear_law(omega[0], 5), linear_law(omega[1], 4)}};
        struct mode_fit fit;
        sum.law[beyond] = linear_law(omega[beyond] + turn, c[beyond]);
        ck_assert_str_eq(verdict_name(mode_fit(&samples, NULL, NULL, &sum, &fit)), "underdetermined");
        mode_fit_clear(&fit);
    }
    gsl_rng_free(random);
}
END_TEST

START_TEST(modes_that_are_one_are_not_told_apart)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct mode_samples samples = {
        .sensed = SENSED_DISPLACEMENT, .sensors = SENSORS, .count = SAMPLES, .period_s = 0.001, .values = values};
    struct mode_sum sum = {.modes = MODES, .law = {linear_law(500, 5), linear_law(500, 5)}};
    struct mode_fit fit;
    const atomic_bool cancel = true;
    fill(false, 0, 0.02, random);
    ck_assert_str_eq(verdict_name(mode_fit(&samples, NULL, NULL, &sum, &fit)), "underdetermined");
    mode_fit_clear(&fit);
    sum.law[1] = linear_law(510, 5);
    ck_assert_str_eq(verdict_name(mode_fit(&samples, NULL, &cancel, &sum, &fit)), "cancelled");
    mode_fit_clear(&fit);
    gsl_rng_free(random);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fit of modes");
    TCase *tests = tcase_create("fit of modes");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_close_pair_is_at_the_bound);
    tcase_add_test(tests, a_prior_counts_as_another_measurement);
    tcase_add_test(tests, what_is_beyond_the_band_is_no_answer);
    tcase_add_test(tests, modes_that_are_one_are_not_told_apart);
    return run_suite(suite);
}
