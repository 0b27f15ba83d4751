/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/joint.h"

#include "identify/ladder/joint_spread.h"
#include "identify/ladder/ladder_estimate.h"

#include <math.h>
#include <string.h>

static const struct estimate undetermined = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};

void joint_not_made(struct joint *joint, size_t count, enum verdict verdict)
{
    *joint =
        (struct joint){.verdict = verdict,
                       .f_n_hz = undetermined,
                       .count = count,
                       .contradiction = {.figure = LADDER_PARAMETERS, .errors = NAN, .limit = joint_errors_most(1)}};
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        joint->estimate[p] = undetermined;
    for (size_t c = 0; c < JOINT_CHANNELS_MOST; c++)
        joint->channels[c] = (struct joint_channel){.gain = undetermined, .bias = undetermined, .noise = NAN};
}

/* --- which rung --- */

/* The rungs that the channels chose, each once, those with more terms first. */
static size_t list_chosen(const struct joint_input *inputs, size_t count, unsigned terms[JOINT_CHANNELS_MOST])
{
    size_t listed = 0;
    for (size_t c = 0; c < count; c++) {
        const struct ladder *ladder = inputs[c].ladder;
        const unsigned chosen = ladder->models[ladder->chosen].terms;
        size_t at = 0;
        while (at < listed && terms[at] != chosen && ladder_terms_count(terms[at]) >= ladder_terms_count(chosen))
            at++;
        if (at < listed && terms[at] == chosen)
            continue;
        memmove(&terms[at + 1], &terms[at], (listed - at) * sizeof *terms);
        terms[at] = chosen;
        listed++;
    }
    return listed;
}

/* The rung with the least criterion, fitted. Noise is learnt from the first that could be, which has the most terms. */
static enum verdict fit_best(struct joint_fit *fit, const struct joint_input *inputs, const atomic_bool *cancel)
{
    unsigned terms[JOINT_CHANNELS_MOST + 1];
    const size_t listed = list_chosen(inputs, fit->count, terms);
    struct ar_model noise[JOINT_CHANNELS_MOST];
    size_t best = listed;
    double least = INFINITY;
    enum verdict verdict = VERDICT_NOT_CONVERGED;
    for (size_t n = 0; n < listed; n++) {
        verdict = joint_fit(fit, inputs, terms[n], cancel);
        if (verdict == VERDICT_CANCELLED || listed == 1)
            return verdict;
        if (verdict != VERDICT_OK)
            continue;
        if (best == listed)
            joint_noise_from(fit, noise);
        const double criterion = joint_likelihood(fit, noise) + LADDER_TERM_COST * ladder_terms_count(terms[n]);
        best = criterion < least ? n : best;
        least = fmin(least, criterion);
    }
    return best == listed ? verdict : best + 1 == listed ? VERDICT_OK : joint_fit(fit, inputs, terms[best], cancel);
}

/* --- what it says --- */

/* What belongs to a channel, in its own unit. */
static void state_channel(const struct joint_fit *fit, const struct joint_channel_fit *channel,
                          const double *covariance, struct joint_channel *stated)
{
    const struct ladder_data *data = &channel->data;
    const size_t unknowns = joint_unknowns(fit);
    *stated = (struct joint_channel){.noise = sqrt(channel->variance) * data->unit, .samples = data->count};
    const size_t bias = joint_place(fit, channel, channel->is_reference ? (size_t)LADDER_BIAS : JOINT_BIAS);
    const double own_bias = channel->is_reference ? fit->rung.parameters[LADDER_BIAS] : channel->bias;
    stated->bias = ladder_two_sided(data->origin + channel->sign * own_bias * data->unit,
                                    sqrt(covariance[bias * unknowns + bias]) * data->unit);
    if (channel->is_reference) {
        stated->gain = (struct estimate){.value = 1, .se = NAN, .low = NAN, .high = NAN};
        return;
    }
    const size_t gain = joint_place(fit, channel, JOINT_GAIN);
    const double scale = data->unit / fit->channels[0].data.unit;
    stated->gain =
        ladder_two_sided(channel->sign * channel->gain * scale, sqrt(covariance[gain * unknowns + gain]) * scale);
}

static void variances_of(const double *covariance, size_t unknowns, double variance[LADDER_PARAMETERS])
{
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        variance[p] = covariance[p * unknowns + p];
}

static enum verdict state(const struct joint_fit *fit, struct joint *joint)
{
    const struct ladder_data *data = &fit->channels[0].data;
    const struct ladder_freedom freedom = ladder_freedom_of(&fit->rung);
    const size_t unknowns = joint_unknowns(fit);
    double covariance[JOINT_UNKNOWNS * JOINT_UNKNOWNS], held[LADDER_PARAMETERS], loose[LADDER_PARAMETERS];
    struct ar_model noise[JOINT_CHANNELS_MOST];
    joint->terms = fit->rung.terms;
    joint->half_cycles = data->extrema - 1;
    joint_noise_from(fit, noise);
    const bool limited = freedom.bound && joint_covariance(fit, noise, freedom.all, covariance);
    if (limited)
        variances_of(covariance, unknowns, loose);
    if (!joint_covariance(fit, noise, freedom.free, covariance))
        return VERDICT_UNDERDETERMINED;
    variances_of(covariance, unknowns, held);
    ladder_estimates_from(data, &fit->rung, &freedom, held, limited ? loose : NULL, joint->estimate);
    joint->f_n_hz = ladder_frequency(&joint->estimate[LADDER_OMEGA_N]);
    for (size_t c = 0; c < fit->count; c++)
        state_channel(fit, &fit->channels[c], covariance, &joint->channels[c]);
    return VERDICT_OK;
}

/* Also where the channels contradict each other so much that they have no fit in common. */
static bool stands_alone(const struct joint_fit *fit)
{
    bool all = true;
    for (size_t c = 0; c < fit->count; c++)
        all = all && fit->channels[c].alone.verdict == VERDICT_OK && fit->channels[c].alone.terms == fit->rung.terms;
    return all;
}

enum verdict joint_identify(const struct joint_input *inputs, size_t count, const atomic_bool *cancel,
                            struct joint *joint)
{
    struct joint_channel_fit channels[JOINT_CHANNELS_MOST];
    struct joint_fit fit = {.count = count < JOINT_CHANNELS_MOST ? count : JOINT_CHANNELS_MOST, .channels = channels};
    joint_not_made(joint, fit.count, VERDICT_OK);
    joint->verdict = joint_channels_from(inputs, fit.count, channels);
    if (joint->verdict == VERDICT_OK)
        joint->verdict = fit_best(&fit, inputs, cancel);
    if (fit.rung.terms > 0 && joint->verdict != VERDICT_CANCELLED && stands_alone(&fit))
        joint->contradiction = joint_contradiction_of(&fit);
    if (joint->verdict == VERDICT_OK)
        joint->verdict = state(&fit, joint);
    joint_channels_clear(channels, fit.count);
    return joint->verdict;
}
