/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results that wait for the other channels of their run. */
#include "made_result.h"
#include "pipeline/joint_runs.h"
#include "run_suite.h"

#include <stdlib.h>

static struct kept_result *result_of_run(uint64_t id, uint64_t run)
{
    struct kept_result *result = made_result("bearing", id % 2 ? "lvdt" : "encoder", id, 100);
    result->of->run = run;
    return result;
}

static void release_all(struct kept_result **results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        kept_result_release(results[i]);
}

START_TEST(a_run_is_taken_when_two_channels_are_there)
{
    struct joint_runs runs = {.count = 0};
    struct kept_result *taken[JOINT_CHANNELS_MOST];
    joint_runs_add(&runs, result_of_run(1, 10), SIZE_MAX);
    ck_assert_uint_eq(joint_runs_take(&runs, 10, taken), 0);
    joint_runs_add(&runs, result_of_run(3, 11), SIZE_MAX);
    joint_runs_add(&runs, result_of_run(2, 10), SIZE_MAX);
    ck_assert_uint_eq(joint_runs_take(&runs, 12, taken), 0);
    ck_assert_uint_eq(joint_runs_take(&runs, 10, taken), 2);
    ck_assert_uint_eq(taken[0]->of->id, 1);
    ck_assert_uint_eq(taken[1]->of->id, 2);
    ck_assert_uint_eq(runs.count, 1);
    release_all(taken, 2);
    joint_runs_clear(&runs);
}
END_TEST

/* What was fitted together waits for a third channel, or for one of the two that is identified anew. */
START_TEST(what_was_fitted_together_needs_news)
{
    struct joint_runs runs = {.count = 0};
    struct kept_result *taken[JOINT_CHANNELS_MOST];
    for (uint64_t id = 1; id <= 2; id++) {
        struct kept_result *result = result_of_run(id, 10);
        result->joint = calloc(1, sizeof *result->joint);
        joint_runs_add(&runs, result, SIZE_MAX);
    }
    ck_assert_uint_eq(joint_runs_take(&runs, 10, taken), 0);
    struct kept_result *anew = result_of_run(2, 10);
    joint_runs_add(&runs, anew, SIZE_MAX);
    ck_assert_uint_eq(joint_runs_take(&runs, 10, taken), 2);
    ck_assert_ptr_eq(taken[1], anew);
    release_all(taken, 2);
    ck_assert_uint_eq(runs.count, 0);
}
END_TEST

/* Neither in number nor in bytes do they grow: the oldest give way. */
START_TEST(the_oldest_give_way)
{
    struct joint_runs runs = {.count = 0};
    for (uint64_t id = 1; id <= JOINT_RUNS_WAITING + 3; id++)
        joint_runs_add(&runs, result_of_run(id, id), SIZE_MAX);
    ck_assert_uint_eq(runs.count, JOINT_RUNS_WAITING);
    ck_assert_uint_eq(runs.waiting[0]->of->id, 4);
    struct kept_result *last = result_of_run(1000, 1000);
    const size_t two = 2 * kept_result_bytes(last);
    joint_runs_add(&runs, last, two);
    ck_assert_uint_eq(runs.count, 2);
    ck_assert_ptr_eq(runs.waiting[1], last);
    joint_runs_clear(&runs);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joint runs");
    TCase *cases = tcase_create("cases");
    tcase_add_test(cases, a_run_is_taken_when_two_channels_are_there);
    tcase_add_test(cases, what_was_fitted_together_needs_news);
    tcase_add_test(cases, the_oldest_give_way);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
