/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loop of half_cycle.c, see quads.h. */

#include "segment/spiral_quads.h"

/* What sums[0 … 8] are of: c, s, y, cc, cs, ss, cy, sy, yy. */
QUADS_TARGET static inline void QUADS_NAME(add)(const quad *cosine, const quad *sine, const quad *y, quad sums[9])
{
    const quad c = *cosine, s = *sine, values = *y;
    sums[0] += c;
    sums[1] += s;
    sums[2] += values;
    sums[3] += c * c;
    sums[4] += c * s;
    sums[5] += s * s;
    sums[6] += c * values;
    sums[7] += s * values;
    sums[8] += values * values;
}

/* y counts from the first bin. A last quad that is not full is filled up with nothing. */
QUADS_TARGET QUADS_INLINE double QUADS_NAME(sum_up)(const double *y, const struct even_bins *bins, struct sums *sum)
{
    quad c, s, sums[9] = {0};
    struct spiral far;
    double loss = QUADS_NAME(begin)(bins->first, bins->turn, bins->beta, &c, &s, &far);
    static const double ones[2 * LANES] = {1, 1, 1, 1};
    size_t left = bins->count;
    const double origin = y[0];
    for (; left >= LANES; left -= LANES, y += LANES) {
        quad values = *(const loose *)y - origin;
        QUADS_NAME(add)(&c, &s, &values, sums);
        QUADS_NAME(turn)(&c, &s, far);
    }
    if (left > 0) {
        quad wanted = *(const loose *)(ones + LANES - left);
        quad values = (QUADS_SOME(y, left) - origin) * wanted;
        c *= wanted;
        s *= wanted;
        QUADS_NAME(add)(&c, &s, &values, sums);
    }
    quad first = QUADS_TOTALS(sums[0], sums[1], sums[2], sums[3]);
    quad second = QUADS_TOTALS(sums[4], sums[5], sums[6], sums[7]);
    *sum = (struct sums){
        first[0], first[1], first[2], first[3], second[0], second[1], second[2], second[3], QUADS_TOTAL(sums[8])};
    return loss;
}

QUADS_TARGET static double QUADS_NAME(add_evenly)(const double *y, const struct even_bins *bins, struct sums *sum)
{
    return QUADS_NAME(sum_up)(y, bins, sum);
}

/* The whole fit in one go: between sums and answer nothing goes through memory. */
QUADS_TARGET static void QUADS_NAME(fit_evenly)(const double *y, const struct even_bins *bins, double length,
                                                struct half_cycle *half)
{
    struct sums sum;
    double q = QUADS_NAME(sum_up)(y, bins, &sum);
    solve(&sum, bins->beta, q, length, half);
}
