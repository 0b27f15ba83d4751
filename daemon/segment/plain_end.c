/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Most decays end as their law says. That shows in what was measured on the way already. */

#include "segment/plain_end.h"

#include "segment/extremes.h"

#include <math.h>

/* Of a swing, that it may depart from the law of those before it, beside what noise does. */
#define PART 0.008
/* Of the smallest swing that shows, by which noise may change a swing or a level: one at rest, and one in the noise. */
#define BY_NOISE 0.5
#define BY_MUCH_NOISE 1
/* Of the worst residual before, that those of the last half cycles may have. */
#define USUAL 1.3

/* Of the smallest swing that shows, that the next one may have been: of a motion that sank into the noise, and of one
 * that friction stopped. */
#define HIDDEN 2
#define STOPPED 1.3
/* Half periods behind the end that must be there, of those that are looked at. */
#define SEEN 1.2

/* Half cycles that are looked at, the last of them more closely, and half periods behind the end. */
enum { FEWEST = 6, MOST = 12, LATEST = 3, AFTER = 2 };

static bool fits_as_before(const double *residual, size_t count)
{
    double before = 0, latest = 0;
    for (size_t i = 0; i < count - 2; i++)
        before = larger(before, residual[i]);
    for (size_t i = count - 2; i < count; i++)
        latest = larger(latest, residual[i]);
    return latest <= USUAL * before;
}

/* Whether nothing that shows happens in the next half periods; they must have been measured. */
static bool stays(const struct ending *ending, const struct candidate_extremum *extremum, double most)
{
    const struct sample_history *history = ending->history;
    double length = ending->candidate->half_period;
    uint64_t to = sample_history_at(history, extremum->position + AFTER * length);
    if (to > ending->ready)
        to = ending->ready;
    if (to == 0 || sample_history_position(history, to - 1) < extremum->position + SEEN * length)
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

bool ended_plainly(const struct ending *ending, enum decay_end by)
{
    const struct candidate *candidate = ending->candidate;
    size_t count = ending->last - ending->first;
    if (count > MOST)
        count = MOST;
    if (count < FEWEST || (by != DECAY_END_REST && by != DECAY_END_NOISE_FLOOR))
        return false;
    const double *swing = candidate->swing + ending->last - count;
    bool sank = by == DECAY_END_NOISE_FLOOR;
    double shows = candidate_smallest_swing(candidate), noise = (sank ? BY_MUCH_NOISE : BY_NOISE) * shows;
    struct decay_law law = decay_law_fit(swing, count);
    double next = decay_law_next(&law, swing[count - 1]);
    if (next > (sank ? HIDDEN : STOPPED) * shows)
        return false;
    return fits_as_before(candidate->residual + ending->last - count, count) &&
           decay_law_departure(&law, swing + count - LATEST - 1, LATEST + 1, PART) <= noise &&
           stays(ending, &candidate->extrema[ending->last], BY_NOISE * shows + next);
}
