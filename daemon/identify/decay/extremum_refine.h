/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_EXTREMUM_REFINE_H
#define FRICID_IDENTIFY_EXTREMUM_REFINE_H

#include "identify/common/small_least_squares.h"
#include "identify/decay/turning_points.h"

/* All heights in the trace's own units, times in s after its origin. */

/* Half width of the samples around an extremum that refine it, as phase angle, rad. */
#define EXTREMUM_WINDOW 1.1

/* What an extremum's surroundings look like beside height and time; learnt from the extrema themselves. */
struct extremum_shape {
    double beta;
    double x_k;
};

/* Unknowns of one extremum's fit. */
enum { EXTREMUM_HEIGHT, EXTREMUM_CURVE, EXTREMUM_SHIFT, EXTREMUM_UNKNOWNS };

struct local_fit {
    double time;                    /* s after the trace's origin */
    double height;                  /* from the trace's centre */
    double curve;                   /* X_j: height above the point of equal friction, from the bend alone */
    double height_gain, shift_gain; /* variances of height and phase (rad) in noise of variance 1 */
    double squares;                 /* of the residuals */
    size_t from, to;                /* places of the samples around it, [from, to) */
    size_t samples;
    size_t before; /* samples before the extremum */
};

/* Fits height, curve and time of the extremum near `fit->time` (a starting value, like height and curve) to the samples
 * around it, with the shape that the decay has there (SHK Eq. 5). omega: angular frequency there, rad/s; window: of the
 * samples to either side, rad. False when it is none. */
bool extremum_refine(const struct trace *trace, const struct turning_point *point, double omega,
                     const struct extremum_shape *shape, double window, struct local_fit *fit);

/* The sum of products of neighbouring residuals about a fit. */
double extremum_neighbours(const struct trace *trace, const struct turning_point *point, double omega,
                           const struct extremum_shape *shape, const struct local_fit *fit);

#endif
