/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SWING_TREND_H
#define FRICID_SEGMENT_SWING_TREND_H

#include "segment/candidate.h"

#include <stdbool.h>
#include <stddef.h>

/* So many extrema set the trend, so many are asked whether they left it, and so many at the start of a candidate are
 * left out, for a release or a blow may have spoilt them. */
enum { SWING_TREND_RUN = 8, SWING_TREND_ASKED = 2, SWING_TREND_SKIPPED = 2 };
enum { SWING_TREND_FROM = SWING_TREND_SKIPPED + SWING_TREND_RUN + SWING_TREND_ASKED + 1 };
/* A half cycle that is off by less than this part of a half period is not asked whether it left the trend. */
#define DOUBTFUL_SHIFT 0.03

/* It tells whether candidate_left_trend() is worth its costs. */
static inline bool candidate_may_leave_trend(const struct candidate *candidate)
{
    return candidate->count >= SWING_TREND_FROM && candidate->latest_shift > DOUBTFUL_SHIFT;
}

/* If that is so, it tells whether the latest half cycles together have left the trend in time that a longer run before
 * them set. A light blow does that to them, behind which each half cycle by itself could pass for one with noise.
 * *last: the last extremum that was still on it; *half_period: of the run up to there, positions. */
bool candidate_left_trend(const struct candidate *candidate, size_t *last, double *half_period);

#endif
