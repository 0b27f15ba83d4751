/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Least squares of y on 1, c and s, where c + i s is the spiral that starts at the first sample. The extremum lies a
 * little before that: turning the answer by that angle makes it the one from the extremum on. */

#include "segment/shape.h"

#include "segment/extremes.h"
#include "segment/spiral.h"

#include <math.h>
#include <stdint.h>

/* Two more than there are unknowns. */
enum { FEWEST_SAMPLES = 5 };

/* Sums over the samples of y, counted from the first one, and of its products with the columns. */
struct shape_sums {
    double y, cy, sy, yy;
};

static inline void solve(const struct shape *shape, const struct shape_columns *columns, const struct shape_sums *sum,
                         struct spiral back, double length, struct half_cycle *half)
{
    double cy = sum->cy - columns->cosine * sum->y, sy = sum->sy - columns->sine * sum->y;
    double yy = sum->yy - sum->y * sum->y * columns->per_sample, beta = shape->beta, swung = 1 + shape->q;
    double from_first_c = columns->cc * cy + columns->cs * sy, from_first_s = columns->cs * cy + columns->ss * sy;
    double on_c = back.cosine * from_first_c - back.sine * from_first_s;
    double on_s = back.cosine * from_first_s + back.sine * from_first_c;
    double variance = positive_part(yy - from_first_c * cy - from_first_s * sy) * columns->per_freedom;
    double constant = sum->y * columns->per_sample - from_first_c * columns->cosine - from_first_s * columns->sine;
    double swing = -swung * on_c;
    half->swing = swing;
    half->start = constant + on_c;
    half->residual = sqrt(variance);
    half->most_back = fabs(on_s - beta * on_c) + 2 * half->residual * columns->root_samples;
    /* Variances of on_c and of on_s - beta on_c, as those of combinations of the two that were found. */
    double c = back.cosine, s = back.sine, d = s - beta * c, e = c + beta * s;
    double of_c = c * (c * columns->cc - 2 * s * columns->cs) + s * s * columns->ss;
    double of_slope = d * (d * columns->cc + 2 * e * columns->cs) + e * e * columns->ss;
    half->swing_se = swung * sqrt(variance * of_c);
    half->shift = 0;
    half->shift_variance = length * length;
    /* Without a clear swing the shift is noise divided by noise. */
    if (!(fabs(swing) > 3 * half->swing_se) || !(fabs(swing) > 0))
        return;
    double per_slope = shape->length * M_1_PI / ((1 + beta * beta) * on_c);
    /* The table's half cycle may be shorter: then its middle comes earlier. */
    half->shift = per_slope * (on_s - beta * on_c) + 0.5 * (shape->length - length);
    half->shift_variance = variance * per_slope * per_slope * of_slope;
}

#define QUADS_SOURCE "segment/shape_quads.h"
#include "segment/quads.h"

static void add_columns(const struct shape *shape, size_t count, struct shape_columns *columns)
{
    double c = 0, s = 0, cc = 0, cs = 0, ss = 0, samples = (double)(int64_t)count;
    for (size_t i = 0; i < count; i++) {
        c += shape->cosine[i];
        s += shape->sine[i];
        cc += shape->cosine[i] * shape->cosine[i];
        cs += shape->cosine[i] * shape->sine[i];
        ss += shape->sine[i] * shape->sine[i];
    }
    double per_sample = 1 / samples, root = sqrt(samples);
    cc -= c * c * per_sample;
    cs -= c * s * per_sample;
    ss -= s * s * per_sample;
    double per_determinant = 1 / (cc * ss - cs * cs);
    *columns = (struct shape_columns){
        .per_sample = per_sample,
        .per_freedom = 1 / (samples > 4 ? samples - 3 : 1),
        .root_samples = root,
        .root_share = 1 / root,
        .cosine = c * per_sample,
        .sine = s * per_sample,
        .cc = ss * per_determinant,
        .cs = -cs * per_determinant,
        .ss = cc * per_determinant,
    };
}

void shape_tabulate(struct shape *shape, double length, double beta)
{
    shape->length = 0;
    if (!(length >= FEWEST_SAMPLES && length < SHAPE_SAMPLES - 1))
        return;
    shape->length = length;
    shape->beta = beta;
    shape->fewest = (size_t)length;
    QUADS_CALL(tabulate, shape);
    for (size_t i = 0; i < 2; i++)
        add_columns(shape, shape->fewest + i, &shape->columns[i]);
}

bool shape_fit(const struct shape *shape, const struct sample_history *history, double start, double length,
               struct half_cycle *half)
{
    if (history->stamped || !(start > (double)(int64_t)history->floor - 0.5))
        return false;
    uint64_t from = sample_history_at(history, start), to = sample_history_at(history, start + length);
    size_t more = (size_t)(to - from) - shape->fewest;
    if (history->flagged > from || more > 1)
        return false;
    const double *y = history->displacement + (from - history->first);
    half->usable = true;
    half->bins = shape->fewest + more;
    half->bin_size = 1;
    half->root_share = shape->columns[more].root_share;
    QUADS_CALL(fit, shape, y, half->bins, (double)(int64_t)from - start, length, half);
    half->start += y[0];
    return true;
}
