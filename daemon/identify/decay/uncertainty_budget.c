/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From standard errors to uncertainties: what the noise of this one record cannot show is added here, source by
 * source. */

#include "identify/decay/uncertainty_budget.h"

#include "identify/common/small_least_squares.h"
#include "identify/decay/decay_model.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* A figure that was not configured adds nothing: it counts as exact. */
static double known_or_zero(double value)
{
    return isfinite(value) ? fabs(value) : 0;
}

/* Relative to a value that may be missing. */
static double relative(double u, double value)
{
    return isfinite(value) && fabs(value) > 0 ? known_or_zero(u) / fabs(value) : 0;
}

/* Relative uncertainties of what is known beforehand, and how far the estimates themselves may be off. */
struct sources {
    double gain, clock, mass, stiffness, gravity;
    double linearity[FIT_PARAMETERS], model[FIT_PARAMETERS]; /* in the parameters' units */
};

/* Student's t is the normal distribution by then, and GSL's series for it slow. */
static double quantile(double level, double freedom)
{
    return freedom < 1e6 ? gsl_cdf_tdist_Pinv(level, freedom) : gsl_cdf_ugaussian_Pinv(level);
}

/* What of a distance noise does not explain that reaches so far: all of a large one, and no step on the way. */
static double beyond_noise(double distance, double reach)
{
    return sqrt(fmax(distance * distance - reach * reach, 0));
}

static bool window_tells(const struct amplitude_window *window, enum fit_parameter of)
{
    const struct estimate *here = &window->estimate[of];
    return window->verdict == VERDICT_OK && isfinite(here->value) && isfinite(here->high - here->low);
}

/* So far noise takes one window of a thousand, which is as rare as a drift's flag without a drift. The windows are
 * many, and their errors can be a hundred times that of the whole record. In standard errors. */
static double reach_of_noise(void)
{
    return sqrt(DRIFT_FLAGGED);
}

/* That to one side of a window's value, towards `limit` of its 95 % interval: at a bound the sides are not alike. */
static double reach_towards(double limit, const struct estimate *here)
{
    return fabs(limit - here->value) * reach_of_noise() / quantile(0.975, INFINITY);
}

/* How far the windows' values lie from that of the whole record, or from each other, beyond what noise explains: a
 * window of noise says nothing. */
static double distance_of(const struct amplitude_windows *windows, double value, enum fit_parameter of)
{
    double farthest = 0, lowest = INFINITY, highest = -INFINITY;
    for (size_t n = 0; n < windows->count; n++) {
        const struct estimate *here = &windows->window[n].estimate[of];
        if (!window_tells(&windows->window[n], of))
            continue;
        const double above = reach_towards(here->high, here), below = reach_towards(here->low, here);
        farthest = fmax(farthest, beyond_noise(here->value - value, here->value > value ? below : above));
        lowest = fmin(lowest, here->value + above);
        highest = fmax(highest, here->value - below);
    }
    return highest > lowest ? fmax(farthest, (highest - lowest) / 2) : farthest;
}

/* How far a line through the windows' values is from `value` at amplitude zero, to which zeta, x_k and the frequency of
 * the model belong, beyond what the windows' errors explain. Drag adds to the damping in proportion to the amplitude, a
 * cubic stiffness to the frequency with its square (power). 0 where there is no line. */
static double distance_at_rest(const struct amplitude_windows *windows, double value, int power, enum fit_parameter of)
{
    struct small_least_squares line = {.unknowns = 2};
    double at[SMALL_MAX], inverse[SMALL_MAX][SMALL_MAX];
    for (size_t n = 0; n < windows->count; n++) {
        const struct amplitude_window *window = &windows->window[n];
        const struct estimate *here = &window->estimate[of];
        if (!window_tells(window, of) || !(here->se > 0))
            continue;
        const double amplitude = pow((window->largest + window->smallest) / 2 / windows->window[0].largest, power);
        const double row[SMALL_MAX] = {1 / here->se, amplitude / here->se};
        small_least_squares_add(&line, row, (here->value - value) / here->se);
    }
    if (!small_least_squares_solve(&line, at, inverse))
        return 0;
    return beyond_noise(at[0], reach_of_noise() * sqrt(inverse[0][0]));
}

/* The farther of the two. */
static double windows_distance(const struct budget_input *input, int power, enum fit_parameter of)
{
    const double value = input->estimate[of].value;
    return fmax(distance_of(input->windows, value, of), distance_at_rest(input->windows, value, power, of));
}

/* How far the windows of amplitude are from the estimates, as much as a drift is likely. */
static void add_windows(const struct budget_input *input, double frequency, double damping,
                        double model[FIT_PARAMETERS])
{
    const double by_frequency = input->by_extrema ? 1 : frequency, by_damping = input->by_extrema ? 1 : damping;
    model[FIT_OMEGA_N] = fmax(model[FIT_OMEGA_N], by_frequency * windows_distance(input, 2, FIT_OMEGA_N));
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        if (decay_parameters[p].term)
            model[p] = fmax(model[p], by_damping * windows_distance(input, 1, p));
}

/* By how much drifts would move the estimates, and how far the windows of amplitude are from them: each as much as it
 * is likely that there is a drift at all. So a record that shows none has nothing added, and none is added in steps. */
static void find_model(const struct budget_input *input, double model[FIT_PARAMETERS])
{
    const struct drifts *drifts = input->drifts;
    const bool known = drifts && drifts->verdict == VERDICT_OK;
    const double frequency = known ? drift_probability(&drifts->frequency) : NAN;
    const double damping = known ? drift_probability(&drifts->damping) : NAN;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        model[p] = known ? hypot(frequency * drifts->frequency.shift[p], damping * drifts->damping.shift[p]) : NAN;
    if (known && input->windows)
        add_windows(input, frequency, damping, model);
    for (int p = 0; input->by_model && p < FIT_PARAMETERS; p++)
        model[p] = fmax(model[p], input->by_model[p]);
}

static struct sources sources_of(const struct budget_input *input)
{
    const struct physical_settings *settings = input->settings;
    struct sources sources = {
        .gain = known_or_zero(settings->u_gain_percent) / 100,
        .clock = known_or_zero(settings->u_clock_ppm) / 1e6,
        .mass = relative(settings->u_mass_kg, settings->mass_kg),
        .stiffness = relative(settings->u_stiffness_n_per_m, settings->stiffness_n_per_m),
        .gravity = relative(settings->u_gravity_m_per_s2, settings->gravity_m_per_s2),
    };
    for (int p = 0; p < FIT_PARAMETERS; p++)
        sources.linearity[p] = input->by_linearity ? known_or_zero(input->by_linearity[p]) / sqrt(3.0) : 0;
    find_model(input, sources.model);
    return sources;
}

/* At a bound: from the one-sided limit. */
static double standard_error(const struct estimate *estimate, double freedom)
{
    return estimate->at_bound ? estimate->high / quantile(0.95, freedom) : estimate->se;
}

static struct budget_line line_of(double value, double u_stat, double u_cal, double u_model, double freedom)
{
    struct budget_line line = {value, u_stat, u_cal, u_model, NAN, NAN, NAN, NAN};
    if (!isfinite(value) || !isfinite(u_stat))
        return (struct budget_line){value, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    line.u = hypot(hypot(u_stat, u_cal), known_or_zero(u_model));
    const double part = pow(line.u > 0 ? u_stat / line.u : 1, 4);
    line.freedom = part > 0 ? freedom / part : INFINITY;
    line.coverage = quantile(0.975, line.freedom);
    line.expanded = line.coverage * line.u;
    return line;
}

/* Relative: the clock goes into what holds a time, the gain into what holds a displacement, one to one for each power.
 */
static double calibration_of(enum unit_kind unit, const struct sources *sources)
{
    const struct unit_powers powers = unit_kind_powers(unit);
    return hypot(powers.time * sources->clock, powers.displacement * sources->gain);
}

/* A line for a parameter of the fit. */
static struct budget_line parameter_line(const struct budget_input *input, const struct sources *sources,
                                         enum fit_parameter parameter)
{
    const struct estimate *estimate = &input->estimate[parameter];
    const double u_cal = hypot(calibration_of(decay_parameters[parameter].unit, sources) * fabs(estimate->value),
                               sources->linearity[parameter]);
    const double freedom = parameter == FIT_BIAS ? input->bias_freedom : input->freedom;
    return line_of(estimate->value, standard_error(estimate, freedom), u_cal, sources->model[parameter], freedom);
}

/* omega_d = omega_n sqrt(1 - zeta²); the noise moves both, and not independently (GUM 5.2.2). */
static struct budget_line omega_d_line(const struct budget_input *input, const struct budget_line *omega_n,
                                       const struct budget_line *zeta)
{
    const double values[FIT_PARAMETERS] = {[FIT_OMEGA_N] = omega_n->value, [FIT_ZETA] = zeta->value};
    const struct decay_shape shape = decay_shape(values);
    const double per_omega_n = shape.omega_d_per_omega_n, per_zeta = shape.omega_d_per_zeta;
    const double together = isfinite(input->omega_n_zeta) ? per_omega_n * per_zeta * input->omega_n_zeta : 0;
    const double variance = pow(per_omega_n * omega_n->u_stat, 2) + pow(per_zeta * zeta->u_stat, 2) + 2 * together;
    return line_of(shape.omega_d, sqrt(fmax(variance, 0)), hypot(per_omega_n * omega_n->u_cal, per_zeta * zeta->u_cal),
                   hypot(per_omega_n * omega_n->u_model, per_zeta * zeta->u_model), input->freedom);
}

/* beta = zeta/sqrt(1 - zeta²). */
static struct budget_line beta_line(const struct budget_input *input, const struct budget_line *zeta)
{
    const double values[FIT_PARAMETERS] = {[FIT_OMEGA_N] = 1, [FIT_ZETA] = zeta->value};
    const struct decay_shape shape = decay_shape(values);
    const double per_zeta = shape.beta_per_zeta;
    return line_of(shape.beta, per_zeta * zeta->u_stat, per_zeta * zeta->u_cal, per_zeta * zeta->u_model,
                   input->freedom);
}

/* A line for a quantity that is a parameter times what is known beforehand. */
static struct budget_line physical_line(const struct estimate *quantity, const struct budget_line *of,
                                        double by_settings, double freedom)
{
    if (!isfinite(quantity->value))
        return line_of(NAN, NAN, NAN, NAN, freedom);
    /* At a bound the limits are proportional instead of the values; exact data leave no limit either. */
    double factor = 0;
    if (fabs(of->value) > 0)
        factor = quantity->value / of->value;
    else if (of->u_stat > 0)
        factor = quantity->high / (quantile(0.95, freedom) * of->u_stat);
    return line_of(quantity->value, of->u_stat * fabs(factor),
                   hypot(of->u_cal * fabs(factor), by_settings * fabs(quantity->value)), of->u_model * fabs(factor),
                   freedom);
}

/* Springs are sold with stiffnesses that hold within this part, and the mass that swings is never the weighed one
 * alone: whoever knows them better says so in the configuration. */
static const double UNSTATED = 0.1;

static struct stiffness_check check_stiffness(const struct budget_input *input, const struct sources *sources,
                                              const struct budget_line *omega_n)
{
    const struct physical_settings *settings = input->settings;
    const double natural = omega_n->value * omega_n->value * settings->mass_kg;
    const double ratio = natural > 0 ? settings->stiffness_n_per_m / natural : (double)NAN;
    /* A mass in kg says nothing of a motion that is not one of lengths. */
    if (!isfinite(ratio) || !(settings->metres_per_unit > 0))
        return (struct stiffness_check){NAN, NAN, false};
    const bool stated = isfinite(settings->u_mass_kg) && isfinite(settings->u_stiffness_n_per_m);
    const double allowed = stated ? 0 : UNSTATED;
    const double u = ratio * hypot(hypot(sources->mass, sources->stiffness), 2 * relative(omega_n->u, omega_n->value));
    return (struct stiffness_check){ratio, u, fabs(ratio - 1) > 2 * u + allowed};
}

void uncertainty_budget_of(const struct budget_input *input, struct uncertainty_budget *budget)
{
    const struct sources sources = sources_of(input);
    struct budget_line *line = budget->line;
    line[BUDGET_OMEGA_N] = parameter_line(input, &sources, FIT_OMEGA_N);
    line[BUDGET_F_N_HZ] =
        line_of(line[BUDGET_OMEGA_N].value / (2 * M_PI), line[BUDGET_OMEGA_N].u_stat / (2 * M_PI),
                line[BUDGET_OMEGA_N].u_cal / (2 * M_PI), line[BUDGET_OMEGA_N].u_model / (2 * M_PI), input->freedom);
    line[BUDGET_ZETA] = parameter_line(input, &sources, FIT_ZETA);
    line[BUDGET_X_K] = parameter_line(input, &sources, FIT_X_K);
    line[BUDGET_X0] = parameter_line(input, &sources, FIT_X0);
    line[BUDGET_BIAS] = parameter_line(input, &sources, FIT_BIAS);
    line[BUDGET_OMEGA_D] = omega_d_line(input, &line[BUDGET_OMEGA_N], &line[BUDGET_ZETA]);
    line[BUDGET_BETA] = beta_line(input, &line[BUDGET_ZETA]);
    /* c = 2 zeta sqrt(k m), f_k = k x_k, mu = f_k/(m g). */
    line[BUDGET_C] = physical_line(&input->physical->c_n_s_per_m, &line[BUDGET_ZETA],
                                   hypot(sources.mass, sources.stiffness) / 2, input->freedom);
    line[BUDGET_F_K] = physical_line(&input->physical->f_k_n, &line[BUDGET_X_K], sources.stiffness, input->freedom);
    line[BUDGET_MU] = physical_line(&input->physical->mu, &line[BUDGET_X_K],
                                    hypot(hypot(sources.stiffness, sources.mass), sources.gravity), input->freedom);
    budget->stiffness = check_stiffness(input, &sources, &line[BUDGET_OMEGA_N]);
}

/* never_negative: then no interval reaches below 0. */
static void combine(const struct budget_line *line, double freedom, bool never_negative, struct estimate *estimate)
{
    if (!isfinite(line->u))
        return;
    const double farther = fmax(line->expanded - quantile(0.975, freedom) * line->u_stat, 0);
    struct combined_uncertainty combined = {true, line->u, estimate->low - farther, estimate->high + farther};
    if (estimate->at_bound) {
        combined.low = estimate->low;
        combined.high = quantile(0.95, line->freedom) * line->u;
    }
    if (never_negative)
        combined.low = fmax(combined.low, 0);
    estimate->combined = combined;
}

static const enum budget_quantity line_of_parameter[FIT_PARAMETERS] = {
    [FIT_OMEGA_N] = BUDGET_OMEGA_N, [FIT_ZETA] = BUDGET_ZETA, [FIT_X_K] = BUDGET_X_K,
    [FIT_X0] = BUDGET_X0,           [FIT_BIAS] = BUDGET_BIAS, [FIT_T0] = BUDGET_QUANTITIES,
};

void uncertainty_budget_combine(const struct budget_input *input, const struct uncertainty_budget *budget,
                                struct estimate estimate[FIT_PARAMETERS], struct estimate *f_n_hz,
                                struct physical *physical)
{
    const struct budget_line *line = budget->line;
    const double freedom = input->freedom;
    double model[FIT_PARAMETERS];
    find_model(input, model);
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++) {
        const struct budget_line without = line_of(estimate[p].value, estimate[p].se, 0, model[p], freedom);
        combine(line_of_parameter[p] < BUDGET_QUANTITIES ? &line[line_of_parameter[p]] : &without,
                p == FIT_BIAS ? input->bias_freedom : freedom, decay_parameters[p].not_negative, &estimate[p]);
    }
    combine(&line[BUDGET_F_N_HZ], freedom, false, f_n_hz);
    combine(&line[BUDGET_C], freedom, true, &physical->c_n_s_per_m);
    combine(&line[BUDGET_F_K], freedom, true, &physical->f_k_n);
    combine(&line[BUDGET_MU], freedom, true, &physical->mu);
}

void uncertainty_budget_combine_term(const struct budget_input *input, enum unit_kind unit, double linearity,
                                     double model, bool never_negative, struct estimate *estimate)
{
    const struct sources sources = sources_of(input);
    const double u_cal =
        hypot(calibration_of(unit, &sources) * fabs(estimate->value), known_or_zero(linearity) / sqrt(3.0));
    const struct budget_line line =
        line_of(estimate->value, standard_error(estimate, input->freedom), u_cal, model, input->freedom);
    combine(&line, input->freedom, never_negative, estimate);
}
