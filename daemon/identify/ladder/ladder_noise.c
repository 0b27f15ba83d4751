/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_noise.h"

#include "identify/ladder/ladder_noise_loops.h"
#include "identify/ladder/ladder_samples.h"
#include "motion/small_cholesky.h"

#include <string.h>

struct learning {
    size_t count;
    double last[KEPT], product[AR_MOST + 1];
};

static void learn(void *taker, const struct ladder_block *block)
{
    struct learning *learning = taker;
    for (size_t i = 0; i < block->count; i++, learning->count++) {
        learning->last[learning->count % KEPT] = block->residual[i];
        for (size_t lag = 0; lag <= AR_MOST && lag <= learning->count; lag++)
            learning->product[lag] += block->residual[i] * learning->last[(learning->count - lag) % KEPT];
    }
}

void ladder_noise_from(const struct ladder_data *data, const struct ladder_rung *rung, struct ar_model *noise)
{
    struct learning learning = {.count = 0};
    ladder_samples(data, rung->terms, rung->parameters, learn, &learning);
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        learning.product[lag] /= (double)data->count;
    ar_model_from(learning.product, data->count, noise);
}

static void whiten_block(void *taker, const struct ladder_block *block)
{
    struct whitening *whitening = taker;
    ladder_noise_loops_of(whitening->kind)->whiten(whitening, block);
    ladder_noise_loops_of(whitening->kind)->colour(whitening, block);
    whitening->count += block->count;
    ladder_add_block(whitening->kind, &whitening->coloured, whitening->terms, &whitening->sums);
}

void ladder_whiten(const struct ladder_data *data, const struct ladder_rung *rung, const struct ar_model *noise,
                   struct ladder_whitened *whitened)
{
    struct whitening whitening = {.kind = lanes_widest(), .noise = noise, .terms = rung->terms, .sums = rung->normal};
    if (noise->order > 0) {
        whitening.sums = (struct ladder_normal){.squares = 0};
        ladder_samples(data, rung->terms, rung->parameters, whiten_block, &whitening);
    }
    whitened->count = data->count - noise->order;
    whitened->squares = whitening.sums.squares;
    memcpy(whitened->outer, whitening.sums.matrix, sizeof whitened->outer);
}

double ladder_likelihood(const struct ladder_whitened *whitened)
{
    const double samples = (double)whitened->count;
    return samples * log(whitened->squares / samples + LADDER_ROUNDING * LADDER_ROUNDING);
}

bool ladder_covariance(const struct ladder_rung *rung, const struct ladder_whitened *whitened,
                       const bool free[LADDER_PARAMETERS], double innovation,
                       double covariance[LADDER_PARAMETERS][LADDER_PARAMETERS])
{
    enum { N = LADDER_PARAMETERS };
    double bread[N][N], half[N][N] = {{0}};
    struct small_cholesky cholesky;
    memset(covariance, 0, sizeof bread);
    if (!cholesky_factorise(&rung->normal.matrix[0][0], N, free, 0, 1e-14, &cholesky))
        return false;
    cholesky_invert(&cholesky, N, &bread[0][0]);
    for (size_t p = 0; p < N; p++)
        for (size_t q = 0; q < N; q++)
            for (size_t r = 0; r < N; r++)
                half[p][q] += bread[p][r] * whitened->outer[r > q ? r : q][r > q ? q : r];
    for (size_t p = 0; p < N; p++)
        for (size_t q = 0; q < N; q++)
            for (size_t r = 0; r < N; r++)
                covariance[p][q] += innovation * half[p][r] * bread[r][q];
    return true;
}
