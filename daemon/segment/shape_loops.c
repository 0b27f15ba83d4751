/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/shape_loops.h"

#include "segment/shape_quads.h"
#include "segment/spiral_quads.h"

static void tabulate(struct shape *shape)
{
    quad c, s;
    struct spiral far;
    shape->q = spirals_begin(0, shape->turn, shape->beta, &c, &s, &far);
    for (size_t i = 0; i <= shape->fewest; i += QUAD) {
        *(loose_quad *)(shape->cosine + i) = c;
        *(loose_quad *)(shape->sine + i) = s;
        spirals_turn(&c, &s, far);
    }
}

static bool fit(const struct shape *shape, const struct sample_history *history, double start, double length,
                struct half_cycle *half)
{
    return shape_fit_samples(shape, history, start, length, half);
}

const struct shape_loops LANES_TABLE(shape_loops) = {.tabulate = tabulate, .fit = fit};
