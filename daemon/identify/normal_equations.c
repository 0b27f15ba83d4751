/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One pass over the samples. Within a half cycle the model and its six derivatives are linear combinations of five base
 * functions, so 19 sums a sample replace the 28 products of J'J and J'r, and what is left of the sums at the end of a
 * half cycle is one small matrix product. */

#include "identify/normal_equations.h"

#include "identify/half_cycle_pass.h"

#include <math.h>
#include <string.h>

/* The base functions that each derivative is made of; decay_derivative_weights() leaves all others 0. */
static const struct {
    int count;
    unsigned char base[4];
} made_of[FIT_PARAMETERS] = {
    [FIT_OMEGA_N] = {2, {BASE_S, BASE_THETA_S}},
    [FIT_ZETA] = {4, {BASE_G, BASE_S, BASE_THETA_G, BASE_THETA_S}},
    [FIT_X_K] = {2, {BASE_ONE, BASE_G}},
    [FIT_X0] = {1, {BASE_G}},
    [FIT_BIAS] = {1, {BASE_ONE}},
    [FIT_T0] = {1, {BASE_S}},
};

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

/* J'J += W G W', J'r += W h, where W are the weights of the base functions and G, h their sums. */
static void add_half_cycle(struct normal_equations *normal, const struct half_cycle_sums *sums,
                           double weights[FIT_PARAMETERS][DECAY_BASES])
{
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        double row[DECAY_BASES] = {0};
        for (int k = 0; k < made_of[p].count; k++) {
            int b = made_of[p].base[k];
            double weight = weights[p][b];
            normal->gradient[p] += weight * sums->residual[b];
            for (int c = 0; c < DECAY_BASES; c++)
                row[c] += weight * sums->base[b][c];
        }
        for (int r = p; r < FIT_PARAMETERS; r++)
            for (int k = 0; k < made_of[r].count; k++)
                normal->matrix[p][r] += row[made_of[r].base[k]] * weights[r][made_of[r].base[k]];
    }
    normal->sum_of_squares += sums->squares;
    normal->samples += sums->samples;
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

/* The half cycle's part of the sums; returns the first sample after it. */
static size_t take_half_cycle(const struct half_cycle_pass *pass, const struct scaled_record *scaled,
                              const double *parameters, const struct decay_shape *shape,
                              const struct decay_half_cycle *half, size_t first, size_t last,
                              struct normal_equations *normal)
{
    struct stretch stretch = {
        .scaled = scaled,
        .pass = pass,
        .curve = {.constant = parameters[FIT_BIAS] + decay_level(parameters, half),
                  .amplitude = decay_amplitude(parameters, half)},
        .zero_time = parameters[FIT_T0] + (double)(half->j - 1) * shape->half_period,
    };
    size_t end = scaled_first_at(scaled, stretch.zero_time + shape->half_period);
    end = end < last ? end : last;
    if (end <= first)
        return first;
    struct half_cycle_sums sums = {0};
    double weights[FIT_PARAMETERS][DECAY_BASES];
    add_samples(&sums, &stretch, first, end);
    half_cycle_sums_complete(&sums);
    decay_derivative_weights(parameters, shape, half, weights);
    add_half_cycle(normal, &sums, weights);
    return end;
}

/* Half cycle by half cycle: within one the signs and the constants do not change. */
void normal_equations_with(enum lanes_kind kind, const struct scaled_record *scaled, const double *parameters,
                           size_t first, size_t last, struct normal_equations *normal)
{
    struct decay_shape shape = decay_shape(parameters);
    struct decay_half_cycle half = decay_first_half_cycle(parameters);
    memset(normal, 0, sizeof *normal);
    if (!describes(scaled, parameters, &shape)) {
        normal->sum_of_squares = INFINITY;
        return;
    }
    struct half_cycle_pass pass = half_cycle_pass_with(kind, &shape, scaled->offset, scaled->scale);
    for (; first < last; decay_next_half_cycle(parameters, &shape, &half))
        first = take_half_cycle(&pass, scaled, parameters, &shape, &half, first, last, normal);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < p; r++)
            normal->matrix[p][r] = normal->matrix[r][p];
}

void normal_equations_of(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                         struct normal_equations *normal)
{
    normal_equations_with(lanes_widest(), scaled, parameters, first, last, normal);
}
