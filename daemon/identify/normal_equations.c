/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inner loop of every fit. Within a half cycle the model and its six derivatives are linear combinations of five
 * base functions, so 19 sums a sample replace the 28 products of J'J and J'r, and no transcendental function is
 * needed on uniform samples. */

#include "identify/normal_equations.h"

#include <math.h>
#include <string.h>

/* Rotations in a row before the phasor is computed afresh, which bounds what rounding gathers. */
enum { ANCHOR_INTERVAL = 64 };

/* Sums of products of the base functions and the residual over samples of one half cycle. */
struct half_cycle_sums {
    double base[DECAY_BASES][DECAY_BASES]; /* upper triangle until filled */
    double residual[DECAY_BASES];
    double squares;
    size_t samples;
};

/* What one half cycle's samples are compared with: y = constant + amplitude g(theta). */
struct half_cycle_curve {
    double beta, omega_d;
    double zero_time; /* where theta is 0 */
    double constant, amplitude;
};

/* BASE_ONE with itself and s with theta g are left to complete_sums(), which gets them for nothing. */
static inline void add_sample(struct half_cycle_sums *sums, double theta, double g, double s, double residual)
{
    double theta_g = theta * g, theta_s = theta * s;
    sums->base[BASE_ONE][BASE_G] += g;
    sums->base[BASE_ONE][BASE_S] += s;
    sums->base[BASE_ONE][BASE_THETA_G] += theta_g;
    sums->base[BASE_ONE][BASE_THETA_S] += theta_s;
    sums->base[BASE_G][BASE_G] += g * g;
    sums->base[BASE_G][BASE_S] += g * s;
    sums->base[BASE_G][BASE_THETA_G] += g * theta_g;
    sums->base[BASE_G][BASE_THETA_S] += g * theta_s;
    sums->base[BASE_S][BASE_S] += s * s;
    sums->base[BASE_S][BASE_THETA_S] += s * theta_s;
    sums->base[BASE_THETA_G][BASE_THETA_G] += theta_g * theta_g;
    sums->base[BASE_THETA_G][BASE_THETA_S] += theta_g * theta_s;
    sums->base[BASE_THETA_S][BASE_THETA_S] += theta_s * theta_s;
    sums->residual[BASE_ONE] += residual;
    sums->residual[BASE_G] += g * residual;
    sums->residual[BASE_S] += s * residual;
    sums->residual[BASE_THETA_G] += theta_g * residual;
    sums->residual[BASE_THETA_S] += theta_s * residual;
    sums->squares += residual * residual;
}

/* Uniform samples, none flagged: e^((-beta + i) theta) advances by one complex multiplication a sample. */
static void add_uniform(struct half_cycle_sums *sums, const struct scaled_record *scaled,
                        const struct half_cycle_curve *curve, size_t first, size_t last)
{
    double shrink = exp(-curve->beta * curve->omega_d);
    double turn_re = shrink * cos(curve->omega_d), turn_im = shrink * sin(curve->omega_d);
    for (size_t anchor = first; anchor < last; anchor += ANCHOR_INTERVAL) {
        size_t end = last - anchor < ANCHOR_INTERVAL ? last : anchor + ANCHOR_INTERVAL;
        double theta_0 = curve->omega_d * ((double)anchor - curve->zero_time);
        double envelope = exp(-curve->beta * theta_0);
        double re = envelope * cos(theta_0), im = envelope * sin(theta_0);
        for (size_t i = anchor; i < end; i++) {
            double theta = theta_0 + (double)(i - anchor) * curve->omega_d;
            double g = re + curve->beta * im;
            add_sample(sums, theta, g, im, scaled_value(scaled, i) - curve->constant - curve->amplitude * g);
            double next = re * turn_re - im * turn_im;
            im = re * turn_im + im * turn_re;
            re = next;
        }
    }
    sums->samples += last - first;
}

/* Samples with their own time stamps: the direct form, a sine and an exponential each. */
static void add_stamped(struct half_cycle_sums *sums, const struct scaled_record *scaled,
                        const struct half_cycle_curve *curve, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        double theta = curve->omega_d * (scaled_time(scaled, i) - curve->zero_time);
        double envelope = exp(-curve->beta * theta), s = envelope * sin(theta);
        double g = envelope * cos(theta) + curve->beta * s;
        add_sample(sums, theta, g, s, scaled_value(scaled, i) - curve->constant - curve->amplitude * g);
    }
    sums->samples += last - first;
}

/* Runs of usable samples, one by one, around the flagged ones. */
static void add_samples(struct half_cycle_sums *sums, const struct scaled_record *scaled,
                        const struct half_cycle_curve *curve, size_t first, size_t last)
{
    while (first < last) {
        size_t end = first;
        while (end < last && scaled_usable(scaled, end))
            end++;
        if (scaled->uniform)
            add_uniform(sums, scaled, curve, first, end);
        else
            add_stamped(sums, scaled, curve, first, end);
        first = end;
        while (first < last && !scaled_usable(scaled, first))
            first++;
    }
}

static void complete_sums(struct half_cycle_sums *sums)
{
    sums->base[BASE_ONE][BASE_ONE] = (double)sums->samples;
    sums->base[BASE_S][BASE_THETA_G] = sums->base[BASE_G][BASE_THETA_S]; /* both theta g s */
    for (int a = 0; a < DECAY_BASES; a++)
        for (int b = 0; b < a; b++)
            sums->base[a][b] = sums->base[b][a];
}

/* J'J += W G W', J'r += W h, where W are the weights of the base functions and G, h their sums. */
static void add_half_cycle(struct normal_equations *normal, const struct half_cycle_sums *sums,
                           double weights[FIT_PARAMETERS][DECAY_BASES])
{
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        double row[DECAY_BASES] = {0};
        for (int b = 0; b < DECAY_BASES; b++) {
            normal->gradient[p] += weights[p][b] * sums->residual[b];
            for (int c = 0; c < DECAY_BASES; c++)
                row[c] += weights[p][b] * sums->base[b][c];
        }
        for (int r = p; r < FIT_PARAMETERS; r++)
            for (int c = 0; c < DECAY_BASES; c++)
                normal->matrix[p][r] += row[c] * weights[r][c];
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

/* Half cycle by half cycle: within one the signs and the constants do not change. */
void normal_equations_of(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                         struct normal_equations *normal)
{
    struct decay_shape shape = decay_shape(parameters);
    struct decay_half_cycle half = decay_first_half_cycle(parameters);
    memset(normal, 0, sizeof *normal);
    if (!describes(scaled, parameters, &shape)) {
        normal->sum_of_squares = INFINITY;
        return;
    }
    while (first < last) {
        struct half_cycle_curve curve = {
            .beta = shape.beta,
            .omega_d = shape.omega_d,
            .zero_time = parameters[FIT_T0] + (double)(half.j - 1) * shape.half_period,
            .constant = parameters[FIT_BIAS] + decay_level(parameters, &half),
            .amplitude = decay_amplitude(parameters, &half),
        };
        size_t end = scaled_first_at(scaled, curve.zero_time + shape.half_period);
        end = end < last ? end : last;
        if (end > first) {
            struct half_cycle_sums sums = {0};
            double weights[FIT_PARAMETERS][DECAY_BASES];
            add_samples(&sums, scaled, &curve, first, end);
            complete_sums(&sums);
            decay_derivative_weights(parameters, &shape, &half, weights);
            add_half_cycle(normal, &sums, weights);
            first = end;
        }
        decay_next_half_cycle(parameters, &shape, &half);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < p; r++)
            normal->matrix[p][r] = normal->matrix[r][p];
}
