/* SPDX-License-Identifier: GPL-3.0-or-later */

/* At which extremum may the record begin? The first half cycle after the hand let go is not free of it. */

#include "segment/release.h"

#include "segment/candidate_chain.h"
#include "segment/half_cycle.h"
#include "segment/tolerances.h"

#include <math.h>

double clipped_before(const struct sample_history *history, double begin, double end)
{
    uint64_t number = sample_history_at(history, end), first = sample_history_at(history, begin);
    /* Nearly always there is none to be looked for. */
    number = number < history->clipped ? number : history->clipped;
    while (number > first && !sample_history_clipped_within(history, number - 1, number))
        number--;
    return number > first ? sample_history_position(history, number - 1) + 1 : begin;
}

/* Less of a half period than this is seen where samples before the first extremum are clipped: what is missing of more
 * lies within a fifth of a per cent of the swing of the extremum before, where no release could hide. */
#define WHOLE_HALF_PERIOD 0.97
/* The swing of that motion is known to this part of it from those that follow: what hum makes of two
 * swings, and 0.01 that an extremum makes which is off by EXTREMUM_UNCERTAINTY. */
#define SWING_UNCERTAINTY (HUM_OF_TWO_SWINGS + 0.01)
/* Single samples, of which the noise is not averaged, leave this many deviations of it, rms. */
#define SAMPLE_DEVIATIONS 2.5

/* Samples must follow a free motion so closely: the residual is relative to the swing, and the swing, from least to
 * most, to the one that follows. */
struct free_motion_limits {
    double residual, least, most;
};

/* It tells whether the samples from `back` before the first extremum on are those of a free motion, of whatever
 * damping. */
static bool free_before(const struct candidate *candidate, const struct sample_history *history, double back,
                        const struct free_motion_limits *limits)
{
    /* candidate->noise is that of bins; single samples, as many as a bin holds, are noisier. */
    double noise = SAMPLE_DEVIATIONS * candidate->noise * sqrt(fmax(candidate->half_period / CANDIDATE_USUAL_BINS, 1));
    struct motion_end end = {candidate->extrema[0].position, candidate->extrema[0].level, candidate->half_period,
                             candidate->extrema[1].level - candidate->extrema[0].level, 0};
    double allowed = fmax(fmax(limits->residual * fabs(end.swing), noise), candidate->step);
    for (; end.beta < HALVING_BETA; end.beta += BETA_GRID) {
        double residual, follow = motion_before(history, &end, back, &residual);
        if (follow > limits->least && follow < limits->most && residual < allowed)
            return true;
    }
    return false;
}

/* Only a part of the half period can be seen of a motion that is cut off, and there was no hand. That part tells the
 * swing badly: it must show that the mass was not held, and leave no more than hum spans. Where 0.02 of the swing may
 * be left, a stream that begins within a beat has a decay. */
static bool cut_in_motion(const struct candidate *candidate, const struct sample_history *history, double seen)
{
    const struct free_motion_limits limits = {
        .residual = HUM_SPAN_AT_MOST, .least = LEAST_FREE_FOLLOW, .most = INFINITY};
    return seen >= 2 * EXTREMUM_UNCERTAINTY * candidate->half_period && free_before(candidate, history, seen, &limits);
}

/* It tells whether the mass had been let go long enough before the first extremum. A hand pulls nearly as free motion
 * does: so the swing must be the one that the law of those that follow demands. */
static bool let_go_before(const struct candidate *candidate, const struct sample_history *history)
{
    const double *swing = candidate->swing;
    if (candidate->count < 4)
        return false;
    double by_ratio = swing[0] / swing[1], by_step = 2 - swing[1] / swing[0];
    const struct free_motion_limits limits = {
        .residual = CLEAN_MISFIT_OF_SWING, .least = by_step - SWING_UNCERTAINTY, .most = by_ratio + SWING_UNCERTAINTY};
    /* The rest of the half period is the release itself. */
    return free_before(candidate, history, (1 - EXTREMUM_UNCERTAINTY) * candidate->half_period, &limits);
}

/* The stream may begin within the decay: then there is no release, and the first extremum counts if free motion led
 * up to it. */
struct release release_find(const struct candidate *candidate, const struct sample_history *history, double from)
{
    double stream = sample_history_position(history, history->floor);
    double length = candidate->half_period, crest = candidate->extrema[0].position;
    from = fmax(from, stream);
    double seen = crest - fmax(stream, clipped_before(history, crest - length, crest));
    /* A stream that begins less than a half period, and what an extremum may be off by, before it shows no release. */
    bool begins = crest - stream < (1 + EXTREMUM_UNCERTAINTY) * length,
         cut_off = begins || seen < WHOLE_HALF_PERIOD * length;
    bool led = cut_off ? cut_in_motion(candidate, history, seen) : let_go_before(candidate, history);
    struct release release = {.first = led ? 0 : 1, .unseen = begins};
    double first = candidate->extrema[release.first].position;
    /* The release itself is at most half a period before the first free extremum. */
    release.position = first - candidate->half_period;
    if (release.position < stream)
        release.position = NAN;
    else /* what was seen before the motion, such as a tremor, cannot have ended after the release */
        release.position = fmax(release.position, fmin(from, first));
    return release;
}
