/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_SAMPLES_H
#define FRICID_IDENTIFY_LADDER_SAMPLES_H

#include "identify/ladder/ladder_data.h"

/* Samples that follow each other. Behind the last one stand zeros, as many as the widest vectors may read. */
enum { BLOCK_SAMPLES = 256, BLOCK_ROOM = BLOCK_SAMPLES + LADDER_PADDING };

struct ladder_block {
    size_t count;
    double residual[BLOCK_ROOM];               /* measured - model, in the units of the data */
    double row[LADDER_PARAMETERS][BLOCK_ROOM]; /* of the model's Jacobian; 0 for what a rung lacks. A logarithmic
                                                * parameter's derivative is by its logarithm. */
};

typedef void ladder_block_taker(void *taker, const struct ladder_block *block);

/* What a rung's parameters make of all samples, block by block. False: no decay has these parameters. */
bool ladder_samples(const struct ladder_data *data, unsigned terms, const double parameters[LADDER_PARAMETERS],
                    ladder_block_taker *take, void *taker);

#endif
