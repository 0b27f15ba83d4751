/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_TERM_H
#define FRICID_IDENTIFY_LADDER_TERM_H

#include "identify/common/unit_kind.h"
#include "identify/ladder/motion_series.h"

#include <stdbool.h>
#include <stddef.h>

/* The parameters of every rung, in the order of each Jacobian and covariance matrix. A rung is a set of terms; each
 * term has one parameter, and all rungs have those of the motion and of the measurement. */
enum ladder_parameter {
    LADDER_ZETA,
    LADDER_X_K,
    LADDER_DRAG,
    LADDER_CUBIC,
    LADDER_SQUARE,
    LADDER_X_D,
    LADDER_TERMS, /* so many terms */
    LADDER_X0 = LADDER_TERMS,
    LADDER_MOTION, /* so many parameters has the motion in its own time, omega_n (t - t_0) */
    LADDER_OMEGA_N = LADDER_MOTION,
    LADDER_BIAS,
    LADDER_T0,
    LADDER_PARAMETERS
};

/* One of them. */
struct ladder_parameter_row {
    const char *name; /* in JSON */
    const char *term; /* what the term is called there; NULL: it is no term */
    enum unit_kind unit;
    bool not_negative;  /* 0 is its bound, and a possible value */
    bool logarithmic;   /* a fit moves its logarithm, and derivatives are by this; 0 is the term's absence */
    double least, most; /* of a logarithmic one, in units of X_0: below the least it is absent */
    unsigned needs;     /* the terms without which this one means nothing */
    const char *about;  /* a phrase */
};

/* By enum ladder_parameter. */
extern const struct ladder_parameter_row ladder_parameters[LADDER_PARAMETERS];

/* The bit of a term in the set of a rung. */
#define LADDER_BIT(parameter) (1u << (parameter))

/* Whether a rung may have this set of terms: something damps, and each term has what it needs. */
bool ladder_terms_allowed(unsigned terms);

/* Whether a rung has this parameter: one of the motion, or a term of its own. */
bool ladder_terms_have(unsigned terms, enum ladder_parameter parameter);

/* How many terms these are. */
unsigned ladder_terms_count(unsigned terms);

/* "viscous+coulomb+drag": what a model of these terms is called; "" without any. */
struct ladder_name {
    char text[64];
};
struct ladder_name ladder_terms_name(unsigned terms);

/* All coefficients of a series from those of order 0, by the rules of these terms. */
void ladder_expand(enum lanes_kind kind, unsigned terms, struct motion_series *series);

/* x + k_2 x² + kappa x³, the force of the springs over stiffness, and its slope. */
double ladder_spring(const double parameters[LADDER_MOTION], double x);
double ladder_spring_slope(const double parameters[LADDER_MOTION], double x);

#endif
