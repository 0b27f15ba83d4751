/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_JOINT_SPREAD_H
#define FRICID_IDENTIFY_JOINT_SPREAD_H

#include "identify/common/ar_model.h"
#include "identify/ladder/joint_fit.h"

/* How well a joint fit knows its unknowns. */

/* Each channel's noise, by what the joint fit leaves of it. */
void joint_noise_from(const struct joint_fit *fit, struct ar_model noise[JOINT_CHANNELS_MOST]);

/* n ln of the whitened sums of squares of all channels, by these models. */
double joint_likelihood(const struct joint_fit *fit, const struct ar_model noise[JOINT_CHANNELS_MOST]);

/* Robust covariance of the unknowns in the units of the data, (J'WJ)^-1 J'W Gamma W J (J'WJ)^-1, joint_unknowns() rows
 * and columns. free: of the reference's parameters; rows of the others are 0. False where the records do not tell the
 * free ones apart. */
bool joint_covariance(const struct joint_fit *fit, const struct ar_model noise[JOINT_CHANNELS_MOST],
                      const bool free[LADDER_PARAMETERS], double *covariance);

#endif
