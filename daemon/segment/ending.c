/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The search follows a motion forwards and judges half cycle by half cycle; here its end is looked back on. A motion
 * that sinks into the noise goes on by its law, as far as can be seen; one that comes to rest stays at its last
 * extremum, which lies where friction can hold the mass; one that does neither was caught or hit. */

#include "segment/ending.h"

#include "segment/extremes.h"
#include "segment/last_motion.h"

#include <math.h>

/* What is not of a motion departs from it by this many times what its own half cycles do, and by this many standard
 * uncertainties of what is expected. The worst of a dozen half cycles is compared with one or two, of some 16 means
 * each: chance alone makes it half as much more now and then. */
#define RIPPLES 1.8
#define CHANCE 2
#define SURE 3
/* A half cycle of the record must also depart by this part of its swing, and this many times more than the one before
 * did; one that was not the last by this part. */
#define PART 0.008
#define USUAL 2.5
#define PART_BEFORE 0.04
/* One before a motion that is not free, this many times what its own half cycles do. */
#define TRACE 1.3
/* Few half cycles foretell badly: slow hum bends them all alike. */
#define FEW_STRICT 2.5
/* A name asks for so much more certainty, after few half cycles and after more. */
#define NAME_STRICT 1.1
#define NAME_FEW_STRICT 1.4
/* What a motion that goes on may depart by anyhow, relative to the last swing; a mass at rest, because slow hum and
 * drift show more then, relative to the first swing of the fit. A mass at rest is off by up to a step: only motion
 * averages rounding. */
#define MODEL 0.004
#define SLOW_HUM 0.006
#define ROUNDING 0.6
/* Where friction can hold the mass, relative to x_k: break-away takes more than sliding. */
#define BREAK_AWAY 2
/* A motion that stops beyond this, unseen, had no friction that counts. */
#define STOPS_WITHIN 3
/* Half periods after the end in which the decision must fall: two periods, of which strong damping makes half periods
 * 2 % longer; and samples that arrive before they are looked at. */
#define IN_TIME 3.9
#define LAG 6

/* What is foretold less surely than this part of the last swing tells nothing. */
#define VAGUE 0.2
/* A last swing that is so many times the smallest that shows is no noise. */
#define CLEAR 2.2
/* Half periods behind the record that are looked at. */
#define SEEN_AFTER 2
/* Half periods in which a mass that stands still is at rest, whatever a hand does then: free it would have swung. */
#define RESTED 1

enum { FEWEST = 3, FEW_HALF_CYCLES = 6, MOST_BEHIND = 4, ENOUGH = 3 };

/* Until friction stops the mass. */
static const struct last_course freely = {0, INFINITY};

/* Whether it is more than this many times what noise, hum, steps and uncertainty let expect, and than this. */
static bool departs(const struct departure *departure, double times, double least)
{
    double noise = (RIPPLES + CHANCE / sqrt((double)departure->means + 1)) * departure->ripple;
    double expected = times * hypot(noise, SURE * departure->expected);
    return departure->means > 0 && departure->rms > larger(expected, least);
}

/* A half cycle, and how it differs from what the ones before it foretell. */
struct forecast {
    bool known;
    size_t half_cycle;
    struct departure departure;
};

static struct forecast forecast_of(const struct last_motion *motion, size_t half_cycle)
{
    struct forecast forecast = {.half_cycle = half_cycle};
    forecast.known = half_cycle >= FEWEST && last_motion_foretell(motion, half_cycle, &forecast.departure);
    return forecast;
}

static bool leaves_law(const struct forecast *here, const struct forecast *before, double least)
{
    if (!here->known || !departs(&here->departure, here->half_cycle < FEW_HALF_CYCLES ? FEW_STRICT : 1, least))
        return false;
    double usual = before->known ? larger(before->departure.rms, SURE * before->departure.expected) : 0;
    return here->departure.rms > USUAL * usual;
}

/* Half cycles of a motion up to the first that leaves the law, if one of the last few does. */
static size_t lawful(const struct ending *ending, const struct last_motion *motion)
{
    const double *swing = ending->candidate->swing + ending->last;
    size_t count = motion->half_cycles, found = count;
    struct forecast here = forecast_of(motion, count - 1);
    for (size_t back = 1; back <= MOST_BEHIND && here.known; back++) {
        struct forecast before = forecast_of(motion, count - back - 1);
        if (leaves_law(&here, &before, (back > 1 ? PART_BEFORE : PART) * swing[-(ptrdiff_t)back]))
            found = count - back;
        here = before;
    }
    return found;
}

/* Whether what ended a motion may have begun in its last half cycle already: less than what would tell it by itself. */
static bool began_before(const struct last_motion *motion)
{
    struct forecast last = forecast_of(motion, motion->half_cycles - 1);
    return last.known && last.departure.rms > hypot(TRACE * last.departure.ripple, last.departure.expected);
}

/* Of a motion that went on until it was not seen any more: friction shows in what it takes from the swings, and stops
 * the mass not far from the middle. */
static enum decay_end unseen_end(const struct last_motion *motion)
{
    double x_k = fabs(motion->parameter[MOTION_X_K]), x = fabs(last_motion_extremum(motion, 0));
    return x < STOPS_WITHIN * x_k ? DECAY_END_REST : DECAY_END_NOISE_FLOOR;
}

/* Whether friction can hold the mass there. */
static bool can_hold(const struct last_motion *motion)
{
    double x_k = fabs(motion->parameter[MOTION_X_K]), variance = last_motion_end_variance(motion);
    double uncertain = sqrt(larger(variance, 0)) + BREAK_AWAY * sqrt(motion->covariance[MOTION_X_K][MOTION_X_K]);
    return fabs(last_motion_extremum(motion, 0)) <= BREAK_AWAY * x_k + SURE * motion->rms * uncertain;
}

/* Whether it came to rest where the record ends. */
static bool came_to_rest(const struct last_means *means, const struct last_motion *motion, double times, double least)
{
    const struct last_course at_once = {0, 0};
    struct departure rest = last_motion_departure(means, motion, &at_once, RESTED);
    return can_hold(motion) && !departs(&rest, times, least);
}

static enum decay_end name_of(const struct ending *ending, const struct last_means *means,
                              const struct last_motion *motion, enum decay_end by)
{
    double times = motion->half_cycles < FEW_HALF_CYCLES ? NAME_FEW_STRICT : NAME_STRICT;
    const double *swing = ending->candidate->swing + ending->last - motion->half_cycles;
    double last = swing[motion->half_cycles - 1], step = ending->step;
    struct departure on = last_motion_departure(means, motion, &freely, SEEN_AFTER);
    bool goes_on = !departs(&on, times, larger(MODEL * last, ROUNDING * step));
    if (on.means < ENOUGH)
        return by;
    bool stopped = by == DECAY_END_REST || by == DECAY_END_NOISE_FLOOR || by == DECAY_END_NEW_EXCITATION;
    bool vague = motion->half_cycles < FEW_HALF_CYCLES && SURE * on.expected > VAGUE * last &&
                 last > CLEAR * candidate_smallest_swing(ending->candidate);
    if (goes_on)
        return vague || !stopped ? by : unseen_end(motion);
    if (!came_to_rest(means, motion, times, larger(SLOW_HUM * swing[0], step)))
        return DECAY_END_NEW_EXCITATION;
    /* A stream that is cut is cut, although the mass rests. */
    return stopped ? DECAY_END_REST : by;
}

/* Whether a decision that falls now is in time for a motion that ended there. */
static bool is_in_time(const struct ending *ending, size_t extremum, double length)
{
    double now = sample_history_position(ending->history, ending->ready - 1) + LAG;
    return now - ending->candidate->extrema[extremum].position <= IN_TIME * length;
}

enum decay_end ending_name(const struct ending *ending, enum decay_end by, size_t *last)
{
    const struct candidate_extremum *extrema = ending->candidate->extrema;
    size_t half_cycles = ending->last - ending->first;
    *last = ending->last;
    if (half_cycles > LAST_HALF_CYCLES)
        half_cycles = LAST_HALF_CYCLES;
    if (half_cycles < FEWEST)
        return by;
    double start = extrema[ending->last - half_cycles].position;
    double length = (extrema[ending->last].position - start) / (double)half_cycles;
    struct last_means means;
    struct last_motion motion = {.half_cycles = 0};
    last_means_take(ending->history, start, length, ending->ready, &means);
    if (!last_motion_fit(&means, half_cycles, &motion))
        return by;
    size_t free = lawful(ending, &motion);
    bool cut = free < half_cycles, trace = !cut && began_before(&motion);
    if (cut && !last_motion_fit(&means, free, &motion))
        return DECAY_END_NEW_EXCITATION;
    enum decay_end name = name_of(ending, &means, &motion, cut ? DECAY_END_NEW_EXCITATION : by);
    if (name == DECAY_END_NEW_EXCITATION && trace)
        free--;
    *last = ending->last - half_cycles + free;
    while (*last < ending->last && !is_in_time(ending, *last, length))
        (*last)++;
    return name;
}
