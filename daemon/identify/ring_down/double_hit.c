/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The next sample of what rings, of hum and of coloured noise follows from the samples before it, by weights that least
 * squares find without knowing any mode. A hammer's push does not follow: what the weights leave of the samples has a
 * burst there, however many modes ring, and whether it makes them larger or smaller. */

#include "identify/ring_down/double_hit.h"

#include "identify/common/dense_cholesky.h"
#include "identify/ring_down/stretch.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A hammer that bounces comes back within this. */
#define COMES_BACK_S 0.25
/* The weights are found from so much, or from so many samples a weight. */
#define LEARN_S 0.4
enum { LEARN_SAMPLES = 8 };
/* They reach so far back: two of them are a mode, and further ones average the noise. */
#define MEMORY_S 0.008
enum { LEAST_MEMORY = 20, MOST_MEMORY = 64 };
/* A push is looked for in what lies within 2 ms, and held against what is left in 30 ms before and behind it. */
#define PUSH_S 0.002
#define BESIDE_S 0.03
enum { LEAST_PUSH = 4, LEAST_BESIDE = 40 };
/* White noise makes such a burst in one record of 1e6; and where it is not white, or modes are bent by a joint, bursts
 * are half as high again before they count. */
#define CHANCE 1e-6
#define NOT_WHITE 1.5
/* A joint turns its motion back more sharply than weights foretell, in every half cycle. By squares such bursts fall to
 * less than a quarter over the three half cycles that a push may hide where the damping ratio is above 0.07 alone. */
#define MOST_FALL 4.0
/* What goes beyond so many deviations teaches the weights nothing: noise does so once in 16 000 samples. */
#define TEACHES 4.0
/* A median of sizes over the deviation, of noise. */
#define MEDIAN_SIZE 0.6745
/* No recorder tells less of its largest sample: what rounding to 24 bits leaves. */
#define FINEST 3e-8

/* What the samples are predicted by. x is less its mean. */
struct prediction {
    size_t count, memory;
    double *x, *left, *sums; /* owned, one block: left[i]: of x[i], 0 where no weights reach; sums of their squares */
    double *matrix, *factor; /* owned: memory * memory */
    double *weight, *scale;  /* owned: of the latest sample before it first */
    double largest;
};

static size_t samples_in(double seconds, double rate_hz, size_t least)
{
    return (size_t)fmax(round(seconds * rate_hz), (double)least);
}

static int make(const double *samples, size_t count, size_t memory, struct prediction *prediction)
{
    const size_t n = memory;
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

/* Without what no weights predict, which would bend them. */
static void unlearn(struct prediction *prediction, double most)
{
    const size_t n = prediction->memory;
    learn_all(prediction);
    for (size_t i = n; i < prediction->count; i++) {
        const double *x = prediction->x;
        if (fabs(prediction->left[i]) < most)
            continue;
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k <= j; k++)
                prediction->matrix[j * n + k] -= x[i - 1 - j] * x[i - 1 - k];
            prediction->weight[j] -= x[i - 1 - j] * x[i];
        }
    }
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

static bool learn(struct prediction *prediction)
{
    learn_all(prediction);
    if (!predict(prediction))
        return false;
    unlearn(prediction, fmax(TEACHES * usual(prediction), FINEST * prediction->largest));
    return predict(prediction);
}

static double mean_square(const struct prediction *prediction, size_t from, size_t to)
{
    return (prediction->sums[to] - prediction->sums[from]) / (double)(to - from);
}

/* The largest of all bursts of that length between two samples. */
static double largest_burst(const struct prediction *prediction, size_t push, size_t from, size_t to)
{
    double largest = 0;
    for (size_t i = from; i + push <= to; i++)
        largest = fmax(largest, mean_square(prediction, i, i + push));
    return largest;
}

/* Behind a push the weights still see its own samples for as long as they reach. */
static void find_burst(struct prediction *prediction, size_t push, size_t beside, size_t zone, double floor,
                       struct double_hit *hit)
{
    const size_t n = prediction->memory, first = n + (push > 2 * LEAST_PUSH ? push : 2 * LEAST_PUSH);
    const double chance = CHANCE * (double)push / (double)zone,
                 most = NOT_WHITE * gsl_cdf_fdist_Qinv(chance, (double)push, (double)beside);
    prediction->sums[0] = 0;
    for (size_t i = 0; i < prediction->count; i++)
        prediction->sums[i + 1] = prediction->sums[i] + prediction->left[i] * prediction->left[i];
    for (size_t i = first; i < zone; i++) {
        const size_t before = i > n + beside ? i - beside : n, behind = i + 2 * push + n;
        if (behind + beside > prediction->count)
            return;
        const double there =
            fmax(mean_square(prediction, before, i), fmax(mean_square(prediction, behind, behind + beside), floor));
        const double burst = mean_square(prediction, i, i + push);
        if (!(burst > most * there && burst > MOST_FALL * largest_burst(prediction, push, behind, behind + beside))) {
            if (hit->until > 0)
                return;
            continue;
        }
        hit->onset = hit->until > 0 ? hit->onset : i + push - 1;
        hit->until = i + 2 * push;
    }
}

int double_hit_find(const double *samples, size_t count, double rate_hz, struct double_hit *hit)
{
    const size_t reach = samples_in(MEMORY_S, rate_hz, LEAST_MEMORY),
                 memory = reach < MOST_MEMORY ? reach : MOST_MEMORY;
    const size_t wanted = samples_in(LEARN_S, rate_hz, LEARN_SAMPLES * memory), used = wanted < count ? wanted : count;
    const size_t zone = samples_in(COMES_BACK_S, rate_hz, 1);
    struct prediction prediction;
    *hit = (struct double_hit){0, 0};
    if (used < LEARN_SAMPLES / 2 * memory)
        return 0;
    if (make(samples, used, memory, &prediction) != 0)
        return -ENOMEM;
    const double step = stretch_step(samples, used);
    /* What rounds to a step or two is no burst. */
    const double floor = fmax(pow(FINEST * prediction.largest, 2), isfinite(step) ? step * step / 3 : 0);
    if (learn(&prediction))
        find_burst(&prediction, samples_in(PUSH_S, rate_hz, LEAST_PUSH), samples_in(BESIDE_S, rate_hz, LEAST_BESIDE),
                   zone < used ? zone : used, floor, hit);
    free(prediction.x);
    return 0;
}
