/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_SHAPE_H
#define FRICID_IDENTIFY_FRICTION_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

/* How friction builds up behind a reversal, before all of the contact slides. */

enum friction_shape {
    FRICTION_RIGID,         /* Coulomb: at once */
    FRICTION_DAHL,          /* exponentially; with a Stribeck level LuGre (GMG Eqs. 7-9) */
    FRICTION_ELASTOPLASTIC, /* elastic at first (GMG Eqs. 13-15) */
    FRICTION_BOUC_WEN,
    FRICTION_BACKLASH, /* through a gap, unlike in the two directions: no equation of the deflection alone */
    FRICTION_MAXWELL,  /* elements in parallel that slip one behind the other */
    FRICTION_NONE,     /* no dry friction at all */
    FRICTION_SHAPES
};

/* The deflection of the bristles obeys one equation in each: y = (deflection in the sense of the motion)/x_d, and with
 * the way in units of x_d dy/dway = slope(y, level). */
struct shape_parameters {
    double z_ba;          /* elastoplastic: elastic below this deflection, in units of x_d; 0 < z_ba < 1 */
    double n_bw, beta_bw; /* Bouc-Wen, with A = 1 and beta + gamma = 1 */
};

/* Below this n_bw the bend at 0 is too sharp for the steps below. */
#define FRICTION_LEAST_SHARPNESS 0.5

/* Beyond this one it is a corner: the deflection goes straight on to 0.97 of the level. */
#define FRICTION_MOST_SHARPNESS 30

const char *friction_shape_name(enum friction_shape shape); /* as in JSON */

/* Whether what a piece of the way changes has a closed form. */
bool friction_shape_is_closed(enum friction_shape shape);

/* Whether its force follows the sense of the motion at once, so that it has no state and no length. */
static inline bool friction_shape_is_rigid(enum friction_shape shape)
{
    return shape == FRICTION_RIGID || shape == FRICTION_NONE;
}

/* dy/dway and its derivatives: of the parameters by their logarithms, z_ba or n_bw first, then beta_bw. */
struct friction_bend {
    double slope, by_y, by_level, by_shape[2];
};
struct friction_bend friction_bend_at(enum friction_shape shape, const struct shape_parameters *parameters, double y,
                                      double level);

/* dy/dway where friction is level S(v) = F_S(v)/F_C when all slides. */
double friction_slope(enum friction_shape shape, const struct shape_parameters *parameters, double y, double level);

/* y after a way (in x_d, >= 0) at that level: exact where there is a closed form (rigid, Dahl), else by Runge and
 * Kutta's fourth order in fine steps. Not of backlash, which no equation of y describes, nor
 * of Maxwell-slip. */
double friction_advance(enum friction_shape shape, const struct shape_parameters *parameters, double y, double way,
                        double level);

/* Steps of Runge and Kutta, of what the level deflects, where the deflection grows with the way. Their error goes with
 * the fourth power: it is below 2e-7, 3e-6 and 6e-5 of the level for every shape here; where Bouc and Wen's slope has a
 * corner, which it has at n = 1, below 3e-5, 1e-4 and 7e-4. */
#define FRICTION_FINE_STEP 0.05
#define FRICTION_FIT_STEP 0.1
#define FRICTION_COARSE_STEP 0.25

/* The same for a shape without a closed form, with the derivatives of y behind the way: by y before it, by the level,
 * by the logarithm of x_d and by those of the shape's parameters; without slopes y and by_y alone hold. step: one of
 * the above. */
struct bent_way {
    double y, by_y, by_level, by_x_d, by_shape[2];
};
struct bent_way friction_advance_bent(enum friction_shape shape, const struct shape_parameters *parameters, double y,
                                      double way, double level, double step, bool slopes);

#endif
