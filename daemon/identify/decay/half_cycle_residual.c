/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/half_cycle_residual_loops.h"

void swing_sums_of(struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double level, double theta,
                   const double *displacement, size_t count, struct swing_sums *sums)
{
    const struct phasor start = half_cycle_phasor(pass, theta, count);
    half_cycle_residual_loops_of(pass->kind)->sum_swing(pass, curve, level, theta, start, displacement, count, sums);
}

void phase_sums_of(const struct half_cycle_pass *phase, double level, double theta, const double *displacement,
                   size_t count, struct phase_sums *sums)
{
    half_cycle_residual_loops_of(phase->kind)->sum_phase(phase, level, theta, displacement, count, sums);
}

void half_cycle_residuals(struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                          const double *displacement, size_t count, double *residual, struct half_cycle_lag *lag)
{
    const struct phasor start = half_cycle_phasor(pass, theta, count);
    half_cycle_residual_loops_of(pass->kind)
        ->write_residuals(pass, curve, theta, start, displacement, count, residual, lag);
}
