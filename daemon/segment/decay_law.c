/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The law of successive swings in three lines of algebra, for predictions while a decay runs. Not an identification:
 * it has no uncertainties, and identify/ never sees it. */

#include "segment/decay_law.h"

#include "segment/extremes.h"

#include <math.h>
#include <stdint.h>

/* Of successive numbers, anywhere in memory. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));
typedef double loose_pair __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));

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
    /* A swing x and the next one, y, side by side. */
    pair mean = {0}, products = {0};
    for (size_t i = 0; i + 1 < count; i++)
        mean += *(const loose_pair *)(swing + i);
    mean *= 1 / ((double)(int64_t)count - 1);
    for (size_t i = 0; i + 1 < count; i++) {
        pair off = *(const loose_pair *)(swing + i) - mean;
        products += off * off[0];
    }
    double x = mean[0], y = mean[1], xx = products[0], xy = products[1];
    double q = xx > 0 ? xy / xx : 1;
    /* Swings that fall faster than in a line are not a decay with friction and damping: one term has to do. */
    if (q > 1)
        return coulomb(swing, count);
    double x_k = (q * x - y) / (2 * (1 + q));
    if (!(x_k > 0) || q <= 0)
        return viscous(swing, count);
    return (struct decay_law){.q = q, .x_k = x_k};
}
