/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_COVARIANCE_H
#define FRICID_IDENTIFY_COVARIANCE_H

#include "identify/common/ar_model.h"
#include "identify/decay/normal_equations.h"
#include "identify/decay/scaled_record.h"

/* J' Gamma J over the unflagged samples of [first, last), where Gamma is the covariance matrix that the noise model
 * gives the samples (flagged ones included, at their place). White noise needs no pass: then it is innovation J'J. */
void noise_in_parameters(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                         const struct ar_model *noise, const struct normal_equations *normal,
                         double meat[FIT_PARAMETERS][FIT_PARAMETERS]);

/* The robust covariance (J'J)^-1 J' Gamma J (J'J)^-1; bread: (J'J)^-1 of the free parameters, 0 in the other rows. */
void sandwich(double bread[FIT_PARAMETERS][FIT_PARAMETERS], double meat[FIT_PARAMETERS][FIT_PARAMETERS],
              double covariance[FIT_PARAMETERS][FIT_PARAMETERS]);

#endif
