/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A rig keeps its frequency from one release to the next. That is worth more than anything that a few weak half cycles
 * could show by themselves. */

#include "segment/rhythm.h"

#include "segment/tolerances.h"

#include <math.h>

/* An uneven spring, or more friction on one side than on the other, change the half period by this part of it. */
#define HALF_PERIOD_TOLERANCE 0.02
/* A round of Newton's method moves a place by this part of a half period at most, so that no half cycle takes the place
 * of another. */
#define MOST_MOVE 0.1

/* The place is found in so many rounds of Newton's method. */
enum { ROUNDS = 4 };

void rhythm_learn(struct rhythm *rhythm, const struct candidate *candidate, const struct sample_history *history,
                  size_t first, size_t last)
{
    size_t strong = first;
    while (strong < last && candidate->swing[strong] >= FADED_SWING_OF_FIRST * candidate->swing[first])
        strong++;
    double span = candidate->extrema[strong].position - candidate->extrema[first].position;
    rhythm->half_period_s = span / (double)(strong - first) * history->period_s;
    rhythm->beta = candidate->beta;
}

bool rhythm_is_kept(double half_period, const struct candidate *candidate, size_t first, size_t last)
{
    if (!(half_period > 0))
        return false;
    double count = (double)(last - first);
    double span = candidate->extrema[last].position - candidate->extrema[first].position;
    return fabs(span / count - half_period) < (HALF_PERIOD_TOLERANCE + EXTREMUM_UNCERTAINTY / count) * half_period;
}

void rhythm_fit_at_known(const struct rhythm *rhythm, const struct sample_history *history, double *start,
                         double *length, struct half_cycle *half)
{
    double known = rhythm_half_period(rhythm, history);
    if (!(known > 0) || !(fabs(*length - known) < UNAMBIGUOUS_SHIFT * known))
        return;
    double at = *start + (*length - known) / 2;
    struct half_cycle fitted;
    for (int round = 0; round < ROUNDS; round++) {
        half_cycle_fit(history, at, known, rhythm->beta, &fitted);
        if (!fitted.usable)
            return;
        if (round + 1 < ROUNDS)
            at += fmin(fmax(fitted.shift, -MOST_MOVE * known), MOST_MOVE * known);
    }
    if (half->usable && fitted.residual > BETTER_FIT_RATIO * half->residual)
        return;
    *start = at;
    *length = known;
    *half = fitted;
}
