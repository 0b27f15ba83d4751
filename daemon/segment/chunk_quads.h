/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of chunk.c, see quads.h. */

/* The last quad may take in samples of the one before it once more. */
QUADS_TARGET static inline void QUADS_NAME(range)(const double *sample, size_t count, double *lowest, double *highest)
{
    quad low = *(const loose *)(sample + count - LANES), high = low;
    for (size_t i = 0; i + LANES < count; i += LANES) {
        quad here = *(const loose *)(sample + i);
        low = QUADS_SMALLER(here, low);
        high = QUADS_LARGER(here, high);
    }
    *lowest = smaller(smaller(low[0], low[1]), smaller(low[2], low[3]));
    *highest = larger(larger(high[0], high[1]), larger(high[2], high[3]));
}

/* Fourth differences as second differences of second differences, which round less. */
QUADS_TARGET static void QUADS_NAME(look)(const double *sample, struct chunk *chunk)
{
    quad sum = {0}, largest = {0}, smallest = {INFINITY, INFINITY, INFINITY, INFINITY};
    const quad infinite = smallest;
    masks alike = {0};
    for (int i = 0; i < CHUNK; i += LANES) {
        const double *here = sample + i;
        quad x = *(const loose *)here, before = *(const loose *)(here - 1), after = *(const loose *)(here + 1);
        quad earlier = *(const loose *)(here - 2) + x - (before + before);
        quad now = before + after - (x + x), later = x + *(const loose *)(here + 2) - (after + after);
        quad difference = earlier + later - (now + now), step = x - before;
        difference = QUADS_MAGNITUDE(difference);
        sum += difference;
        largest = QUADS_LARGER(difference, largest);
        /* No step at all is no smallest one. */
        step = QUADS_MAGNITUDE(step);
        masks none = step <= 0;
        alike -= none;
        step = (quad)((masks)step | (none & (masks)infinite));
        smallest = QUADS_SMALLER(step, smallest);
    }
    QUADS_NAME(range)(sample, CHUNK, &chunk->lowest, &chunk->highest);
    chunk->mean_difference = QUADS_TOTAL(sum) / CHUNK;
    chunk->largest_difference = larger(larger(largest[0], largest[1]), larger(largest[2], largest[3]));
    chunk->alike = (int)((alike[0] + alike[1]) + (alike[2] + alike[3]));
    chunk->smallest_step = smaller(smaller(smallest[0], smallest[1]), smaller(smallest[2], smallest[3]));
}

/* Zero times a number is zero, but not zero times infinity or no number: one comparison a chunk. How many of the first
 * samples, in whole chunks, are finite. */
QUADS_TARGET static size_t QUADS_NAME(finite)(const double *sample, size_t count)
{
    size_t i = 0;
    for (; i + CHUNK <= count; i += CHUNK) {
        quad zero = {0};
        for (size_t j = i; j < i + CHUNK; j += LANES)
            zero += *(const loose *)(sample + j) * 0.0;
        if (!isfinite(QUADS_TOTAL(zero)))
            break;
    }
    return i;
}
