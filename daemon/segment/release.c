/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/release.h"

#include "segment/half_cycle.h"

#include <math.h>

/* Free motion must be seen for this part of a half period before an extremum, or from where the stream begins. */
#define SEEN_BEFORE 0.45
#define SEEN_LEAST 0.12

/* Whether the samples before the first extremum are already those of a free motion. */
static bool free_before(const struct candidate *candidate, const struct sample_history *history, double from)
{
    double length = candidate->half_period;
    double crest = candidate->extrema[0].position;
    double back = fmin(SEEN_BEFORE * length, crest - from);
    double swing = candidate->extrema[1].level - candidate->extrema[0].level;
    double residual;
    if (!(back >= SEEN_LEAST * length))
        return false;
    double follow = motion_before(history, crest, back, length, swing, candidate->extrema[0].level, &residual);
    double allowed = fmax(0.03 * fabs(swing), 2.5 * candidate->noise * sqrt(fmax(length / 32, 1)));
    return follow > 0.75 && follow < 1.6 && residual < fmax(allowed, candidate->step);
}

struct release release_find(const struct candidate *candidate, const struct sample_history *history, double from)
{
    bool free_at_first = free_before(candidate, history, from);
    struct release release = {.first = free_at_first ? 0 : 1};
    double first = candidate->extrema[release.first].position;
    release.position = first - candidate->half_period;
    if (release.position < from)
        release.position = NAN;
    return release;
}
