/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The law of successive swings in three lines of algebra, for predictions while a decay runs. Not an identification:
 * it has no uncertainties, and identify/ never sees it. */

#include "segment/decay_law.h"

#include "segment/extremes.h"

#include <math.h>

/* The best law without friction: a ratio. */
static struct decay_law viscous(const double *swing, size_t count)
{
    double products = 0, squares = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        products += swing[i] * swing[i + 1];
        squares += swing[i] * swing[i];
    }
    double q = squares > 0 ? products / squares : 1;
    return (struct decay_law){.q = smaller(larger(q, 0.01), 1)};
}

/* The best law without viscous damping: equal steps of 4 x_k. */
static struct decay_law coulomb(const double *swing, size_t count)
{
    double step = count > 1 ? (swing[0] - swing[count - 1]) / (double)(count - 1) : 0;
    return (struct decay_law){.q = 1, .x_k = larger(step / 4, 0)};
}

struct decay_law decay_law_fit(const double *swing, size_t count)
{
    if (count < 3)
        return viscous(swing, count);
    double per_count = 1 / ((double)count - 1), x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        x += swing[i];
        y += swing[i + 1];
    }
    x *= per_count;
    y *= per_count;
    for (size_t i = 0; i + 1 < count; i++) {
        xx += (swing[i] - x) * (swing[i] - x);
        xy += (swing[i] - x) * (swing[i + 1] - y);
    }
    double q = xx > 0 ? xy / xx : 1;
    /* Swings that fall faster than in a line are not a decay with friction and damping: one term has to do. */
    if (q > 1)
        return coulomb(swing, count);
    double x_k = (q * x - y) / (2 * (1 + q));
    if (!(x_k > 0) || q <= 0)
        return viscous(swing, count);
    return (struct decay_law){.q = q, .x_k = x_k};
}
