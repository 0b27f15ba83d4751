/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loop of glide.c, see quads.h. */

#include "segment/shape_fit_quads.h"

QUADS_TARGET static bool QUADS_NAME(glide)(struct decay_finder *finder, const struct sample_history *history,
                                           double hysteresis, double ready)
{
    struct candidate *candidate = &finder->candidate;
    struct half_cycle half;
    enum decay_end limit;
    while (candidate->count < candidate->capacity && candidate_next_end(candidate) <= ready) {
        double start = candidate->extrema[candidate->count - 1].position, length = candidate->half_period;
        candidate_keep_shape(candidate);
        if (!(candidate->shape.length > 0) || !QUADS_NAME(shape_fit)(&candidate->shape, history, start, length, &half))
            return false;
        half.swing -= candidate_drift(candidate);
        if (!is_plainly_free(candidate, &half) || !watch_is_needless(candidate, &half, hysteresis))
            return false;
        candidate_take(candidate, &half);
        if (finder->limits.tells_all || decay_finder_at_limit(finder, history, &limit))
            return true;
    }
    return false;
}
