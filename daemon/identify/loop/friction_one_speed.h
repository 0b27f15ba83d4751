/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_ONE_SPEED_H
#define FRICID_IDENTIFY_FRICTION_ONE_SPEED_H

#include "identify/loop/friction_quantity.h"
#include "identify/loop/friction_rung.h"

/* What a record tells of a contact that slides at one speed v (friction_motion_has_one_speed()), where the Coulomb
 * level, the dip and both dampings are in each other. Of Dahl's shape it tells three figures: the force of the
 * plateaus P = F_C S + sigma_2 v, its jump at turns J = (sigma_1 + sigma_2) v, and the length L = x_d S along which
 * the plateau comes back (theory 8: LuGre). The stiffness F_C/x_d is P/L where no force is viscous, and (P - J)/L where
 * all of the jump is. */

/* Whether a model's stiffness is told by P/L. */
bool friction_has_plateau_stiffness(const struct friction_motion *motion, const struct friction_row *row);

/* P/L in units of the record. */
struct friction_quantity friction_plateau_stiffness(const struct friction_motion *motion,
                                                    const struct friction_fit *fit);

/* Takes what such a record does not tell from a model's figures, and puts what the jump may be of the level into the
 * uncertainty of the stiffness. */
void friction_conclude_one_speed(const struct friction_motion *motion, const struct friction_fit *fit,
                                 struct friction_rung *rung);

#endif
