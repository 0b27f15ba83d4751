/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loop of glide.c, see quads.h. */

#include "segment/shape_fit_quads.h"

QUADS_TARGET static enum glide_news QUADS_NAME(glide)(struct decay_finder *finder, const struct sample_history *history,
                                                      double hysteresis, double ready, struct half_cycle *doubtful)
{
    struct candidate *candidate = &finder->candidate;
    enum decay_end limit;
    while (candidate->count < candidate->capacity && candidate_next_end(candidate) <= ready) {
        double start = candidate->extrema[candidate->count - 1].position, length = candidate->half_period;
        struct half_cycle half;
        candidate_keep_shape(candidate);
        if (!(candidate->shape.length > 0) || !QUADS_NAME(shape_fit)(&candidate->shape, history, start, length, &half))
            return GLIDE_STOPS;
        half.swing -= candidate_drift(candidate);
        if (!is_plainly_free(candidate, &half) || !watch_is_needless(candidate, &half, hysteresis)) {
            *doubtful = half;
            return GLIDE_DOUBTS;
        }
        candidate_take(candidate, &half);
        if (finder->limits.tells_all || decay_finder_at_limit(finder, history, &limit))
            return GLIDE_TELLS;
    }
    return GLIDE_STOPS;
}
