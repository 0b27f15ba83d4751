/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What takes an hour: a thousand random decays of every rung. The environment's LADDER_RECORDS and LADDER_SEED ask for
 * another number of them, and for others. */
#include "asked.h"
#include "ladder_campaign.h"
#include "run_suite.h"

START_TEST(thousand_random_decays)
{
    static const struct ladder_range range = {.half_cycles_most = 300, .samples_a_cycle = 80};
    const unsigned records = (unsigned)asked("LADDER_RECORDS", 1000), first = (unsigned)asked("LADDER_SEED", 0);
    struct ladder_tally tally = {.records = 0};
    for (unsigned n = 0; n < records; n++) {
        struct ladder_record record = ladder_record_make(first + n, &range);
        ladder_record_judge(&record, &tally);
        ladder_record_clear(&record);
        if (n % 20 == 19)
            ladder_tally_print(&tally);
    }
    ladder_tally_print(&tally);
    ladder_tally_print_parameters(&tally);
    ck_assert_uint_eq(tally.above_contained, 0);
    ck_assert_uint_eq(tally.above_truth, 0);
    ck_assert_uint_eq(tally.not_found, 0);
    ck_assert_double_ge((double)tally.right, 0.95 * (double)tally.judged);
    ck_assert_double_le((double)tally.false_terms, 0.05 * (double)tally.judged);
    ck_assert_double_ge((double)tally.all.covered, 0.92 * (double)tally.all.estimates);
    ck_assert_double_le((double)tally.all.covered, 0.98 * (double)tally.all.estimates);
    ck_assert_double_le(tally.all.squared_errors, 1.1 * 1.1 * (double)tally.all.estimates);
    ck_assert_double_le(tally.stepped.squared_errors, 1.1 * 1.1 * (double)tally.stepped.estimates);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ladder, long");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 36000);
    tcase_add_test(cases, thousand_random_decays);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
