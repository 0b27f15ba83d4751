/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SEGMENTER_H
#define FRICID_SEGMENT_SEGMENTER_H

#include "identify/loop/loop_run.h"
#include "segment/decay.h"
#include "segment/drop_reason.h"
#include "segment/segment_settings.h"

#include <stddef.h>
#include <stdint.h>

enum segment_phase { SEGMENT_STARTING, SEGMENT_IDLE, SEGMENT_HELD, SEGMENT_DECAYING, SEGMENT_DRIVEN };

/* "starting" (learning the noise floor), "idle", "held", "decaying", "driven" (to and fro, loop by loop). */
const char *segment_phase_name(enum segment_phase phase);

/* A loop of a contact that is driven. */
struct live_loop {
    size_t number; /* since the rig began; from 1 */
    struct loop_figures figures;
    const char *columns; /* the form of records whose units these are */
};

/* The segmenter thinks this at the moment, for status and watch. NAN where not known. */
struct segment_state {
    enum segment_phase phase;
    size_t half_cycle;     /* of the running decay, counted from its first extremum */
    double amplitude;      /* of the latest half cycle, displacement unit */
    double frequency_hz;   /* of the latest half cycles */
    double displacement;   /* latest sample */
    double noise_floor;    /* standard deviation, displacement unit */
    double hysteresis;     /* a reversal smaller than this is noise, displacement unit */
    uint64_t samples;      /* taken in so far */
    uint64_t lost_samples; /* counted gaps */
    uint64_t gaps;
    uint64_t decays;
    uint64_t drops[DROP_REASONS];
    const struct live_loop *loop; /* the latest that closed; NULL: none. Segmenters leave it so. */
};

/* All that comes out of a segmenter. decay: ownership passes to the callee. progress: once a half cycle of a running
 * decay, and when the phase has changed. hole: the time stamps show that samples are missing, about `lost` of them,
 * before the one at at_s; a running record has ended with DECAY_END_GAP. Each may be NULL except decay. */
struct segment_listener {
    void (*decay)(void *context, struct decay *decay);
    void (*dropped)(void *context, enum drop_reason reason, double at_s);
    void (*progress)(void *context, const struct segment_state *state);
    void (*hole)(void *context, uint64_t lost, double at_s);
    void *context;
};

struct segmenter;

/* One channel's segmenter; NULL when memory is short. Memory is bounded by max_samples whatever the stream. */
struct segmenter *segmenter_create(const struct segment_settings *settings, const struct segment_listener *listener);

/* The smallest step of the signal from now on, displacement unit; 0: not known. Between two stretches, that is before
 * the first sample or after a gap. */
void segmenter_set_resolution(struct segmenter *segmenter, double resolution);

/* Takes samples in: `count` values from stream index first_index on. Uniform: sample i was taken at
 * origin_s + (first_index + i) * period_s, and without a period above 0 it is lost; else at time_s[i]. flags may be
 * NULL. An index that jumps forward is a gap, and so is a time stamp that comes far later than the pace of the latest
 * ones allows, or not after the one before; the results do not depend on how the stream is cut into calls.
 *
 * Where a stream begins the mass is taken to rest. If it is held elsewhere then, its decays of fewer than 20 half
 * cycles that are more than three of their first swings away from there are dropped as DROP_IN_DOUBT, until it has
 * stood still for 4096 samples or a longer decay has come to rest. */
void segmenter_feed(struct segmenter *segmenter, uint64_t first_index, const double *displacement, const double *time_s,
                    const uint8_t *flags, size_t count, double origin_s, double period_s);

/* The stream has a hole of `lost` samples here (0: not known how many): a running record ends with DECAY_END_GAP. */
void segmenter_gap(struct segmenter *segmenter, uint64_t lost);

/* Nothing more will come: a running record ends for this reason (end of source, reconfigured). */
void segmenter_finish(struct segmenter *segmenter, enum decay_end reason);

void segmenter_state(const struct segmenter *segmenter, struct segment_state *state);

void segmenter_destroy(struct segmenter *segmenter);

#endif
