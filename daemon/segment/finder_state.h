/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_FINDER_STATE_H
#define FRICID_SEGMENT_FINDER_STATE_H

#include "segment/candidate_chain.h"
#include "segment/decay.h"
#include "segment/rhythm.h"
#include "segment/running_half_cycle.h"
#include "segment/sample_history.h"
#include "segment/turning_points.h"

#include <stdbool.h>
#include <stdint.h>

/* These limits end a record although its motion goes on. */
struct finder_limits {
    double stop_below;     /* amplitude, displacement unit; NAN: any */
    double max_duration_s; /* 0: any */
    size_t max_samples;    /* likewise */
    bool tells_all;        /* whoever drives the finder wants to hear of every half cycle, not of these limits only */
};

/* Looks for candidates in the history of a channel and follows them to their end: one step at a time, so that whoever
 * drives it can act on every half cycle. */
struct decay_finder {
    struct finder_limits limits;
    struct turning_points points;
    struct candidate candidate;
    struct rhythm rhythm; /* of the rig, kept from stretch to stretch */
    bool started;         /* the turning points have their first sample */
    bool following;
    bool record_done;       /* the candidate's record was cut: followed only so that its rest is not found again */
    uint64_t cursor;        /* next sample for the turning points */
    double from;            /* position: what lies before belongs to something that has ended */
    double decays_until;    /* position: what lies before is a decay, or older */
    double failed_until;    /* position: what lies before was a candidate that failed */
    double least_new_swing; /* swings below this, up to position fading_until, are an earlier candidate or hum */
    double fading_until;    /* position; moved on while the motion goes on */
    struct running_half_cycle running_half_cycle; /* how far that was looked at */
    double judged_until; /* position: the half cycle that was judged waits for the samples up to there */
    bool pending;        /* two turning points wait for the samples behind the second */
    struct turning_point turning[2];
    uint64_t pending_at; /* sample number from which on they can be looked at */
};

/* It tells whether the followed candidate has reached a limit; *limit: which. */
static inline bool decay_finder_at_limit(const struct decay_finder *finder, const struct sample_history *history,
                                         enum decay_end *limit)
{
    const struct finder_limits *limits = &finder->limits;
    const struct candidate *candidate = &finder->candidate;
    const struct candidate_extremum *extrema = candidate->extrema;
    if (candidate_last_swing(candidate) / 2 < limits->stop_below) {
        *limit = DECAY_END_STOP_BELOW;
        return true;
    }
    /* In time and in samples, whichever is reached first: the second bounds the memory. */
    double length = extrema[candidate->count - 1].position - extrema[0].position + candidate->half_period;
    *limit = DECAY_END_MAX_LENGTH;
    return (limits->max_duration_s > 0 && length * history->period_s > limits->max_duration_s) ||
           (limits->max_samples > 0 && length > (double)(int64_t)limits->max_samples);
}

#endif
