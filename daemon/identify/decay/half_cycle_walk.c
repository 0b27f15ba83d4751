/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One pass over the samples. Within a half cycle the model and its six derivatives are linear combinations of five base
 * functions, so 19 sums a sample replace the 28 products of J'J and J'r, and at the end of a half cycle one small
 * matrix product makes J'J and J'r of them. */

#include "identify/decay/half_cycle_walk.h"

#include "identify/decay/half_cycle_group.h"
#include "identify/decay/half_cycle_pass.h"

#include <math.h>
#include <string.h>

/* A half cycle and the samples in it. */
struct stretch {
    const struct scaled_record *scaled;
    struct half_cycle_pass *pass;
    struct half_cycle_curve curve;
    double zero_time; /* where theta is 0 */
};

/* Samples with their own time stamps: the direct form, a sine and an exponential each. */
static void add_stamped(struct half_cycle_sums *sums, const struct stretch *stretch, size_t first, size_t last)
{
    double beta = stretch->pass->beta;
    for (size_t i = first; i < last; i++) {
        double theta = stretch->pass->omega_d * (scaled_time(stretch->scaled, i) - stretch->zero_time);
        const struct law_bases at = law_bases_at(beta, theta);
        double model = stretch->curve.constant + stretch->curve.amplitude * at.g;
        half_cycle_sums_add_one(sums, theta, at.g, at.s, scaled_value(stretch->scaled, i) - model);
    }
}

static void add_run(struct half_cycle_sums *sums, const struct stretch *stretch, size_t first, size_t last)
{
    if (!stretch->scaled->uniform) {
        add_stamped(sums, stretch, first, last);
        return;
    }
    double theta = stretch->pass->omega_d * ((double)first - stretch->zero_time);
    const double *displacement = stretch->scaled->record->displacement + first;
    half_cycle_sums_add(stretch->pass, &stretch->curve, theta, displacement, last - first, sums);
}

/* Runs of usable samples, one by one, around the flagged ones. */
static void add_samples(struct half_cycle_sums *sums, const struct stretch *stretch, size_t first, size_t last)
{
    if (!stretch->scaled->record->flags) {
        add_run(sums, stretch, first, last);
        return;
    }
    while (first < last) {
        size_t end = first;
        while (end < last && scaled_usable(stretch->scaled, end))
            end++;
        if (end > first)
            add_run(sums, stretch, first, end);
        first = end;
        while (first < last && !scaled_usable(stretch->scaled, first))
            first++;
    }
}

static bool describes(const struct scaled_record *scaled, const double *parameters, double half_period)
{
    /* A half period below a quarter of a sample cannot be seen; a t0 two records away would mean endless half
     * cycles. */
    const double reach = 2.0 * (double)scaled->count + 16.0;
    return half_period >= 0.25 && half_period < INFINITY && fabs(parameters[FIT_T0]) < reach &&
           isfinite(parameters[FIT_X0]) && isfinite(parameters[FIT_X_K]) && isfinite(parameters[FIT_BIAS]);
}

bool closed_form_describes(const struct scaled_record *scaled, const double *parameters)
{
    return describes(scaled, parameters, decay_shape(parameters).half_period);
}

bool half_cycle_walk_begin(enum lanes_kind kind, const struct scaled_record *scaled, const double *parameters,
                           size_t first, size_t last, struct half_cycle_walk *walk)
{
    walk->scaled = scaled;
    walk->parameters = parameters;
    walk->shape = decay_shape(parameters);
    walk->next = decay_first_half_cycle(parameters);
    walk->first = walk->end = first;
    walk->last = last;
    if (!describes(scaled, parameters, walk->shape.half_period))
        return false;
    walk->pass = half_cycle_pass_with(kind, &walk->shape, scaled->offset, scaled->scale);
    walk->pass.beyond = scaled->record->displacement + scaled->count;
    return true;
}

/* Finds the next half cycle that holds samples. */
static bool find_next(struct half_cycle_walk *walk)
{
    const double *parameters = walk->parameters;
    for (walk->first = walk->end; walk->first < walk->last && walk->first == walk->end;) {
        walk->half = walk->next;
        decay_next_half_cycle(parameters, &walk->shape, &walk->next);
        walk->zero_time = parameters[FIT_T0] + (double)(walk->half.j - 1) * walk->shape.half_period;
        const size_t end = scaled_first_at(walk->scaled, walk->zero_time + walk->shape.half_period);
        walk->end = end < walk->first ? walk->first : end < walk->last ? end : walk->last;
    }
    return walk->first < walk->end;
}

static void sum_here(struct half_cycle_walk *walk)
{
    const struct stretch stretch = {.scaled = walk->scaled,
                                    .pass = &walk->pass,
                                    .curve = half_cycle_curve_of(walk->parameters, &walk->half),
                                    .zero_time = walk->zero_time};
    memset(&walk->sums, 0, sizeof walk->sums);
    decay_derivative_weights(walk->parameters, &walk->shape, &walk->half, walk->weights);
    add_samples(&walk->sums, &stretch, walk->first, walk->end);
    half_cycle_sums_complete(&walk->sums);
}

bool half_cycle_walk_next(struct half_cycle_walk *walk)
{
    if (!find_next(walk))
        return false;
    sum_here(walk);
    return true;
}

void normal_equations_add(struct half_cycle_walk *walk, struct derivative_sums *derivatives,
                          struct normal_equations *normal)
{
    derivative_sums_add(walk->pass.kind, &walk->sums, walk->weights, derivatives);
    normal->sum_of_squares += walk->sums.squares;
    normal->samples += walk->sums.samples;
}

void normal_equations_end(const struct derivative_sums *derivatives, struct normal_equations *normal)
{
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        normal->gradient[p] = derivatives->gradient[p];
        for (int r = 0; r < FIT_PARAMETERS; r++)
            normal->matrix[p][r] = derivatives->matrix[p < r ? p : r][p < r ? r : p];
    }
}

/* The half cycle that was just found, with others of its kind. */
static bool take_here(struct half_cycle_walk *walk, struct half_cycle_group *group, struct group_sums *sums)
{
    const struct half_cycle_curve curve = half_cycle_curve_of(walk->parameters, &walk->half);
    const struct decay_weights weights = decay_weights_in(walk->parameters, &walk->shape, &walk->half);
    const double theta = walk->shape.omega_d * ((double)walk->first - walk->zero_time);
    return half_cycle_group_take(group, &walk->pass, &curve, theta, walk->scaled->record->displacement + walk->first,
                                 walk->end - walk->first, &weights, sums);
}

/* Uniform samples, none flagged: several half cycles at once, but for those of which there are too few samples. */
static void add_in_groups(struct half_cycle_walk *walk, struct derivative_sums *derivatives,
                          struct normal_equations *normal)
{
    struct half_cycle_group group;
    group.count = 0; /* and nothing else: what is not there is not read */
    struct group_sums sums = {.samples = 0};
    while (find_next(walk))
        if (!take_here(walk, &group, &sums)) {
            sum_here(walk);
            normal_equations_add(walk, derivatives, normal);
        }
    half_cycle_group_end(&group, &walk->pass, &sums, derivatives);
    normal->sum_of_squares += sums.squares;
    normal->samples += sums.samples;
}

/* Half cycle by half cycle: within one the signs and the constants do not change. */
void closed_form_normal_equations_with(enum lanes_kind kind, const struct scaled_record *scaled,
                                       const double *parameters, size_t first, size_t last,
                                       struct normal_equations *normal)
{
    struct half_cycle_walk walk;
    struct derivative_sums derivatives = {{{0}}, {0}};
    memset(normal, 0, sizeof *normal);
    if (!half_cycle_walk_begin(kind, scaled, parameters, first, last, &walk)) {
        normal->sum_of_squares = INFINITY;
        return;
    }
    if (scaled_is_plain(scaled))
        add_in_groups(&walk, &derivatives, normal);
    while (half_cycle_walk_next(&walk))
        normal_equations_add(&walk, &derivatives, normal);
    normal_equations_end(&derivatives, normal);
}

void closed_form_normal_equations(const struct scaled_record *scaled, const double *parameters, size_t first,
                                  size_t last, struct normal_equations *normal)
{
    closed_form_normal_equations_with(lanes_widest(), scaled, parameters, first, last, normal);
}
