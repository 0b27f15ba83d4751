/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SHAPE_QUADS_H
#define FRICID_SEGMENT_SHAPE_QUADS_H

/* The fit of shape.h, a part of files of loops: least squares of y on 1, c and s, where c + i s is the
 * spiral that starts at the first sample. The extremum lies a little before that: turning the answer by that angle
 * makes it the one from the extremum on. */

#include "segment/extremes.h"
#include "segment/quads.h"
#include "segment/shape.h"
#include "segment/spiral.h"

#include <math.h>

/* Sums over the samples of y, counted from the first one, of its products with the columns, and of its squares. What
 * lies behind the last sample counts as nothing. */
static inline void shape_sums(const struct shape *shape, const double *y, size_t count, quad *sums)
{
    static const double ones[2 * QUAD] = {1, 1, 1, 1};
    const double *cosine = shape->cosine, *sine = shape->sine, origin = y[0];
    quad sum = {0}, cy = {0}, sy = {0}, yy = {0};
    size_t left = count;
    for (; left >= QUAD; left -= QUAD, y += QUAD, cosine += QUAD, sine += QUAD) {
        quad value = *(const loose_quad *)y - origin;
        sum += value;
        cy += *(const loose_quad *)cosine * value;
        sy += *(const loose_quad *)sine * value;
        yy += value * value;
    }
    if (left > 0) {
        quad value;
        quad_some(y, left, &value);
        value = (value - origin) * *(const loose_quad *)(ones + QUAD - left);
        sum += value;
        cy += *(const loose_quad *)cosine * value;
        sy += *(const loose_quad *)sine * value;
        yy += value * value;
    }
    quad_totals(&sum, &cy, &sy, &yy, sums);
}

/* It solves for the half cycle by these sums; `before`: from the extremum to the first sample, positions. */
static inline void shape_solve(const struct shape *shape, const struct shape_columns *columns, const quad *sums,
                               double before, double length, struct half_cycle *half)
{
    const double y = (*sums)[0], beta = shape->beta, swung = 1 + shape->q;
    const struct spiral back = spiral_back(before * shape->turn, beta);
    double cy = (*sums)[1] - columns->cosine * y, sy = (*sums)[2] - columns->sine * y;
    double yy = (*sums)[3] - y * y * columns->per_sample;
    double from_first_c = columns->cc * cy + columns->cs * sy, from_first_s = columns->cs * cy + columns->ss * sy;
    double on_c = back.cosine * from_first_c - back.sine * from_first_s;
    double on_s = back.cosine * from_first_s + back.sine * from_first_c, slope = on_s - beta * on_c;
    double variance = positive_part(yy - from_first_c * cy - from_first_s * sy) * columns->per_freedom;
    half->swing = -swung * on_c;
    half->start = y * columns->per_sample - from_first_c * columns->cosine - from_first_s * columns->sine + on_c;
    half->residual = sqrt(variance);
    /* Variances of on_c and of the slope, as those of combinations of the two that were found. */
    double c = back.cosine, s = back.sine, d = s - beta * c, e = c + beta * s;
    double of_c = c * (c * columns->cc - 2 * s * columns->cs) + s * s * columns->ss;
    double of_slope = d * (d * columns->cc + 2 * e * columns->cs) + e * e * columns->ss;
    half->swing_se = swung * sqrt(variance * of_c);
    half->shift = 0;
    half->shift_variance = length * length;
    if (!half_cycle_tells_shift(half->swing, half->swing_se))
        return;
    double per_slope = shape->per_slope / on_c;
    /* The table's half cycle may be shorter: then its middle comes earlier. */
    half->shift = per_slope * slope + 0.5 * (shape->length - length);
    half->shift_variance = variance * per_slope * per_slope * of_slope;
}

/* It does what shape_fit() does. */
static inline bool shape_fit_samples(const struct shape *shape, const struct sample_history *history, double start,
                                     double length, struct half_cycle *half)
{
    if (history->stamped || !(start > (double)(int64_t)history->floor) ||
        !(start + length <= (double)(int64_t)sample_history_end(history)))
        return false;
    uint64_t from = sample_after(start);
    size_t count = (size_t)(sample_after(start + length) - from), more = count - shape->fewest;
    if (more > 1 || sample_history_flagged_within(history, from, from + count))
        return false;
    const double *y = sample_history_span(history, from, from + count).displacement;
    if (!y)
        return false;
    quad sums;
    shape_sums(shape, y, count, &sums);
    half->usable = true;
    half->bins = count;
    half->bin_size = 1;
    half->root_share = shape->columns[more].root_share;
    shape_solve(shape, &shape->columns[more], &sums, (double)(int64_t)from - start, length, half);
    half->start += y[0];
    return true;
}

#endif
