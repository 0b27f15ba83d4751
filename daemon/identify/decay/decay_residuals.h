/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECAY_RESIDUALS_H
#define FRICID_IDENTIFY_DECAY_RESIDUALS_H

#include "identify/decay/record.h"

/* What the closed form leaves of a record, sample by sample: for whoever has parameters in the record's own units. */

enum { RESIDUALS_MOST = 1024 };
typedef void residual_taker(void *taker, const double *residual, size_t count);

/* The residuals of the unflagged samples of [first, last) in order, RESIDUALS_MOST at a time at most, in multiples of
 * `unit`. values: of the parameters. Nothing allocates. */
void decay_residuals(const struct decay_record *record, const double *values, size_t first, size_t last, double unit,
                     residual_taker *take, void *taker);

#endif
