/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HALF_CYCLE_RESIDUAL_LOOPS_H
#define FRICID_IDENTIFY_HALF_CYCLE_RESIDUAL_LOOPS_H

#include "identify/decay/half_cycle_residual.h"

/* The loops of half_cycle_residual.c. */
struct half_cycle_residual_loops {
    void (*write_residuals)(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                            struct phasor start, const double *y, size_t count, double *residual,
                            struct half_cycle_lag *lag);
    void (*sum_swing)(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double level,
                      double theta, struct phasor start, const double *y, size_t count, struct swing_sums *sums);
    void (*sum_phase)(const struct half_cycle_pass *phase, double level, double theta, const double *y, size_t count,
                      struct phase_sums *sums);
};

LANES_TABLES(half_cycle_residual_loops)

#endif
