/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_CORNER_H
#define FRICID_IDENTIFY_LOOP_CORNER_H

#include "identify/loop/loop_signal.h"

#include <stdbool.h>

/* Where a displacement turns back at once, as that of a triangular drive: two straight lines cross. */
struct loop_corner {
    double time_s, displacement;
    double variance; /* of that displacement, over that of the noise */
    double squares;  /* sum of those of what the lines leave */
};

/* Of the samples from `from` to `to`, the corner somewhere near `sample` between them; at least three samples are on
 * either side of that. False: the lines do not cross among them. */
bool loop_corner_fit(const struct loop_signal *signal, size_t from, size_t sample, size_t to,
                     struct loop_corner *corner);

/* Where it stays before it turns back, as that of a trapezoidal drive: two straight lines end at a level. */
struct loop_level {
    double time_s;       /* the middle between the ends of the lines */
    double displacement; /* the mean of the samples there */
    size_t samples;      /* so many */
    double squares;      /* sum of those of what lines and level leave */
};

/* Of the samples from `from` to `to`. False: they have no level between lines of which one rises and the other falls.
 */
bool loop_level_fit(const struct loop_signal *signal, size_t from, size_t to, struct loop_level *level);

#endif
