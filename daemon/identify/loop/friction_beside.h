/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_BESIDE_H
#define FRICID_IDENTIFY_FRICTION_BESIDE_H

#include "identify/loop/friction_weighing.h"

/* What any contact may have beside its model, and a dip an exponent of its own, is looked for as long as one term more,
 * or less, is worth it. All models are climbed with what the search found, of which the best may need less than that
 * with which it was found. Those of elements, which stand in for anything, come last. 0 or -ENOMEM. */
int friction_climb_beside(struct friction_weighing *weighing);

/* The best model without what vanishes in it, and without what is not worth it beside, where that was not climbed. */
void friction_climb_less(struct friction_weighing *weighing);

#endif
