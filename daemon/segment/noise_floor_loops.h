/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_NOISE_FLOOR_LOOPS_H
#define FRICID_SEGMENT_NOISE_FLOOR_LOOPS_H

#include "motion/lanes.h"
#include "segment/noise_floor.h"

/* The noise of so many chunks is sorted at once: half of the ring of noise_floor.h. */
enum { HALF_OF_CHUNKS = NOISE_CHUNKS / 2 };

/* The loop of noise_floor.c: sorts at most HALF_OF_CHUNKS values, none of them negative. */
struct noise_floor_loops {
    void (*sort)(float *values, size_t count);
};

LANES_TABLES(noise_floor_loops)

#endif
