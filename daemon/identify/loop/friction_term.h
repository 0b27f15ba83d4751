/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_TERM_H
#define FRICID_IDENTIFY_FRICTION_TERM_H

#include "identify/common/unit_kind.h"
#include "identify/loop/friction_shape.h"

#include <stdbool.h>
#include <stddef.h>

/* The models of the ladder of a contact, a row each: a shape of presliding and a set of terms. */

enum friction_term {
    FRICTION_VISCOUS,
    FRICTION_STRIBECK,
    FRICTION_FREE_EXPONENT, /* of that dip: estimated, neither 1 nor 2 */
    FRICTION_BRISTLE,       /* damping of the bristles */
    FRICTION_ATTRACTION,    /* of Maxwell-slip: what slips comes to S(v) at a rate (GMS) */
    FRICTION_SPRING,        /* in parallel */
    FRICTION_LEVELS,        /* unlike in the two directions */
    FRICTION_PATH,          /* unlike along the path */
    FRICTION_MASS,          /* between the load cell and the contact */
    FRICTION_HARDENING,     /* of the stops of backlash */
    FRICTION_TERMS
};

#define FRICTION_BIT(term) (1u << (term))

/* Elements of Maxwell-slip that a fit may find. */
enum { FRICTION_ELEMENTS = 8 };

struct friction_row {
    const char *name; /* in JSON: the shape and the terms */
    enum friction_shape shape;
    unsigned terms;
};

enum { FRICTION_ROWS = 615 };

/* In an order in which each stands behind those that it contains. */
extern const struct friction_row friction_rows[FRICTION_ROWS];

/* The row with a shape and terms; FRICTION_ROWS: there is none. */
size_t friction_row_of(enum friction_shape shape, unsigned terms);

/* Which of the terms that are looked for beside a model one with a shape and terms bears: springs, levels, a path and a
 * mass, and the exponent of its dip. */
unsigned friction_terms_borne(enum friction_shape shape, unsigned terms);

/* Whether the second has all that the first has, and the same shape. */
bool friction_row_extends(const struct friction_row *simple, const struct friction_row *full);

/* Whether the second is the first at some values of what it has more: of one shape or, as Dahl's is that of Bouc and
 * Wen with n = beta = 1, of these two. */
bool friction_row_contains(const struct friction_row *simple, const struct friction_row *full);

/* Its name; NULL behind the last. */
const char *friction_row_name(size_t row);

/* What is said of a contact, in the order of results. */
enum friction_parameter {
    FRICTION_F_C,
    FRICTION_X_D,
    FRICTION_SIGMA_0, /* F_C/x_d */
    FRICTION_F_S,
    FRICTION_V_S,
    FRICTION_EXPONENT, /* j of the dip, where it is estimated */
    FRICTION_SIGMA_1,
    FRICTION_SIGMA_2,
    FRICTION_K_X,
    FRICTION_F_0,
    FRICTION_ATTRACTION_C,
    FRICTION_Z_BA,
    FRICTION_N_BW,
    FRICTION_BETA_BW,
    FRICTION_GAP,
    FRICTION_SIDES, /* D_+/D_- */
    FRICTION_STOPS, /* p of stops that harden */
    FRICTION_LEVEL_RATIO,
    FRICTION_F_C_FORWARD,
    FRICTION_F_C_BACKWARD,
    FRICTION_PATH_SLOPE,
    FRICTION_PATH_CURVATURE,
    FRICTION_PATH_MIDDLE,
    FRICTION_MOVED_MASS,
    FRICTION_PARAMETERS
};

struct friction_parameter_row {
    const char *name;  /* in JSON */
    const char *label; /* on paper */
    enum unit_kind unit;
    const char *about; /* a phrase */
};

extern const struct friction_parameter_row friction_parameters[FRICTION_PARAMETERS];

/* What follows from others is no parameter of a fit's own. */
bool friction_parameter_follows(enum friction_parameter parameter);

/* Its name; NULL behind the last. */
const char *friction_parameter_name(size_t parameter);

/* Whether a model has it. */
bool friction_row_has(const struct friction_row *row, enum friction_parameter parameter);

#endif
