/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_MODEL_H
#define FRICID_IDENTIFY_FRICTION_MODEL_H

#include "identify/loop/contact_path.h"
#include "identify/loop/friction_shape.h"

#include <stdbool.h>
#include <stddef.h>

/* The force of a contact that is moved: presliding by a shape or by elements in parallel, Stribeck's dip, viscous
 * friction, a spring (GMG Eqs. 1-16). Any units, as long as they fit together. */

/* An element of Maxwell-slip: a spring that slips at a force. */
struct friction_element {
    double slip_length, slip_force; /* both > 0 */
};

/* A term that is 0 is absent, but for f_c and x_d. */
struct friction_model {
    enum friction_shape shape;
    struct shape_parameters shape_parameters;
    double f_c, x_d;                    /* x_d counts nothing where the shape is rigid */
    double f_s, v_s, stribeck_exponent; /* f_s = 0: as f_c */
    double sigma_1, sigma_2;            /* of the bristles, and viscous */
    double f_0, k_x;
    double gap, limit_ratio, hardening;             /* of backlash: D_+/D_-, and p of its stops; 0: 1, a spring */
    double level_ratio;                             /* F_+/F_-, of which f_c and f_s are the means; 0: 1 */
    double path_slope, path_curvature, path_middle; /* f_c + slope x + curvature x^2, from the middle on */
    double moved_mass;                              /* its inertia is no force of the contact, and not in it */
    const struct friction_element *elements;        /* not owned; with some, shape and f_c count nothing */
    size_t element_count;
    double element_force_scale, element_length_scale; /* what theirs are multiplied by; 0: 1 */
    double attraction; /* of GMS: elements that slip come to their force at the rate attraction/(f_c S); 0: at once */
};

enum { FRICTION_ELEMENTS_MOST = 64 };

/* What a contact remembers. */
struct friction_state {
    double deflection; /* in x_d */
    double element_force[FRICTION_ELEMENTS_MOST];
    signed char element_slips[FRICTION_ELEMENTS_MOST]; /* of GMS: the sense in which it does; 0: it sticks */
};

/* S(v) = 1 + (F_S/F_C - 1) exp(-(|v|/v_s)^j). */
double friction_level(const struct friction_model *model, double speed);

/* The same in a direction (1 or -1) of which the level is unlike that of the other. */
double friction_level_towards(const struct friction_model *model, double speed, double forward);

/* How the contact is deflected at a start, -1 … 1 of what it holds. */
struct friction_state friction_state_at(const struct friction_model *model, double start);

/* The force at each of `count` samples, which must be in order of time; the state is that at the first sample before,
 * that at the last one after. `pieces` (1 … PATH_PIECES): in how many steps each interval is walked; the error falls
 * with their square. */
void friction_force(const struct friction_model *model, const struct contact_sample *motion, size_t count,
                    size_t pieces, struct friction_state *state, double *force);

#endif
