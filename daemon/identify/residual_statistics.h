/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RESIDUAL_STATISTICS_H
#define FRICID_IDENTIFY_RESIDUAL_STATISTICS_H

#include "identify/scaled_record.h"

/* The largest order of an autoregressive noise model. */
enum { AR_MOST = 24 };

/* What the residuals of a fit say of its noise and of its phase. Scaled units. */
struct residual_statistics {
    size_t samples;
    double sum_of_squares;
    double total_squares;               /* of the samples about their mean */
    double autocovariance[AR_MOST + 1]; /* biased (sum over n), lags 0 … AR_MOST */
    double phase_squares;               /* what a free phase in each half cycle would take from sum_of_squares */
    double per_radian_squares;          /* what a phase that is off by a radian everywhere would add to it, nearly */
    double phase_coherence;             /* how much of that one half cycle shares with the next; noise: 0 or less */
    double largest_lag;                 /* largest phase lag of a half cycle that is clear of noise, rad */
    size_t half_cycles;                 /* that were looked at for the lag */
};

/* One walk over the unflagged samples of [first, last). lags: up to which the autocovariance is asked for, AR_MOST at
 * most; beyond it is 0. */
void residual_statistics_of(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                            size_t lags, struct residual_statistics *statistics);

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
