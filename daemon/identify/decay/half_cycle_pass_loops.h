/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HALF_CYCLE_PASS_LOOPS_H
#define FRICID_IDENTIFY_HALF_CYCLE_PASS_LOOPS_H

#include "identify/decay/half_cycle_pass.h"

/* The loops of half_cycle_pass.c. */
struct half_cycle_pass_loops {
    void (*sum_residuals)(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                          struct phasor start, const double *y, size_t count, struct residual_sums *sums);
    void (*add_sums)(const struct half_cycle_pass *pass, const struct half_cycle_powers *powers,
                     const struct half_cycle_curve *curve, double theta, struct phasor start, const double *y,
                     struct half_cycle_sums *sums);
    void (*sum_bends)(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                      const double *y, size_t count, struct bend_sums *sums);
    void (*sum_rounding)(const struct rounded_samples *samples, const struct rounded_curve *curve,
                         double sums[DECAY_BASES]);
    void (*write_bases)(const struct half_cycle_pass *pass, double theta, size_t count, double *g, double *s);
    void (*add_derivatives)(const struct half_cycle_sums *sums, double weights[DECAY_BASES][PARAMETER_COLUMNS],
                            struct derivative_sums *total);
    void (*write_rows)(double weights[DECAY_BASES][PARAMETER_COLUMNS], const double *theta, const double *g,
                       const double *s, size_t count, double rows[][ROW_COLUMNS]);
};

LANES_TABLES(half_cycle_pass_loops)

#endif
