/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SMALL_LEAST_SQUARES_H
#define FRICID_IDENTIFY_SMALL_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>

enum { SMALL_MAX = 4 };

/* Linear least squares with few unknowns, as normal equations; start with zeros and `unknowns` set. */
struct small_least_squares {
    size_t unknowns; /* at most SMALL_MAX */
    double matrix[SMALL_MAX][SMALL_MAX];
    double right[SMALL_MAX];
};

/* Adds one observation: `unknowns` derivatives and the value to explain, both already weighted. */
void small_least_squares_add(struct small_least_squares *equations, const double *row, double value);

/* Solves for x[unknowns] by Cholesky after scaling to a unit diagonal. inverse, when not NULL, receives the inverse of
 * the matrix. Returns false, x untouched, when the observations do not tell the unknowns apart. */
bool small_least_squares_solve(const struct small_least_squares *equations, double *x,
                               double inverse[SMALL_MAX][SMALL_MAX]);

#endif
