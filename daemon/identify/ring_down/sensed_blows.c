/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/sensed_blows.h"

#include "identify/ring_down/dropout.h"
#include "identify/ring_down/push.h"
#include "identify/ring_down/wild_sample.h"

#include <math.h>
#include <string.h>

/* Onsets that sensors see of one blow lie as near. */
#define ONE_BLOW_S 0.02

static size_t earlier_of(size_t one, size_t other)
{
    return one < other ? one : other;
}

static size_t later_of(size_t one, size_t other)
{
    return one > other ? one : other;
}

/* A drift that is larger than the motion hides blows, and looks like a motion itself: they are then looked for without
 * it. What is taken for drift bends the first samples of a record that begins in its motion, as if something pushed:
 * whether a hammer was still there the samples show as they were measured. */
static enum blow_search search_blows(const struct stretch *stretch, size_t count, struct blow blows[BLOWS_MOST],
                                     size_t *found)
{
    const double rate_hz = stretch->rate_hz;
    const enum blow_search search = blows_of(stretch->raw, stretch->flags, count, rate_hz, blows, BLOWS_MOST, found);
    if ((search != BLOWS_NONE && search != BLOWS_NOTHING_BEFORE) || !stretch_drifts(stretch, count))
        return search;
    const struct blow as_measured = search == BLOWS_NOTHING_BEFORE ? blows[0] : (struct blow){.start = 0};
    const enum blow_search again = blows_of(stretch->level, stretch->flags, count, rate_hz, blows, BLOWS_MOST, found);
    if (again == BLOWS_NOTHING_BEFORE) {
        blows[0].clipped_until = later_of(blows[0].clipped_until, as_measured.clipped_until);
        blows[0].start = earlier_of(later_of(blows[0].clipped_until, as_measured.start), blows[0].end);
    }
    return again;
}

/* What was seen of a hammer is worth more than what was guessed, where the other has samples before the blow at all.
 * Samples that one sensor cannot use nobody uses. */
static void heed_other(const struct blow *other, struct blow *blow)
{
    blow->wild += other->wild;
    if (!other->guessed && other->start > blow->onset && (blow->guessed || other->start > blow->start)) {
        blow->start = earlier_of(other->start, blow->end);
        blow->guessed = false;
    }
    blow->clipped_until = later_of(blow->clipped_until, other->clipped_until);
    blow->start = later_of(blow->start, earlier_of(blow->clipped_until, blow->end));
}

/* False: memory is short. */
static bool heed_others(const struct sensed_blows *of, struct blow *blows, size_t count)
{
    const size_t used = count < BLOWS_MOST ? count : BLOWS_MOST;
    for (size_t m = 1; m < of->sensors; m++) {
        const struct stretch *stretch = of->stretch[m];
        struct blow others[BLOWS_MOST];
        size_t found = 0;
        const enum blow_search search = search_blows(stretch, of->count, others, &found);
        if (search == BLOWS_NO_MEMORY)
            return false;
        found = search == BLOWS_NOTHING_BEFORE ? 1 : found < BLOWS_MOST ? found : BLOWS_MOST;
        for (size_t i = 0; i < used; i++)
            for (size_t k = 0; k < found; k++) {
                if (fabs((double)blows[i].onset - (double)others[k].onset) <= ONE_BLOW_S * stretch->rate_hz)
                    heed_other(&others[k], &blows[i]);
            }
    }
    return true;
}

/* What comes before the blow that a stream was cut at has a record of its own. */
static void leave_out_earlier(const struct sensed_blows *of, struct blow *blows, size_t *found)
{
    const struct stretch *stretch = of->stretch[0];
    const double begins_s = of->seen ? of->seen->begins_s : (double)NAN;
    size_t earlier = 0;
    while (earlier < *found &&
           stretch->start_s + (double)blows[earlier].onset / stretch->rate_hz < begins_s - ONE_BLOW_S)
        earlier++;
    if (earlier == *found)
        return;
    *found -= earlier;
    memmove(blows, blows + earlier, *found * sizeof *blows);
}

static enum ring_down_end end_of(const struct sensed_blows *of)
{
    const enum record_end end = of->seen ? of->seen->ended : RECORD_JUST_ENDS;
    return of->stretch[0]->gap || end == RECORD_GAP ? RING_DOWN_GAP
           : end == RECORD_NEXT_MOTION              ? RING_DOWN_NEXT_BLOW
                                                    : RING_DOWN_RECORD_ENDS;
}

enum verdict sensed_blows_find(const struct sensed_blows *of, struct blow blows[BLOWS_MOST], size_t *found)
{
    const struct stretch *stretch = of->stretch[0];
    static const enum verdict verdicts[] = {
        [BLOWS_FOUND] = VERDICT_OK,
        [BLOWS_NONE] = VERDICT_NO_BLOW,
        [BLOWS_NOTHING_BEFORE] = VERDICT_OK,
        [BLOWS_NOT_FINITE] = VERDICT_NOT_FINITE,
        [BLOWS_NO_SIGNAL] = VERDICT_NO_OSCILLATION,
        [BLOWS_TOO_FEW_SAMPLES] = VERDICT_TOO_FEW_SAMPLES,
        [BLOWS_NO_MEMORY] = VERDICT_NO_MEMORY,
    };
    const enum verdict verdict = verdicts[search_blows(stretch, of->count, blows, found)];
    if (verdict != VERDICT_OK)
        return verdict;
    if (!heed_others(of, blows, *found > 0 ? *found : 1))
        return VERDICT_NO_MEMORY;
    leave_out_earlier(of, blows, found);
    struct blow *last = &blows[*found > 0 ? *found - 1 : 0];
    if (last->ended == RING_DOWN_RECORD_ENDS)
        last->ended = end_of(of);
    return VERDICT_OK;
}

/* A hammer that bounces comes back within this. */
#define COMES_BACK_S 0.25
/* How many samples from one on nobody's stand still in: what goes on behind such is no second contact. */
static int count_moving(const struct sensed_blows *of, const struct blow *blow, size_t *count)
{
    *count = blow->end - blow->start;
    for (size_t m = 0; m < of->sensors; m++) {
        const struct stretch *stretch = of->stretch[m];
        size_t still;
        const int error = dropout_start(stretch->raw + blow->start, *count, stretch->rate_hz, &still);
        if (error)
            return error;
        *count = still;
    }
    return 0;
}

/* The latest that any sensor sees. */
static int find_second(const struct sensed_blows *of, const struct blow *blow, size_t count, struct sensed_push *latest)
{
    *latest = (struct sensed_push){0, 0};
    for (size_t m = 0; m < of->sensors; m++) {
        const struct stretch *stretch = of->stretch[m];
        const double *samples = stretch->raw + blow->start;
        const size_t soon = (size_t)round(COMES_BACK_S * stretch->rate_hz);
        struct sensed_push push;
        const int error = push_first(samples, count, stretch->rate_hz, stretch_step(samples, count),
                                     soon < count ? soon : count, &push);
        if (error)
            return error;
        if (push.until > latest->until)
            *latest = push;
    }
    return 0;
}

/* What is wrong for one or two samples is no contact. */
static int bridge_wild_samples(const struct sensed_blows *of, struct blow *blow)
{
    for (size_t m = 0; m < of->sensors; m++) {
        const struct stretch *stretch = of->stretch[m];
        double *samples = stretch->raw + blow->start;
        const size_t count = blow->end - blow->start;
        size_t bridged;
        const int error = wild_samples_bridge(samples, count, stretch->rate_hz, stretch_step(samples, count), &bridged);
        if (error)
            return error;
        blow->wild += bridged;
    }
    return 0;
}

enum verdict sensed_blows_leave_second(const struct sensed_blows *of, struct blow *blow)
{
    struct sensed_push hit;
    size_t count;
    blow->second = 0;
    if (bridge_wild_samples(of, blow) != 0 || count_moving(of, blow, &count) != 0)
        return VERDICT_NO_MEMORY;
    const struct blow as_it_was = *blow;
    for (int i = 0; i <= PUSHES_MOST; i++) {
        if (find_second(of, blow, count, &hit) != 0)
            return VERDICT_NO_MEMORY;
        if (hit.until == 0 || hit.until >= count)
            return VERDICT_OK;
        blow->second = blow->second > 0 ? blow->second : blow->start + hit.onset;
        blow->start += hit.until;
        count -= hit.until;
    }
    *blow = as_it_was;
    return VERDICT_OK;
}
