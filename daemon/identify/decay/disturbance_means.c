/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/disturbance_means.h"

#include "identify/decay/decay_rows.h"
#include "identify/decay/fit_values.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static_assert((int)DISTURBANCE_ROWS >= (int)FIT_PARAMETERS, "a mean has room for the row of a fit");

static const double MAINS_HZ[] = {50, 60};

/* u: time, from -1 at the record's begin to 1 at its end. */
static void fill_columns(struct disturbance_mean *mean, double u, double time_s)
{
    mean->column[COLUMN_LINE] = u;
    mean->column[COLUMN_BEND] = u * u;
    for (int k = 0; k < 2; k++) {
        mean->column[COLUMN_COS_50 + 2 * k] = cos(2 * M_PI * MAINS_HZ[k] * time_s);
        mean->column[COLUMN_SIN_50 + 2 * k] = sin(2 * M_PI * MAINS_HZ[k] * time_s);
    }
}

/* time: the sum of the samples'. */
static void end_mean(const struct disturbance_mean *sum, double time, struct disturbance_means *means)
{
    struct disturbance_mean *mean = &means->mean[means->count++];
    for (int p = 0; p < DISTURBANCE_ROWS; p++)
        mean->row[p] = sum->row[p] / means->width;
    mean->residual = sum->residual / means->width;
    time /= means->width;
    fill_columns(mean, time / means->middle - 1, time * means->unit_s);
}

/* Samples on their way into means. */
struct averaging {
    struct disturbance_means *means;
    const void *of; /* what the samples are of */
    size_t next;
    struct disturbance_mean sum;
    double time, count;
};

/* A sample whose row is in the sum already. What does not fill a last mean is left out. */
static void count_sample(struct averaging *averaging, double residual, double time)
{
    averaging->sum.residual += residual;
    averaging->time += time;
    if (++averaging->count < averaging->means->width)
        return;
    end_mean(&averaging->sum, averaging->time, averaging->means);
    averaging->sum = (struct disturbance_mean){.residual = 0};
    averaging->time = averaging->count = 0;
}

static void average_block(void *taker, const struct decay_block *block)
{
    struct averaging *averaging = taker;
    const struct scaled_record *scaled = averaging->of;
    for (size_t k = 0; k < block->count; k++) {
        if (!scaled_usable(scaled, block->first + k))
            continue;
        for (int p = 0; p < FIT_PARAMETERS; p++)
            averaging->sum.row[p] += block->row[k][p];
        count_sample(averaging, scaled_value(scaled, block->first + k) - block->value[k],
                     scaled_time(scaled, block->first + k));
    }
}

void disturbance_means_of_fit(const struct scaled_record *scaled, const struct full_record_fit *fit,
                              const double *parameters, struct disturbance_means *means)
{
    const struct sample_range range = fit->range;
    const struct free_parameters free = fit_moved(fit);
    struct averaging averaging = {.of = scaled, .means = means};
    *means = (struct disturbance_means){.width = ceil((double)(range.last - range.first) / DISTURBANCE_MEANS_MOST),
                                        .spacing_s = scaled->unit_s,
                                        .middle = scaled_time(scaled, scaled->count - 1) / 2,
                                        .unit_s = scaled->unit_s};
    memcpy(means->free, free.free, FIT_PARAMETERS * sizeof *means->free);
    decay_rows_walk(scaled, parameters, range.first, range.last, average_block, &averaging);
}

static void average_rung(void *taker, const struct ladder_block *block)
{
    struct averaging *averaging = taker;
    const struct ladder_data *data = averaging->of;
    for (size_t k = 0; k < block->count; k++) {
        for (int p = 0; p < LADDER_PARAMETERS; p++)
            averaging->sum.row[p] += block->row[p][k];
        count_sample(averaging, block->residual[k], data->time[averaging->next++]);
    }
}

bool disturbance_means_of_rung(const struct ladder_reopened *open, struct disturbance_means *means)
{
    const struct ladder_data *data = &open->data;
    struct averaging averaging = {.of = data, .means = means};
    *means = (struct disturbance_means){.width = ceil((double)data->count / DISTURBANCE_MEANS_MOST),
                                        .spacing_s = ladder_data_spacing(data) * data->unit_s,
                                        .middle = data->time[data->count - 1] / 2,
                                        .unit_s = data->unit_s};
    memcpy(means->free, open->free, sizeof open->free);
    return ladder_samples(data, open->terms, open->parameters, average_rung, &averaging);
}

bool disturbance_resolves(const struct disturbance_means *means, int column)
{
    return column < COLUMN_COS_50 || means->width <= 1 ||
           MAINS_HZ[(column - COLUMN_COS_50) / 2] * means->width * means->spacing_s < 0.5;
}
