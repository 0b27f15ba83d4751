/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of shape.c, see quads.h. */

#include "segment/spiral_quads.h"

QUADS_TARGET static void QUADS_NAME(tabulate)(struct shape *shape)
{
    quad c, s;
    struct spiral far;
    shape->q = QUADS_NAME(begin)(0, M_PI / shape->length, shape->beta, &c, &s, &far);
    for (size_t i = 0; i <= shape->fewest; i += LANES) {
        *(loose *)(shape->cosine + i) = c;
        *(loose *)(shape->sine + i) = s;
        QUADS_NAME(turn)(&c, &s, far);
    }
}

/* What lies behind the last sample counts as nothing. `before`: from the extremum to the first sample, positions. */
QUADS_TARGET static void QUADS_NAME(fit)(const struct shape *shape, const double *y, size_t count, double before,
                                         double length, struct half_cycle *half)
{
    static const double ones[2 * LANES] = {1, 1, 1, 1};
    const double *cosine = shape->cosine, *sine = shape->sine, origin = y[0];
    quad sum = {0}, cy = {0}, sy = {0}, yy = {0};
    size_t left = count;
    for (; left >= LANES; left -= LANES, y += LANES, cosine += LANES, sine += LANES) {
        quad value = *(const loose *)y - origin;
        sum += value;
        cy += *(const loose *)cosine * value;
        sy += *(const loose *)sine * value;
        yy += value * value;
    }
    if (left > 0) {
        quad value = (QUADS_SOME(y, left) - origin) * *(const loose *)(ones + LANES - left);
        sum += value;
        cy += *(const loose *)cosine * value;
        sy += *(const loose *)sine * value;
        yy += value * value;
    }
    quad totals = QUADS_TOTALS(sum, cy, sy, yy);
    const struct shape_sums sums = {totals[0], totals[1], totals[2], totals[3]};
    double theta = before * M_PI / shape->length, x = shape->beta * theta, xx = x * x, tt = theta * theta;
    double t4 = tt * tt, t8 = t4 * t4, decay = SPIRAL_DECAY(-x, xx, xx * xx);
    const struct spiral back = {decay * SPIRAL_COSINE(tt, t4, t8), decay * SPIRAL_SINE(theta, tt, t4, t8)};
    solve(shape, &shape->columns[count - shape->fewest], &sums, back, length, half);
}
