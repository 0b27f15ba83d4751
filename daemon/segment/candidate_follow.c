/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Is the next half cycle still free motion? That is asked of each half cycle, and answered with the shape of the decay,
 * the rhythm so far and the swing before. What is learnt on the way (noise, damping, timing) makes the next answer
 * stricter. */

#include "segment/candidate_chain.h"

#include "segment/candidate_learn.h"
#include "segment/chunk.h"
#include "segment/extremes.h"
#include "segment/swing_trend.h"
#include "segment/tolerances.h"

#include <math.h>

/* Swings of so many times the smallest that shows are timed well. */
#define TIMED_SWING_RATIO ((double)TIMED_DEVIATIONS / CERTAIN_DEVIATIONS)

/* Behind a half period of fewer samples there is another one as soon as it is seen, for samples come in chunks of as
 * many. */
#define SHORT_HALF_PERIOD_SAMPLES CHUNK
/* A motion ends by friction where its x_k is more than this part of the smallest swing that shows: a swing loses about
 * four x_k to friction, so that none of this size would follow another one. */
#define FRICTION_OF_SMALLEST 0.2

enum {
    KNOWN_FROM = 3,     /* half cycles after which a blow can be told: of three swings one is in the middle */
    LATEST_MISFITS = 6, /* that tell what this motion's half cycles are like, and those that follow each other */
    /* One of so few swings may have been changed by a blow that went unnoticed. */
    FEW_SWINGS = LATEST_MISFITS + KNOWN_FROM,
};

/* Only the latest swings tell the law, for what the first ones are off by is more than friction takes from the last. */
static struct decay_law latest_law(const struct candidate *candidate)
{
    size_t swings = candidate->count - 1, latest = swings < DECAY_LAW_SWINGS ? swings : DECAY_LAW_SWINGS;
    return decay_law_fit(candidate->swing + swings - latest, latest);
}

/* It tells whether friction holds the mass. It does where the law of its swings lets none follow, and where the next
 * one would be so much larger than what is seen that this is hum, for break-away takes more than sliding. */
static bool friction_holds(const struct candidate *candidate, double swing)
{
    size_t swings = candidate->count - 1;
    if (swings < FEWEST_SWINGS_FOR_LAW)
        return false;
    struct decay_law law = latest_law(candidate);
    double next = decay_law_next(&law, candidate->swing[swings - 1]);
    return !(next > 0) || swing < STICTION_SWING_RATIO * next;
}

/* The first of the few half cycles before `last` that tell what this motion's are like. */
static size_t latest_before(size_t last)
{
    return last > LATEST_MISFITS ? last - LATEST_MISFITS : 0;
}

/* The mean of the residuals of a few half cycles before `last`. */
static double usual_residual(const struct candidate *candidate, size_t last)
{
    size_t first = latest_before(last);
    double sum = 0;
    for (size_t i = first; i < last; i++)
        sum += candidate->residual[i];
    return sum / (double)(last - first);
}

/* It tells how far the third of three swings is from what the two before it let expect: the next one under friction
 * alone, and under viscous damping alone, which never leaves less; real ones lie between. */
static double swing_departure(const double swing[3])
{
    double by_ratio = swing[1] * swing[1] / swing[0], by_step = 2 * swing[1] - swing[0];
    double below = by_step - swing[2], above = swing[2] - by_ratio;
    return larger(larger(below, above), 0);
}

/* The largest departure among a few swings before `last`: hum and drift make some in every half cycle. */
static double usual_swing_departure(const struct candidate *candidate, size_t last)
{
    double largest = 0;
    for (size_t i = latest_before(last); i + 2 < last; i++)
        largest = larger(largest, swing_departure(&candidate->swing[i]));
    return largest;
}

/* A blow, or a hand that touches the mass, may show as a kink: the half cycle does not fit its shape. */
static bool departs_in_shape(const struct half_cycle *half, double noisy)
{
    double swing = fabs(half->swing);
    return half->residual > larger(DEPARTURE_OF_SWING * swing, noisy);
}

/* A blow may also show as a swing that does not follow from those before it. */
static bool departs_in_swing(const struct candidate *candidate, const struct half_cycle *half)
{
    size_t swings = candidate->count - 1;
    double last = candidate->swing[swings - 1];
    const double three[3] = {candidate->swing[swings - 2], last, fabs(half->swing)};
    double departure = swing_departure(three), room = candidate_bend_allowed(candidate, half->root_share);
    /* The noise alone nearly always decides; what the half cycles before were like can only forgive more. */
    return departure > room && departure > room + UNLIKE_OTHERS_RATIO * usual_swing_departure(candidate, swings);
}

/* Asked once the candidate has half cycles enough to tell what they are like. */
static bool is_disturbed(const struct candidate *candidate, const struct half_cycle *half, double noisy)
{
    return candidate_half_cycles(candidate) >= KNOWN_FROM &&
           (departs_in_shape(half, noisy) || departs_in_swing(candidate, half));
}

/* It tells whether hum moves the extrema: the motion has nearly gone, and its latest half cycle came out of time
 * already. A blow moves none that comes before it. */
static bool hum_moves_extrema(const struct candidate *candidate)
{
    return candidate_last_swing(candidate) < FADED_SWING_OF_FIRST * candidate->swing[0] &&
           candidate->latest_shift > EXTREMUM_UNCERTAINTY;
}

/* It tells how the half cycle that follows the last extremum is to be taken. Whatever makes this stricter must hold for
 * quick_follow.c as well, which takes in what nothing here speaks against. From the clearest answer to the least:
 * stopped, disturbed, out of time, grown, and only then free. */
static enum candidate_event judge(const struct candidate *candidate, const struct half_cycle *half)
{
    double before = candidate->swing[candidate->count - 2];
    double swing = half->swing * candidate->direction;
    double smallest = candidate_smallest_among(candidate, half->root_share);
    double noisy = candidate_residual_by(candidate->noise, candidate->step);
    if (fabs(swing) < smallest)
        return CANDIDATE_STOPPED;
    bool held = swing < STICTION_SWING_RATIO * before && friction_holds(candidate, swing);
    if (held && half->residual <= larger(noisy, STICTION_RESIDUAL_OF_SWING * before))
        return CANDIDATE_STOPPED;
    if (swing < smallest)
        return CANDIDATE_DISTURBED;
    bool uncertain = swing < TIMED_SWING_RATIO * smallest || candidate->count < 4 || hum_moves_extrema(candidate);
    if (is_disturbed(candidate, half, noisy))
        return CANDIDATE_DISTURBED;
    if (fabs(half->shift) > (uncertain ? MOST_SHIFT_AT_FIRST : MOST_SHIFT_LATER) * candidate->half_period)
        return CANDIDATE_IRREGULAR;
    double slack = candidate_swing_slack(candidate, candidate_swing_uncertainty(candidate, half));
    /* Hum lets the swings of a decay rise and fall; beats and a forced motion are told by less. */
    if (before < HALF_OF_FIRST * candidate->swing[0])
        slack = larger(slack, HUM_OF_TWO_SWINGS * candidate->swing[0]);
    return swing <= (1 + GROWTH_OF_SWING) * before + slack ? CANDIDATE_GOES_ON : CANDIDATE_GREW;
}

static bool is_clipped(const struct sample_history *history, double start, double end)
{
    return sample_history_clipped_within(history, sample_history_at(history, start), sample_history_at(history, end));
}

/* The first half cycle begins when the mass is let go, which is not well known, so that it may pass for a longer one.
 * The second, which begins at a crest, tells its own length. */
static void correct_length(struct candidate *candidate, const struct sample_history *history, double start,
                           struct half_cycle *half)
{
    double shift = half->shift, length = candidate->half_period;
    if (candidate->count != 2 || !half->usable || !(shift < -NEAR_EXTREMUM * length))
        return;
    struct half_cycle other;
    double shorter = length + shift;
    if (shorter < length / 2)
        return;
    candidate_measure(candidate, history, start, shorter, &other);
    if (!other.usable || !(other.residual < half->residual))
        return;
    *half = other;
    candidate->half_period = shorter;
}

/* It tells whether one of the last swings departs from the law because a blow went unnoticed. The record will end
 * there, which was a while ago, so that the decision must not wait. */
static bool was_hit(const struct candidate *candidate)
{
    size_t swings = candidate->count - 1;
    const double *swing = candidate->swing;
    double room = larger(larger(HUM_SPAN_AT_MOST * swing[0], BEND_DEVIATIONS * candidate->noise_least),
                         STEPS_OF_SWING * candidate->step);
    bool hit = false;
    for (size_t j = latest_before(swings); j + 2 < swings && swings <= FEW_SWINGS; j++)
        hit = hit || swing_departure(&swing[j]) > room;
    return hit;
}

/* It tells whether one half period more is waited for behind a stop: how a decay ended is judged by what comes behind
 * it (ending.h). One or two half cycles are no decay that could come to rest, and a decay that begins during the wait
 * might be missed. */
static bool is_worth_waiting(const struct candidate *candidate)
{
    return candidate->count > 3 && candidate->half_period >= SHORT_HALF_PERIOD_SAMPLES && !was_hit(candidate);
}

/* Learning comes last: a half cycle that was not taken must not change what the next one is judged by. */
enum candidate_event candidate_follow(struct candidate *candidate, const struct sample_history *history, double end,
                                      struct half_cycle *half)
{
    double start = end - candidate->half_period;
    correct_length(candidate, history, start, half);
    if (!half->usable)
        return is_clipped(history, start, end) ? CANDIDATE_CLIPPED : CANDIDATE_DISTURBED;
    enum candidate_event event = judge(candidate, half);
    if (event == CANDIDATE_STOPPED) {
        candidate->still = true;
        return is_worth_waiting(candidate) ? CANDIDATE_PAUSES : CANDIDATE_STOPPED;
    }
    if (event != CANDIDATE_GOES_ON)
        return event;
    if (candidate_make_room(candidate))
        return CANDIDATE_NO_MEMORY;
    candidate_take(candidate, half);
    size_t last;
    double half_period;
    if (!candidate_may_leave_trend(candidate) || !candidate_left_trend(candidate, &last, &half_period))
        return CANDIDATE_GOES_ON;
    candidate_forget_after(candidate, last);
    candidate->half_period = half_period;
    return CANDIDATE_DISTURBED;
}

/* Friction shows in an x_k that the law needs. */
bool candidate_came_to_rest(const struct candidate *candidate)
{
    double smallest = candidate_smallest_swing(candidate);
    struct decay_law law = latest_law(candidate);
    return law.x_k > FRICTION_OF_SMALLEST * smallest;
}

void candidate_trim(struct candidate *candidate)
{
    size_t swings = candidate->count - 1;
    if (swings < 3)
        return;
    double last = candidate->residual[swings - 1], swing = candidate->swing[swings - 1];
    const double *before = &candidate->swing[swings - 3];
    double room = larger(larger(CLEAN_MISFIT_OF_SWING * before[1], BEND_DEVIATIONS * candidate->noise),
                         STEPS_OF_SWING * candidate->step);
    room = larger(room, UNLIKE_OTHERS_RATIO * usual_swing_departure(candidate, swings - 1));
    double allowed = UNLIKE_OTHERS_RATIO * larger(usual_residual(candidate, swings - 1), LEAST_MISFIT_OF_SWING * swing);
    if (last <= larger(allowed, STEPS_OF_ROUNDING * candidate->step) && swing_departure(before) < room)
        return;
    candidate->count--;
}
