/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_OTHER_OPTIMA_H
#define FRICID_IDENTIFY_OTHER_OPTIMA_H

#include "identify/decay/fitting.h"

/* Other decays that explain a record nearly as well as the fit does. Scaled units. */
struct other_optima {
    bool lower;                                    /* one of them explains it better: `best` */
    double best[FIT_PARAMETERS];                   /* its parameters */
    double least;                                  /* its sum of squares */
    double spread[FIT_PARAMETERS][FIT_PARAMETERS]; /* what the fit's covariance lacks for them, otherwise */
};

/* Looks for them on the fit's own samples: the best decays without friction and without viscous damping, and the optima
 * of both next to these. variance: of the noise, as strong as at the decay's frequency. Where another one leaves
 * less than half of what the curvature at the fit makes of its distance, the curvature promises too much: the spread
 * makes its distance as many standard errors as the likelihood ratio says. VERDICT_OK or VERDICT_CANCELLED. */
enum verdict other_optima_find(const struct fitting *fitting, double variance, struct other_optima *other_optima);

#endif
