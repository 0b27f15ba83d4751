/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The short way through a decay leads where the long way does. */
#include "random_lab.h"
#include "run_suite.h"
#include "segment/quick_follow.h"
#include "segment_harness.h"

#include <check.h>
#include <stdio.h>

enum { FIRST_SEED = 31000, STREAMS = 60 };

static bool long_way;
static size_t followed_quickly;

enum quick_follow_event __real_finder_follows_quickly(struct decay_finder *finder, const struct sample_history *history,
                                                      uint64_t ready, struct half_cycle *half);
enum quick_follow_event __wrap_finder_follows_quickly(struct decay_finder *finder, const struct sample_history *history,
                                                      uint64_t ready, struct half_cycle *half);

enum quick_follow_event __wrap_finder_follows_quickly(struct decay_finder *finder, const struct sample_history *history,
                                                      uint64_t ready, struct half_cycle *half)
{
    size_t before = finder->candidate.count;
    if (long_way)
        return QUICK_FOLLOW_STOPS;
    enum quick_follow_event event = __real_finder_follows_quickly(finder, history, ready, half);
    followed_quickly += finder->candidate.count - before;
    return event;
}

static void gather(const struct stream *stream, bool slowly, struct findings *findings)
{
    const struct segment_settings settings = segment_default_settings();
    long_way = slowly;
    findings_gather_unwatched(stream, &settings, 0, findings);
}

static void expect_same(uint64_t seed, const struct decay *quick, const struct decay *slow)
{
    bool same = quick->first_index == slow->first_index && quick->record.count == slow->record.count &&
                quick->half_cycles == slow->half_cycles && quick->ended_by == slow->ended_by &&
                !(quick->record.first_extremum_s < slow->record.first_extremum_s) &&
                !(quick->record.first_extremum_s > slow->record.first_extremum_s);
    ck_assert_msg(same, "seed %lu: record from %lu on, %zu and %zu half cycles", (unsigned long)seed,
                  (unsigned long)quick->first_index, quick->half_cycles, slow->half_cycles);
}

START_TEST(both_ways_lead_to_the_same_records)
{
    size_t decays = 0;
    printf("seeds %d to %d\n", FIRST_SEED, FIRST_SEED + STREAMS - 1);
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + STREAMS; seed++) {
        struct lab lab = lab_with_decays(seed);
        struct findings quick, slow;
        gather(lab.stream, false, &quick);
        gather(lab.stream, true, &slow);
        ck_assert_uint_eq(quick.count, slow.count);
        for (size_t i = 0; i < quick.count; i++)
            expect_same(seed, quick.decays[i], slow.decays[i]);
        decays += quick.count;
        findings_clear(&quick);
        findings_clear(&slow);
        stream_destroy(lab.stream);
    }
    printf("%zu decays, %zu half cycles taken the short way\n", decays, followed_quickly);
    ck_assert_uint_ge(decays, STREAMS);
    ck_assert_uint_ge(followed_quickly, 10 * STREAMS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("quick_follow");
    TCase *tests = tcase_create("quick_follow");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, both_ways_lead_to_the_same_records);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
