/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_QUICK_FOLLOW_LOOPS_H
#define FRICID_SEGMENT_QUICK_FOLLOW_LOOPS_H

#include "motion/lanes.h"
#include "segment/quick_follow.h"

/* The loop of quick_follow.c. */
struct quick_follow_loops {
    enum quick_follow_event (*follow)(struct decay_finder *finder, const struct sample_history *history, double ready,
                                      struct half_cycle *doubtful);
};

LANES_TABLES(quick_follow_loops)

#endif
