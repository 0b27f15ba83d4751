/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_noise.h"

#include "motion/small_cholesky.h"

#include <assert.h>
#include <string.h>

/* The last residuals or rows, by number modulo their count. */
enum { KEPT = 32 };
static_assert((int)KEPT > (int)AR_MOST, "a filter looks back as far as its order");

struct learning {
    size_t count;
    double last[KEPT], product[AR_MOST + 1];
};

static void learn(void *taker, double residual, const double row[LADDER_PARAMETERS])
{
    struct learning *learning = taker;
    (void)row;
    learning->last[learning->count % KEPT] = residual;
    for (size_t lag = 0; lag <= AR_MOST && lag <= learning->count; lag++)
        learning->product[lag] += residual * learning->last[(learning->count - lag) % KEPT];
    learning->count++;
}

void ladder_noise_from(const struct ladder_data *data, const struct ladder_rung *rung, struct ar_model *noise)
{
    struct learning learning = {.count = 0};
    ladder_samples(data, rung->terms, rung->parameters, learn, &learning);
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        learning.product[lag] /= (double)data->count;
    ar_model_from(learning.product, data->count, noise);
}

struct whitening {
    const struct ar_model *noise;
    size_t count;
    double last[KEPT], squares;
};

static void whiten(void *taker, double residual, const double row[LADDER_PARAMETERS])
{
    struct whitening *whitening = taker;
    const struct ar_model *noise = whitening->noise;
    (void)row;
    double innovation = residual;
    for (size_t k = 0; k < noise->order && k < whitening->count; k++)
        innovation -= noise->coefficient[k] * whitening->last[(whitening->count - 1 - k) % KEPT];
    if (whitening->count >= noise->order)
        whitening->squares += innovation * innovation;
    whitening->last[whitening->count++ % KEPT] = residual;
}

double ladder_whitened(const struct ladder_data *data, const struct ladder_rung *rung, const struct ar_model *noise,
                       size_t *count)
{
    struct whitening whitening = {.noise = noise};
    ladder_samples(data, rung->terms, rung->parameters, whiten, &whitening);
    *count = data->count - noise->order;
    return whitening.squares;
}

/* Gamma is innovation (A'A)^-1 with the whitening filter A: rows go through its inverse. */
struct colouring {
    const struct ar_model *noise;
    size_t count;
    double last[KEPT][LADDER_PARAMETERS], outer[LADDER_PARAMETERS][LADDER_PARAMETERS];
};

static void colour(void *taker, double residual, const double row[LADDER_PARAMETERS])
{
    struct colouring *colouring = taker;
    double *filtered = colouring->last[colouring->count % KEPT];
    (void)residual;
    memcpy(filtered, row, sizeof colouring->last[0]);
    for (size_t k = 0; k < colouring->noise->order && k < colouring->count; k++)
        for (size_t p = 0; p < LADDER_PARAMETERS; p++)
            filtered[p] += colouring->noise->coefficient[k] * colouring->last[(colouring->count - 1 - k) % KEPT][p];
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        for (size_t q = 0; q < LADDER_PARAMETERS; q++)
            colouring->outer[p][q] += filtered[p] * filtered[q];
    colouring->count++;
}

bool ladder_covariance(const struct ladder_data *data, const struct ladder_rung *rung,
                       const bool free[LADDER_PARAMETERS], const struct ar_model *noise, double innovation,
                       double covariance[LADDER_PARAMETERS][LADDER_PARAMETERS])
{
    enum { N = LADDER_PARAMETERS };
    double bread[N][N], half[N][N] = {{0}};
    struct small_cholesky cholesky;
    struct colouring colouring = {.noise = noise};
    memset(covariance, 0, sizeof bread);
    if (!cholesky_factorise(&rung->normal.matrix[0][0], N, free, 0, 1e-14, &cholesky))
        return false;
    cholesky_invert(&cholesky, N, &bread[0][0]);
    ladder_samples(data, rung->terms, rung->parameters, colour, &colouring);
    for (size_t p = 0; p < N; p++)
        for (size_t q = 0; q < N; q++)
            for (size_t r = 0; r < N; r++)
                half[p][q] += bread[p][r] * colouring.outer[r][q];
    for (size_t p = 0; p < N; p++)
        for (size_t q = 0; q < N; q++)
            for (size_t r = 0; r < N; r++)
                covariance[p][q] += innovation * half[p][r] * bread[r][q];
    return true;
}
