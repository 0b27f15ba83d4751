/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/prediction.h"

#include "identify/common/dense_cholesky.h"

#include <errno.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* The weights are found from so much, or from so many samples a weight. */
#define LEARN_S 0.4
enum { LEARN_SAMPLES = 8 };
/* They reach so far back: two of them are a mode, and further ones average the noise. */
#define MEMORY_S 0.008
enum { LEAST_MEMORY = 20, MOST_MEMORY = 64 };
/* What goes beyond so many deviations teaches the weights nothing: noise does so once in 16 000 samples. */
#define TEACHES 4.0
/* A median of sizes over the deviation, of noise. */
#define MEDIAN_SIZE 0.6745

size_t prediction_memory(double rate_hz)
{
    return (size_t)fmin(fmax(round(MEMORY_S * rate_hz), LEAST_MEMORY), MOST_MEMORY);
}

size_t prediction_wanted(double rate_hz)
{
    return (size_t)fmax(round(LEARN_S * rate_hz), LEARN_SAMPLES * (double)prediction_memory(rate_hz));
}

int prediction_make(const double *samples, size_t count, double rate_hz, struct prediction *prediction)
{
    const size_t n = prediction_memory(rate_hz);
    double *room = calloc(3 * count + 1 + 2 * n * n + 2 * n, sizeof *room);
    *prediction = (struct prediction){.count = count, .memory = n, .x = room};
    if (!room)
        return -ENOMEM;
    prediction->left = room + count;
    prediction->sums = prediction->left + count;
    prediction->matrix = prediction->sums + count + 1;
    prediction->factor = prediction->matrix + n * n;
    prediction->weight = prediction->factor + n * n;
    prediction->scale = prediction->weight + n;
    const double mean = gsl_stats_mean(samples, 1, count);
    for (size_t i = 0; i < count; i++) {
        prediction->x[i] = samples[i] - mean;
        prediction->largest = fmax(prediction->largest, fabs(prediction->x[i]));
    }
    return 0;
}

void prediction_clear(struct prediction *prediction)
{
    free(prediction->x);
}

static double product(const struct prediction *prediction, size_t j, size_t k)
{
    const double *x = prediction->x;
    double sum = 0;
    for (size_t i = prediction->memory; i < prediction->count; i++)
        sum += x[i - j] * x[i - k];
    return sum;
}

/* The normal equations: each product of two lags follows from that of the lags one less. */
static void learn_all(struct prediction *prediction)
{
    const size_t n = prediction->memory, last = prediction->count - 1;
    const double *x = prediction->x;
    double *matrix = prediction->matrix;
    for (size_t j = 0; j < n; j++)
        matrix[j * n] = product(prediction, j + 1, 1);
    for (size_t j = 1; j < n; j++)
        for (size_t k = 1; k <= j; k++)
            matrix[j * n + k] = matrix[(j - 1) * n + k - 1] + x[n - 1 - j] * x[n - 1 - k] - x[last - j] * x[last - k];
    for (size_t j = 0; j < n; j++)
        prediction->weight[j] = product(prediction, j + 1, 0);
}

/* What one sample and those before it taught. */
static void forget(struct prediction *prediction, size_t i)
{
    const size_t n = prediction->memory;
    const double *x = prediction->x;
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k <= j; k++)
            prediction->matrix[j * n + k] -= x[i - 1 - j] * x[i - 1 - k];
        prediction->weight[j] -= x[i - 1 - j] * x[i];
    }
}

/* Without samples that go beyond a limit, which would bend the weights, and without a range of them. */
static void learn_without(struct prediction *prediction, double most, size_t from, size_t to)
{
    learn_all(prediction);
    for (size_t i = prediction->memory; i < prediction->count; i++)
        if ((i >= from && i < to) || fabs(prediction->left[i]) >= most)
            forget(prediction, i);
}

/* False: nothing can be predicted by so many weights. The damping is what rounding leaves of the products. */
static bool predict(struct prediction *prediction)
{
    const size_t n = prediction->memory;
    if (!dense_cholesky(prediction->matrix, n, 1e-12, prediction->factor, prediction->scale))
        return false;
    dense_cholesky_solve(prediction->factor, prediction->scale, n, prediction->weight);
    for (size_t i = n; i < prediction->count; i++) {
        double left = prediction->x[i];
        for (size_t k = 0; k < n; k++)
            left -= prediction->weight[k] * prediction->x[i - 1 - k];
        prediction->left[i] = left;
    }
    return true;
}

/* The middle of the sizes of what is left, as a deviation; the sums have room for them. */
static double usual(struct prediction *prediction)
{
    const size_t n = prediction->memory, count = prediction->count - n;
    for (size_t i = 0; i < count; i++)
        prediction->sums[i] = fabs(prediction->left[n + i]);
    return gsl_stats_median(prediction->sums, 1, count) / MEDIAN_SIZE;
}

static void sum_squares(struct prediction *prediction)
{
    prediction->sums[0] = 0;
    for (size_t i = 0; i < prediction->count; i++)
        prediction->sums[i + 1] = prediction->sums[i] + prediction->left[i] * prediction->left[i];
}

bool prediction_learn_without(struct prediction *prediction, size_t from, size_t to)
{
    learn_without(prediction, INFINITY, from, to);
    if (!predict(prediction))
        return false;
    learn_without(prediction, fmax(TEACHES * usual(prediction), PREDICTION_FINEST * prediction->largest), from, to);
    const bool learnt = predict(prediction);
    sum_squares(prediction);
    return learnt;
}

bool prediction_learn(struct prediction *prediction)
{
    return prediction_learn_without(prediction, 0, 0);
}

double prediction_left(const struct prediction *prediction, size_t from, size_t to)
{
    return (prediction->sums[to] - prediction->sums[from]) / (double)(to - from);
}

double prediction_largest_left(const struct prediction *prediction, size_t length, size_t from, size_t to)
{
    double largest = 0;
    for (size_t i = from; i + length <= to; i++)
        largest = fmax(largest, prediction_left(prediction, i, i + length));
    return largest;
}

size_t prediction_samples_in(double seconds, double rate_hz, size_t least)
{
    return (size_t)fmax(round(seconds * rate_hz), (double)least);
}
