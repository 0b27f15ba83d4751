/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/vertex_loops.h"

#include "segment/quads.h"

/* Sums over the samples of y, counted from the first one, and of its products with v and v squared, where v counts
 * samples from the middle. */
static void moments(const double *y, size_t count, double sums[3])
{
    static const double ones[2 * QUAD] = {1, 1, 1, 1};
    const double origin = y[0];
    quad v = (quad){0, 1, 2, 3} - 0.5 * (double)(int64_t)(count - 1), sum[4] = {{0}};
    size_t left = count;
    for (; left >= QUAD; left -= QUAD, y += QUAD, v += QUAD) {
        quad value = *(const loose_quad *)y - origin, product = v * value;
        sum[0] += value;
        sum[1] += product;
        sum[2] += v * product;
    }
    if (left > 0) {
        quad value;
        quad_some(y, left, &value);
        value = (value - origin) * *(const loose_quad *)(ones + QUAD - left);
        const quad product = v * value;
        sum[0] += value;
        sum[1] += product;
        sum[2] += v * product;
    }
    quad totals;
    quad_totals(&sum[0], &sum[1], &sum[2], &sum[3], &totals);
    for (int i = 0; i < 3; i++)
        sums[i] = totals[i];
}

const struct vertex_loops LANES_TABLE(vertex_loops) = {.moments = moments};
