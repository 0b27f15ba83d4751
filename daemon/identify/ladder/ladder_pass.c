/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_pass.h"

#include "identify/ladder/ladder_motion.h"
#include "identify/ladder/ladder_pass_loops.h"

#include <math.h>
#include <string.h>

/* Extrema only lead to the samples: they do not need the arithmetic's last digits, and steps are longer without. */
static const double EXTREMA_ACCURACY = 1e-7;

static void add_row(struct ladder_normal *normal, double residual, const double row[LADDER_PARAMETERS])
{
    for (size_t p = 0; p < LADDER_PARAMETERS; p++) {
        for (size_t q = 0; q <= p; q++)
            normal->matrix[p][q] += row[p] * row[q];
        normal->gradient[p] += row[p] * residual;
    }
    normal->squares += residual * residual;
}

void ladder_add_block(enum lanes_kind kind, const struct ladder_block *block, unsigned terms,
                      struct ladder_normal *normal)
{
    ladder_pass_loops_of(kind)->add_block(block, terms, normal);
}

/* What sums the blocks. */
struct summing {
    enum lanes_kind kind;
    unsigned terms;
    struct ladder_normal *normal;
};

static void add_samples(void *taker, const struct ladder_block *block)
{
    const struct summing *summing = taker;
    ladder_add_block(summing->kind, block, summing->terms, summing->normal);
}

/* Numbers that no decay has. */
static void refuse(bool sound, struct ladder_normal *normal)
{
    if (!sound || !isfinite(normal->squares))
        normal->squares = INFINITY;
}

void ladder_sample_pass(const struct ladder_data *data, unsigned terms, const double parameters[LADDER_PARAMETERS],
                        struct ladder_normal *normal)
{
    struct summing summing = {lanes_widest(), terms, normal};
    *normal = (struct ladder_normal){.squares = 0};
    refuse(ladder_samples(data, terms, parameters, add_samples, &summing), normal);
}

struct turning {
    const struct ladder_data *data;
    const double *parameters;
    size_t next;
    struct ladder_normal *normal;
};

/* An extremum's height, and its time as the distance that the motion goes meanwhile, by the root of a mean square. */
static bool take_turn(void *taker, const struct ladder_turn *turn)
{
    struct turning *turning = taker;
    const struct ladder_data *data = turning->data;
    const size_t n = turning->next++;
    const double omega_n = turning->parameters[LADDER_OMEGA_N], weight = data->height[n] * M_SQRT1_2;
    const double time = turning->parameters[LADDER_T0] + turn->time / omega_n;
    double row[LADDER_PARAMETERS] = {0};
    memcpy(row, turn->x_by, LADDER_MOTION * sizeof *row);
    row[LADDER_BIAS] = 1;
    add_row(turning->normal, data->extremum_value[n] - turning->parameters[LADDER_BIAS] - turn->x, row);
    for (size_t p = 0; p < LADDER_MOTION; p++)
        row[p] = weight * turn->time_by[p] / omega_n;
    row[LADDER_OMEGA_N] = -weight * turn->time / (omega_n * omega_n);
    row[LADDER_BIAS] = 0;
    row[LADDER_T0] = weight;
    add_row(turning->normal, weight * (data->extremum_time[n] - time), row);
    return turning->next < data->extrema;
}

void ladder_extrema_pass(const struct ladder_data *data, unsigned terms, const double parameters[LADDER_PARAMETERS],
                         struct ladder_normal *normal)
{
    struct turning turning = {data, parameters, 0, normal};
    const struct ladder_takers takers = {take_turn, NULL, &turning};
    *normal = (struct ladder_normal){.squares = 0};
    const bool sound =
        parameters[LADDER_OMEGA_N] > 0 && ladder_walk(parameters, terms, INFINITY, EXTREMA_ACCURACY, &takers);
    refuse(sound && turning.next == data->extrema, normal);
}
