/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Clipping that no driver flagged. A converter at its limit repeats one value to the last bit. So does a turning point
 * where the steps of the sensor are coarse. A limit is told from that by the motion, which ran into it at full speed,
 * or by the noise, which is missing there. */

#include "segment/clipping.h"

#include "identify/decay/record.h"
#include "segment/tolerances.h"

#include <math.h>

/* A run of fewer samples that are alike says nothing. */
enum { FEWEST_ALIKE = 3 };
/* The density of the normal distribution at its centre, for a deviation of 1, is this. */
#define HIGHEST_DENSITY 0.4

void clipping_restart(struct clipping *clipping)
{
    *clipping =
        (struct clipping){.highest = -INFINITY, .lowest = INFINITY, .upper = NAN, .lower = NAN, .run_value = NAN};
}

/* It tells how far the signal came in two samples to a value that is the outermost so far; what chunk_look() reads is
 * in sight. */
static double entry_to(const struct clipping *clipping, const struct sample_history *history, uint64_t number)
{
    double value = sample_history_value(history, number);
    double way = value - sample_history_value(history, number - 2);
    bool outermost = way > 0 ? value >= clipping->highest : value <= clipping->lowest;
    return outermost ? fabs(way) : 0;
}

/* A parabola that looks flat for so many samples, because of its steps, rose by this much in the two before. */
static double natural_entry(uint64_t samples, double step)
{
    double half = (double)(samples - 1) / 2, ratio = (half + 2) / half;
    return SPEED_STEPS * step * ratio * ratio;
}

/* It tells whether white noise of this deviation lets so many samples in a row come out alike. No value comes up more
 * often than with the density of the normal distribution at its centre times the step. */
static bool noise_repeats(uint64_t samples, double sd, double step)
{
    if (!(sd > CROSSING_NOISE_STEPS * step))
        return true;
    return !(-(double)(samples - 1) * log(HIGHEST_DENSITY * step / sd) > CERTAIN_LOG_ODDS);
}

/* Samples at the limit since this one that were not known to be clipped when they passed. */
static void mark_since(const struct clipping *clipping, struct sample_history *history, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin > history->floor ? begin : history->floor; i < end; i++) {
        double value = sample_history_value(history, i);
        bool spike = sample_history_flags(history, i) & SAMPLE_SPIKE;
        if (!spike && (value >= clipping->upper || value <= clipping->lower))
            sample_history_mark(history, i, SAMPLE_CLIPPED);
    }
}

void clipping_set_limit(struct clipping *clipping, struct sample_history *history, double value)
{
    *(value < clipping->highest ? &clipping->lower : &clipping->upper) = value;
    mark_since(clipping, history, 0, sample_history_end(history));
}

/* The limit is remembered: single samples at it count as clipped later, even without a run. */
static void continue_run(struct clipping *clipping, struct sample_history *history, uint64_t number, double sd,
                         double step)
{
    uint64_t samples = number - clipping->run_begin + 1;
    if (samples < FEWEST_ALIKE || !clipping->outermost)
        return;
    if (!(clipping->entry > natural_entry(samples, step) + SPEED_DEVIATIONS * sd) && noise_repeats(samples, sd, step))
        return;
    double *limit = clipping->run_value < clipping->highest ? &clipping->lower : &clipping->upper;
    if (isnan(*limit)) {
        *limit = clipping->run_value;
        mark_since(clipping, history, clipping->run_begin, number + 1);
    }
}

static void begin_run(struct clipping *clipping, const struct sample_history *history, uint64_t number, double value)
{
    clipping->entry = entry_to(clipping, history, number);
    clipping->run_begin = number;
    clipping->run_value = value;
    clipping->outermost = value >= clipping->highest || value <= clipping->lowest;
    clipping->highest = value > clipping->highest ? value : clipping->highest;
    clipping->lowest = value < clipping->lowest ? value : clipping->lowest;
    /* What lies beyond a limit shows that it was none. */
    if (value > clipping->upper)
        clipping->upper = NAN;
    if (value < clipping->lower)
        clipping->lower = NAN;
}

static void look_closer(struct clipping *clipping, struct sample_history *history, uint64_t from, double sd,
                        double step)
{
    const struct sample_span span = sample_history_span(history, from, from + CHUNK);
    for (uint64_t i = from; i < from + CHUNK; i++) {
        double value = span.displacement[i - from];
        if (span.flags[i - from] & SAMPLE_SPIKE)
            continue;
        /* Alike to the last bit, as only a limit makes them. */
        bool alike = value <= clipping->run_value && value >= clipping->run_value;
        if (alike)
            continue_run(clipping, history, i, sd, step);
        else
            begin_run(clipping, history, i, value);
        /* At the edge of the clipped part noise takes some samples off the limit and leaves others there. */
        if (value >= clipping->upper || value <= clipping->lower)
            sample_history_mark(history, i, SAMPLE_CLIPPED);
    }
}

/* It tells whether the chunk stays inside of all that was seen before. A limit is the outermost of that, so that none
 * can show here, and no run that matters can begin or go on. */
static bool stays_inside(const struct clipping *clipping, const struct chunk *chunk)
{
    return (chunk->highest < clipping->highest) & (chunk->lowest > clipping->lowest);
}

/* It tells whether the chunk only goes on with a run that did not begin at full speed, of a signal without noise: the
 * longest runs are those of a mass at rest. */
static bool goes_on_resting(const struct clipping *clipping, const struct chunk *chunk, double sd, double step)
{
    bool alike = (chunk->lowest >= clipping->run_value) & (chunk->highest <= clipping->run_value);
    return alike && !clipping_touched(clipping, chunk) && !(clipping->entry > 0) && !(sd > CROSSING_NOISE_STEPS * step);
}

void clipping_mark(struct clipping *clipping, struct sample_history *history, uint64_t from, const struct chunk *chunk,
                   double sd, double step)
{
    bool unflagged = history->flagged <= from;
    if (unflagged && stays_inside(clipping, chunk)) {
        clipping->run_begin = from + CHUNK - 1;
        clipping->run_value = sample_history_value(history, clipping->run_begin);
        clipping->entry = 0;
        clipping->outermost = false;
        return;
    }
    if (!unflagged || !goes_on_resting(clipping, chunk, sd, step))
        look_closer(clipping, history, from, sd, step);
}
