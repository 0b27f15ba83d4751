/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_EXPONENT_H
#define FRICID_IDENTIFY_FRICTION_EXPONENT_H

#include "identify/loop/friction_rung.h"
#include "identify/loop/friction_weighing.h"

/* Which exponent a dip has that is not estimated: that of 1 and 2 which leaves less. The rung and its fit in the climb
 * become those with it, which need not be the one that was found for another model.
 * beside: what the model is with the other one; its verdict is not VERDICT_OK where there is no such.
 * Returns the likelihood of that by so many samples, as a share of both. */
double friction_choose_exponent(const struct friction_weighing *weighing, double samples, size_t at,
                                struct friction_rung *rung, struct friction_rung *beside);

/* Has what the other exponent makes of the figures in their uncertainties, by its share; and both exponents with their
 * static level and velocity, each as if it were known, where the record does not tell which it is. A dip that is seen
 * stays seen. */
void friction_doubt_exponent(const struct friction_rung *beside, double share, struct friction_rung *rung,
                             struct friction_exponents *exponents);

#endif
