/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_PASS_H
#define FRICID_IDENTIFY_FRICTION_PASS_H

#include "identify/common/ar_model.h"
#include "identify/loop/friction_walk.h"

/* One walk along a motion: the force of a model, its derivatives by all unknowns, and their normal equations, summed up
 * block by block while the samples are in the fastest memory. */

/* Whether a row's fit has this unknown. */
bool friction_column_used(const struct friction_row *row, enum friction_column column);

/* S(v) - 1 of a point. */
double friction_dip(const struct friction_point *point, double speed);

/* What a part's own offset and start are by one of each other unknown, and by COLUMN_FORCE: all that the force has of
 * them. Both are eliminated: the offset first, which has of_offset[COLUMN_START] of the start. */
struct friction_own_share {
    double of_offset[FRICTION_COLUMNS], of_start[FRICTION_COLUMNS];
    double offset_squares, start_squares; /* sums of squares of their columns, the start's without what is the offset's;
                                             0: it is not told apart */
};

/* What stands in the normal equations: the lower half of the products of all columns. */
struct friction_normal {
    double sum[FRICTION_COLUMNS][FRICTION_COLUMNS];
    struct friction_own_share share[LOOP_PARTS]; /* of each part behind the first, whose own unknowns are eliminated */
};

/* slopes: those of the derivatives too, but for COLUMN_START, which is always there. */
void friction_pass(const struct friction_motion *motion, const struct friction_point *point, bool slopes,
                   struct friction_normal *normal);

/* The same of columns that the noise has coloured, which is J' Gamma J for noise with an innovation of 1. white: of
 * that point, with slopes. */
void friction_pass_coloured(const struct friction_motion *motion, const struct friction_point *point,
                            const struct ar_model *noise, const struct friction_normal *white,
                            struct friction_normal *normal);

/* The same of columns, and of the force, that the noise's filter has whitened, without the first noise->order samples
 * of each part. */
void friction_pass_whitened(const struct friction_motion *motion, const struct friction_point *point,
                            const struct ar_model *noise, const struct friction_normal *white,
                            struct friction_normal *normal);

/* Measured less modelled force at the samples that count, motion->samples of them, in units of the motion. */
void friction_residuals(const struct friction_motion *motion, const struct friction_point *point, double *residuals);

#endif
