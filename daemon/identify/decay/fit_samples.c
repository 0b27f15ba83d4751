/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which samples belong to the decay: from its first extremum to where the mass comes to rest. */

#include "identify/decay/fitting.h"

#include "identify/decay/half_cycle_walk.h"
#include "identify/decay/rest_search.h"

#include <math.h>
#include <string.h>

/* The same decay told from its next extremum. */
void start_later(double parameters[FIT_PARAMETERS])
{
    struct decay_shape shape = decay_shape(parameters);
    struct decay_half_cycle half = decay_first_half_cycle(parameters);
    parameters[FIT_X0] = decay_half_cycle_end(parameters, &shape, &half);
    parameters[FIT_T0] += shape.half_period;
}

/* The same decay told from the extremum before: SHK Eq. 4 solved for X_{j-1}. */
bool start_earlier(double parameters[FIT_PARAMETERS])
{
    struct decay_shape shape = decay_shape(parameters);
    if (!(shape.q > 0.0))
        return false;
    double level = (parameters[FIT_X0] < 0.0 ? 1.0 : -1.0) * parameters[FIT_X_K];
    parameters[FIT_X0] = -(parameters[FIT_X0] - level) / shape.q + level;
    parameters[FIT_T0] -= shape.half_period;
    return true;
}

/* How far before the record the first extremum may lie: a sample, or its uncertainty when that is more. */
static double start_slack(struct fitting *fitting, double half_period)
{
    double inverse[FIT_PARAMETERS][FIT_PARAMETERS];
    double slack = 1.0 + fitting->scaled->time_slack;
    if (fitting->normal.samples > FIT_PARAMETERS &&
        restricted_inverse(fitting->normal.matrix, &fitting->minimiser.free, inverse)) {
        double variance = fitting->normal.sum_of_squares / (double)(fitting->normal.samples - FIT_PARAMETERS);
        slack += 4.0 * sqrt(variance * inverse[FIT_T0][FIT_T0]);
    }
    return fmin(slack, 0.25 * half_period);
}

/* Whether the decay has a half cycle before t0 and describes it as well: a hand may still have held the mass there. */
static bool holds_before(const struct fitting *fitting)
{
    const struct scaled_record *scaled = fitting->scaled;
    struct normal_equations before;
    double earlier[FIT_PARAMETERS];
    memcpy(earlier, fitting->parameters, sizeof earlier);
    if (!start_earlier(earlier))
        return false;
    size_t first = scaled_first_at(scaled, earlier[FIT_T0]);
    size_t last = scaled_first_at(scaled, fitting->parameters[FIT_T0]);
    if (first >= last)
        return true;
    closed_form_normal_equations(scaled, earlier, first, last, &before);
    /* Twice the residual so far, or a fifth of the amplitude: a hand departs from a free swing by far more. */
    double swing = 0.2 * earlier[FIT_X0];
    double variance = fitting->normal.samples ? fitting->normal.sum_of_squares / (double)fitting->normal.samples : 0.0;
    return before.sum_of_squares <= (double)before.samples * (4.0 * variance + swing * swing);
}

bool place_start(struct fitting *fitting)
{
    double *parameters = fitting->parameters;
    const double half_period = decay_shape(parameters).half_period;
    if (fitting->start_fixed)
        return false;
    double earliest = -start_slack(fitting, half_period);
    /* A hint is good to a few samples: no extremum more than half a half cycle before it is meant. */
    if (isfinite(fitting->hint))
        earliest = fmax(earliest, fitting->hint - 0.5 * half_period);
    bool moved = false;
    /* Twice as far before it leaves: the uncertainty changes with the choice, and must not make it waver. */
    double too_early = earliest - start_slack(fitting, half_period);
    /* Before the first fit of these samples the uncertainty is not known. */
    if (fitting->normal.samples == 0)
        too_early = earliest - 0.25 * half_period;
    for (; parameters[FIT_T0] < too_early && fabs(parameters[FIT_X0]) > parameters[FIT_X_K]; moved = true)
        start_later(parameters);
    while (parameters[FIT_T0] - half_period >= earliest && holds_before(fitting) && start_earlier(parameters))
        moved = true;
    return moved;
}

/* The samples from t0 to the end. Both ends with the slack of the time axis: a sample at t0 itself must not come and
 * go by rounding. */
void choose_samples(struct fitting *fitting)
{
    const struct scaled_record *scaled = fitting->scaled;
    fitting->minimiser.first = scaled_first_at(scaled, fitting->parameters[FIT_T0] - scaled->time_slack);
    size_t last = scaled_first_at(scaled, fitting->end + scaled->time_slack);
    while (last < scaled->count && scaled_time(scaled, last) <= fitting->end + scaled->time_slack)
        last++;
    fitting->minimiser.last = last;
}

double record_end(const struct fitting *fitting)
{
    return scaled_time(fitting->scaled, fitting->scaled->count - 1);
}

/* Looks for the rest, in means where there are some: which half cycle is the last does not take every sample. One
 * sample more than asked for, so that a stop right at the end is seen. */
static double find_stop(const struct fitting *fitting, double until)
{
    const struct coarse_record *coarse = fitting->coarse;
    const struct scaled_record *scaled = coarse ? &coarse->scaled : fitting->scaled;
    double parameters[FIT_PARAMETERS], stop;
    memcpy(parameters, fitting->parameters, sizeof parameters);
    if (coarse)
        parameters_to_coarse(coarse, fitting->parameters, parameters);
    size_t first = scaled_first_at(scaled, parameters[FIT_T0] - scaled->time_slack);
    size_t last = scaled_first_at(scaled, coarse ? time_to_coarse(coarse, until) : until);
    double noise = coarse ? coarse->noise : fitting->start.noise;
    if (!rest_search(scaled, parameters, noise, first, last < scaled->count ? last + 1 : last, &stop))
        return INFINITY;
    return round((stop - parameters[FIT_T0]) / decay_shape(parameters).half_period);
}

/* Parameters so near to those of the last look that it would end at the same half cycle: a hundredth of the amplitude
 * and of a radian is far less than what tells motion from rest. */
static bool much_the_same(const struct fitting *fitting, double until)
{
    const double *now = fitting->parameters, *then = fitting->stop.parameters;
    double span = fmax(until - now[FIT_T0], 1.0), little = 0.01 * fabs(now[FIT_X0]);
    double turned = fabs(now[FIT_OMEGA_N] - then[FIT_OMEGA_N]) * span +
                    fabs(now[FIT_T0] - then[FIT_T0]) * now[FIT_OMEGA_N] +
                    fabs(now[FIT_ZETA] - then[FIT_ZETA]) * now[FIT_OMEGA_N] * span;
    return turned < 0.01 && fabs(now[FIT_X0] - then[FIT_X0]) < little &&
           fabs(now[FIT_X_K] - then[FIT_X_K]) < 0.1 * little && fabs(now[FIT_BIAS] - then[FIT_BIAS]) < little;
}

double motion_end(struct fitting *fitting, double until)
{
    struct motion_stop *stop = &fitting->stop;
    if (!stop->known || !(fabs(stop->until - until) < 0.5) || !much_the_same(fitting, until)) {
        *stop = (struct motion_stop){.known = true, .until = until, .half_cycles = find_stop(fitting, until)};
        memcpy(stop->parameters, fitting->parameters, sizeof stop->parameters);
    }
    double half_period = decay_shape(fitting->parameters).half_period;
    return fmin(fitting->parameters[FIT_T0] + stop->half_cycles * half_period, until);
}
