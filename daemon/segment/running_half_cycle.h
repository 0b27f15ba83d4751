/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_RUNNING_HALF_CYCLE_H
#define FRICID_SEGMENT_RUNNING_HALF_CYCLE_H

#include "segment/candidate_chain.h"
#include "segment/chunk.h"
#include "segment/extremes.h"
#include "segment/half_cycle.h"
#include "segment/sample_history.h"
#include "segment/tolerances.h"

#include <stdbool.h>
#include <stdint.h>

/* The half cycle that runs is watched before it is complete, so that it need not be waited for when it turns back. A
 * slow pull may look like half a cycle that takes longer than a whole decay. */
struct running_half_cycle {
    bool begun;      /* some of its samples have been looked at */
    uint64_t next;   /* sample to be looked at */
    double look_at;  /* position from which on that is worth while */
    double progress; /* how far the half cycle has come, displacement unit */
};

/* A free half cycle does not turn back before its end by so many times what counts as noise, which is added to the hum.
 */
enum { RUNNING_HALF_CYCLE_HYSTERESES = 3 };
/* The running half cycle is looked at so often, in half periods, once a candidate has more than its first extrema.
 * Until then each sample is looked at: what looks like half a cycle may be a slow pull, and a decay of a hundred times
 * its pace may lie within a part of it. */
#define RUNNING_HALF_CYCLE_LOOKS 0.125
enum { RUNNING_HALF_CYCLE_FIRST_EXTREMA = 3 };

static inline double running_half_cycle_interval(const struct candidate *candidate)
{
    return candidate->count > RUNNING_HALF_CYCLE_FIRST_EXTREMA ? RUNNING_HALF_CYCLE_LOOKS * candidate->half_period : 0;
}

/* Begins with the half cycle that follows the candidate's last extremum. */
static inline void running_half_cycle_restart(struct running_half_cycle *running_half_cycle,
                                              const struct candidate *candidate)
{
    /* One that is shorter than a chunk is over before a second look. */
    bool brief = candidate->half_period < CHUNK;
    double start = candidate->extrema[candidate->count - 1].position;
    *running_half_cycle = (struct running_half_cycle){
        .look_at = start + (brief ? candidate->half_period : running_half_cycle_interval(candidate))};
}

/* It looks at the samples before number `ready`, and tells whether the half cycle has ended before its time; a pause is
 * waited for. */
bool running_half_cycle_sees_turn(struct running_half_cycle *running_half_cycle, const struct candidate *candidate,
                                  const struct sample_history *history, double hysteresis, uint64_t ready);

/* A half cycle may go back by so much from the furthest place that it reached. */
static inline double running_half_cycle_allowed_back(const struct candidate *candidate, double hysteresis)
{
    return larger(larger(RUNNING_HALF_CYCLE_HYSTERESES * hysteresis, HUM_SPAN_AT_MOST * candidate->swing[0]),
                  REVERSAL_OF_SWING * candidate_last_swing(candidate));
}

#endif
