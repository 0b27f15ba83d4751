/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_PASS_LOOPS_H
#define FRICID_IDENTIFY_FRICTION_PASS_LOOPS_H

#include "identify/loop/friction_pass.h"
#include "motion/lanes.h"

/* S(v) along a block, with its derivatives by the logarithms of the dip's ratio and of v_s. */
struct friction_levels {
    double level[FRICTION_BLOCK], by_ratio[FRICTION_BLOCK], by_v_s[FRICTION_BLOCK];
};

/* The loops of friction_pass.c, and what they work on. */
struct friction_walk {
    const struct friction_motion *motion;
    const struct friction_point *point;
    bool slopes;                     /* wanted, of more than the start */
    size_t next;                     /* piece that the block begins with */
    double state[FRICTION_UNKNOWNS]; /* by COLUMN_START and the next the deflection's derivatives; COLUMN_F_C: itself */
    struct friction_levels piece, sample;
    double deflection[FRICTION_UNKNOWNS][FRICTION_BLOCK]; /* likewise, at the end of each piece */
    struct friction_block block;
};

struct friction_pass_loops {
    void (*levels)(const struct friction_point *point, const double *speed, struct friction_levels *levels);
    void (*exponential)(struct friction_walk *walk); /* deflections of rigid and of Dahl's shape */
    void (*columns)(struct friction_walk *walk);     /* from deflections */
    void (*products)(const struct friction_block *block, const enum friction_column *used, size_t count,
                     struct friction_normal *normal);
};

LANES_TABLES(friction_pass_loops)

#endif
