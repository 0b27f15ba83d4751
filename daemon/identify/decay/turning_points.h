/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_TURNING_POINTS_H
#define FRICID_IDENTIFY_TURNING_POINTS_H

#include "identify/decay/trace.h"

#include <stdbool.h>
#include <stddef.h>

/* A crest or trough among the samples, not yet refined. */
struct turning_point {
    size_t at;     /* its place in the trace */
    double height; /* of the smoothed trace */
    bool crest;
};

/* The most that are looked for: who needs more looks again, behind these. */
enum { TURNING_POINTS_MOST = 4096 };

struct turning_points {
    struct turning_point *point; /* count of them, owned: turning_points_clear() */
    size_t count;
    double half_cycle_s; /* their usual distance; NAN: not known */
    size_t stopped_at;   /* the place of the last one, when they were too many and the trace was not looked at behind
                            it; 0: it was */
};

/* Reversals of more than `hysteresis` (of the span) of the mean over each sample and `side` usable ones to either side;
 * of these, the run with even distances that moves farthest.
 * The last point is always followed by a reversal; the first may be the start of the trace. Returns false when memory
 * is short. */
bool turning_points_find(const struct trace *trace, size_t side, double hysteresis, struct turning_points *points);
void turning_points_clear(struct turning_points *points);

#endif
