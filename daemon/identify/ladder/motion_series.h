/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MOTION_SERIES_H
#define FRICID_IDENTIFY_MOTION_SERIES_H

#include "motion/lanes.h"

#include <stdbool.h>
#include <stddef.h>

/* A motion and its derivatives by the parameters as Taylor series in time about one instant. Time is counted in
 * 1/omega_n, so that omega_n is no parameter of the motion. */

enum {
    SERIES_ORDER = 18,
    SERIES_LANES = 8 /* derivatives side by side, by enum ladder_parameter; a power of two for the vector units */
};

/* The derivatives of one figure. */
typedef double derivatives[SERIES_LANES];

/* Coefficients of one quantity, and of its derivatives. */
typedef double series_values[SERIES_ORDER + 1];
typedef derivatives series_derivatives[SERIES_ORDER + 1];

struct motion_series {
    const double *parameters; /* LADDER_MOTION of them */
    double side;              /* sign of the velocity in this half cycle */
    double turn;              /* displacement at which the half cycle began */
    derivatives turn_by;
    double yield; /* Dahl's z there, minus what it goes to, side */
    derivatives yield_by;
    bool yields;     /* z is still on its way */
    size_t by_order; /* to which the derivatives go, an even one */
    series_values x, v;
    series_derivatives x_by, v_by;
    /* What the terms make of them. */
    size_t squares;                       /* so many coefficients of x² are there */
    series_values square;                 /* x² */
    series_values path, fading;           /* |x - turn|/x_d, and e to the minus that */
    derivatives turn_pulls;               /* the acceleration's derivatives by way of the turn, per unit of fading */
    series_values slope_by_x, slope_by_v; /* of the acceleration */
};

/* A polynomial at a time, and its slope there. */
double series_value(enum lanes_kind kind, const series_values coefficients, double time, double *slope);

/* Polynomials of derivatives, of an even order, at a time. */
void series_at(enum lanes_kind kind, const series_derivatives coefficients, size_t order, double time,
               derivatives value);

/* The derivatives of x at fixed time since the release, where the instant of the series moves by these. */
void series_release_by(enum lanes_kind kind, const struct motion_series *series, const derivatives time_by,
                       series_derivatives x_by);

#endif
