/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_EXTREMA_FIT_H
#define FRICID_IDENTIFY_EXTREMA_FIT_H

#include "identify/common/estimate.h"
#include "identify/decay/decay_parameter.h"
#include "identify/decay/extremum.h"

#include <stddef.h>

/* The closed-form extrema (SHK Eq. 4) fitted to all measured extrema at once. Amplitudes alone decide zeta, x_k, x0
 * and bias, so a frequency that drifts does no harm; omega_d comes from the times of the extrema. */
struct extrema_fit {
    enum verdict verdict;
    struct estimate estimate[FIT_PARAMETERS];
    struct estimate f_n_hz;
    double likelihood_ratio[FIT_PARAMETERS]; /* of the damping terms, as in full_record_fit.h */
    double freedom;                          /* degrees of freedom behind se; INFINITY: se was known beforehand */
    double rms;                              /* of the extrema about the model, displacement unit */
    size_t extrema;
};

enum verdict extrema_fit(const struct extremum *extrema, size_t count, struct extrema_fit *fit);

#endif
