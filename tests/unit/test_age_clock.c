/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How old decays are when the time of day is set, in one run of the daemon and between two. */
#include "run_suite.h"
#include "store/age_clock.h"

#define SECOND INT64_C(1000000000)
#define DAY AGE_CLOCK_DAY
#define YEAR (365 * DAY)

/* The machine: what its clocks show, and what a store remembers of the last run. */
static struct clock_reading machine;
static struct age_clock age;
static int64_t known_ns;

static void set_up(void)
{
    machine = (struct clock_reading){.realtime_ns = 50 * YEAR, .running_ns = 0};
    age = (struct age_clock){.shift_ns = 0};
    known_ns = INT64_MIN;
}

static void start(void)
{
    const struct age_clock last = age;
    machine.running_ns = 100 * SECOND; /* since the machine was switched on */
    age_clock_start(&age, &last, known_ns, &machine);
}

/* The daemon runs for a while and looks now and then. */
static void run_for(int64_t duration_ns)
{
    for (int i = 0; i < 100; i++) {
        machine.realtime_ns += duration_ns / 100;
        machine.running_ns += duration_ns / 100;
        ck_assert(!age_clock_look(&age, &machine));
    }
}

static bool set_date(int64_t step_ns)
{
    machine.realtime_ns += step_ns;
    return age_clock_look(&age, &machine);
}

/* The daemon ends, and is started again after a pause; `step_ns` is what happens to the date meanwhile beside that. */
static void pause_for(int64_t duration_ns, int64_t step_ns)
{
    known_ns = age_clock_time(&age);
    machine.realtime_ns += duration_ns + step_ns;
    start();
}

static void check_age(int64_t since_ns, int64_t expected_ns)
{
    ck_assert_int_eq(age_clock_time(&age) - since_ns, expected_ns);
}

/* What was measured keeps its age whatever the date becomes, however often. */
START_TEST(a_step_in_a_run_makes_nothing_older)
{
    static const int64_t steps[] = {26 * YEAR, -26 * YEAR, 60 * DAY, -60 * DAY, 2 * AGE_CLOCK_HOUR};
    const int64_t step = steps[_i];
    start();
    run_for(AGE_CLOCK_HOUR);
    const int64_t then = age_clock_time(&age);
    ck_assert(!age.waiting);
    ck_assert(set_date(step));
    check_age(then, 0);
    ck_assert(age.waiting && !age_clock_has_waited(&age, 30 * DAY));
    run_for(DAY - SECOND * 100);
    ck_assert(!age_clock_has_waited(&age, 30 * DAY));
    run_for(SECOND * 100);
    ck_assert(age_clock_has_waited(&age, 30 * DAY));
    ck_assert(!age_clock_confirm(&age));
    ck_assert(!age.waiting);
    check_age(then, DAY);
    pause_for(60 * SECOND, 0);
    check_age(then, DAY + 60 * SECOND);
    ck_assert(!age.waiting);
}
END_TEST

START_TEST(small_steps_and_short_pauses_are_believed)
{
    start();
    const int64_t then = age_clock_time(&age);
    ck_assert(!set_date(AGE_CLOCK_HOUR / 2));
    check_age(then, AGE_CLOCK_HOUR / 2);
    pause_for(AGE_CLOCK_HOUR, 0);
    check_age(then, AGE_CLOCK_HOUR * 3 / 2);
    ck_assert(!age.waiting);
}
END_TEST

/* Two steps that would each be believed: within a day they are one, whose whole way is taken back. */
START_TEST(small_steps_add_up_within_a_day)
{
    const int64_t step = (_i ? -2 : 2) * AGE_CLOCK_HOUR / 3;
    start();
    run_for(AGE_CLOCK_HOUR * 5 / 2);
    const int64_t then = age_clock_time(&age);
    ck_assert(!set_date(step));
    run_for(DAY - AGE_CLOCK_HOUR / 2);
    ck_assert(set_date(step));
    check_age(then, DAY - AGE_CLOCK_HOUR / 2);
    ck_assert(age.waiting && !age_clock_has_waited(&age, 30 * DAY));
    /* What was taken back counts no more. */
    ck_assert(!set_date(step));
    ck_assert(set_date(step));
    check_age(then, DAY - AGE_CLOCK_HOUR / 2);
}
END_TEST

START_TEST(small_steps_that_do_not_add_up_are_believed)
{
    start();
    const int64_t then = age_clock_time(&age);
    for (int i = 0; i < 20; i++) {
        ck_assert(!set_date((i % 2 ? -5 : 5) * AGE_CLOCK_HOUR / 6));
        run_for(AGE_CLOCK_HOUR);
    }
    check_age(then, 20 * AGE_CLOCK_HOUR);
    run_for(2 * DAY);
    for (int i = 0; i < 5; i++) {
        ck_assert(!set_date(AGE_CLOCK_HOUR * 2 / 3));
        run_for(DAY + AGE_CLOCK_HOUR);
    }
    check_age(then, 7 * DAY + 25 * AGE_CLOCK_HOUR + AGE_CLOCK_HOUR * 10 / 3);
    ck_assert(!age.waiting);
}
END_TEST

/* A pause that only the date tells of counts when it was looked at, and then in full. */
START_TEST(a_long_pause_counts_when_it_is_believed)
{
    start();
    const int64_t then = age_clock_time(&age);
    pause_for(20 * DAY, 0);
    check_age(then, 0);
    ck_assert(age.waiting);
    run_for(AGE_CLOCK_HOUR * 8);
    /* The wait goes on over a restart, and another pause is added. */
    pause_for(AGE_CLOCK_HOUR * 16, 0);
    ck_assert(age.waiting);
    ck_assert_int_eq(age.waited_ns, AGE_CLOCK_HOUR * 8);
    check_age(then, AGE_CLOCK_HOUR * 8);
    run_for(AGE_CLOCK_HOUR * 16);
    ck_assert(age_clock_has_waited(&age, 30 * DAY));
    /* By the date alone all would be too old: that takes a person. */
    ck_assert(!age_clock_has_waited(&age, 20 * DAY));
    ck_assert(age_clock_confirm(&age));
    check_age(then, 20 * DAY + AGE_CLOCK_HOUR * 40);
    ck_assert(!age.waiting);
}
END_TEST

START_TEST(a_start_in_the_far_future_that_is_put_right)
{
    start();
    const int64_t then = age_clock_time(&age);
    pause_for(AGE_CLOCK_HOUR / 2, 50 * YEAR);
    check_age(then, 0);
    ck_assert(age.waiting && !age_clock_has_waited(&age, 30 * DAY));
    run_for(AGE_CLOCK_HOUR / 4);
    ck_assert(set_date(-50 * YEAR));
    ck_assert(!age.waiting);
    check_age(then, AGE_CLOCK_HOUR * 3 / 4);
}
END_TEST

START_TEST(a_start_in_the_past_that_is_put_right)
{
    start();
    run_for(DAY);
    const int64_t then = age_clock_time(&age);
    pause_for(AGE_CLOCK_HOUR / 2, -26 * YEAR);
    check_age(then, 0);
    run_for(AGE_CLOCK_HOUR);
    check_age(then, AGE_CLOCK_HOUR);
    ck_assert(set_date(26 * YEAR));
    check_age(then, AGE_CLOCK_HOUR * 3 / 2);
    ck_assert(!age.waiting);
    /* One that is never put right goes on from where it was, in every run. */
    pause_for(AGE_CLOCK_HOUR / 2, -26 * YEAR);
    run_for(DAY);
    pause_for(AGE_CLOCK_HOUR / 2, 0);
    check_age(then, AGE_CLOCK_HOUR * 2 + DAY);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("age");
    tcase_add_checked_fixture(cases, set_up, NULL);
    tcase_add_loop_test(cases, a_step_in_a_run_makes_nothing_older, 0, 5);
    tcase_add_test(cases, small_steps_and_short_pauses_are_believed);
    tcase_add_loop_test(cases, small_steps_add_up_within_a_day, 0, 2);
    tcase_add_test(cases, small_steps_that_do_not_add_up_are_believed);
    tcase_add_test(cases, a_long_pause_counts_when_it_is_believed);
    tcase_add_test(cases, a_start_in_the_far_future_that_is_put_right);
    tcase_add_test(cases, a_start_in_the_past_that_is_put_right);
    Suite *suite = suite_create("age clock");
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
