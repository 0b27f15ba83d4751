/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_WATCH_H
#define FRICID_SEGMENT_WATCH_H

#include "segment/candidate_chain.h"
#include "segment/chunk.h"
#include "segment/extremes.h"
#include "segment/half_cycle.h"
#include "segment/sample_history.h"

#include <stdbool.h>
#include <stdint.h>

/* The half cycle that runs, watched before it is complete: when it turns back, or the mass moves off after a stop, it
 * need not be waited for. A slow pull may look like half a cycle that takes longer than a whole decay. */
struct watch {
    bool begun;      /* some of its samples have been looked at */
    uint64_t next;   /* sample to be looked at */
    double look_at;  /* position from which on that is worth while */
    double progress; /* how far the half cycle has come, displacement unit */
};

/* A free half cycle does not turn back by this part of the last swing before its end … */
#define WATCH_TURNED_BACK 0.3
/* … nor by more than hum of 1 % of X_0, of the first swing. */
#define WATCH_HUM_SPANS 0.012
/* How often that is looked at, in half periods: once the motion has shown that it has some. Before that, a slow pull
 * may be what looks like half a cycle, and a decay of a hundred times its pace may hide in a part of it. */
#define WATCH_LOOKS 0.125
enum { WATCH_YOUNG = 3 };

static inline double watch_interval(const struct candidate *candidate)
{
    return candidate->count > WATCH_YOUNG ? WATCH_LOOKS * candidate->half_period : 0;
}

/* Begins with the half cycle that follows the candidate's last extremum. */
static inline void watch_restart(struct watch *watch, const struct candidate *candidate)
{
    /* One that is shorter than a chunk is over before a second look. */
    bool brief = candidate->half_period < CHUNK;
    double start = candidate->extrema[candidate->count - 1].position;
    *watch = (struct watch){.look_at = start + (brief ? candidate->half_period : watch_interval(candidate))};
}

/* Goes on from this position: what lies before has been judged. */
void watch_go_on(struct watch *watch, const struct sample_history *history, double position);

/* Looks at the samples before number `ready`. Whether the half cycle, or the pause, has ended before its time. */
bool watch_sees_turn(struct watch *watch, const struct candidate *candidate, const struct sample_history *history,
                     double hysteresis, uint64_t ready);

/* Way back from the furthest place that a half cycle may take. */
static inline double watch_allowed_back(const struct candidate *candidate, double hysteresis)
{
    return larger(larger(3 * hysteresis, WATCH_HUM_SPANS * candidate->swing[0]),
                  WATCH_TURNED_BACK * candidate_last_swing(candidate));
}

/* Whether this fit of the whole half cycle tells already that watch_sees_turn() would see none. */
static inline bool watch_is_needless(const struct candidate *candidate, const struct half_cycle *half,
                                     double hysteresis)
{
    const struct candidate_extremum *start = &candidate->extrema[candidate->count - 1];
    if (candidate->quiet > 0 || !half->usable || !(half->swing * candidate->direction > 0))
        return false;
    double most = half->most_back + fabs(half->start - start->level) + fabs(candidate_drift(candidate));
    return most <= watch_allowed_back(candidate, hysteresis);
}

#endif
