/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOCAL_CUBIC_H
#define FRICID_IDENTIFY_LOCAL_CUBIC_H

#include <stdbool.h>
#include <stddef.h>

/* Cubics through windows of neighbours, by least squares. */

/* Samples of the smallest window; neighbours on either side in the widest one of a displacement. */
enum { LOCAL_CUBIC_LEAST = 5, LOCAL_CUBIC_NEIGHBOURS_MOST = 32 };

struct cubic_series {
    const double *time_s, *values; /* count of them, times strictly increasing */
    size_t count;
    double noise;                /* standard deviation of the values */
    const unsigned char *begins; /* 1: no window goes on from the sample before; NULL: there is none such */
};

struct local_cubic {
    double value, slope, curvature; /* the last: the second derivative */
    double leverage;                /* of the sample in the middle on the value there */
    double left;                    /* mean square of what it leaves of its samples */
};

/* Through the 2 half + 1 samples about i, which are all on one side of it at the ends of the series; half is 2 at
 * least, and the series has as many samples. A piece between two samples of which no window goes on to the other counts
 * as a series, which has LOCAL_CUBIC_LEAST samples at least: in a shorter one than the window that is the whole piece.
 */
struct local_cubic local_cubic_at(const struct cubic_series *series, size_t i, size_t half);

/* The same with so many of the samples before i, 0 … 2 half. */
struct local_cubic local_cubic_beside(const struct cubic_series *series, size_t i, size_t half, size_t before);

/* The slope at a sample of the polynomial through it and three neighbours on either side, with windows as above: of
 * values without noise it is off by far less than that of a cubic. */
double local_exact_slope(const struct cubic_series *series, size_t i);

/* The standard deviation of a value, and of a slope, in the middle of such a window, of samples at equal distances. */
double local_value_noise(const struct cubic_series *series, size_t half);
double local_slope_noise(const struct cubic_series *series, size_t half);

/* The acceleration at a sample of a displacement, or of a velocity, with the window that suits that. */
double local_acceleration_at(const struct cubic_series *series, size_t i, size_t half, bool of_velocity);

/* The standard deviation of an acceleration in the middle of the series. */
double local_acceleration_noise(const struct cubic_series *series, size_t half, bool of_velocity);

/* Neighbours on either side, `most` at most, with which noise is smoothed most without the values being bent (Mallows'
 * C_p), of a series of 9 samples and more. */
size_t local_cubic_window(const struct cubic_series *series, size_t most);

#endif
