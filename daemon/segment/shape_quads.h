/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of shape.c, see quads.h. */

#include "segment/shape_fit_quads.h"
#include "segment/spiral_quads.h"

QUADS_TARGET static void QUADS_NAME(tabulate)(struct shape *shape)
{
    quad c, s;
    struct spiral far;
    shape->q = QUADS_NAME(begin)(0, shape->turn, shape->beta, &c, &s, &far);
    for (size_t i = 0; i <= shape->fewest; i += LANES) {
        *(loose *)(shape->cosine + i) = c;
        *(loose *)(shape->sine + i) = s;
        QUADS_NAME(turn)(&c, &s, far);
    }
}

QUADS_TARGET static bool QUADS_NAME(fit)(const struct shape *shape, const struct sample_history *history, double start,
                                         double length, struct half_cycle *half)
{
    return QUADS_NAME(shape_fit)(shape, history, start, length, half);
}
