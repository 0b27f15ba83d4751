/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/prediction.h"

#include "identify/common/dense_cholesky.h"

#include <errno.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The weights are found from so much, or from so many samples a weight. */
#define LEARN_S 0.4
enum { LEARN_SAMPLES = 8 };
/* They reach so far back: two of them are a mode, and further ones average the noise. */
#define MEMORY_S 0.008
enum { LEAST_MEMORY = 20, MOST_MEMORY = 64 };
/* What goes beyond so many deviations teaches the weights nothing: noise does so once in 16 000 samples. */
#define TEACHES 4.0
/* Sums that are made side by side: there are more weights. */
enum { TOGETHER = 4 };
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
    double *room = calloc(3 * count + 1 + 2 * n * n + 3 * n, sizeof *room);
    *prediction = (struct prediction){.count = count, .memory = n, .x = room};
    if (!room)
        return -ENOMEM;
    prediction->left = room + count;
    prediction->sums = prediction->left + count;
    prediction->matrix = prediction->sums + count + 1;
    prediction->factor = prediction->matrix + n * n;
    prediction->right = prediction->factor + n * n;
    prediction->weight = prediction->right + n;
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

/* The sums of x[i] x[i - lag] over all that is predicted, of four lags from one on: side by side, so that no sum waits
 * for another. */
static void products_from(const struct prediction *prediction, size_t lag, double *sum)
{
    const double *x = prediction->x;
    const size_t n = prediction->memory;
    double first = 0, second = 0, third = 0, fourth = 0;
    double one_later = x[n - 1 - lag], two_later = x[n - 2 - lag], three_later = x[n - 3 - lag], past;
    for (size_t i = n; i < prediction->count; i++) {
        const double here = x[i];
        past = x[i - lag];
        first += here * past;
        second += here * one_later;
        third += here * two_later;
        fourth += here * three_later;
        three_later = two_later;
        two_later = one_later;
        one_later = past;
    }
    sum[0] = first;
    sum[1] = second;
    sum[2] = third;
    sum[3] = fourth;
}

/* The normal equations. Each product of two lags follows from that of the lags one less, and the first ones from those
 * of the sample that is predicted. */
static void learn_all(struct prediction *prediction)
{
    const size_t n = prediction->memory, last = prediction->count - 1;
    const double *x = prediction->x;
    double *matrix = prediction->matrix, *right = prediction->right, square = 0;
    for (size_t i = n; i < prediction->count; i++)
        square += x[i] * x[i];
    for (size_t lag = 1; lag <= n; lag += TOGETHER) {
        const size_t from = lag + TOGETHER - 1 < n ? lag : n - TOGETHER + 1;
        products_from(prediction, from, &right[from - 1]);
    }
    for (size_t j = 0; j < n; j++)
        matrix[j * n] = (j > 0 ? right[j - 1] : square) + x[n - 1] * x[n - 1 - j] - x[last] * x[last - j];
    for (size_t j = 1; j < n; j++)
        for (size_t k = 1; k <= j; k++)
            matrix[j * n + k] = matrix[(j - 1) * n + k - 1] + x[n - 1 - j] * x[n - 1 - k] - x[last - j] * x[last - k];
}

/* What one sample and those before it taught. */
static void forget(struct prediction *prediction, size_t i)
{
    const size_t n = prediction->memory;
    const double *x = prediction->x;
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k <= j; k++)
            prediction->matrix[j * n + k] -= x[i - 1 - j] * x[i - 1 - k];
        prediction->right[j] -= x[i - 1 - j] * x[i];
    }
}

/* What the weights leave of four samples in a row: x[0] to x[3]. */
static void leave_together(const struct prediction *prediction, const double *x, double *left)
{
    double first = x[0], second = x[1], third = x[2], fourth = x[3];
    double past, one_later = x[0], two_later = x[1], three_later = x[2];
    for (size_t k = 0; k < prediction->memory; k++) {
        const double weight = prediction->weight[k];
        past = *(x - 1 - k);
        first -= weight * past;
        second -= weight * one_later;
        third -= weight * two_later;
        fourth -= weight * three_later;
        three_later = two_later;
        two_later = one_later;
        one_later = past;
    }
    left[0] = first;
    left[1] = second;
    left[2] = third;
    left[3] = fourth;
}

/* False: nothing can be predicted by so many weights. The damping is what rounding leaves of the products. */
static bool predict(struct prediction *prediction)
{
    const size_t n = prediction->memory;
    if (!dense_cholesky(prediction->matrix, n, 1e-12, prediction->factor, prediction->scale))
        return false;
    memcpy(prediction->weight, prediction->right, n * sizeof *prediction->weight);
    dense_cholesky_solve(prediction->factor, prediction->scale, n, prediction->weight);
    for (size_t i = n; i < prediction->count; i += TOGETHER) {
        const size_t from = i + TOGETHER <= prediction->count ? i : prediction->count - TOGETHER;
        leave_together(prediction, &prediction->x[from], &prediction->left[from]);
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

/* Forgets samples beside a range that go beyond a limit, which would bend the weights. False: there are none. */
static bool forget_beyond(struct prediction *prediction, double most, size_t from, size_t to)
{
    bool any = false;
    for (size_t i = prediction->memory; i < prediction->count; i++) {
        if ((i >= from && i < to) || fabs(prediction->left[i]) < most)
            continue;
        forget(prediction, i);
        any = true;
    }
    return any;
}

bool prediction_learn_without(struct prediction *prediction, size_t from, size_t to)
{
    learn_all(prediction);
    for (size_t i = from > prediction->memory ? from : prediction->memory; i < to && i < prediction->count; i++)
        forget(prediction, i);
    if (!predict(prediction))
        return false;
    const double most = fmax(TEACHES * usual(prediction), PREDICTION_FINEST * prediction->largest);
    const bool learnt = !forget_beyond(prediction, most, from, to) || predict(prediction);
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
