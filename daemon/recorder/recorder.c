/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rings of a rig, and how its channels come by their part of the memory. */

#include "recorder/recorder.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const double default_last_s = 600;
static const double most_memory_bytes = 1024.0 * 1024 * 1024;

/* Held beyond what was asked for, so that the oldest of it is not overwritten while it is being read. */
static const double spare_share = 0.02, spare_s = 5;

struct recorder {
    struct recorder_pool *pool;
    size_t channel_count; /* of the rig */
    size_t ring_count;    /* at most one a channel */
    struct recorder_ring *rings;
    size_t *ring_of; /* each channel's ring; SIZE_MAX: none */
};

struct recorder_settings recorder_default_settings(void)
{
    return (struct recorder_settings){.last_s = default_last_s};
}

void recorder_pool_init(struct recorder_pool *pool, const struct recorder_settings *settings)
{
    *pool = (struct recorder_pool){.last_s = settings->last_s, .memory_bytes = settings->memory_bytes};
    if (pool->memory_bytes > 0)
        return;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    double quarter = pages > 0 && page > 0 ? 0.25 * (double)pages * (double)page : most_memory_bytes;
    pool->memory_bytes = (size_t)fmin(quarter, most_memory_bytes);
}

struct recorder *recorder_create(struct recorder_pool *pool, size_t channel_count)
{
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return NULL;
    recorder->pool = pool;
    recorder->channel_count = channel_count;
    recorder->rings = calloc(channel_count + 1, sizeof *recorder->rings);
    recorder->ring_of = calloc(channel_count + 1, sizeof *recorder->ring_of);
    pool->channels += channel_count;
    if (!recorder->rings || !recorder->ring_of) {
        recorder_destroy(recorder);
        return NULL;
    }
    for (size_t c = 0; c < channel_count; c++)
        recorder->ring_of[c] = SIZE_MAX;
    return recorder;
}

static void clear_ring(struct recorder *recorder, struct recorder_ring *ring)
{
    recorder->pool->claimed_bytes -= ring->claimed_bytes;
    scan_ring_destroy(ring->scans);
    free(ring->channels);
    free(ring->delay_s);
    ring->scans = NULL;
    ring->channels = NULL;
    ring->delay_s = NULL;
    ring->claimed_bytes = 0;
}

void recorder_destroy(struct recorder *recorder)
{
    if (!recorder)
        return;
    for (size_t i = 0; i < recorder->ring_count; i++)
        clear_ring(recorder, &recorder->rings[i]);
    recorder->pool->channels -= recorder->channel_count;
    free(recorder->rings);
    free(recorder->ring_of);
    free(recorder);
}

/* --- rings --- */

/* Rows for the time that is to be held, as far as memory goes. */
static size_t rows_of(const struct recorder_pool *pool, const struct scan_block *block, double wanted_s)
{
    double row_bytes = (double)scan_ring_row_bytes(block->channel_count, block->time_s != NULL);
    double part = (double)pool->memory_bytes / (double)pool->channels * (double)block->channel_count;
    double left = (double)pool->memory_bytes - (double)pool->claimed_bytes;
    double rows = block->period_s > 0 ? ceil(wanted_s / block->period_s) : INFINITY;
    return (size_t)fmin(rows, fmin(part, left) / row_bytes);
}

static bool has_channels(const struct recorder_ring *ring, const struct scan_block *block)
{
    if (ring->channel_count != block->channel_count || scan_ring_stamped(ring->scans) != (block->time_s != NULL))
        return false;
    for (size_t i = 0; i < block->channel_count; i++)
        if (ring->channels[i] != block->channels[i].channel)
            return false;
    return true;
}

/* A ring that no memory was left for has none, and is not tried again for every block. */
static bool make_ring(struct recorder *recorder, struct recorder_ring *ring, const struct scan_block *block)
{
    struct recorder_pool *pool = recorder->pool;
    double wanted_s = pool->last_s * (1 + spare_share) + spare_s;
    size_t rows = rows_of(pool, block, wanted_s);
    *ring = (struct recorder_ring){.number = ++pool->rings, .channel_count = block->channel_count};
    ring->channels = calloc(block->channel_count, sizeof *ring->channels);
    ring->delay_s = calloc(block->channel_count, sizeof *ring->delay_s);
    ring->scans = scan_ring_create(block->channel_count, block->time_s != NULL, rows);
    if (!ring->channels || !ring->delay_s || !ring->scans) {
        clear_ring(recorder, ring);
        return false;
    }
    ring->claimed_bytes = rows * scan_ring_row_bytes(block->channel_count, block->time_s != NULL);
    pool->claimed_bytes += ring->claimed_bytes;
    for (size_t i = 0; i < block->channel_count; i++) {
        ring->channels[i] = block->channels[i].channel;
        ring->delay_s[i] = block->channels[i].delay_s;
    }
    return (double)rows * block->period_s >= pool->last_s;
}

/* The place is free from then on, and its channels are nowhere. */
static void give_up(struct recorder *recorder, size_t place)
{
    clear_ring(recorder, &recorder->rings[place]);
    recorder->rings[place].number = 0;
    for (size_t c = 0; c < recorder->channel_count; c++)
        if (recorder->ring_of[c] == place)
            recorder->ring_of[c] = SIZE_MAX;
}

/* There is one for a channel that is nowhere: every place in use has a channel of its own. */
static size_t free_place(struct recorder *recorder)
{
    for (size_t i = 0; i < recorder->ring_count; i++)
        if (recorder->rings[i].number == 0)
            return i;
    return recorder->ring_count++;
}

/* Ties the channels of a block to a place, and nobody else. The rings that they had are given up whole: their memory is
 * wanted, and nothing would come into them any more. */
static void settle_in(struct recorder *recorder, size_t place, const struct scan_block *block)
{
    give_up(recorder, place);
    for (size_t i = 0; i < block->channel_count; i++) {
        size_t former = recorder->ring_of[block->channels[i].channel];
        if (former != SIZE_MAX && former != place)
            give_up(recorder, former);
        recorder->ring_of[block->channels[i].channel] = place;
    }
}

/* A device that came back otherwise than it went has its channels in another grouping: what was recorded of them under
 * the old one is given up. */
bool recorder_take(struct recorder *recorder, const struct scan_block *block)
{
    if (!(recorder->pool->last_s > 0))
        return false;
    size_t place = recorder->ring_of[block->channels[0].channel];
    bool is_short = false;
    if (place == SIZE_MAX)
        place = free_place(recorder);
    struct recorder_ring *ring = &recorder->rings[place];
    if (ring->number == 0 || (ring->scans && !has_channels(ring, block))) {
        settle_in(recorder, place, block);
        is_short = !make_ring(recorder, ring, block);
    }
    if (ring->scans)
        scan_ring_put(ring->scans, block);
    return is_short;
}

void recorder_gap(struct recorder *recorder, uint64_t lost)
{
    for (size_t i = 0; i < recorder->ring_count; i++)
        if (recorder->rings[i].scans)
            scan_ring_break(recorder->rings[i].scans, UINT64_MAX, lost);
}

void recorder_break(struct recorder *recorder, size_t channel)
{
    size_t number = recorder->ring_of[channel];
    const struct recorder_ring *ring = number < recorder->ring_count ? &recorder->rings[number] : NULL;
    for (size_t i = 0; ring && ring->scans && i < ring->channel_count; i++)
        if (ring->channels[i] == channel)
            scan_ring_break(ring->scans, UINT64_C(1) << i, 0);
}

/* --- what there is --- */

size_t recorder_ring_count(const struct recorder *recorder)
{
    return recorder->ring_count;
}

const struct recorder_ring *recorder_ring(const struct recorder *recorder, size_t i)
{
    return &recorder->rings[i];
}

/* The shortest speaks for all: of every channel so much is there. */
struct recorder_extent recorder_extent(const struct recorder *recorder)
{
    struct recorder_extent extent = {.latest_s = NAN, .held_s = NAN, .room_s = NAN};
    for (size_t i = 0; i < recorder->ring_count; i++) {
        const struct scan_ring *scans = recorder->rings[i].scans;
        if (recorder->rings[i].number == 0)
            continue; /* given up */
        extent.bytes += recorder->rings[i].claimed_bytes;
        uint64_t oldest = scans ? scan_ring_oldest(scans) : 0, next = scans ? scan_ring_next(scans) : 0;
        if (next == oldest) {
            extent.held_s = extent.room_s = 0;
            continue;
        }
        double latest_s = scan_ring_time(scans, next - 1);
        double period_s = scan_ring_piece(scans, next - 1, 1).period_s;
        extent.latest_s = fmax(extent.latest_s, latest_s); /* fmax() passes over a NAN */
        extent.held_s = fmin(extent.held_s, latest_s - scan_ring_time(scans, oldest));
        extent.room_s = fmin(extent.room_s, (double)scan_ring_rows(scans) * period_s);
    }
    return extent;
}
