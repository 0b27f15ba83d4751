/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_PASS_H
#define FRICID_IDENTIFY_LADDER_PASS_H

#include "identify/ladder/ladder_samples.h"

/* J'J, J'r and r'r of a rung, r = measured - model, in the units of the data; a logarithmic parameter's derivative is
 * by its logarithm. Only the lower half of the matrix is filled, and only for what the rung has. */
struct ladder_normal {
    double matrix[LADDER_PARAMETERS][LADDER_PARAMETERS];
    double gradient[LADDER_PARAMETERS];
    double squares; /* INFINITY: no decay has these parameters */
};

typedef void ladder_pass(const struct ladder_data *data, unsigned terms, const double parameters[LADDER_PARAMETERS],
                         struct ladder_normal *normal);

/* On the extrema labelled by their count, heights and times alike; a motion that ends before has no sum of squares. */
ladder_pass ladder_extrema_pass;

/* On all samples. */
ladder_pass ladder_sample_pass;

/* Adds a block's sums. */
void ladder_add_block(enum lanes_kind kind, const struct ladder_block *block, unsigned terms,
                      struct ladder_normal *normal);

#endif
