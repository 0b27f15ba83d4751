/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_suite.h"
#include "segment_harness.h"

#include <math.h>
#include <string.h>

/* Five hertz at 500 samples a second, released at rest from 1. */
static struct stream *clean_release(double zeta, double x_k, double rest)
{
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = zeta, .x_k = x_k, .x_s = x_k};
    const struct sensor sensor = {.offset = 0.2};
    struct stream *stream = stream_create(1, &plant, &sensor, 500);
    stream_wait(stream, 300);
    stream_pull(stream, 1, 400, 0);
    stream_hold(stream, 300, 0);
    stream_release(stream, 0, rest, 20000);
    return stream;
}

START_TEST(finds_a_clean_decay_from_its_second_extremum_to_rest)
{
    struct stream *stream = clean_release(0.02, 0.01, 500);
    struct segment_settings settings = segment_default_settings();
    struct findings findings;
    findings_gather(stream, &settings, 0, &findings);
    ck_assert_uint_eq(findings.count, 1);
    const struct decay *decay = findings.decays[0];
    /* theory: the mass rests after 23 half cycles, of which the first is dropped */
    ck_assert_uint_eq(decay->half_cycles, 22);
    ck_assert_int_eq(decay->ended_by, DECAY_END_REST);
    ck_assert(decay->dropped_first_half_cycle);
    ck_assert_double_eq_tol(decay->record.first_extremum_s * 500, stream->decays[0].extremum[0], 0.5);
    ck_assert_double_eq_tol(decay->released_s * 500, stream->decays[0].released, 3);
    double end = (double)decay->first_index + (double)decay->record.count - 1;
    ck_assert_double_eq_tol(end, stream->decays[0].stopped, 2);
    ck_assert_double_eq_tol(decay->rest.position, stream->plant.x + 0.2, 1e-6);
    ck_assert_uint_eq(findings.progress_calls > 15, true);
    findings_clear(&findings);
    stream_destroy(stream);
}
END_TEST

static void assert_same(const struct decay *a, const struct decay *b)
{
    size_t count = a->record.count + a->pretrigger_count;
    ck_assert_uint_eq(a->first_index, b->first_index);
    ck_assert_uint_eq(a->pretrigger_count, b->pretrigger_count);
    ck_assert_uint_eq(a->record.count, b->record.count);
    ck_assert_int_eq(a->ended_by, b->ended_by);
    ck_assert_uint_eq(a->half_cycles, b->half_cycles);
    ck_assert(memcmp(a->displacement, b->displacement, count * sizeof(double)) == 0);
    ck_assert(memcmp(&a->record.first_extremum_s, &b->record.first_extremum_s, sizeof(double)) == 0);
    ck_assert(memcmp(&a->rest.position, &b->rest.position, sizeof(double)) == 0);
}

START_TEST(cutting_the_stream_changes_nothing)
{
    static const size_t most[] = {1, 3, 17, 100, 1000, 100000};
    struct segment_settings settings = segment_default_settings();
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct stream *stream = random_decays(seed, 2);
        struct findings whole, pieces;
        findings_gather(stream, &settings, 0, &whole);
        for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
            findings_gather(stream, &settings, most[i], &pieces);
            ck_assert_uint_eq(whole.count, pieces.count);
            for (size_t j = 0; j < whole.count; j++)
                assert_same(whole.decays[j], pieces.decays[j]);
            findings_clear(&pieces);
        }
        findings_clear(&whole);
        stream_destroy(stream);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("segmenter");
    TCase *tests = tcase_create("finding");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, finds_a_clean_decay_from_its_second_extremum_to_rest);
    tcase_add_test(tests, cutting_the_stream_changes_nothing);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
