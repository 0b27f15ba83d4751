/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/zero_drift.h"

#include "identify/ladder/ladder_estimate.h"
#include "identify/ladder/ladder_noise.h"
#include "motion/small_cholesky.h"

#include <math.h>

struct zero_drift zero_drift_none(void)
{
    return (struct zero_drift){.change = {.value = NAN, .se = NAN, .low = NAN, .high = NAN}};
}

static double duration(const struct ladder_data *data)
{
    return data->time[data->count - 1] - data->time[0];
}

static double from_middle(const struct ladder_data *data, double time)
{
    return time - data->time[0] - 0.5 * duration(data);
}

double zero_line_at(const struct ladder_data *data, size_t sample)
{
    return from_middle(data, data->time[sample]);
}

/* Sums of products with the line. */
struct looking {
    const struct ladder_data *data;
    size_t next;
    double with_jacobian[LADDER_PARAMETERS], squares, with_residual;
};

static void look(void *taker, const struct ladder_block *block)
{
    struct looking *looking = taker;
    for (size_t i = 0; i < block->count; i++, looking->next++) {
        const double shape = zero_line_at(looking->data, looking->next);
        for (size_t p = 0; p < LADDER_PARAMETERS; p++)
            looking->with_jacobian[p] += block->row[p][i] * shape;
        looking->squares += shape * shape;
        looking->with_residual += shape * block->residual[i];
    }
}

/* The parameters imitate a line of which they leave less than this part. */
static const double TOLD_LEAST = 1e-9;

bool zero_line_beside(const struct ladder_data *data, const struct ladder_rung *rung, struct zero_line *line)
{
    struct looking looking = {.data = data};
    struct small_cholesky cholesky;
    bool free[LADDER_PARAMETERS];
    double answer[LADDER_PARAMETERS] = {0};
    if (!isfinite(rung->normal.squares))
        return false;
    ladder_free(rung->terms, rung->parameters, &rung->normal, free);
    if (!cholesky_factorise(&rung->normal.matrix[0][0], LADDER_PARAMETERS, free, 0, 1e-14, &cholesky) ||
        !ladder_samples(data, rung->terms, rung->parameters, look, &looking))
        return false;
    const double own = looking.squares - cholesky_solve(&cholesky, looking.with_jacobian, answer);
    double explained = looking.with_residual;
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        explained -= answer[p] * rung->normal.gradient[p];
    if (!(own > TOLD_LEAST * looking.squares))
        return false;
    *line = (struct zero_line){.slope = explained / own, .variance = 1 / own, .gain = explained * explained / own};
    return true;
}

void zero_line_remove(struct ladder_data *data, double slope)
{
    for (size_t i = 0; i < data->count; i++)
        data->value[i] -= slope * zero_line_at(data, i);
    for (size_t n = 0; n < data->extrema; n++)
        data->extremum_value[n] -= slope * from_middle(data, data->extremum_time[n]);
}

/* A line is slow: noise moves it as white noise does that is as strong at the frequency 0. */
struct zero_drift zero_drift_of(const struct ladder_data *data, const struct ladder_rung *rung, double slope)
{
    struct zero_line line;
    struct ar_model noise;
    if (!zero_line_beside(data, rung, &line))
        return zero_drift_none();
    ladder_noise_from(data, rung, &noise);
    const double white = rung->normal.squares / (double)(data->count - LADDER_PARAMETERS);
    const double variance = fmax(white, noise.innovation * ar_gain_at(&noise, 0));
    const double unit = duration(data) * data->unit;
    return (struct zero_drift){.found = true,
                               .span_s = duration(data) * data->unit_s,
                               .change = ladder_two_sided(slope * unit, sqrt(line.variance * variance) * unit)};
}

double zero_drift_slope(const struct ladder_data *data, const struct zero_drift *drift, double change)
{
    return change / data->unit / (drift->span_s / data->unit_s);
}
