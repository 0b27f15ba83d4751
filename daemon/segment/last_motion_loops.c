/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/last_motion_loops.h"

#include "segment/quads.h"

enum { P = MOTION_PARAMETERS };

/* The sums over means [from, to), all of one half cycle. */
static void sum_means(struct motion_walk *walk, const struct last_means *means, size_t from, size_t to,
                      struct half_cycle_sums *sums)
{
    quad first[P] = {0}, others[P] = {0};
    double squares = 0, gradient[P];
    for (size_t n = from; n < to; n++) {
        const double here = means->value[n] - motion_walk_to(walk, means->at[n], gradient);
        squares += here * here;
        const quad left = {gradient[0], gradient[1], gradient[2], gradient[3]};
        const quad right = {gradient[4], gradient[5], gradient[6], here};
        for (int i = 0; i < P; i++) {
            first[i] += gradient[i] * left;
            others[i] += gradient[i] * right;
        }
    }
    for (int i = 0; i < P; i++) {
        for (int j = 0; j < P; j++)
            sums->normal[i][j] = j < QUAD ? first[i][j] : others[i][j - QUAD];
        sums->right[i] = others[i][P - QUAD];
    }
    sums->squares = squares;
    sums->means = (double)(int64_t)(to - from);
}

const struct last_motion_loops LANES_TABLE(last_motion_loops) = {.sum_means = sum_means};
