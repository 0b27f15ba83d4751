/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_START_H
#define FRICID_IDENTIFY_LADDER_START_H

#include "identify/ladder/ladder_data.h"

/* Starting values of a rung from the extrema alone, by the slow flow of amplitude and phase: over a half cycle at
 * amplitude A, with a = A/x_d and Bessel's I_1,
 *
 *   loss = pi zeta A + (4/3) d A² + 2 x_k (1 - tanh(a)/a)
 *   omega/omega_n = 1 + (3/8) kappa A² - (5/12) k_2² A² + (x_k/A)(1 + tanh a) e^(-a) I_1(a)
 *
 * and the centre of the swings is bias - k_2 A²/3. x_d: to begin with; 0 where friction is rigid. Returns the sum of
 * squares that this leaves of amplitudes and times, these as the distance that the motion goes meanwhile. */
double ladder_start(const struct ladder_data *data, unsigned terms, double x_d, double parameters[LADDER_PARAMETERS]);

#endif
