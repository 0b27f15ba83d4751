/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CANDIDATE_LEARN_H
#define FRICID_SEGMENT_CANDIDATE_LEARN_H

#include "segment/candidate_chain.h"
#include "segment/extremes.h"

#include <math.h>

/* A candidate learns noise, timing and damping from each half cycle that is taken in. This is in a header, and not
 * behind a call, because every half cycle of every decay passes here. */

/* The square of the noise moves by this share towards that of a half cycle: by half where this leaves less, because the
 * first one was located badly and left too much, and by a fifth where it leaves more, for then the noise is a mean over
 * some five half cycles. What the shape of a strong damping is off by falls as the swings do, where it is more than
 * rounding: as much of it is forgotten as these lose. */
#define LEARN_OF_QUIETER 0.5
#define LEARN_OF_NOISIER 0.2
/* A half cycle that comes late by d makes the half period that is expected longer by `length` times d, and moves its
 * own end by `end` times d besides: one that is out of time by chance is forgotten after some two and five others.
 * While the timing is young it comes from two turning points, which know less than one half cycle does. */
struct timing_gain {
    double end, length;
};
static const struct timing_gain early_timing = {0.8, 0.4}, later_timing = {0.5, 0.2};
enum { EARLY_TIMING = 6 }; /* extrema */

/* The damping that is assumed moves by this share towards what a ratio of swings tells. */
#define LEARN_OF_DAMPING 0.5
/* The difference of two swings divided by their sum counts up to this, tanh(pi HALVING_BETA), where half of the damping
 * is HALVING_BETA. */
#define MOST_LOSS_RATIO 0.6

static inline void candidate_learn_noise(struct candidate *candidate, const struct half_cycle *half)
{
    double square = candidate->noise * candidate->noise, ratio = half->swing / candidate_last_swing(candidate);
    double lost = half->residual > STEPS_OF_ROUNDING * candidate->step ? 1 - ratio * ratio : 0;
    /* This has no branch, for the processor would guess it wrong as often as not. */
    const double shares[] = {LEARN_OF_NOISIER, larger(LEARN_OF_QUIETER, lost)};
    double share = shares[half->residual < candidate->noise];
    square += share * (half->residual * half->residual - square);
    candidate->noise = larger(sqrt(square), candidate->noise_least);
}

/* It learns the damping of the shape from the latest ratio of swings. Part of that ratio may be due to friction, which
 * does not change the shape: half of it is never far wrong, up to HALVING_BETA. */
static inline void candidate_learn_damping(struct candidate *candidate, const struct half_cycle *half)
{
    double before = candidate_last_swing(candidate), after = fabs(half->swing);
    /* q = e^(-beta pi) (LF 1998), and log(before / after) = 2 artanh(x); far more terms than such a guess needs. */
    double x = smaller(positive_part(before - after) / (before + after), MOST_LOSS_RATIO), xx = x * x, x4 = xx * xx;
    double artanh =
        x * ((1 + xx * (1 / 3.)) + x4 * ((1 / 5. + xx * (1 / 7.)) + x4 * ((1 / 9. + xx * (1 / 11.)) + x4 * (1 / 13.))));
    candidate->beta += LEARN_OF_DAMPING * (artanh * M_1_PI - candidate->beta);
}

/* This is a phase-locked loop over the half cycles, which is quick at first, then steady. */
static inline double candidate_learn_timing(struct candidate *candidate, const struct half_cycle *half)
{
    double swing = fabs(half->swing),
           wanted = TIMED_DEVIATIONS * larger(candidate_swing_uncertainty(candidate, half), DBL_MIN);
    double trust = swing > wanted ? 1 : swing / wanted;
    const struct timing_gain *gain = candidate->count < EARLY_TIMING ? &early_timing : &later_timing;
    candidate->latest_shift = fabs(half->shift) / candidate->half_period;
    candidate->half_period += trust * gain->length * half->shift;
    return trust * gain->end * half->shift;
}

/* Takes a half cycle in, for which there is room, and learns from it. */
static inline void candidate_take(struct candidate *candidate, const struct half_cycle *half)
{
    candidate_learn_noise(candidate, half);
    /* The place and the damping of the next half cycle come first, for its fit waits for nothing else. */
    double shift = candidate_learn_timing(candidate, half);
    candidate_learn_damping(candidate, half);
    candidate_put(candidate, half, candidate->extrema[candidate->count - 1].position + candidate->half_period + shift);
}

#endif
