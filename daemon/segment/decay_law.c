/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The law of successive swings in three lines of algebra, for predictions while a decay runs. Not an identification:
 * it has no uncertainties, and identify/ never sees it. */

#include "segment/decay_law_loops.h"

#include "segment/extremes.h"

/* The best law without friction: a ratio. */
static struct decay_law viscous(const struct law_sums *sums)
{
    double origin = sums->origin, all = sums->count * origin;
    double products = sums->xy + origin * (sums->x + sums->y + all), squares = sums->xx + origin * (2 * sums->x + all);
    double q = squares > 0 ? products / squares : 1;
    return (struct decay_law){.q = smaller(larger(q, 0), 1)};
}

/* The best law without viscous damping: equal steps of 4 x_k. */
static struct decay_law coulomb(const double *swing, size_t count)
{
    double step = (swing[0] - swing[count - 1]) / (double)(count - 1);
    return (struct decay_law){.q = 1, .x_k = larger(step / 4, 0)};
}

struct decay_law decay_law_fit(const double *swing, size_t count)
{
    struct law_sums sums;
    decay_law_loops_of(lanes_widest())->sum_up(swing, count, &sums);
    if (count < 3)
        return viscous(&sums);
    double x = sums.x / sums.count, y = sums.y / sums.count;
    double xx = sums.xx - sums.x * x, xy = sums.xy - sums.x * y;
    double q = xx > 0 ? xy / xx : 1;
    /* Swings that fall faster than in a line are not a decay with friction and damping: one term has to do. */
    if (q > 1)
        return coulomb(swing, count);
    /* Swings that are large and small by turns have a negative ratio, -1 where they repeat. */
    double x_k = q > 0 ? (q * (sums.origin + x) - (sums.origin + y)) / (2 * (1 + q)) : 0;
    if (!(x_k > 0))
        return viscous(&sums);
    return (struct decay_law){.q = q, .x_k = x_k};
}

double decay_law_departure(const struct decay_law *law, const double *swing, size_t count, double forgiven)
{
    return decay_law_loops_of(lanes_widest())->departure(law, forgiven, swing, count - 1);
}
