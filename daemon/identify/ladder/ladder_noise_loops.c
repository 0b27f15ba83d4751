/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_noise_loops.h"

#include "motion/loops.h"

#include <string.h>

/* Innovations, as the residuals of the coloured block; the first ones of a record have none. */
static void whiten(struct whitening *whitening, const struct ladder_block *block)
{
    const struct ar_model *noise = whitening->noise;
    double *residual = whitening->residual + AR_MOST, *innovation = whitening->coloured.residual;
    memcpy(residual, block->residual, sizeof block->residual);
    for (size_t i = 0; i < block->count; i += LANES) {
        lanes left = *(const loose *)&residual[i];
        for (size_t k = 0; k < noise->order; k++)
            left -= noise->coefficient[k] * *(const loose *)(residual + i - 1 - k);
        *(loose *)&innovation[i] = left;
    }
    for (size_t i = 0; whitening->count + i < noise->order && i < block->count; i++)
        innovation[i] = 0;
    memset(innovation + block->count, 0, LADDER_PADDING * sizeof *innovation);
    memmove(whitening->residual, whitening->residual + block->count, AR_MOST * sizeof *residual);
}

/* The rows, one behind the other, each with all parameters side by side. */
static void colour(struct whitening *whitening, const struct ladder_block *block)
{
    const struct ar_model *noise = whitening->noise;
    for (size_t i = 0; i < block->count; i++) {
        const size_t number = whitening->count + i;
        double *row = whitening->last[number % KEPT];
        for (size_t p = 0; p < LADDER_PARAMETERS; p++)
            row[p] = block->row[p][i];
        for (size_t k = 0; k < noise->order && k < number; k++) {
            const double *before = whitening->last[(number - 1 - k) % KEPT];
            for (size_t p = 0; p < ROW_ROOM; p += LANES)
                *(loose *)&row[p] += noise->coefficient[k] * *(const loose *)&before[p];
        }
        for (size_t p = 0; p < LADDER_PARAMETERS; p++)
            whitening->coloured.row[p][i] = row[p];
    }
    whitening->coloured.count = block->count;
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        memset(whitening->coloured.row[p] + block->count, 0, LADDER_PADDING * sizeof(double));
}

const struct ladder_noise_loops LANES_TABLE(ladder_noise_loops) = {.whiten = whiten, .colour = colour};
