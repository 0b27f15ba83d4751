/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CANDIDATE_LEARN_H
#define FRICID_SEGMENT_CANDIDATE_LEARN_H

#include "segment/candidate_chain.h"
#include "segment/extremes.h"

#include <math.h>

/* What a candidate learns from a half cycle that is taken in: noise, timing, damping and drift. Here and not behind a
 * call, because every half cycle of every decay passes. */

/* Of the sensor in half a period, relative to a swing that a drift can still be told from. */
#define MOST_DRIFT 0.3

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
 * change the shape: half of it is never far wrong. */
static inline void candidate_learn_damping(struct candidate *candidate, const struct half_cycle *half)
{
    if (candidate->count < 2)
        return;
    double before = candidate_last_swing(candidate), after = fabs(half->swing);
    /* q = e^(-beta pi) (LF 1998), and log(before / after) = 2 artanh(x); far more terms than such a guess needs. */
    double x = smaller(positive_part(before - after) / (before + after), 0.6), xx = x * x, x4 = xx * xx;
    double artanh =
        x * ((1 + xx * (1 / 3.)) + x4 * ((1 / 5. + xx * (1 / 7.)) + x4 * ((1 / 9. + xx * (1 / 11.)) + x4 * (1 / 13.))));
    double beta = smaller(artanh * M_1_PI, 0.2);
    candidate->beta += 0.5 * (beta - candidate->beta);
}

/* A sensor that drifts adds to every other swing what it takes from those between. Of three swings the middle one lies
 * between the geometric and the arithmetic mean of its neighbours, whatever damping and friction are; what it is off by
 * is twice the drift. Noise and hum tell now this and now that. */
static inline void candidate_learn_drift(struct candidate *candidate, const struct half_cycle *half)
{
    double *seen = candidate->seen, upwards = candidate->direction;
    seen[0] = seen[1];
    seen[1] = seen[2];
    seen[2] = larger(upwards * (half->swing + candidate_drift(candidate)), 0);
    double low = sqrt(seen[0] * seen[2]), high = 0.5 * (seen[0] + seen[2]);
    double excess = positive_part(seen[1] - high) - positive_part(low - seen[1]);
    /* The middle one went the other way. */
    double drift = -0.5 * upwards * excess, most = MOST_DRIFT * seen[1];
    /* No branch: see candidate_learn_noise(). */
    bool goes_on = (seen[0] > 0) & (drift * candidate->drift >= 0) & (fabs(drift) > 0) & (fabs(drift) <= most);
    static const double memory[] = {1, 1, 2, 3, 4, 5, 6, 7, 8};
    enum { LONGEST = sizeof memory / sizeof *memory - 1 };
    candidate->drifting = goes_on * (candidate->drifting + 1);
    double learnt = (drift - candidate->drift) / memory[candidate->drifting < LONGEST ? candidate->drifting : LONGEST];
    candidate->drift = goes_on * (candidate->drift + learnt);
    static const double belief[] = {0, 1};
    candidate->believed_drift = belief[candidate->drifting >= DRIFTS_FROM] * candidate->drift;
}

/* A phase-locked loop over the half cycles: quick at first, then steady. */
static inline double candidate_learn_timing(struct candidate *candidate, const struct half_cycle *half)
{
    /* A swing of thirty uncertainties has a timing that can be trusted in full. */
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
    return candidate_smallest_among(candidate, half->root_share, candidate->swing[0]);
}

/* Takes a half cycle in, for which there is room. Learning comes last: one that was not taken must not change what the
 * next one is judged by. */
static inline void candidate_take(struct candidate *candidate, const struct half_cycle *half)
{
    candidate_learn_noise(candidate, half);
    /* Where the next half cycle is and how it is damped comes first: its fit waits for nothing else. */
    double shift = candidate_learn_timing(candidate, half);
    candidate_learn_damping(candidate, half);
    candidate_learn_drift(candidate, half);
    candidate_put(candidate, half, candidate->extrema[candidate->count - 1].position + candidate->half_period + shift);
}

#endif
