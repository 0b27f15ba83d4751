/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_estimate.h"

#include <math.h>

/* Normal quantiles of a 95 % interval, two-sided and one-sided. */
static const double TWO_SIDED = 1.959964, ONE_SIDED = 1.644854;

struct estimate ladder_two_sided(double value, double se)
{
    return (struct estimate){.value = value, .se = se, .low = value - TWO_SIDED * se, .high = value + TWO_SIDED * se};
}

double ladder_upper_limit(double value, double se)
{
    return value + ONE_SIDED * se;
}

/* A parameter at 0, its bound: only how large it may be. */
static struct estimate bounded(double se)
{
    return (struct estimate){.value = 0, .se = NAN, .low = 0, .high = ladder_upper_limit(0, se), .at_bound = true};
}

/* What a fit moves by its logarithm is also uncertain by it: its interval does not reach 0. */
static struct estimate interval(double value, double se, bool logarithmic)
{
    if (!logarithmic)
        return ladder_two_sided(value, se);
    const double factor = exp(TWO_SIDED * se / value);
    return (struct estimate){.value = value, .se = se, .low = value / factor, .high = value * factor};
}

/* Standard error by the logarithm, where a fit moved that. */
static double spread_of(const struct ladder_data *data, const struct ladder_rung *rung, enum ladder_parameter p,
                        double variance)
{
    const double by_logarithm = ladder_parameters[p].logarithmic ? rung->parameters[p] : 1;
    return sqrt(variance) * by_logarithm * ladder_parameter_unit(data, p);
}

void ladder_spreads_from(const struct ladder_data *data, const struct ladder_rung *rung,
                         const double variance[LADDER_PARAMETERS], double spread[LADDER_PARAMETERS])
{
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        spread[p] = spread_of(data, rung, p, variance[p]);
}

struct ladder_freedom ladder_freedom_of(const struct ladder_rung *rung)
{
    struct ladder_freedom freedom = {.bound = false};
    ladder_free(rung->terms, rung->parameters, &rung->normal, freedom.free);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const bool may_be_absent = ladder_parameters[p].not_negative;
        freedom.free[p] = freedom.free[p] && !(may_be_absent && !(rung->parameters[p] > 0));
        freedom.all[p] =
            freedom.free[p] || (may_be_absent && ladder_terms_have(rung->terms, p) && rung->normal.matrix[p][p] > 0);
        freedom.bound = freedom.bound || freedom.free[p] != freedom.all[p];
    }
    return freedom;
}

void ladder_estimates_from(const struct ladder_data *data, const struct ladder_rung *rung,
                           const struct ladder_freedom *freedom, const double variance[LADDER_PARAMETERS],
                           const double *loose, struct estimate estimate[LADDER_PARAMETERS])
{
    double values[LADDER_PARAMETERS];
    ladder_to_record(data, rung->parameters, values);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        if (freedom->free[p])
            estimate[p] = interval(values[p], spread_of(data, rung, p, variance[p]), ladder_parameters[p].logarithmic);
        else if (ladder_terms_have(rung->terms, p))
            estimate[p] = bounded(loose && freedom->all[p] ? spread_of(data, rung, p, loose[p]) : (double)NAN);
    }
}

struct estimate ladder_frequency(const struct estimate *omega_n)
{
    const double turn = 2 * M_PI;
    return (struct estimate){.value = omega_n->value / turn,
                             .se = omega_n->se / turn,
                             .low = omega_n->low / turn,
                             .high = omega_n->high / turn};
}
