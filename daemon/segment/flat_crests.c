/* SPDX-License-Identifier: GPL-3.0-or-later */

/* About its crest a free motion falls by A (1 - cos theta). A run of samples that are all alike there is natural as
 * long as steps and noise can hide that fall. The odds against it are those of every sample of the run landing in one
 * step of the sensor, wherever the true crest was. */

#include "segment/flat_crests.h"

#include "identify/decay/record.h"
#include "segment/candidate_chain.h"
#include "segment/chunk.h"
#include "segment/extremes.h"
#include "segment/tolerances.h"

#include <math.h>

/* A crest is looked for within so many half periods to either side of where it should be. */
#define CREST_HALF_PERIODS (MOST_SHIFT_AT_FIRST + EXTREMUM_UNCERTAINTY)
/* Keeps the logarithm finite where the chance is 0. */
#define LEAST_CHANCE 1e-30

/* Crests that are looked at, from the second extremum on: the first may be the end of a hold. Samples of a run, places
 * in a run that are looked at, and heights of the true crest that are tried. */
enum { FIRST_CREST = 1, CRESTS = 4, SHORTEST_RUN = 3, LOOKS = 24, TRIED = 32 };

/* Samples [begin, end) that stand at the outermost value about a crest. */
struct flat {
    double value; /* displacement */
    uint64_t begin, end;
};

static bool is_spike(const struct sample_history *history, uint64_t number)
{
    return sample_history_flags(history, number) & SAMPLE_SPIKE;
}

static double outermost(const struct sample_history *history, uint64_t from, uint64_t to, double side)
{
    double value = -INFINITY;
    for (; history->flagged <= from && from + CHUNK <= to; from += CHUNK) {
        double lowest, highest;
        const double *sample = sample_history_span(history, from, from + CHUNK).displacement;
        chunk_range(sample, CHUNK, &lowest, &highest);
        value = larger(value, larger(side * lowest, side * highest));
    }
    for (uint64_t i = from; i < to; i++)
        if (!is_spike(history, i))
            value = larger(value, side * sample_history_value(history, i));
    return side * value;
}

/* Samples [from, to) about a crest (side +1) or trough (-1), and the outermost value among them. */
struct outermost_samples {
    uint64_t from, to;
    double side, value;
};

static struct outermost_samples outermost_samples_of(const struct candidate *candidate,
                                                     const struct sample_history *history, size_t extremum)
{
    double crest = candidate->extrema[extremum].position, width = CREST_HALF_PERIODS * candidate->half_period;
    struct outermost_samples around = {
        .from = sample_history_at(history, crest - width),
        .to = sample_history_at(history, crest + width),
        .side = candidate->extrema[extremum].level > candidate->extrema[extremum + 1].level ? 1 : -1,
    };
    around.value = outermost(history, around.from, around.to, around.side);
    return around;
}

/* It finds the longest run without a break of samples that stand at the outermost value. */
static struct flat flat_within(const struct sample_history *history, const struct outermost_samples *around)
{
    struct flat longest = {around->value, around->from, around->from};
    uint64_t begin = around->from;
    for (uint64_t i = around->from; i < around->to; i++) {
        if (is_spike(history, i))
            continue;
        if (around->side * sample_history_value(history, i) < around->side * longest.value)
            begin = i + 1;
        else if (i + 1 - begin > longest.end - longest.begin)
            longest = (struct flat){longest.value, begin, i + 1};
    }
    return longest;
}

/* The smaller of the differences to the samples beside the run; a limit need not lie on a step. */
static double beside(const struct sample_history *history, const struct flat *flat)
{
    double least = INFINITY;
    if (flat->begin > history->floor)
        least = fabs(sample_history_value(history, flat->begin - 1) - flat->value);
    if (flat->end < sample_history_end(history))
        least = fmin(least, fabs(sample_history_value(history, flat->end) - flat->value));
    return isfinite(least) ? least : 0;
}

/* A crest of free motion in its middle. */
struct crest {
    double amplitude, half_period; /* displacement unit, positions */
    double step, sd;
};

/* It tells how far the motion has fallen so many samples from the crest. */
static double fall_at(const struct crest *crest, double samples)
{
    return crest->amplitude * (1 - cos(M_PI * samples / crest->half_period));
}

/* It tells whether the odds that all of so many samples land in one step, the crest being so far above its middle,
 * leave any doubt. */
static bool may_be_natural(const struct crest *crest, double samples, double above)
{
    double sum = 0, looks = smaller(samples, LOOKS), scale = 1 / (M_SQRT2 * crest->sd),
           least = -CERTAIN_LOG_ODDS * looks / samples;
    for (double look = 0; look < looks && sum >= least; look++) {
        double off = above - fall_at(crest, ((look + 0.5) / looks - 0.5) * samples);
        double chance = 0.5 * (erfc((-0.5 * crest->step - off) * scale) - erfc((0.5 * crest->step - off) * scale));
        sum += log(larger(chance, LEAST_CHANCE));
    }
    return sum >= least;
}

/* It tells whether no free motion, steps and noise make so many samples alike about a crest. */
static bool is_too_flat(const struct crest *crest, double samples)
{
    double fall = fall_at(crest, samples / 2);
    if (samples < SHORTEST_RUN)
        return false;
    /* The heights that are tried begin at half the fall, where a natural run has its crest: one that suits is enough.
     */
    for (int i = 0; i <= TRIED; i++)
        if (may_be_natural(crest, samples, fall * ((i + TRIED / 2) % (TRIED + 1)) / TRIED))
            return false;
    return true;
}

/* It tells whether the motion stands still at this extremum for longer than it can. */
static bool stands_still(const struct candidate *candidate, const struct sample_history *history,
                         const struct channel_noise *noise, size_t extremum, const struct outermost_samples *around)
{
    const struct flat flat = flat_within(history, around);
    const double *swing = candidate->swing;
    double step = noise->step > 0 ? WIDEST_STEP * noise->step : beside(history, &flat);
    const struct crest crest = {.amplitude = (swing[extremum - 1] + swing[extremum]) / 4,
                                .half_period = candidate->half_period,
                                .step = step,
                                .sd = larger(noise->sd, UNSEEN_NOISE_STEPS * step)};
    return step > 0 && is_too_flat(&crest, (double)(flat.end - flat.begin));
}

static bool stands_still_elsewhere(const struct candidate *candidate, const struct sample_history *history,
                                   const struct channel_noise *noise, size_t extremum, double value)
{
    const struct outermost_samples around = outermost_samples_of(candidate, history, extremum);
    return (around.value < value || around.value > value) && stands_still(candidate, history, noise, extremum, &around);
}

/* A limit is one place: a sensor with play stands still at every crest, each time a little further in. */
void flat_crests_mark(const struct candidate *candidate, struct sample_history *history, struct clipping *clipping,
                      const struct channel_noise *noise)
{
    for (size_t j = FIRST_CREST; j < FIRST_CREST + CRESTS && j + 1 < candidate->count; j++) {
        const struct outermost_samples around = outermost_samples_of(candidate, history, j);
        if (!clipping_is_outermost(clipping, around.value) || !stands_still(candidate, history, noise, j, &around))
            continue;
        if (j + 3 < candidate->count && stands_still_elsewhere(candidate, history, noise, j + 2, around.value))
            continue;
        clipping_set_limit(clipping, history, around.value);
    }
}
