/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The arrays of a candidate and the arithmetic on them: how half cycles are added at either end, and from which size
 * on a swing stands out of the noise. No judgement here. */

#include "segment/candidate_chain.h"

#include "segment/extremes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void candidate_init(struct candidate *candidate)
{
    *candidate = (struct candidate){0};
}

void candidate_clear(struct candidate *candidate)
{
    free(candidate->extrema);
    free(candidate->swing);
    free(candidate->residual);
    candidate_init(candidate);
}

/* Each array is kept as soon as it has moved, so that a failure half way loses nothing and leaks nothing. */
int candidate_grow(struct candidate *candidate)
{
    size_t capacity = candidate->capacity ? 2 * candidate->capacity : 64;
    struct candidate_extremum *extrema = realloc(candidate->extrema, capacity * sizeof *extrema);
    if (extrema)
        candidate->extrema = extrema;
    double *swing = realloc(candidate->swing, capacity * sizeof *swing);
    if (swing)
        candidate->swing = swing;
    double *residual = realloc(candidate->residual, capacity * sizeof *residual);
    if (residual)
        candidate->residual = residual;
    if (!extrema || !swing || !residual)
        return -ENOMEM;
    candidate->capacity = capacity;
    return 0;
}

int candidate_set_first(struct candidate *candidate, double position, double level)
{
    int failed = candidate_make_room(candidate);
    if (failed)
        return failed;
    candidate->extrema[0] = (struct candidate_extremum){position, level};
    candidate->count = 1;
    return 0;
}

int candidate_prepend(struct candidate *candidate, const struct half_cycle *half)
{
    int failed = candidate_make_room(candidate);
    if (failed)
        return failed;
    size_t swings = candidate->count - 1;
    double position = candidate->extrema[0].position - candidate->half_period;
    memmove(candidate->extrema + 1, candidate->extrema, candidate->count * sizeof *candidate->extrema);
    memmove(candidate->swing + 1, candidate->swing, swings * sizeof *candidate->swing);
    memmove(candidate->residual + 1, candidate->residual, swings * sizeof *candidate->residual);
    /* Only half of the shift counts here: the other half may belong to the extremum at its end, which is known already.
     */
    candidate->extrema[0] = (struct candidate_extremum){position + 0.5 * half->shift, half->start};
    candidate->swing[0] = candidate_swing_of(half);
    candidate->residual[0] = half->residual;
    candidate->count++;
    return 0;
}

void candidate_forget_first(struct candidate *candidate)
{
    size_t swings = candidate->count - 1;
    memmove(candidate->extrema, candidate->extrema + 1, swings * sizeof *candidate->extrema);
    memmove(candidate->swing, candidate->swing + 1, (swings - 1) * sizeof *candidate->swing);
    memmove(candidate->residual, candidate->residual + 1, (swings - 1) * sizeof *candidate->residual);
    candidate->count--;
}

void candidate_forget_after(struct candidate *candidate, size_t last)
{
    if (last + 1 >= candidate->count)
        return;
    if ((candidate->count - 1 - last) % 2)
        candidate->direction = -candidate->direction;
    candidate->count = last + 1;
}

void candidate_thin_out(struct candidate *candidate)
{
    enum { FIRST = 8, LATEST = CANDIDATE_LATEST_KEPT, MOST = 2 * (FIRST + LATEST) };
    size_t from = candidate->count - LATEST;
    if (candidate->count < MOST)
        return;
    memmove(candidate->extrema + FIRST, candidate->extrema + from, LATEST * sizeof *candidate->extrema);
    memmove(candidate->swing + FIRST, candidate->swing + from, (LATEST - 1) * sizeof *candidate->swing);
    memmove(candidate->residual + FIRST, candidate->residual + from, (LATEST - 1) * sizeof *candidate->residual);
    candidate->count = FIRST + LATEST;
}

double candidate_smallest_swing(const struct candidate *candidate)
{
    /* A half cycle has about as many bins as samples, within these limits. */
    double bins = smaller(CANDIDATE_USUAL_BINS, larger(candidate->half_period, HALF_CYCLE_FEWEST_BINS));
    return candidate_smallest_among(candidate, 1 / sqrt(bins));
}
