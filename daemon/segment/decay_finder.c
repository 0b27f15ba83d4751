/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search has two states: it looks for two turning points that may begin a free motion, or follows a candidate half
 * cycle by half cycle. What a candidate is worth is decided by whoever drives it. */

#include "segment/decay_finder.h"

#include "identify/decay/record.h"
#include "segment/candidate_chain.h"
#include "segment/clock_jump.h"
#include "segment/quick_follow.h"
#include "segment/tolerances.h"
#include "segment/vertex.h"

#include <errno.h>
#include <math.h>

/* A fading motion ends when this many half periods pass without a turning point: the next one is due after one of them,
 * and where noise hides it, the one behind it after two. */
#define PAUSE_HALF_PERIODS 3

void decay_finder_init(struct decay_finder *finder, const struct finder_limits *limits)
{
    *finder = (struct decay_finder){.limits = *limits};
    candidate_init(&finder->candidate);
}

void decay_finder_clear(struct decay_finder *finder)
{
    candidate_clear(&finder->candidate);
}

/* The candidate's arrays are kept: they will be needed again. */
void decay_finder_restart(struct decay_finder *finder)
{
    struct candidate kept = finder->candidate;
    *finder = (struct decay_finder){.limits = finder->limits, .candidate = kept, .rhythm = finder->rhythm};
}

/* Two fresh turning points are worth a look when the parabola around the second has its samples. */
static void note_turning_point(struct decay_finder *finder)
{
    const struct turning_points *points = &finder->points;
    if (points->seen < 2)
        return;
    finder->pending = true;
    finder->turning[0] = points->before;
    finder->turning[1] = points->last;
    double between = (double)(points->last.number - points->before.number);
    finder->pending_at = points->last.number + (uint64_t)(VERTEX_OF_HALF_PERIOD * between) + 2;
}

/* Follows what remains of a motion that has been dealt with, by two fresh turning points. A pause ends it. */
static void follow_fading_motion(struct decay_finder *finder, const struct sample_history *history)
{
    double begin = sample_history_position(history, finder->turning[0].number);
    double end = sample_history_position(history, finder->turning[1].number);
    if (begin > finder->fading_until)
        finder->least_new_swing = 0;
    finder->fading_until = fmax(finder->fading_until, end + PAUSE_HALF_PERIODS * (end - begin));
}

/* It tells whether the swing between the turning points is no more than what remains of such a motion. */
static bool belongs_to_fading_motion(const struct decay_finder *finder)
{
    return fabs(finder->turning[1].displacement - finder->turning[0].displacement) < finder->least_new_swing;
}

static enum finder_event begin_candidate(struct decay_finder *finder, const struct sample_history *history,
                                         const struct channel_noise *noise)
{
    finder->pending = false;
    /* A swing that began before the oldest sample held cannot be measured. */
    bool held = finder->turning[0].number >= history->floor;
    if (held)
        follow_fading_motion(finder, history);
    int failed = !held || belongs_to_fading_motion(finder)
                     ? -EDOM
                     : candidate_begin(&finder->candidate, history, finder->turning, noise, &finder->rhythm,
                                       fmax(finder->from, finder->failed_until));
    if (failed == -ENOMEM)
        return FINDER_NO_MEMORY;
    finder->following = failed == 0;
    finder->record_done = false;
    finder->judged_until = 0;
    if (finder->following)
        running_half_cycle_restart(&finder->running_half_cycle, &finder->candidate);
    return finder->following ? FINDER_BEGINS : FINDER_WAITS;
}

/* The next sample in [from, to) that is a spike, or to. */
static uint64_t next_spike(const struct sample_history *history, uint64_t from, uint64_t to)
{
    if (history->flagged <= from)
        return to;
    uint64_t i = from;
    while (i < to && !(sample_history_flags(history, i) & SAMPLE_SPIKE))
        i++;
    return i;
}

/* Follows the turning points up to `limit`, around spikes. */
static void follow_turning_points(struct decay_finder *finder, const struct sample_history *history, double hysteresis,
                                  uint64_t limit)
{
    while (finder->cursor < limit) {
        uint64_t stop = next_spike(history, finder->cursor, limit);
        if (stop == finder->cursor) {
            finder->cursor++;
            continue;
        }
        if (!finder->started)
            turning_points_start(&finder->points, finder->cursor, sample_history_value(history, finder->cursor));
        finder->started = true;
        if (turning_points_follow(&finder->points, history, &finder->cursor, stop, hysteresis)) {
            note_turning_point(finder);
            return;
        }
    }
}

/* Turning points run ahead until two of them are worth a look; then the look comes first, before any further one. */
static enum finder_event search(struct decay_finder *finder, const struct sample_history *history,
                                const struct channel_noise *noise, double hysteresis, uint64_t ready, bool last_chance)
{
    while (finder->cursor < ready || finder->pending) {
        uint64_t limit = finder->pending && finder->pending_at < ready ? finder->pending_at : ready;
        follow_turning_points(finder, history, hysteresis, limit);
        bool due =
            finder->pending && (finder->cursor >= finder->pending_at || (last_chance && finder->cursor >= ready));
        if (due) {
            enum finder_event event = begin_candidate(finder, history, noise);
            if (event != FINDER_WAITS)
                return event;
        } else if (finder->cursor >= ready) {
            break;
        }
    }
    return FINDER_WAITS;
}

/* Judges a half period that is complete and measured. */
static enum candidate_event take_measured(struct decay_finder *finder, const struct sample_history *history,
                                          struct half_cycle *half)
{
    struct candidate *candidate = &finder->candidate;
    double end = candidate_next_end(candidate);
    enum candidate_event event = candidate_follow(candidate, history, end, half);
    if (event == CANDIDATE_GOES_ON)
        running_half_cycle_restart(&finder->running_half_cycle, candidate);
    return event;
}

/* Measures the next half period, which is complete, and judges it. */
static enum candidate_event take_next(struct decay_finder *finder, const struct sample_history *history)
{
    struct candidate *candidate = &finder->candidate;
    struct half_cycle half;
    candidate_measure_next(candidate, history, candidate_next_end(candidate) - candidate->half_period, &half);
    return take_measured(finder, history, &half);
}

/* A pause is no event: it has become a stop when the half period behind it is there. A half period that is not complete
 * yet can show only that the motion turned back too early. */
static enum candidate_event next_event(struct decay_finder *finder, const struct sample_history *history,
                                       double hysteresis, uint64_t ready, bool last_chance)
{
    const struct candidate *candidate = &finder->candidate;
    /* The last half cycle before a gap may be there but for a moment about its extremum. */
    double nearly = last_chance ? NEAR_EXTREMUM : 0;
    while (candidate_has_next(candidate, history, nearly, ready)) {
        enum candidate_event event = candidate->still ? CANDIDATE_STOPPED : take_next(finder, history);
        if (event != CANDIDATE_PAUSES)
            return event;
    }
    if (decay_finder_waits(finder, history, ready) && !last_chance)
        return CANDIDATE_WAITS;
    return running_half_cycle_sees_turn(&finder->running_half_cycle, candidate, history, hysteresis, ready)
               ? CANDIDATE_DISTURBED
               : CANDIDATE_WAITS;
}

/* That a hand caught the mass is told later, of the whole motion (ending.h). */
static enum decay_end why_stopped(struct candidate *candidate)
{
    candidate_trim(candidate);
    return candidate_came_to_rest(candidate) ? DECAY_END_REST : DECAY_END_NOISE_FLOOR;
}

/* It tells what the end of a candidate means. */
static enum finder_event tell_end(struct candidate *candidate, enum candidate_event event, struct finder_end *end)
{
    size_t count;
    *end = (struct finder_end){.by = DECAY_END_NEW_EXCITATION};
    switch (event) {
    case CANDIDATE_PAUSES:
    case CANDIDATE_WAITS:
    case CANDIDATE_GOES_ON:
        break;
    case CANDIDATE_STOPPED:
        end->by = why_stopped(candidate);
        break;
    case CANDIDATE_DISTURBED:
        candidate_trim(candidate);
        break;
    case CANDIDATE_IRREGULAR:
        end->irregular = true;
        break;
    /* Beats grow smoothly; a blow leaves a trace in the half cycle before. */
    case CANDIDATE_GREW:
        count = candidate->count;
        candidate_trim(candidate);
        end->grew = candidate->count == count;
        break;
    case CANDIDATE_CLIPPED:
        end->by = DECAY_END_CLIPPED;
        break;
    case CANDIDATE_NO_MEMORY:
        return FINDER_NO_MEMORY;
    }
    return FINDER_ENDS;
}

/* A half cycle that did not follow as it should may be one during which the recorder's clock jumped while the motion
 * went on. */
static enum candidate_event bridge_clock_jump(struct decay_finder *finder, const struct sample_history *history,
                                              uint64_t ready, bool last_chance, enum candidate_event event)
{
    const enum candidate_event bridged = candidate_bridge_clock_jump(&finder->candidate, history, ready, last_chance);
    if (bridged == CANDIDATE_WAITS)
        finder->judged_until = candidate_clock_jump_needs(&finder->candidate);
    if (bridged == CANDIDATE_GOES_ON)
        running_half_cycle_restart(&finder->running_half_cycle, &finder->candidate);
    return bridged == CANDIDATE_DISTURBED ? event : bridged;
}

/* It tells whether the first half cycles are measured again now: the timing is known, or no half cycle will be added
 * before the record is cut. */
static bool may_refine_start(const struct decay_finder *finder, const struct sample_history *history, bool goes_on)
{
    enum decay_end limit;
    return !goes_on || candidate_half_cycles(&finder->candidate) >= CANDIDATE_TIMING_KNOWN ||
           decay_finder_at_limit(finder, history, &limit);
}

/* Goes from half cycle to half cycle until the caller has to be told of one. */
static enum finder_event follow(struct decay_finder *finder, const struct sample_history *history, double hysteresis,
                                uint64_t ready, bool last_chance, struct finder_end *end)
{
    struct candidate *candidate = &finder->candidate;
    enum decay_end limit;
    do {
        struct half_cycle half;
        enum quick_follow_event quick_follow = finder_follows_quickly(finder, history, ready, &half);
        const size_t count = candidate->count;
        if (quick_follow == QUICK_FOLLOW_TELLS)
            return FINDER_HALF_CYCLE;
        enum candidate_event event = CANDIDATE_PAUSES;
        if (quick_follow == QUICK_FOLLOW_DOUBTS)
            event = take_measured(finder, history, &half);
        if (event == CANDIDATE_PAUSES)
            event = next_event(finder, history, hysteresis, ready, last_chance);
        if ((event == CANDIDATE_DISTURBED || event == CANDIDATE_IRREGULAR) && candidate->count == count)
            event = bridge_clock_jump(finder, history, ready, last_chance, event);
        if (event == CANDIDATE_WAITS)
            return FINDER_WAITS;
        bool goes_on = event == CANDIDATE_GOES_ON;
        if (!candidate->start_refined && may_refine_start(finder, history, goes_on) &&
            candidate_refine_start(candidate, history, finder->from))
            return FINDER_NO_MEMORY;
        if (!goes_on)
            return tell_end(candidate, event, end);
    } while (!finder->limits.tells_all && !finder->record_done && !decay_finder_at_limit(finder, history, &limit));
    return FINDER_HALF_CYCLE;
}

enum finder_event decay_finder_step(struct decay_finder *finder, const struct sample_history *history,
                                    const struct channel_noise *noise, double hysteresis, uint64_t ready,
                                    bool last_chance, struct finder_end *end)
{
    if (finder->following)
        return follow(finder, history, hysteresis, ready, last_chance, end);
    return search(finder, history, noise, hysteresis, ready, last_chance);
}

bool decay_finder_cut_off(struct decay_finder *finder, const struct sample_history *history, enum decay_end reason,
                          struct finder_end *end)
{
    struct candidate *candidate = &finder->candidate;
    bool done = candidate_refine_start(candidate, history, finder->from) == 0;
    *end = (struct finder_end){.by = candidate->still ? why_stopped(candidate) : reason};
    return done;
}

void decay_finder_resume(struct decay_finder *finder, const struct sample_history *history, enum candidate_fate fate,
                         double least_new_swing)
{
    struct candidate *candidate = &finder->candidate;
    size_t count = candidate->count;
    uint64_t number = finder->turning[1].number;
    /* The search never goes back to before the second turning point, for the candidate would be noticed again. */
    if (count > 1) {
        size_t back = fate == CANDIDATE_KEEPS_MOTION ? count - 1 : count - 2;
        uint64_t seen = sample_history_at(history, candidate->extrema[back].position);
        number = seen > number ? seen : number;
    }
    /* Nor does it go back to samples that were let go: the second turning point of a motion that grew may be long gone.
     */
    number = sample_history_in_sight(history, number);
    /* The next candidate may have the end of this one, but not the whole of it once more. */
    if (fate == CANDIDATE_DROPPED)
        finder->failed_until = fmax(finder->failed_until, candidate->extrema[count - 2].position -
                                                              VERTEX_OF_HALF_PERIOD * candidate->half_period);
    if (fate == CANDIDATE_KEEPS_MOTION && count > 0) {
        finder->from = candidate->extrema[count - 1].position;
        finder->least_new_swing = least_new_swing;
        finder->fading_until = finder->from + PAUSE_HALF_PERIODS * candidate->half_period;
    }
    finder->following = finder->record_done = finder->pending = false;
    finder->cursor = number;
    turning_points_start(&finder->points, number, sample_history_value(history, number));
}
