/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_PASS_LOOPS_H
#define FRICID_IDENTIFY_FRICTION_PASS_LOOPS_H

#include "identify/loop/friction_pass.h"
#include "motion/lanes.h"

/* The loops of friction_pass.c. */
struct friction_pass_loops {
    void (*levels)(const struct friction_point *point, const double *speed, const double *sense,
                   struct friction_levels *levels);
    void (*exponential)(struct friction_walk *walk); /* deflections of rigid and of Dahl's shape */
    void (*columns)(struct friction_walk *walk);     /* from deflections */
    void (*products)(const struct friction_block *block, const enum friction_column *used, size_t count,
                     struct friction_normal *normal);
};

LANES_TABLES(friction_pass_loops)

#endif
