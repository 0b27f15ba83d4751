/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_LOOP_CLOSING_H
#define FRICID_SEGMENT_LOOP_CLOSING_H

#include "segment/loop_mark.h"

#include <stdbool.h>
#include <stdint.h>

/* The loop that runs, as far as its extreme samples tell: whether it has closed, and its figures then. */

/* A loop comes back to where it began within that share of its stroke. */
#define LOOP_CLOSING_SHARE 0.05

struct running_loop {
    const struct loop_scans *scans;
    const struct loop_mark *lower, *upper; /* its reversals */
    double noise, least;                   /* of the displacement: floor; the least swing that is more than it */
};

/* It tells whether the displacement has come back to where the loop began. low: the lowest displacement since its upper
 * reversal. */
bool running_loop_came_back(const struct running_loop *loop, double low);

/* It tells whether a loop that came back has closed by the scan `now`: the displacement has left its end, or must have
 * done so. end_s: when it is predicted to close; neither NAN nor INFINITY is past. */
bool running_loop_closed(const struct running_loop *loop, double low, double end_s, uint64_t now);

/* The figures of a loop that ends with that reversal. */
struct loop_figures running_loop_figures(const struct running_loop *loop, const struct loop_mark *end);

#endif
