/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECAY_ROWS_H
#define FRICID_IDENTIFY_DECAY_ROWS_H

#include "identify/decay/half_cycle_pass.h"
#include "identify/decay/row_sums.h"
#include "identify/decay/scaled_record.h"

/* The closed form and its derivatives sample by sample: for whoever needs the rows of the Jacobian themselves, which
 * the fit does not. Scaled units. */

/* At neighbouring samples of one half cycle. */
struct decay_block {
    size_t first, count; /* the samples, flagged ones among them */
    double value[ROWS_MOST];
    _Alignas(64) double row[ROWS_MOST][ROW_COLUMNS]; /* dy/dp; 0 beyond FIT_PARAMETERS */
};

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

typedef void block_taker(void *taker, const struct decay_block *block);

/* Hands over the samples [first, last) in order, in blocks. Samples before t0 see the first half cycle continued
 * backwards; behind a rest the half cycles go on formally. False for parameters that no decay in the record can have
 * (closed_form_describes()): nothing is handed over then. */
bool decay_rows_walk(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                     block_taker *take, void *taker);

#endif
