/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How uncertain the parameters are when the noise is not white: the middle part ("meat") of the sandwich covariance,
 * from an autoregressive noise model (quantisation.c has the one for an encoder's steps). */

#include "identify/decay/covariance.h"

#include "identify/decay/decay_rows.h"

#include <math.h>
#include <string.h>

/* Samples after the last that the filter needs to ring out to a thousandth. The 4096 bounds a filter so near to
 * instability that it hardly fades. */
static size_t ringing(const struct ar_model *noise)
{
    double history[AR_MOST] = {1.0};
    size_t quiet = 0, i = 1;
    for (; i < 4096 && quiet < AR_MOST; i++) {
        double next = 0.0;
        for (size_t k = 0; k < noise->order; k++)
            next += noise->coefficient[k] * history[(i + AR_MOST - 1 - k) % AR_MOST];
        history[i % AR_MOST] = next;
        quiet = fabs(next) < 1e-3 ? quiet + 1 : 0;
    }
    return i;
}

/* Rows of J on their way through the noise's own filter 1/(1 - sum of a_k z^-k), behind those that it remembers. A row
 * is a cache line, and lies in one. */
struct filtered_rows {
    _Alignas(64) double row[AR_MOST + ROWS_MOST][ROW_COLUMNS];
    double outer[ROW_COLUMNS][ROW_COLUMNS]; /* sum of products of filtered rows */
    const struct scaled_record *scaled;
    const struct ar_model *noise;
};

static void filter_block(struct filtered_rows *filtered, size_t count)
{
    const struct ar_model *noise = filtered->noise;
    filter_rows(lanes_widest(), noise->coefficient, noise->order, count, filtered->row + AR_MOST, filtered->outer);
    memmove(filtered->row, filtered->row + count, AR_MOST * sizeof *filtered->row);
}

static void take_block(void *taker, const struct decay_block *block)
{
    struct filtered_rows *filtered = taker;
    for (size_t k = 0; k < block->count; k++) {
        double *row = filtered->row[AR_MOST + k];
        if (scaled_usable(filtered->scaled, block->first + k))
            memcpy(row, block->row[k], sizeof block->row[k]);
        else
            memset(row, 0, sizeof block->row[k]);
    }
    filter_block(filtered, block->count);
}

/* Gamma of a stationary AR process is innovation H H', where H holds the filter's impulse response for all times
 * before the sample. Gamma reads the same backwards, so J may be filtered forwards, and on until it rings out. */
static void ring_out(struct filtered_rows *filtered)
{
    for (size_t rest = ringing(filtered->noise); rest > 0;) {
        size_t count = rest < ROWS_MOST ? rest : ROWS_MOST;
        memset(filtered->row[AR_MOST], 0, count * sizeof *filtered->row);
        filter_block(filtered, count);
        rest -= count;
    }
}

void noise_in_parameters(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                         const struct ar_model *noise, const struct normal_equations *normal,
                         double meat[FIT_PARAMETERS][FIT_PARAMETERS])
{
    struct filtered_rows filtered = {.scaled = scaled, .noise = noise};
    if (noise->order > 0 && decay_rows_walk(scaled, parameters, first, last, take_block, &filtered))
        ring_out(&filtered);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            meat[p][r] = noise->innovation * (noise->order > 0 ? filtered.outer[p][r] : normal->matrix[p][r]);
}

void sandwich(double bread[FIT_PARAMETERS][FIT_PARAMETERS], double meat[FIT_PARAMETERS][FIT_PARAMETERS],
              double covariance[FIT_PARAMETERS][FIT_PARAMETERS])
{
    double half[FIT_PARAMETERS][FIT_PARAMETERS] = {{0}};
    memset(covariance, 0, sizeof(double[FIT_PARAMETERS][FIT_PARAMETERS]));
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int k = 0; k < FIT_PARAMETERS; k++)
            for (int r = 0; r < FIT_PARAMETERS; r++)
                half[p][r] += bread[p][k] * meat[k][r];
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int k = 0; k < FIT_PARAMETERS; k++)
            for (int r = 0; r < FIT_PARAMETERS; r++)
                covariance[p][r] += half[p][k] * bread[k][r];
}
