/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/noise_floor_loops.h"

#include "motion/loops.h"

#include <string.h>

/* Sorts at most HALF_OF_CHUNKS values, none of them negative, without a branch that noise decides: each goes to the
 * place of its rank. Values that are alike share the first of their places, and the others are filled up from below. */
static void sort(float *values, size_t count)
{
    float sorted[HALF_OF_CHUNKS] = {0}, all[HALF_OF_CHUNKS] = {0};
    int rank[HALF_OF_CHUNKS] = {0};
    memcpy(all, values, count * sizeof *all);
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < HALF_OF_CHUNKS; i++)
            rank[i] += all[j] < all[i];
    for (size_t i = 0; i < count; i++)
        sorted[rank[i]] = all[i];
    for (size_t i = 1; i < count; i++)
        sorted[i] = sorted[i] > sorted[i - 1] ? sorted[i] : sorted[i - 1];
    memcpy(values, sorted, count * sizeof *values);
}

const struct noise_floor_loops LANES_TABLE(noise_floor_loops) = {.sort = sort};
