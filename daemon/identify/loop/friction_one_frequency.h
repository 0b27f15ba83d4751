/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_ONE_FREQUENCY_H
#define FRICID_IDENTIFY_FRICTION_ONE_FREQUENCY_H

#include "identify/loop/friction_motion.h"
#include "identify/loop/friction_rung.h"

/* A sine tells a spring k and a mass m by k - m omega^2 alone, and one that dies away beside a damper, too. */

/* Whether the acceleration is that of a sine, steady or dying away. */
bool friction_motion_has_one_frequency(const struct friction_motion *motion);

/* There a model's spring, or mass, is told for what it is: the difference. Of a model with both, neither is known. */
void friction_conclude_one_frequency(struct friction_rung *rung);

#endif
