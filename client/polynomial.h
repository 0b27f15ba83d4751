/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_POLYNOMIAL_H
#define FRICID_CLIENT_POLYNOMIAL_H

#include <stddef.h>

/* Least squares: y = c[0] + c[1] x + … of `terms` terms through `count` points, count >= terms. *rms is that of the
 * residuals. 0; -EINVAL when the points do not determine it (fewer different x than terms); -ENOMEM. */
int polynomial_fit(const double *x, const double *y, size_t count, size_t terms, double *coefficients, double *rms);

double polynomial_value(const double *coefficients, size_t terms, double x);

#endif
