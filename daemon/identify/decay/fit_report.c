/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the point where the minimiser stopped to what a user may read: uncertainties, residual figures, and the
 * checks that turn a number into a verdict. Apart from the fit, because none of this moves a parameter. */

#include "identify/decay/fit_report.h"

#include "identify/common/student.h"
#include "identify/decay/covariance.h"
#include "identify/decay/decay_model.h"
#include "identify/decay/doubts.h"
#include "identify/decay/quantisation.h"
#include "identify/decay/residual_noise.h"
#include "identify/decay/rung_of_model.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* What the standard errors take the residual for, and its name in JSON. */
enum noise_kind { NOISE_WHITE, NOISE_AUTOREGRESSIVE, NOISE_OF_STEPS, NOISE_KINDS };
static const char *const noise_names[NOISE_KINDS] = {"white", "ar", "quantisation"};

/* A fit under report; scaled units. */
struct report {
    const struct decay_minimiser *minimiser;
    const double *parameters;
    struct normal_equations *normal;
    struct residual_statistics residual;
    struct free_parameters full, inner; /* what the model may move, and of that what is not at a bound */
    bool bounded;                       /* they are not the same */
    enum noise_kind noise_kind;
    bool residual_only;
    double freedom;                                    /* samples minus unknowns */
    double student;                                    /* degrees of freedom of Student's quantiles */
    double quantile;                                   /* Student's for 95 % on both sides */
    double bias_student;                               /* those of the bias */
    double effective_samples;                          /* as independent samples */
    double beyond[FIT_PARAMETERS];                     /* from here to the optimum without bounds */
    double inverse[FIT_PARAMETERS][FIT_PARAMETERS];    /* of J'J, of all that is free */
    double covariance[FIT_PARAMETERS][FIT_PARAMETERS]; /* of all that is free, as if there were no bounds */
};

static const struct estimate no_estimate = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};

void fit_report_clear(enum damping_model model, struct full_record_fit *fit)
{
    *fit = (struct full_record_fit){.verdict = VERDICT_NOT_COMPUTED,
                                    .model = model,
                                    .shown = damping_model_terms(model),
                                    .f_n_hz = no_estimate,
                                    .beta = NAN,
                                    .omega_d = NAN,
                                    .noise_density = NAN,
                                    .freedom = NAN,
                                    .bias_freedom = NAN,
                                    .effective_samples = NAN,
                                    .rms = NAN,
                                    .sum_of_squares = NAN,
                                    .r_squared = NAN,
                                    .residual_lag1 = NAN};
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        fit->estimate[p] = no_estimate;
        fit->likelihood_ratio[p] = NAN;
        for (int r = 0; r < FIT_PARAMETERS; r++)
            fit->covariance[p][r] = fit->correlation[p][r] = NAN;
    }
}

static bool at_bound(const struct report *report, int p)
{
    return decay_parameters[p].not_negative && report->full.free[p] && report->parameters[p] <= 0.0;
}

/* J' Gamma J by the noise that the residual shows: an encoder's steps where those explain it, otherwise white or
 * autoregressive. */
static void find_noise(struct report *report, double n, double meat[FIT_PARAMETERS][FIT_PARAMETERS])
{
    const struct decay_minimiser *minimiser = report->minimiser;
    double step = minimiser->scaled->record->resolution * minimiser->scaled->scale;
    /* Rounding to a step gives residuals of step/sqrt(12) rms; within 10 % of that nothing else is in them. */
    double steps_rms = sqrt(report->residual.sum_of_squares / n) * sqrt(12.0);
    if (step > 0.0 && !report->residual_only && fabs(steps_rms - step) <= 0.1 * step) {
        report->noise_kind = NOISE_OF_STEPS;
        closed_form_quantisation(minimiser->scaled, report->parameters, minimiser->first, minimiser->last, step,
                                 minimiser->cancel, meat);
        return;
    }
    const double white = report->residual.sum_of_squares / report->freedom;
    struct residual_noise noise = {.model = {.innovation = white},
                                   .weight = 1.0,
                                   .white = white,
                                   .effective_samples = report->effective_samples,
                                   .freedom = report->student,
                                   .bias_freedom = report->bias_student};
    /* The unit of time is a sampling period, so omega_n is an angle. */
    if (!report->residual_only)
        residual_noise_from(&report->residual, &report->inner, report->parameters[FIT_OMEGA_N], &noise);
    report->noise_kind = noise.model.order ? NOISE_AUTOREGRESSIVE : NOISE_WHITE;
    report->effective_samples = noise.effective_samples;
    report->student = noise.freedom;
    report->bias_student = noise.bias_freedom;
    noise_in_parameters(minimiser->scaled, report->parameters, minimiser->first, minimiser->last, &noise.model,
                        report->normal, meat);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            meat[p][r] = noise.weight * meat[p][r] + (1.0 - noise.weight) * noise.white * report->normal->matrix[p][r];
}

/* Where the optimum would lie if zeta and x_k could be negative: one Newton step from the bound, since the gradient
 * there is all that the bound holds back. */
static void find_beyond(struct report *report)
{
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS && report->bounded; r++)
            report->beyond[p] += report->inverse[p][r] * report->normal->gradient[r];
}

/* The covariance of all free parameters. False when J'J is singular: some
 * parameters cannot be told apart. */
static bool find_covariances(struct report *report)
{
    const struct decay_minimiser *minimiser = report->minimiser;
    double meat[FIT_PARAMETERS][FIT_PARAMETERS], unknowns = 0.0;
    report->full = report->inner = minimiser->free;
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        report->inner.free[p] = report->full.free[p] && !at_bound(report, p);
        report->bounded = report->bounded || at_bound(report, p);
        unknowns += report->inner.free[p] ? 1.0 : 0.0;
    }
    double n = (double)report->normal->samples;
    report->freedom = report->student = report->bias_student = n > unknowns ? n - unknowns : 1.0;
    report->effective_samples = n;
    find_noise(report, n, meat);
    report->quantile = gsl_cdf_tdist_Pinv(0.975, report->student);
    /* Zeros where it is singular. */
    const bool regular = restricted_inverse(report->normal->matrix, &report->full, report->inverse);
    find_beyond(report);
    sandwich(report->inverse, meat, report->covariance);
    return regular;
}

/* True when the uncertainty says as clearly as a singular matrix that nothing is known: that of a damping term is more
 * than 1 where the amplitude is the unit. */
static bool hopeless(const struct report *report)
{
    const double amplitude = fabs(report->parameters[FIT_X0]);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        if (decay_parameters[p].term &&
            sqrt(report->covariance[p][p]) > unit_of_kind(decay_parameters[p].unit, amplitude, 1.0))
            return true;
    return false;
}

/* A parameter that was held has its value and no interval; one at its bound a one-sided limit; every other Student's
 * 95 % interval. Where another parameter is at its bound, the estimate is the reduced model's, but its distance from
 * the truth is not that model's: the truth may lie inside the bound. The interval is therefore the full model's, about
 * the optimum without bounds, which covers the truth wherever that lies, and is drawn out to hold the estimate. */
static struct estimate estimate_of(const struct report *report, int p, const double *values, const double *units)
{
    struct estimate estimate = {.value = values[p], .low = values[p], .high = values[p]};
    if (!report->full.free[p])
        return estimate;
    if (at_bound(report, p)) {
        estimate.at_bound = true;
        estimate.value = estimate.low = 0.0;
        estimate.se = NAN;
        /* One-sided: the estimate cannot lie below its bound. */
        estimate.high = gsl_cdf_tdist_Pinv(0.95, report->student) * sqrt(report->covariance[p][p]) * units[p];
        return estimate;
    }
    estimate.se = sqrt(report->covariance[p][p]) * units[p];
    const double student = p == FIT_BIAS ? report->bias_student : report->student;
    double reach = gsl_cdf_tdist_Pinv(0.975, student) * estimate.se, centre = report->beyond[p] * units[p];
    estimate.low = values[p] + fmin(centre - reach, 0.0);
    estimate.high = values[p] + fmax(centre + reach, 0.0);
    if (decay_parameters[p].not_negative)
        estimate.low = fmax(estimate.low, 0.0);
    return estimate;
}

static void write_covariance(const struct report *report, const double *units, struct full_record_fit *fit)
{
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++) {
            if (at_bound(report, p) || at_bound(report, r))
                continue;
            double covariance = report->covariance[p][r];
            double product = sqrt(report->covariance[p][p]) * sqrt(report->covariance[r][r]);
            fit->covariance[p][r] = covariance * units[p] * units[r];
            fit->correlation[p][r] = product > 0.0 ? covariance / product : NAN;
        }
}

/* By how much the covariance exceeds (J'J)^-1 in the mean: what the noise is worth at the decay's frequency, to which
 * all parameters but the bias listen. */
static double noise_density(const struct report *report)
{
    double sum = 0.0, count = 0.0;
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        if (p == FIT_BIAS || !report->full.free[p])
            continue;
        sum += report->covariance[p][p] / report->inverse[p][p];
        count++;
    }
    return sum / count;
}

static bool is_correlated(const struct report *report)
{
    return report->noise_kind == NOISE_AUTOREGRESSIVE;
}

/* Of an exact record the residual is rounding. */
static bool is_rounding(const struct report *report)
{
    return report->residual.sum_of_squares < report->freedom * pow(1e-12 * report->parameters[FIT_X0], 2);
}

static bool few_effective_samples(const struct report *report)
{
    return !is_rounding(report) && noise_few_samples(report->effective_samples, is_correlated(report));
}

static bool few_half_cycles(const struct report *report, size_t half_cycles)
{
    return !is_rounding(report) && report->noise_kind != NOISE_OF_STEPS &&
           noise_few_half_cycles(half_cycles, report->freedom, is_correlated(report));
}

/* The optimum without bounds in standard errors; NAN for what is not free. */
static double deviations(const struct report *report, int p)
{
    double value = report->parameters[p] + report->beyond[p];
    return report->full.free[p] && report->covariance[p][p] > 0.0 ? value / sqrt(report->covariance[p][p]) : NAN;
}

/* How much worse the model without damping term p fits, in a log-likelihood that is quadratic with the robust
 * covariance. The other terms' bounds are kept. */
static double likelihood_ratio(const struct report *report, int p)
{
    const double own = deviations(report, p);
    double square = own * own;
    if (!decay_parameters[p].term || isnan(own))
        return NAN;
    if (at_bound(report, p))
        return 0.0;
    for (int other = 0; other < FIT_PARAMETERS; other++)
        if (at_bound(report, other))
            square -= pow(deviations(report, other), 2);
    return student_likelihood_ratio(sqrt(fmax(square, 0.0)), report->student);
}

/* f_n is omega_n in other units: all four figures are divided by 2 pi. */
static void write_estimates(const struct report *report, struct full_record_fit *fit)
{
    double values[FIT_PARAMETERS], units[FIT_PARAMETERS];
    scaled_to_record(report->minimiser->scaled, report->parameters, values);
    scaled_parameter_units(report->minimiser->scaled, units);
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        fit->estimate[p] = estimate_of(report, p, values, units);
        fit->likelihood_ratio[p] = likelihood_ratio(report, p);
    }
    fit->f_n_hz = fit->estimate[FIT_OMEGA_N];
    double *parts[] = {&fit->f_n_hz.value, &fit->f_n_hz.se, &fit->f_n_hz.low, &fit->f_n_hz.high};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        *parts[k] /= 2.0 * M_PI;
    struct decay_shape shape = decay_shape(values);
    fit->beta = shape.beta;
    fit->omega_d = shape.omega_d;
    fit->covariance_kind = noise_names[report->noise_kind];
    fit->noise_density = noise_density(report) / (report->minimiser->scaled->scale * report->minimiser->scaled->scale);
    fit->freedom = report->student;
    fit->bias_freedom = report->bias_student;
    fit->effective_samples = report->effective_samples;
    fit->few_effective_samples = few_effective_samples(report);
    fit->few_half_cycles = few_half_cycles(report, fit->half_cycles);
    write_covariance(report, units, fit);
}

static void write_residual(const struct report *report, struct full_record_fit *fit)
{
    const struct residual_statistics *residual = &report->residual;
    const struct scaled_record *scaled = report->minimiser->scaled;
    double unit = 1.0 / scaled->scale, n = (double)residual->samples;
    fit->sum_of_squares = residual->sum_of_squares * unit * unit;
    fit->rms = sqrt(residual->sum_of_squares / n) * unit;
    fit->r_squared = residual->total_squares > 0.0 ? 1.0 - residual->sum_of_squares / residual->total_squares : NAN;
    fit->residual_lag1 =
        residual->autocovariance[0] > 0.0 ? residual->autocovariance[1] / residual->autocovariance[0] : 0.0;
    fit->samples = residual->samples;
    fit->range = (struct sample_range){report->minimiser->first, report->minimiser->last};
    /* The last sample stands for the period after it. */
    double span = scaled_time(scaled, report->minimiser->last - 1) + 1.0 - report->parameters[FIT_T0];
    double half_cycles = span / decay_shape(report->parameters).half_period;
    fit->half_cycles = half_cycles > 0.0 ? (size_t)half_cycles : 0;
}

/* Noise only: the model explains no more of the record than six arbitrary functions would. */
static bool explains_nothing(const struct report *report)
{
    const struct residual_statistics *residual = &report->residual;
    double explained = residual->total_squares - residual->sum_of_squares;
    /* Six arbitrary functions explain about six variances of noise; a search over frequencies finds more, but not
     * fifteen times as many, nor a twentieth of all. */
    return !(explained > 15.0 * FIT_PARAMETERS * residual->sum_of_squares / report->freedom &&
             explained > 0.05 * residual->total_squares);
}

/* With all damping at its bound, a viscous damping below zero that is clear of its uncertainty: the motion grows. */
static bool grows(const struct report *report)
{
    struct free_parameters viscous = report->full;
    double inverse[FIT_PARAMETERS][FIT_PARAMETERS], zeta = 0.0;
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        if (decay_parameters[p].term && report->parameters[p] > 0.0)
            return false;
        viscous.free[p] = p == FIT_ZETA || (report->full.free[p] && !decay_parameters[p].term);
    }
    if (!restricted_inverse(report->normal->matrix, &viscous, inverse))
        return false;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        zeta += inverse[FIT_ZETA][p] * report->normal->gradient[p];
    double variance = report->residual.sum_of_squares / report->freedom;
    double turned = report->parameters[FIT_OMEGA_N] *
                    (scaled_time(report->minimiser->scaled, report->minimiser->last - 1) - report->parameters[FIT_T0]);
    /* Growth by less than a thousandth over the record, or within five standard errors, is no growth. */
    return zeta * turned < -1e-3 && zeta < -5.0 * sqrt(variance * inverse[FIT_ZETA][FIT_ZETA]);
}

/* Where the model ought to rest and the samples go on, the formal chain of half cycles swings up again. */
static bool swings_up_again(const struct report *report)
{
    enum { HALF_CYCLES = 3 }; /* beyond the rest that a late end of the record may hold */
    const struct decay_minimiser *minimiser = report->minimiser;
    const double end = scaled_time(minimiser->scaled, minimiser->last - 1), x_k = report->parameters[FIT_X_K];
    const double clear = 2.0 * sqrt(report->residual.sum_of_squares / report->freedom) + x_k;
    struct decay_walk walk = decay_walk_from(report->parameters);
    size_t beyond = 0; /* the rest */
    for (; walk.zero_time < end; decay_walk_on(&walk)) {
        const double displacement = fabs(walk.half.start.x);
        beyond += beyond > 0 || displacement <= x_k;
        if (beyond > HALF_CYCLES && displacement > clear)
            return true;
    }
    return false;
}

/* The rms lag, rad, from which a lag is no longer measured by the slope: its sign is then chance. */
static const double PHASE_LOST = 0.3;

/* The residual is mostly a phase that wanders from half cycle to half cycle by a sizeable part of a cycle. Correlated
 * noise looks like that where its neighbours are alike over half a cycle: hence neighbouring half cycles must agree
 * about the lag, or it must be as large as no noise makes it. */
static bool wanders_in_phase(const struct report *report, double noise)
{
    const struct residual_statistics *residual = &report->residual;
    double deviation = sqrt(residual->sum_of_squares / report->freedom);
    bool coherent = residual->phase_coherence > 0.45 * residual->phase_squares;
    bool lost = residual->phase_squares > PHASE_LOST * PHASE_LOST * residual->per_radian_squares;
    if (!coherent && !lost)
        return false;
    return residual->half_cycles >= 4 && deviation > (coherent ? 2.0 : 4.5) * noise && residual->largest_lag > 0.1 &&
           residual->phase_squares > 0.4 * residual->sum_of_squares;
}

void fit_report(const struct decay_minimiser *minimiser, const double *parameters, struct normal_equations *normal,
                double noise, bool residual_only, struct full_record_fit *fit)
{
    struct report report = {
        .minimiser = minimiser, .parameters = parameters, .normal = normal, .residual_only = residual_only};
    closed_form_statistics(minimiser->scaled, parameters, minimiser->first, minimiser->last,
                           residual_only ? 1 : AR_MOST, &report.residual);
    bool regular = find_covariances(&report);
    write_residual(&report, fit);
    if (explains_nothing(&report)) {
        fit->verdict = VERDICT_NO_OSCILLATION;
    } else if (!regular || hopeless(&report)) {
        fit->verdict = VERDICT_UNDERDETERMINED;
    } else {
        write_estimates(&report, fit);
        if (grows(&report) || swings_up_again(&report))
            fit->verdict = VERDICT_NOT_DECAYING;
        else if (wanders_in_phase(&report, noise))
            fit->verdict = VERDICT_OUT_OF_PHASE;
    }
}
