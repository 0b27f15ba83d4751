/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DRIFT_H
#define FRICID_IDENTIFY_DRIFT_H

#include "identify/decay/full_record_fit.h"
#include "identify/decay/record.h"

#include <stdbool.h>

/* Whether one figure that the model takes for constant changes with the amplitude. */
struct drift {
    bool flagged;            /* likelihood_ratio above DRIFT_FLAGGED */
    struct estimate size;    /* what a term for the drift comes to, in the unit that struct drifts says */
    double relative;         /* frequency: (f at X_0 - f at rest)/f; damping: the loss a half cycle at X_0, over X_0 */
    double likelihood_ratio; /* of the term; chi squared with one degree of freedom */
    double shift[FIT_PARAMETERS]; /* by which the term would move the estimates, in the record's units */
};

/* False alarms in one record of a thousand. */
#define DRIFT_FLAGGED 10.83

/* How likely it is that there is such a drift, from nothing to 1 without a step: evens where the flag is raised, and
 * from there as the likelihood ratio says. 0 where nothing is known. */
double drift_probability(const struct drift *drift);

/* Does the model hold along the whole record? */
struct drifts {
    enum verdict verdict;
    struct drift frequency; /* size: cubic stiffness kappa, 1/unit² (omega_n² (x + kappa x³)) */
    struct drift damping;   /* size: quadratic drag d, 1/unit (d x' |x'|); negative: the damping falls with amplitude;
                               identify() asks the extrema instead where the fit is out of phase. A cubic
                               stiffness alone makes one as well, -3/2 kappa x_k with friction alone: energy
                               ½ (A² + kappa A⁴/2), of which 2 x_k A is lost a half cycle */
    double phase;           /* rms phase by which the drift of the frequency puts model and record apart, rad */
    double lagging;         /* part of the residual's sum of squares that the drift of the frequency makes up, 0 to 1 */
};

/* Asks the residuals of a fit whether they hold what a cubic stiffness or a quadratic drag would leave there: to first
 * order, by the slow flow (frequency 3/8 kappa A², loss 4/3 d A² a half cycle), with the noise that the fit found.
 * One walk over the samples of the fit. VERDICT_NOT_COMPUTED when the fit has no estimates, or not in closed form,
 * VERDICT_UNDERDETERMINED when the record is too short to tell a drift. */
enum verdict drifts_of(const struct decay_record *record, const struct full_record_fit *fit, struct drifts *drifts);

/* The drift that a term with this coefficient and standard error comes to, by Student's distribution with this freedom;
 * unit: the drift's size for a coefficient of 1. Its shifts are 0. */
struct drift drift_of_term(double coefficient, double se, double freedom, double unit);

/* No shift leads beyond a bound of these estimates. */
void drift_keep_bounds(const struct estimate estimate[FIT_PARAMETERS], struct drift *drift);

#endif
