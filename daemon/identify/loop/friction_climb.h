/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_CLIMB_H
#define FRICID_IDENTIFY_FRICTION_CLIMB_H

#include "identify/loop/friction_rung.h"
#include "identify/loop/friction_search.h"

#include <stdatomic.h>

/* The models of the ladder, fitted one after the other, each with what those before it found. */

struct friction_climb {
    const atomic_bool *cancel;
    struct friction_motions motions;
    double exponent;            /* of Stribeck's dip, of all */
    double stepped_for;         /* the sum of squares that the steps of the motion are short enough for */
    struct friction_fit *fit;   /* owned; FRICTION_RUNGS, count of them made */
    size_t row[FRICTION_RUNGS]; /* of friction_rows */
    size_t count;
};

/* Of the motion. 0 or -ENOMEM; friction_climb_clear() in any case. */
int friction_climb_make(const struct loop_signal *signal, const atomic_bool *cancel, struct friction_climb *climb);

/* All models of every climb but those of elements. 0 or -ENOMEM. */
int friction_climb_base(const struct loop_signal *signal, struct friction_climb *climb);

/* Steps as short as the best model so far calls for, and what was fitted fitted along them. 0 or -ENOMEM. */
int friction_climb_refine(const struct loop_signal *signal, struct friction_climb *climb);

/* The same models, or those of elements, with terms beside theirs, as far as there are such rows. */
void friction_climb_models(struct friction_climb *climb, unsigned beside, bool elements);

/* GMS, of Maxwell-slip with Stribeck's dip, which was climbed before, with terms beside. */
void friction_climb_attraction(struct friction_climb *climb, unsigned beside);

/* The models without dry friction, whose forces are all linear. At one sliding speed a viscous force is none of them:
 * nothing tells it from a Coulomb level. */
void friction_climb_frictionless(struct friction_climb *climb);

/* No model is left to leave more than a simpler one that it contains: one that does, or was given up, goes on from
 * where the best of these ended. */
void friction_climb_hand_up(struct friction_climb *climb);

/* A fit that was made and is not yet a rung. */
struct friction_probe {
    struct friction_fit fit;
    size_t row;
};

/* That of a rung's shape with other terms, from where that rung ended; false: there is no such row, or it was climbed
 * to where it leaves no more. A row that leaves more than the rung may have ended beside its optimum. */
bool friction_climb_to(const struct friction_climb *climb, size_t rung, unsigned terms, struct friction_probe *probe);

/* Makes it the rung of its row, the last one where that was not climbed; false: there is no room. */
bool friction_climb_take(struct friction_climb *climb, const struct friction_probe *probe, size_t *rung);

void friction_climb_clear(struct friction_climb *climb);

#endif
