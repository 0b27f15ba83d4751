/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_NOISE_LOOPS_H
#define FRICID_IDENTIFY_LADDER_NOISE_LOOPS_H

#include "identify/common/ar_model.h"
#include "identify/ladder/ladder_pass.h"

#include <assert.h>

/* The filters of ladder_noise.c, and what they work on. */

/* The last rows, by number modulo their count; with room for the widest vectors. */
enum { KEPT = 32, ROW_ROOM = 16 };
static_assert((int)KEPT > (int)AR_MOST, "a filter looks back as far as its order");
static_assert((int)ROW_ROOM >= (int)LADDER_PARAMETERS, "a row has all parameters");

/* Residuals go through the whitening filter A. Gamma is (A'A)^-1: rows go through the inverse of A. */
struct whitening {
    enum lanes_kind kind;
    const struct ar_model *noise;
    unsigned terms;
    size_t count;
    double residual[AR_MOST + BLOCK_ROOM]; /* the last AR_MOST of the blocks before, and those of this one */
    double last[KEPT][ROW_ROOM];
    struct ladder_block coloured;
    struct ladder_normal sums;
};

struct ladder_noise_loops {
    void (*whiten)(struct whitening *whitening, const struct ladder_block *block);
    void (*colour)(struct whitening *whitening, const struct ladder_block *block);
};

LANES_TABLES(ladder_noise_loops)

#endif
