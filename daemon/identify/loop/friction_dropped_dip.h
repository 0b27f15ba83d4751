/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_DROPPED_DIP_H
#define FRICID_IDENTIFY_FRICTION_DROPPED_DIP_H

#include "identify/loop/friction_rung.h"
#include "identify/loop/friction_weighing.h"

/* A dip that is not worth its evidence may be there all the same, and a level that is told without it is too high by
 * some of it. Where it gains more than noise brings about, what the same model with a dip, and maybe damping, beside
 * makes of the figures of a rung without one, and how uncertain it is of them, counts in their uncertainties by its
 * likelihood of so many samples; what it does not know is not seen. rung: all of the climb. */
void friction_doubt_dropped_dip(const struct friction_weighing *weighing, double samples, size_t at,
                                struct friction_rung *rung);

#endif
