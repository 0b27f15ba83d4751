/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_cycles.h"

#include "motion/small_cholesky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cycle with fewer samples says nothing about three shapes and what they leave. */
enum { SAMPLES_LEAST = 8 };

/* Normal equations of the shapes. */
struct shapes {
    double matrix[CYCLE_SHAPES][CYCLE_SHAPES], right[CYCLE_SHAPES], squares;
    size_t samples;
};

struct gathering {
    const struct ladder_data *data;
    double bias;
    size_t next, half_cycle;
    struct shapes *of; /* half cycles */
};

static void gather(void *taker, const struct ladder_block *block)
{
    struct gathering *gathering = taker;
    const struct ladder_data *data = gathering->data;
    for (size_t i = 0; i < block->count; i++, gathering->next++) {
        while (gathering->half_cycle + 2 < data->extrema &&
               data->time[gathering->next] >= data->extremum_time[gathering->half_cycle + 1])
            gathering->half_cycle++;
        struct shapes *shapes = &gathering->of[gathering->half_cycle];
        const double residual = block->residual[i];
        const double row[CYCLE_SHAPES] = {block->row[LADDER_T0][i],
                                          data->value[gathering->next] - residual - gathering->bias, 1};
        for (size_t p = 0; p < CYCLE_SHAPES; p++) {
            for (size_t q = 0; q <= p; q++)
                shapes->matrix[p][q] += row[p] * row[q];
            shapes->right[p] += row[p] * residual;
        }
        shapes->squares += residual * residual;
        shapes->samples++;
    }
}

/* The cycle of two half cycles. Adds what its shapes leave. */
static void solve_cycle(const struct shapes of[2], struct ladder_cycle *cycle, double *squares, double *freedom)
{
    static const bool all[CYCLE_SHAPES] = {true, true, true};
    struct shapes sum = of[0];
    struct small_cholesky cholesky;
    double inverse[CYCLE_SHAPES][CYCLE_SHAPES];
    for (size_t p = 0; p < CYCLE_SHAPES; p++) {
        for (size_t q = 0; q <= p; q++)
            sum.matrix[p][q] += of[1].matrix[p][q];
        sum.right[p] += of[1].right[p];
    }
    sum.samples += of[1].samples;
    cycle->known =
        sum.samples >= SAMPLES_LEAST && cholesky_factorise(&sum.matrix[0][0], CYCLE_SHAPES, all, 0, 1e-3, &cholesky);
    if (!cycle->known)
        return;
    *squares += sum.squares + of[1].squares - cholesky_solve(&cholesky, sum.right, cycle->value);
    *freedom += (double)(sum.samples - CYCLE_SHAPES);
    cholesky_invert(&cholesky, CYCLE_SHAPES, &inverse[0][0]);
    for (size_t p = 0; p < CYCLE_SHAPES; p++)
        cycle->variance[p] = inverse[p][p];
}

static int ascending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The median of the jumps' sizes, as a standard deviation. */
static double typical_jump(const struct ladder_cycles *cycles, enum cycle_shape shape, double *room)
{
    static const double OF_NORMAL = 0.6745;
    size_t count = 0;
    for (size_t at = 0; at < cycles->count; at++) {
        const double jump = fabs(ladder_cycles_jump(cycles, shape, at));
        if (isfinite(jump))
            room[count++] = jump;
    }
    qsort(room, count, sizeof *room, ascending);
    return count > 0 ? fmax(1, room[count / 2] / OF_NORMAL) : 1;
}

enum verdict ladder_cycles_from(const struct ladder_data *data, const struct ladder_rung *rung,
                                struct ladder_cycles *cycles)
{
    struct shapes *shapes = calloc(data->extrema, sizeof *shapes);
    double *room = calloc(data->extrema, sizeof *room), squares = 0, freedom = 0;
    *cycles = (struct ladder_cycles){.count = data->extrema - 2, .scale = {1, 1, 1}};
    cycles->cycle = calloc(data->extrema, sizeof *cycles->cycle);
    const bool room_enough = shapes && room && cycles->cycle;
    if (room_enough) {
        struct gathering gathering = {data, rung->parameters[LADDER_BIAS], 0, 0, shapes};
        ladder_samples(data, rung->terms, rung->parameters, gather, &gathering);
        for (size_t n = 0; n < cycles->count; n++)
            solve_cycle(&shapes[n], &cycles->cycle[n], &squares, &freedom);
        cycles->variance = squares / fmax(freedom, 1);
        for (enum cycle_shape shape = 0; shape < CYCLE_SHAPES; shape++)
            cycles->scale[shape] = typical_jump(cycles, shape, room);
    } else {
        ladder_cycles_clear(cycles);
    }
    free(shapes);
    free(room);
    return room_enough ? VERDICT_OK : VERDICT_NO_MEMORY;
}

void ladder_cycles_clear(struct ladder_cycles *cycles)
{
    free(cycles->cycle);
    *cycles = (struct ladder_cycles){.count = 0};
}

double ladder_cycles_jump_error(const struct ladder_cycles *cycles, enum cycle_shape shape, size_t at)
{
    if (at < 2 || at + 1 >= cycles->count)
        return NAN;
    const struct ladder_cycle *before = &cycles->cycle[at - 2], *behind = &cycles->cycle[at + 1];
    if (!before->known || !behind->known || !(cycles->variance > 0))
        return NAN;
    return sqrt(cycles->variance * (before->variance[shape] + behind->variance[shape]));
}

double ladder_cycles_jump(const struct ladder_cycles *cycles, enum cycle_shape shape, size_t at)
{
    const double error = ladder_cycles_jump_error(cycles, shape, at);
    return isfinite(error) ? (cycles->cycle[at + 1].value[shape] - cycles->cycle[at - 2].value[shape]) / error
                           : (double)NAN;
}
