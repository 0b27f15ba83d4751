/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every sample of every decay would pass here, so most looks ask for the extremes of a chunk only, and the fit of a
 * short half cycle that is there at once saves them all. */

#include "segment/running_half_cycle.h"

#include "segment/chunk.h"

#include <math.h>

/* A running half cycle must not leave these bounds. */
struct bounds {
    double sign, level; /* the mass moves from `level` on, in this direction */
    double back;        /* way back from the furthest place */
};

static bool leaves(struct running_half_cycle *running_half_cycle, const struct bounds *bounds, const double *sample,
                   size_t count)
{
    double level = bounds->sign * bounds->level, furthest = running_half_cycle->progress, back = 0;
    for (size_t i = 0; i < count; i++) {
        double progress = bounds->sign * sample[i] - level;
        furthest = larger(progress, furthest);
        back = larger(furthest - progress, back);
    }
    running_half_cycle->progress = furthest;
    return back > bounds->back;
}

/* Samples whose extremes are within bounds in any order are not looked at closer. */
static bool chunk_leaves(struct running_half_cycle *running_half_cycle, const struct bounds *bounds,
                         const double *sample, size_t count)
{
    double lowest, highest;
    if (count < FEWEST_FOR_RANGE)
        return leaves(running_half_cycle, bounds, sample, count);
    chunk_range(sample, count, &lowest, &highest);
    lowest -= bounds->level;
    highest -= bounds->level;
    /* This has no branch on the direction, for that changes all the time. */
    double one = bounds->sign * lowest, other = bounds->sign * highest;
    double furthest = larger(larger(one, other), running_half_cycle->progress), least = smaller(one, other);
    if (furthest - least > bounds->back)
        return leaves(running_half_cycle, bounds, sample, count);
    running_half_cycle->progress = furthest;
    return false;
}

/* Flagged samples are passed over. */
static bool leaves_until(struct running_half_cycle *running_half_cycle, const struct sample_history *history,
                         const struct bounds *bounds, uint64_t limit)
{
    while (running_half_cycle->next < limit) {
        bool unflagged = history->flagged <= running_half_cycle->next;
        uint64_t count = !unflagged                                 ? 1
                         : limit - running_half_cycle->next < CHUNK ? limit - running_half_cycle->next
                                                                    : CHUNK;
        const double *sample =
            sample_history_span(history, running_half_cycle->next, running_half_cycle->next + count).displacement;
        bool spoilt = !sample || (!unflagged && sample_history_flags(history, running_half_cycle->next));
        if (!spoilt && chunk_leaves(running_half_cycle, bounds, sample, (size_t)count))
            return true;
        running_half_cycle->next += count;
    }
    return false;
}

bool running_half_cycle_sees_turn(struct running_half_cycle *running_half_cycle, const struct candidate *candidate,
                                  const struct sample_history *history, double hysteresis, uint64_t ready)
{
    const struct candidate_extremum *start = &candidate->extrema[candidate->count - 1];
    const struct bounds bounds = {
        .sign = candidate->direction,
        .level = start->level,
        .back = running_half_cycle_allowed_back(candidate, hysteresis),
    };
    if (candidate->still)
        return false;
    if (!running_half_cycle->begun)
        running_half_cycle->next = sample_history_at(history, start->position);
    running_half_cycle->begun = true;
    running_half_cycle->look_at = sample_history_position(history, ready - 1) + running_half_cycle_interval(candidate);
    return leaves_until(running_half_cycle, history, &bounds, ready);
}
