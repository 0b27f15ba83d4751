/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CHUNK_LOOPS_H
#define FRICID_SEGMENT_CHUNK_LOOPS_H

#include "motion/lanes.h"
#include "segment/chunk.h"

/* The loops of chunk.c. `count_finite` stops at a whole chunk. */
struct chunk_loops {
    void (*find_range)(const double *sample, size_t count, double *lowest, double *highest);
    void (*look)(const double *sample, struct chunk *chunk);
    size_t (*count_finite)(const double *sample, size_t count);
};

LANES_TABLES(chunk_loops)

#endif
