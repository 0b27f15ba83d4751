/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_SAMPLES_LOOPS_H
#define FRICID_IDENTIFY_LADDER_SAMPLES_LOOPS_H

#include "identify/ladder/ladder_motion.h"
#include "identify/ladder/ladder_samples.h"

/* The loops of ladder_samples.c, and what they work on. */
struct sampling {
    enum lanes_kind kind;
    const struct ladder_data *data;
    unsigned terms;
    const double *parameters;
    enum ladder_parameter moved[LADDER_MOTION + 1]; /* those of the motion that the rung has; the last one once more */
    size_t moved_count;
    size_t next;
    struct ladder_block block;
    ladder_block_taker *take;
    void *taker;
};

struct ladder_samples_loops {
    void (*fill)(struct sampling *sampling, const struct ladder_piece *piece, size_t count);
};

LANES_TABLES(ladder_samples_loops)

#endif
