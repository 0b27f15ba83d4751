/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_HALF_CYCLE_LOOPS_H
#define FRICID_SEGMENT_HALF_CYCLE_LOOPS_H

#include "motion/lanes.h"
#include "segment/half_cycle.h"
#include "segment/tolerances.h"

#include <float.h>
#include <math.h>

/* These are sums over the bins of the two columns of the model, cosine and sine of the spiral, of y, and of their
 * products. */
struct spiral_sums {
    double c, s, y, cc, cs, ss, cy, sy, yy;
};

/* The sums as those of products about the means. */
struct moments {
    double cc, cs, ss, cy, sy, yy;
    double mean_c, mean_s, mean_y;
};

static inline struct moments moments_of(const struct spiral_sums *sum, double share)
{
    double c = sum->c * share, s = sum->s * share, y = sum->y * share;
    return (struct moments){
        .cc = sum->cc - sum->c * c,
        .cs = sum->cs - sum->c * s,
        .ss = sum->ss - sum->s * s,
        .cy = sum->cy - sum->c * y,
        .sy = sum->sy - sum->s * y,
        .yy = sum->yy - sum->y * y,
        .mean_c = c,
        .mean_s = s,
        .mean_y = y,
    };
}

/* Least squares of y on 1, c and s, told as that on 1, s(theta) = (1 - c - beta s) / (1 + q) and its slope
 * (1 + beta²) s / (1 + q). */
static inline void spiral_sums_solve(const struct spiral_sums *sum, double beta, double q, double length,
                                     struct half_cycle *half)
{
    double bins = (double)half->bins;
    const struct moments about_means = moments_of(sum, half->root_share * half->root_share), *m = &about_means;
    double determinant = m->cc * m->ss - m->cs * m->cs;
    /* Bins whose stamps are all but alike tell no shape. */
    if (!(determinant > ROUNDING_EPSILONS * DBL_EPSILON * m->cc * m->ss)) {
        *half = (struct half_cycle){.usable = false};
        return;
    }
    double per_determinant = 1 / determinant;
    double for_c = m->cy * m->ss - m->sy * m->cs, for_s = m->sy * m->cc - m->cy * m->cs;
    double on_c = for_c * per_determinant, on_s = for_s * per_determinant;
    double left = m->yy - on_c * m->cy - on_s * m->sy;
    double variance = left > 0 ? left / (bins - 3) : 0;
    double steep = 1 + beta * beta, swing = -(1 + q) * on_c;
    half->swing = swing;
    half->start = m->mean_y - on_c * (m->mean_c - 1) - on_s * m->mean_s;
    half->residual = sqrt(variance);
    half->swing_se = (1 + q) * sqrt(variance * m->ss * per_determinant);
    half->shift = 0;
    half->shift_variance = length * length;
    if (!half_cycle_tells_shift(swing, half->swing_se))
        return;
    /* A model that comes too late by d shows as -d times its slope. */
    double per_slope = length * M_1_PI / steep, per_swing = per_slope / for_c;
    half->shift = per_swing * (for_s - beta * for_c);
    half->shift_variance = variance * per_swing * determinant * per_swing * (m->cc + beta * (2 * m->cs + beta * m->ss));
}

/* Bins at equal distances, by their angles. */
struct even_bins {
    size_t count;
    double first, turn; /* from the first bin to the next */
    double beta;
};

/* The loops of half_cycle.c. average_pairs: `count` means of two samples each. */
struct half_cycle_loops {
    void (*average_pairs)(const double *sample, size_t count, double *mean);
    double (*add_evenly)(const double *y, const struct even_bins *bins, struct spiral_sums *sum);
    void (*fit_evenly)(const double *y, const struct even_bins *bins, double length, struct half_cycle *half);
};

LANES_TABLES(half_cycle_loops)

#endif
