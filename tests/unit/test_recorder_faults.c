/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What recorders do to random decays, and what the ladder says of it. */
#include "identify/ladder/ladder.h"
#include "ladder_campaign.h"
#include "run_suite.h"
#include "thinning.h"

#include <math.h>
#include <stdlib.h>

static const struct ladder_range range = {.half_cycles_most = 100, .samples_a_cycle = 60};

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

/* Random records of several rungs; the second have noise, and rungs that lack the square term; the last have many. */
static const unsigned seeds[] = {3, 7, 9, 13, 22}, drifting_seeds[] = {103, 109, 116, 133, 153},
                      rich_seeds[] = {204, 211, 219, 255};

static void lose_samples(struct ladder_record *record, size_t at, size_t lost)
{
    record->record.count -= lost;
    for (size_t i = at; i < record->record.count; i++)
        record->value[i] = record->value[i + lost];
}

static void repeat_samples(struct ladder_record *record, size_t at, size_t repeated)
{
    for (size_t i = record->record.count - 1; i >= at + repeated; i--)
        record->value[i] = record->value[i - repeated];
}

/* Around the place, samples are lost or come twice, and the times go on as if it were not so. */
static void check_step(const struct ladder_record *record, size_t at, double lost)
{
    const struct ladder *ladder = ladder_of(record);
    const struct clock_step *step = &ladder->clock_step;
    const double period_s = record->record.period_s;
    ck_assert(step->found);
    ck_assert_double_eq_tol(step->time_s.value, (double)at * period_s, 5 * period_s);
    ck_assert_double_eq_tol(step->lost_s.value, lost * period_s, 5 * step->lost_s.se);
    ck_assert_double_lt(step->lost_s.se, 0.1 * period_s);
    /* What is left is noise. */
    ck_assert_double_lt(ladder->models[ladder->chosen].rms, 1.3 * hypot(record->noise, 0.4 * record->step));
}

START_TEST(a_lost_sample_is_a_step_of_the_clock)
{
    if (is_left_out(_i))
        return;
    struct ladder_record record = ladder_record_make(seeds[_i], &range);
    const size_t at = record.record.count * 2 / 5;
    lose_samples(&record, at, 1);
    check_step(&record, at, 1);
    ladder_record_clear(&record);
}
END_TEST

START_TEST(a_repeated_sample_is_a_step_of_the_clock)
{
    if (is_left_out(_i))
        return;
    struct ladder_record record = ladder_record_make(seeds[_i], &range);
    const size_t at = record.record.count * 2 / 5;
    repeat_samples(&record, at, 1);
    check_step(&record, at, -1);
    ladder_record_clear(&record);
}
END_TEST

/* Records that lose one sample and then two; the times go on as if it were not so. */
static const unsigned losing_seeds[] = {1000, 1001, 1002, 1003};
enum { LOSSES = 2 };

START_TEST(several_losses_are_as_many_steps)
{
    if (is_left_out(_i))
        return;
    struct ladder_record record = ladder_record_make(losing_seeds[_i], &range);
    const double period_s = record.record.period_s;
    size_t at[LOSSES];
    for (size_t n = 0; n < LOSSES; n++)
        at[n] = record.record.count * (n + 1) / 5;
    for (size_t n = 0; n < LOSSES; n++)
        lose_samples(&record, at[n], n + 1);
    const struct ladder *ladder = ladder_of(&record);
    ck_assert_uint_eq(ladder->clock_steps.count, LOSSES);
    for (size_t n = 0; n < LOSSES; n++) {
        const struct clock_step *step = &ladder->clock_steps.step[n];
        ck_assert_double_eq_tol(step->time_s.value, (double)at[n] * period_s, 5 * period_s);
        ck_assert_double_eq_tol(step->lost_s.value, (double)(n + 1) * period_s, 5 * step->lost_s.se);
        ck_assert_double_lt(step->lost_s.se, 0.1 * period_s);
    }
    ck_assert_double_eq(ladder->clock_step.lost_s.value, ladder->clock_steps.step[LOSSES - 1].lost_s.value);
    ck_assert_double_lt(ladder->models[ladder->chosen].rms, 1.3 * hypot(record.noise, 0.4 * record.step));
    ladder_record_clear(&record);
}
END_TEST

/* The stamps leap by so many periods from a sample on. */
static double *leap(struct ladder_record *record, size_t at, double periods)
{
    double *time_s = calloc(record->record.count, sizeof *time_s);
    ck_assert_ptr_nonnull(time_s);
    for (size_t i = 0; i < record->record.count; i++)
        time_s[i] = ((double)i + (i < at ? 0 : periods)) * record->record.period_s;
    record->record.time_s = time_s;
    return time_s;
}

/* No rung follows the motion past such a leap, of a part of a cycle. */
START_TEST(a_long_leap_is_a_step_of_the_clock)
{
    static const double parts[] = {0.1, 0.2, 0.25};
    if (is_left_out(_i))
        return;
    struct ladder_record record = ladder_record_make(seeds[_i], &range);
    const double cycle = 2 * M_PI / record.truth[LADDER_OMEGA_N] / record.record.period_s;
    const double periods = cycle * parts[(size_t)_i % (sizeof parts / sizeof parts[0])];
    const size_t at = record.record.count * 2 / 5;
    double *time_s = leap(&record, at, periods);
    check_step(&record, (size_t)((double)at + periods), -periods);
    free(time_s);
    ladder_record_clear(&record);
}
END_TEST

/* So many that no rung follows the motion past them, and that terms show only one after the other as the step is put
 * right. The stamps do not know. */
START_TEST(many_lost_samples_are_a_step_of_the_clock)
{
    static const double part = 0.15;
    struct ladder_record record = ladder_record_make(rich_seeds[_i], &range);
    const double cycle = 2 * M_PI / record.truth[LADDER_OMEGA_N] / record.record.period_s;
    const size_t at = record.record.count * 2 / 5, lost = (size_t)(part * cycle);
    lose_samples(&record, at, lost);
    check_step(&record, at, (double)lost);
    ladder_record_clear(&record);
}
END_TEST

static struct ladder_data data_of(const struct ladder_record *record)
{
    struct ladder_data data;
    struct extremum *extrema;
    size_t count;
    ck_assert_int_eq(extrema_find(&record->record, NULL, &extrema, &count), VERDICT_OK);
    ck_assert_int_eq(ladder_data_from(&record->record, extrema, count, &data), VERDICT_OK);
    free(extrema);
    return data;
}

static struct ladder_rung *rungs_of(const struct ladder_data *data)
{
    static struct ladder_rung rungs[LADDER_RUNGS];
    ladder_fit(data, NULL, rungs);
    return rungs;
}

static void check_times(const struct ladder_data *data, const struct ladder_data *recorded)
{
    ck_assert_uint_eq(data->count, recorded->count);
    for (size_t i = 0; i < data->count; i++)
        ck_assert_double_eq_tol(data->time[i], recorded->time[i], 1e-9);
    for (size_t n = 0; n < data->extrema; n++)
        ck_assert_double_eq_tol(data->extremum_time[n], recorded->extremum_time[n], 1e-9);
}

/* Samples around an extremum come twice. */
START_TEST(a_search_that_is_cancelled_leaves_the_times_alone)
{
    if (is_left_out(_i))
        return;
    enum { REPEATED = 7 };
    const atomic_bool cancel = true;
    struct ladder_record record = ladder_record_make(seeds[0], &range);
    struct ladder_data sound = data_of(&record);
    const double at = (sound.origin_s + sound.extremum_time[sound.extrema / 2] * sound.unit_s) / record.record.period_s;
    repeat_samples(&record, (size_t)at - REPEATED / 2 + (size_t)_i, REPEATED);
    struct ladder_data data = data_of(&record), recorded = data_of(&record);
    struct ladder_rung *richest = &rungs_of(&data)[LADDER_RUNGS - 1];
    struct ladder_cycles cycles;
    struct clock_step step;
    ck_assert_int_eq(ladder_cycles_from(&data, richest, &cycles), VERDICT_OK);
    ck_assert_int_eq(clock_step_repair(&data, richest, &cycles, &cancel, &step), VERDICT_CANCELLED);
    ck_assert(!step.found);
    check_times(&data, &recorded);
    ladder_cycles_clear(&cycles);
    ladder_data_clear(&data);
    ladder_data_clear(&recorded);
    ladder_data_clear(&sound);
    ladder_record_clear(&record);
}
END_TEST

/* A sound record's times are put right by a step that it does not have. */
START_TEST(a_step_that_is_not_there_is_taken_back)
{
    if (is_left_out(_i))
        return;
    struct ladder_record record = ladder_record_make(seeds[_i], &range);
    struct ladder_data data = data_of(&record), recorded = data_of(&record);
    const size_t extremum = data.extrema / 2;
    const double lost = 0.5 * record.record.period_s / data.unit_s;
    struct clock_step step = {.found = true, .extremum = extremum + 1, .lost_s = {.value = lost * data.unit_s}};
    while (data.time[step.sample] < data.extremum_time[extremum])
        step.sample++;
    for (size_t i = step.sample; i < data.count; i++)
        data.time[i] += lost;
    for (size_t n = step.extremum; n < data.extrema; n++)
        data.extremum_time[n] += lost;
    bool again = false;
    ck_assert_int_eq(clock_step_refine(&data, &rungs_of(&data)[LADDER_RUNGS - 1], NULL, &step, &again), VERDICT_OK);
    ck_assert(again);
    ck_assert(!step.found);
    ck_assert_double_nan(step.lost_s.value);
    check_times(&data, &recorded);
    ladder_data_clear(&data);
    ladder_data_clear(&recorded);
    ladder_record_clear(&record);
}
END_TEST

START_TEST(sound_records_have_no_faults)
{
    if (is_left_out(_i))
        return;
    struct ladder_record record = ladder_record_make(200 + (unsigned)_i, &range);
    const struct ladder *ladder = ladder_of(&record);
    ck_assert(!ladder->clock_step.found);
    ck_assert_uint_eq(ladder->clock_steps.count, 0);
    ck_assert_double_nan(ladder->clock_step.lost_s.value);
    ck_assert(!ladder->zero_steps.found);
    /* Noise makes a drift in one record of a hundred, as it makes a term. */
    const struct zero_drift *drift = &ladder->zero_drift;
    ck_assert(drift->found || isnan(drift->change.value));
    ck_assert(!drift->found || fabs(drift->change.value) < 4 * drift->change.se);
    ladder_record_clear(&record);
}
END_TEST

/* By a part of the noise over the record, and by several times as much: what an unsymmetric spring would do as well. */
START_TEST(a_drift_of_zero_is_no_term)
{
    if (is_left_out(_i))
        return;
    static const double sizes[] = {0.7, 3};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct ladder_record record = ladder_record_make(drifting_seeds[_i], &range);
        const double drift = sizes[k] * record.noise, last = (double)record.record.count - 1;
        for (size_t i = 0; i < record.record.count; i++)
            record.value[i] += drift * ((double)i / last - 0.5);
        const struct ladder *ladder = ladder_of(&record);
        const struct estimate *change = &ladder->zero_drift.change;
        const double seen = drift * ladder->zero_drift.span_s / (last * record.record.period_s);
        ck_assert(ladder->zero_drift.found);
        ck_assert_double_eq_tol(change->value, seen, 4 * change->se);
        ck_assert_double_lt(change->se, 0.3 * record.noise);
        ck_assert_uint_eq(ladder->models[ladder->chosen].terms & ~record.terms, 0);
        ladder_record_clear(&record);
    }
}
END_TEST

/* At every sixth turn the encoder's counts slip, one way and back again. */
START_TEST(slipping_counts_are_steps_of_zero)
{
    if (is_left_out(_i))
        return;
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

/* A zero that moves by many times the noise over the record, but slowly. */
START_TEST(a_slow_drift_is_no_step_of_zero)
{
    if (is_left_out(_i))
        return;
    struct ladder_record record = ladder_record_make(seeds[_i], &range);
    const double drift = 4 * hypot(record.noise, 0.3 * record.step);
    for (size_t i = 0; i < record.record.count; i++) {
        const double u = (double)i / (double)record.record.count;
        record.value[i] += drift * (u + u * u);
    }
    ck_assert(!ladder_of(&record)->zero_steps.found);
    ladder_record_clear(&record);
}
END_TEST

int main(void)
{
    (void)seed_of_run();
    Suite *suite = suite_create("faults of the recorder");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, a_lost_sample_is_a_step_of_the_clock, 0, sizeof seeds / sizeof seeds[0]);
    tcase_add_loop_test(cases, a_repeated_sample_is_a_step_of_the_clock, 0, sizeof seeds / sizeof seeds[0]);
    tcase_add_loop_test(cases, several_losses_are_as_many_steps, 0, sizeof losing_seeds / sizeof losing_seeds[0]);
    tcase_add_loop_test(cases, a_long_leap_is_a_step_of_the_clock, 0, sizeof seeds / sizeof seeds[0]);
    tcase_add_loop_test(cases, many_lost_samples_are_a_step_of_the_clock, 0, sizeof rich_seeds / sizeof rich_seeds[0]);
    tcase_add_loop_test(cases, a_search_that_is_cancelled_leaves_the_times_alone, 0, 4);
    tcase_add_loop_test(cases, a_step_that_is_not_there_is_taken_back, 0, sizeof seeds / sizeof seeds[0]);
    tcase_add_loop_test(cases, sound_records_have_no_faults, 0, 8);
    tcase_add_loop_test(cases, slipping_counts_are_steps_of_zero, 0, sizeof seeds / sizeof seeds[0]);
    tcase_add_loop_test(cases, a_drift_of_zero_is_no_term, 0, sizeof drifting_seeds / sizeof drifting_seeds[0]);
    tcase_add_loop_test(cases, a_slow_drift_is_no_step_of_zero, 0, sizeof seeds / sizeof seeds[0]);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
