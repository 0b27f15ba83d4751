/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CANDIDATE_LEARN_H
#define FRICID_SEGMENT_CANDIDATE_LEARN_H

#include "segment/candidate_chain.h"
#include "segment/extremes.h"

#include <math.h>

/* What a candidate learns from a half cycle that is taken in: noise, timing and damping. Here and not behind a
 * call, because every half cycle of every decay passes. */

/* Falls quickly, because the first half cycle is located badly, and rises slowly. */
static inline void candidate_learn_noise(struct candidate *candidate, const struct half_cycle *half)
{
    /* Without a branch, which would be guessed wrong as often as not. */
    static const double shares[] = {0.2, 0.5};
    double square = candidate->noise * candidate->noise, share = shares[half->residual < candidate->noise];
    square += share * (half->residual * half->residual - square);
    candidate->noise = larger(sqrt(square), candidate->noise_least);
}

/* The damping of the shape from the latest ratio of swings. Part of that ratio may be due to friction, which does not
 * change the shape: half of it is never far wrong, up to HALVING_BETA. */
static inline void candidate_learn_damping(struct candidate *candidate, const struct half_cycle *half)
{
    if (candidate->count < 2)
        return;
    double before = candidate_last_swing(candidate), after = fabs(half->swing);
    /* q = e^(-beta pi) (LF 1998), and log(before / after) = 2 artanh(x); far more terms than such a guess needs.
     * tanh(pi HALVING_BETA) is 0.6. */
    double x = smaller(positive_part(before - after) / (before + after), 0.6), xx = x * x, x4 = xx * xx;
    double artanh =
        x * ((1 + xx * (1 / 3.)) + x4 * ((1 / 5. + xx * (1 / 7.)) + x4 * ((1 / 9. + xx * (1 / 11.)) + x4 * (1 / 13.))));
    candidate->beta += 0.5 * (artanh * M_1_PI - candidate->beta);
}

/* A phase-locked loop over the half cycles: quick at first, then steady. */
static inline double candidate_learn_timing(struct candidate *candidate, const struct half_cycle *half)
{
    /* A swing of thirty uncertainties has a timing that can be trusted in full: to 1 % of a half period. */
    double swing = fabs(half->swing), wanted = 30 * larger(candidate_swing_uncertainty(candidate, half), 1e-300);
    double trust = swing > wanted ? 1 : swing / wanted;
    bool young = candidate->count < 6;
    candidate->latest_shift = fabs(half->shift) / candidate->half_period;
    candidate->half_period += trust * (young ? 0.4 : 0.2) * half->shift;
    return trust * (young ? 0.8 : 0.5) * half->shift;
}

/* The smallest swing that can be told from noise in so many bins. */
static inline double candidate_smallest_here(const struct candidate *candidate, const struct half_cycle *half)
{
    return candidate_smallest_among(candidate, half->root_share);
}

/* Takes a half cycle in, for which there is room. Learning comes last: one that was not taken must not change what the
 * next one is judged by. */
static inline void candidate_take(struct candidate *candidate, const struct half_cycle *half)
{
    candidate_learn_noise(candidate, half);
    /* Where the next half cycle is and how it is damped comes first: its fit waits for nothing else. */
    double shift = candidate_learn_timing(candidate, half);
    candidate_learn_damping(candidate, half);
    candidate_put(candidate, half, candidate->extrema[candidate->count - 1].position + candidate->half_period + shift);
}

#endif
