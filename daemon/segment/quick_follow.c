/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a decay costs while it runs along, in one loop: the fit, the comparisons and what is learnt. Everything that is
 * in doubt is left to candidate_follow(). */

#include "segment/quick_follow.h"

#include "segment/candidate_learn.h"
#include "segment/spiral.h"
#include "segment/swing_trend.h"

#include <math.h>

/* Whether nothing speaks against a half cycle: it is no smaller than noise, fits the shape, comes in time and with a
 * swing that does not surprise. A swing close to where equal steps lead is no surprise, wherever a ratio leads. */
static inline bool is_plainly_free(const struct candidate *candidate, const struct half_cycle *half)
{
    const double *next = candidate->swing + candidate->count - 1;
    double last = next[-1], before = next[-2], swing = half->swing * candidate->direction;
    double by_noise = 2.2 * candidate->noise * half->root_share;
    double room = 0.015 * last + 1.2 * candidate->step + SURE_SWING * by_noise;
    return swing >= candidate_smallest_here(candidate, half) && swing <= 1.01 * last + 8 * by_noise + candidate->step &&
           swing >= STUCK * last && half->residual <= larger(3 * LEAST_MISFIT * swing, 3 * candidate->noise) &&
           fabs(half->shift) < LOOSE_SHIFT * candidate->half_period && fabs(swing - 2 * last + before) <= room;
}

#define QUADS_SOURCE "segment/quick_follow_quads.h"
#include "segment/quads.h"

enum quick_follow_news finder_follows_quickly(struct decay_finder *finder, const struct sample_history *history,
                                              uint64_t ready, struct half_cycle *half)
{
    const struct candidate *candidate = &finder->candidate;
    size_t count = candidate->count;
    if (!candidate->settled || candidate->quiet > 0 || finder->drained || count <= TABULATED_FROM || ready == 0)
        return QUICK_FOLLOW_STOPS;
    enum quick_follow_news news = QUADS_CALL(quick_follow, finder, history, (double)(int64_t)(ready - 1), half);
    if (candidate->count > count)
        running_half_cycle_restart(&finder->running_half_cycle, candidate);
    return news;
}
