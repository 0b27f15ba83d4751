/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_BOUNDED_STEP_H
#define FRICID_IDENTIFY_BOUNDED_STEP_H

#include "identify/decay/decay_parameter.h"
#include "identify/decay/normal_equations.h"

#include <stdbool.h>

/* Which parameters a fit may move; the others keep their values. */
struct free_parameters {
    bool free[FIT_PARAMETERS];
};

/* Inverse of the symmetric matrix restricted to the free parameters; the other rows and columns are set to 0. Scaled
 * to a unit diagonal first. False, and all zeros, when it is not positive definite beyond rounding. */
bool restricted_inverse(double matrix[FIT_PARAMETERS][FIT_PARAMETERS], const struct free_parameters *free,
                        double inverse[FIT_PARAMETERS][FIT_PARAMETERS]);

/* The Levenberg-Marquardt step under the bounds of those parameters that are not negative: the minimiser of the damped
 * quadratic model ½ d'(N + damping diag N)d - g'd with parameters + d inside the bounds, found by trying all sets of
 * bounds that may be active. False when the matrix is singular. */
bool bounded_step(struct normal_equations *normal, const double *parameters, const struct free_parameters *free,
                  double damping, double step[FIT_PARAMETERS]);

#endif
