/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RECORDER_SCAN_RING_H
#define FRICID_RECORDER_SCAN_RING_H

#include "segment/scan_block.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The latest scans of channels that are sampled together, as they were taken in, with the gaps between them. Rows are
 * counted from 0 and never again: a row is named by its number, and either still there or overwritten. Memory is taken
 * once; pages of it that no scan has reached yet cost nothing. */
struct scan_ring;

/* A ring for `rows` scans of `channels` channels. NULL when memory is short. */
struct scan_ring *scan_ring_create(size_t channels, bool stamped, size_t rows);

/* What a row takes, bytes. */
size_t scan_ring_row_bytes(size_t channels, bool stamped);

/* The stream is broken off here, for the channels of a set of bits; `lost` scans are known to be missing, 0: not known
 * how many. */
void scan_ring_break(struct scan_ring *ring, uint64_t channels, uint64_t lost);

/* Takes the scans of a block with all channels of the ring, in its order. An index that jumps is a gap. */
void scan_ring_put(struct scan_ring *ring, const struct scan_block *block);

uint64_t scan_ring_oldest(const struct scan_ring *ring); /* the first row that is held */
uint64_t scan_ring_next(const struct scan_ring *ring);   /* the row that comes next; equal to oldest: none is held */
size_t scan_ring_rows(const struct scan_ring *ring);     /* that fit in */
bool scan_ring_stamped(const struct scan_ring *ring);

/* When a held row was taken, s on the source's clock. */
double scan_ring_time(const struct scan_ring *ring, uint64_t row);

/* The first held row that was not taken before a time; scan_ring_next() when there is none. */
uint64_t scan_ring_at(const struct scan_ring *ring, double time_s);

/* Rows of one run that lie side by side in memory; valid until the next scans are put. */
struct scan_piece {
    uint64_t row;
    size_t count;
    uint64_t index;            /* of the first scan */
    double origin_s, period_s; /* of its clock */
    bool begins;               /* the first row begins a run: a gap, another clock, or the very beginning */
    uint64_t broken, lost;     /* of a run that begins: the set of channels, and what is known to be missing */
    const double *time_s;      /* NULL: uniform */
};

/* At most `most` rows from a held row on; count is 0 at scan_ring_next(). */
struct scan_piece scan_ring_piece(const struct scan_ring *ring, uint64_t row, size_t most);

/* Values and flags of the piece's rows. Flags are NULL as long as none was ever set. */
const double *scan_ring_values(const struct scan_ring *ring, size_t channel, uint64_t row);
const uint8_t *scan_ring_flags(const struct scan_ring *ring, size_t channel, uint64_t row);

void scan_ring_destroy(struct scan_ring *ring); /* NULL is fine */

#endif
