/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_LOOP_END_PREDICTION_H
#define FRICID_SEGMENT_LOOP_END_PREDICTION_H

#include "segment/loop_closing.h"

#include <stddef.h>
#include <stdint.h>

/* The time at which the loop that runs closes is predicted from when its way back passed the middle of the stroke. A
 * reversal in noise is certain only when the next half cycle is well under way; the steep middle of a half cycle tells
 * its time from a few scans. */
struct loop_end_prediction {
    double middle_s;        /* the way back of the loop that runs passed its middle; NAN: it is not known */
    double remaining_ratio; /* how long a loop goes on from there by how long it took until there: a mean */
    size_t loops;           /* of the run, the latest of which that is the mean of; 0: none has ended */
};

/* Another loop begins, of the same run or of another one. */
void loop_end_prediction_begin(struct loop_end_prediction *prediction);
void loop_end_prediction_begin_run(struct loop_end_prediction *prediction);

/* The loop that runs ended with that reversal. */
void loop_end_prediction_learn(struct loop_end_prediction *prediction, const struct running_loop *loop,
                               const struct loop_mark *end);

/* It tells when the loop that runs closes, which has come back to where it began by the scan `now`; NAN or INFINITY:
 * nobody knows. */
double loop_end_prediction_s(struct loop_end_prediction *prediction, const struct running_loop *loop, uint64_t now);

#endif
