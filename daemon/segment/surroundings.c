/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the channel did before the first extremum: a decay comes out of a hold, not out of a swinging. */

#include "segment/surroundings.h"

#include "segment/turning_points.h"

#include <math.h>

/* A reversal of this part of the swing counts; a pull and a hold make one or two. */
#define PART 0.35
enum { FEWEST_REVERSALS = 3 };

bool oscillates_before(const struct sample_history *history, double position, double half_period, double swing,
                       double from)
{
    double begin = fmax(position - SURROUNDINGS_HALF_PERIODS * half_period, from);
    uint64_t number = sample_history_at(history, begin), end = sample_history_at(history, position - half_period);
    struct turning_points points;
    unsigned reversals = 0;
    if (number >= end)
        return false;
    turning_points_start(&points, number, sample_history_value(history, number));
    while (number < end)
        reversals += turning_points_follow(&points, history, &number, end, PART * swing);
    return reversals >= FEWEST_REVERSALS;
}
