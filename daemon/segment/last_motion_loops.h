/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_LAST_MOTION_LOOPS_H
#define FRICID_SEGMENT_LAST_MOTION_LOOPS_H

#include "motion/lanes.h"
#include "segment/last_motion.h"

/* The loop of last_motion.c. */
struct last_motion_loops {
    void (*sum_means)(struct motion_walk *walk, const struct last_means *means, size_t from, size_t to,
                      struct half_cycle_sums *sums);
};

LANES_TABLES(last_motion_loops)

#endif
