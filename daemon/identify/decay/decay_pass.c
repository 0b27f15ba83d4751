/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is asked of a model goes to the model where it knows a shorter way, and is made of its blocks where not. */

#include "identify/decay/decay_pass.h"

#include "identify/decay/quantisation.h"

#include <math.h>
#include <string.h>

/* Rows on their way into normal equations. The products are summed by the filter that remembers nothing. */
struct row_sums {
    const struct scaled_record *scaled;
    struct normal_equations *normal;
    double outer[ROW_COLUMNS][ROW_COLUMNS];
};

static void add_rows(void *taker, const struct decay_block *block)
{
    struct row_sums *sums = taker;
    struct normal_equations *normal = sums->normal;
    _Alignas(64) double usable[ROWS_MOST][ROW_COLUMNS];
    size_t count = 0;
    for (size_t k = 0; k < block->count; k++) {
        if (!scaled_usable(sums->scaled, block->first + k))
            continue;
        const double residual = scaled_value(sums->scaled, block->first + k) - block->value[k];
        memcpy(usable[count++], block->row[k], sizeof block->row[k]);
        for (int p = 0; p < FIT_PARAMETERS; p++)
            normal->gradient[p] += block->row[k][p] * residual;
        normal->sum_of_squares += residual * residual;
    }
    filter_rows(lanes_widest(), NULL, 0, count, usable, sums->outer);
    normal->samples += count;
}

static void normal_equations_of_blocks(const struct decay_pass *pass, const struct scaled_record *scaled,
                                       const double *parameters, size_t first, size_t last,
                                       struct normal_equations *normal)
{
    struct row_sums sums = {.scaled = scaled, .normal = normal};
    memset(normal, 0, sizeof *normal);
    const bool possible = pass->walk(scaled, parameters, first, last, add_rows, &sums);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            normal->matrix[p][r] = sums.outer[p][r];
    if (!possible || !isfinite(normal->sum_of_squares))
        *normal = (struct normal_equations){.sum_of_squares = INFINITY};
}

void pass_normal_equations(const struct decay_pass *pass, const struct scaled_record *scaled, const double *parameters,
                           size_t first, size_t last, struct normal_equations *normal)
{
    if (pass->normal_equations)
        pass->normal_equations(scaled, parameters, first, last, normal);
    else
        normal_equations_of_blocks(pass, scaled, parameters, first, last, normal);
}

void pass_statistics(const struct decay_pass *pass, const struct scaled_record *scaled, const double *parameters,
                     size_t first, size_t last, size_t lags, struct residual_statistics *statistics)
{
    if (pass->statistics)
        pass->statistics(scaled, parameters, first, last, lags, statistics);
    else
        statistics_of_blocks(pass->walk, scaled, parameters, first, last, lags, statistics);
}

/* Blocks on their way to somebody who wants the residuals. */
struct residual_relay {
    const struct scaled_record *scaled;
    double factor; /* by which they are greater in his units */
    residual_taker *take;
    void *taker;
};

static void relay_residuals(void *taker, const struct decay_block *block)
{
    const struct residual_relay *relay = taker;
    double residual[ROWS_MOST];
    size_t count = 0;
    for (size_t k = 0; k < block->count; k++)
        if (scaled_usable(relay->scaled, block->first + k))
            residual[count++] = relay->factor * (scaled_value(relay->scaled, block->first + k) - block->value[k]);
    if (count > 0)
        relay->take(relay->taker, residual, count);
}

void pass_residuals(const struct decay_pass *pass, const struct decay_record *record, const double *values,
                    size_t first, size_t last, double unit, residual_taker *take, void *taker)
{
    struct scaled_record scaled;
    double parameters[FIT_PARAMETERS];
    if (pass->residuals) {
        pass->residuals(record, values, first, last, unit, take, taker);
    } else if (scaled_record_from(record, 1, &scaled) == VERDICT_OK) {
        struct residual_relay relay = {&scaled, 1.0 / (scaled.scale * unit), take, taker};
        scaled_from_record(&scaled, values, parameters);
        pass->walk(&scaled, parameters, first, last, relay_residuals, &relay);
    }
}

void pass_quantisation(const struct decay_pass *pass, const struct scaled_record *scaled, const double *parameters,
                       size_t first, size_t last, double step, const atomic_bool *cancel,
                       double meat[FIT_PARAMETERS][FIT_PARAMETERS])
{
    if (pass->quantisation)
        pass->quantisation(scaled, parameters, first, last, step, cancel, meat);
    else
        quantisation_of_blocks(pass->walk, scaled, parameters, first, last, step, cancel, meat);
}
