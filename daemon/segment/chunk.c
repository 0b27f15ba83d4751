/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every sample of every channel passes here, so these loops decide what the segmenter costs. */

#include "segment/chunk.h"

#include "segment/extremes.h"

#include <math.h>

#define QUADS_SOURCE "segment/chunk_quads.h"
#include "segment/quads.h"

void chunk_range(const double *sample, size_t count, double *lowest, double *highest)
{
    QUADS_CALL(range, sample, count, lowest, highest);
}

void chunk_look(const double *sample, struct chunk *chunk)
{
    QUADS_CALL(look, sample, chunk);
}

size_t chunk_finite(const double *sample, size_t count)
{
    size_t i = QUADS_CALL(finite, sample, count);
    while (i < count && isfinite(sample[i]))
        i++;
    return i;
}
