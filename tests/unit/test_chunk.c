/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_suite.h"
#include "segment/chunk_loops.h"
#include "stream_generator.h"

#include <math.h>
#include <string.h>

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
        struct chunk plain, wide;
        fill(&random, time, y);
        memset(&plain, 0, sizeof plain);
        chunk_loops_of(LANES_OF_2)->look(y + MARGIN, &plain);
        for (enum lanes_kind kind = LANES_OF_2; kind <= lanes_widest(); kind++) {
            memset(&wide, 0, sizeof wide);
            chunk_loops_of(kind)->look(y + MARGIN, &wide);
            ck_assert_mem_eq(&plain, &wide, sizeof plain);
        }
    }
}
END_TEST

START_TEST(tells_the_range_of_any_piece_of_a_chunk)
{
    struct random random = {9};
    double y[CHUNK + 2 * MARGIN];
    for (int time = 0; time < TIMES; time++) {
        size_t count = FEWEST_FOR_RANGE + (size_t)time % (CHUNK - FEWEST_FOR_RANGE + 1);
        double lowest = INFINITY, highest = -INFINITY, low, high;
        fill(&random, time, y);
        for (size_t i = 0; i < count; i++) {
            lowest = fmin(lowest, y[i]);
            highest = fmax(highest, y[i]);
        }
        for (enum lanes_kind kind = LANES_OF_2; kind <= lanes_widest(); kind++) {
            chunk_loops_of(kind)->find_range(y, count, &low, &high);
            ck_assert_double_eq(low, lowest);
            ck_assert_double_eq(high, highest);
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
        for (enum lanes_kind kind = LANES_OF_2; kind <= lanes_widest(); kind++)
            ck_assert_uint_eq(chunk_loops_of(kind)->count_finite(y, 100), at / CHUNK * CHUNK);
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
