/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blows in records of a struck structure, whose places are known. */
#include "identify/ring_down/blow.h"
#include "run_suite.h"
#include "struck_structure.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { MOST = 60000, BLOWS = 8 };
static double samples[MOST];

static void clear(gsl_rng *random, double noise)
{
    for (size_t i = 0; i < MOST; i++)
        samples[i] = noise > 0 ? gsl_ran_gaussian(random, noise) : 0;
}

static double peak_of(size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(samples[i]));
    return most;
}

/* 42 streams: modes from 15 to 900 Hz, one to three blows of 0.5 to 4 ms, noise of 0.1 to 5 % of
 * the peak. */
START_TEST(every_blow_is_found_once)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int stream = 0; stream < 42; stream++) {
        const double rate_hz = 5000, share[3] = {0.001, 0.01, 0.05};
        const size_t blow_count = 1 + (size_t)stream % 3;
        double f_hz[3] = {15 + 100 * gsl_rng_uniform(random)};
        f_hz[1] = f_hz[0] * (2 + 3 * gsl_rng_uniform(random));
        f_hz[2] = f_hz[0] * (1.01 + 0.05 * gsl_rng_uniform(random));
        struct push pushes[3];
        const double length_s = 0.0005 + 0.0035 * gsl_rng_uniform(random);
        for (size_t k = 0; k < blow_count; k++)
            pushes[k] = (struct push){0.05 + 3.5 * (double)k + 0.3 * gsl_rng_uniform(random), length_s,
                                      0.7 + 0.6 * gsl_rng_uniform(random)};
        struct blow blows[BLOWS];
        size_t found = 0;
        clear(NULL, 0);
        strike(pushes, blow_count, f_hz, 1 + (size_t)stream / 3 % 3, 0.004, rate_hz, MOST, samples);
        const double noise = share[stream % 7 % 3] * peak_of(MOST);
        for (size_t i = 0; i < MOST; i++)
            samples[i] += 3 * noise + gsl_ran_gaussian(random, noise);
        ck_assert_int_eq(blows_of(samples, NULL, MOST, rate_hz, blows, BLOWS, &found), BLOWS_FOUND);
        ck_assert_uint_eq(found, blow_count);
        for (size_t k = 0; k < found; k++) {
            const double onset_s = (double)blows[k].onset / rate_hz, start_s = (double)blows[k].start / rate_hz;
            ck_assert_double_eq_tol(onset_s, pushes[k].at_s, 0.005);
            ck_assert_double_le(start_s - pushes[k].at_s, 0.06);
            ck_assert_int_eq(blows[k].ended, k + 1 < found ? RING_DOWN_NEXT_BLOW : RING_DOWN_RECORD_ENDS);
            ck_assert(blows[k].clipped_until == 0);
        }
    }
    gsl_rng_free(random);
}
END_TEST

/* A soft hammer, and a pair that begins against each other where the sensor is: the motion grows for several cycles. */
START_TEST(a_motion_that_grows_behind_a_blow_is_no_other)
{
    static const double rates_hz[] = {474, 2048, 5000};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int record = 0; record < 60; record++) {
        const double rate_hz = rates_hz[record % 3], f_hz = 35 + 15 * gsl_rng_uniform(random);
        const double pair_hz[2] = {f_hz, f_hz * (1.02 + 0.05 * gsl_rng_uniform(random))};
        const double opposed = 0.7 + 0.25 * gsl_rng_uniform(random);
        const struct push push = {0.8, 0.012, 1}, counter = {0.8, 0.012, -opposed};
        const size_t count = (size_t)(4 * rate_hz);
        struct blow blows[BLOWS];
        size_t found;
        clear(NULL, 0);
        strike(&push, 1, &pair_hz[0], 1, 0.005, rate_hz, count, samples);
        strike(&counter, 1, &pair_hz[1], 1, 0.005, rate_hz, count, samples);
        const double noise = 0.004 * peak_of(count);
        for (size_t i = 0; i < count; i++)
            samples[i] += gsl_ran_gaussian(random, noise);
        ck_assert_int_eq(blows_of(samples, NULL, count, rate_hz, blows, BLOWS, &found), BLOWS_FOUND);
        ck_assert_uint_eq(found, 1);
        ck_assert_double_eq_tol((double)blows[0].onset / rate_hz, push.at_s, 0.005);
    }
    gsl_rng_free(random);
}
END_TEST

/* Four samples take 10 to 40 ms. */
START_TEST(slow_sampling_counts_no_blow_twice)
{
    static const double rates_hz[] = {100, 200, 400};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof rates_hz / sizeof rates_hz[0]; k++) {
        const double rate_hz = rates_hz[k], f_hz = rate_hz / 25;
        const struct push pushes[2] = {{3.013, 3 / rate_hz, 1}, {3.013 + 300 / f_hz, 3 / rate_hz, 1}};
        const size_t count = (size_t)((6 + 600 / f_hz) * rate_hz);
        struct blow blows[BLOWS];
        size_t found;
        clear(NULL, 0);
        strike(pushes, 2, &f_hz, 1, 0.005, rate_hz, count, samples);
        const double noise = 0.005 * peak_of(count);
        for (size_t i = 0; i < count; i++)
            samples[i] += gsl_ran_gaussian(random, noise);
        ck_assert_int_eq(blows_of(samples, NULL, count, rate_hz, blows, BLOWS, &found), BLOWS_FOUND);
        ck_assert_uint_eq(found, 2);
        for (size_t b = 0; b < 2; b++)
            ck_assert_double_eq_tol((double)blows[b].onset / rate_hz, pushes[b].at_s, 2 / rate_hz);
    }
    gsl_rng_free(random);
}
END_TEST

/* Noise, a sine that starts slowly, a beat, and a ring-down that has been going on since before the record. */
START_TEST(no_blow_is_invented)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct blow blows[BLOWS];
    size_t found;
    for (int record = 0; record < 20; record++) {
        clear(random, 1);
        ck_assert_int_ne(blows_of(samples, NULL, MOST, 5000, blows, BLOWS, &found), BLOWS_FOUND);
    }
    clear(random, 0.01);
    for (size_t i = 0; i < MOST; i++)
        samples[i] += fmin((double)i / 20000, 1) * sin(0.1 * (double)i);
    ck_assert_int_eq(blows_of(samples, NULL, MOST, 5000, blows, BLOWS, &found), BLOWS_NONE);
    clear(random, 0.01);
    for (size_t i = 0; i < MOST; i++)
        samples[i] += sin(0.1 * (double)i) + sin(0.1008 * (double)i);
    ck_assert_int_ne(blows_of(samples, NULL, MOST, 5000, blows, BLOWS, &found), BLOWS_FOUND);
    clear(random, 0.01);
    for (size_t i = 0; i < MOST; i++)
        samples[i] += exp(-1e-4 * (double)i) * cos(0.1 * (double)i);
    ck_assert_int_eq(blows_of(samples, NULL, MOST, 5000, blows, BLOWS, &found), BLOWS_NOTHING_BEFORE);
    ck_assert_uint_eq(found, 0);
    gsl_rng_free(random);
}
END_TEST

/* One or two readings that went wrong, two and a half or five times as large as the blow, before it, soon behind it and
 * later: they are no blow and hide none, and in their places is what is between their neighbours. */
START_TEST(spikes_are_no_blows)
{
    static const double places_s[] = {0.45, 0.64, 0.75};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct push push = {0.6, 0.002, 1};
    const double f_hz = 80, rate_hz = 2048;
    struct blow blows[BLOWS];
    size_t found;
    for (int record = 0; record < 60; record++) {
        clear(NULL, 0);
        strike(&push, 1, &f_hz, 1, 0.002, rate_hz, 16384, samples);
        const double peak = peak_of(16384), at_s = places_s[record % 3];
        for (size_t i = 0; i < 16384; i++)
            samples[i] += gsl_ran_gaussian(random, 0.002 * peak);
        const size_t spike = (size_t)(at_s * rate_hz) + (size_t)record;
        for (int k = 0; k <= record % 2; k++)
            samples[spike + (size_t)k] = (record % 4 < 2 ? 5 : -2.5) * peak;
        ck_assert_int_eq(blows_of(samples, NULL, 16384, rate_hz, blows, BLOWS, &found), BLOWS_FOUND);
        ck_assert_uint_eq(found, 1);
        ck_assert_double_eq_tol((double)blows[0].onset / rate_hz, push.at_s, 0.005);
        ck_assert_int_eq(blows[0].ended, RING_DOWN_RECORD_ENDS);
        ck_assert_double_le(fabs(samples[spike]), 1.2 * peak);
    }
    gsl_rng_free(random);
}
END_TEST

/* Half sines of 0.5 to 8 ms, of which the longest are longer than a cycle of the fastest mode, in noise of 0.1 to 5 %
 * of the peak: at most one in twenty is left too early, and at most one later than it must by 2.5 ms. */
START_TEST(the_start_leaves_the_hammer_out)
{
    static const double rates_hz[] = {2048, 5000, 12800};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int early = 0, late = 0;
    gsl_rng_set(random, (unsigned long)_i);
    for (int record = 0; record < 60; record++) {
        const double rate_hz = rates_hz[record % 3], length_s = 0.0005 * pow(16, gsl_rng_uniform(random));
        const double slow_hz = 20 + 60 * gsl_rng_uniform(random);
        const double f_hz[2] = {slow_hz, fmin(slow_hz * (1.5 + 4 * gsl_rng_uniform(random)), 1.5 / length_s)};
        const struct push push = {0.3 + 0.01 * gsl_rng_uniform(random), length_s, 1};
        const size_t count = (size_t)(2 * rate_hz);
        struct blow blows[BLOWS];
        size_t found;
        clear(NULL, 0);
        strike(&push, 1, f_hz, 1 + (size_t)record % 2, 0.003, rate_hz, count, samples);
        const double noise = 0.001 * pow(50, gsl_rng_uniform(random)) * peak_of(count);
        for (size_t i = 0; i < count; i++)
            samples[i] += gsl_ran_gaussian(random, noise);
        ck_assert_int_eq(blows_of(samples, NULL, count, rate_hz, blows, BLOWS, &found), BLOWS_FOUND);
        ck_assert_uint_eq(found, 1);
        const double over_s = (double)blows[0].start / rate_hz - push.at_s - push.length_s;
        early += over_s < 0;
        late += over_s > 0.0025;
    }
    ck_assert_msg(early <= 3 && late <= 3, "%d of 60 too early, %d too late", early, late);
    gsl_rng_free(random);
}
END_TEST

START_TEST(clipping_and_an_early_end_are_told)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct push push = {0.1, 0.002, 1};
    const double f_hz = 80;
    struct blow blows[BLOWS];
    size_t found;
    clear(random, 1e-4);
    strike(&push, 1, &f_hz, 1, 0.002, 5000, MOST, samples);
    ck_assert_int_eq(blows_of(samples, NULL, MOST, 5000, blows, BLOWS, &found), BLOWS_FOUND);
    ck_assert(blows[0].fell_to_tenth && blows[0].clipped_until == 0);
    /* alpha is 1/s: after 1.5 s the motion is at 0.22 of its beginning. */
    ck_assert_int_eq(blows_of(samples, NULL, 8000, 5000, blows, BLOWS, &found), BLOWS_FOUND);
    ck_assert(!blows[0].fell_to_tenth);
    const double limit = 0.8 * peak_of(MOST);
    for (size_t i = 0; i < MOST; i++)
        samples[i] = fmax(fmin(samples[i], limit), -limit);
    ck_assert_int_eq(blows_of(samples, NULL, MOST, 5000, blows, BLOWS, &found), BLOWS_FOUND);
    ck_assert(blows[0].clipped_until > 0);
    gsl_rng_free(random);
}
END_TEST

/* A mode behind a blow with noise of 5 % of its peak in front of a converter of 12 bits, whose limit is at that share
 * of the peak, or beyond the blow: the noise leaves no long rows. Whether clipping is told. */
static bool tells_clipping(gsl_rng *random, double rate_hz, double zeta, double share)
{
    const double f_hz = 40 + 160 * gsl_rng_uniform(random);
    const size_t count = (size_t)(2 * rate_hz);
    const struct push push = {0.3, 0.002, 1};
    struct blow blows[BLOWS];
    size_t found;
    clear(NULL, 0);
    strike(&push, 1, &f_hz, 1, zeta, rate_hz, count, samples);
    double peak = 0;
    for (size_t i = (size_t)(0.303 * rate_hz); i < count; i++)
        peak = fmax(peak, fabs(samples[i]));
    const double limit = share < 1 ? share * peak : share * peak_of(count), step = limit / 2048;
    for (size_t i = 0; i < count; i++)
        samples[i] =
            fmax(fmin(step * round((samples[i] + gsl_ran_gaussian(random, 0.05 * peak)) / step), limit), -limit);
    ck_assert_int_eq(blows_of(samples, NULL, count, rate_hz, blows, BLOWS, &found), BLOWS_FOUND);
    return blows[0].clipped_until > 0;
}

START_TEST(clipping_is_told_in_noise)
{
    static const double rates_hz[] = {1024, 2048, 5000};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int record = 0; record < 60; record++) {
        const bool clips = record % 2;
        ck_assert_msg(tells_clipping(random, rates_hz[record % 3], 0.002, clips ? 0.7 : 1.5) == clips, "record %d",
                      record);
    }
    gsl_rng_free(random);
}
END_TEST

/* Where little is cut off the samples at the limits are few, but there are some at either. */
START_TEST(a_little_clipping_is_told_by_both_limits)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int told = 0;
    for (int record = 0; record < 60; record++)
        told += tells_clipping(random, 2048, 0.02, 0.85);
    ck_assert_int_ge(told, 50);
    gsl_rng_free(random);
}
END_TEST

/* A sensor that drifts has its smallest sample late; its limit above was reached by the first crests alone. */
START_TEST(one_limit_leaves_the_other_side)
{
    const struct push push = {0.1, 0.002, 1};
    const double f_hz = 80;
    struct blow blows[BLOWS];
    size_t found;
    clear(NULL, 0);
    strike(&push, 1, &f_hz, 1, 0.002, 5000, MOST, samples);
    const double peak = peak_of(MOST);
    for (size_t i = 0; i < MOST; i++)
        samples[i] = fmin(samples[i] - 2 * peak * (double)i / MOST, 0.4 * peak);
    ck_assert_int_eq(blows_of(samples, NULL, MOST, 5000, blows, BLOWS, &found), BLOWS_FOUND);
    ck_assert(blows[0].clipped_until > 0);
    /* A push that is so short gives 2/pi of its length times omega, and alpha is 1/s. */
    ck_assert_double_ge((double)blows[0].start / 5000, 0.3);
    ck_assert_double_le((double)blows[0].start / 5000, 0.7);
    ck_assert_int_eq(blows[0].ended, RING_DOWN_RECORD_ENDS);
}
END_TEST

/* Of a converter: what is above its steps to the last ends with the record, be that noise, or a large motion that
 * is just at its middle there; what is steps alone does not. */
START_TEST(a_middle_at_the_end_is_no_noise)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct push push = {0.1, 0.002, 1};
    const double f_hz = 80;
    struct blow blows[BLOWS];
    size_t found;
    for (int steps = 0; steps < 20; steps++) {
        clear(NULL, 0);
        strike(&push, 1, &f_hz, 1, 0.002, 5000, MOST, samples);
        const double step = peak_of(MOST) / 1000;
        for (size_t i = 0; i < MOST; i++)
            samples[i] = step * round(samples[i] / step + gsl_ran_gaussian(random, 3));
        ck_assert_int_eq(blows_of(samples, NULL, MOST - (size_t)steps, 5000, blows, BLOWS, &found), BLOWS_FOUND);
        ck_assert_int_eq(blows[0].ended, RING_DOWN_RECORD_ENDS);
        ck_assert_uint_eq(blows[0].end, MOST - (size_t)steps);
    }
    clear(NULL, 0);
    strike(&push, 1, &f_hz, 1, 0.002, 5000, MOST, samples);
    const double step = peak_of(MOST) / 1000;
    for (size_t i = 0; i < MOST; i++)
        samples[i] = step * round(samples[i] / step);
    /* A period is 62.5 samples. */
    for (size_t count = 12000; count < 12250; count++) {
        ck_assert_int_eq(blows_of(samples, NULL, count, 5000, blows, BLOWS, &found), BLOWS_FOUND);
        ck_assert_int_eq(blows[0].ended, RING_DOWN_RECORD_ENDS);
        ck_assert_uint_eq(blows[0].end, count);
    }
    ck_assert_int_eq(blows_of(samples, NULL, MOST, 5000, blows, BLOWS, &found), BLOWS_FOUND);
    ck_assert_int_eq(blows[0].ended, RING_DOWN_NOISE);
    gsl_rng_free(random);
}
END_TEST

START_TEST(what_is_no_record_is_named)
{
    struct blow blows[BLOWS];
    size_t found;
    clear(NULL, 0);
    ck_assert_int_eq(blows_of(samples, NULL, MOST, 5000, blows, BLOWS, &found), BLOWS_NO_SIGNAL);
    ck_assert_int_eq(blows_of(samples, NULL, 0, 5000, blows, BLOWS, &found), BLOWS_NO_SIGNAL);
    samples[77] = 1;
    ck_assert_int_eq(blows_of(samples, NULL, 80, 5000, blows, BLOWS, &found), BLOWS_TOO_FEW_SAMPLES);
    static const double no_rate[] = {INFINITY, 1e300, 0, -5000, NAN};
    for (size_t i = 0; i < sizeof no_rate / sizeof no_rate[0]; i++)
        ck_assert_int_eq(blows_of(samples, NULL, MOST, no_rate[i], blows, BLOWS, &found), BLOWS_TOO_FEW_SAMPLES);
    samples[900] = NAN;
    ck_assert_int_eq(blows_of(samples, NULL, MOST, 5000, blows, BLOWS, &found), BLOWS_NOT_FINITE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("blow");
    TCase *tests = tcase_create("blow");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, every_blow_is_found_once);
    tcase_add_test(tests, a_motion_that_grows_behind_a_blow_is_no_other);
    tcase_add_test(tests, slow_sampling_counts_no_blow_twice);
    tcase_add_test(tests, no_blow_is_invented);
    tcase_add_test(tests, spikes_are_no_blows);
    tcase_add_loop_test(tests, the_start_leaves_the_hammer_out, 0, 4);
    tcase_add_test(tests, clipping_and_an_early_end_are_told);
    tcase_add_test(tests, clipping_is_told_in_noise);
    tcase_add_test(tests, a_little_clipping_is_told_by_both_limits);
    tcase_add_test(tests, one_limit_leaves_the_other_side);
    tcase_add_test(tests, a_middle_at_the_end_is_no_noise);
    tcase_add_test(tests, what_is_no_record_is_named);
    return run_suite(suite);
}
