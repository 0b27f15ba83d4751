/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every sample of every decay would pass here, so most looks ask for the extremes of a chunk only, and the fit of a
 * short half cycle that is there at once saves them all. */

#include "segment/watch.h"

#include "segment/candidate_chain.h"
#include "segment/chunk.h"
#include "segment/extremes.h"

#include <math.h>

/* A free half cycle does not turn back by this part of the last swing before its end. */
#define TURNED_BACK 0.3
/* … nor by more than hum of 1 % of X_0, of the first swing. */
#define HUM_SPANS 0.012
/* How often that is looked at, in half periods. */
#define LOOKS 0.125

void watch_restart(struct watch *watch, const struct candidate *candidate)
{
    /* One that is shorter than a chunk is over before a second look. */
    bool brief = candidate->half_period < CHUNK;
    double start = candidate->extrema[candidate->count - 1].position;
    *watch = (struct watch){.look_at = start + (brief ? 1 : LOOKS) * candidate->half_period};
}

void watch_go_on(struct watch *watch, const struct sample_history *history, double position)
{
    watch->begun = true;
    watch->next = sample_history_at(history, position);
}

static double last_swing(const struct candidate *candidate)
{
    return candidate->swing[candidate->count - 2];
}

/* Way back from the furthest place that a half cycle may take. */
static double allowed_back(const struct candidate *candidate, double hysteresis)
{
    return larger(larger(3 * hysteresis, HUM_SPANS * candidate->swing[0]), TURNED_BACK * last_swing(candidate));
}

/* What a running half cycle, or a pause, must not do. */
struct bounds {
    double sign, level; /* the mass moves from `level` on, in this direction */
    double back;        /* way back from the furthest place; INFINITY: any */
    double away;        /* way from the level, to either side; likewise */
};

static bool leaves(struct watch *watch, const struct bounds *bounds, const double *sample, size_t count)
{
    double level = bounds->sign * bounds->level, furthest = watch->progress, back = 0, away = 0;
    for (size_t i = 0; i < count; i++) {
        double progress = bounds->sign * sample[i] - level;
        furthest = larger(progress, furthest);
        back = larger(furthest - progress, back);
        away = larger(fabs(progress), away);
    }
    watch->progress = furthest;
    return back > bounds->back || away > bounds->away;
}

/* A chunk whose extremes are within bounds in any order is not looked at closer. */
static bool chunk_leaves(struct watch *watch, const struct bounds *bounds, const double *sample)
{
    double lowest, highest;
    chunk_range(sample, &lowest, &highest);
    lowest -= bounds->level;
    highest -= bounds->level;
    double furthest = larger(bounds->sign > 0 ? highest : -lowest, watch->progress);
    double least = bounds->sign > 0 ? lowest : -highest;
    if (furthest - least > bounds->back || larger(highest, -lowest) > bounds->away)
        return leaves(watch, bounds, sample, CHUNK);
    watch->progress = furthest;
    return false;
}

/* Flagged samples are passed over. */
static bool leaves_until(struct watch *watch, const struct sample_history *history, const struct bounds *bounds,
                         uint64_t limit)
{
    while (watch->next < limit) {
        const double *sample = history->displacement + (watch->next - history->first);
        bool unflagged = history->flagged <= watch->next;
        uint64_t count = !unflagged ? 1 : limit - watch->next < CHUNK ? limit - watch->next : CHUNK;
        bool spoilt = !unflagged && sample_history_flags(history, watch->next);
        if (count == CHUNK ? chunk_leaves(watch, bounds, sample)
                           : !spoilt && leaves(watch, bounds, sample, (size_t)count))
            return true;
        watch->next += count;
    }
    return false;
}

bool watch_sees_turn(struct watch *watch, const struct candidate *candidate, const struct sample_history *history,
                     double hysteresis, uint64_t ready)
{
    const struct candidate_extremum *start = &candidate->extrema[candidate->count - 1];
    bool pauses = candidate->quiet > 0;
    const struct bounds bounds = {
        .sign = candidate->direction,
        .level = start->level,
        .back = pauses ? INFINITY : allowed_back(candidate, hysteresis),
        .away = pauses ? 2 * larger(last_swing(candidate), hysteresis) : INFINITY,
    };
    if (ready == 0)
        return false;
    if (!watch->begun)
        watch->next = sample_history_at(history, start->position);
    watch->begun = true;
    uint64_t end = sample_history_at(history, candidate_next_end(candidate));
    watch->look_at = sample_history_position(history, ready - 1) + LOOKS * candidate->half_period;
    return leaves_until(watch, history, &bounds, end < ready ? end : ready);
}

bool watch_is_needless(const struct candidate *candidate, const struct half_cycle *half, double hysteresis)
{
    const struct candidate_extremum *start = &candidate->extrema[candidate->count - 1];
    if (candidate->quiet > 0 || !half->usable || !(half->swing * candidate->direction > 0))
        return false;
    double most = half->most_back + fabs(half->start - start->level) + fabs(candidate_drift(candidate));
    return most <= allowed_back(candidate, hysteresis);
}
