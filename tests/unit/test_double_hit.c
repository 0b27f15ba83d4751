/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hammer that comes back, at times that are known, and ring-downs of one blow. */
#include "identify/common/complex_number.h"
#include "identify/ring_down/push.h"
#include "identify/ring_down/stretch.h"
#include "identify/ring_down/wild_sample.h"
#include "run_suite.h"
#include "struck_joint.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_S 1.5
/* The motion is begun so long before the first sample that is looked at, still at rest: the first push is in that. */
#define BEFORE_S 0.008
/* Of the motion, at the least. */
#define STEPS_HZ 32768.0
static const double rates_hz[] = {2048, 500, 1000, 10240, 51200};
enum { RATES = sizeof rates_hz / sizeof *rates_hz, MOST = 76800 };

static double samples[MOST];
static double rate_hz; /* of this test */
static size_t count;
static gsl_rng *source;

static void sample_at(size_t rate)
{
    rate_hz = rates_hz[rate];
    count = (size_t)(RECORD_S * rate_hz);
}

static void set_up(void)
{
    const char *seed = getenv("DOUBLE_HIT_SEED");
    source = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(source, seed ? strtoul(seed, NULL, 10) : 1);
    sample_at(0);
}

static void tear_down(void)
{
    gsl_rng_free(source);
}

static size_t records(size_t otherwise)
{
    const char *asked = getenv("DOUBLE_HIT_RECORDS");
    return asked ? strtoul(asked, NULL, 10) : otherwise;
}

/* A push that is half a sine, of a share of the first one. */
struct push {
    double at_s, lasts_s, share;
};

static double force_at(const struct push *push, double t)
{
    const double turn = (t - push->at_s) / push->lasts_s;
    return turn > 0 && turn < 1 ? push->share * sin(M_PI * turn) : 0;
}

/* Adds the acceleration of a mode that a push makes ring: the exact motion of an oscillator on small steps of the
 * force. */
static void strike(double f_hz, double zeta, double part, const struct push *push)
{
    const size_t over = (size_t)ceil(STEPS_HZ / rate_hz), before = (size_t)ceil(BEFORE_S * rate_hz);
    const double omega = 2 * M_PI * f_hz, step = 1 / (rate_hz * (double)over), turned = omega * sqrt(1 - zeta * zeta);
    const double complex by = cexp(CMPLX(-zeta * omega, turned) * step);
    double complex state = 0;
    for (size_t i = 0; i < (before + count) * over; i++) {
        const double force = force_at(push, ((double)i - (double)(before * over)) * step);
        state = state * by + force * step / turned;
        if (i % over != 0 || i < before * over)
            continue;
        const double x = cimag(state), v = creal(CMPLX(turned, zeta * omega) * state);
        samples[i / over - before] += part * (force - 2 * zeta * omega * v - omega * omega * x);
    }
}

static void scale_to_one(void)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(samples[i]));
    for (size_t i = 0; i < count; i++)
        samples[i] /= largest;
    ck_assert_double_gt(largest, 0);
}

/* One mode, two, or a pair, from where the first push has left. */
static void ring(size_t kind, const struct push *second)
{
    const double beside = kind == 1 ? fmin(410, 0.35 * rate_hz) : 120 * (1.012 + 0.05 * gsl_rng_uniform(source));
    const double lasts_s = 0.0005 + 0.002 * gsl_rng_uniform(source);
    const struct push pushes[2] = {{-lasts_s - 1 / rate_hz, lasts_s, 1}, *second};
    memset(samples, 0, sizeof samples);
    for (int k = 0; k < 2; k++) {
        strike(120, 0.002, 1, &pushes[k]);
        if (kind > 0)
            strike(beside, 0.0018, 0.6, &pushes[k]);
    }
    scale_to_one();
}

/* White, or pink: of a power that falls as the frequency. */
static void add_noise(double sd, bool pink)
{
    double past[3] = {0};
    static const double keeps[3] = {0.99765, 0.963, 0.57}, takes[3] = {0.099046, 0.2965164, 1.0526913};
    for (size_t i = 0; i < count; i++) {
        const double white = gsl_ran_gaussian(source, 1);
        double sum = 0.1848 * white;
        for (int k = 0; k < 3; k++)
            sum += past[k] = keeps[k] * past[k] + takes[k] * white;
        samples[i] += sd * (pink ? 0.5 * sum : white);
    }
}

static void add_hum(double amplitude)
{
    const double phase = 6 * gsl_rng_uniform(source);
    for (size_t i = 0; i < count; i++)
        samples[i] += amplitude * (sin(2 * M_PI * 50 * (double)i / rate_hz + phase) +
                                   0.5 * sin(2 * M_PI * 150 * (double)i / rate_hz + 2 * phase));
}

static void round_to(double step)
{
    for (size_t i = 0; i < count; i++)
        samples[i] = step * round(samples[i] / step);
}

static struct sensed_push found(void)
{
    struct sensed_push hit;
    ck_assert_int_eq(push_first(samples, count, rate_hz, stretch_step(samples, count), (size_t)(0.25 * rate_hz), &hit),
                     0);
    return hit;
}

static const struct push none = {-1, 0.001, 0};

enum disturbance { WHITE, PINK, HUM, COARSE, DISTURBANCES };

static void disturb(enum disturbance by, size_t record)
{
    const double sd = 0.001 * pow(20, gsl_rng_uniform(source));
    add_noise(by == COARSE ? 0.3 * sd : sd, by == PINK);
    if (by == HUM)
        add_hum(0.01 + 0.1 * gsl_rng_uniform(source));
    if (by == COARSE)
        round_to(ldexp(1, -7 - (int)(record % 5)));
}

/* In white and pink noise, with hum, and by 8 to 12 bits. */
START_TEST(one_blow_is_no_double_hit)
{
    size_t seen = 0, asked = records(_i < DISTURBANCES ? 48 : 12);
    sample_at((size_t)_i / DISTURBANCES);
    for (size_t record = 0; record < asked; record++) {
        ring(record % 3, &none);
        disturb((enum disturbance)(_i % DISTURBANCES), record);
        seen += found().until != 0;
    }
    ck_assert_msg(seen == 0, "%g Hz, disturbance %d: %zu of %zu taken for a second contact", rate_hz, _i % DISTURBANCES,
                  seen, asked);
}
END_TEST

START_TEST(a_joint_that_bends_the_motion_is_no_double_hit)
{
    const struct struck_joint bolted = {.omega_0 = 754, .c = 1.5, .chi = -0.3, .r = 3.2e7};
    static const double sd[] = {0, 0.0001, 0.001, 0.01};
    static double all[MOST + 2048];
    sample_at((size_t)_i);
    const size_t first = (size_t)(0.03125 * rate_hz);
    memset(all, 0, sizeof all);
    struck_joint_add(bolted, 0.01, 0.003, 80, rate_hz, count + first, all);
    for (size_t record = 0; record < 8; record++) {
        memcpy(samples, all + first, count * sizeof *samples);
        scale_to_one();
        add_noise(sd[record % 4], record > 3);
        ck_assert_msg(found().until == 0, "record %zu", record);
    }
}
END_TEST

/* A tenth to three quarters of the blow, 25 to 150 ms behind it: what is left begins behind the push, and not much
 * later than it could. */
START_TEST(a_hammer_that_comes_back_is_found)
{
    size_t seen = 0, late = 0, asked = records(_i == 0 ? 48 : 24);
    sample_at((size_t)_i);
    /* Earlier ones are not looked for. */
    const double step_s = 1 / rate_hz, from_s = fmax(0.025, 30 * step_s);
    for (size_t record = 0; record < asked; record++) {
        const struct push second = {from_s + (0.15 - from_s) * gsl_rng_uniform(source),
                                    0.0005 + 0.0015 * gsl_rng_uniform(source), 0.1 + 0.65 * gsl_rng_uniform(source)};
        ring(record % 3, &second);
        add_noise(0.001 * pow(5, gsl_rng_uniform(source)), record % 2);
        const struct sensed_push hit = found();
        if (hit.until == 0)
            continue;
        seen++;
        const double until_s = (double)hit.until * step_s, over_s = second.at_s + second.lasts_s;
        late += fabs((double)hit.onset * step_s - second.at_s) > fmax(0.003, 4 * step_s) || until_s < over_s ||
                until_s > over_s + fmax(0.02, 16 * step_s);
    }
    ck_assert_msg(20 * seen >= 19 * asked && late == 0, "%g Hz: found %zu of %zu, %zu of these not when it was",
                  rate_hz, seen, asked, late);
}
END_TEST

/* Two modes near to each other, whose band is too narrow to see it soon, a contact that is as soft as half a period,
 * and a twentieth to four tenths of the blow, anywhere. */
START_TEST(a_soft_push_is_found_anywhere)
{
    size_t seen = 0, late = 0, asked = records(40);
    sample_at(0);
    for (size_t record = 0; record < asked; record++) {
        const double lasts_s = 0.002 + 0.004 * gsl_rng_uniform(source);
        const struct push pushes[2] = {
            {-lasts_s - 1 / rate_hz, lasts_s, 1},
            {0.1 + 0.9 * gsl_rng_uniform(source), lasts_s, 0.05 + 0.35 * gsl_rng_uniform(source)}};
        struct sensed_push push;
        memset(samples, 0, sizeof samples);
        for (int k = 0; k < 2; k++) {
            strike(70, 0.003, 1, &pushes[k]);
            strike(83, 0.002, 0.8, &pushes[k]);
        }
        scale_to_one();
        add_noise(0.001, record % 2);
        ck_assert_int_eq(push_first(samples, count, rate_hz, stretch_step(samples, count), count, &push), 0);
        if (push.until == 0)
            continue;
        seen++;
        late += (double)push.onset / rate_hz > pushes[1].at_s + lasts_s ||
                (double)push.onset / rate_hz < pushes[1].at_s - 0.05;
    }
    ck_assert_msg(20 * seen >= 19 * asked && late == 0, "found %zu of %zu soft ones, %zu of these not when it was",
                  seen, asked, late);
}
END_TEST

static size_t bridged(void)
{
    size_t places;
    ck_assert_int_eq(wild_samples_bridge(samples, count, rate_hz, stretch_step(samples, count), &places), 0);
    return places;
}

/* What was there instead is known to some deviations of the noise. */
START_TEST(wild_samples_are_bridged)
{
    static double right[MOST];
    sample_at((size_t)_i);
    for (size_t record = 0; record < 12; record++) {
        const size_t at = (size_t)((0.05 + gsl_rng_uniform(source)) * rate_hz), many = 1 + record % 2;
        ring(record % 3, &none);
        memcpy(right, samples, count * sizeof *samples);
        add_noise(0.001, false);
        for (size_t w = 0; w < many; w++)
            samples[at + w] += (w ? -1 : 1) * 0.1 * pow(40, gsl_rng_uniform(source));
        ck_assert_uint_eq(bridged(), 1);
        for (size_t w = 0; w < many; w++)
            ck_assert_double_le(fabs(samples[at + w] - right[at + w]), 0.01);
        ck_assert_uint_eq(found().until, 0);
    }
}
END_TEST

START_TEST(a_short_push_is_no_wild_sample)
{
    size_t seen = 0;
    sample_at(0);
    for (size_t record = 0; record < 40; record++) {
        const struct push second = {0.03 + 0.1 * gsl_rng_uniform(source), 0.0006, 0.1 + 0.4 * gsl_rng_uniform(source)};
        ring(record % 3, &second);
        add_noise(0.001, false);
        bridged();
        seen += found().until != 0;
    }
    ck_assert_uint_ge(seen, 38);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("double_hit");
    TCase *tests = tcase_create("double_hit");
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, one_blow_is_no_double_hit, 0, DISTURBANCES * RATES);
    tcase_add_loop_test(tests, a_joint_that_bends_the_motion_is_no_double_hit, 0, RATES);
    tcase_add_loop_test(tests, a_hammer_that_comes_back_is_found, 0, RATES);
    tcase_add_test(tests, a_soft_push_is_found_anywhere);
    tcase_add_loop_test(tests, wild_samples_are_bridged, 0, RATES);
    tcase_add_test(tests, a_short_push_is_no_wild_sample);
    return run_suite(suite);
}
