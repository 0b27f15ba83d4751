/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RESIDUAL_NOISE_H
#define FRICID_IDENTIFY_RESIDUAL_NOISE_H

#include "identify/decay/bounded_step.h"
#include "identify/decay/residual_statistics.h"

/* The noise that a fit's residuals speak of. */
struct residual_noise {
    struct ar_model model;
    double weight; /* of the model; the rest of the noise is white, of variance `white` */
    double white;
    double effective_samples; /* independent samples that would tell a mean as well: n gamma_0 / S(0) */
    double freedom;           /* degrees of freedom with which the noise at the decay's frequency is known */
    double bias_freedom;      /* and at frequency 0, to which the bias listens */
};

/* An autoregressive model of the noise from the residuals of a fit with the given free parameters, `angle` the decay's
 * frequency in rad a sample. What the fit took out of the noise is put back: a free parameter takes one degree of
 * freedom, that of the bias at frequency 0 and all others at the decay's. */
void residual_noise_from(const struct residual_statistics *residual, const struct free_parameters *free, double angle,
                         struct residual_noise *noise);

#endif
