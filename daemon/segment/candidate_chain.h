/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CANDIDATE_CHAIN_H
#define FRICID_SEGMENT_CANDIDATE_CHAIN_H

#include "segment/candidate.h"
#include "segment/extremes.h"
#include "segment/half_cycle.h"

#include <float.h>
#include <math.h>

/* What the parts of the candidate share: its chain of half cycles, and what a swing is worth. */

/* How far a half cycle may be from free motion. */
#define MOST_RESIDUAL_AT_FIRST 0.08 /* rms of the residual, relative to the swing, before the shape is known */
#define MOST_RESIDUAL_LATER 0.05    /* likewise when damping and timing have been learnt */
#define MOST_SHIFT_LATER 0.15       /* shift, relative to the half period */
#define LEAST_RESIDUAL 0.002        /* of a residual to its swing; less is no better */
#define LEAST_SWING_RATIO 0.35      /* of the last swing: what is less may be all that friction lets through */
/* Three swings bend when the middle one is off by this many standard uncertainties of one, which are five of the
 * difference. */
#define SWING_BEND_DEVIATIONS 13

static inline double candidate_last_swing(const struct candidate *candidate)
{
    return candidate->swing[candidate->count - 2];
}

/* Fits [start, start + length) as half_cycle_fit() does, with the candidate's damping. */
static inline void candidate_measure(const struct candidate *candidate, const struct sample_history *history,
                                     double start, double length, struct half_cycle *half)
{
    half_cycle_fit(history, start, length, candidate->beta, half);
}

/* Half cycles after which the next one's shape is tabulated, and how far a table may be off: relative to the length of
 * a half cycle, a little and this part of its noise relative to its swing. */
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

/* Measures that half cycle. */
static inline void candidate_measure_next(struct candidate *candidate, const struct sample_history *history,
                                          double start, struct half_cycle *half)
{
    double length = candidate->half_period;
    if (candidate->count > TABULATED_FROM)
        candidate_keep_shape(candidate);
    if (!(candidate->shape.length > 0) || !shape_fit(&candidate->shape, history, start, length, half))
        candidate_measure(candidate, history, start, length, half);
}

/* Doubles the arrays. -ENOMEM, or 0. */
int candidate_grow(struct candidate *candidate);

/* Room for one more half cycle; likewise. */
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

/* The same where room must be made. -ENOMEM, or 0. */
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
int candidate_plant(struct candidate *candidate, double position, double level);

void candidate_forget_first(struct candidate *candidate);

/* Standard uncertainty of a fitted swing, displacement unit. */
static inline double candidate_swing_uncertainty(const struct candidate *candidate, const struct half_cycle *half)
{
    return larger(half->swing_se, 2.2 * candidate->noise * half->root_share);
}

/* The smallest swing that can be told from noise in a number of bins; root_share as in struct half_cycle. The noise is
 * the rms of up to 48 bins a half cycle; 32 is the number for which 2.5 was found, fewer bins tell less. */
static inline double candidate_smallest_among(const struct candidate *candidate, double root_share)
{
    double by_noise = 2.5 * candidate->noise * (4 * M_SQRT2 * root_share), by_step = 1.2 * candidate->step;
    return larger(by_noise, by_step);
}

#endif
