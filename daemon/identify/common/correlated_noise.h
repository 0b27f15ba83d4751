/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CORRELATED_NOISE_H
#define FRICID_IDENTIFY_CORRELATED_NOISE_H

#include <math.h>

/* By how much noise whose neighbours are alike averages out less than white noise: sqrt((1 + r)/(1 - r)) for a
 * first-order process. squares: sum of squared residuals; neighbours: sum of products of neighbouring ones. Never less
 * than 1, and no more than a short stretch of residuals can tell. */
static inline double correlated_noise_factor(double squares, double neighbours)
{
    const double r = squares > 0 ? fmin(fmax(neighbours / squares, 0), 0.95) : 0;
    return sqrt((1 + r) / (1 - r));
}

#endif
