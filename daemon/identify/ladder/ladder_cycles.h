/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_CYCLES_H
#define FRICID_IDENTIFY_LADDER_CYCLES_H

#include "identify/ladder/ladder_fit.h"

/* What a rung's residual looks like in one cycle, as a mixture of three shapes: the motion comes later, it is larger,
 * its zero is elsewhere. A cycle begins at every extremum but the last two. In the units of the data. */
enum cycle_shape { CYCLE_DELAY, CYCLE_GAIN, CYCLE_ZERO, CYCLE_SHAPES };

struct ladder_cycle {
    bool known; /* false: it has too few samples, or the motion has ended */
    double value[CYCLE_SHAPES];
    double variance[CYCLE_SHAPES]; /* for residuals of variance 1 */
};

struct ladder_cycles {
    size_t count;
    struct ladder_cycle *cycle; /* owned */
    double variance;            /* of what the shapes leave */
    double scale[CYCLE_SHAPES]; /* of ladder_cycles_jump(): its typical size, at least 1 */
};

/* VERDICT_OK or VERDICT_NO_MEMORY. */
enum verdict ladder_cycles_from(const struct ladder_data *data, const struct ladder_rung *rung,
                                struct ladder_cycles *cycles);

void ladder_cycles_clear(struct ladder_cycles *cycles);

/* By how much a shape differs between the cycle that ends where half cycle `at` begins and the one that begins where it
 * ends, in standard errors; NAN where one of them is not known. */
double ladder_cycles_jump(const struct ladder_cycles *cycles, enum cycle_shape shape, size_t at);

/* The standard error of that difference; NAN likewise. */
double ladder_cycles_jump_error(const struct ladder_cycles *cycles, enum cycle_shape shape, size_t at);

#endif
