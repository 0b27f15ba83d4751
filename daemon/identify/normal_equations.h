/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_NORMAL_EQUATIONS_H
#define FRICID_IDENTIFY_NORMAL_EQUATIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { NORMAL_MAX = 4 };

/* Normal equations of a linear least-squares problem with few unknowns; start with zeros and `unknowns` set. */
struct normal_equations {
    size_t unknowns; /* at most NORMAL_MAX */
    double matrix[NORMAL_MAX][NORMAL_MAX];
    double right[NORMAL_MAX];
};

/* Adds one observation: `unknowns` derivatives and the value to explain, both already weighted. */
void normal_equations_add(struct normal_equations *equations, const double *row, double value);

/* Solves for x[unknowns] by Cholesky after scaling to a unit diagonal. inverse, when not NULL, receives the inverse of
 * the matrix. Returns false, x untouched, when the observations do not tell the unknowns apart. */
bool normal_equations_solve(const struct normal_equations *equations, double *x,
                            double inverse[NORMAL_MAX][NORMAL_MAX]);

#endif
