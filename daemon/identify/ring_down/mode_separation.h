/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_SEPARATION_H
#define FRICID_IDENTIFY_MODE_SEPARATION_H

#include "identify/ring_down/mode_band.h"

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* Two modes from two signals in which each is, `count` samples long (matrix pencil): the step from one sample to that
 * `lag` later turns each mode by a factor of its own, and its eigenvectors are how the signals see the modes, also
 * where these factors change with the amplitude. mode: each alone, in units that are its own. False: these are one. */
bool mode_separation(double complex *const plane[GROUP_MODES], size_t count, size_t lag,
                     double complex *mode[GROUP_MODES]);

#endif
