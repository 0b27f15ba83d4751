/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_LOOP_FORETOLD_H
#define FRICID_SEGMENT_LOOP_FORETOLD_H

#include "segment/loop_closing.h"

#include <stddef.h>
#include <stdint.h>

/* When the loop that runs closes, foretold from when its way back passed the middle of the stroke. A reversal in noise
 * is certain only when the next half cycle is well under way; the steep middle of a half cycle tells its time from a
 * few scans. */
struct loop_foretold {
    double passed_s;   /* the way back of the loop that runs passed its middle; NAN: it is not known */
    double from_there; /* how long a loop then goes on, as a multiple of how long it went: mean over the latest of the
                          run */
    size_t loops;      /* of which that is the mean; 0: none has ended */
};

/* Another loop begins, of the same run or of another one. */
void loop_foretold_begin(struct loop_foretold *foretold);
void loop_foretold_begin_run(struct loop_foretold *foretold);

/* The loop that runs ended with that reversal. */
void loop_foretold_learn(struct loop_foretold *foretold, const struct running_loop *loop, const struct loop_mark *end);

/* When the loop that runs, which has come back to where it began by the scan `now`, closes; NAN or INFINITY: nobody
 * knows.
 */
double loop_foretold_end_s(struct loop_foretold *foretold, const struct running_loop *loop, uint64_t now);

#endif
