/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_TURN_RISE_H
#define FRICID_SEGMENT_TURN_RISE_H

#include <stddef.h>

/* It tells how far a signal has come up from its lower turning point at the last of these samples, which follow each
 * other evenly and have white noise of that standard deviation: by the parabola of least squares through them. 0 where
 * it does not come up by so many deviations of its slope, or has no lower turning point among them. */
double turn_rise(const double *values, size_t count, double noise, double deviations);

#endif
