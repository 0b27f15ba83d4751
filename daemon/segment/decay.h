/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_DECAY_H
#define FRICID_SEGMENT_DECAY_H

#include "identify/decay/identify.h"
#include "identify/decay/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A record ended for one of these reasons. */
enum decay_end {
    DECAY_END_REST,
    DECAY_END_NOISE_FLOOR,
    DECAY_END_NEW_EXCITATION,
    DECAY_END_CLIPPED,
    DECAY_END_GAP,
    DECAY_END_STOP_BELOW,
    DECAY_END_MAX_LENGTH,
    DECAY_END_RECONFIGURED,
    DECAY_END_OTHER_STROKE, /* of loops of a driven contact, as the next two: the next one is not alike */
    DECAY_END_OTHER_PERIOD,
    DECAY_END_OTHER_MEAN_FORCE,
    DECAY_END_END_OF_SOURCE, /* the recording, or the daemon, ended first */
};

/* The name that appears in JSON ("rest", "noise_floor", …). */
const char *decay_end_name(enum decay_end end);

/* A decay cut out of the stream; owns its samples. `record` points into the owned arrays: it begins behind the
 * pre-trigger samples, a few samples before the first extremum. */
struct decay {
    struct decay_record record;
    struct rest_observation rest;
    double *displacement; /* pretrigger_count + record.count values */
    double *time_s;       /* likewise, or NULL */
    uint8_t *flags;       /* likewise, or NULL */
    size_t pretrigger_count;
    uint64_t first_index; /* stream index of record sample 0 */
    double released_s;    /* estimated moment of release on the source's clock, s; NAN: not seen */
    bool dropped_first_half_cycle;
    enum decay_end ended_by;
    size_t clipped_count; /* flagged SAMPLE_CLIPPED within the record */
    size_t half_cycles;   /* that the segmenter counted */
};

/* Bytes that the decay occupies, for queue limits. */
size_t decay_bytes(const struct decay *decay);

/* Frees the decay and its samples; NULL is fine. */
void decay_destroy(struct decay *decay);

/* Samples that lie in somebody else's arrays; time_s and flags may be NULL. */
struct decay_samples {
    const double *displacement;
    const double *time_s;
    const uint8_t *flags;
    size_t count;
    double start_s, period_s; /* of sample 0, s; mean spacing, s */
};

/* A decay that owns a copy of the samples, of which the first pretrigger_count lie before the record. Everything that
 * the samples do not tell is NAN or 0. Returns NULL when memory is short. */
struct decay *decay_from_samples(const struct decay_samples *samples, size_t pretrigger_count);

/* A decay out of arrays that are one decay already ("whole"): copies count samples. time_s and flags may be NULL.
 * Returns NULL when memory is short. */
struct decay *decay_from_whole(const double *displacement, const double *time_s, const uint8_t *flags, size_t count,
                               double start_s, double period_s, double resolution);

#endif
