/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DISTURBANCE_H
#define FRICID_IDENTIFY_DISTURBANCE_H

#include "identify/decay/doubts.h"
#include "identify/decay/full_record_fit.h"
#include "identify/decay/record.h"
#include "identify/ladder/ladder_reopen.h"

/* What else the sensor saw; a bit each. */
enum disturbance {
    DISTURBANCE_NONE,
    DISTURBANCE_DRIFT = 1, /* of the baseline, in a straight line or a bend */
    DISTURBANCE_HUM = 2,   /* of the mains, 50 or 60 Hz */
    DISTURBANCE_BOTH = DISTURBANCE_DRIFT | DISTURBANCE_HUM,
};

/* Asks the residuals of a fit for a baseline that drifts and for mains hum. In a record of few half cycles the
 * parameters follow such a disturbance and leave little of it in the residual, so that the standard errors do not know
 * of it. Where it is seen, what it would move the estimates by, and what they lose when it has to be told from them,
 * is added to covariance and intervals; the likelihood ratios of the damping terms fall accordingly. The estimates
 * stay. Nothing is done to a fit without estimates, or to a record of many half cycles, which averages it out; and hum
 * is not asked for in a motion of more than some five seconds, which is too slow to follow it. */
enum disturbance disturbance_widen(const struct decay_record *record, struct full_record_fit *fit);

/* The same of what a rung of the ladder leaves; variance: what it adds to that of each parameter, in the record's
 * units, of a logarithmic one by its own value. */
enum disturbance disturbance_of_rung(const struct ladder_reopened *open, double variance[LADDER_PARAMETERS]);

/* As flags. */
void disturbance_doubts(enum disturbance disturbance, struct doubts *doubts);

#endif
