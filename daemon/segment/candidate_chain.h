/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CANDIDATE_CHAIN_H
#define FRICID_SEGMENT_CANDIDATE_CHAIN_H

#include "segment/candidate.h"
#include "segment/half_cycle.h"

/* What the parts of the candidate share: its chain of half cycles, and what a swing is worth. */

/* How far a half cycle may be from free motion. */
#define SHAPE_AT_FIRST 0.08 /* rms of the residual, relative to the swing, before the shape is known */
#define SHAPE_LATER 0.05    /* likewise when damping and timing have been learnt */
#define TIMING 0.15         /* shift, relative to the half period */

/* Half cycles in a row that must tell of a drift before it is believed. */
enum { DRIFTS_FROM = 5 };

/* What a drift adds to the swing of an upward half cycle. */
static inline double candidate_drift(const struct candidate *candidate)
{
    return candidate->drifting >= DRIFTS_FROM ? candidate->drift : 0;
}

/* Fits [start, start + length) as half_cycle_fit() does, with the candidate's damping, and takes its drift away. */
void candidate_measure(const struct candidate *candidate, const struct sample_history *history, double start,
                       double length, struct half_cycle *half);

/* Appends the half cycle that follows the last extremum and ends at this position. -ENOMEM, or 0. */
int candidate_append(struct candidate *candidate, const struct half_cycle *half, double position);

/* Puts the half cycle that ends at the first extremum in front. -ENOMEM, or 0. */
int candidate_prepend(struct candidate *candidate, const struct half_cycle *half);

/* Makes an empty candidate begin with this extremum. -ENOMEM, or 0. */
int candidate_plant(struct candidate *candidate, double position, double level);

void candidate_forget_first(struct candidate *candidate);

/* Standard uncertainty of a fitted swing, displacement unit. */
double candidate_swing_uncertainty(const struct candidate *candidate, const struct half_cycle *half);

/* The smallest swing that can be told from noise in so many bins, beside a swing of this size at the start. */
double candidate_smallest_among(const struct candidate *candidate, double bins, double first_swing);

#endif
