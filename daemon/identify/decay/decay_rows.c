/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/decay_rows.h"

#include "identify/decay/half_cycle_walk.h"

#include <string.h>

void decay_rows_begin(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                      struct decay_rows *rows)
{
    memset(rows, 0, sizeof *rows);
    rows->walk = decay_walk_from(parameters);
    rows->scaled = scaled;
    rows->next = first;
    rows->last = last;
    rows->pass = half_cycle_pass_with(lanes_widest(), &rows->walk.shape, 0.0, 1.0);
}

static void fill_bases(struct decay_rows *rows, double theta)
{
    const struct decay_walk *walk = &rows->walk;
    if (rows->scaled->uniform) {
        for (size_t k = 0; k < rows->block.count; k++)
            rows->theta[k] = theta + (double)k * walk->shape.omega_d;
        half_cycle_bases(&rows->pass, theta, rows->block.count, rows->g, rows->s);
        return;
    }
    for (size_t k = 0; k < rows->block.count; k++) {
        double base[DECAY_BASES];
        rows->theta[k] = walk->shape.omega_d * (scaled_time(rows->scaled, rows->block.first + k) - walk->zero_time);
        decay_base_at(&walk->shape, rows->theta[k], base);
        rows->g[k] = base[BASE_G];
        rows->s[k] = base[BASE_S];
    }
}

bool decay_rows_next(struct decay_rows *rows)
{
    if (rows->next >= rows->last)
        return false;
    struct decay_walk *walk = &rows->walk;
    double weights[DECAY_BASES][PARAMETER_COLUMNS];
    double theta = decay_walk_to(walk, scaled_time(rows->scaled, rows->next));
    size_t end = scaled_first_at(rows->scaled, walk->zero_time + walk->shape.half_period);
    end = end > rows->next ? end : rows->next + 1; /* rounding: the walk says that it lies here */
    end = end < rows->last ? end : rows->last;
    rows->block.first = rows->next;
    rows->block.count = end - rows->block.first < ROWS_MOST ? end - rows->block.first : ROWS_MOST;
    rows->next = rows->block.first + rows->block.count;
    fill_bases(rows, theta);
    const struct half_cycle_curve curve = half_cycle_curve_of(walk->parameters, &walk->half);
    for (size_t k = 0; k < rows->block.count; k++)
        rows->block.value[k] = curve.constant + curve.amplitude * rows->g[k];
    decay_derivative_weights(walk->parameters, &walk->shape, &walk->half, weights);
    derivative_rows(rows->pass.kind, weights, rows->theta, rows->g, rows->s, rows->block.count, rows->block.row);
    return true;
}

bool decay_rows_walk(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                     block_taker *take, void *taker)
{
    struct decay_rows rows;
    if (!closed_form_describes(scaled, parameters))
        return false;
    decay_rows_begin(scaled, parameters, first, last, &rows);
    while (decay_rows_next(&rows))
        take(taker, &rows.block);
    return true;
}
