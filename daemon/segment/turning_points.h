/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_TURNING_POINTS_H
#define FRICID_SEGMENT_TURNING_POINTS_H

#include "segment/sample_history.h"

#include <stdbool.h>
#include <stdint.h>

struct turning_point {
    uint64_t number;     /* sample */
    double displacement; /* of that sample */
};

/* Follows a signal from turning point to turning point. A reversal counts when it exceeds the hysteresis, and, until
 * it has lasted for as long as the swing took, a part of the swing: hum and tremor on top of a large motion do not
 * count. */
struct turning_points {
    int direction;                /* +1 rising, -1 falling, 0 not known yet */
    struct turning_point extreme; /* the highest (lowest) so far of the running swing; lowest while not known */
    struct turning_point highest; /* only while the direction is not known */
    struct turning_point last;    /* where the running swing began */
    struct turning_point before;  /* the turning point before that */
    unsigned seen;                /* of the two latest turning points: how many were confirmed since the start */
};

void turning_points_start(struct turning_points *points, uint64_t number, double displacement);

/* Looks at samples [*number, end). Stops behind a sample that confirms a turning point (then `last` is new) and returns
 * true; *number is the next sample to look at. Spikes must not lie in the range. */
bool turning_points_follow(struct turning_points *points, const struct sample_history *history, uint64_t *number,
                           uint64_t end, double hysteresis);

#endif
