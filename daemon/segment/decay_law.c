/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The law of successive swings in three lines of algebra, for predictions while a decay runs. Not an identification:
 * it has no uncertainties, and identify/ never sees it. */

#include "segment/decay_law.h"

#include "segment/extremes.h"

#include <math.h>
#include <stdint.h>

/* Four numbers that follow each other, anywhere in memory. */
enum { LANES = 4 };
typedef double quad __attribute__((vector_size(LANES * sizeof(double))));
typedef double loose __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
#define TOTAL(v) (((v)[0] + (v)[1]) + ((v)[2] + (v)[3]))

/* Sums over swings x and those that follow them, y, all counted from the first swing, which keeps squares from
 * cancelling. */
struct law_sums {
    double count, origin;
    double x, y, xx, xy;
};

static struct law_sums sums_of(const double *swing, size_t count)
{
    size_t pairs = count - 1, i = 0;
    double origin = swing[0];
    quad x = {0}, xx = {0}, xy = {0};
    for (; i + LANES <= pairs; i += LANES) {
        quad here = *(const loose *)(swing + i) - origin, next = *(const loose *)(swing + i + 1) - origin;
        x += here;
        xx += here * here;
        xy += here * next;
    }
    struct law_sums sums = {.count = (double)(int64_t)pairs, .origin = origin};
    sums.x = TOTAL(x);
    sums.xx = TOTAL(xx);
    sums.xy = TOTAL(xy);
    for (; i < pairs; i++) {
        double here = swing[i] - origin;
        sums.x += here;
        sums.xx += here * here;
        sums.xy += here * (swing[i + 1] - origin);
    }
    sums.y = sums.x + (swing[count - 1] - origin);
    return sums;
}

/* The best law without friction: a ratio. */
static struct decay_law viscous(const struct law_sums *sums)
{
    double origin = sums->origin, all = sums->count * origin;
    double products = sums->xy + origin * (sums->x + sums->y + all), squares = sums->xx + origin * (2 * sums->x + all);
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
    const struct law_sums sums = sums_of(swing, count);
    if (count < 3)
        return viscous(&sums);
    double x = sums.x / sums.count, y = sums.y / sums.count;
    double xx = sums.xx - sums.x * x, xy = sums.xy - sums.x * y;
    double q = xx > 0 ? xy / xx : 1;
    /* Swings that fall faster than in a line are not a decay with friction and damping: one term has to do. */
    if (q > 1)
        return coulomb(swing, count);
    double x_k = (q * (sums.origin + x) - (sums.origin + y)) / (2 * (1 + q));
    if (!(x_k > 0) || q <= 0)
        return viscous(&sums);
    return (struct decay_law){.q = q, .x_k = x_k};
}
