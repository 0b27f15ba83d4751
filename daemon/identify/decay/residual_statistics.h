/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RESIDUAL_STATISTICS_H
#define FRICID_IDENTIFY_RESIDUAL_STATISTICS_H

#include "identify/common/ar_model.h"
#include "identify/decay/scaled_record.h"

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

/* What the closed form leaves of the unflagged samples of [first, last), in one walk. lags: up to which the
 * autocovariance is asked for, AR_MOST at most; beyond it is 0. */
void closed_form_statistics(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                            size_t lags, struct residual_statistics *statistics);

#endif
