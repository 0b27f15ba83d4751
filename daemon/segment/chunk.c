/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every sample of every channel passes here, so these loops decide what the segmenter costs. */

#include "segment/chunk_loops.h"

#include <math.h>

void chunk_range(const double *sample, size_t count, double *lowest, double *highest)
{
    chunk_loops_of(lanes_widest())->find_range(sample, count, lowest, highest);
}

void chunk_look(const double *sample, struct chunk *chunk)
{
    chunk_loops_of(lanes_widest())->look(sample, chunk);
}

size_t chunk_finite(const double *sample, size_t count)
{
    size_t i = chunk_loops_of(lanes_widest())->count_finite(sample, count);
    while (i < count && isfinite(sample[i]))
        i++;
    return i;
}
