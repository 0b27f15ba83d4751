/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_pass_loops.h"

#include "motion/loops.h"

/* Adds the products of one row with each of up to four others, side by side. */
static inline void add_products(const double *row, const double *const others[4], size_t count, double *const sums[4])
{
    lanes sum[4] = {{0}};
    for (size_t i = 0; i < count; i += LANES) {
        const lanes here = *(const loose *)&row[i];
        sum[0] += here * *(const loose *)&others[0][i];
        sum[1] += here * *(const loose *)&others[1][i];
        sum[2] += here * *(const loose *)&others[2][i];
        sum[3] += here * *(const loose *)&others[3][i];
    }
    for (size_t n = 0; n < 4; n++)
        *sums[n] += total(&sum[n]);
}

static void add_block(const struct ladder_block *block, unsigned terms, struct ladder_normal *normal)
{
    const double *rows[LADDER_PARAMETERS + 4];
    double unwanted, *sums[LADDER_PARAMETERS + 4];
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        size_t others = 0;
        if (!ladder_terms_have(terms, p))
            continue;
        rows[others] = block->residual;
        sums[others++] = &normal->gradient[p];
        for (enum ladder_parameter q = 0; q <= p; q++) {
            if (!ladder_terms_have(terms, q))
                continue;
            rows[others] = block->row[q];
            sums[others++] = &normal->matrix[p][q];
        }
        for (size_t n = others; n % 4 > 0; n++) {
            rows[n] = block->residual;
            sums[n] = &unwanted;
        }
        unwanted = 0;
        for (size_t n = 0; n < others; n += 4)
            add_products(block->row[p], rows + n, block->count, sums + n);
    }
    double squares = 0;
    const double *const residuals[4] = {block->residual, block->residual, block->residual, block->residual};
    double *const taken[4] = {&squares, &unwanted, &unwanted, &unwanted};
    add_products(block->residual, residuals, block->count, taken);
    normal->squares += squares;
}

const struct ladder_pass_loops LANES_TABLE(ladder_pass_loops) = {.add_block = add_block};
