/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SAMPLE_PASS_H
#define FRICID_IDENTIFY_SAMPLE_PASS_H

#include "motion/lanes.h"

#include <stdbool.h>
#include <stddef.h>

/* What is asked of plain arrays of samples, without any model: several samples side by side. */

struct sample_extremes {
    double lowest, highest;
    double largest_step; /* between neighbours, without sign */
    bool finite;         /* all of them; if not, the other members mean nothing */
};

/* count: at least 1. */
struct sample_extremes sample_extremes_of(enum lanes_kind kind, const double *values, size_t count);

/* The smallest difference of neighbours that differ at all, without sign; INFINITY when all values are alike. */
double smallest_step(enum lanes_kind kind, const double *values, size_t count);

/* Blocks of `width` values: sums[k] is factor times the sum of value - offset over block k. */
void sample_block_sums(enum lanes_kind kind, const double *values, size_t width, size_t blocks, double offset,
                       double factor, double *sums);

/* The sum of the squares of all sixth differences within [0, count). */
double sixth_difference_squares(enum lanes_kind kind, const double *values, size_t count);

/* Adds to sums[k], first <= k < lags, the sum of values[i] values[i-k] over 0 <= i < count; values[-1] to
 * values[1-lags] must be readable. first: 0 or 1. */
void lagged_products(enum lanes_kind kind, const double *values, size_t count, size_t first, size_t lags, double *sums);

#endif
