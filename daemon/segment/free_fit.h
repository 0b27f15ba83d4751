/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_FREE_FIT_H
#define FRICID_SEGMENT_FREE_FIT_H

#include "segment/sample_history.h"

#include <stddef.h>

/* Half cycles that are presumed to be one free motion. */
struct free_span {
    double start, length; /* of the first of them, positions */
    size_t half_cycles;   /* FREE_FIT_MOST at most */
};

enum { FREE_FIT_MOST = 20 };

/* One motion leaves this of all of them together. */
struct free_fit {
    double rms;       /* of means of neighbouring samples; INFINITY when nothing could be fitted */
    double mean_size; /* samples in each of these */
    size_t means;
};

/* Fits one decay with viscous and Coulomb damping (SHK 2007 Eqs. 2-4, both not negative) to the span: what a hand or a
 * wandering carriage makes may look like half a cycle, and a few of them like falling swings, but they share neither
 * one frequency and damping nor one centre. */
struct free_fit free_fit_of(const struct sample_history *history, const struct free_span *span);

/* Fits one swinging about the span's frequency, of which amplitude and phase change smoothly as they do when close
 * modes beat or a force is near the resonance: polynomials of the fourth degree over the whole span. What begins or
 * ends within it, a hold, a release or a blow, does not fit. */
struct free_fit modulated_fit_of(const struct sample_history *history, const struct free_span *span);

#endif
