/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/joint_contradiction.h"

#include "identify/decay/decay_parameter.h"
#include "identify/ladder/ladder_estimate.h"
#include "identify/ladder/ladder_noise.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* A channel's figures, with their variances; NAN: it does not tell. */
struct figures {
    double value[LADDER_PARAMETERS], variance[LADDER_PARAMETERS];
};

/* Whether channels with gains and biases of their own must agree in it. */
static bool is_common(unsigned terms, enum ladder_parameter p)
{
    return p == LADDER_OMEGA_N || p == LADDER_T0 || (p < LADDER_TERMS && ladder_terms_have(terms, p));
}

/* The covariance of a channel by itself, as if nothing lay at its bound: a figure there has a spread, too. */
static bool covariance_of(const struct joint_channel_fit *channel,
                          double covariance[LADDER_PARAMETERS][LADDER_PARAMETERS])
{
    const struct ladder_rung *alone = &channel->alone;
    const struct ladder_freedom freedom = ladder_freedom_of(alone);
    struct ar_model noise;
    struct ladder_whitened whitened;
    unsigned unknowns = 0;
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        unknowns += freedom.free[p];
    ladder_noise_from(&channel->data, alone, &noise);
    ladder_whiten(&channel->data, alone, &noise, &whitened);
    const double innovation = whitened.squares / ((double)whitened.count - unknowns);
    return ladder_covariance(alone, &whitened, freedom.all, innovation, covariance) ||
           ladder_covariance(alone, &whitened, freedom.free, innovation, covariance);
}

/* A term in units of X_0; what a fit moves by its logarithm is compared by that. */
static void judge_figure(const struct joint_channel_fit *channel, enum ladder_parameter p,
                         double covariance[LADDER_PARAMETERS][LADDER_PARAMETERS], struct figures *figures)
{
    const double *parameters = channel->alone.parameters;
    const double x_0 = fabs(parameters[LADDER_X0]), side = copysign(1, parameters[LADDER_X0]);
    const double power = unit_kind_powers(ladder_parameters[p].unit).displacement;
    const double in_x_0 = p < LADDER_TERMS ? parameters[p] * pow(x_0, -power) : parameters[p];
    const bool logarithmic = ladder_parameters[p].logarithmic;
    double by = 1, by_x_0 = 0;
    if (p < LADDER_TERMS) {
        by = logarithmic ? 1 : pow(x_0, -power);
        by_x_0 = -side * power / x_0 * (logarithmic ? 1 : in_x_0);
    }
    figures->value[p] = logarithmic ? log(in_x_0) : in_x_0;
    figures->variance[p] = by * by * covariance[p][p] + 2 * by * by_x_0 * covariance[p][LADDER_X0] +
                           by_x_0 * by_x_0 * covariance[LADDER_X0][LADDER_X0];
    if (!(covariance[p][p] > 0) || !isfinite(figures->value[p]))
        figures->value[p] = NAN;
}

static void judge_channel(const struct joint_channel_fit *channel, struct figures *figures)
{
    double covariance[LADDER_PARAMETERS][LADDER_PARAMETERS];
    const bool known = covariance_of(channel, covariance);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        figures->value[p] = figures->variance[p] = NAN;
        if (known && is_common(channel->alone.terms, p))
            judge_figure(channel, p, covariance, figures);
    }
}

double joint_errors_most(size_t comparisons)
{
    return gsl_cdf_ugaussian_Qinv(JOINT_FALSE_ALARMS / (2 * fmax((double)comparisons, 1)));
}

static void compare(const struct figures *figures, size_t channel, size_t other, struct joint_contradiction *worst)
{
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const double difference = figures[other].value[p] - figures[channel].value[p];
        const double errors = fabs(difference) / sqrt(figures[channel].variance[p] + figures[other].variance[p]);
        worst->comparisons += isfinite(errors) ? 1 : 0;
        if (!isfinite(errors) || (isfinite(worst->errors) && errors <= worst->errors))
            continue;
        *worst = (struct joint_contradiction){
            .figure = p, .channel = channel, .other = other, .errors = errors, .comparisons = worst->comparisons};
    }
}

struct joint_contradiction joint_contradiction_of(const struct joint_fit *fit)
{
    struct figures figures[JOINT_CHANNELS_MOST];
    struct joint_contradiction worst = {.figure = LADDER_PARAMETERS, .errors = NAN};
    for (size_t c = 0; c < fit->count; c++)
        judge_channel(&fit->channels[c], &figures[c]);
    for (size_t c = 0; c < fit->count; c++)
        for (size_t other = c + 1; other < fit->count; other++)
            compare(figures, c, other, &worst);
    worst.limit = joint_errors_most(worst.comparisons);
    worst.found = worst.errors > worst.limit;
    return worst;
}
