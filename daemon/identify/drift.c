/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two columns are added to the Jacobian of the fit, one for a frequency and one for a damping that follow the
 * amplitude, and each is asked for what is new in it (a score test). Nothing is fitted again. */

#include "identify/drift.h"

#include "identify/bounded_step.h"
#include "identify/normal_equations.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { FREQUENCY, DAMPING, COLUMNS };

/* Sums of a column with the Jacobian, the residual and itself. */
struct column_sums {
    double with_jacobian[FIT_PARAMETERS];
    double with_residual, with_itself;
};

/* What a unit drift has done up to the present half cycle. Amplitudes in X_0. */
struct drifted {
    double phase;       /* rad, at its start */
    double amplitude;   /* of |X_{j-1}|, X_0 */
    double mean_square; /* of the amplitude in this half cycle */
};

static struct drifted drifted_first(const struct decay_walk *walk)
{
    const double x0 = fabs(walk->parameters[FIT_X0]);
    const double end = fabs(decay_half_cycle_end(walk->parameters, &walk->shape, &walk->half));
    const double mean = (fabs(walk->half.start) + end) / (2.0 * x0);
    return (struct drifted){0.0, 0.0, mean * mean};
}

/* To the half cycle in which the walk stands now. */
static void drifted_next(const struct decay_walk *walk, struct drifted *drifted)
{
    const double phase = drifted->phase + drifted->mean_square * M_PI;
    const double amplitude = walk->shape.q * drifted->amplitude - drifted->mean_square;
    *drifted = drifted_first(walk);
    drifted->phase = phase;
    drifted->amplitude = amplitude;
}

/* The two columns at one sample. A phase that runs ahead acts through dg/dtheta = -(1 + beta²) s; a loss of amplitude
 * is that of the half cycles before, and of this one in proportion to how far it has swung. */
static void columns_at(const struct decay_walk *walk, const struct drifted *drifted, double theta, const double *base,
                       double column[COLUMNS])
{
    const double beta = walk->shape.beta, x0 = fabs(walk->parameters[FIT_X0]);
    const double ahead = drifted->phase + drifted->mean_square * theta;
    column[FREQUENCY] = -decay_amplitude(walk->parameters, &walk->half) * (1.0 + beta * beta) * base[BASE_S] * ahead;
    column[DAMPING] =
        walk->half.sigma * x0 *
        (drifted->amplitude * base[BASE_G] + drifted->mean_square * (1.0 - base[BASE_G]) / (1.0 + walk->shape.q));
}

static void add_sample(const double column[COLUMNS], const double *row, double residual,
                       struct column_sums sums[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++) {
        for (int p = 0; p < FIT_PARAMETERS; p++)
            sums[c].with_jacobian[p] += column[c] * row[p];
        sums[c].with_residual += column[c] * residual;
        sums[c].with_itself += column[c] * column[c];
    }
}

static void walk_record(const struct scaled_record *scaled, const double *parameters, struct sample_range range,
                        struct column_sums sums[COLUMNS])
{
    struct decay_walk walk = decay_walk_from(parameters);
    struct drifted drifted = drifted_first(&walk);
    for (size_t i = range.first, j = 1; i < range.last; i++) {
        double base[DECAY_BASES], row[FIT_PARAMETERS], column[COLUMNS];
        if (!scaled_usable(scaled, i))
            continue;
        const double t = scaled_time(scaled, i);
        /* Half cycle by half cycle, also where a gap of flagged samples spans several. */
        while (t >= walk.zero_time + walk.shape.half_period) {
            decay_walk_to(&walk, walk.zero_time + walk.shape.half_period * (1.0 + 1e-9));
            for (; j < walk.half.j; j++)
                drifted_next(&walk, &drifted);
        }
        const double theta = decay_walk_to(&walk, t);
        decay_base_at(&walk.shape, theta, base);
        columns_at(&walk, &drifted, theta, base, column);
        const double residual = scaled_value(scaled, i) - decay_value_here(&walk, base, row);
        add_sample(column, row, residual, sums);
    }
}

/* What of a column no parameter of the fit can imitate, and how the parameters answer to the column. */
static bool project(const struct column_sums *sums, double inverse[FIT_PARAMETERS][FIT_PARAMETERS],
                    const double *gradient, double *new_square, double *new_residual, double answer[FIT_PARAMETERS])
{
    *new_square = sums->with_itself;
    *new_residual = sums->with_residual;
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        answer[p] = 0.0;
        for (int r = 0; r < FIT_PARAMETERS; r++)
            answer[p] -= inverse[p][r] * sums->with_jacobian[r];
        *new_square += answer[p] * sums->with_jacobian[p];
        *new_residual += answer[p] * gradient[p];
    }
    return *new_square > 1e-9 * sums->with_itself;
}

/* The parameters that the fit moved and that are not at a bound: those with a standard error. */
static struct free_parameters free_of(const struct full_record_fit *fit)
{
    const struct estimate *estimates[FIT_PARAMETERS] = {&fit->omega_n, &fit->zeta, &fit->x_k,
                                                        &fit->x0,      &fit->bias, &fit->t0};
    struct free_parameters free;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        free.free[p] = !estimates[p]->at_bound && estimates[p]->se > 0.0;
    return free;
}

/* Student's deviation is replaced by the normal one that is as rare. */
static double likelihood_ratio(double deviation, double freedom)
{
    const double normal = gsl_cdf_ugaussian_Qinv(fmax(gsl_cdf_tdist_Q(fabs(deviation), freedom), 1e-300));
    return normal * normal;
}

/* unit: the drift's size for a relative drift of 1. */
static struct drift drift_of(double coefficient, double se, double freedom, double unit,
                             const double answer[FIT_PARAMETERS], const double units[FIT_PARAMETERS])
{
    const double reach = gsl_cdf_tdist_Pinv(0.975, freedom) * se;
    struct drift drift = {
        .size = {coefficient * unit, se * unit, (coefficient - reach) * unit, (coefficient + reach) * unit, false},
        .relative = coefficient,
        .likelihood_ratio = se > 0.0 ? likelihood_ratio(coefficient / se, freedom) : NAN,
    };
    drift.flagged = drift.likelihood_ratio > DRIFT_FLAGGED;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        drift.shift[p] = coefficient * answer[p] * units[p];
    return drift;
}

static enum verdict judge(const struct scaled_record *scaled, const struct full_record_fit *fit,
                          const double *parameters, struct drifts *drifts)
{
    const struct free_parameters free = free_of(fit);
    struct column_sums sums[COLUMNS];
    struct normal_equations normal;
    double inverse[FIT_PARAMETERS][FIT_PARAMETERS], units[FIT_PARAMETERS], answer[FIT_PARAMETERS];
    double new_square, new_residual;
    memset(sums, 0, sizeof sums);
    normal_equations_of(scaled, parameters, fit->range.first, fit->range.last, &normal);
    if (!restricted_inverse(normal.matrix, &free, inverse, NULL))
        return VERDICT_UNDERDETERMINED;
    walk_record(scaled, parameters, fit->range, sums);
    scaled_parameter_units(scaled, units);
    const double x0 = fabs(fit->x0.value), sd = sqrt(fit->noise_density) * scaled->scale;

    if (!project(&sums[FREQUENCY], inverse, normal.gradient, &new_square, &new_residual, answer))
        return VERDICT_UNDERDETERMINED;
    const double change = new_residual / new_square;
    /* 3/8 kappa A² is the relative change of the frequency. */
    drifts->frequency = drift_of(change, sd / sqrt(new_square), fit->freedom, 8.0 / (3.0 * x0 * x0), answer, units);
    /* The phase's own column is the model's slope by phase: its mean square is that of omega_n dy/domega_n … */
    const double slope = normal.matrix[FIT_T0][FIT_T0] / pow(fit->omega_d * scaled->unit_s, 2);
    drifts->phase = fabs(change) * sqrt(new_square / slope);

    if (!project(&sums[DAMPING], inverse, normal.gradient, &new_square, &new_residual, answer))
        return VERDICT_UNDERDETERMINED;
    /* A half cycle at amplitude A loses 4/3 d A². */
    drifts->damping =
        drift_of(new_residual / new_square, sd / sqrt(new_square), fit->freedom, 3.0 / (4.0 * x0), answer, units);
    return VERDICT_OK;
}

static bool has_estimates(const struct full_record_fit *fit)
{
    return fit->range.last > fit->range.first && isfinite(fit->omega_n.value) && isfinite(fit->zeta.value) &&
           isfinite(fit->x_k.value) && fabs(fit->x0.value) > 0.0 && isfinite(fit->bias.value) &&
           isfinite(fit->t0.value) && isfinite(fit->noise_density);
}

enum verdict drifts_of(const struct decay_record *record, const struct full_record_fit *fit, struct drifts *drifts)
{
    const struct drift none = {.size = {NAN, NAN, NAN, NAN, false}, .relative = NAN, .likelihood_ratio = NAN};
    *drifts = (struct drifts){VERDICT_NOT_COMPUTED, none, none, NAN};
    if (!has_estimates(fit))
        return drifts->verdict;
    struct scaled_record scaled;
    const double values[FIT_PARAMETERS] = {fit->omega_n.value, fit->zeta.value, fit->x_k.value,
                                           fit->x0.value,      fit->bias.value, fit->t0.value};
    double parameters[FIT_PARAMETERS];
    drifts->verdict = scaled_record_from(record, FIT_PARAMETERS + 1, &scaled);
    if (drifts->verdict != VERDICT_OK)
        return drifts->verdict;
    scaled_from_record(&scaled, values, parameters);
    drifts->verdict = judge(&scaled, fit, parameters, drifts);
    if (drifts->verdict != VERDICT_OK) {
        drifts->frequency = drifts->damping = none;
        drifts->phase = NAN;
    }
    return drifts->verdict;
}
