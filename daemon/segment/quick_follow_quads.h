/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loop of quick_follow.c, see quads.h. */

#include "segment/shape_fit_quads.h"

QUADS_TARGET static enum quick_follow_news QUADS_NAME(quick_follow)(struct decay_finder *finder,
                                                                    const struct sample_history *history, double ready,
                                                                    struct half_cycle *doubtful)
{
    struct candidate *candidate = &finder->candidate;
    enum decay_end limit;
    while (candidate->count < candidate->capacity && candidate_next_end(candidate) <= ready) {
        double start = candidate->extrema[candidate->count - 1].position, length = candidate->half_period;
        struct half_cycle half;
        candidate_keep_shape(candidate);
        if (!(candidate->shape.length > 0) || !QUADS_NAME(shape_fit)(&candidate->shape, history, start, length, &half))
            return QUICK_FOLLOW_STOPS;
        half.swing -= candidate_drift(candidate);
        if (!is_plainly_free(candidate, &half)) {
            *doubtful = half;
            return QUICK_FOLLOW_DOUBTS;
        }
        candidate_take(candidate, &half);
        if (finder->limits.tells_all || decay_finder_at_limit(finder, history, &limit))
            return QUICK_FOLLOW_TELLS;
    }
    return QUICK_FOLLOW_STOPS;
}
