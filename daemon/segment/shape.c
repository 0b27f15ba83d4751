/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Making the table, and the way to it from a history. The fit itself is in shape_quads.h. */

#include "segment/shape_loops.h"

#include <math.h>

static void add_columns(const struct shape *shape, size_t count, struct shape_columns *columns)
{
    double c = 0, s = 0, cc = 0, cs = 0, ss = 0, samples = (double)(int64_t)count;
    for (size_t i = 0; i < count; i++) {
        c += shape->cosine[i];
        s += shape->sine[i];
        cc += shape->cosine[i] * shape->cosine[i];
        cs += shape->cosine[i] * shape->sine[i];
        ss += shape->sine[i] * shape->sine[i];
    }
    double per_sample = 1 / samples;
    cc -= c * c * per_sample;
    cs -= c * s * per_sample;
    ss -= s * s * per_sample;
    double per_determinant = 1 / (cc * ss - cs * cs);
    *columns = (struct shape_columns){
        .per_sample = per_sample,
        .per_freedom = 1 / (samples - 3),
        .root_share = 1 / sqrt(samples),
        .cosine = c * per_sample,
        .sine = s * per_sample,
        .cc = ss * per_determinant,
        .cs = -cs * per_determinant,
        .ss = cc * per_determinant,
    };
}

void shape_tabulate(struct shape *shape, double length, double beta)
{
    shape->length = 0;
    if (!(length >= HALF_CYCLE_FEWEST_BINS && length < HALF_CYCLE_BINS - 1))
        return;
    shape->length = length;
    shape->beta = beta;
    shape->turn = M_PI / length;
    shape->per_slope = length * M_1_PI / (1 + beta * beta);
    shape->fewest = (size_t)length;
    shape_loops_of(lanes_widest())->tabulate(shape);
    for (size_t i = 0; i < 2; i++)
        add_columns(shape, shape->fewest + i, &shape->columns[i]);
}

bool shape_fit(const struct shape *shape, const struct sample_history *history, double start, double length,
               struct half_cycle *half)
{
    return shape_loops_of(lanes_widest())->fit(shape, history, start, length, half);
}
