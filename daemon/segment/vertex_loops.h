/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_VERTEX_LOOPS_H
#define FRICID_SEGMENT_VERTEX_LOOPS_H

#include "motion/lanes.h"

#include <stddef.h>

/* The loop of vertex.c. */
struct vertex_loops {
    void (*moments)(const double *y, size_t count, double sums[3]);
};

LANES_TABLES(vertex_loops)

#endif
