/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Most decays end as their law says. That shows in what was measured on the way already. */

#include "segment/certain_end.h"

#include "segment/candidate_chain.h"
#include "segment/extremes.h"
#include "segment/last_motion.h"
#include "segment/tolerances.h"

#include <math.h>

/* Noise changes a level at rest, where many samples are averaged, by this part of the smallest swing that shows, which
 * is five of its deviations. */
#define NOISE_AT_REST 0.5
/* The next swing of a motion that friction stopped may have been this many times the smallest that shows. */
#define STOPPED_SWING_RATIO 1.3
/* So many half periods behind the end must have been measured, of those that are looked at: one, and what the end is
 * uncertain by. */
#define HALF_PERIODS_MEASURED (1 + 2 * STOP_UNCERTAINTY)

/* So many of the half cycles that tell the law, the latest ones, are looked at more closely. */
enum { LATEST_HALF_CYCLES = 3 };

/* It tells whether nothing that shows happens in the next half periods, which must have been measured. */
static bool stays(const struct ending *ending, const struct candidate_extremum *extremum, double most)
{
    const struct sample_history *history = ending->history;
    double length = ending->candidate->half_period;
    uint64_t to = sample_history_at(history, extremum->position + ENDING_HALF_PERIODS_BEHIND * length);
    if (sample_history_position(history, to - 1) < extremum->position + HALF_PERIODS_MEASURED * length)
        return false;
    double sum = 0, count = 0, part = larger(floor(length / 2), 1);
    for (uint64_t i = sample_history_at(history, extremum->position); i < to; i++) {
        if (sample_history_flags(history, i))
            continue;
        sum += sample_history_value(history, i) - extremum->level;
        if (++count < part)
            continue;
        if (!(fabs(sum) <= most * count))
            return false;
        sum = count = 0;
    }
    return true;
}

bool end_is_certain(const struct ending *ending, enum decay_end by)
{
    const struct candidate *candidate = ending->candidate;
    size_t count = ending->last - ending->first;
    if (count > DECAY_LAW_SWINGS)
        count = DECAY_LAW_SWINGS;
    if (count < ENDING_LAW_AND_CHECK || (by != DECAY_END_REST && by != DECAY_END_NOISE_FLOOR))
        return false;
    const double *swing = candidate->swing + ending->last - count;
    bool sank = by == DECAY_END_NOISE_FLOOR;
    double shows = candidate_smallest_swing(candidate), noise = sank ? shows : NOISE_AT_REST * shows;
    struct decay_law law = decay_law_fit(swing, count);
    double next = decay_law_next(&law, swing[count - 1]);
    if (next > (sank ? CLEAR_SWING_RATIO : STOPPED_SWING_RATIO) * shows)
        return false;
    return decay_law_departure(&law, swing + count - LATEST_HALF_CYCLES - 1, LATEST_HALF_CYCLES + 1,
                               DEPARTURE_OF_SWING) <= noise &&
           stays(ending, &candidate->extrema[ending->last], NOISE_AT_REST * shows + next);
}
