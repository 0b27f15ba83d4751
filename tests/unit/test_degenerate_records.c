/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records of which next to nothing is left, or whose clock is beyond arithmetic: a verdict, and no figure that is none.
 */

#include "identify/decay/identify.h"
#include "identify/decay/residual_noise.h"
#include "identify/decay/scaled_record.h"
#include "run_suite.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 400 };

static void write_decay(double displacement[SAMPLES], double half_period)
{
    for (int i = 0; i < SAMPLES; i++)
        displacement[i] = exp(-0.02 * i / half_period) * cos(M_PI * i / half_period);
}

static enum verdict verdict_of(const struct decay_record *record)
{
    const struct identify_settings settings = {.physical = physical_default_settings()};
    const struct rest_observation rest = {.position = NAN, .se = NAN};
    struct identification found;
    enum verdict verdict = identify(record, &rest, &settings, &found);
    if (found.fit.verdict == VERDICT_OK) {
        ck_assert(isfinite(found.fit.f_n_hz.value) && found.fit.f_n_hz.value > 0);
        ck_assert(isfinite(found.fit.estimate[FIT_ZETA].value) && isfinite(found.fit.estimate[FIT_X0].value));
        ck_assert_uint_gt(found.fit.samples, FIT_PARAMETERS);
    }
    identification_clear(&found);
    return verdict;
}

/* Samples that are flagged do not count as those of a fit, however many there are. */
START_TEST(a_fit_needs_samples_without_a_flag)
{
    double displacement[SAMPLES];
    uint8_t flags[SAMPLES];
    unsigned chance = 1;
    for (int trial = 0; trial < 600; trial++) {
        double half_period = 2 + trial % 20, share = (trial % 31) / 31.0;
        size_t count = 12 + (size_t)(trial * 7 % 120);
        write_decay(displacement, half_period);
        for (size_t i = 0; i < count; i++) {
            chance = chance * 1664525u + 1013904223u;
            const bool hidden[] = {(double)(chance >> 8) / 16777216.0 < share, (double)i > (double)count * share,
                                   (double)i<(double)count * share, fabs(displacement[i])> 1 - share,
                                   fabs(displacement[i]) < share};
            flags[i] = hidden[trial % 5] ? SAMPLE_SPIKE : 0;
        }
        const struct decay_record record = {.displacement = displacement,
                                            .flags = flags,
                                            .count = count,
                                            .period_s = 1,
                                            .first_extremum_s = trial % 3 ? NAN : (trial % 7) * half_period};
        (void)verdict_of(&record);
    }
}
END_TEST

/* The pace of a record is a number, and so is its reciprocal. */
START_TEST(a_pace_beyond_arithmetic_is_a_verdict)
{
    static const double steps[] = {5e-324, 1e-310, DBL_MIN, 1e-300, 1e300, 1e305, DBL_MAX / 300};
    double displacement[SAMPLES], time_s[SAMPLES];
    write_decay(displacement, 10);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        for (int stamped = 0; stamped < 2; stamped++) {
            for (int i = 0; i < SAMPLES; i++)
                time_s[i] = (i - 150) * steps[k];
            const struct decay_record record = {.displacement = displacement,
                                                .time_s = stamped ? time_s : NULL,
                                                .count = 300,
                                                .period_s = steps[k],
                                                .first_extremum_s = NAN};
            struct scaled_record scaled;
            enum verdict verdict = scaled_record_from(&record, 7, &scaled);
            ck_assert_int_eq(verdict, steps[k] < DBL_MIN ? VERDICT_TIME_NOT_INCREASING : VERDICT_OK);
            if (verdict == VERDICT_OK)
                ck_assert(isfinite(1 / scaled.unit_s) && scaled.unit_s > 0);
        }
    /* The way from the first to the last stamp is no number. */
    const double ends[] = {-DBL_MAX, 0, 1, 2, 3, 4, 5, 6, DBL_MAX};
    const struct decay_record record = {
        .displacement = displacement, .time_s = ends, .count = 9, .period_s = 1, .first_extremum_s = NAN};
    struct scaled_record scaled;
    ck_assert_int_eq(scaled_record_from(&record, 7, &scaled), VERDICT_NOT_FINITE);
}
END_TEST

/* Each of start and period is a number, but the time of the last sample is none. */
START_TEST(a_record_that_ends_at_no_time_is_a_verdict)
{
    double displacement[SAMPLES];
    write_decay(displacement, 10);
    struct decay_record record = {
        .displacement = displacement, .count = 300, .period_s = DBL_MAX / 200, .first_extremum_s = NAN};
    ck_assert_int_eq(verdict_of(&record), VERDICT_NOT_FINITE);
    record.period_s = DBL_MAX / 400;
    ck_assert_int_eq(verdict_of(&record), VERDICT_OK);
    record.start_s = DBL_MAX / 2;
    ck_assert_int_eq(verdict_of(&record), VERDICT_NOT_FINITE);
}
END_TEST

/* What an earlier call leaves on the stack must not matter. */
static __attribute__((noinline)) double leave_behind(double value)
{
    volatile double left[2048];
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        left[i] = value;
    return left[0] + left[2047];
}

START_TEST(residuals_of_nothing_are_white)
{
    static const double left[] = {-71, 71, 0};
    const struct residual_statistics residual = {.samples = 16};
    const struct free_parameters free = {{false}};
    struct residual_noise noise;
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        (void)leave_behind(left[i]);
        residual_noise_from(&residual, &free, 0.3, &noise);
        ck_assert_double_eq(noise.effective_samples, 16);
        ck_assert_double_eq(noise.white, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("degenerate records");
    TCase *tests = tcase_create("degenerate records");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_fit_needs_samples_without_a_flag);
    tcase_add_test(tests, residuals_of_nothing_are_white);
    tcase_add_test(tests, a_record_that_ends_at_no_time_is_a_verdict);
    tcase_add_test(tests, a_pace_beyond_arithmetic_is_a_verdict);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
