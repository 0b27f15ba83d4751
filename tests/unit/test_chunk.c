/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_suite.h"
#include "segment/chunk.h"
#include "segment/extremes.h"
#include "stream_generator.h"

#include <math.h>
#include <string.h>

#define QUADS_SOURCE "segment/chunk_quads.h"
#include "segment/quads.h"

enum { MARGIN = 2, TIMES = 2000 };

/* Steps of an encoder in every third chunk, so that some neighbours are alike. */
static void fill(struct random *random, int time, double y[CHUNK + 2 * MARGIN])
{
    for (int i = 0; i < CHUNK + 2 * MARGIN; i++) {
        double value = random_normal(random);
        y[i] = time % 3 ? value : rint(2 * value) / 2;
    }
}

START_TEST(tells_what_a_chunk_holds)
{
    struct random random = {7};
    double y[CHUNK + 2 * MARGIN], *sample = y + MARGIN;
    for (int time = 0; time < TIMES; time++) {
        struct chunk chunk;
        double lowest = INFINITY, highest = -INFINITY, sum = 0, largest = 0, smallest = INFINITY;
        int alike = 0;
        fill(&random, time, y);
        for (int i = 0; i < CHUNK; i++) {
            double difference = fabs(fourth_difference(sample + i)), step = fabs(sample[i] - sample[i - 1]);
            lowest = fmin(lowest, sample[i]);
            highest = fmax(highest, sample[i]);
            sum += difference;
            largest = fmax(largest, difference);
            smallest = step > 0 ? fmin(smallest, step) : smallest;
            alike += !(step > 0);
        }
        chunk_look(sample, &chunk);
        ck_assert_double_eq(chunk.lowest, lowest);
        ck_assert_double_eq(chunk.highest, highest);
        ck_assert_double_eq_tol(chunk.mean_difference, sum / CHUNK, 1e-12);
        ck_assert_double_eq_tol(chunk.largest_difference, largest, 1e-12);
        ck_assert_double_eq(chunk.smallest_step, smallest);
        ck_assert_int_eq(chunk.alike, alike);
    }
}
END_TEST

/* Where a decay begins must not depend on the processor: to the last bit. */
START_TEST(every_processor_sees_the_same)
{
    struct random random = {8};
    double y[CHUNK + 2 * MARGIN];
    for (int time = 0; time < TIMES; time++) {
        struct chunk plain, chosen;
        fill(&random, time, y);
        memset(&plain, 0, sizeof plain);
        memset(&chosen, 0, sizeof chosen);
        look_plain(y + MARGIN, &plain);
        QUADS_CALL(look, y + MARGIN, &chosen);
        ck_assert_mem_eq(&plain, &chosen, sizeof plain);
    }
}
END_TEST

START_TEST(tells_the_range_of_any_piece_of_a_chunk)
{
    struct random random = {9};
    double y[CHUNK + 2 * MARGIN];
    for (int time = 0; time < TIMES; time++) {
        size_t count = FEWEST_FOR_RANGE + (size_t)time % (CHUNK - FEWEST_FOR_RANGE + 1);
        double lowest = INFINITY, highest = -INFINITY, low[2], high[2];
        fill(&random, time, y);
        for (size_t i = 0; i < count; i++) {
            lowest = fmin(lowest, y[i]);
            highest = fmax(highest, y[i]);
        }
        chunk_range(y, count, &low[0], &high[0]);
        range_plain(y, count, &low[1], &high[1]);
        for (int i = 0; i < 2; i++) {
            ck_assert_double_eq(low[i], lowest);
            ck_assert_double_eq(high[i], highest);
        }
    }
}
END_TEST

START_TEST(finds_the_first_sample_that_is_no_number)
{
    static const double wrong[] = {NAN, INFINITY, -INFINITY};
    double y[100];
    for (size_t at = 0; at < 100; at++) {
        for (size_t i = 0; i < 100; i++)
            y[i] = 1e300 * (i % 2 ? 1 : -1);
        ck_assert_uint_eq(chunk_finite(y, 100), 100);
        y[at] = wrong[at % 3];
        ck_assert_uint_eq(chunk_finite(y, 100), at);
        size_t chunks = QUADS_CALL(finite, y, 100);
        ck_assert_uint_eq(chunks, at / CHUNK * CHUNK);
        ck_assert_uint_eq(finite_plain(y, 100), chunks);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chunk");
    TCase *tests = tcase_create("chunk");
    tcase_add_test(tests, tells_what_a_chunk_holds);
    tcase_add_test(tests, every_processor_sees_the_same);
    tcase_add_test(tests, tells_the_range_of_any_piece_of_a_chunk);
    tcase_add_test(tests, finds_the_first_sample_that_is_no_number);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
