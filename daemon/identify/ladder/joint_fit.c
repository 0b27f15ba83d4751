/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/joint_fit.h"

#include "identify/ladder/ladder_noise.h"
#include "identify/ladder/ladder_start.h"

#include <math.h>
#include <string.h>

/* Where a fit stops: the last step's part in the sum of squares. */
static const double THERE = 1e-8;
enum { PASSES = 80 };

/* Variances are learnt from the fit that they weigh, until they change by less than a part of their own error. */
static const double SAME_VARIANCE = 1e-3;
enum { ROUNDS = 6 };

/* A gain and a bias are the best ones when they could take less than this part of the sum of squares. */
static const double SETTLED = 1e-9;

/* Where presliding begins for a channel whose own ladder does not say. */
static const double X_D_START = 0.03;

size_t joint_place(const struct joint_fit *fit, const struct joint_channel_fit *channel, size_t unknown)
{
    const size_t others = (size_t)(channel - fit->channels);
    return unknown < LADDER_PARAMETERS ? unknown : LADDER_PARAMETERS + 2 * (others - 1) + (unknown - JOINT_GAIN);
}

size_t joint_unknowns(const struct joint_fit *fit)
{
    return LADDER_PARAMETERS + 2 * (fit->count - 1);
}

double joint_weight(const struct joint_fit *fit, const struct joint_channel_fit *channel)
{
    return fit->channels[0].variance / channel->variance;
}

/* --- the pass --- */

/* The best step of a channel's own two unknowns at fixed motion. Returns what it takes from the sum of squares. */
static double own_step(const struct joint_sums *sums, double *gain, double *bias)
{
    const double a = sums->matrix[JOINT_GAIN][JOINT_GAIN], b = sums->matrix[JOINT_GAIN][JOINT_BIAS];
    const double c = sums->matrix[JOINT_BIAS][JOINT_BIAS], determinant = a * c - b * b;
    const double by_gain = sums->gradient[JOINT_GAIN], by_bias = sums->gradient[JOINT_BIAS];
    *gain = (c * by_gain - b * by_bias) / determinant;
    *bias = (a * by_bias - b * by_gain) / determinant;
    return *gain * by_gain + *bias * by_bias;
}

/* The channel's sums at its best gain and bias. False: no decay has these parameters. */
static bool see(struct joint_channel_fit *channel, unsigned terms, const double parameters[LADDER_PARAMETERS],
                struct joint_sums *sums)
{
    enum { STEPS = 4 }; /* the second is of rounding alone */
    struct ladder_rung *seen = &channel->seen;
    seen->terms = terms;
    for (int step = 0; step < STEPS; step++) {
        joint_parameters_to(channel, parameters, seen->parameters);
        ladder_sample_pass(&channel->data, terms, seen->parameters, &seen->normal);
        if (!isfinite(seen->normal.squares))
            return false;
        joint_sums_from(channel, seen->normal.matrix, seen->normal.gradient, sums);
        if (channel->is_reference)
            return true;
        double gain, bias;
        if (!(own_step(sums, &gain, &bias) > SETTLED * seen->normal.squares) || !(channel->gain + gain > 0))
            return true;
        channel->gain += gain;
        channel->bias += bias;
    }
    return true;
}

/* Takes a channel's own unknowns out of its sums: rows of the others lose what these explain. */
static void eliminate(struct joint_sums *sums)
{
    for (size_t own = JOINT_GAIN; own <= JOINT_BIAS; own++) {
        const double pivot = sums->matrix[own][own];
        for (size_t p = 0; p < JOINT_LOCAL && pivot > 0; p++) {
            const double part = sums->matrix[p][own] / pivot;
            if (p == own || part == 0)
                continue;
            for (size_t q = 0; q < JOINT_LOCAL; q++)
                sums->matrix[p][q] -= part * sums->matrix[own][q];
            sums->gradient[p] -= part * sums->gradient[own];
        }
    }
}

/* A ladder_pass: data is a joint fit. */
static void joint_pass(const struct ladder_data *data, unsigned terms, const double parameters[LADDER_PARAMETERS],
                       struct ladder_normal *normal)
{
    const struct joint_fit *fit = (const struct joint_fit *)data;
    *normal = (struct ladder_normal){.squares = 0};
    for (size_t c = 0; c < fit->count; c++) {
        struct joint_channel_fit *channel = &fit->channels[c];
        struct joint_sums sums;
        if (!see(channel, terms, parameters, &sums)) {
            normal->squares = INFINITY;
            return;
        }
        const double weight = joint_weight(fit, channel);
        if (!channel->is_reference)
            eliminate(&sums);
        for (size_t p = 0; p < LADDER_PARAMETERS; p++) {
            for (size_t q = 0; q <= p; q++)
                normal->matrix[p][q] += weight * sums.matrix[p][q];
            normal->gradient[p] += weight * sums.gradient[p];
        }
        normal->squares += weight * channel->seen.normal.squares;
    }
}

/* --- where to begin --- */

static const struct ladder_model *model_of(const struct ladder *ladder, unsigned terms)
{
    for (size_t n = 0; n < LADDER_RUNGS; n++)
        if (ladder->models[n].terms == terms && ladder->models[n].verdict == VERDICT_OK)
            return &ladder->models[n];
    return NULL;
}

/* What the channel's own ladder found, from the extremum where the data begin. */
static void start_alone(const struct joint_channel_fit *channel, const struct joint_input *input, unsigned terms,
                        double parameters[LADDER_PARAMETERS])
{
    const struct ladder_model *model = model_of(input->ladder, terms);
    double values[LADDER_PARAMETERS];
    ladder_start(&channel->data, terms, X_D_START, parameters);
    if (!model)
        return;
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        values[p] = ladder_terms_have(terms, p) ? model->estimate[p].value : 0;
    ladder_from_record(&channel->data, values, parameters);
    parameters[LADDER_BIAS] *= channel->sign;
    parameters[LADDER_SQUARE] *= channel->sign;
    parameters[LADDER_X0] = channel->data.extremum_value[0] - parameters[LADDER_BIAS];
    parameters[LADDER_T0] = channel->data.extremum_time[0];
}

static enum verdict fit_alone(struct joint_channel_fit *channel, const struct joint_input *input, unsigned terms,
                              const atomic_bool *cancel)
{
    struct ladder_rung *alone = &channel->alone;
    alone->terms = terms;
    start_alone(channel, input, terms, alone->parameters);
    alone->verdict = ladder_minimise(ladder_sample_pass, &channel->data, terms, THERE, PASSES, cancel,
                                     alone->parameters, &alone->normal);
    if (alone->verdict == VERDICT_CANCELLED)
        return VERDICT_CANCELLED;
    /* One that is not there yet is still where to begin. */
    return isfinite(alone->normal.squares) ? VERDICT_OK : VERDICT_NOT_CONVERGED;
}

static double variance_of(const struct ladder_normal *normal, const struct joint_channel_fit *channel)
{
    return fmax(normal->squares / (double)channel->data.count, LADDER_ROUNDING * LADDER_ROUNDING);
}

/* From the channel that knows the motion best. */
static void begin(struct joint_fit *fit)
{
    const struct joint_channel_fit *best = &fit->channels[0];
    const double x_0 = fit->channels[0].alone.parameters[LADDER_X0];
    for (size_t c = 0; c < fit->count; c++) {
        struct joint_channel_fit *channel = &fit->channels[c];
        channel->gain = channel->alone.parameters[LADDER_X0] / x_0;
        channel->bias = channel->alone.parameters[LADDER_BIAS];
        channel->variance = variance_of(&channel->alone.normal, channel);
        if (channel->variance < best->variance)
            best = channel;
    }
    joint_parameters_from(best, best->alone.parameters, fit->rung.parameters);
    fit->rung.parameters[LADDER_BIAS] = fit->channels[0].alone.parameters[LADDER_BIAS];
}

/* By how much the variances changed, as a part of themselves. */
static double learn_variances(struct joint_fit *fit)
{
    double most = 0;
    for (size_t c = 0; c < fit->count; c++) {
        struct joint_channel_fit *channel = &fit->channels[c];
        const double before = channel->variance;
        channel->variance = variance_of(&channel->seen.normal, channel);
        most = fmax(most, fabs(channel->variance / before - 1));
    }
    return most;
}

enum verdict joint_fit(struct joint_fit *fit, const struct joint_input *inputs, unsigned terms,
                       const atomic_bool *cancel)
{
    struct ladder_rung *rung = &fit->rung;
    double change = INFINITY;
    rung->terms = terms;
    rung->verdict = VERDICT_OK;
    fit->all = (struct ladder_data){.count = 0};
    for (size_t c = 0; c < fit->count && rung->verdict == VERDICT_OK; c++) {
        rung->verdict = fit_alone(&fit->channels[c], &inputs[c], terms, cancel);
        fit->all.count += fit->channels[c].data.count;
    }
    if (rung->verdict != VERDICT_OK)
        return rung->verdict;
    begin(fit);
    for (int round = 0; round < ROUNDS && change > SAME_VARIANCE && rung->verdict == VERDICT_OK; round++) {
        rung->verdict =
            ladder_minimise(joint_pass, &fit->all, terms, THERE, PASSES, cancel, rung->parameters, &rung->normal);
        joint_pass(&fit->all, terms, rung->parameters, &rung->normal); /* the last one tried may not be the best */
        change = learn_variances(fit);
    }
    return rung->verdict;
}
