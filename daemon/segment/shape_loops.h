/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SHAPE_LOOPS_H
#define FRICID_SEGMENT_SHAPE_LOOPS_H

#include "motion/lanes.h"
#include "segment/shape.h"

/* The loops of shape.c. */
struct shape_loops {
    void (*tabulate)(struct shape *shape);
    bool (*fit)(const struct shape *shape, const struct sample_history *history, double start, double length,
                struct half_cycle *half);
};

LANES_TABLES(shape_loops)

#endif
