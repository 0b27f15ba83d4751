/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SMOOTH_LAW_H
#define FRICID_IDENTIFY_SMOOTH_LAW_H

#include "identify/ring_down/amplitude_law.h"

/* Functions of x whose weights, independent and of unit variance, make a Gaussian process with squared exponential
 * covariance of length 1 over the amplitudes that a record shows: sines of a longer interval, each with the root of
 * the process's spectral density. */
enum { SMOOTH_FUNCTIONS = 20 };
struct smooth_basis {
    size_t functions;
    double middle, half_length, frequency[SMOOTH_FUNCTIONS], size[SMOOTH_FUNCTIONS];
    double omega_0;           /* what the deviations of omega are measured in */
    struct amplitude_law law; /* from which it deviates */
};

/* A law with smooth deviations from another, alpha = alpha_law e^g, omega = omega_law + omega_0 h. Its parameters all
 * begin at 0: first how far those of the law are off, which counts linearly in ln alpha and omega, for then the fit has
 * no crooked valleys where the law and its deviations change places; then the weights of g, then those of h. loss: from
 * x = 0 down to -loss the deviations are free. basis is filled in and borrowed by the result. */
struct amplitude_law smooth_law(const struct amplitude_law *law, double loss, struct smooth_basis *basis);

#endif
