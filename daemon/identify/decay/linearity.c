/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A sensor whose curve is bent within its limit, and what that does to estimates. */

#include "identify/decay/linearity.h"

#include "identify/decay/bounded_step.h"
#include "identify/decay/decay_rows.h"
#include "identify/decay/fit_values.h"
#include "identify/decay/half_cycle_walk.h"
#include "identify/ladder/ladder_reopen.h"
#include "motion/small_cholesky.h"

#include <math.h>
#include <stdlib.h>

static double largest_displacement(const struct decay_record *record)
{
    double largest = 0;
    for (size_t i = 0; i < record->count; i++)
        if (!(record->flags && record->flags[i]))
            largest = fmax(largest, fabs(record->displacement[i]));
    return largest;
}

/* A sensor whose curve is bent: by `linearity` of full scale there, and less nearer to its zero. */
struct bent_sensor {
    double linearity, full_scale;
};

static struct bent_sensor bent_sensor_of(const struct decay_record *record, double linearity, double full_scale)
{
    const bool known = isfinite(full_scale) && full_scale > 0;
    return (struct bent_sensor){linearity, known ? full_scale : largest_displacement(record)};
}

static double bend(const struct bent_sensor *sensor, double displacement)
{
    const double part = displacement / sensor->full_scale;
    return sensor->linearity * sensor->full_scale * part * part * part;
}

/* J' n: what a nonlinearity leaves in the samples, as the parameters see it. */
struct nonlinearity {
    const struct scaled_record *scaled;
    struct bent_sensor sensor;
    double answer[FIT_PARAMETERS];
};

static void answer_block(void *taker, const struct decay_block *block)
{
    struct nonlinearity *nonlinearity = taker;
    const struct scaled_record *scaled = nonlinearity->scaled;
    for (size_t k = 0; k < block->count; k++) {
        if (!scaled_usable(scaled, block->first + k))
            continue;
        const double displacement = scaled->offset + block->value[k] / scaled->scale;
        const double nonlinear = bend(&nonlinearity->sensor, displacement) * scaled->scale;
        for (int p = 0; p < FIT_PARAMETERS; p++)
            nonlinearity->answer[p] += block->row[k][p] * nonlinear;
    }
}

bool linearity_in_parameters(const struct decay_record *record, const struct full_record_fit *fit, double linearity,
                             double full_scale, double change[FIT_PARAMETERS])
{
    struct scaled_record scaled;
    struct normal_equations normal;
    struct free_parameters free = fit_moved(fit);
    double parameters[FIT_PARAMETERS], units[FIT_PARAMETERS], inverse[FIT_PARAMETERS][FIT_PARAMETERS];
    if (!fit_has_values(fit) || scaled_record_from(record, FIT_PARAMETERS + 1, &scaled) != VERDICT_OK)
        return false;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        free.free[p] = free.free[p] && !fit->estimate[p].at_bound;
    fit_scaled_values(fit, &scaled, parameters);
    closed_form_normal_equations(&scaled, parameters, fit->range.first, fit->range.last, &normal);
    if (!restricted_inverse(normal.matrix, &free, inverse))
        return false;
    struct nonlinearity sensor = {.scaled = &scaled, .sensor = bent_sensor_of(record, linearity, full_scale)};
    decay_rows_walk(&scaled, parameters, fit->range.first, fit->range.last, answer_block, &sensor);
    scaled_parameter_units(&scaled, units);
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        change[p] = 0;
        for (int r = 0; r < FIT_PARAMETERS; r++)
            change[p] += inverse[p][r] * sensor.answer[r] * units[p];
    }
    return true;
}

bool linearity_in_extrema(const struct decay_record *record, const struct extrema_chain *chain, double linearity,
                          double full_scale, double change[FIT_PARAMETERS])
{
    const struct bent_sensor sensor = bent_sensor_of(record, linearity, full_scale);
    struct extremum *bent = chain->count > 0 ? malloc(chain->count * sizeof *bent) : NULL;
    struct extrema_fit as_is, as_bent;
    if (!bent)
        return false;
    for (size_t j = 0; j < chain->count; j++) {
        bent[j] = chain->extrema[j];
        bent[j].displacement += bend(&sensor, bent[j].displacement);
    }
    const bool fitted = extrema_fit(chain->extrema, chain->count, &as_is) == VERDICT_OK &&
                        extrema_fit(bent, chain->count, &as_bent) == VERDICT_OK;
    free(bent);
    if (!fitted)
        return false;
    extrema_fit_of_decay(chain->stride, &as_is);
    extrema_fit_of_decay(chain->stride, &as_bent);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        change[p] = as_bent.estimate[p].value - as_is.estimate[p].value;
    return true;
}

/* J' n of a rung. */
struct rung_nonlinearity {
    const struct ladder_data *data;
    struct bent_sensor sensor;
    size_t next;
    double answer[LADDER_PARAMETERS];
};

static void answer_rung(void *taker, const struct ladder_block *block)
{
    struct rung_nonlinearity *nonlinearity = taker;
    const struct ladder_data *data = nonlinearity->data;
    for (size_t i = 0; i < block->count; i++) {
        const double value = data->value[nonlinearity->next++] - block->residual[i];
        const double nonlinear = bend(&nonlinearity->sensor, data->origin + value * data->unit) / data->unit;
        for (size_t p = 0; p < LADDER_PARAMETERS; p++)
            nonlinearity->answer[p] += block->row[p][i] * nonlinear;
    }
}

static bool answer_of(const struct ladder_reopened *open, const struct bent_sensor *sensor,
                      double change[LADDER_PARAMETERS])
{
    struct rung_nonlinearity nonlinearity = {.data = &open->data, .sensor = *sensor};
    struct ladder_normal normal;
    struct small_cholesky cholesky;
    ladder_sample_pass(&open->data, open->terms, open->parameters, &normal);
    if (!isfinite(normal.squares) ||
        !cholesky_factorise(&normal.matrix[0][0], LADDER_PARAMETERS, open->free, 0, 1e-14, &cholesky) ||
        !ladder_samples(&open->data, open->terms, open->parameters, answer_rung, &nonlinearity))
        return false;
    cholesky_solve(&cholesky, nonlinearity.answer, change);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        change[p] = open->free[p] ? change[p] * ladder_reopened_unit(open, p) : 0;
    return true;
}

bool linearity_in_ladder(const struct decay_record *record, const struct extrema_chain *chain,
                         const struct ladder *ladder, double linearity, double full_scale,
                         double change[LADDER_PARAMETERS])
{
    const struct bent_sensor sensor = bent_sensor_of(record, linearity, full_scale);
    struct ladder_reopened open;
    if (ladder_reopen(record, chain->extrema, chain->count, ladder, &open) != VERDICT_OK)
        return false;
    const bool answered = answer_of(&open, &sensor, change);
    ladder_data_clear(&open.data);
    return answered;
}
