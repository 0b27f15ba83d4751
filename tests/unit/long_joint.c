/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two channels of one motion, a hundred pairs of every rung. The environment's JOINT_PAIRS and JOINT_SEED ask for
 * another number of them, and for others. */
#include "asked.h"
#include "joint_campaign.h"
#include "run_suite.h"

#include <stdio.h>

START_TEST(hundred_pairs_a_rung)
{
    static const struct ladder_range range = {.half_cycles_most = 100, .samples_a_cycle = 40};
    const unsigned pairs = (unsigned)asked("JOINT_PAIRS", 100), first = (unsigned)asked("JOINT_SEED", 0);
    struct ladder_rung rungs[LADDER_RUNGS];
    struct joint_tally all = {.pairs = 0};
    ladder_list(rungs);
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        struct joint_tally tally = {.pairs = 0};
        for (unsigned seed = 0; seed < pairs; seed++) {
            struct joint joint;
            struct joint_pair pair = joint_pair_make(rungs[n].terms, first + seed, &range, 1, NULL);
            joint_pair_identify(&pair, true, &joint);
            joint_pair_judge(&pair, &joint, &tally);
            joint_pair_judge(&pair, &joint, &all);
            joint_pair_clear(&pair);
        }
        char name[32];
        snprintf(name, sizeof name, "terms %u", rungs[n].terms);
        joint_tally_print(name, &tally);
    }
    joint_tally_print("all", &all);
    ck_assert_double_ge((double)all.covered, 0.92 * (double)all.estimates);
    ck_assert_double_le((double)all.covered, 0.98 * (double)all.estimates);
    ck_assert_double_ge((double)all.gains_covered, 0.92 * (double)all.gains);
    ck_assert_double_le((double)all.gains_covered, 0.98 * (double)all.gains);
    ck_assert_double_le((double)all.contradictions, 0.01 * (double)all.pairs);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("joint, long");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 36000);
    tcase_add_test(cases, hundred_pairs_a_rung);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
