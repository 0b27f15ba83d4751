/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_COMMON_MOTION_H
#define FRICID_IDENTIFY_COMMON_MOTION_H

#include "identify/ring_down/mode_band.h"

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* A sensor's samples over their noise. */
struct seen_band {
    const struct mode_samples *band;
    double noise[PASS_SENSORS];
};

/* What the sensors see in common: the eigenvectors of the sums of products, by falling eigenvalues. */
struct common_motion {
    double value[PASS_SENSORS];
    double complex vector[GROUP_MODES][PASS_SENSORS];
};

/* False: there was no memory. */
bool common_motion_of(const struct seen_band *seen, struct common_motion *common);

/* How many modes the sensors see: one at least. Modes move the sensors in ratios of their own, so that the rank of what
 * several sensors see is their number, however much a joint bends their frequencies. */
size_t common_motion_rank(const struct common_motion *common, const struct mode_samples *band);

/* What is seen, in the plane of the two strongest common motions; each of the two has room for the band's samples. */
void common_motion_project(const struct seen_band *seen, const struct common_motion *common,
                           double complex *plane[GROUP_MODES]);

#endif
