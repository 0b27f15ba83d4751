/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_NORMAL_EQUATIONS_H
#define FRICID_IDENTIFY_NORMAL_EQUATIONS_H

#include "identify/decay/decay_parameter.h"

#include <stddef.h>

/* J'J, J'r and r'r of a model on a range of samples, r = sample - model, J = d(model)/d(parameters). Rows and columns
 * of parameters that the model lacks are 0. */
struct normal_equations {
    double matrix[FIT_PARAMETERS][FIT_PARAMETERS];
    double gradient[FIT_PARAMETERS];
    double sum_of_squares;
    size_t samples;
};

#endif
