/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RESIDUAL_H
#define FRICID_IDENTIFY_RESIDUAL_H

#include "identify/ring_down/mode_pass.h"

/* What a model leaves of the samples of a mode, in its first 20 cycles, where slip is largest, and after them. */

/* How long these cycles are. omega: of the mode, rad/s. */
double residual_first_s(double omega);

/* How many samples lie within these from the first one on: all at the most. */
size_t residual_first_count(const struct mode_samples *samples, double omega);

/* rms of what is left of a sample, of the modulus of an analytic one; NAN: no sample is there. */
struct residual {
    double all, first, after;
};

/* squares: the sums of those of what is left of the first samples and of the others, of `count` together. unit: of the
 * rms. */
struct residual residual_of(const double squares[2], size_t first, size_t count, double unit);

#endif
