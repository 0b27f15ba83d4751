/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that do not decay beside a mode: a tone that begins with the blow, and what only seemed to be one. */
#include "identify/ring_down/explained_lines.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/stretch.h"
#include "run_suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { COUNT = 4096 };
#define RATE_HZ 1024.0
#define MODE_HZ 120.0
#define DAMPING 2.0 /* 1/s */
#define TONE_HZ 300.0

static double record[COUNT], level[COUNT];

static struct ring_down_samples mode_and_tone(double tone)
{
    const double damped = sqrt(pow(2 * M_PI * MODE_HZ, 2) - DAMPING * DAMPING);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < COUNT; i++) {
        const double t = (double)i / RATE_HZ;
        record[i] = exp(-DAMPING * t) * cos(damped * t) + tone * cos(2 * M_PI * TONE_HZ * t + 1) +
                    gsl_ran_gaussian(random, 0.002);
    }
    gsl_rng_free(random);
    stretch_level(record, COUNT, level);
    return (struct ring_down_samples){.sensed = SENSED_DISPLACEMENT,
                                      .sensors = 1,
                                      .name = {"a"},
                                      .raw = {record},
                                      .level = {level},
                                      .count = COUNT,
                                      .rate_hz = RATE_HZ};
}

static struct ring_down_mode mode_at(double f_hz, enum verdict verdict)
{
    return (struct ring_down_mode){.verdict = verdict, .band_hz = {0.9 * f_hz, 1.1 * f_hz}};
}

static struct ring_down_mode known_mode(void)
{
    struct ring_down_mode mode = mode_at(MODE_HZ, VERDICT_OK);
    mode.motion =
        (struct mode_motion){.there = true, .law = linear_law(2 * M_PI * MODE_HZ, 2 * DAMPING), .amplitude = {1}};
    return mode;
}

/* Beside the mode there is nothing but a tone. */
START_TEST(what_a_mode_explains_is_left_out)
{
    const struct ring_down_samples samples = mode_and_tone(0.05);
    struct ring_down_mode modes[] = {mode_at(99, VERDICT_NOT_DECAYING), known_mode(),
                                     mode_at(200, VERDICT_TOO_FEW_HALF_CYCLES), mode_at(TONE_HZ, VERDICT_NOT_DECAYING)};
    size_t count = 4;
    struct left_lines left = {.count = 0};
    ck_assert_int_eq(explained_lines_leave(&samples, NULL, &(struct told_modes){modes, &count, &left}), VERDICT_OK);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(left.count, 1);
    ck_assert_double_eq_tol(left.line[0].f_hz, 99, 1e-9);
    ck_assert_int_eq(left.line[0].cause, LEFT_EXPLAINED);
    ck_assert_double_eq(ring_down_mode_centre(&modes[0]), MODE_HZ);
    ck_assert_double_eq(ring_down_mode_centre(&modes[1]), 200);
    ck_assert_double_eq(ring_down_mode_centre(&modes[2]), TONE_HZ);
}
END_TEST

/* A line that is all there is has its verdict. */
START_TEST(without_a_mode_nothing_is_left_out)
{
    const struct ring_down_samples samples = mode_and_tone(0);
    struct ring_down_mode modes[] = {mode_at(99, VERDICT_NOT_DECAYING)};
    size_t count = 1;
    ck_assert_int_eq(explained_lines_leave(&samples, NULL, &(struct told_modes){modes, &count, NULL}), VERDICT_OK);
    ck_assert_uint_eq(count, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lines that modes explain");
    TCase *tcase = tcase_create("lines");
    tcase_add_test(tcase, what_a_mode_explains_is_left_out);
    tcase_add_test(tcase, without_a_mode_nothing_is_left_out);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
