/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_AR_MODEL_H
#define FRICID_IDENTIFY_AR_MODEL_H

#include <stddef.h>

/* The largest order of an autoregressive noise model. */
enum { AR_MOST = 24 };

/* An autoregressive model n_i = sum of coefficient[k] n_{i-1-k} + e_i. */
struct ar_model {
    size_t order;
    double coefficient[AR_MOST];
    double innovation; /* variance of e */
    double gain;       /* by which AICc prefers the model to white noise; negative: it does not */
};

/* Spectral density of the model at an angle per sample, where white noise of the same innovation has 1. */
double ar_gain_at(const struct ar_model *model, double angle);

/* Levinson's recursion with the order that minimises AICc; order 0 is white noise, unless another is clearly better. */
void ar_model_from(const double *autocovariance, size_t samples, struct ar_model *model);

#endif
