/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search follows a motion forwards and judges half cycle by half cycle; here its end is looked back on. A motion
 * that sinks into the noise goes on by its law, as far as can be seen; one that comes to rest stays at its last
 * extremum, which lies where friction can hold the mass; one that does neither was caught or hit. */

#include "segment/ending.h"

#include "segment/candidate_chain.h"
#include "segment/extremes.h"
#include "segment/last_motion.h"
#include "segment/tolerances.h"

#include <math.h>

/* A half cycle that is not of a motion departs from it by this many times what its own half cycles do, and by this many
 * standard uncertainties of what is expected. The worst of a dozen half cycles is compared with one or two, of some 16
 * means each: chance alone makes it half as much more now and then. */
#define WORST_HALF_CYCLES 1.8
#define SURE_DEVIATIONS 3
/* A blow or a hand that is known to have ended a motion had begun in the last half cycle where that leaves this many
 * times what the half cycles before it leave: less is asked than where nothing is known. */
#define WORST_HALF_CYCLES_BEFORE 1.3
/* A departure after few half cycles must be this many times larger: slow hum bends them all alike, so that they predict
 * badly. With 1.4 a mass that friction stops before it crosses zero loses its last half cycle, and with that the place
 * where it rests. */
#define STRICTER_AFTER_FEW 2.5
/* A name after few half cycles asks for this much more: what came behind the record is seen as well. Without it a
 * seismometer whose half periods are uneven loses a half cycle, which the ones before predict badly, at 7 of 31 places
 * where its recording may begin; with 2 here and above three more of 4452 decays are misnamed. */
#define STRICTER_FOR_NAME_AFTER_FEW 1.4
/* A motion of few half cycles that is predicted less surely than to this part of its last swing does not say how it
 * ended: whatever came next, the half cycles of noise among it, would agree with it. */
#define PREDICTED_OF_SWING 0.2
/* Friction can hold the mass within this many x_k: break-away takes up to twice as much as sliding. */
#define BREAK_AWAY_OF_X_K 2
/* A motion that stops beyond this, unseen, had no friction that counts: one x_k more, for it is not well known. */
#define STOP_WITHIN_X_K 3
/* A mass that stands still for so many half periods is at rest, whatever a hand does then: free it would have swung. */
#define REST_HALF_PERIODS 1

/* So many half cycles, each of five means or more, tell a motion of seven parameters. */
enum { FEWEST_HALF_CYCLES = 3 };

static const struct remaining_half_cycles until_friction_stops = {0, INFINITY};

/* It tells whether a departure is more than `times` what noise and the uncertainty of the motion let expect, and more
 * than `least`, which hum and steps make. */
static bool departs(const struct departure *departure, double times, double least)
{
    double noise = (WORST_HALF_CYCLES + SURE_DEVIATIONS / sqrt((double)departure->means + 1)) * departure->worst_rms;
    double expected = times * hypot(noise, SURE_DEVIATIONS * departure->expected);
    return departure->means > 0 && departure->rms > larger(expected, least);
}

/* It tells whether a law is told by so few half cycles that little of it is checked. */
static bool are_few(size_t half_cycles)
{
    return half_cycles < ENDING_LAW_AND_CHECK;
}

/* It tells whether the last half cycle leaves the law of those before it, from which it departs by so much. */
static bool leaves_law(const struct ending *ending, const struct last_motion *motion, const struct departure *departure)
{
    double least = DEPARTURE_OF_SWING * ending->candidate->swing[ending->last - 1];
    double times = are_few(motion->half_cycles - 1) ? STRICTER_AFTER_FEW : 1;
    return departs(departure, times, least);
}

/* It tells whether what ended a motion may have begun in its last half cycle already: less than what would tell it by
 * itself. */
static bool began_before(const struct departure *departure)
{
    return departure->rms > hypot(WORST_HALF_CYCLES_BEFORE * departure->worst_rms, departure->expected);
}

/* It names the end of a motion that went on until it was not seen any more: friction shows in what it takes from the
 * swings, and stops the mass not far from the middle. */
static enum decay_end unseen_end(const struct last_motion *motion)
{
    double x_k = fabs(motion->parameter[MOTION_X_K]), x = fabs(last_motion_extremum(motion, 0));
    return x < STOP_WITHIN_X_K * x_k ? DECAY_END_REST : DECAY_END_NOISE_FLOOR;
}

/* It tells whether friction can hold the mass there. */
static bool can_hold(const struct last_motion *motion)
{
    double x_k = fabs(motion->parameter[MOTION_X_K]), variance = last_motion_end_variance(motion);
    double uncertainty = motion->rms * sqrt(larger(variance, 0));
    return fabs(last_motion_extremum(motion, 0)) <= BREAK_AWAY_OF_X_K * x_k + SURE_DEVIATIONS * uncertainty;
}

/* It tells whether the mass came to rest where the record ends. */
static bool came_to_rest(const struct last_means *means, const struct last_motion *motion, double times, double least)
{
    const struct remaining_half_cycles at_once = {0, 0};
    struct departure rest = last_motion_departure(means, motion, &at_once, REST_HALF_PERIODS);
    return can_hold(motion) && !departs(&rest, times, least);
}

/* It names the end of a motion that was fitted to the half cycles whose swings begin at `swing`. */
static enum decay_end name_of(const double *swing, double step, const struct last_means *means,
                              const struct last_motion *motion, enum decay_end by)
{
    bool few = are_few(motion->half_cycles);
    double times = few ? STRICTER_FOR_NAME_AFTER_FEW : 1;
    double last = swing[motion->half_cycles - 1];
    struct departure on = last_motion_departure(means, motion, &until_friction_stops, ENDING_HALF_PERIODS_BEHIND);
    bool goes_on = !departs(&on, times, larger(CLEAN_MISFIT_OF_SWING * last, STEPS_OF_RESIDUAL * step));
    bool stopped = by == DECAY_END_REST || by == DECAY_END_NOISE_FLOOR || by == DECAY_END_NEW_EXCITATION;
    bool vague = few && SURE_DEVIATIONS * on.expected > PREDICTED_OF_SWING * last;
    if (goes_on)
        return stopped && !vague ? unseen_end(motion) : by;
    if (!came_to_rest(means, motion, times, SLOW_HUM_OF_FIRST * swing[0]))
        return DECAY_END_NEW_EXCITATION;
    /* A stream that is cut is cut, although the mass rests. */
    return stopped ? DECAY_END_REST : by;
}

enum decay_end ending_name(const struct ending *ending, enum decay_end by, size_t *last)
{
    const struct candidate_extremum *extrema = ending->candidate->extrema;
    size_t half_cycles = ending->last - ending->first;
    *last = ending->last;
    if (half_cycles > LAST_HALF_CYCLES)
        half_cycles = LAST_HALF_CYCLES;
    if (half_cycles < FEWEST_HALF_CYCLES)
        return by;
    double start = extrema[ending->last - half_cycles].position;
    double length = (extrema[ending->last].position - start) / (double)half_cycles;
    struct last_means means;
    struct last_motion motion = {.half_cycles = 0};
    last_means_take(ending->history, start, length, ending->ready, &means);
    if (!last_motion_fit(&means, half_cycles, &motion))
        return by;
    struct departure departure = {.means = 0};
    bool predicted = half_cycles > FEWEST_HALF_CYCLES && last_motion_predict_last(&motion, &departure);
    bool last_departs = predicted && leaves_law(ending, &motion, &departure),
         began_in_last = predicted && began_before(&departure);
    enum decay_end name = DECAY_END_NEW_EXCITATION;
    if (!last_departs || last_motion_fit(&means, half_cycles - 1, &motion))
        name = name_of(ending->candidate->swing + ending->last - half_cycles, ending->step, &means, &motion,
                       last_departs ? DECAY_END_NEW_EXCITATION : by);
    if (last_departs || (name == DECAY_END_NEW_EXCITATION && began_in_last))
        --*last;
    return name;
}
