/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_POLYNOMIAL_H
#define FRICID_CLIENT_POLYNOMIAL_H

#include <stddef.h>

/* Least squares: y = c[0] + c[1] x + … of `terms` terms through `count` points, count >= terms. *rms is that of the
 * residuals. covariance: terms * terms, by what is left over; NAN when nothing is, with as many points as terms. 0;
 * -EINVAL when the points do not determine it (fewer different x than terms); -ENOMEM. */
int polynomial_fit(const double *x, const double *y, size_t count, size_t terms, double *coefficients,
                   double *covariance, double *rms);

double polynomial_slope(const double *coefficients, size_t terms, double x);

/* The standard uncertainty of the slope at x, from the covariance of a fit. */
double polynomial_slope_se(const double *covariance, size_t terms, double x);

double polynomial_value(const double *coefficients, size_t terms, double x);

#endif
