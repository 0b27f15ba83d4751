/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/decay_residuals.h"

#include "identify/decay/decay_model.h"
#include "identify/decay/half_cycle_residual.h"

#include <math.h>

/* A decay, walked down half cycle by half cycle; residuals in multiples of `unit`. */
struct residual_walk {
    const struct decay_record *record;
    const double *values;
    size_t next, last; /* samples to come: [next, last) */
    double unit;
    struct decay_shape shape;
    struct decay_half_cycle half;
    struct half_cycle_pass pass; /* for uniform samples, none flagged */
    bool plain;
};

static struct residual_walk residual_walk_of(const struct decay_record *record, const double *values, size_t first,
                                             size_t last, double unit)
{
    struct residual_walk walk = {.record = record,
                                 .values = values,
                                 .next = first,
                                 .last = last,
                                 .unit = unit,
                                 .shape = decay_shape(values),
                                 .half = decay_first_half_cycle(values),
                                 .plain = !record->flags && !record->time_s};
    struct decay_shape a_sample = walk.shape;
    a_sample.omega_d *= record->period_s;
    walk.pass = half_cycle_pass_with(lanes_widest(), &a_sample, values[FIT_BIAS], 1 / unit);
    return walk;
}

/* Goes on to the half cycle of sample i; theta there. */
static double walk_to(struct residual_walk *walk, size_t i)
{
    const double phase = walk->shape.omega_d * (decay_record_time(walk->record, i) - walk->values[FIT_T0]);
    while (phase >= (double)walk->half.j * M_PI)
        decay_next_half_cycle(walk->values, &walk->shape, &walk->half);
    return phase - (double)(walk->half.j - 1) * M_PI;
}

/* Uniform samples, none flagged: what is left of a half cycle at once. Returns how many, `most` at most. */
static size_t plain_residuals(struct residual_walk *walk, size_t most, double *residual)
{
    const double theta = walk_to(walk, walk->next), left = fmax(ceil((M_PI - theta) / walk->pass.omega_d), 1);
    const size_t count = left < (double)most ? (size_t)left : most;
    const struct half_cycle_curve curve = {decay_level(walk->values, &walk->half) / walk->unit,
                                           decay_amplitude(walk->values, &walk->half) / walk->unit};
    struct half_cycle_lag unused = {0};
    half_cycle_residuals(&walk->pass, &curve, theta, walk->record->displacement + walk->next, count, residual, &unused);
    return count;
}

static double residual_at(struct residual_walk *walk, size_t i)
{
    double base[DECAY_BASES];
    decay_base_at(&walk->shape, walk_to(walk, i), base);
    const double x = decay_level(walk->values, &walk->half) + decay_amplitude(walk->values, &walk->half) * base[BASE_G];
    return (walk->record->displacement[i] - walk->values[FIT_BIAS] - x) / walk->unit;
}

/* The residuals of the next unflagged samples; 0 when there are no more. */
static size_t next_residuals(struct residual_walk *walk, double residual[RESIDUALS_MOST])
{
    size_t count = 0;
    while (count < RESIDUALS_MOST && walk->next < walk->last) {
        const size_t room = RESIDUALS_MOST - count, rest = walk->last - walk->next;
        size_t taken = 1;
        if (walk->plain)
            count += taken = plain_residuals(walk, room < rest ? room : rest, residual + count);
        else if (!walk->record->flags || walk->record->flags[walk->next] == 0)
            residual[count++] = residual_at(walk, walk->next);
        walk->next += taken;
    }
    return count;
}

void decay_residuals(const struct decay_record *record, const double *values, size_t first, size_t last, double unit,
                     residual_taker *take, void *taker)
{
    struct residual_walk walk = residual_walk_of(record, values, first, last, unit);
    double residual[RESIDUALS_MOST];
    size_t count;
    while ((count = next_residuals(&walk, residual)) > 0)
        take(taker, residual, count);
}
