/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_suite.h"
#include "segment_harness.h"

#include <stdio.h>

static struct stream *three_decays(uint64_t seed)
{
    return random_decays(seed, 3);
}

static struct comparison campaign(const char *kind, struct stream *(*make)(uint64_t), uint64_t first, uint64_t count)
{
    struct segment_settings settings = segment_default_settings();
    struct comparison sum = {0};
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct stream *stream = make(seed);
        struct findings findings;
        struct comparison before = sum;
        findings_gather(stream, &settings, 0, &findings);
        compare(stream, &findings, &sum);
        if (comparison_faults(&sum) > comparison_faults(&before))
            comparison_print(kind, seed, &before, &sum);
        findings_clear(&findings);
        stream_destroy(stream);
    }
    printf("%s, seeds %lu to %lu: ", kind, (unsigned long)first, (unsigned long)(first + count - 1));
    comparison_print_sum(&sum);
    return sum;
}

START_TEST(thousands_of_decays)
{
    struct comparison sum = campaign("decays", three_decays, 10000, 1200);
    ck_assert_uint_ge(sum.expected, 3500);
    ck_assert_uint_le(sum.missed, sum.expected / 200);
    ck_assert_uint_le(sum.twice, sum.expected / 500);
    ck_assert_uint_le(sum.misplaced, sum.expected / 100);
    ck_assert_uint_le(sum.overrun, sum.expected / 200);
}
END_TEST

START_TEST(thousands_of_incidents)
{
    struct comparison sum = campaign("incidents", random_incidents, 20000, 600);
    ck_assert_uint_le(sum.missed, sum.expected / 25);
    ck_assert_uint_le(sum.twice, sum.expected / 50);
    ck_assert_uint_le(sum.invented, sum.expected / 50);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("segmenter, long");
    TCase *tests = tcase_create("campaigns");
    tcase_set_timeout(tests, 1800);
    tcase_add_test(tests, thousands_of_decays);
    tcase_add_test(tests, thousands_of_incidents);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
