/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ten thousand decays, ten hours without one, and a thousand streams that beat. With arguments, one stream again:
 * long_segmenter KIND SEED, and its samples as a table with a third argument. */

#include "run_suite.h"
#include "segment_campaign.h"

#include <stdio.h>

START_TEST(finds_decays_once_and_only_once)
{
    struct campaign sum = campaign_of_decays(100000, 10000, 4);
    const struct tally *all = &sum.verdicts.all;
    ck_assert_uint_le(all->missed + all->twice, all->expected / 200);
    ck_assert_uint_eq(sum.verdicts.invented, 0);
    ck_assert_uint_le(all->misplaced, all->expected / 200);
    ck_assert_uint_le(all->misnamed + all->cut_short + all->overrun, all->expected / 100);
    ck_assert_uint_eq(all->late, 0);
    ck_assert_uint_le(sum.verdicts.spikes_missed, sum.verdicts.spikes / 200);
    ck_assert_uint_le(sum.verdicts.samples_blamed, sum.verdicts.samples / 100000);
    ck_assert_uint_le(sum.parameters.outside, sum.parameters.records / 100);
}
END_TEST

START_TEST(invents_none_in_ten_hours)
{
    struct campaign sum = campaign_of_quiet(1000, 10 * 3600);
    ck_assert_uint_eq(sum.verdicts.invented, 0);
}
END_TEST

START_TEST(invents_none_on_the_scale_of_any_rig)
{
    struct campaign sum = campaign_of_scaled_quiet(1000, 200, 50000);
    ck_assert_uint_eq(sum.verdicts.invented, 0);
}
END_TEST

/* Beats of noise of some per cent of the amplitude cannot all be told from a decay of three half cycles. */
START_TEST(invents_hardly_any_in_beats)
{
    ck_assert_uint_le(campaign_of_beats(100000, 1000), 5);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 2)
        return campaign_replay(argv[1], argv[2], argc > 3);
    Suite *suite = suite_create("segmenter, long");
    TCase *tests = tcase_create("campaigns");
    tcase_set_timeout(tests, 1800);
    tcase_add_test(tests, finds_decays_once_and_only_once);
    tcase_add_test(tests, invents_none_in_ten_hours);
    tcase_add_test(tests, invents_none_on_the_scale_of_any_rig);
    tcase_add_test(tests, invents_hardly_any_in_beats);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
