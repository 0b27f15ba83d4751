/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_WALK_H
#define FRICID_IDENTIFY_FRICTION_WALK_H

#include "identify/loop/friction_motion.h"
#include "identify/loop/friction_term.h"

/* A model on its way along a motion: its unknowns, and a block of samples with what they are multiplied by. */

/* The unknowns, and what the force multiplies. The force is linear in the first ones. */
enum friction_column {
    COLUMN_F_C,
    COLUMN_SIGMA_1,
    COLUMN_SIGMA_2,
    COLUMN_K_X,
    COLUMN_F_0,
    COLUMN_PATH,   /* F_C's change along the path */
    COLUMN_PATH_2, /* and with its square */
    COLUMN_MASS,
    COLUMN_ELEMENT, /* the slip force of the first element of Maxwell-slip, and so on */
    FRICTION_LINEAR = COLUMN_ELEMENT + FRICTION_ELEMENTS,
    COLUMN_START = FRICTION_LINEAR, /* deflection before the first sample; of backlash the displacement */
    COLUMN_X_D,                     /* this and the next by their logarithms */
    COLUMN_RATIO,                   /* F_S/F_C - 1 */
    COLUMN_V_S,
    COLUMN_EXPONENT, /* of a dip, or the power with which the stops of backlash harden */
    COLUMN_SHAPE,    /* z_ba, n_bw, the gap, or the rate of GMS: C/F_C */
    COLUMN_SHAPE_2,  /* beta_bw, or D_+/D_- of backlash */
    COLUMN_LEVELS,   /* F_+/F_- */
    COLUMN_LENGTH,   /* the slip length of the first element, and so on; 0: the element is absent */
    FRICTION_UNKNOWNS = COLUMN_LENGTH + FRICTION_ELEMENTS,
    COLUMN_FORCE = FRICTION_UNKNOWNS, /* what was measured */
    FRICTION_COLUMNS
};

static inline bool friction_is_slip_force(enum friction_column column)
{
    return column >= COLUMN_ELEMENT && column < FRICTION_LINEAR;
}

static inline bool friction_is_slip_length(enum friction_column column)
{
    return column >= COLUMN_LENGTH && column < FRICTION_UNKNOWNS;
}

/* What a part of a motion has of its own: COLUMN_F_0 and COLUMN_START. */
struct friction_own {
    double offset, start;
};

/* A model in the units of a motion. */
struct friction_point {
    struct friction_row row;
    struct friction_own own[LOOP_PARTS]; /* of each part behind the first */
    double value[FRICTION_UNKNOWNS]; /* none a logarithm; the exponent of a dip counts whether it is fitted or not */
};

enum { FRICTION_BLOCK = FRICTION_PADDING };

/* Each value by the samples of a block, times their weight: of linear unknowns the factor, of the others the
 * derivative. */
struct friction_block {
    size_t count;
    double column[FRICTION_COLUMNS][FRICTION_BLOCK];
};

/* S(v) along a block, in its direction, with its derivatives by the logarithms of the dip's ratio, of v_s, of the
 * exponent and of F_+/F_-. */
struct friction_levels {
    double level[FRICTION_BLOCK], by_ratio[FRICTION_BLOCK], by_v_s[FRICTION_BLOCK], by_exponent[FRICTION_BLOCK],
        by_levels[FRICTION_BLOCK];
};

/* What S(v) changes by. */
enum { SLIP_BY_RATIO, SLIP_BY_V_S, SLIP_BY_EXPONENT, SLIP_BY_LEVELS, SLIP_BY_DIP };

/* An element of Maxwell-slip on its way, in units of the motion, and what its stretch changes by. */
struct friction_slip {
    double stretched, by_start, by_length, by_rate, by_dip[SLIP_BY_DIP];
    double sense; /* of the motion in which it slips; 0: it sticks */
};

/* What a walk of friction_pass.c works on. */
struct friction_walk {
    const struct friction_motion *motion;
    const struct friction_point *point;
    bool slopes;                     /* wanted, of more than the start */
    size_t part, end;                /* the part along which it goes, and the piece behind that */
    double start;                    /* of the part */
    size_t next;                     /* piece that the block begins with */
    double state[FRICTION_UNKNOWNS]; /* by COLUMN_START and the next the deflection's derivatives; COLUMN_F_C: itself */
    struct friction_slip element[FRICTION_ELEMENTS];
    struct friction_levels piece, sample;
    double deflection[FRICTION_UNKNOWNS][FRICTION_BLOCK]; /* likewise, at the end of each piece */
    struct friction_block block;
};

#endif
