/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SENSOR_STEPS_H
#define FRICID_IDENTIFY_SENSOR_STEPS_H

#include <stdbool.h>

/* Whether noise of this standard deviation blurs a sensor's steps, so that their errors average out over samples. Of
 * the error of rounding, whose rms is step/sqrt(12), Gaussian noise leaves step/(pi sqrt(2)) exp(-2 pi² (noise/step)²)
 * rms that follows the position (Widrow and Kollar 2008): of 0.45 steps a seventieth. */
static inline bool noise_blurs_steps(double noise, double step)
{
    return noise >= 0.45 * step;
}

#endif
