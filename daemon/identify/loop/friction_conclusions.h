/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_CONCLUSIONS_H
#define FRICID_IDENTIFY_FRICTION_CONCLUSIONS_H

#include "identify/common/ar_model.h"
#include "identify/loop/friction_fit.h"
#include "identify/loop/friction_rung.h"
#include "identify/loop/friction_shaking.h"

/* From a fit to figures with their uncertainties, and to what the record does not say. noise: of the residuals, in
 * units of the motion; shaking: what that of the displacement does beside it, or NULL. */
void friction_conclude(const struct friction_motion *motion, const struct friction_fit *fit,
                       const struct ar_model *noise, const struct friction_shaking *shaking,
                       struct friction_rung *rung);

/* Whether one of its terms vanishes at a bound, so that it is a simpler model. */
bool friction_is_reduced(const struct friction_fit *fit);

/* friction_conclude_one_speed() where it slides at one. Otherwise a model without viscous force has in its level what
 * there is of one where speeds differ by no more than their noise: its level becomes unknown where one with such a
 * force would not tell it. Last of all, for rivals are compared by their values. */
void friction_conclude_level(const struct friction_motion *motion, const struct friction_fit *fit,
                             struct friction_rung *rung);

#endif
