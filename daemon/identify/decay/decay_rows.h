/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECAY_ROWS_H
#define FRICID_IDENTIFY_DECAY_ROWS_H

#include "identify/decay/decay_block.h"
#include "identify/decay/half_cycle_pass.h"
#include "identify/decay/scaled_record.h"

/* The closed form and its derivatives sample by sample: for whoever needs the rows of the Jacobian themselves, which
 * the fit does not. Scaled units. */

struct decay_rows {
    struct decay_walk walk; /* stands in the half cycle of the block */
    struct decay_block block;
    double theta[ROWS_MOST], g[ROWS_MOST], s[ROWS_MOST]; /* its base functions */
    const struct scaled_record *scaled;                  /* not for the caller, like all below */
    size_t next, last;
    struct half_cycle_pass pass;
};

/* For the samples [first, last). Nothing may be copied: the walk points to the parameters. */
void decay_rows_begin(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                      struct decay_rows *rows);

/* The next block; false when there is none. */
bool decay_rows_next(struct decay_rows *rows);

/* All blocks, as decay_block.h asks for them. */
block_walk decay_rows_walk;

#endif
