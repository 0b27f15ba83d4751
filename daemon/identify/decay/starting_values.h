/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_STARTING_VALUES_H
#define FRICID_IDENTIFY_STARTING_VALUES_H

#include "identify/decay/bounded_step.h"
#include "identify/decay/scaled_record.h"
#include "identify/decay/swings.h"

struct starting_values {
    double parameters[FIT_PARAMETERS]; /* scaled units */
    double end;                        /* scaled time up to which they describe the record */
    double noise;                      /* standard deviation of the white part of the noise, scaled */
    size_t swings;                     /* that were seen */
};

/* Starting values from nothing but the record: frequency and phase from the times at which successive swings pass
 * their middle, and for each zeta of a grid the best x_k, X_0 and bias, in which the extrema are linear (variable
 * projection on the coarse extrema). VERDICT_NO_OSCILLATION, VERDICT_UNDERDETERMINED (a single half cycle)
 * or VERDICT_OK. */
enum verdict starting_values_from(const struct scaled_record *scaled, const struct free_parameters *free,
                                  struct swings_workspace *workspace, struct starting_values *start);

/* The decay in parameters as a model sees it that lacks a damping term: the terms it has are chosen anew for the
 * extrema of `half_cycles` half cycles, as above; frequency and t0 stay. */
void starting_values_reduced(const struct free_parameters *free, size_t half_cycles, double parameters[FIT_PARAMETERS]);

#endif
