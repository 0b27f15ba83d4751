/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_WHITENED_H
#define FRICID_IDENTIFY_FRICTION_WHITENED_H

#include "identify/common/ar_model.h"
#include "identify/loop/friction_fit.h"

/* What a noise's filter leaves of a model where that fits best under the filter, as a mean square in units of the
 * motion: models are compared by their likelihoods, each at its own best. A fit by least squares is off that by what
 * slow noise moves its unknowns, which the filter makes much of. By one step of Gauss and Newton from the fit. */
double friction_whitened(const struct friction_motion *motion, const struct friction_fit *fit,
                         const struct ar_model *noise);

#endif
