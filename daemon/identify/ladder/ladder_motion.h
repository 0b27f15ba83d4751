/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_MOTION_H
#define FRICID_IDENTIFY_LADDER_MOTION_H

#include "identify/ladder/ladder_term.h"

/* The motion of a rung from its release at rest on, in the motion's own time tau = omega_n (t - t_0) and seen from the
 * bias. The half cycles are integrated by Taylor series from one velocity zero to the next, with the derivatives by the
 * LADDER_MOTION parameters of the motion at fixed tau. Those by terms that a rung lacks are 0. */

/* A velocity zero. */
struct ladder_turn {
    double time, x;
    derivatives time_by, x_by;
};

/* The motion between two times, as polynomials in tau - origin. */
struct ladder_piece {
    double origin, from, to; /* holds in [from, to); from the first, which begins at -INFINITY, to INFINITY at a rest */
    const double *x;         /* SERIES_ORDER + 1 coefficients */
    const derivatives *x_by; /* by_order + 1 */
    size_t by_order;
};

/* Who gets them, in order of time; either may be NULL. False: no more is wanted. */
struct ladder_takers {
    bool (*turn)(void *taker, const struct ladder_turn *turn);
    bool (*piece)(void *taker, const struct ladder_piece *piece);
    void *taker;
};

/* Walks from tau = 0, a turn, until the takers have enough or tau reaches `until`. Before 0 stands what the half cycle
 * before would have been. terms: those that parameters[] has; those of others must be 0, and presliding with x_d = 0 is
 * rigid. Where rigid friction holds the mass, the last piece lasts for ever, and no turn follows. False for parameters
 * with which the mass does not come back. accuracy: what a step may leave away, as a part of X_0; WALK_EXACT is that of
 * the arithmetic, and has the derivatives to as many orders. Nothing allocates. */
#define WALK_EXACT 1e-15
bool ladder_walk(const double parameters[LADDER_MOTION], unsigned terms, double until, double accuracy,
                 const struct ladder_takers *takers);

#endif
