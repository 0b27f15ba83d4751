/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/chunk_loops.h"

#include "segment/extremes.h"
#include "segment/quads.h"

#include <math.h>

/* The last quad may take in samples of the one before it once more. */
static inline void find_range(const double *sample, size_t count, double *lowest, double *highest)
{
    quad low = *(const loose_quad *)(sample + count - QUAD), high = low;
    for (size_t i = 0; i + QUAD < count; i += QUAD) {
        quad here = *(const loose_quad *)(sample + i);
        low = QUAD_SMALLER(here, low);
        high = QUAD_LARGER(here, high);
    }
    *lowest = smaller(smaller(low[0], low[1]), smaller(low[2], low[3]));
    *highest = larger(larger(high[0], high[1]), larger(high[2], high[3]));
}

/* The range of the whole chunk, and the magnitude of its two halves. */
static inline void find_range_of_halves(const double *sample, struct chunk *chunk)
{
    double low[2], high[2], magnitude[2];
    for (int half = 0; half < 2; half++) {
        find_range(sample + half * (CHUNK / 2), CHUNK / 2, &low[half], &high[half]);
        magnitude[half] = larger(fabs(low[half]), fabs(high[half]));
    }
    chunk->lowest = smaller(low[0], low[1]);
    chunk->highest = larger(high[0], high[1]);
    chunk->magnitude = smaller(magnitude[0], magnitude[1]);
}

/* Fourth differences as second differences of second differences, which round less. */
static void look(const double *sample, struct chunk *chunk)
{
    quad sum = {0}, largest = {0}, smallest = {INFINITY, INFINITY, INFINITY, INFINITY};
    const quad infinite = smallest;
    quad_masks alike = {0};
    for (int i = 0; i < CHUNK; i += QUAD) {
        const double *here = sample + i;
        quad x = *(const loose_quad *)here, before = *(const loose_quad *)(here - 1),
             after = *(const loose_quad *)(here + 1);
        quad earlier = *(const loose_quad *)(here - 2) + x - (before + before);
        quad now = before + after - (x + x), later = x + *(const loose_quad *)(here + 2) - (after + after);
        quad difference = earlier + later - (now + now), step = x - before;
        quad_drop_sign(&difference);
        sum += difference;
        largest = QUAD_LARGER(difference, largest);
        /* Samples that are alike are no step. */
        quad_drop_sign(&step);
        quad_masks none = step <= 0;
        alike -= none;
        step = (quad)((quad_masks)step | (none & (quad_masks)infinite));
        smallest = QUAD_SMALLER(step, smallest);
    }
    find_range_of_halves(sample, chunk);
    chunk->mean_difference = quad_total(&sum) / CHUNK;
    chunk->largest_difference = larger(larger(largest[0], largest[1]), larger(largest[2], largest[3]));
    chunk->alike = (int)((alike[0] + alike[1]) + (alike[2] + alike[3]));
    chunk->smallest_step = smaller(smaller(smallest[0], smallest[1]), smaller(smallest[2], smallest[3]));
}

/* Zero times a number is zero, but not zero times infinity or no number: one comparison a chunk. How many of the first
 * samples, in whole chunks, are finite. */
static size_t count_finite(const double *sample, size_t count)
{
    size_t i = 0;
    for (; i + CHUNK <= count; i += CHUNK) {
        quad zero = {0};
        for (size_t j = i; j < i + CHUNK; j += QUAD)
            zero += *(const loose_quad *)(sample + j) * 0.0;
        if (!isfinite(quad_total(&zero)))
            break;
    }
    return i;
}

const struct chunk_loops LANES_TABLE(chunk_loops) = {
    .find_range = find_range, .look = look, .count_finite = count_finite};
