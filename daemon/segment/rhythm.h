/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_RHYTHM_H
#define FRICID_SEGMENT_RHYTHM_H

#include "segment/candidate.h"
#include "segment/half_cycle.h"
#include "segment/sample_history.h"

#include <stdbool.h>
#include <stddef.h>

/* The rig swung like this in its latest decay. A motion in the same rhythm later, behind a gap or a blow, is that of
 * the rig again, and not that of a hand: it needs fewer and smaller half cycles to be believed. */
struct rhythm {
    double half_period_s; /* 0: not known yet */
    double beta;          /* damping of the shape */
};

/* Learns from those of the half cycles between extrema `first` and `last`, which are those of a decay, that have not
 * faded. */
void rhythm_learn(struct rhythm *rhythm, const struct candidate *candidate, const struct sample_history *history,
                  size_t first, size_t last);

/* The half period in this history's positions; 0 when it is not known. */
static inline double rhythm_half_period(const struct rhythm *rhythm, const struct sample_history *history)
{
    return rhythm->half_period_s / history->period_s;
}

/* It tells whether the half cycles between two extrema come in a rhythm of this half period (positions; 0: not known).
 */
bool rhythm_is_kept(double half_period, const struct candidate *candidate, size_t first, size_t last);

/* It corrects *start and *length of a half cycle, of which turning points know little more than where it is, and fits
 * *half anew, if it suits the half period that is known. */
void rhythm_fit_at_known(const struct rhythm *rhythm, const struct sample_history *history, double *start,
                         double *length, struct half_cycle *half);

#endif
