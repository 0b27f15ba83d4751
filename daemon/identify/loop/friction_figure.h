/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_FIGURE_H
#define FRICID_IDENTIFY_FRICTION_FIGURE_H

#include "identify/loop/friction_rung.h"

/* One that is not known, with the reason. */
struct friction_figure friction_figure_without(const char *reason);

/* With its interval of 95 %. logarithmic: as many times below and above the value, where that is above 0. */
struct friction_figure friction_figure_of(double value, double se, bool logarithmic);

/* A figure gets the value of another model, whose probability is `share`, into its uncertainty, an exact one, too; and
 * that of the other one, as far as it is the larger. One that is not known, or of which the other model tells nothing,
 * stays as it is. */
void friction_figure_doubt(struct friction_figure *figure, double other, double other_se, double share);

#endif
