/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every sample of every channel passes here, so these loops decide what the segmenter costs. Sums and extremes run in
 * LANES independent lanes: their order is fixed, and results are the same whatever the compiler makes of them. */

#include "segment/chunk.h"

#include "segment/extremes.h"

#include <math.h>

enum { LANES = 2 };

void chunk_range(const double *sample, double *lowest, double *highest)
{
    double low[LANES], high[LANES];
    for (int lane = 0; lane < LANES; lane++)
        low[lane] = high[lane] = sample[lane];
    for (int i = LANES; i < CHUNK; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            low[lane] = smaller(sample[i + lane], low[lane]);
            high[lane] = larger(sample[i + lane], high[lane]);
        }
    *lowest = smaller(low[0], low[1]);
    *highest = larger(high[0], high[1]);
}

/* Second differences of second differences: half the additions. */
static void look_at_fourth_differences(const double *sample, struct chunk *chunk)
{
    double second[CHUNK + 2], sum[LANES] = {0}, largest[LANES] = {0};
    for (int i = 0; i < CHUNK + 2; i++)
        second[i] = (sample[i - 2] + sample[i]) - (sample[i - 1] + sample[i - 1]);
    for (int i = 0; i < CHUNK; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            const double *here = second + i + lane;
            double difference = fabs((here[0] + here[2]) - (here[1] + here[1]));
            sum[lane] += difference;
            largest[lane] = larger(difference, largest[lane]);
        }
    chunk->mean_difference = (sum[0] + sum[1]) / CHUNK;
    chunk->largest_difference = larger(largest[0], largest[1]);
}

static double smallest_step(const double *sample)
{
    double smallest[LANES];
    for (int lane = 0; lane < LANES; lane++)
        smallest[lane] = INFINITY;
    for (int i = 0; i < CHUNK; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            double step = fabs(sample[i + lane] - sample[i + lane - 1]);
            double seen = step > 0 ? step : INFINITY;
            smallest[lane] = smaller(seen, smallest[lane]);
        }
    return smaller(smallest[0], smallest[1]);
}

void chunk_look(const double *sample, struct chunk *chunk)
{
    chunk_range(sample, &chunk->lowest, &chunk->highest);
    look_at_fourth_differences(sample, chunk);
    chunk->smallest_step = smallest_step(sample);
}

/* Zero times a number is zero, but not zero times infinity or no number: one comparison a chunk. */
static bool all_finite(const double *sample)
{
    double zero[LANES] = {0};
    for (int i = 0; i < CHUNK; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            zero[lane] += sample[i + lane] * 0.0;
    return isfinite(zero[0] + zero[1]);
}

size_t chunk_finite(const double *sample, size_t count)
{
    size_t i = 0;
    while (i + CHUNK <= count && all_finite(sample + i))
        i += CHUNK;
    while (i < count && isfinite(sample[i]))
        i++;
    return i;
}
