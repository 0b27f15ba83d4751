/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Clipping that no driver flagged. A converter at its limit repeats one value to the last bit, and the motion ran
 * into it at full speed: a turning point slows down first. */

#include "segment/rails.h"

#include "identify/record.h"

#include <math.h>

/* Fewer samples alike say nothing. */
enum { FEWEST = 3 };
/* Slower than this many standard deviations of the noise is no speed. */
static const double deviations = 8;
/* The same in steps, beside what the parabola of a turning point explains. */
static const double steps = 2;

void rails_restart(struct rails *rails)
{
    *rails = (struct rails){.highest = -INFINITY, .lowest = INFINITY, .upper = NAN, .lower = NAN, .run_value = NAN};
}

/* How far the signal came in two samples to a value that is the outermost so far. */
static double entry_to(const struct rails *rails, const struct sample_history *history, uint64_t number)
{
    double value = sample_history_value(history, number);
    if (number < history->first + 2)
        return 0;
    double way = value - sample_history_value(history, number - 2);
    bool outermost = way > 0 ? value >= rails->highest : value <= rails->lowest;
    return outermost ? fabs(way) : 0;
}

/* A parabola that looks flat for so many samples, because of its steps, rose by this much in the two before. */
static double natural_entry(uint64_t samples, double step)
{
    double half = (double)(samples - 1) / 2, ratio = (half + 2) / half;
    return steps * step * ratio * ratio;
}

/* Back to where the run began: its first samples were not known to be clipped when they passed. */
static void mark_run(const struct rails *rails, struct sample_history *history, uint64_t number)
{
    uint64_t begin = rails->run_begin > history->first ? rails->run_begin : history->first;
    for (uint64_t i = number; i >= begin && !(sample_history_flags(history, i) & SAMPLE_CLIPPED); i--) {
        sample_history_mark(history, i, SAMPLE_CLIPPED);
        if (i == begin)
            break;
    }
}

/* The limit is remembered: single samples at it count as clipped later, even without a run. */
static void continue_run(struct rails *rails, struct sample_history *history, uint64_t number, double sd, double step)
{
    uint64_t samples = number - rails->run_begin + 1;
    if (samples < FEWEST || !(rails->entry > natural_entry(samples, step) + deviations * sd))
        return;
    mark_run(rails, history, number);
    if (rails->run_value < rails->highest)
        rails->lower = rails->run_value;
    else
        rails->upper = rails->run_value;
}

static void begin_run(struct rails *rails, const struct sample_history *history, uint64_t number, double value)
{
    rails->entry = entry_to(rails, history, number);
    rails->run_begin = number;
    rails->run_value = value;
    rails->highest = value > rails->highest ? value : rails->highest;
    rails->lowest = value < rails->lowest ? value : rails->lowest;
    /* What lies beyond a limit shows that it was none. */
    if (value > rails->upper)
        rails->upper = NAN;
    if (value < rails->lower)
        rails->lower = NAN;
}

static void look_closer(struct rails *rails, struct sample_history *history, uint64_t from, double sd, double step)
{
    for (uint64_t i = from; i < from + CHUNK; i++) {
        double value = sample_history_value(history, i);
        if (sample_history_flags(history, i) & SAMPLE_SPIKE)
            continue;
        /* Alike to the last bit, as only a limit makes them. */
        bool alike = value <= rails->run_value && value >= rails->run_value;
        if (alike)
            continue_run(rails, history, i, sd, step);
        else
            begin_run(rails, history, i, value);
        /* At the edge of the clipped part noise takes some samples off the limit and leaves others there. */
        if (value >= rails->upper || value <= rails->lower)
            sample_history_mark(history, i, SAMPLE_CLIPPED);
    }
}

/* Whether the chunk stays inside of all that was seen before: no limit can show there, and no run that matters can
 * begin. */
static bool stays_inside(const struct rails *rails, const struct chunk *chunk, double first)
{
    bool inside = chunk->highest < rails->highest && chunk->lowest > rails->lowest;
    bool at_limit = chunk->highest >= rails->upper || chunk->lowest <= rails->lower;
    bool continues = first <= rails->run_value && first >= rails->run_value;
    return inside && !at_limit && !(continues && rails->entry > 0);
}

/* Whether it only goes on with a run that did not begin at full speed: the longest runs are those of a mass at rest. */
static bool goes_on_resting(const struct rails *rails, const struct chunk *chunk)
{
    bool alike = chunk->lowest >= rails->run_value && chunk->highest <= rails->run_value;
    bool at_limit = chunk->highest >= rails->upper || chunk->lowest <= rails->lower;
    return alike && !at_limit && !(rails->entry > 0);
}

void rails_mark(struct rails *rails, struct sample_history *history, uint64_t from, const struct chunk *chunk,
                double sd, double step)
{
    bool unflagged = history->flagged <= from;
    if (unflagged && goes_on_resting(rails, chunk))
        return;
    if (!unflagged || !stays_inside(rails, chunk, sample_history_value(history, from))) {
        look_closer(rails, history, from, sd, step);
        return;
    }
    rails->run_begin = from + CHUNK - 1;
    rails->run_value = sample_history_value(history, rails->run_begin);
    rails->entry = 0;
}
