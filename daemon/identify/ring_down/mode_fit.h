/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_FIT_H
#define FRICID_IDENTIFY_MODE_FIT_H

#include "identify/common/estimate.h"
#include "identify/ring_down/mode_pass.h"

#include <stdatomic.h>

/* What is known of the parameters beforehand. */
struct mode_prior {
    double variance;         /* of a row: of a real sample, or of each part of an analytic one */
    const double *precision; /* of each parameter, mode by mode, about 0; 0: nothing is known */
};

/* What a fit leaves. */
struct mode_fit {
    double squares;        /* of what it leaves, over samples and sensors */
    double *inverse;       /* of J'J by all unknowns (mode_sum_unknowns); times the variance of a row the covariance */
    size_t unknowns, rows; /* rows: two of an analytic sample */
    int iterations;
};

/* Least squares of the samples by Levenberg and Marquardt from the sum as it is, amplitudes excepted: for any laws,
 * these follow linearly. prior and cancel: may be NULL. VERDICT_OK, VERDICT_NOT_CONVERGED, VERDICT_UNDERDETERMINED
 * (the samples do not tell the unknowns apart), VERDICT_CANCELLED or VERDICT_NO_MEMORY. The fit is to be cleared,
 * whatever the verdict. */
enum verdict mode_fit(const struct mode_samples *samples, const struct mode_prior *prior, const atomic_bool *cancel,
                      struct mode_sum *sum, struct mode_fit *fit);
void mode_fit_clear(struct mode_fit *fit);

#endif
