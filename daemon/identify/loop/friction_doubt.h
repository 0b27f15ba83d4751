/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_DOUBT_H
#define FRICID_IDENTIFY_FRICTION_DOUBT_H

#include "identify/loop/friction_weighing.h"

/* What noise of the motion, and other models, that the record does not tell from one, would make of its figures. */

/* A rival whose likelihood is below a twentieth counts nothing: so much more evidence (BIC) it has. */
static const double friction_evidence_more = 6;

/* Noise of the displacement counts in the figures of a fit where it is not small beside that of the force. Without
 * memory the rung has none. */
void friction_doubt_motion(const struct friction_weighing *weighing, const struct friction_fit *fit,
                           struct friction_rung *rung);

/* By what the variance of each unknown of a fit is larger for noise of the displacement than what the fit leaves alone
 * says: 1 at least; INFINITY where that noise hides it. */
struct friction_widening {
    double by[FRICTION_UNKNOWNS];
    double squares; /* what that noise adds to the fit's sum of squares, in units of the motion */
};

/* false: there is no such noise that counts, or memory is short; all are 1. */
bool friction_widen(const struct friction_weighing *weighing, const struct friction_fit *fit,
                    struct friction_widening *of);

/* The most of the unknowns that the fit has and another lacks, or 1. */
double friction_widening_beyond(const struct friction_widening *of, const struct friction_fit *fit,
                                const struct friction_fit *without);

/* Rungs of the same shape, none of which has all terms of the other, or that have a damping beside, with evidence that
 * is not much higher: their values count likewise, and their uncertainties. Where one leaves as much with as many
 * unknowns, what they disagree on is not seen. rung: all of the climb. */
void friction_doubt_alternatives(const struct friction_weighing *weighing, size_t at, struct friction_rung *rung);

/* At one sliding speed the jump of the force by a damping at turns and a stiff part of the contact are alike: a
 * stiffness is not seen where the same model with damping beside, which leaves no more, has another one, or does not
 * tell it, or where an element slips over within a sample. rung: count of them. */
void friction_doubt_stiffness(const struct friction_motion *motion, size_t count, size_t at,
                              struct friction_rung *rung);

#endif
