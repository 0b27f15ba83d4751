/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_PASS_H
#define FRICID_IDENTIFY_FRICTION_PASS_H

#include "identify/common/ar_model.h"
#include "identify/loop/friction_motion.h"
#include "identify/loop/friction_term.h"

/* One walk along a motion: the force of a model, its derivatives by all unknowns, and their normal equations, summed up
 * block by block while the samples are in the fastest memory. */

/* The unknowns, and what the force multiplies. The force is linear in the first ones. */
enum friction_column {
    COLUMN_F_C,
    COLUMN_SIGMA_1,
    COLUMN_SIGMA_2,
    COLUMN_K_X,
    COLUMN_F_0,
    FRICTION_LINEAR,
    COLUMN_START = FRICTION_LINEAR, /* deflection before the first sample */
    COLUMN_X_D,                     /* this and the next by their logarithms */
    COLUMN_RATIO,                   /* F_S/F_C - 1 */
    COLUMN_V_S,
    COLUMN_SHAPE,   /* z_ba, or n_bw */
    COLUMN_SHAPE_2, /* beta_bw */
    FRICTION_UNKNOWNS,
    COLUMN_FORCE = FRICTION_UNKNOWNS, /* what was measured */
    FRICTION_COLUMNS
};

/* A model in the units of a motion. */
struct friction_point {
    struct friction_row row;
    double exponent;                 /* of Stribeck's dip: 1 or 2 */
    double value[FRICTION_UNKNOWNS]; /* none a logarithm */
};

/* Whether a row's fit has this unknown. */
bool friction_column_used(const struct friction_row *row, enum friction_column column);

enum { FRICTION_BLOCK = FRICTION_PADDING };

/* Each value by the samples of a block, times their weight: of linear unknowns the factor, of the others the
 * derivative. */
struct friction_block {
    size_t count;
    double column[FRICTION_COLUMNS][FRICTION_BLOCK];
};

/* What stands in the normal equations: the lower half of the products of all columns. */
struct friction_normal {
    double sum[FRICTION_COLUMNS][FRICTION_COLUMNS];
};

/* slopes: those of the derivatives too, but for COLUMN_START, which is always there. */
void friction_pass(const struct friction_motion *motion, const struct friction_point *point, bool slopes,
                   struct friction_normal *normal);

/* The same of columns that the noise has coloured, which is J' Gamma J for noise with an innovation of 1. */
void friction_pass_coloured(const struct friction_motion *motion, const struct friction_point *point,
                            const struct ar_model *noise, struct friction_normal *normal);

/* Measured less modelled force at the samples that count, motion->samples of them, in units of the motion. */
void friction_residuals(const struct friction_motion *motion, const struct friction_point *point, double *residuals);

#endif
