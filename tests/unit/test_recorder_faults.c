/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What recorders do to random decays, and what the ladder says of it. */
#include "identify/ladder/ladder.h"
#include "ladder_campaign.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>

static const struct ladder_range range = {100, 60};

static const struct ladder *ladder_of(const struct ladder_record *record)
{
    static struct ladder ladder;
    struct extremum *extrema;
    size_t count;
    ck_assert_int_eq(extrema_find(&record->record, NULL, &extrema, &count), VERDICT_OK);
    ck_assert_int_eq(ladder_identify(&record->record, extrema, count, NULL, &ladder), VERDICT_OK);
    free(extrema);
    return &ladder;
}

/* Random records of several rungs. */
static const unsigned seeds[] = {3, 7, 9, 13, 22};

/* One sample is lost, and the times go on as if it were not. */
START_TEST(a_lost_sample_is_a_step_of_the_clock)
{
    struct ladder_record record = ladder_record_make(seeds[_i], &range);
    const size_t at = record.record.count * 2 / 5;
    for (size_t i = at; i + 1 < record.record.count; i++)
        record.value[i] = record.value[i + 1];
    record.record.count--;
    const struct ladder *ladder = ladder_of(&record);
    const struct clock_step *step = &ladder->clock_step;
    const double period_s = record.record.period_s;
    ck_assert(step->found);
    ck_assert_double_eq_tol(step->time_s.value, (double)at * period_s, 5 * period_s);
    ck_assert_double_eq_tol(step->lost_s.value, period_s, 5 * step->lost_s.se);
    ck_assert_double_lt(step->lost_s.se, 0.1 * period_s);
    /* What is left is noise. */
    ck_assert_double_lt(ladder->models[ladder->chosen].rms, 1.3 * hypot(record.noise, 0.4 * record.step));
    ladder_record_clear(&record);
}
END_TEST

START_TEST(sound_records_have_no_faults)
{
    struct ladder_record record = ladder_record_make(200 + (unsigned)_i, &range);
    const struct ladder *ladder = ladder_of(&record);
    ck_assert(!ladder->clock_step.found);
    ck_assert_double_nan(ladder->clock_step.lost_s.value);
    ck_assert(!ladder->zero_steps.found);
    ladder_record_clear(&record);
}
END_TEST

/* At every sixth turn the encoder's counts slip, one way and back again. */
START_TEST(slipping_counts_are_steps_of_zero)
{
    struct ladder_record record = ladder_record_make(seeds[_i], &range);
    struct extremum *extrema;
    size_t count, next = 0;
    const double slip = 2 * hypot(record.noise, 0.3 * record.step);
    double zero = 0.5 * slip;
    ck_assert_int_eq(extrema_find(&record.record, NULL, &extrema, &count), VERDICT_OK);
    for (size_t i = 0; i < record.record.count; i++) {
        if (next < count && (double)i * record.record.period_s > extrema[next].time_s)
            zero = next++ % 6 == 5 ? -zero : zero;
        record.value[i] += zero;
    }
    free(extrema);
    const struct ladder *ladder = ladder_of(&record);
    ck_assert(ladder->zero_steps.found);
    ck_assert(!ladder->clock_step.found);
    ck_assert_double_eq_tol(ladder->zero_steps.rms, 0.5 * slip, 0.15 * slip);
    ladder_record_clear(&record);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults of the recorder");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, a_lost_sample_is_a_step_of_the_clock, 0, sizeof seeds / sizeof seeds[0]);
    tcase_add_loop_test(cases, sound_records_have_no_faults, 0, 8);
    tcase_add_loop_test(cases, slipping_counts_are_steps_of_zero, 0, sizeof seeds / sizeof seeds[0]);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
