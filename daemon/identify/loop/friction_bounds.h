/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_BOUNDS_H
#define FRICID_IDENTIFY_FRICTION_BOUNDS_H

#include "identify/loop/friction_motion.h"
#include "identify/loop/friction_walk.h"

/* The bounds of an unknown of which there is a logarithm, in units of the motion. */
struct friction_bounds {
    double least, most;
};
struct friction_bounds friction_bounds_of(const struct friction_motion *motion, const struct friction_row *row,
                                          enum friction_column column);

#endif
