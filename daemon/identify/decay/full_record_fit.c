/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a record and what is known of it to a fit. The search is in fit_search.c, which samples belong to the decay in
 * fit_samples.c, the least squares in decay_minimiser.c, the report in fit_report.c. */

#include "identify/decay/full_record_fit.h"

#include "identify/decay/decay_scan.h"
#include "identify/decay/fit_report.h"
#include "identify/decay/fitting.h"
#include "identify/decay/other_optima.h"
#include "identify/decay/widening.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Passes over the samples or their means, over all searches; an ordinary fit takes ten. */
enum { PASSES = 1500 };

/* Last steps, in standard errors: of estimates, and where only the sum of squares is asked for, which is then known to
 * 1e-10 divided by the number of samples. */
static const double for_estimates = 1e-8, for_residual = 1e-5;

struct full_record_workspace {
    struct swings_workspace swings;
    struct coarse_record coarse;
};

struct full_record_workspace *full_record_workspace_create(void)
{
    return malloc(sizeof(struct full_record_workspace));
}

static const struct full_record_options default_options = {.model = DAMPING_VISCOUS_COULOMB};

/* Marks what is free, and puts what is known into the starting values. */
static void hold_known(struct fitting *fitting, const struct full_record_options *options)
{
    double known[FIT_PARAMETERS];
    double *parameters = fitting->parameters;
    scaled_from_record(fitting->scaled, options->fixed_values, known);
    if (options->fixed & (1u << FIT_T0)) {
        struct decay_shape shape = decay_shape(parameters);
        /* The starting values may begin half cycles away from the known t0: told from there first, so that X_0 fits
         * the time. */
        double away = round((parameters[FIT_T0] - known[FIT_T0]) / shape.half_period);
        for (double k = 0.0; k < fmin(away, 1e4) && start_earlier(parameters);)
            k++;
        for (double k = 0.0; k < fmin(-away, 1e4); k++)
            start_later(parameters);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        if (p != FIT_OMEGA_N && (options->fixed & (1u << p)))
            parameters[p] = known[p];
}

/* Whether all that is said to be known is possible. */
static bool known_is_possible(const struct full_record_options *options)
{
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        const struct decay_parameter *parameter = &decay_parameters[p];
        double value = options->fixed_values[p];
        if (!(options->fixed & (1u << p)))
            continue;
        if (!isfinite(value) || (p == FIT_X0 && value == 0.0) || (parameter->not_negative && value < 0.0) ||
            value >= parameter->below)
            return false;
    }
    return true;
}

/* The frequency is always free: a fit that knows it has nothing to follow the phase with. */
static struct free_parameters free_under(const struct full_record_options *options)
{
    struct free_parameters free;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        free.free[p] = p == FIT_OMEGA_N ||
                       (!(options->fixed & (1u << p)) && damping_model_has(options->model, (enum fit_parameter)p));
    return free;
}

/* Where the caller says that the decay begins, and which samples it wants. False when these are none. */
static bool take_hint(struct fitting *fitting, const struct full_record_options *options)
{
    const struct scaled_record *scaled = fitting->scaled;
    fitting->hint = (scaled->record->first_extremum_s - scaled->origin_s) / scaled->unit_s;
    /* A hint outside the record is not about this record. */
    if (!(fabs(fitting->hint) <= (double)scaled->count))
        fitting->hint = NAN;
    fitting->range = options->range;
    if (!options->range.last)
        return true;
    if (options->range.last > scaled->count || options->range.first >= options->range.last)
        return false;
    fitting->hint = scaled_time(scaled, options->range.first);
    return true;
}

/* The caller's starting values, told from the extremum with which this record begins, and in the terms that the model
 * has. False when there are none, or when their decay is over by then. */
static bool take_start(struct fitting *fitting, const struct full_record_options *options)
{
    const struct free_parameters *free = &fitting->minimiser.free;
    double *parameters = fitting->parameters;
    if (!options->start)
        return false;
    scaled_from_record(fitting->scaled, options->start, parameters);
    const struct decay_shape shape = decay_shape(parameters);
    struct decay_walk walk = decay_walk_from(parameters);
    if (!(fabs(parameters[FIT_T0]) < 1e9) || !(shape.half_period >= 1.0) || !(shape.half_period < 1e9))
        return false;
    decay_walk_to(&walk, (isfinite(fitting->hint) ? fitting->hint : 0.0) + 0.5 * shape.half_period);
    parameters[FIT_X0] = walk.half.start.x;
    parameters[FIT_T0] = walk.zero_time;
    if (!(fabs(parameters[FIT_X0]) > parameters[FIT_X_K]))
        return false;
    const double until =
        options->range.last ? scaled_time(fitting->scaled, options->range.last - 1) : record_end(fitting);
    bool lacks_a_term = false;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        lacks_a_term = lacks_a_term || (decay_parameters[p].term && parameters[p] > 0.0 && !free->free[p]);
    if (lacks_a_term)
        starting_values_reduced(free, (size_t)fmax((until - parameters[FIT_T0]) / shape.half_period, 1.0), parameters);
    fitting->start.noise = swings_noise(fitting->scaled);
    memcpy(fitting->start.parameters, parameters, sizeof fitting->start.parameters);
    fitting->end = record_end(fitting);
    return true;
}

/* Starting values from the record itself. */
static enum verdict find_start(struct fitting *fitting, struct full_record_workspace *workspace)
{
    enum verdict verdict =
        starting_values_from(fitting->scaled, &fitting->minimiser.free, &workspace->swings, &fitting->start);
    if (verdict != VERDICT_OK)
        return verdict;
    memcpy(fitting->parameters, fitting->start.parameters, sizeof fitting->parameters);
    fitting->end = fmin(fitting->start.end, record_end(fitting));
    return VERDICT_OK;
}

static enum verdict fit_scaled(struct fitting *fitting, const struct full_record_options *options,
                               struct full_record_workspace *workspace)
{
    if (!known_is_possible(options))
        return VERDICT_NOT_FINITE;
    if (!take_hint(fitting, options))
        return VERDICT_TOO_FEW_SAMPLES;
    fitting->minimiser = (struct decay_minimiser){
        .scaled = fitting->scaled,
        .free = free_under(options),
        .cancel = options->cancel,
        .passes_left = options->max_iterations > 0 ? options->max_iterations : PASSES,
    };
    fitting->tolerance = options->residual_only ? for_residual : for_estimates;
    fitting->start_fixed = options->fixed & (1u << FIT_X0 | 1u << FIT_T0);
    fitting->start_known = take_start(fitting, options);
    const enum verdict verdict = fitting->start_known ? VERDICT_OK : find_start(fitting, workspace);
    if (verdict != VERDICT_OK)
        return verdict;
    hold_known(fitting, options);
    struct coarse_record *coarse = &workspace->coarse;
    if (!fitting->start_known && coarse_record_from(&workspace->swings.means, fitting->parameters[FIT_OMEGA_N], coarse))
        fitting->coarse = coarse;
    return fit_search(fitting);
}

/* What was found, as the caller gets it. */
static void report(struct fitting *fitting, const struct full_record_options *options, struct full_record_fit *fit)
{
    fit_report(&fitting->minimiser, fitting->parameters, &fitting->normal, fitting->start.noise, options->residual_only,
               fit);
    fit->iterations = fitting->minimiser.passes;
}

/* A fit of everything to a record of which nothing was known beforehand. */
static bool searched(const struct fitting *fitting, const struct full_record_options *options)
{
    return fitting->start.swings > 1 && !fitting->start_known && !fitting->range.last && !options->residual_only &&
           !options->fixed && options->model == DAMPING_VISCOUS_COULOMB;
}

/* Not those verdicts that say something about the motion. */
static bool led_nowhere(enum verdict verdict)
{
    return verdict == VERDICT_UNDERDETERMINED || verdict == VERDICT_TOO_FEW_SAMPLES ||
           verdict == VERDICT_NO_OSCILLATION || verdict == VERDICT_NOT_CONVERGED;
}

/* Swings that led nowhere were noise perhaps. Another start, from all samples at once. */
static void start_again(struct fitting *fitting, const struct full_record_options *options, struct full_record_fit *fit)
{
    struct fitting again = *fitting;
    struct full_record_fit other;
    again.normal = (struct normal_equations){.samples = 0};
    again.stop = (struct motion_stop){.known = false};
    again.minimiser.passes_left = PASSES; /* the first search may have used up all of its own */
    if (!decay_scan(fitting->scaled, fitting->start.parameters[FIT_OMEGA_N], again.parameters) ||
        fit_settle(&again) != VERDICT_OK)
        return;
    fit_report_clear(options->model, &other);
    other.verdict = VERDICT_OK;
    report(&again, options, &other);
    if (other.verdict != VERDICT_OK)
        return;
    *fitting = again;
    *fit = other;
}

/* A frequency that is known worse than this, relative, may be another one altogether: noise is then so strong, or the
 * samples so few, that a decay with more friction and one with less may look alike. */
static const double HARDLY_KNOWN = 1e-3;

static void look_for_other_optima(struct fitting *fitting, const struct full_record_options *options,
                                  struct full_record_fit *fit)
{
    enum { ROUNDS = 4 }; /* a lower optimum has others beside it */
    double units[FIT_PARAMETERS];
    struct other_optima other_optima = {.lower = true};
    for (int round = 0; round < ROUNDS && other_optima.lower && fit->verdict == VERDICT_OK; round++) {
        const double scale = fitting->scaled->scale;
        const double variance = fmax(fit->noise_density, fit->sum_of_squares / (double)fit->samples) * scale * scale;
        if (other_optima_find(fitting, variance, &other_optima) != VERDICT_OK)
            return;
        if (!other_optima.lower)
            break;
        const struct fitting known = *fitting;
        const struct full_record_fit known_fit = *fit;
        memcpy(fitting->parameters, other_optima.best, sizeof fitting->parameters);
        /* Where the set of samples leads back to the other optimum, it stays as it is. */
        fit->verdict = round < ROUNDS / 2 ? fit_settle(fitting)
                                          : decay_minimise(&fitting->minimiser, fitting->tolerance, fitting->parameters,
                                                           &fitting->normal);
        if (fit->verdict == VERDICT_OK)
            report(fitting, options, fit);
        /* Lower, and no decay: what was known stays, as uncertain as the other optimum makes it. */
        if (fit->verdict != VERDICT_OK) {
            *fitting = known;
            *fit = known_fit;
            break;
        }
    }
    scaled_parameter_units(fitting->scaled, units);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            other_optima.spread[p][r] *= units[p] * units[r];
    if (fit->verdict == VERDICT_OK)
        fit_widen(other_optima.spread, fit);
}

enum verdict full_record_fit(const struct decay_record *record, const struct full_record_options *options,
                             struct full_record_fit *fit)
{
    struct scaled_record scaled;
    struct fitting fitting = {.scaled = &scaled};
    if (!options)
        options = &default_options;
    fit_report_clear(options->model, fit);
    fit->verdict = scaled_record_from(record, LEAST_SAMPLES, &scaled);
    struct full_record_workspace *workspace = options->workspace;
    if (fit->verdict == VERDICT_OK && !workspace && !(workspace = full_record_workspace_create()))
        fit->verdict = VERDICT_NO_MEMORY;
    if (fit->verdict == VERDICT_OK)
        fit->verdict = fit_scaled(&fitting, options, workspace);
    fit->iterations = fitting.minimiser.passes;
    if (fit->verdict == VERDICT_OK || (fit->verdict == VERDICT_NOT_CONVERGED && fitting.normal.samples))
        report(&fitting, options, fit);
    if (searched(&fitting, options)) {
        if (led_nowhere(fit->verdict) && options->max_iterations <= 0)
            start_again(&fitting, options, fit);
        if (fit->verdict == VERDICT_OK &&
            !(fit->estimate[FIT_OMEGA_N].se < HARDLY_KNOWN * fit->estimate[FIT_OMEGA_N].value))
            look_for_other_optima(&fitting, options, fit);
    }
    if (workspace != options->workspace)
        free(workspace);
    if (options->cancel && atomic_load(options->cancel)) {
        fit_report_clear(options->model, fit);
        fit->verdict = VERDICT_CANCELLED; /* the report may be unfinished */
    }
    return fit->verdict;
}
