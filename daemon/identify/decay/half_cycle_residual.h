/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HALF_CYCLE_RESIDUAL_H
#define FRICID_IDENTIFY_HALF_CYCLE_RESIDUAL_H

#include "identify/decay/half_cycle_pass.h"

/* What a decay leaves of uniform samples, half cycle by half cycle: one by one, and to tell motion from rest. */

/* Sums over samples of one half cycle: r the residual, y the scaled sample. */
struct half_cycle_lag {
    double residual_s, s_s; /* r s, s² */
    double squares;         /* r² */
    double sample_squares, sample_sum;
    size_t samples;
};

/* Writes the residuals of count samples, the first of them at theta, and adds to the sums. */
void half_cycle_residuals(struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                          const double *displacement, size_t count, double *residual, struct half_cycle_lag *lag);

/* Sums over samples of one half cycle: h the scaled sample from a level, r its distance from the decay. */
struct swing_sums {
    double h, hh, rr;
};

/* Of count samples, the first of them at theta. */
void swing_sums_of(struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double level, double theta,
                   const double *displacement, size_t count, struct swing_sums *sums);

/* Sums over samples of the phase, and of h with the phase. */
struct phase_sums {
    double cosine, sine, with_cosine, with_sine;
};

/* Of count samples, the first of them at theta; as many half cycles as there are. phase: a pass without damping. */
void phase_sums_of(const struct half_cycle_pass *phase, double level, double theta, const double *displacement,
                   size_t count, struct phase_sums *sums);

#endif
