/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MOTION_SERIES_H
#define FRICID_IDENTIFY_MOTION_SERIES_H

#include "identify/common/lanes.h"

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

/* Coefficients of one quantity's derivatives. */
typedef derivatives series_derivatives[SERIES_ORDER + 1];

struct motion_series {
    const double *parameters; /* LADDER_MOTION of them */
    double side;              /* sign of the velocity in this half cycle */
    double turn;              /* displacement at which the half cycle began */
    derivatives turn_by;
    double yield; /* Dahl's z there, minus what it goes to, side */
    derivatives yield_by;
    bool yields; /* z is still on its way */
    double x[SERIES_ORDER + 1], v[SERIES_ORDER + 1];
    double square[SERIES_ORDER + 1]; /* x² */
    double fading[SERIES_ORDER + 1]; /* e^(-|x - turn|/x_d) */
    series_derivatives x_by, v_by;
    series_derivatives path_by; /* of |x - turn|/x_d */
};

/* Adds a term's coefficient k of the acceleration, and of its derivatives. Coefficients 0 to k of x and v are there;
 * rules are called with k = 0, 1, 2, … and may keep series of their own. */
typedef void term_rule(struct motion_series *series, size_t k, double *acceleration, derivatives acceleration_by);

/* A polynomial's derivatives at a time. */
void series_at(enum lanes_kind kind, const series_derivatives coefficients, double time, derivatives value);

#endif
