/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_NOISE_H
#define FRICID_IDENTIFY_LADDER_NOISE_H

#include "identify/common/ar_model.h"
#include "identify/ladder/ladder_fit.h"

/* The noise of the samples as an autoregressive model, from the residuals of one rung. */
void ladder_noise_from(const struct ladder_data *data, const struct ladder_rung *rung, struct ar_model *noise);

/* A rung seen through the noise. */
struct ladder_whitened {
    size_t count;                                       /* residuals that were whitened */
    double squares;                                     /* of these */
    double outer[LADDER_PARAMETERS][LADDER_PARAMETERS]; /* J' Gamma J for an innovation of 1; the lower half */
};

void ladder_whiten(const struct ladder_data *data, const struct ladder_rung *rung, const struct ar_model *noise,
                   struct ladder_whitened *whitened);

/* n ln of the mean square: the less, the likelier the rung. */
double ladder_likelihood(const struct ladder_whitened *whitened);

/* Residuals below this part of X_0 are rounding, not noise. */
#define LADDER_ROUNDING 1e-11

/* Robust covariance of a rung's parameters in the units of the data, (J'J)^-1 J' Gamma J (J'J)^-1, where Gamma has the
 * shape of the noise and this innovation. False, and all 0, where the record does not tell the free ones apart; rows
 * of the others are 0. */
bool ladder_covariance(const struct ladder_rung *rung, const struct ladder_whitened *whitened,
                       const bool free[LADDER_PARAMETERS], double innovation,
                       double covariance[LADDER_PARAMETERS][LADDER_PARAMETERS]);

#endif
