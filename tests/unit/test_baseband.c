/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The filter that takes a band to frequency 0, and the systems that fits solve. */
#include "identify/common/dense_cholesky.h"
#include "identify/ring_down/baseband.h"
#include "run_suite.h"

#include <errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 20000 };
#define RATE_HZ 2000.0

static double samples[SAMPLES];

static void tone(double f_hz)
{
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = cos(2 * M_PI * f_hz * i / RATE_HZ + 0.4);
}

/* The largest error of what is left of a tone, over its amplitude, from the tone or from nothing. */
static double error_of(const struct baseband_filter *filter, double f_hz, bool passes)
{
    const size_t count = baseband_count(filter, SAMPLES);
    double complex *values = calloc(count, sizeof *values);
    double most = 0;
    tone(f_hz);
    baseband_of(filter, RATE_HZ, samples, SAMPLES, values);
    for (size_t k = 0; k < count; k++) {
        const double time_s = (double)(k * filter->step + filter->taps / 2) / RATE_HZ;
        const double complex full = cexp(I * (2 * M_PI * (f_hz - filter->centre_hz) * time_s + 0.4));
        most = fmax(most, cabs(values[k] - (passes ? full : 0)));
    }
    free(values);
    return most;
}

START_TEST(the_band_passes_and_the_rest_does_not)
{
    struct baseband_filter filter;
    ck_assert_int_eq(baseband_filter_create(RATE_HZ, 300, 40, &filter), 0);
    /* A filter of 80 dB between 8 and 40 Hz is 5/32 s long. */
    ck_assert_double_eq_tol((double)filter.taps / RATE_HZ, 5.02 / 32, 2e-3);
    ck_assert_double_le(error_of(&filter, 300, true), 3e-4);
    ck_assert_double_le(error_of(&filter, 293, true), 3e-4);
    ck_assert_double_le(error_of(&filter, 308, true), 3e-4);
    ck_assert_double_le(error_of(&filter, 340, false), 1.2e-4);
    ck_assert_double_le(error_of(&filter, 259.5, false), 1.2e-4);
    ck_assert_double_le(error_of(&filter, 700, false), 1.2e-4);
    baseband_filter_clear(&filter);
}
END_TEST

START_TEST(noise_is_as_foretold)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct baseband_filter filter;
    ck_assert_int_eq(baseband_filter_create(RATE_HZ, 300, 120, &filter), 0);
    const size_t count = baseband_count(&filter, SAMPLES);
    double complex *values = calloc(count, sizeof *values), mean = 0;
    double squares = 0, sums = 0;
    for (int record = 0; record < 40; record++) {
        for (int i = 0; i < SAMPLES; i++)
            samples[i] = gsl_ran_gaussian(random, 3);
        baseband_of(&filter, RATE_HZ, samples, SAMPLES, values);
        mean = 0;
        for (size_t k = 0; k < count; k++) {
            squares += creal(values[k] * conj(values[k])) / (2.0 * (double)count * 40);
            mean += values[k];
        }
        sums += creal(mean * conj(mean)) / (2.0 * (double)count * 40);
    }
    ck_assert_double_eq_tol(squares / (9 * filter.variance), 1, 0.02);
    /* The sum of all samples weighs noise at the centre: 80 squares, so 16 % a standard deviation. */
    ck_assert_double_eq_tol(sums / (9 * filter.density), 1, 0.4);
    free(values);
    baseband_filter_clear(&filter);
    gsl_rng_free(random);
}
END_TEST

START_TEST(bands_that_cannot_be_are_refused)
{
    struct baseband_filter filter;
    ck_assert_int_eq(baseband_filter_create(RATE_HZ, 1200, 40, &filter), -EDOM);
    ck_assert_int_eq(baseband_filter_create(RATE_HZ, 300, 0, &filter), -EDOM);
    ck_assert_int_eq(baseband_filter_create(RATE_HZ, 300, NAN, &filter), -EDOM);
    ck_assert_int_eq(baseband_filter_create(RATE_HZ, 300, 40, &filter), 0);
    ck_assert_uint_eq(baseband_count(&filter, filter.taps - 1), 0);
    ck_assert_uint_eq(baseband_count(&filter, filter.taps), 1);
    baseband_filter_clear(&filter);
}
END_TEST

/* A matrix whose inverse and determinant are known, badly scaled. */
START_TEST(systems_are_solved)
{
    enum { N = 20 };
    double matrix[N * N], factor[N * N], inverse[N * N], scale[N], x[N], right[N] = {0}, log_determinant = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix[i * N + j] = (1.0 + (i == j ? 1.0 : 0.0)) * pow(10, i + j - N);
    for (int i = 0; i < N; i++) {
        log_determinant += 2 * log(10) * (i - 0.5 * N);
        x[i] = (i % 3 - 1) * pow(10, -i);
    }
    log_determinant += log(N + 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            right[i] += matrix[i * N + j] * x[j];
    ck_assert(dense_cholesky(matrix, N, 0, factor, scale));
    dense_cholesky_solve(factor, scale, N, right);
    for (int i = 0; i < N; i++)
        ck_assert_double_eq_tol(right[i], x[i], 1e-13 * pow(10, -i));
    dense_cholesky_invert(factor, scale, N, inverse);
    /* (1 + I)^-1 = I - 1/(N + 1) */
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double truth = (i == j ? 1.0 : 0.0) - 1.0 / (N + 1);
            ck_assert_double_eq_tol(inverse[i * N + j] * pow(10, i + j - N), truth, 1e-12);
        }
    ck_assert_double_eq_tol(dense_cholesky_log_determinant(factor, scale, N), log_determinant, 1e-10);
    matrix[0] = -1;
    ck_assert(!dense_cholesky(matrix, N, 0, factor, scale));
    for (int i = 0; i < N * N; i++)
        matrix[i] = 1;
    ck_assert(!dense_cholesky(matrix, N, 0, factor, scale));
    ck_assert(dense_cholesky(matrix, N, 1e-3, factor, scale));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("baseband");
    TCase *tests = tcase_create("baseband");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_band_passes_and_the_rest_does_not);
    tcase_add_test(tests, noise_is_as_foretold);
    tcase_add_test(tests, bands_that_cannot_be_are_refused);
    tcase_add_test(tests, systems_are_solved);
    return run_suite(suite);
}
