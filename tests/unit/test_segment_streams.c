/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_suite.h"
#include "segment_harness.h"

#include <stdio.h>

/* What a campaign over seeds [first, first + count) of one kind of stream came to. Failing seeds are printed. */
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

static struct stream *one_decay(uint64_t seed)
{
    return random_decays(seed, 1);
}

START_TEST(finds_every_decay_once)
{
    struct comparison sum = campaign("decays", one_decay, 1, 300);
    ck_assert_uint_ge(sum.expected, 295);
    ck_assert_uint_le(sum.missed, sum.expected / 200);
    ck_assert_uint_eq(sum.twice, 0);
    ck_assert_uint_eq(sum.misplaced, 0);
    ck_assert_uint_eq(sum.overrun, 0);
    ck_assert_uint_le(sum.misnamed, sum.expected / 100);
    ck_assert_uint_le(sum.invented, 1);
}
END_TEST

START_TEST(survives_what_happens_in_a_lab)
{
    struct comparison sum = campaign("incidents", random_incidents, 1, 100);
    ck_assert_uint_ge(sum.expected, 300);
    ck_assert_uint_le(sum.missed, sum.expected / 25);
    ck_assert_uint_le(sum.twice, sum.expected / 50);
    ck_assert_uint_le(sum.invented, sum.expected / 100);
}
END_TEST

START_TEST(invents_next_to_nothing)
{
    struct segment_settings settings = segment_default_settings();
    double seconds = 0, cycles = 0;
    size_t invented = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct stream *stream = random_quiet(seed, 50000);
        struct findings findings;
        findings_gather(stream, &settings, 0, &findings);
        if (findings.count > 0)
            printf("quiet, seed %lu: %zu invented\n", (unsigned long)seed, findings.count);
        invented += findings.count;
        seconds += (double)stream->count * stream->dt;
        cycles += (double)stream->count / stream->samples_per_cycle;
        findings_clear(&findings);
        stream_destroy(stream);
    }
    printf("quiet: %zu invented in %.0f s, %.0f cycles\n", invented, seconds, cycles);
    ck_assert_double_ge(seconds, 3600);
    ck_assert_double_le((double)invented, cycles / 2000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("segment streams");
    TCase *tests = tcase_create("campaigns");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, finds_every_decay_once);
    tcase_add_test(tests, survives_what_happens_in_a_lab);
    tcase_add_test(tests, invents_next_to_nothing);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
