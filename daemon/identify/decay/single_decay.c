/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A fit sees only the samples that it chose. What lies outside of them can still tell that it chose a part of something
 * else, such as the noise of a hold between two releases. */

#include "identify/decay/single_decay.h"

#include <math.h>

/* Fewer large samples than this may be spikes that nobody flagged. */
enum { FEWEST_LARGE_SAMPLES = 5 };

/* Before the decay a mass that is pulled aside and let go crosses its centre once, and once more when the record begins
 * with the pull from the other side; a decay of its own goes on crossing. */
enum { MOST_CROSSINGS_BEFORE = 2 };

/* -1, 0 or +1: which side of the centre sample i lies on, 0 where it lies within `half` or is flagged. */
static int side(const struct decay_record *record, size_t i, double centre, double half)
{
    if (record->flags && record->flags[i])
        return 0;
    double x = record->displacement[i] - centre;
    return (x > half) - (x < -half);
}

static bool moves_after(const struct decay_record *record, size_t from, double centre, double half)
{
    size_t large = 0;
    for (size_t i = from; i < record->count && large < FEWEST_LARGE_SAMPLES; i++)
        large += side(record, i, centre, half) != 0;
    return large >= FEWEST_LARGE_SAMPLES;
}

static bool swings_before(const struct decay_record *record, size_t until, double centre, double half)
{
    int last = 0;
    size_t crossings = 0;
    for (size_t i = 0; i < until; i++) {
        int now = side(record, i, centre, half);
        crossings += now != 0 && last == -now;
        last = now != 0 ? now : last;
    }
    return crossings > MOST_CROSSINGS_BEFORE;
}

bool record_holds_single_decay(const struct decay_record *record, const struct full_record_fit *fit)
{
    if (fit->range.last == 0 || !isfinite(fit->estimate[FIT_X0].value) || !isfinite(fit->estimate[FIT_BIAS].value) ||
        !isfinite(fit->rms))
        return true;
    /* The mass rests well within half of where it started, also far from its centre. */
    double half = 0.5 * fabs(fit->estimate[FIT_X0].value) + 6 * fit->rms;
    return !moves_after(record, fit->range.last, fit->estimate[FIT_BIAS].value, half) &&
           !swings_before(record, fit->range.first, fit->estimate[FIT_BIAS].value, half);
}
