/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_reopen.h"

#include <math.h>

static void put_right(const struct ladder *ladder, struct ladder_data *data)
{
    const struct clock_steps *steps = &ladder->clock_steps;
    if (ladder->zero_drift.found)
        zero_line_remove(data, zero_drift_slope(data, &ladder->zero_drift, ladder->zero_drift.change.value));
    for (size_t n = 0; n < steps->count; n++) {
        const struct clock_step *step = &steps->step[n];
        ladder_data_shift(data, step->sample, step->extremum, step->lost_s.value / data->unit_s);
    }
}

enum verdict ladder_reopen(const struct decay_record *record, const struct extremum *extrema, size_t count,
                           const struct ladder *ladder, struct ladder_reopened *open)
{
    const struct ladder_model *chosen = &ladder->models[ladder->chosen];
    double values[LADDER_PARAMETERS];
    const enum verdict verdict = ladder_data_from(record, extrema, count, &open->data);
    if (verdict != VERDICT_OK)
        return verdict;
    put_right(ladder, &open->data);
    open->terms = chosen->terms;
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const struct estimate *estimate = &chosen->estimate[p];
        open->free[p] = ladder_terms_have(chosen->terms, p) && isfinite(estimate->value) && !estimate->at_bound;
        values[p] = isfinite(estimate->value) ? estimate->value : 0;
    }
    ladder_from_record(&open->data, values, open->parameters);
    return VERDICT_OK;
}

double ladder_reopened_unit(const struct ladder_reopened *open, enum ladder_parameter parameter)
{
    const double by_logarithm = ladder_parameters[parameter].logarithmic ? open->parameters[parameter] : 1;
    return by_logarithm * ladder_parameter_unit(&open->data, parameter);
}

struct moving {
    const struct ladder_data *data;
    const struct decay_record *record;
    double *displacement; /* of the record's samples */
    size_t next, place;   /* of the data, and where that is in the record */
};

static bool is_before(const struct moving *moving)
{
    const struct decay_record *record = moving->record;
    return decay_record_time(record, moving->place) < moving->data->origin_s ||
           (record->flags && record->flags[moving->place]);
}

static void move(void *taker, const struct ladder_block *block)
{
    struct moving *moving = taker;
    for (size_t i = 0; i < block->count; i++, moving->place++) {
        while (is_before(moving))
            moving->place++;
        const double value = moving->data->value[moving->next++] - block->residual[i];
        moving->displacement[moving->place] = moving->data->origin + value * moving->data->unit;
    }
}

void ladder_reopened_motion(const struct ladder_reopened *open, const struct decay_record *record, double *displacement)
{
    struct moving moving = {&open->data, record, displacement, 0, 0};
    ladder_samples(&open->data, open->terms, open->parameters, move, &moving);
}
