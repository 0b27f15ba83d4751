/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/release.h"

#include "segment/half_cycle.h"

#include <math.h>

double clipped_before(const struct sample_history *history, double begin, double end)
{
    uint64_t number = sample_history_at(history, end), first = sample_history_at(history, begin);
    while (number > first && !sample_history_clipped_within(history, number - 1, number))
        number--;
    return number > first ? sample_history_position(history, number - 1) + 1 : begin;
}

/* The stream, or the motion, begins at most this part of a half period before the first extremum, and at least that
 * part must be seen of it. Were there more, it would have been taken for a half cycle of its own, or it is not free. */
#define CUT_OFF 0.97
#define SEEN_MOST 0.45
#define SEEN_LEAST 0.12

/* Whether the samples before the first extremum are those of a free motion whose beginning was not seen. */
static bool cut_off_before(const struct candidate *candidate, const struct sample_history *history, double from)
{
    double length = candidate->half_period, residual;
    double crest = candidate->extrema[0].position;
    double begin = fmax(from, clipped_before(history, crest - CUT_OFF * length, crest));
    double seen = crest - begin;
    double swing = candidate->extrema[1].level - candidate->extrema[0].level;
    if (seen > CUT_OFF * length || !(seen >= SEEN_LEAST * length))
        return false;
    double back = fmin(seen, SEEN_MOST * length);
    double follow = motion_before(history, crest, back, length, swing, candidate->extrema[0].level, &residual);
    double noise = 2.5 * candidate->noise * sqrt(fmax(length / 32, 1));
    double ratio = candidate->count > 2 ? candidate->swing[0] / candidate->swing[1] : 1;
    return follow > 0.75 && follow < 1.5 * ratio && residual < fmax(fmax(0.015 * fabs(swing), noise), candidate->step);
}

struct release release_find(const struct candidate *candidate, const struct sample_history *history, double from)
{
    from = fmax(from, sample_history_position(history, history->floor));
    bool free_at_first = cut_off_before(candidate, history, from);
    struct release release = {.first = free_at_first ? 0 : 1};
    double first = candidate->extrema[release.first].position;
    release.position = first - candidate->half_period;
    if (release.position < from)
        release.position = NAN;
    return release;
}
