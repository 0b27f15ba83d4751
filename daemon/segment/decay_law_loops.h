/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_DECAY_LAW_LOOPS_H
#define FRICID_SEGMENT_DECAY_LAW_LOOPS_H

#include "motion/lanes.h"
#include "segment/decay_law.h"

/* Sums over swings x and those that follow them, y, all counted from the first swing, which keeps squares from
 * cancelling. */
struct law_sums {
    double count, origin;
    double x, y, xx, xy;
};

/* The loops of decay_law.c. */
struct decay_law_loops {
    void (*sum_up)(const double *swing, size_t count, struct law_sums *sums);
    double (*departure)(const struct decay_law *law, double forgiven, const double *swing, size_t pairs);
};

LANES_TABLES(decay_law_loops)

#endif
