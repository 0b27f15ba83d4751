/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_FIGURE_H
#define FRICID_IDENTIFY_FRICTION_FIGURE_H

#include "identify/loop/friction_rung.h"

/* One that is not known, with the reason. */
struct friction_figure friction_figure_without(const char *reason);

/* A figure gets the value of another model, of such a probability, into its uncertainty. */
void friction_figure_doubt(struct friction_figure *figure, double other, double share);

#endif
