/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which decays of several channels are of one run, from when they were seen. */
#include "segment/run_grouping.h"

#include "run_suite.h"

#include <math.h>

enum { LVDT, ENCODER, LASER };

/* Of a motion at 5 Hz. */
static uint64_t add(struct run_grouping *grouping, size_t channel, double begin_s, double end_s)
{
    const struct decay_span span = {begin_s, end_s, 0.1};
    return run_grouping_add(grouping, channel, &span);
}

START_TEST(two_channels_of_each_release)
{
    struct run_grouping grouping = {0};
    for (int i = 0; i < 1000; i++) {
        double released_s = 10.0 * i;
        uint64_t run = add(&grouping, ENCODER, released_s + 0.0008, released_s + 3.1);
        ck_assert_uint_eq(run, (uint64_t)i + 1);
        ck_assert_uint_eq(add(&grouping, LVDT, released_s, released_s + 4.2), run);
    }
}
END_TEST

/* The encoder rests two periods sooner, the laser was overdriven at first and has only the end; in any order. */
START_TEST(three_channels_in_any_order)
{
    static const double seen_s[3][2] = {{20, 26}, {20.001, 24}, {23, 26}};
    static const size_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int o = 0; o < 6; o++) {
        struct run_grouping grouping = {0};
        add(&grouping, LVDT, 10, 16);
        for (int i = 0; i < 3; i++) {
            size_t channel = orders[o][i];
            ck_assert_uint_eq(add(&grouping, channel, seen_s[channel][0], seen_s[channel][1]), 2);
        }
    }
}
END_TEST

START_TEST(what_lies_apart_is_of_two_runs)
{
    struct run_grouping grouping = {0};
    ck_assert_uint_eq(add(&grouping, LVDT, 0, 4), 1);
    ck_assert_uint_eq(add(&grouping, ENCODER, 4, 8), 2);
    ck_assert_uint_eq(add(&grouping, LASER, 100, 104), 3);
}
END_TEST

/* A decay that a blow ended lies a little on the one that the blow began. */
START_TEST(half_a_cycle_in_common_is_the_least)
{
    struct run_grouping grouping = {0};
    ck_assert_uint_eq(add(&grouping, LVDT, 0, 5), 1);
    ck_assert_uint_eq(add(&grouping, ENCODER, 4.95, 9), 2);
    ck_assert_uint_eq(add(&grouping, LVDT, 4.96, 9), 2);
    ck_assert_uint_eq(add(&grouping, LASER, 8.85, 9.9), 2);
}
END_TEST

START_TEST(a_channel_has_one_decay_in_a_run)
{
    struct run_grouping grouping = {0};
    /* Its sensor was zeroed in the middle, which ended what was followed. */
    ck_assert_uint_eq(add(&grouping, ENCODER, 0, 3), 1);
    ck_assert_uint_eq(add(&grouping, ENCODER, 3.1, 6), 2);
    /* Both lie on this: it is of the one that begins with it. */
    ck_assert_uint_eq(add(&grouping, LVDT, 0.001, 6), 1);
    ck_assert_uint_eq(add(&grouping, LVDT, 0.001, 6), 2);
    ck_assert_uint_eq(add(&grouping, LVDT, 0.001, 6), 3);
}
END_TEST

START_TEST(a_recording_gives_its_channels_one_behind_the_other)
{
    struct run_grouping grouping = {0};
    for (int i = 0; i < 20; i++)
        ck_assert_uint_eq(add(&grouping, LVDT, 10 * i, 10 * i + 4), (uint64_t)i + 1);
    for (int i = 0; i < 20; i++)
        ck_assert_uint_eq(add(&grouping, ENCODER, 10 * i + 0.001, 10 * i + 3), (uint64_t)i + 1);
}
END_TEST

START_TEST(what_is_remembered_is_bounded)
{
    struct run_grouping grouping = {0};
    ck_assert_uint_eq(add(&grouping, LVDT, 0, 1000), 1);
    for (int i = 1; i < RUN_GROUPING_REMEMBERS; i++)
        add(&grouping, LVDT, 1000 + i, 1000.5 + i);
    ck_assert_uint_eq(add(&grouping, ENCODER, 0, 1000), 1);
    ck_assert_uint_eq(add(&grouping, LASER, 2, 1000), 1);
    for (int i = 0; i < RUN_GROUPING_REMEMBERS; i++)
        add(&grouping, LVDT, 2000 + i, 2000.5 + i);
    ck_assert_uint_eq(add(&grouping, LASER, 0, 1000), grouping.runs);
}
END_TEST

/* Uniform samples behind a delay, stamped samples, a release that was seen, one that was not, and no samples at all. */
START_TEST(the_span_of_a_decay)
{
    enum { COUNT = 101 };
    double displacement[COUNT] = {0}, time_s[COUNT];
    for (int i = 0; i < COUNT; i++)
        time_s[i] = 50 + 0.01 * i + 0.001 * (i % 2);
    struct decay decay = {.record = {.displacement = displacement, .count = COUNT, .start_s = 7.0003, .period_s = 0.01},
                          .half_cycles = 10,
                          .released_s = NAN};
    struct decay_span span = decay_span(&decay);
    ck_assert_double_eq_tol(span.begin_s, 7.0003, 1e-12);
    ck_assert_double_eq_tol(span.end_s, 8.0003, 1e-12);
    ck_assert_double_eq_tol(span.half_cycle_s, 0.1, 1e-12);
    decay.released_s = 6.95;
    ck_assert_double_eq(decay_span(&decay).begin_s, 6.95);
    decay.record.time_s = time_s;
    ck_assert_double_eq(decay_span(&decay).end_s, 51);
    decay.half_cycles = 0;
    ck_assert_double_eq(decay_span(&decay).half_cycle_s, 0);
    decay.record.count = 0;
    span = decay_span(&decay);
    struct run_grouping grouping = {0};
    ck_assert_uint_eq(add(&grouping, LVDT, 0, 100), 1);
    ck_assert_uint_eq(run_grouping_add(&grouping, ENCODER, &span), 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run_grouping");
    TCase *runs = tcase_create("runs");
    tcase_add_test(runs, two_channels_of_each_release);
    tcase_add_test(runs, three_channels_in_any_order);
    tcase_add_test(runs, what_lies_apart_is_of_two_runs);
    tcase_add_test(runs, half_a_cycle_in_common_is_the_least);
    tcase_add_test(runs, a_channel_has_one_decay_in_a_run);
    tcase_add_test(runs, a_recording_gives_its_channels_one_behind_the_other);
    tcase_add_test(runs, what_is_remembered_is_bounded);
    tcase_add_test(runs, the_span_of_a_decay);
    suite_add_tcase(suite, runs);
    return run_suite(suite);
}
