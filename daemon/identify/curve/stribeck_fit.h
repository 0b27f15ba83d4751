/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_STRIBECK_FIT_H
#define FRICID_IDENTIFY_STRIBECK_FIT_H

#include <stdbool.h>
#include <stddef.h>

/* Friction over steady speed, F = s (F_C + dip exp(-(|v|/v_s)^j)) + sigma_2 v + F_0 with s the sense of the motion (GMG
 * Eq. 3): for given v_s and j it is linear in the others. */

enum stribeck_parameter {
    STRIBECK_F_C,
    STRIBECK_DIP, /* F_S - F_C */
    STRIBECK_V_S,
    STRIBECK_EXPONENT, /* j */
    STRIBECK_SIGMA_2,
    STRIBECK_F_0,
    STRIBECK_PARAMETERS
};

/* What a curve may be, from few terms to many. */
enum stribeck_model {
    STRIBECK_NONE,   /* F_C and sigma_2 */
    STRIBECK_ONE,    /* with a dip, j = 1 */
    STRIBECK_TWO,    /* with a dip, j = 2 */
    STRIBECK_SHAPED, /* with a dip, j estimated */
    STRIBECK_MODELS
};

const char *stribeck_model_name(size_t model); /* as in JSON; NULL behind the last */

struct curve_point {
    double speed; /* with its sign, never 0 */
    double force;
    double weight; /* reciprocal of the variance, in any unit */
};

struct stribeck_fit {
    enum stribeck_model model;
    double value[STRIBECK_PARAMETERS]; /* 0 where the model has no such term */
    /* Of those that the points tell, from the scatter about the curve; NAN for the others. */
    double covariance[STRIBECK_PARAMETERS][STRIBECK_PARAMETERS];
    bool fitted[STRIBECK_PARAMETERS];
    double squares;  /* weighted, of the residuals */
    double residual; /* root of their weighted mean square */
    double freedom;  /* points less unknowns */
    double common;   /* so many times the variances of independent residuals are in the covariance */
};

/* Weighted least squares without a starting value: v_s and j from a grid, then refined. F_0 is a term where the points
 * go both ways. sigma_2 is at least 0. 0, -EDOM: there are too few points for the unknowns, or no curve of the model
 * has a friction and a dip above 0; -ENOMEM. */
int stribeck_fit(const struct curve_point *points, size_t count, enum stribeck_model model, struct stribeck_fit *fit);

/* Whether the points leave it open: it is fitted, or a viscous friction of 0 because it would be below. */
bool stribeck_is_unknown(const struct stribeck_fit *fit, int parameter);

/* The force at a speed, and its standard uncertainty: NAN where a parameter in it is not told. */
double stribeck_force(const struct stribeck_fit *fit, double speed, double *u);

#endif
