/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_PROJECTION_H
#define FRICID_IDENTIFY_FRICTION_PROJECTION_H

#include "identify/loop/friction_pass.h"
#include "motion/small_cholesky.h"

#include <stdbool.h>

/* What rounding leaves of a sum of squares, as a part of it. */
#define FRICTION_ROUNDING 1e-15

/* The normal equations of a model with the unknowns in which the force is linear eliminated, of which some are never
 * negative. */
struct friction_projection {
    struct small_cholesky linear;
    double column[FRICTION_COLUMNS][CHOLESKY_MOST]; /* what each of the others has of them */
    double matrix[FRICTION_UNKNOWNS * FRICTION_UNKNOWNS], right[FRICTION_UNKNOWNS];
    bool moved[FRICTION_UNKNOWNS];
    double squares;
};

/* row: of the model. held: bits 1u << enum friction_column of what is at a bound or has no influence; alike: those of
 * them that only the others' columns are. */
void friction_project(const struct friction_row *row, const struct friction_normal *normal,
                      struct friction_projection *of, unsigned *held, unsigned *alike);

/* The linear unknowns after steps of the others (NULL: none) into value; of COLUMN_START the step. */
void friction_projection_solve(const struct friction_projection *of, const double *steps,
                               double value[FRICTION_UNKNOWNS]);

#endif
