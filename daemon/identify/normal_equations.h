/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_NORMAL_EQUATIONS_H
#define FRICID_IDENTIFY_NORMAL_EQUATIONS_H

#include "identify/decay_model.h"
#include "identify/half_cycle_pass.h"
#include "identify/scaled_record.h"

/* J'J, J'r and r'r of the decay model on a range of samples, r = sample - model, J = d(model)/d(parameters). */
struct normal_equations {
    double matrix[FIT_PARAMETERS][FIT_PARAMETERS];
    double gradient[FIT_PARAMETERS];
    double sum_of_squares;
    size_t samples;
};

/* One pass over the unflagged samples of [first, last), all in scaled units. Samples before t0 see the first half
 * cycle continued backwards. Parameters that no decay in the record can have (not finite, t0 far away, several half
 * cycles a sample) give an infinite sum of squares and nothing else. Allocates nothing. Every fit spends its time here.
 */
void normal_equations_of(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                         struct normal_equations *normal);

/* The same for a given kind of processor, which must be this one's or a narrower one. */
void normal_equations_with(enum lanes_kind kind, const struct scaled_record *scaled, const double *parameters,
                           size_t first, size_t last, struct normal_equations *normal);

#endif
