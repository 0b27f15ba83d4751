/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ring against everything that was ever put into it, and how channels share the memory. */
#include "recorder/recorder.h"
#include "run_suite.h"
#include "thinning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, MOST_SCANS = 40, STEPS = 4000, ALL_ROWS = STEPS * MOST_SCANS };

/* All that was put in, row by row: what the ring has to say about a row as long as it holds it. */
struct truth {
    uint64_t rows, index;
    double period_s;
    uint64_t *indexes;
    double *periods, *stamps;
    double *values[CHANNELS];
    uint8_t *flags[CHANNELS];
    bool *begins;
    uint64_t *broken, *lost;
};

static void truth_make(struct truth *truth, uint64_t first_index)
{
    *truth = (struct truth){.index = first_index, .period_s = 0.001};
    truth->indexes = calloc(ALL_ROWS, sizeof *truth->indexes);
    truth->periods = calloc(ALL_ROWS, sizeof *truth->periods);
    truth->stamps = calloc(ALL_ROWS, sizeof *truth->stamps);
    truth->begins = calloc(ALL_ROWS, sizeof *truth->begins);
    truth->broken = calloc(ALL_ROWS, sizeof *truth->broken);
    truth->lost = calloc(ALL_ROWS, sizeof *truth->lost);
    for (size_t c = 0; c < CHANNELS; c++) {
        truth->values[c] = calloc(ALL_ROWS, sizeof(double));
        truth->flags[c] = calloc(ALL_ROWS, 1);
    }
}

static void truth_free(struct truth *truth)
{
    free(truth->indexes);
    free(truth->periods);
    free(truth->stamps);
    free(truth->begins);
    free(truth->broken);
    free(truth->lost);
    for (size_t c = 0; c < CHANNELS; c++) {
        free(truth->values[c]);
        free(truth->flags[c]);
    }
}

static bool chance(double share)
{
    return drand48() < share;
}

/* Puts a block of chance into both; now and then a gap goes before it. */
static void put(struct truth *truth, struct scan_ring *ring, bool stamped, bool flags)
{
    size_t count = 1 + (size_t)(drand48() * (MOST_SCANS - 1));
    uint64_t row = truth->rows, broken = 0, lost = 0, jump = 0;
    double period_s = truth->period_s;
    struct channel_samples samples[CHANNELS];
    if (chance(0.02)) {
        broken = chance(0.5) ? UINT64_MAX : 2;
        lost = chance(0.5) ? 17 : 0;
        scan_ring_break(ring, broken, lost);
    }
    if (chance(0.02))
        jump = 1 + (uint64_t)(1000 * drand48());
    if (chance(0.005))
        truth->period_s *= 1.5;
    truth->index += jump;
    truth->begins[row] = row == 0 || broken || jump || truth->period_s != period_s;
    truth->broken[row] = broken;
    truth->lost[row] = lost;
    for (size_t i = 0; i < count; i++) {
        truth->indexes[row + i] = truth->index + i;
        truth->periods[row + i] = truth->period_s;
        truth->stamps[row + i] = (double)(row + i) + 0.5 * drand48();
    }
    for (size_t c = 0; c < CHANNELS; c++) {
        bool flagged = flags && chance(0.3);
        for (size_t i = 0; i < count; i++) {
            truth->values[c][row + i] = drand48();
            truth->flags[c][row + i] = flagged && chance(0.5);
        }
        samples[c] = (struct channel_samples){
            .channel = c, .displacement = truth->values[c] + row, .flags = flagged ? truth->flags[c] + row : NULL};
    }
    const struct scan_block block = {.first_index = truth->index,
                                     .scan_count = count,
                                     .origin_s = 2,
                                     .period_s = truth->period_s,
                                     .time_s = stamped ? truth->stamps + row : NULL,
                                     .channel_count = CHANNELS,
                                     .channels = samples};
    scan_ring_put(ring, &block);
    truth->rows += count;
    truth->index += count;
}

static double true_time(const struct truth *truth, uint64_t row, bool stamped)
{
    return stamped ? truth->stamps[row] : 2 + (double)truth->indexes[row] * truth->periods[row];
}

static void compare_row(const struct truth *truth, const struct scan_ring *ring, const struct scan_piece *piece,
                        size_t i, bool stamped)
{
    uint64_t row = piece->row + i;
    ck_assert_uint_eq(piece->index + i, truth->indexes[row]);
    ck_assert_double_eq(piece->period_s, truth->periods[row]);
    ck_assert_double_eq(scan_ring_time(ring, row), true_time(truth, row, stamped));
    if (stamped)
        ck_assert_double_eq(piece->time_s[i], truth->stamps[row]);
    ck_assert_msg(i > 0 ? !truth->begins[row] : piece->begins == truth->begins[row], "row %ju", (uintmax_t)row);
    if (i == 0 && piece->begins) {
        ck_assert_uint_eq(piece->broken, truth->broken[row]);
        ck_assert_uint_eq(piece->lost, truth->lost[row]);
    }
    for (size_t c = 0; c < CHANNELS; c++) {
        const uint8_t *flags = scan_ring_flags(ring, c, piece->row);
        ck_assert_double_eq(scan_ring_values(ring, c, piece->row)[i], truth->values[c][row]);
        ck_assert_uint_eq(flags ? flags[i] : 0, truth->flags[c][row]);
    }
}

/* Reads everything that is held, in pieces of chance; all of it must be as it was put in. */
static void compare_all(const struct truth *truth, const struct scan_ring *ring, bool stamped)
{
    uint64_t row = scan_ring_oldest(ring);
    while (row < scan_ring_next(ring)) {
        size_t most = 1 + (size_t)(100 * drand48());
        const struct scan_piece piece = scan_ring_piece(ring, row, most);
        ck_assert_uint_eq(piece.row, row);
        ck_assert(piece.count >= 1 && piece.count <= most);
        for (size_t i = 0; i < piece.count; i++)
            compare_row(truth, ring, &piece, i, stamped);
        row += piece.count;
    }
    ck_assert_uint_eq(row, truth->rows);
    ck_assert_uint_eq(scan_ring_piece(ring, row, 10).count, 0);
}

static void run_against_truth(uint64_t first_index, size_t rows, bool stamped, bool flags)
{
    struct truth truth;
    truth_make(&truth, first_index);
    struct scan_ring *ring = scan_ring_create(CHANNELS, stamped, rows);
    ck_assert_ptr_nonnull(ring);
    ck_assert_uint_eq(scan_ring_next(ring), scan_ring_oldest(ring));
    for (int step = 0; step < STEPS / thinning(); step++) {
        put(&truth, ring, stamped, flags);
        ck_assert_uint_eq(scan_ring_next(ring), truth.rows);
        /* As much is held as fits in: there are fewer gaps here than the ring remembers. */
        ck_assert_uint_eq(scan_ring_oldest(ring), truth.rows > rows ? truth.rows - rows : 0);
        if (chance(0.01))
            compare_all(&truth, ring, stamped);
    }
    compare_all(&truth, ring, stamped);
    scan_ring_destroy(ring);
    truth_free(&truth);
}

START_TEST(what_is_held_is_what_was_put_in)
{
    long seed = 20261121 + _i;
    printf("seed %ld\n", seed);
    srand48(seed);
    const uint64_t first[] = {0, 0, UINT32_MAX - 1000, UINT64_C(1) << 52};
    run_against_truth(first[_i], _i == 1 ? 7 : 1000, false, true);
    run_against_truth(first[_i], 1000, true, _i % 2);
}
END_TEST

/* The numbers of scans go round: only their differences count. */
START_TEST(the_index_may_go_round)
{
    const double values[] = {1, 2, 3, 4};
    const struct channel_samples samples = {.displacement = values};
    struct scan_block block = {
        .first_index = UINT64_MAX - 1, .scan_count = 4, .period_s = 1, .channel_count = 1, .channels = &samples};
    struct scan_ring *ring = scan_ring_create(1, false, 16);
    scan_ring_put(ring, &block);
    block.first_index += 4;
    scan_ring_put(ring, &block);
    const struct scan_piece piece = scan_ring_piece(ring, 0, 100);
    ck_assert_uint_eq(piece.count, 8);
    ck_assert_uint_eq(piece.index + 4, 2);
    scan_ring_destroy(ring);
}
END_TEST

/* A stream that breaks off all the time must not make the ring grow, nor a gap vanish. */
START_TEST(more_gaps_than_are_remembered_cost_rows)
{
    enum { SINGLES = 5000 };
    const double value = 1;
    const struct channel_samples samples = {.displacement = &value};
    struct scan_ring *ring = scan_ring_create(1, false, 100000);
    for (uint64_t i = 0; i < SINGLES; i++) {
        const struct scan_block block = {
            .first_index = 2 * i, .scan_count = 1, .period_s = 1, .channel_count = 1, .channels = &samples};
        scan_ring_put(ring, &block);
    }
    uint64_t oldest = scan_ring_oldest(ring);
    ck_assert_uint_gt(oldest, 0);
    ck_assert_uint_gt(SINGLES - oldest, 1000);
    for (uint64_t row = oldest; row < SINGLES; row++) {
        const struct scan_piece piece = scan_ring_piece(ring, row, 10);
        ck_assert_uint_eq(piece.count, 1);
        ck_assert_uint_eq(piece.index, 2 * row);
        ck_assert(piece.begins);
    }
    scan_ring_destroy(ring);
}
END_TEST

START_TEST(rows_are_found_by_their_time)
{
    double values[10] = {0};
    const struct channel_samples samples = {.displacement = values};
    struct scan_ring *ring = scan_ring_create(1, false, 100);
    struct scan_block block = {
        .first_index = 5, .scan_count = 10, .period_s = 0.5, .channel_count = 1, .channels = &samples};
    ck_assert_uint_eq(scan_ring_at(ring, 0), 0);
    scan_ring_put(ring, &block); /* 2.5 to 7 s */
    block.first_index = 100;
    scan_ring_put(ring, &block); /* 50 to 54.5 s */
    ck_assert_uint_eq(scan_ring_at(ring, 0), 0);
    ck_assert_uint_eq(scan_ring_at(ring, 3), 1);
    ck_assert_uint_eq(scan_ring_at(ring, 3.1), 2);
    ck_assert_uint_eq(scan_ring_at(ring, 8), 10);
    ck_assert_uint_eq(scan_ring_at(ring, 54.5), 19);
    ck_assert_uint_eq(scan_ring_at(ring, 55), 20);
    scan_ring_destroy(ring);
}
END_TEST

/* --- the recorder of a rig --- */

static const double zeros[4096];

/* A block of some channels, from `first` on. */
static bool take(struct recorder *recorder, const size_t *channels, size_t count, uint64_t index, size_t scans,
                 double period_s)
{
    struct channel_samples samples[8];
    for (size_t i = 0; i < count; i++)
        samples[i] = (struct channel_samples){.channel = channels[i], .displacement = zeros};
    const struct scan_block block = {
        .first_index = index, .scan_count = scans, .period_s = period_s, .channel_count = count, .channels = samples};
    return recorder_take(recorder, &block);
}

START_TEST(channels_that_are_sampled_together_have_a_ring)
{
    const struct recorder_settings settings = {.last_s = 10, .memory_bytes = 10 << 20};
    const size_t streamed[] = {0, 2}, polled[] = {1};
    struct recorder_pool pool;
    recorder_pool_init(&pool, &settings);
    struct recorder *recorder = recorder_create(&pool, 3);
    ck_assert(isnan(recorder_extent(recorder).held_s));
    for (uint64_t i = 0; i < 20000; i += 1000) {
        ck_assert(!take(recorder, streamed, 2, i, 1000, 0.001));
        ck_assert(!take(recorder, polled, 1, i / 10, 100, 0.01));
    }
    ck_assert_uint_eq(recorder_ring_count(recorder), 2);
    ck_assert_uint_eq(recorder_ring(recorder, 0)->channels[1], 2);
    ck_assert_uint_eq(recorder_ring(recorder, 1)->channels[0], 1);
    const struct recorder_extent extent = recorder_extent(recorder);
    ck_assert_double_eq_tol(extent.latest_s, 19.999, 1e-9);
    ck_assert_double_ge(extent.held_s, 10);
    ck_assert_double_le(extent.held_s, 20);
    ck_assert_uint_eq(extent.bytes, pool.claimed_bytes);
    /* One channel is zeroed, then all are broken off. */
    recorder_break(recorder, 2);
    take(recorder, streamed, 2, 20000, 10, 0.001);
    struct scan_piece piece = scan_ring_piece(recorder_ring(recorder, 0)->scans, 20000, 10);
    ck_assert(piece.begins);
    ck_assert_uint_eq(piece.broken, 2);
    recorder_gap(recorder, 5);
    take(recorder, streamed, 2, 20015, 10, 0.001);
    piece = scan_ring_piece(recorder_ring(recorder, 0)->scans, 20010, 10);
    ck_assert_uint_eq(piece.broken & 3, 3);
    ck_assert_uint_eq(piece.lost, 5);
    recorder_destroy(recorder);
    ck_assert_uint_eq(pool.claimed_bytes, 0);
    ck_assert_uint_eq(pool.channels, 0);
}
END_TEST

START_TEST(memory_is_shared_and_never_exceeded)
{
    enum { RIGS = 5, CHANNELS_OF_RIG = 4 };
    const struct recorder_settings settings = {.last_s = 600, .memory_bytes = 1 << 20};
    const size_t channels[CHANNELS_OF_RIG] = {0, 1, 2, 3};
    struct recorder *recorders[RIGS];
    struct recorder_pool pool;
    recorder_pool_init(&pool, &settings);
    for (int r = 0; r < RIGS; r++)
        recorders[r] = recorder_create(&pool, CHANNELS_OF_RIG);
    for (int r = 0; r < RIGS; r++) {
        ck_assert_msg(take(recorders[r], channels, CHANNELS_OF_RIG, 0, 4096, 1e-4),
                      "memory is short, and that is told");
        ck_assert(!take(recorders[r], channels, CHANNELS_OF_RIG, 4096, 4096, 1e-4));
        const struct recorder_extent extent = recorder_extent(recorders[r]);
        ck_assert_uint_gt(extent.bytes, settings.memory_bytes / RIGS * 99 / 100);
        ck_assert_double_gt(extent.held_s, 0.5);
    }
    ck_assert_uint_le(pool.claimed_bytes, settings.memory_bytes);
    /* One that comes later finds nothing left, and does no harm. */
    struct recorder *late = recorder_create(&pool, 1);
    take(late, channels, 1, 0, 100, 1e-4);
    take(late, channels, 1, 100, 100, 1e-4);
    ck_assert_uint_le(pool.claimed_bytes, settings.memory_bytes);
    recorder_destroy(late);
    for (int r = 0; r < RIGS; r++)
        recorder_destroy(recorders[r]);
    ck_assert_uint_eq(pool.claimed_bytes, 0);
}
END_TEST

/* Whether the rings that hold something are those of these channels, and hold so many rows of each. */
static bool only_holds(const struct recorder *recorder, size_t rings, size_t channels, uint64_t rows)
{
    size_t found = 0;
    for (size_t i = 0; i < recorder_ring_count(recorder); i++) {
        const struct recorder_ring *ring = recorder_ring(recorder, i);
        if (ring->scans && (ring->channel_count != channels || scan_ring_next(ring->scans) != rows))
            return false;
        found += ring->scans != NULL;
    }
    return found == rings;
}

/* A card that comes back with its channels in another grouping, however often. */
START_TEST(another_grouping_is_another_ring)
{
    const struct recorder_settings settings = {.last_s = 1, .memory_bytes = 1 << 20};
    const size_t both[] = {0, 1}, one[] = {0}, other[] = {1};
    struct recorder_pool pool;
    recorder_pool_init(&pool, &settings);
    struct recorder *recorder = recorder_create(&pool, 2);
    take(recorder, both, 2, 0, 100, 0.001);
    uint64_t before = recorder_ring(recorder, 0)->number;
    for (uint64_t i = 0; i < 5; i++) {
        take(recorder, one, 1, 100 * i, 100, 0.001);
        take(recorder, other, 1, 100 * i, 100, 0.001);
    }
    ck_assert_uint_eq(recorder_ring_count(recorder), 2);
    ck_assert_uint_eq(pool.rings, 3);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_ne(recorder_ring(recorder, i)->number, before);
        ck_assert_uint_eq(recorder_ring(recorder, i)->channel_count, 1);
        ck_assert_uint_eq(scan_ring_next(recorder_ring(recorder, i)->scans), 500);
    }
    for (int again = 0; again < 3; again++) {
        take(recorder, both, 2, 0, 100, 0.001);
        ck_assert(only_holds(recorder, 1, 2, 100));
        ck_assert_double_eq_tol(recorder_extent(recorder).held_s, 0.099, 1e-12);
        take(recorder, other, 1, 0, 200, 0.001);
        take(recorder, one, 1, 0, 200, 0.001);
        ck_assert(only_holds(recorder, 2, 1, 200));
    }
    recorder_destroy(recorder);
    ck_assert_uint_eq(pool.claimed_bytes, 0);
}
END_TEST

START_TEST(it_may_be_switched_off)
{
    const struct recorder_settings settings = {.last_s = 0, .memory_bytes = 1 << 20};
    const size_t channel = 0;
    struct recorder_pool pool;
    recorder_pool_init(&pool, &settings);
    struct recorder *recorder = recorder_create(&pool, 1);
    ck_assert(!take(recorder, &channel, 1, 0, 100, 0.001));
    recorder_gap(recorder, 1);
    recorder_break(recorder, 0);
    ck_assert_uint_eq(recorder_ring_count(recorder), 0);
    ck_assert_uint_eq(pool.claimed_bytes, 0);
    recorder_destroy(recorder);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("recorder");
    TCase *ring = tcase_create("ring");
    tcase_set_timeout(ring, 120);
    tcase_add_loop_test(ring, what_is_held_is_what_was_put_in, 0, 4);
    tcase_add_test(ring, the_index_may_go_round);
    tcase_add_test(ring, more_gaps_than_are_remembered_cost_rows);
    tcase_add_test(ring, rows_are_found_by_their_time);
    suite_add_tcase(made, ring);
    TCase *rig = tcase_create("rig");
    tcase_add_test(rig, channels_that_are_sampled_together_have_a_ring);
    tcase_add_test(rig, memory_is_shared_and_never_exceeded);
    tcase_add_test(rig, another_grouping_is_another_ring);
    tcase_add_test(rig, it_may_be_switched_off);
    suite_add_tcase(made, rig);
    return made;
}

int main(void)
{
    return run_suite(suite());
}
