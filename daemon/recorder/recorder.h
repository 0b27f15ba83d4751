/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RECORDER_RECORDER_H
#define FRICID_RECORDER_RECORDER_H

#include "recorder/scan_ring.h"
#include "segment/scan_block.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The raw recorder: the last minutes of every channel of a rig, in memory. Lives in the event loop's thread. */

struct recorder_settings {
    double last_s;       /* how much is kept, s; 0: nothing */
    size_t memory_bytes; /* that all rings together may take; 0: a quarter of the machine's, at most a gibibyte */
};

struct recorder_settings recorder_default_settings(void);

/* The memory that the recorders of all rigs share. Each channel may have the same part of it. */
struct recorder_pool {
    double last_s;
    size_t memory_bytes, claimed_bytes;
    size_t channels; /* of all recorders */
    uint64_t rings;  /* made so far: their numbers */
};

void recorder_pool_init(struct recorder_pool *pool, const struct recorder_settings *settings);

/* Channels that are sampled together. */
struct recorder_ring {
    uint64_t number; /* 1, 2, …; never given twice */
    struct scan_ring *scans;
    size_t channel_count;
    size_t *channels; /* their numbers in the source's description */
    double *delay_s;  /* of each, after the start of the scan */
    size_t claimed_bytes;
};

struct recorder;

/* The recorder of a rig; the pool outlives it. NULL when memory is short. */
struct recorder *recorder_create(struct recorder_pool *pool, size_t channel_count);

/* Takes the scans of a block in. The rings are made when their first scans come: only then is it known which channels
 * are sampled together, and how fast. True when one was made that holds less than it should. */
bool recorder_take(struct recorder *recorder, const struct scan_block *block);

/* The streams of all channels, or of one, are broken off here; see scan_ring_break(). */
void recorder_gap(struct recorder *recorder, uint64_t lost);
void recorder_break(struct recorder *recorder, size_t channel);

size_t recorder_ring_count(const struct recorder *recorder);
const struct recorder_ring *recorder_ring(const struct recorder *recorder, size_t i);

/* What all rings have: the time of the latest scan, s on the source's clock; how much is held, and how much fits in at
 * the present rate, s. NAN: nothing was recorded yet. */
struct recorder_extent {
    double latest_s, held_s, room_s;
    size_t bytes; /* claimed */
};
struct recorder_extent recorder_extent(const struct recorder *recorder);

void recorder_destroy(struct recorder *recorder); /* NULL is fine */

#endif
