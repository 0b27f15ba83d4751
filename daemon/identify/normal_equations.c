/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One pass over the samples. Within a half cycle the model and its six derivatives are linear combinations of five base
 * functions, so 19 sums a sample replace the 28 products of J'J and J'r, and at the end of a half cycle one small
 * matrix product makes J'J and J'r of them. */

#include "identify/normal_equations.h"

#include "identify/half_cycle_pass.h"

#include <math.h>
#include <string.h>

/* A half cycle and the samples in it. */
struct stretch {
    const struct scaled_record *scaled;
    const struct half_cycle_pass *pass;
    struct half_cycle_curve curve;
    double zero_time; /* where theta is 0 */
};

/* Samples with their own time stamps: the direct form, a sine and an exponential each. */
static void add_stamped(struct half_cycle_sums *sums, const struct stretch *stretch, size_t first, size_t last)
{
    double beta = stretch->pass->beta;
    for (size_t i = first; i < last; i++) {
        double theta = stretch->pass->omega_d * (scaled_time(stretch->scaled, i) - stretch->zero_time);
        double envelope = exp(-beta * theta), s = envelope * sin(theta);
        double g = envelope * cos(theta) + beta * s;
        double model = stretch->curve.constant + stretch->curve.amplitude * g;
        half_cycle_sums_add_one(sums, theta, g, s, scaled_value(stretch->scaled, i) - model);
    }
}

static void add_run(struct half_cycle_sums *sums, const struct stretch *stretch, size_t first, size_t last)
{
    if (!stretch->scaled->uniform) {
        add_stamped(sums, stretch, first, last);
        return;
    }
    double theta = stretch->pass->omega_d * ((double)first - stretch->zero_time);
    const double *displacement = stretch->scaled->record->displacement + first;
    half_cycle_sums_add(stretch->pass, &stretch->curve, theta, displacement, last - first, sums);
}

/* Runs of usable samples, one by one, around the flagged ones. */
static void add_samples(struct half_cycle_sums *sums, const struct stretch *stretch, size_t first, size_t last)
{
    if (!stretch->scaled->record->flags) {
        add_run(sums, stretch, first, last);
        return;
    }
    while (first < last) {
        size_t end = first;
        while (end < last && scaled_usable(stretch->scaled, end))
            end++;
        if (end > first)
            add_run(sums, stretch, first, end);
        first = end;
        while (first < last && !scaled_usable(stretch->scaled, first))
            first++;
    }
}

/* False for parameters that no decay in this record can have: they would not end, or not be numbers. */
static bool describes(const struct scaled_record *scaled, const double *parameters, const struct decay_shape *shape)
{
    /* A half period below a quarter of a sample cannot be seen; a t0 two records away would mean endless half
     * cycles. */
    double reach = 2.0 * (double)scaled->count + 16.0;
    return shape->half_period >= 0.25 && shape->half_period < INFINITY && fabs(parameters[FIT_T0]) < reach &&
           isfinite(parameters[FIT_X0]) && isfinite(parameters[FIT_X_K]) && isfinite(parameters[FIT_BIAS]);
}

/* What a pass walks along and adds to. */
struct walk {
    const struct scaled_record *scaled;
    const double *parameters;
    struct decay_shape shape;
    struct decay_half_cycle half;
    struct half_cycle_pass pass;
    struct derivative_sums derivatives;
    double sum_of_squares;
    size_t samples;
};

/* The half cycle's part of the sums; returns the first sample after it. */
static size_t take_half_cycle(struct walk *walk, size_t first, size_t last)
{
    const double *parameters = walk->parameters;
    struct stretch stretch = {
        .scaled = walk->scaled,
        .pass = &walk->pass,
        .curve = {.constant = parameters[FIT_BIAS] + decay_level(parameters, &walk->half),
                  .amplitude = decay_amplitude(parameters, &walk->half)},
        .zero_time = parameters[FIT_T0] + (double)(walk->half.j - 1) * walk->shape.half_period,
    };
    size_t end = scaled_first_at(walk->scaled, stretch.zero_time + walk->shape.half_period);
    end = end < last ? end : last;
    if (end <= first)
        return first;
    struct half_cycle_sums sums = {0};
    double weights[FIT_PARAMETERS][DECAY_BASES];
    add_samples(&sums, &stretch, first, end);
    half_cycle_sums_complete(&sums);
    decay_derivative_weights(parameters, &walk->shape, &walk->half, weights);
    derivative_sums_add(walk->pass.kind, &sums, weights, &walk->derivatives);
    walk->sum_of_squares += sums.squares;
    walk->samples += sums.samples;
    return end;
}

/* Half cycle by half cycle: within one the signs and the constants do not change. */
void normal_equations_with(enum lanes_kind kind, const struct scaled_record *scaled, const double *parameters,
                           size_t first, size_t last, struct normal_equations *normal)
{
    struct walk walk = {.scaled = scaled,
                        .parameters = parameters,
                        .shape = decay_shape(parameters),
                        .half = decay_first_half_cycle(parameters)};
    memset(normal, 0, sizeof *normal);
    if (!describes(scaled, parameters, &walk.shape)) {
        normal->sum_of_squares = INFINITY;
        return;
    }
    walk.pass = half_cycle_pass_with(kind, &walk.shape, scaled->offset, scaled->scale);
    for (; first < last; decay_next_half_cycle(parameters, &walk.shape, &walk.half))
        first = take_half_cycle(&walk, first, last);
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        normal->gradient[p] = walk.derivatives.gradient[p];
        for (int r = 0; r < FIT_PARAMETERS; r++)
            normal->matrix[p][r] = walk.derivatives.matrix[p < r ? p : r][p < r ? r : p];
    }
    normal->sum_of_squares = walk.sum_of_squares;
    normal->samples = walk.samples;
}

void normal_equations_of(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                         struct normal_equations *normal)
{
    normal_equations_with(lanes_widest(), scaled, parameters, first, last, normal);
}
