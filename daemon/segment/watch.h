/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_WATCH_H
#define FRICID_SEGMENT_WATCH_H

#include "segment/candidate.h"
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

/* Begins with the half cycle that follows the candidate's last extremum. */
void watch_restart(struct watch *watch, const struct candidate *candidate);

/* Goes on from this position: what lies before has been judged. */
void watch_go_on(struct watch *watch, const struct sample_history *history, double position);

/* Looks at the samples before number `ready`. Whether the half cycle, or the pause, has ended before its time. */
bool watch_sees_turn(struct watch *watch, const struct candidate *candidate, const struct sample_history *history,
                     double hysteresis, uint64_t ready);

/* Whether this fit of the whole half cycle tells already that watch_sees_turn() would see none. */
bool watch_is_needless(const struct candidate *candidate, const struct half_cycle *half, double hysteresis);

#endif
