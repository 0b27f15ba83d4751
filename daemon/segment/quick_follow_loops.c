/* SPDX-License-Identifier: GPL-3.0-or-later */

/* This loop has all that a decay costs while it runs along: the fit, the comparisons and what is learnt. Everything
 * that is in doubt is left to candidate_follow(). */

#include "segment/quick_follow_loops.h"

#include "segment/candidate_learn.h"
#include "segment/shape_quads.h"
#include "segment/swing_trend.h"

#include <math.h>

/* It tells whether nothing speaks against a half cycle: it is no smaller than noise, fits the shape, comes in time and
 * with a swing that does not surprise. A swing close to where equal steps lead is no surprise, wherever a ratio leads.
 */
static inline bool is_certainly_free(const struct candidate *candidate, const struct half_cycle *half)
{
    const double *next = candidate->swing + candidate->count - 1;
    double last = next[-1], before = next[-2], swing = half->swing * candidate->direction;
    double slack = candidate_swing_slack(candidate, candidate_swing_noise(candidate, half->root_share));
    double room = candidate_bend_allowed(candidate, half->root_share);
    return swing >= candidate_smallest_among(candidate, half->root_share) &&
           swing <= (1 + GROWTH_OF_SWING) * last + slack && swing >= STICTION_SWING_RATIO * last &&
           half->residual <= larger(DEPARTURE_OF_SWING * swing, RESIDUAL_DEVIATIONS * candidate->noise) &&
           fabs(half->shift) < DOUBTFUL_SHIFT * candidate->half_period && fabs(swing - 2 * last + before) <= room;
}

static enum quick_follow_event follow(struct decay_finder *finder, const struct sample_history *history, double ready,
                                      struct half_cycle *doubtful)
{
    struct candidate *candidate = &finder->candidate;
    enum decay_end limit;
    while (candidate->count < candidate->capacity && candidate_next_end(candidate) <= ready) {
        double start = candidate->extrema[candidate->count - 1].position, length = candidate->half_period;
        struct half_cycle half;
        candidate_keep_shape(candidate);
        if (!(candidate->shape.length > 0) || !shape_fit_samples(&candidate->shape, history, start, length, &half))
            return QUICK_FOLLOW_STOPS;
        if (!is_certainly_free(candidate, &half)) {
            *doubtful = half;
            return QUICK_FOLLOW_DOUBTS;
        }
        candidate_take(candidate, &half);
        if (finder->limits.tells_all || decay_finder_at_limit(finder, history, &limit))
            return QUICK_FOLLOW_TELLS;
    }
    return QUICK_FOLLOW_STOPS;
}

const struct quick_follow_loops LANES_TABLE(quick_follow_loops) = {.follow = follow};
