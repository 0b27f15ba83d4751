/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_STRIBECK_H
#define FRICID_IDENTIFY_LOOP_STRIBECK_H

#include "identify/curve/speed_curve.h"
#include "identify/loop/friction_ladder.h"
#include "identify/loop/loop_reversal.h"

/* Friction over speed, from what slides of the loops of a run. (Stribeck's curve: theory section 8.) */

/* Friction is built up to a thousandth behind so many presliding lengths. */
#define SLIDING_LENGTHS 8

/* Which samples are looked at, and what is known of the contact. */
struct sliding {
    const struct loop_signal *signal;
    const struct loop_reversals *reversals;
    double from_s, to_s;                            /* the run */
    double presliding;                              /* length over which friction is built up; NAN: not known */
    double spring;                                  /* of the spring beside it; 0: there is none */
    double mass;                                    /* whose inertia the force contains; 0: there is none */
    double path_slope, path_curvature, path_middle; /* of the level, as the ladder has them; 0: there is none */
};

/* As of points at constant speed, each a mean over the samples of one way in a narrow range of speeds, with the scatter
 * of the loops as its standard deviation: verdicts are those of a curve, VERDICT_TOO_FEW_SLIDING where too
 * little slides, VERDICT_DISPLACEMENT_NOISY where noise hides how fast, and VERDICT_NO_MEMORY. */
void loop_stribeck(const struct sliding *sliding, struct speed_curve *curve);

#endif
