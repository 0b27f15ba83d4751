/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECAY_BLOCK_H
#define FRICID_IDENTIFY_DECAY_BLOCK_H

#include "identify/decay/row_sums.h"
#include "identify/decay/scaled_record.h"

#include <stdbool.h>

/* The model and its derivatives at neighbouring samples of one half cycle. */
struct decay_block {
    size_t first, count; /* the samples, flagged ones among them */
    size_t half_cycle;   /* 1 for the first */
    double value[ROWS_MOST];
    _Alignas(64) double row[ROWS_MOST][ROW_COLUMNS]; /* dy/dp; 0 beyond FIT_PARAMETERS */
};

typedef void block_taker(void *taker, const struct decay_block *block);

/* Hands over the samples [first, last) in order, in blocks, and a model's parameters in scaled units are all that it
 * needs. Samples before t0 see the first half cycle continued backwards; behind a rest the model may rest or go on
 * formally. False for parameters that no decay in the
 * record can have. */
typedef bool block_walk(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                        block_taker *take, void *taker);

#endif
