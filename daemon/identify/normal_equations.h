/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_NORMAL_EQUATIONS_H
#define FRICID_IDENTIFY_NORMAL_EQUATIONS_H

#include "identify/decay_model.h"
#include "identify/half_cycle_pass.h"
#include "identify/scaled_record.h"

/* The half cycles of a decay, one after the other, each with the sums over its unflagged samples: for whoever needs
 * them one by one. All in scaled units. */
struct half_cycle_walk {
    struct decay_shape shape;
    struct decay_half_cycle half;                   /* the present one */
    double zero_time;                               /* where it begins */
    size_t first, end;                              /* its samples: [first, end) */
    struct half_cycle_sums sums;                    /* over them, completed */
    double weights[DECAY_BASES][PARAMETER_COLUMNS]; /* which make the derivatives of its base functions */
    const struct scaled_record *scaled;             /* not for the caller, like all below */
    const double *parameters;
    size_t last;
    struct decay_half_cycle next;
    struct half_cycle_pass pass;
};

/* For the samples [first, last). False for parameters that no decay in the record can have, see below. */
bool half_cycle_walk_begin(enum lanes_kind kind, const struct scaled_record *scaled, const double *parameters,
                           size_t first, size_t last, struct half_cycle_walk *walk);

/* Goes on to the next half cycle that holds samples; false when there is none. */
bool half_cycle_walk_next(struct half_cycle_walk *walk);

/* J'J, J'r and r'r of the decay model on a range of samples, r = sample - model, J = d(model)/d(parameters). */
struct normal_equations {
    double matrix[FIT_PARAMETERS][FIT_PARAMETERS];
    double gradient[FIT_PARAMETERS];
    double sum_of_squares;
    size_t samples;
};

/* Adds a walk's present half cycle to normal equations that began with zeros, and fills them in at the end. */
void normal_equations_add(struct half_cycle_walk *walk, struct derivative_sums *derivatives,
                          struct normal_equations *normal);
void normal_equations_end(const struct derivative_sums *derivatives, struct normal_equations *normal);

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
