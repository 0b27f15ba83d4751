/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring-downs that are disturbed at times that are known, and others that only look so. */
#include "identify/ring_down/dropout.h"
#include "identify/ring_down/knock.h"
#include "run_suite.h"
#include "struck_joint.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <string.h>

#define RATE_HZ 2048.0
enum { MOST = 8192 };

static double samples[MOST];
static gsl_rng *source;

static void set_up(void)
{
    source = gsl_rng_alloc(gsl_rng_mt19937);
}

static void tear_down(void)
{
    gsl_rng_free(source);
}

/* What rings from a time on. */
static void ring(double f_hz, double zeta, double share, double from_s)
{
    const double omega = 2 * M_PI * f_hz;
    for (size_t i = (size_t)ceil(from_s * RATE_HZ); i < MOST; i++) {
        const double since_s = (double)i / RATE_HZ - from_s;
        samples[i] += share * exp(-zeta * omega * since_s) * cos(omega * since_s + 0.7);
    }
}

static void ring_with_joint(void)
{
    const struct struck_joint bolted = {.omega_0 = 754, .c = 1.5, .chi = -0.3, .r = 3.2e7};
    static double all[MOST + 64];
    double largest = 0;
    memset(all, 0, sizeof all);
    struck_joint_add(bolted, 0.01, 0.003, 80, RATE_HZ, MOST + 64, all);
    for (size_t i = 0; i < MOST; i++)
        largest = fmax(largest, fabs(all[i + 64]));
    for (size_t i = 0; i < MOST; i++)
        samples[i] += all[i + 64] / largest;
}

/* White, or with a power that falls as the frequency from 5 Hz on. */
static void add_noise(double sd, bool coloured)
{
    double past = 0;
    for (size_t i = 0; i < MOST; i++) {
        past = 0.985 * past + gsl_ran_gaussian(source, 0.17);
        samples[i] += coloured ? sd * past : gsl_ran_gaussian(source, sd);
    }
}

static size_t until_knock(const double *f_hz, size_t modes)
{
    struct spectral_mode mode[3] = {{0}};
    const double *const sensors[1] = {samples};
    const double step = 0;
    size_t until;
    for (size_t r = 0; r < modes; r++)
        mode[r].f_hz = f_hz[r];
    ck_assert_int_eq(knock_until(sensors, 1, MOST, RATE_HZ, &step, mode, modes, &until), 0);
    return until;
}

/* Modes, a pair that beats, a joint that bends frequency and damping, hum inside of the band, coloured noise. */
START_TEST(what_goes_on_smoothly_is_no_knock)
{
    static const double noise[] = {0, 0.001, 0.01, 0.05};
    for (int record = 0; record < 32; record++) {
        const int kind = record % 4;
        const double f_hz[2] = {120, kind == 1 ? 120 * (1.012 + 0.006 * record / 4) : 310};
        memset(samples, 0, sizeof samples);
        if (kind == 3)
            ring_with_joint();
        for (size_t r = 0; kind < 3 && r < 2; r++)
            ring(f_hz[r], 0.002 + 0.001 * gsl_rng_uniform(source), 0.5, 0);
        if (kind == 2)
            ring(100, 0, 0.03, 0);
        add_noise(noise[record / 4 % 4], record % 8 == 6);
        ck_assert_uint_eq(until_knock(f_hz, kind == 0 || kind == 2 ? 2 : 1), MOST);
    }
}
END_TEST

/* A twentieth of the blow, at any time at which more than a tenth is left of the motion: what stays is free of it, and
 * not much shorter than it could be. */
START_TEST(a_small_knock_is_seen)
{
    const double f_hz[2] = {120, 310};
    for (int record = 0; record < 24; record++) {
        const double at_s = 0.4 + 0.8 * gsl_rng_uniform(source);
        memset(samples, 0, sizeof samples);
        if (record % 2)
            ring_with_joint();
        else
            ring(f_hz[1], 0.0008, 0.5, 0);
        ring(f_hz[0], 0.0015, record % 2 ? 0 : 0.5, 0);
        ring(f_hz[0], 0.0015, 0.05, at_s);
        add_noise(0.002, record % 8 == 6);
        const double until_s = (double)until_knock(f_hz, record % 2 ? 1 : 2) / RATE_HZ;
        ck_assert_double_le(until_s, at_s);
        ck_assert_double_ge(until_s, at_s - 0.35);
    }
}
END_TEST

/* A knock of 5 % of the blow adds squares of 2800 times the variance of a noise of 2 % to what rings on. Beside
 * polynomials that follow any smooth motion a step keeps a tenth of that, and white noise makes 41 in one place of 1e9.
 */
START_TEST(a_knock_in_much_noise_is_seen)
{
    const double f_hz[2] = {120, 310};
    int seen = 0;
    for (int record = 0; record < 24; record++) {
        const double at_s = 0.5 + 0.5 * gsl_rng_uniform(source);
        memset(samples, 0, sizeof samples);
        ring(f_hz[0], 0.0015, 0.6, 0);
        ring(f_hz[1], 0.0008, 0.4, 0);
        ring(f_hz[0], 0.0015, 0.05, at_s);
        add_noise(0.02, false);
        const double until_s = (double)until_knock(f_hz, 2) / RATE_HZ;
        ck_assert(until_s <= at_s || until_s * RATE_HZ >= MOST);
        seen += until_s > at_s - 0.35 && until_s <= at_s;
    }
    ck_assert_int_ge(seen, 22);
}
END_TEST

/* Of a weak sensor the converter shows the first third of the ring-down, and zeros from then on. */
START_TEST(a_sensor_that_shows_nothing_any_more_is_no_knock)
{
    static double weak[MOST];
    const double *const sensors[2] = {samples, weak};
    const double step[2] = {0, 0.05};
    const struct spectral_mode mode = {.f_hz = 120};
    size_t until;
    memset(samples, 0, sizeof samples);
    ring(mode.f_hz, 0.0015, 1, 0);
    add_noise(0.002, false);
    for (size_t i = 0; i < MOST; i++)
        weak[i] = 0.05 * round(0.1 * samples[i] / 0.05);
    ck_assert_double_eq(weak[MOST / 2], 0);
    ck_assert_int_eq(knock_until(sensors, 2, MOST, RATE_HZ, step, &mode, 1, &until), 0);
    ck_assert_uint_eq(until, MOST);
}
END_TEST

START_TEST(a_wrong_sample_is_no_knock)
{
    const double f_hz = 120;
    for (int record = 0; record < 8; record++) {
        memset(samples, 0, sizeof samples);
        ring(f_hz, 0.0015, 1, 0);
        add_noise(0.002, false);
        samples[1200 + 100 * record] += record % 2 ? 1 : -3;
        ck_assert_uint_eq(until_knock(&f_hz, 1), MOST);
    }
}
END_TEST

static size_t start_of_dropout(void)
{
    size_t start;
    ck_assert_int_eq(dropout_start(samples, MOST, RATE_HZ, &start), 0);
    return start;
}

/* Zeros or a value that is held, in the middle or to the end, of a fine converter and of one of 12 bits. */
START_TEST(samples_that_stand_still_are_found)
{
    for (int record = 0; record < 16; record++) {
        const size_t from = 2000 + 50 * (size_t)record, length = record % 8 < 4 ? 100 : MOST - from;
        const double step = record % 4 < 2 ? 0 : 1.0 / 2048;
        memset(samples, 0, sizeof samples);
        ring(120, 0.001, 1, 0);
        add_noise(0.002, false);
        for (size_t i = 0; step > 0 && i < MOST; i++)
            samples[i] = step * round(samples[i] / step);
        for (size_t i = from; i < from + length; i++)
            samples[i] = record % 2 ? 0 : samples[from - 1];
        const size_t start = start_of_dropout();
        ck_assert_uint_le(start, from);
        ck_assert_uint_ge(start, from - 2);
    }
}
END_TEST

/* The crests of 6 to 12 bits and the rest behind the motion, with noise of none to two steps, of fast and slow modes.
 */
START_TEST(a_coarse_converter_does_not_stand_still)
{
    for (int record = 0; record < 64; record++) {
        const double step = ldexp(1, -5 - record % 7), f_hz = record % 2 ? 120 : 2.5;
        memset(samples, 0, sizeof samples);
        ring(f_hz, 0.002 + 0.02 * (record % 3), 0.9, 0);
        add_noise(step * (record / 8 % 4) * 0.67, false);
        for (size_t i = 0; i < MOST; i++)
            samples[i] = step * round(samples[i] / step);
        ck_assert_uint_eq(start_of_dropout(), MOST);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("disturbed_ring_down");
    TCase *tests = tcase_create("disturbed_ring_down");
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, what_goes_on_smoothly_is_no_knock);
    tcase_add_test(tests, a_small_knock_is_seen);
    tcase_add_test(tests, a_knock_in_much_noise_is_seen);
    tcase_add_test(tests, a_sensor_that_shows_nothing_any_more_is_no_knock);
    tcase_add_test(tests, a_wrong_sample_is_no_knock);
    tcase_add_test(tests, samples_that_stand_still_are_found);
    tcase_add_test(tests, a_coarse_converter_does_not_stand_still);
    return run_suite(suite);
}
