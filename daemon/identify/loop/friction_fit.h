/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_FIT_H
#define FRICID_IDENTIFY_FRICTION_FIT_H

#include "identify/loop/friction_bounds.h"
#include "identify/loop/friction_pass.h"

#include <stdbool.h>

/* Residuals below this part of half the range of the force are what the steps of a walk leave, not noise. */
#define FRICTION_STEPS_LEAVE 1e-5

/* No logarithm moves further in one step: beyond, the derivatives are others. */
#define FRICTION_LONGEST_STEP 1.5

/* One model fitted to one motion from one start: variable projection. In every point the unknowns in which the force is
 * linear are solved for; the others go by Levenberg's steps. */
struct friction_fit {
    struct friction_point point;
    struct friction_normal normal; /* there, with the derivatives */
    double squares;                /* sum of those of the residuals, in units of the motion */
    unsigned held;                 /* bits 1u << enum friction_column: at a bound, or without any influence */
    unsigned alike;                /* those of them that only the others' columns are: as good as any value is 0 */
    size_t passes;
    bool abandoned; /* before its end, for another leaves far less */
};

static inline bool friction_is_held(const struct friction_fit *fit, enum friction_column column)
{
    return fit->held & 1u << column;
}

static inline bool friction_is_alike(const struct friction_fit *fit, enum friction_column column)
{
    return fit->alike & 1u << column;
}

/* The linear unknowns at a point, by one walk: fills in all but the start. */
void friction_fit_linear(const struct friction_motion *motion, const struct friction_point *point,
                         struct friction_fit *fit);

/* The sum of squares that is left at a point with the deflection at which it begins. */
double friction_fit_left(const struct friction_motion *motion, const struct friction_point *point);

/* The optimum that a start leads to, of whose values the linear unknowns are not looked at. */
void friction_fit_from(const struct friction_motion *motion, const struct friction_point *start,
                       struct friction_fit *fit);

/* The same of a fit that is wanted only if it leaves no more than `wanted`: it ends where as many steps as are left,
 * each of which takes off what the next one promises, would not lead there. */
void friction_fit_towards(const struct friction_motion *motion, const struct friction_point *start, double wanted,
                          struct friction_fit *fit);

#endif
