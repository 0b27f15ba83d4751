/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CANDIDATE_CHAIN_H
#define FRICID_SEGMENT_CANDIDATE_CHAIN_H

#include "segment/candidate.h"
#include "segment/extremes.h"
#include "segment/half_cycle.h"
#include "segment/tolerances.h"

#include <float.h>
#include <math.h>

/* The parts of the candidate share its chain of half cycles, and what a swing is worth. */

/* A half cycle may come so much too early or too late, relative to the half period, while that is not well known, or
 * the swing is small: the length comes from two turning points then, each of them uncertain by up to a sixth. */
#define MOST_SHIFT_AT_FIRST 0.3
/* It may do so by no more than this once the half period is known: one that is longer by half of this at either end
 * comes at the wrong time. */
#define MOST_SHIFT_LATER 0.15
/* A free swing never grows; a hundredth is left to drift and rounding. */
#define GROWTH_OF_SWING 0.01
/* A swing of so many of its uncertainties is timed to 1 % of a half period, that is to 1 / (30 pi), and believed in
 * full. */
enum { TIMED_DEVIATIONS = 30 };
/* Fewest swings of a candidate whose law is asked for. The law has two numbers, and four swings are three steps, so
 * that one is left to check it; where the first swing is left out, two steps tell just these numbers. */
enum { FEWEST_SWINGS_FOR_LAW = 4 };
/* A swing that is so many times the smallest that shows is clear: that is ten deviations of it, or more than two steps.
 */
#define CLEAR_SWING_RATIO 2
/* A half cycle is unlike the few that it is compared with when it departs by so many times what they do. Residuals of
 * 32 bins differ by a factor of three once in a hundred million pairs. Of five bins, the fewest, with two degrees of
 * freedom each, one is three times the largest of four others once in 700 half cycles, and the largest of six once in
 * 5,000: that ends nothing by itself. Only where a motion has ended already, and its last half cycle is in question,
 * the mean of six is what counts: once in 115, and a half cycle is lost. */
#define UNLIKE_OTHERS_RATIO 3

static inline double candidate_last_swing(const struct candidate *candidate)
{
    return candidate->swing[candidate->count - 2];
}

/* The residual that noise of this deviation, or a step, may leave of a half cycle. */
static inline double candidate_residual_by(double noise, double step)
{
    return larger(RESIDUAL_DEVIATIONS * noise, STEPS_OF_RESIDUAL * step);
}

/* Fits [start, start + length) as half_cycle_fit() does, with the candidate's damping. */
static inline void candidate_measure(const struct candidate *candidate, const struct sample_history *history,
                                     double start, double length, struct half_cycle *half)
{
    half_cycle_fit(history, start, length, candidate->beta, half);
}

/* Bins of half a cycle, where nothing else is known: between 24 and 48 of more samples than that. */
enum { CANDIDATE_USUAL_BINS = 32 };

/* The shape of the next half cycle is tabulated when a candidate has so many. A table may be off by TABULATED_SLACK of
 * the length of a half cycle, and by this part of its noise relative to its swing, but by no more than TABULATED_MOST.
 */
enum { TABULATED_FROM = 6 };
#define TABULATED_SLACK 0.001
#define TABULATED_NOISE 0.3
#define TABULATED_MOST 0.01

/* Sees to it that the table is that of the half cycle that comes next. */
static inline void candidate_keep_shape(struct candidate *candidate)
{
    struct shape *shape = &candidate->shape;
    double length = candidate->half_period;
    double slack = TABULATED_SLACK + TABULATED_NOISE * candidate->noise / candidate_last_swing(candidate);
    if (!shape_suits(shape, length, candidate->beta, smaller(slack, TABULATED_MOST)))
        shape_tabulate(shape, length, candidate->beta);
}

/* It measures that half cycle. */
static inline void candidate_measure_next(struct candidate *candidate, const struct sample_history *history,
                                          double start, struct half_cycle *half)
{
    double length = candidate->half_period;
    if (candidate_half_cycles(candidate) >= TABULATED_FROM)
        candidate_keep_shape(candidate);
    if (!(candidate->shape.length > 0) || !shape_fit(&candidate->shape, history, start, length, half))
        candidate_measure(candidate, history, start, length, half);
}

/* Doubles the arrays. -ENOMEM, or 0. */
int candidate_grow(struct candidate *candidate);

/* It makes room for one more half cycle; likewise. */
static inline int candidate_make_room(struct candidate *candidate)
{
    return candidate->count < candidate->capacity ? 0 : candidate_grow(candidate);
}

/* A swing as it is kept. None is 0, because their ratios are asked for; one too small for a double is as good as none,
 * and is still larger than what follows it. */
static inline double candidate_swing_of(const struct half_cycle *half)
{
    return larger(fabs(half->swing), DBL_MIN);
}

/* Appends the half cycle that follows the last extremum and ends at this position, for which there is room. */
static inline void candidate_put(struct candidate *candidate, const struct half_cycle *half, double position)
{
    size_t last = candidate->count - 1;
    candidate->extrema[last + 1] = (struct candidate_extremum){position, half->start + half->swing};
    candidate->swing[last] = candidate_swing_of(half);
    candidate->residual[last] = half->residual;
    candidate->count++;
    candidate->direction = -candidate->direction;
}

/* It does the same where room must be made. -ENOMEM, or 0. */
static inline int candidate_append(struct candidate *candidate, const struct half_cycle *half, double position)
{
    int failed = candidate_make_room(candidate);
    if (!failed)
        candidate_put(candidate, half, position);
    return failed;
}

/* Puts the half cycle that ends at the first extremum in front. -ENOMEM, or 0. */
int candidate_prepend(struct candidate *candidate, const struct half_cycle *half);

/* Makes an empty candidate begin with this extremum. -ENOMEM, or 0. */
int candidate_set_first(struct candidate *candidate, double position, double level);

void candidate_forget_first(struct candidate *candidate);

/* The standard deviation that noise gives to a fitted swing; root_share as in struct half_cycle. A swing is twice the
 * amplitude of a cosine, whose squares add up to half of the bins. */
static inline double candidate_swing_noise(const struct candidate *candidate, double root_share)
{
    return 2 * M_SQRT2 * candidate->noise * root_share;
}

/* The standard uncertainty of a fitted swing, displacement unit, is not less than the noise makes it, for what its own
 * half cycle tells may be too little by chance. */
static inline double candidate_swing_uncertainty(const struct candidate *candidate, const struct half_cycle *half)
{
    return larger(half->swing_se, candidate_swing_noise(candidate, half->root_share));
}

/* The smallest swing that can be told from noise and steps in a number of bins. */
static inline double candidate_smallest_among(const struct candidate *candidate, double root_share)
{
    return larger(CERTAIN_DEVIATIONS * candidate_swing_noise(candidate, root_share), STEPS_OF_SWING * candidate->step);
}

/* A free swing may exceed the one before by so much, because of noise and a step. */
static inline double candidate_swing_slack(const struct candidate *candidate, double uncertainty)
{
    return CERTAIN_DEVIATIONS * M_SQRT2 * uncertainty + candidate->step;
}

/* Three swings may bend by so much: the middle one counts twice, and the variances of all add up. */
static inline double candidate_bend_allowed(const struct candidate *candidate, double root_share)
{
    double by_noise = sqrt(1 + 4 + 1) * candidate_swing_noise(candidate, root_share);
    return HUM_SPAN_AT_MOST * candidate_last_swing(candidate) + STEPS_OF_SWING * candidate->step +
           CERTAIN_DEVIATIONS * by_noise;
}

#endif
