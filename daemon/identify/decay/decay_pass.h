/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECAY_PASS_H
#define FRICID_IDENTIFY_DECAY_PASS_H

#include "identify/decay/decay_block.h"
#include "identify/decay/normal_equations.h"
#include "identify/decay/residual_statistics.h"

#include <stdatomic.h>
#include <stdbool.h>

/* How a model is asked about samples: the one thing that a model has to be able to do is to walk along them. All in
 * scaled units, nothing allocates. Parameters that a model lacks are 0. */

typedef void residual_taker(void *taker, const double *residual, size_t count);
/* displacement: from the bias. False: no more. */
typedef bool extremum_taker(void *taker, double time, double displacement);

struct decay_pass {
    block_walk *walk;
    /* Hands over the extrema in order, X_0 first, for as long as they are taken. */
    void (*extrema)(const double *parameters, extremum_taker *take, void *taker);
    /* What follows from the blocks, for a model that knows a shorter way; NULL: it knows none. */
    void (*normal_equations)(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                             struct normal_equations *normal);
    void (*statistics)(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                       size_t lags, struct residual_statistics *statistics);
    void (*residuals)(const struct decay_record *record, const double *values, size_t first, size_t last, double unit,
                      residual_taker *take, void *taker);
    void (*quantisation)(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                         double step, const atomic_bool *cancel, double meat[FIT_PARAMETERS][FIT_PARAMETERS]);
};

/* J'J, J'r and r'r over the unflagged samples of [first, last). Parameters that no decay in the record can have give an
 * infinite sum of squares and nothing else. */
void pass_normal_equations(const struct decay_pass *pass, const struct scaled_record *scaled, const double *parameters,
                           size_t first, size_t last, struct normal_equations *normal);

/* As residual_statistics.h says. lags: up to which the autocovariance is asked for, AR_MOST at most; beyond it is 0. */
void pass_statistics(const struct decay_pass *pass, const struct scaled_record *scaled, const double *parameters,
                     size_t first, size_t last, size_t lags, struct residual_statistics *statistics);

/* The residuals of the unflagged samples in order, RESIDUALS_MOST at a time at most, in multiples of `unit`. values:
 * parameters in the record's own units, and so is the unit. */
enum { RESIDUALS_MOST = 1024 };
void pass_residuals(const struct decay_pass *pass, const struct decay_record *record, const double *values,
                    size_t first, size_t last, double unit, residual_taker *take, void *taker);

/* The middle of the sandwich covariance for a noise-free encoder of the given step: see quantisation.h. */
void pass_quantisation(const struct decay_pass *pass, const struct scaled_record *scaled, const double *parameters,
                       size_t first, size_t last, double step, const atomic_bool *cancel,
                       double meat[FIT_PARAMETERS][FIT_PARAMETERS]);

#endif
