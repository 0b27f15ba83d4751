/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/decay_law_loops.h"

#include "segment/extremes.h"
#include "segment/quads.h"

#include <math.h>

static void sum_up(const double *swing, size_t count, struct law_sums *sums)
{
    size_t pairs = count - 1, i = 0;
    double origin = swing[0];
    quad x = {0}, xx = {0}, xy = {0};
    for (; i + QUAD <= pairs; i += QUAD) {
        quad here = *(const loose_quad *)(swing + i) - origin, next = *(const loose_quad *)(swing + i + 1) - origin;
        x += here;
        xx += here * here;
        xy += here * next;
    }
    *sums = (struct law_sums){.count = (double)(int64_t)pairs,
                              .origin = origin,
                              .x = quad_total(&x),
                              .xx = quad_total(&xx),
                              .xy = quad_total(&xy)};
    for (; i < pairs; i++) {
        double here = swing[i] - origin;
        sums->x += here;
        sums->xx += here * here;
        sums->xy += here * (swing[i + 1] - origin);
    }
    sums->y = sums->x + (swing[count - 1] - origin);
}

/* The last quad may take in pairs of the one before it once more. */
static double departure(const struct decay_law *law, double forgiven, const double *swing, size_t pairs)
{
    const double q = law->q, loss = -law_next_swing(q, law->x_k, 0);
    const quad none = {0};
    quad most = none;
    double largest = 0;
    for (size_t i = 0; pairs >= QUAD && i < pairs; i += QUAD) {
        const double *here = swing + (i + QUAD <= pairs ? i : pairs - QUAD);
        quad expected = q * *(const loose_quad *)here - loss;
        expected = QUAD_LARGER(expected, none);
        quad off = *(const loose_quad *)(here + 1) - expected;
        quad_drop_sign(&off);
        off -= forgiven * expected;
        most = QUAD_LARGER(off, most);
    }
    for (size_t i = 0; pairs < QUAD && i < pairs; i++) {
        double expected = larger(q * swing[i] - loss, 0);
        largest = larger(fabs(swing[i + 1] - expected) - forgiven * expected, largest);
    }
    return larger(larger(larger(most[0], most[1]), larger(most[2], most[3])), largest);
}

const struct decay_law_loops LANES_TABLE(decay_law_loops) = {.sum_up = sum_up, .departure = departure};
