/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/half_cycle_loops.h"

#include "segment/spiral_quads.h"

/* The sums[0 … 8] are those of c, s, y, cc, cs, ss, cy, sy, yy. */
static inline void add(const quad *cosine, const quad *sine, const quad *y, quad sums[9])
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
static inline double sum_up(const double *y, const struct even_bins *bins, struct spiral_sums *sum)
{
    quad c, s, sums[9] = {0};
    struct spiral far;
    double loss = spirals_begin(bins->first, bins->turn, bins->beta, &c, &s, &far);
    static const double ones[2 * QUAD] = {1, 1, 1, 1};
    size_t left = bins->count;
    const double origin = y[0];
    for (; left >= QUAD; left -= QUAD, y += QUAD) {
        quad values = *(const loose_quad *)y - origin;
        add(&c, &s, &values, sums);
        spirals_turn(&c, &s, far);
    }
    if (left > 0) {
        quad wanted = *(const loose_quad *)(ones + QUAD - left), values;
        quad_some(y, left, &values);
        values = (values - origin) * wanted;
        c *= wanted;
        s *= wanted;
        add(&c, &s, &values, sums);
    }
    quad first, second;
    quad_totals(&sums[0], &sums[1], &sums[2], &sums[3], &first);
    quad_totals(&sums[4], &sums[5], &sums[6], &sums[7], &second);
    *sum = (struct spiral_sums){
        first[0], first[1], first[2], first[3], second[0], second[1], second[2], second[3], quad_total(&sums[8])};
    return loss;
}

static double add_evenly(const double *y, const struct even_bins *bins, struct spiral_sums *sum)
{
    return sum_up(y, bins, sum);
}

/* The whole fit in one go: between sums and answer nothing goes through memory. */
static void fit_evenly(const double *y, const struct even_bins *bins, double length, struct half_cycle *half)
{
    struct spiral_sums sum;
    double q = sum_up(y, bins, &sum);
    spiral_sums_solve(&sum, bins->beta, q, length, half);
}

static void average_pairs(const double *sample, size_t count, double *mean)
{
    size_t i = 0;
    for (; i + QUAD <= count; i += QUAD) {
        const quad low = *(const loose_quad *)(sample + 2 * i), high = *(const loose_quad *)(sample + 2 * i + QUAD);
        const quad first = __builtin_shufflevector(low, high, 0, 2, 4, 6);
        const quad second = __builtin_shufflevector(low, high, 1, 3, 5, 7);
        *(loose_quad *)(mean + i) = 0.5 * (first + second);
    }
    for (; i < count; i++)
        mean[i] = 0.5 * (sample[2 * i] + sample[2 * i + 1]);
}

const struct half_cycle_loops LANES_TABLE(half_cycle_loops) = {
    .average_pairs = average_pairs, .add_evenly = add_evenly, .fit_evenly = fit_evenly};
