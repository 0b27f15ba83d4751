/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results that wait for the other channels of their run. */
#include "made_result.h"
#include "pipeline/joint_runs.h"
#include "run_suite.h"

#include <stdlib.h>
#include <string.h>

static struct kept_result *result_of_run(uint64_t id, uint64_t run)
{
    struct kept_result *result = made_result("bearing", id % 2 ? "lvdt" : "encoder", id, 100);
    result->of->run = run;
    return result;
}

/* context: the names of the channels in their order; NULL: nobody knows them. */
static size_t rank_by_name(void *context, const struct decay_origin *origin)
{
    const char *names = context, *at = names ? strstr(names, origin->channel) : NULL;
    return at ? (size_t)(at - names) : SIZE_MAX;
}

/* As if joint_results_make() had fitted them. */
static void fit(struct kept_result **results, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(results[i]->joint);
        results[i]->joint = calloc(1, sizeof *results[i]->joint);
        ck_assert_ptr_nonnull(results[i]->joint);
        results[i]->joint->found.count = count;
        for (size_t c = 0; c < count; c++)
            results[i]->joint->channels[c].id = results[c]->of->id;
    }
}

static void add_all(struct joint_runs *runs, struct kept_result **results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        joint_runs_add(runs, results[i]);
}

static size_t take(struct joint_runs *runs, uint64_t run, struct kept_result **results)
{
    return joint_runs_take(runs, run, rank_by_name, NULL, results);
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
    joint_runs_add(&runs, result_of_run(1, 10));
    ck_assert_uint_eq(take(&runs, 10, taken), 0);
    joint_runs_add(&runs, result_of_run(3, 11));
    joint_runs_add(&runs, result_of_run(2, 10));
    ck_assert_uint_eq(take(&runs, 12, taken), 0);
    ck_assert_uint_eq(take(&runs, 10, taken), 2);
    ck_assert_uint_eq(taken[0]->of->id, 1);
    ck_assert_uint_eq(taken[1]->of->id, 2);
    ck_assert_uint_eq(runs.count, 1);
    release_all(taken, 2);
    joint_runs_clear(&runs);
}
END_TEST

/* It waits for a third channel. */
START_TEST(what_was_fitted_together_needs_news)
{
    struct joint_runs runs = {.count = 0};
    struct kept_result *taken[JOINT_CHANNELS_MOST] = {result_of_run(1, 10), result_of_run(2, 10)};
    fit(taken, 2);
    add_all(&runs, taken, 2);
    ck_assert_uint_eq(take(&runs, 10, taken), 0);
    joint_runs_add(&runs, result_of_run(3, 10));
    ck_assert_uint_eq(take(&runs, 10, taken), 3);
    release_all(taken, 3);
    ck_assert_uint_eq(runs.count, 0);
}
END_TEST

/* Nobody asked for another revision of the other one. */
START_TEST(all_are_fitted_anew_or_none)
{
    struct joint_runs runs = {.count = 0};
    struct kept_result *taken[JOINT_CHANNELS_MOST] = {result_of_run(1, 10), result_of_run(2, 10)};
    fit(taken, 2);
    add_all(&runs, taken, 2);
    struct kept_result *anew = result_of_run(2, 10);
    joint_runs_add(&runs, anew);
    ck_assert_uint_eq(take(&runs, 10, taken), 0);
    ck_assert_uint_eq(runs.count, 2);
    joint_runs_add(&runs, result_of_run(1, 10));
    ck_assert_uint_eq(take(&runs, 10, taken), 2);
    ck_assert_ptr_eq(taken[1], anew);
    release_all(taken, 2);
}
END_TEST

/* In the order of the channels, whichever had its ladder first; of channels that nobody knows, in that of the decays.
 */
START_TEST(the_order_is_that_of_the_channels)
{
    struct joint_runs runs = {.count = 0};
    struct kept_result *taken[JOINT_CHANNELS_MOST];
    for (uint64_t id = 3; id >= 2; id--)
        joint_runs_add(&runs, result_of_run(id, 10));
    ck_assert_uint_eq(take(&runs, 10, taken), 2);
    ck_assert_uint_eq(taken[0]->of->id, 2);
    add_all(&runs, taken, 2);
    ck_assert_uint_eq(joint_runs_take(&runs, 10, rank_by_name, (void *)"lvdt encoder", taken), 2);
    ck_assert_uint_eq(taken[0]->of->id, 3);
    release_all(taken, 2);
}
END_TEST

/* Ten channels: eight are chosen, once. */
START_TEST(of_more_than_eight_channels_eight_are_fitted)
{
    struct joint_runs runs = {.count = 0};
    struct kept_result *taken[JOINT_CHANNELS_MOST];
    for (uint64_t id = 10; id > 0; id--)
        joint_runs_add(&runs, result_of_run(id, 10));
    ck_assert_uint_eq(take(&runs, 10, taken), JOINT_CHANNELS_MOST);
    for (size_t i = 0; i < JOINT_CHANNELS_MOST; i++)
        ck_assert_uint_eq(taken[i]->of->id, i + 1);
    ck_assert_uint_eq(runs.count, 0);
    fit(taken, JOINT_CHANNELS_MOST);
    add_all(&runs, taken, JOINT_CHANNELS_MOST);
    ck_assert_uint_eq(take(&runs, 10, taken), 0);
    joint_runs_add(&runs, result_of_run(9, 10));
    ck_assert_uint_eq(take(&runs, 10, taken), 0);
    joint_runs_clear(&runs);
}
END_TEST

/* A copy of what is there already may have been on its way. */
START_TEST(the_higher_revision_stays)
{
    struct joint_runs runs = {.count = 0};
    struct kept_result *later = result_of_run(1, 10), *earlier = result_of_run(1, 10);
    later->revision = 3;
    earlier->revision = 2;
    joint_runs_add(&runs, later);
    joint_runs_add(&runs, earlier);
    ck_assert_uint_eq(runs.count, 1);
    ck_assert_ptr_eq(runs.waiting[0], later);
    ck_assert(joint_runs_awaits_others(&runs, 1) && !joint_runs_awaits_others(&runs, 2));
    fit(&later, 1);
    ck_assert(!joint_runs_awaits_others(&runs, 1));
    joint_runs_clear(&runs);
}
END_TEST

/* Neither in number nor in bytes do they grow: the oldest give way. */
START_TEST(the_oldest_give_way)
{
    struct joint_runs runs = {.count = 0};
    for (uint64_t id = 1; id <= JOINT_RUNS_WAITING; id++)
        joint_runs_add(&runs, result_of_run(id, id));
    ck_assert_ptr_null(joint_runs_give_way(&runs, SIZE_MAX));
    struct kept_result *last = result_of_run(1000, 1000);
    const size_t two = 2 * kept_result_bytes(last);
    joint_runs_add(&runs, last);
    struct kept_result *oldest = joint_runs_give_way(&runs, SIZE_MAX);
    ck_assert_ptr_nonnull(oldest);
    ck_assert_uint_eq(oldest->of->id, 1);
    kept_result_release(oldest);
    ck_assert_ptr_null(joint_runs_give_way(&runs, SIZE_MAX));
    ck_assert(joint_runs_has_new_release(&runs, 1000) && !joint_runs_has_new_release(&runs, 1));
    while ((oldest = joint_runs_give_way(&runs, two)))
        kept_result_release(oldest);
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
    tcase_add_test(cases, all_are_fitted_anew_or_none);
    tcase_add_test(cases, the_order_is_that_of_the_channels);
    tcase_add_test(cases, of_more_than_eight_channels_eight_are_fitted);
    tcase_add_test(cases, the_higher_revision_stays);
    tcase_add_test(cases, the_oldest_give_way);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
