/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DENSE_CHOLESKY_H
#define FRICID_IDENTIFY_DENSE_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Symmetric positive systems of any size, for what motion/small_cholesky.h has no room for; GSL's would end the
 * program on a matrix that is not positive, which here is an answer. */

/* Cholesky's factor of S A S + damping, where S gives A a unit diagonal: the lower half of factor[n * n], of A's lower
 * half; scale[n] is S. factor may be A. False where a pivot is not above rounding. */
bool dense_cholesky(const double *matrix, size_t n, double damping, double *factor, double *scale);

/* x = A^-1 x, with what dense_cholesky() gave. */
void dense_cholesky_solve(const double *factor, const double *scale, size_t n, double *x);

/* inverse[n * n] = A^-1, likewise. */
void dense_cholesky_invert(const double *factor, const double *scale, size_t n, double *inverse);

/* ln det A. */
double dense_cholesky_log_determinant(const double *factor, const double *scale, size_t n);

#endif
