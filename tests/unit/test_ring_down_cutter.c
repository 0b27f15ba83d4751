/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring-downs cut out of streams of a struck structure, whose blows are known. */
#include "identify/ring_down/blow.h"
#include "run_suite.h"
#include "segment/ring_down_cutter.h"
#include "struck_structure.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 60000, CUT = 16, SENSORS_MOST = 2 };
static double samples[SENSORS_MOST][MOST];
static const double rate_hz = 5000;

struct cuts {
    struct decay *cut[CUT];
    size_t count;
};

static void on_ring_down(void *context, struct decay *ring_down)
{
    struct cuts *cuts = context;
    ck_assert_uint_lt(cuts->count, CUT);
    cuts->cut[cuts->count++] = ring_down;
}

static void on_given_up(void *context)
{
    (void)context;
    ck_abort_msg("memory is not short");
}

static struct ring_down_cutter *cutter_for(struct cuts *cuts, size_t sensors, size_t most_rows)
{
    const struct ring_down_cutter_settings settings = {
        .sensors = sensors, .most_rows = most_rows, .period_s = 1 / rate_hz};
    const struct ring_down_cut_listener listener = {on_ring_down, on_given_up, cuts};
    struct ring_down_cutter *cutter = ring_down_cutter_create(&settings, &listener);
    ck_assert_ptr_nonnull(cutter);
    return cutter;
}

static void feed(struct ring_down_cutter *cutter, size_t sensors, size_t from, size_t to)
{
    const uint8_t flags[SENSORS_MOST] = {0};
    for (size_t i = from; i < to; i++) {
        double values[SENSORS_MOST];
        for (size_t m = 0; m < sensors; m++)
            values[m] = samples[m][i];
        ring_down_cutter_feed(cutter, values, flags, (double)i / rate_hz);
    }
}

static void clear(gsl_rng *random, double noise)
{
    for (size_t m = 0; m < SENSORS_MOST; m++)
        for (size_t i = 0; i < MOST; i++)
            samples[m][i] = noise > 0 ? gsl_ran_gaussian(random, noise) : 0;
}

static void destroy(struct cuts *cuts)
{
    for (size_t k = 0; k < cuts->count; k++)
        decay_destroy(cuts->cut[k]);
    cuts->count = 0;
}

/* What was cut is searched as what is handed in is, and gives the same blow. */
static void check_record(const struct decay *cut, const struct push *push)
{
    const struct decay_record *record = &cut->record;
    struct blow blows[8];
    size_t found = 0, same = 0;
    ck_assert_double_eq_tol(cut->released_s, push->at_s, 0.005);
    ck_assert_double_le(record->start_s, fmax(0, push->at_s - 0.3));
    double *searched = calloc(record->count, sizeof *searched);
    ck_assert_ptr_nonnull(searched);
    memcpy(searched, record->displacement, record->count * sizeof *searched);
    ck_assert_int_eq(blows_of(searched, NULL, record->count, rate_hz, blows, 8, &found), BLOWS_FOUND);
    free(searched);
    for (size_t k = 0; k < found; k++)
        same += fabs(record->start_s + (double)blows[k].onset / rate_hz - cut->released_s) < 0.5 / rate_hz;
    ck_assert_uint_eq(same, 1);
}

/* 84 streams: modes from 15 to 900 Hz, one to three blows of 0.5 to 4 ms, noise of 0.1 to 5 % of the peak. */
START_TEST(every_blow_is_cut_out_once)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int stream = 0; stream < 84; stream++) {
        const double share[4] = {0.001, 0.003, 0.01, 0.05};
        const size_t blow_count = 1 + (size_t)stream % 3;
        double f_hz[3] = {15 + 100 * gsl_rng_uniform(random)};
        f_hz[1] = f_hz[0] * (2 + 3 * gsl_rng_uniform(random));
        f_hz[2] = f_hz[0] * (1.01 + 0.05 * gsl_rng_uniform(random));
        struct push pushes[3];
        const double length_s = 0.0005 + 0.0035 * gsl_rng_uniform(random);
        for (size_t k = 0; k < blow_count; k++)
            pushes[k] = (struct push){0.05 + 3.5 * (double)k + 0.3 * gsl_rng_uniform(random), length_s,
                                      0.7 + 0.6 * gsl_rng_uniform(random)};
        struct cuts cuts = {.count = 0};
        double peak = 0;
        clear(NULL, 0);
        strike(pushes, blow_count, f_hz, 1 + (size_t)stream / 3 % 3, 0.004, rate_hz, MOST, samples[0]);
        for (size_t i = 0; i < MOST; i++)
            peak = fmax(peak, fabs(samples[0][i]));
        for (size_t i = 0; i < MOST; i++)
            samples[0][i] += share[stream % 4] * peak * (3 + gsl_ran_gaussian(random, 1));
        struct ring_down_cutter *cutter = cutter_for(&cuts, 1, MOST);
        feed(cutter, 1, 0, MOST);
        ring_down_cutter_break(cutter, DECAY_END_END_OF_SOURCE);
        ck_assert_uint_eq(cuts.count, blow_count);
        for (size_t k = 0; k < blow_count; k++)
            check_record(cuts.cut[k], &pushes[k]);
        destroy(&cuts);
        ring_down_cutter_destroy(cutter);
    }
    gsl_rng_free(random);
}
END_TEST

/* An hour in which nothing happens but noise, a converter that flickers, a sine that swells, and a beat. */
START_TEST(no_blow_is_invented)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct cuts cuts = {.count = 0};
    struct ring_down_cutter *cutter = cutter_for(&cuts, 1, MOST);
    for (int part = 0; part < 60; part++) {
        clear(random, 1);
        feed(cutter, 1, 0, MOST);
    }
    ck_assert(!ring_down_cutter_runs(cutter));
    ring_down_cutter_break(cutter, DECAY_END_GAP);
    for (size_t i = 0; i < MOST; i++)
        samples[0][i] = 0.25 * (i % 7919 == 0) - 0.25 * (i % 9973 == 1);
    feed(cutter, 1, 0, MOST);
    ring_down_cutter_break(cutter, DECAY_END_GAP);
    clear(random, 0.01);
    for (size_t i = 0; i < MOST; i++)
        samples[0][i] += fmin((double)i / 20000, 1) * sin(0.1 * (double)i);
    feed(cutter, 1, 0, MOST);
    ring_down_cutter_break(cutter, DECAY_END_GAP);
    clear(random, 0.01);
    for (size_t i = 0; i < MOST; i++)
        samples[0][i] += sin(0.1 * (double)i) + sin(0.1008 * (double)i);
    feed(cutter, 1, 0, MOST);
    ring_down_cutter_break(cutter, DECAY_END_END_OF_SOURCE);
    ck_assert_uint_eq(cuts.count, 0);
    ring_down_cutter_destroy(cutter);
    gsl_rng_free(random);
}
END_TEST

/* Noise, the next blow, a gap, the longest record and the end of the source, each with its name. */
START_TEST(a_ring_down_says_what_ended_it)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct push pushes[3] = {{0.7, 0.002, 1}, {2.0, 0.002, 1}, {9.0, 0.002, 1}};
    const double f_hz[2] = {80, 310};
    static const enum decay_end ends[] = {DECAY_END_NEW_EXCITATION, DECAY_END_NOISE_FLOOR,
                                          DECAY_END_END_OF_SOURCE,  DECAY_END_GAP,
                                          DECAY_END_NEW_EXCITATION, DECAY_END_MAX_LENGTH};
    struct cuts cuts = {.count = 0};
    struct ring_down_cutter *cutter = cutter_for(&cuts, 1, MOST);
    clear(random, 1e-3);
    strike(pushes, 3, f_hz, 2, 0.004, rate_hz, MOST, samples[0]);
    feed(cutter, 1, 0, 50000);
    ring_down_cutter_break(cutter, DECAY_END_END_OF_SOURCE);
    feed(cutter, 1, 0, 6000);
    ring_down_cutter_break(cutter, DECAY_END_GAP);
    ring_down_cutter_destroy(cutter);
    cutter = cutter_for(&cuts, 1, 1);
    feed(cutter, 1, 0, 40000);
    ck_assert_uint_eq(cuts.count, sizeof ends / sizeof ends[0]);
    for (size_t k = 0; k < cuts.count; k++)
        ck_assert_int_eq(cuts.cut[k]->ended_by, ends[k]);
    ck_assert_double_eq_tol(decay_record_time(&cuts.cut[0]->record, cuts.cut[0]->record.count), 2.0, 0.005);
    destroy(&cuts);
    ring_down_cutter_destroy(cutter);
    gsl_rng_free(random);
}
END_TEST

/* What a weak sensor says stands beside what the strong one does, and one blow is one. */
START_TEST(sensors_are_one_record)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct push push = {1, 0.002, 1}, later = {1.003, 0.002, 0.05};
    const double f_hz[2] = {80, 310};
    struct cuts cuts = {.count = 0};
    struct ring_down_cutter *cutter = cutter_for(&cuts, 2, MOST);
    clear(random, 1e-3);
    strike(&later, 1, f_hz, 2, 0.004, rate_hz, MOST, samples[0]);
    strike(&push, 1, f_hz, 2, 0.004, rate_hz, MOST, samples[1]);
    feed(cutter, 2, 0, MOST);
    ck_assert_uint_eq(cuts.count, 1);
    const struct decay_record *record = &cuts.cut[0]->record;
    const size_t first = (size_t)lround(record->start_s * rate_hz);
    ck_assert_double_eq_tol(cuts.cut[0]->released_s, 1, 0.005);
    for (size_t i = 0; i < record->count; i++)
        ck_assert_double_eq(record->displacement[i], samples[i % 2][first + i / 2]);
    destroy(&cuts);
    ring_down_cutter_destroy(cutter);
    gsl_rng_free(random);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ring_down_cutter");
    TCase *blows = tcase_create("ring-downs in streams");
    suite_add_tcase(suite, blows);
    tcase_set_timeout(blows, 60);
    tcase_add_test(blows, every_blow_is_cut_out_once);
    tcase_add_test(blows, no_blow_is_invented);
    tcase_add_test(blows, a_ring_down_says_what_ended_it);
    tcase_add_test(blows, sensors_are_one_record);
    return run_suite(suite);
}
