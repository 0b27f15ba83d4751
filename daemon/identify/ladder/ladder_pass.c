/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the motion in its own time to what is measured: y(t) = bias + x(omega_n (t - t_0)). */

#include "identify/ladder/ladder_pass.h"

#include "identify/ladder/ladder_motion.h"

#include <math.h>
#include <string.h>

/* Extrema only lead to the samples, which are known to a thousandth of X_0 at best; neither needs the arithmetic's last
 * digits, and steps are longer without. */
static const double EXTREMA_ACCURACY = 1e-9, SAMPLES_ACCURACY = 1e-12;

static void add_row(struct ladder_normal *normal, double residual, const double row[LADDER_PARAMETERS])
{
    for (size_t p = 0; p < LADDER_PARAMETERS; p++) {
        for (size_t q = 0; q <= p; q++)
            normal->matrix[p][q] += row[p] * row[q];
        normal->gradient[p] += row[p] * residual;
    }
    normal->squares += residual * residual;
}

struct sampling {
    enum lanes_kind kind;
    const struct ladder_data *data;
    const double *parameters;
    size_t next;
    ladder_sample_taker *take;
    void *taker;
};

/* One sample in a piece of the motion. */
static void take_sample(struct sampling *sampling, const struct ladder_piece *piece, double own_time)
{
    const double time = own_time - piece->origin, omega_n = sampling->parameters[LADDER_OMEGA_N];
    double x = piece->x[SERIES_ORDER], v = 0, row[LADDER_PARAMETERS];
    derivatives by;
    for (size_t k = SERIES_ORDER; k-- > 0;) {
        v = v * time + x;
        x = x * time + piece->x[k];
    }
    series_at(sampling->kind, piece->x_by, time, by);
    memcpy(row, by, LADDER_MOTION * sizeof *row);
    row[LADDER_OMEGA_N] = v * own_time / omega_n;
    row[LADDER_BIAS] = 1;
    row[LADDER_T0] = -v * omega_n;
    const double residual = sampling->data->value[sampling->next] - sampling->parameters[LADDER_BIAS] - x;
    sampling->take(sampling->taker, residual, row);
}

static bool take_piece(void *taker, const struct ladder_piece *piece)
{
    struct sampling *sampling = taker;
    const double omega_n = sampling->parameters[LADDER_OMEGA_N], t0 = sampling->parameters[LADDER_T0];
    for (; sampling->next < sampling->data->count; sampling->next++) {
        const double own_time = omega_n * (sampling->data->time[sampling->next] - t0);
        if (!(own_time < piece->to))
            return true;
        take_sample(sampling, piece, own_time);
    }
    return false;
}

bool ladder_samples(const struct ladder_data *data, unsigned terms, const double parameters[LADDER_PARAMETERS],
                    ladder_sample_taker *take, void *taker)
{
    struct sampling sampling = {lanes_widest(), data, parameters, 0, take, taker};
    const struct ladder_takers takers = {NULL, take_piece, &sampling};
    return parameters[LADDER_OMEGA_N] > 0 && ladder_walk(parameters, terms, INFINITY, SAMPLES_ACCURACY, &takers) &&
           sampling.next == data->count;
}

static void add_sample(void *taker, double residual, const double row[LADDER_PARAMETERS])
{
    add_row(taker, residual, row);
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
    *normal = (struct ladder_normal){.squares = 0};
    refuse(ladder_samples(data, terms, parameters, add_sample, normal), normal);
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
