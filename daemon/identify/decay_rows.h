/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECAY_ROWS_H
#define FRICID_IDENTIFY_DECAY_ROWS_H

#include "identify/half_cycle_pass.h"
#include "identify/scaled_record.h"

/* The model and its derivatives sample by sample, in blocks of samples that lie in one half cycle: for whoever needs
 * the rows of the Jacobian themselves, which the fit does not. Scaled units. */

enum { ROWS_MOST = 64 };

struct decay_rows {
    struct decay_walk walk; /* stands in the half cycle of the block */
    size_t first, count;    /* the samples of the block, flagged ones among them */
    double theta[ROWS_MOST], g[ROWS_MOST], s[ROWS_MOST];
    double value[ROWS_MOST];                         /* y */
    _Alignas(64) double row[ROWS_MOST][SUM_COLUMNS]; /* dy/dp; 0 beyond FIT_PARAMETERS */
    const struct scaled_record *scaled;              /* not for the caller, like all below */
    size_t next, last;
    struct half_cycle_pass pass;
};

/* For the samples [first, last). Nothing may be copied: the walk points to the parameters. */
void decay_rows_begin(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                      struct decay_rows *rows);

/* The next block; false when there is none. */
bool decay_rows_next(struct decay_rows *rows);

#endif
