/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/mode_pass.h"

#include "identify/common/dense_cholesky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mode_pass {
    struct mode_samples samples;
    size_t modes, parameters[PASS_MODES];
    struct slow_flow *flow;
    double complex *signal[PASS_MODES];     /* count: of each mode for a = 1 */
    double complex *derivative[PASS_MODES]; /* count by parameters: of its logarithm */
    double *part;                           /* normal equations of one sensor */
};

size_t mode_sum_unknowns(const struct mode_sum *sum, size_t sensors)
{
    size_t unknowns = 2 * sum->modes * sensors;
    for (size_t r = 0; r < sum->modes; r++)
        unknowns += sum->law[r].parameters;
    return unknowns;
}

struct mode_pass *mode_pass_create(const struct mode_samples *samples, const struct mode_sum *like)
{
    struct mode_pass *pass = calloc(1, sizeof *pass);
    if (!pass)
        return NULL;
    pass->samples = *samples;
    pass->modes = like->modes;
    pass->flow = slow_flow_create();
    const size_t some = mode_sum_unknowns(like, 1);
    pass->part = calloc(some * (some + 1), sizeof *pass->part);
    bool good = pass->flow && pass->part;
    for (size_t r = 0; r < like->modes; r++) {
        pass->parameters[r] = like->law[r].parameters;
        pass->signal[r] = calloc(samples->count, sizeof *pass->signal[r]);
        pass->derivative[r] = calloc(samples->count * pass->parameters[r], sizeof *pass->derivative[r]);
        good = good && pass->signal[r] && pass->derivative[r];
    }
    if (good)
        return pass;
    mode_pass_free(pass);
    return NULL;
}

void mode_pass_free(struct mode_pass *pass)
{
    if (!pass)
        return;
    slow_flow_free(pass->flow);
    free(pass->part);
    for (size_t r = 0; r < pass->modes; r++) {
        free(pass->signal[r]);
        free(pass->derivative[r]);
    }
    free(pass);
}

/* False also of what turns, against the carrier, by half a turn or more from sample to sample: that is beyond the band,
 * and a motion in it, which turns by a whole turn less, looks the same. */
static bool follow_mode(struct mode_pass *pass, const struct amplitude_law *law, size_t r)
{
    const struct mode_samples *samples = &pass->samples;
    double first = 0, angle = 0;
    const double last_s = samples->first_s + samples->period_s * (double)(samples->count - 1);
    size_t hint = 0;
    if (!slow_flow_follow(pass->flow, law, samples->sensed, last_s))
        return false;
    for (size_t i = 0; i < samples->count; i++) {
        const double time_s = samples->first_s + samples->period_s * (double)i;
        double complex *derivative = &pass->derivative[r][i * law->parameters];
        const double complex log_signal = slow_flow_at(pass->flow, time_s, &hint, derivative);
        const double turn = samples->analytic ? samples->carrier * time_s : 0;
        const double size = exp(creal(log_signal));
        angle = cimag(log_signal) - turn;
        first = i == 0 ? angle : first;
        pass->signal[r][i] = CMPLX(size * cos(angle), size * sin(angle));
    }
    return !samples->analytic || fabs(angle - first) < M_PI * (double)samples->count;
}

/* Adds a row of derivatives to the normal equations, every second one of these. */
static void add_row(const double *row, double left, size_t unknowns, double *gradient, double *matrix)
{
    for (size_t j = 0; j < unknowns; j++) {
        gradient[j] -= row[2 * j] * left;
        for (size_t k = 0; k <= j; k++)
            matrix[j * unknowns + k] += row[2 * j] * row[2 * k];
    }
}

/* Those of a sample: of the real part, and of an analytic one's imaginary part. */
static void add_rows(const double complex *row, double complex left, size_t unknowns, bool analytic, double *gradient,
                     double *matrix)
{
    const double *parts = (const double *)row;
    add_row(parts, creal(left), unknowns, gradient, matrix);
    if (analytic)
        add_row(parts + 1, cimag(left), unknowns, gradient, matrix);
}

static double complex target(const struct mode_samples *samples, size_t sensor, size_t i)
{
    const size_t at = sensor * samples->count + i;
    return samples->correction ? samples->values[at] - samples->correction[at] : samples->values[at];
}

static bool solve_amplitudes(const struct mode_pass *pass, size_t sensor, struct mode_sum *sum)
{
    enum { MOST = 2 * PASS_MODES };
    const size_t unknowns = 2 * pass->modes;
    double matrix[MOST * MOST] = {0}, right[MOST] = {0}, scale[MOST];
    for (size_t i = 0; i < pass->samples.count; i++) {
        double complex row[MOST];
        for (size_t r = 0; r < pass->modes; r++) {
            row[2 * r] = pass->signal[r][i];
            row[2 * r + 1] = CMPLX(-cimag(row[2 * r]), creal(row[2 * r]));
        }
        add_rows(row, target(&pass->samples, sensor, i), unknowns, pass->samples.analytic, right, matrix);
    }
    if (!dense_cholesky(matrix, unknowns, 0, matrix, scale))
        return false;
    dense_cholesky_solve(matrix, scale, unknowns, right);
    for (size_t r = 0; r < pass->modes; r++)
        sum->amplitude[r][sensor] = CMPLX(-right[2 * r], -right[2 * r + 1]);
    return true;
}

double complex mode_pass_signal(const struct mode_pass *pass, size_t mode, size_t i)
{
    return pass->signal[mode][i];
}

static double complex model_of(const struct mode_pass *pass, const struct mode_sum *sum, size_t sensor, size_t i)
{
    const struct mode_samples *samples = &pass->samples;
    double complex model = samples->correction ? samples->correction[sensor * samples->count + i] : 0;
    for (size_t r = 0; r < pass->modes; r++)
        model += sum->amplitude[r][sensor] * pass->signal[r][i];
    return samples->analytic ? model : creal(model);
}

double complex mode_pass_left(const struct mode_pass *pass, const struct mode_sum *sum, size_t sensor, size_t i)
{
    const struct mode_samples *samples = &pass->samples;
    const double complex left = samples->values[sensor * samples->count + i] - model_of(pass, sum, sensor, i);
    return samples->analytic ? left : creal(left);
}

double mode_pass_follow(struct mode_pass *pass, struct mode_sum *sum)
{
    double squares = 0;
    for (size_t r = 0; r < pass->modes; r++)
        if (!follow_mode(pass, &sum->law[r], r))
            return INFINITY;
    for (size_t sensor = 0; sensor < pass->samples.sensors; sensor++) {
        if (!solve_amplitudes(pass, sensor, sum))
            return INFINITY;
        sum->squares[sensor] = 0;
        for (size_t i = 0; i < pass->samples.count; i++) {
            const double complex left = mode_pass_left(pass, sum, sensor, i);
            sum->squares[sensor] += creal(left) * creal(left) + cimag(left) * cimag(left);
        }
        squares += sum->squares[sensor];
    }
    return squares;
}

/* The derivatives of one sensor's sample by its own unknowns: all parameters, then its amplitudes. */
static size_t fill_row(const struct mode_pass *pass, const struct mode_sum *sum, size_t sensor, size_t i,
                       double complex *row)
{
    size_t at = 0;
    for (size_t r = 0; r < pass->modes; r++) {
        const double complex signal = sum->amplitude[r][sensor] * pass->signal[r][i];
        const double complex *derivative = &pass->derivative[r][i * pass->parameters[r]];
        for (size_t p = 0; p < pass->parameters[r]; p++)
            row[at++] = signal * derivative[p];
    }
    for (size_t r = 0; r < pass->modes; r++) {
        row[at++] = pass->signal[r][i];
        row[at++] = CMPLX(-cimag(pass->signal[r][i]), creal(pass->signal[r][i]));
    }
    return at;
}

void mode_pass_normal(const struct mode_pass *pass, const struct mode_sum *sum, double *gradient, double *matrix)
{
    enum { MOST = PASS_MODES * (LAW_PARAMETERS + 2) };
    const size_t sensors = pass->samples.sensors, all = mode_sum_unknowns(sum, sensors);
    const size_t own = 2 * pass->modes, shared = all - own * sensors, some = shared + own;
    double *part = pass->part;
    memset(gradient, 0, all * sizeof *gradient);
    memset(matrix, 0, all * all * sizeof *matrix);
    for (size_t sensor = 0; sensor < sensors; sensor++) {
        double *part_gradient = part + some * some;
        double complex row[MOST];
        memset(part, 0, some * (some + 1) * sizeof *part);
        for (size_t i = 0; i < pass->samples.count; i++) {
            fill_row(pass, sum, sensor, i, row);
            add_rows(row, mode_pass_left(pass, sum, sensor, i), some, pass->samples.analytic, part_gradient, part);
        }
        for (size_t j = 0; j < some; j++) {
            const size_t to = j < shared ? j : j + own * sensor;
            gradient[to] += part_gradient[j];
            for (size_t k = 0; k <= j; k++)
                matrix[to * all + (k < shared ? k : k + own * sensor)] += part[j * some + k];
        }
    }
    for (size_t j = 0; j < all; j++)
        for (size_t k = 0; k < j; k++)
            matrix[k * all + j] = matrix[j * all + k];
}
