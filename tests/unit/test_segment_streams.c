/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A thousand decays and an hour without one, of which sanitizers get a part, in labs of every kind. long_segmenter asks
 * the same, and more, of ten times as many. */

#include "run_suite.h"
#include "segment_campaign.h"

/* Sanitizers look at every access; a part of the seeds is enough for them. */
static size_t as_many_as(size_t wanted)
{
    const char *slowness = getenv("TEST_SLOWNESS");
    double times = slowness ? strtod(slowness, NULL) : 1;
    return times > 3 ? (size_t)(3 * (double)wanted / times) : wanted;
}

START_TEST(finds_a_thousand_decays_once_and_only_once)
{
    struct campaign sum = campaign_of_decays(1, as_many_as(1000), 10);
    const struct tally *all = &sum.verdicts.all, *plain = &sum.verdicts.plain;
    ck_assert_uint_le(all->missed + all->twice, all->expected / 200);
    ck_assert_uint_le(plain->missed + plain->twice, plain->expected / 200);
    ck_assert_uint_le(sum.parameters.outside, sum.parameters.records / 100);
    ck_assert_uint_eq(sum.verdicts.invented, 0);
    ck_assert_uint_eq(sum.verdicts.all.late, 0);
    ck_assert_uint_le(sum.verdicts.spikes_missed, sum.verdicts.spikes / 200);
    ck_assert_uint_le(sum.verdicts.samples_blamed, sum.verdicts.samples / 10000);
}
END_TEST

/* One stream each of situations that once were too much: what a gap or a blow leaves of a decay, small against noise or
 * steps; a first half cycle that seems too long; hum after a mass that stuck; three half cycles between a quick pull
 * and a stop or a blow; few half cycles in noise of more than 0.4 % of the first swing; many half cycles before a swing
 * that grew; a decay right behind another one. */
START_TEST(finds_what_is_left_of_a_decay)
{
    static const uint64_t seeds[] = {1000382, 1000447, 1000630, 1001149, 1001406, 1001641, 1002324, 1002402, 1002525,
                                     1002545, 1002565, 100582,  102279,  102797,  6004008, 9600035, 9620417, 9630402};
    struct campaign sum = campaign_of_decays(seeds[_i], 1, 0);
    ck_assert_uint_ge(sum.verdicts.all.expected, 1);
    ck_assert_uint_eq(sum.verdicts.all.missed + sum.verdicts.all.twice + sum.verdicts.invented, 0);
}
END_TEST

/* … and of records that went on into drift, into the hand that stopped the mass, or over a half cycle in which a blow
 * had begun. */
START_TEST(ends_with_the_free_motion)
{
    static const uint64_t seeds[] = {1000108, 1000567, 1000693, 1001034, 1001209, 1001705, 1002051, 9710206};
    struct campaign sum = campaign_of_decays(seeds[_i], 1, 0);
    ck_assert_uint_ge(sum.verdicts.all.expected, 1);
    ck_assert_uint_eq(sum.verdicts.all.missed + sum.verdicts.all.overrun, 0);
}
END_TEST

/* … and of motions whose name was wrong: friction let no swing follow the last one; damping had changed since the first
 * of many swings. */
START_TEST(says_what_ended_the_motion)
{
    static const uint64_t seeds[] = {9710062, 9710029};
    struct campaign sum = campaign_of_decays(seeds[_i], 1, 0);
    ck_assert_uint_ge(sum.verdicts.all.expected, 1);
    ck_assert_uint_eq(sum.verdicts.all.missed + sum.verdicts.all.misnamed, 0);
}
END_TEST

/* A half cycle in front of the record fits as badly as none of those behind it. */
START_TEST(begins_behind_what_the_hand_spoilt)
{
    struct campaign sum = campaign_of_decays(9820032, 1, 0);
    ck_assert_uint_ge(sum.verdicts.all.expected, 1);
    ck_assert_uint_eq(sum.verdicts.all.missed + sum.verdicts.all.early + sum.verdicts.all.misplaced, 0);
}
END_TEST

START_TEST(takes_no_swing_that_grows_into_a_decay)
{
    struct campaign sum = campaign_of_decays(9710098, 1, 0);
    ck_assert_uint_ge(sum.verdicts.all.expected, 1);
    ck_assert_uint_eq(sum.verdicts.all.missed + sum.verdicts.all.misplaced, 0);
}
END_TEST

/* … and of crests that uneven steps make flat, or that lie within what was seen: no limit clips them, and the record
 * begins with them. */
START_TEST(begins_at_a_crest_of_uneven_steps)
{
    static const uint64_t seeds[] = {9600747, 9620850, 95001961, 95003412};
    struct campaign sum = campaign_of_decays(seeds[_i], 1, 0);
    ck_assert_uint_ge(sum.verdicts.all.expected, 1);
    ck_assert_uint_eq(sum.verdicts.all.missed + sum.verdicts.all.misplaced, 0);
}
END_TEST

/* … and of decisions that fell late: a slow pull, taken for half a cycle, hid a quick decay; a decay in which a blow
 * was found only when it had passed; two half cycles whose rest was waited for. */
START_TEST(decides_within_two_periods)
{
    static const uint64_t seeds[] = {1002624, 102809, 6501792, 6502801, 9601291, 95000846, 95001357};
    struct campaign sum = campaign_of_decays(seeds[_i], 1, 0);
    ck_assert_uint_ge(sum.verdicts.all.expected, 1);
    ck_assert_uint_eq(sum.verdicts.all.missed + sum.verdicts.all.late, 0);
}
END_TEST

START_TEST(invents_none_in_an_hour)
{
    struct campaign sum = campaign_of_quiet(1, (double)as_many_as(3600));
    ck_assert_uint_eq(sum.verdicts.invented, 0);
}
END_TEST

/* A slow wander, tremor that fades for nine half cycles, and hum on a slow pull, whose swings rise and fall. */
START_TEST(takes_no_wander_for_a_decay)
{
    static const uint64_t seeds[] = {9000262, 9000422, 9000191};
    struct campaign sum = campaign_of_quiet(seeds[_i], 1);
    ck_assert_uint_eq(sum.verdicts.invented, 0);
}
END_TEST

/* A few swings out of a motion that went on, little above the noise of a slow stream, and three half cycles of noise,
 * which foretell whatever comes next. */
START_TEST(takes_no_swings_of_a_slow_stream_for_a_decay)
{
    static const uint64_t seeds[] = {9700829, 1022};
    struct campaign sum = campaign_of_scaled_quiet(seeds[_i], 1, 50000);
    ck_assert_uint_eq(sum.verdicts.invented, 0);
}
END_TEST

/* What remains of a decay in hum, twice; a mass that had just come to rest; a hand that trembles in the rhythm of the
 * rig, noise whose half cycles have six samples each, and a hand that trembles far from where the mass rests. */
START_TEST(invents_none_beside_decays)
{
    static const uint64_t seeds[] = {100708, 15000020, 100099, 6000763, 1000510, 9500627};
    struct campaign sum = campaign_of_decays(seeds[_i], 1, 0);
    ck_assert_uint_ge(sum.verdicts.all.expected, 1);
    ck_assert_uint_eq(sum.verdicts.invented, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("segment streams");
    TCase *tests = tcase_create("campaigns");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, finds_a_thousand_decays_once_and_only_once);
    tcase_add_loop_test(tests, finds_what_is_left_of_a_decay, 0, 18);
    tcase_add_loop_test(tests, ends_with_the_free_motion, 0, 8);
    tcase_add_loop_test(tests, says_what_ended_the_motion, 0, 2);
    tcase_add_test(tests, begins_behind_what_the_hand_spoilt);
    tcase_add_test(tests, takes_no_swing_that_grows_into_a_decay);
    tcase_add_loop_test(tests, begins_at_a_crest_of_uneven_steps, 0, 4);
    tcase_add_loop_test(tests, decides_within_two_periods, 0, 7);
    tcase_add_test(tests, invents_none_in_an_hour);
    tcase_add_loop_test(tests, takes_no_wander_for_a_decay, 0, 3);
    tcase_add_loop_test(tests, takes_no_swings_of_a_slow_stream_for_a_decay, 0, 2);
    tcase_add_loop_test(tests, invents_none_beside_decays, 0, 6);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
