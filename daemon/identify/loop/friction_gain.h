/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_GAIN_H
#define FRICID_IDENTIFY_FRICTION_GAIN_H

#include "identify/loop/friction_doubt.h"
#include "identify/loop/friction_weighing.h"

/* What residuals hold may be the same in every loop, and no noise: then so many samples are as good as independent, by
 * the memory of these residuals and by one loop of all. INFINITY: it is noise, which whitening makes independent. */
double friction_independent_samples(const struct friction_weighing *weighing);

/* How much the evidence falls from one fit to another, by the noise that the other leaves: what the likelihood says,
 * less what its unknowns cost. Where noise of the displacement takes part in what new terms explain, by the widening
 * of the other; NULL: it is found where it is asked for. Where what the one with more unknowns leaves is the
 * same in every loop, it has to fall by samples that are as good as independent, and by so few of them noise counts as
 * it is. */
double friction_gain(const struct friction_weighing *weighing, const struct friction_fit *from,
                     const struct friction_fit *to, const struct friction_widening *widening);

#endif
