/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HALF_CYCLE_WALK_H
#define FRICID_IDENTIFY_HALF_CYCLE_WALK_H

#include "identify/decay/decay_model.h"
#include "identify/decay/half_cycle_pass.h"
#include "identify/decay/normal_equations.h"
#include "identify/decay/scaled_record.h"

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

/* False for parameters that no decay in this record can have: it would not end, or not be made of numbers. */
bool closed_form_describes(const struct scaled_record *scaled, const double *parameters);

/* For the samples [first, last). False for parameters that no decay in the record can have, see above. */
bool half_cycle_walk_begin(enum lanes_kind kind, const struct scaled_record *scaled, const double *parameters,
                           size_t first, size_t last, struct half_cycle_walk *walk);

/* Goes on to the next half cycle that holds samples; false when there is none. */
bool half_cycle_walk_next(struct half_cycle_walk *walk);

/* Adds a walk's present half cycle to normal equations that began with zeros, and fills them in at the end. */
void normal_equations_add(struct half_cycle_walk *walk, struct derivative_sums *derivatives,
                          struct normal_equations *normal);
void normal_equations_end(const struct derivative_sums *derivatives, struct normal_equations *normal);

/* J'J, J'r and r'r of the closed form over the unflagged samples of [first, last). Parameters that no decay in the
 * record can have give an infinite sum of squares and nothing else. Every fit spends its time here. */
void closed_form_normal_equations(const struct scaled_record *scaled, const double *parameters, size_t first,
                                  size_t last, struct normal_equations *normal);

/* The same for a given kind of processor, which must be this one's or a narrower one. */
void closed_form_normal_equations_with(enum lanes_kind kind, const struct scaled_record *scaled,
                                       const double *parameters, size_t first, size_t last,
                                       struct normal_equations *normal);

#endif
