/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_DECAY_GRID_H
#define FRICID_TESTS_DECAY_GRID_H

/* Records all over the grid that the full-record fit promises to master: zeta 0 to 0.25, x_k 0 to 0.15 X_0, 3 to 150
 * half cycles, 20 to 2000 samples a cycle, noise of 0.01 to 10 % of X_0, any bias and phase, converter steps up to 5 %.
 */

#include "closed_form_decay.h"
#include "identify/decay/full_record_fit.h"

/* A decay and how it is measured; the record is made by decay_samples(). */
struct grid_decay {
    struct true_decay truth;
    struct sampling sampling;
    double half_cycles;
};

/* log-uniform between two positive numbers. */
double log_uniform(gsl_rng *rng, double low, double high);

/* A decay somewhere in the grid, with a random phase at the first sample, that still moves at its end. */
struct grid_decay random_grid_decay(gsl_rng *rng);

/* The noise-free samples, walking down the half cycles; shares nothing with the library. The caller frees them. */
double *decay_samples(const struct grid_decay *decay);

/* Adds noise and rounds to steps: a measured record. */
void measure_samples(const double *exact, const struct grid_decay *decay, gsl_rng *rng, double *measured);

/* Standard deviations that no unbiased estimator can undercut (Cramér-Rao), all six parameters unknown, from
 * derivatives of decay_samples() by differences, for the samples at or after t0. False when the matrix is singular. */
bool cramer_rao(const struct grid_decay *decay, double bounds[FIT_PARAMETERS]);

/* Whether that bound can be reached: both kinds of damping at least four standard deviations from zero, moving by more
 * than x_k throughout, and noise enough to blur the converter's steps. */
bool bound_applies(const struct grid_decay *decay, const double bounds[FIT_PARAMETERS]);

/* How a record was lost; NULL: it was not. The sum of squares is compared with the optimum that a search from the truth
 * reaches on the same samples. */
const char *how_lost(const struct decay_record *record, const struct grid_decay *decay,
                     const struct full_record_fit *fit);

/* Fits so many random decays; prints the lost ones and returns how many they are. */
int count_lost(int records, unsigned long seed);

/* The same for so many records of one decay, with noise of its own in each. */
int count_lost_of(const struct grid_decay *decay, int records, unsigned long seed);

/* RMSE of each parameter over its bound for so many records in each of so many random cells of the grid where the bound
 * applies; ratios: cells times FIT_PARAMETERS values. Prints a line a cell. */
void efficiencies(int cells, int records, unsigned long seed, double *ratios);

#endif
