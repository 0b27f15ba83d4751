/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two columns are added to the Jacobian of the fit, one for a frequency and one for a damping that follow the
 * amplitude, and each is asked for what is new in it (a score test). Nothing is fitted again. */

#include "identify/drift.h"

#include "identify/bounded_step.h"
#include "identify/decay_rows.h"
#include "identify/normal_equations.h"
#include "identify/residual_noise.h"
#include "identify/sample_pass.h"

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
static void columns_at(const struct decay_walk *walk, const struct drifted *drifted, double theta, double g, double s,
                       double column[COLUMNS])
{
    const double beta = walk->shape.beta, x0 = fabs(walk->parameters[FIT_X0]);
    const double ahead = drifted->phase + drifted->mean_square * theta;
    column[FREQUENCY] = -decay_amplitude(walk->parameters, &walk->half) * (1.0 + beta * beta) * s * ahead;
    column[DAMPING] =
        walk->half.sigma * x0 * (drifted->amplitude * g + drifted->mean_square * (1.0 - g) / (1.0 + walk->shape.q));
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

/* A walk along the decay that knows what a unit drift has done so far. */
struct drifted_walk {
    struct decay_walk walk;
    struct drifted drifted;
    size_t j; /* the half cycle that `drifted` belongs to */
};

static struct drifted_walk drifted_walk_from(const double *parameters)
{
    struct drifted_walk here = {.walk = decay_walk_from(parameters), .j = 1};
    here.drifted = drifted_first(&here.walk);
    return here;
}

/* Goes on to the half cycle of a time, one by one, also where a gap of flagged samples spans several. */
static void drifted_walk_to(struct drifted_walk *here, double t)
{
    struct decay_walk *walk = &here->walk;
    while (t >= walk->zero_time + walk->shape.half_period) {
        decay_walk_to(walk, walk->zero_time + walk->shape.half_period * (1.0 + 1e-9));
        for (; here->j < walk->half.j; here->j++)
            drifted_next(walk, &here->drifted);
    }
}

/* The two columns at sample k of a block. */
static void columns_in(const struct drifted_walk *here, const struct decay_rows *rows, size_t k, double column[COLUMNS])
{
    columns_at(&here->walk, &here->drifted, rows->theta[k], rows->g[k], rows->s[k], column);
}

static void walk_record(const struct scaled_record *scaled, const double *parameters, struct sample_range range,
                        struct column_sums sums[COLUMNS])
{
    struct drifted_walk here = drifted_walk_from(parameters);
    struct decay_rows rows;
    decay_rows_begin(scaled, parameters, range.first, range.last, &rows);
    while (decay_rows_next(&rows)) {
        drifted_walk_to(&here, scaled_time(scaled, rows.first));
        for (size_t k = 0; k < rows.count; k++) {
            double column[COLUMNS];
            if (!scaled_usable(scaled, rows.first + k))
                continue;
            columns_in(&here, &rows, k, column);
            add_sample(column, rows.row[k], scaled_value(scaled, rows.first + k) - rows.value[k], sums);
        }
    }
}

/* What of a column no parameter of the fit can imitate, and how the parameters answer to the column. */
struct projection {
    double answer[FIT_PARAMETERS];
    double new_square, coefficient; /* of what is new in it: its square, and how much of it the residual holds */
};

static bool project(const struct column_sums *sums, double inverse[FIT_PARAMETERS][FIT_PARAMETERS],
                    const double *gradient, struct projection *projection)
{
    double new_residual = sums->with_residual;
    projection->new_square = sums->with_itself;
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        projection->answer[p] = 0.0;
        for (int r = 0; r < FIT_PARAMETERS; r++)
            projection->answer[p] -= inverse[p][r] * sums->with_jacobian[r];
        projection->new_square += projection->answer[p] * sums->with_jacobian[p];
        new_residual += projection->answer[p] * gradient[p];
    }
    projection->coefficient = new_residual / projection->new_square;
    return projection->new_square > 1e-9 * sums->with_itself;
}

/* Both drifts as one: what of the two columns and of the Jacobian has to be taken from a residual. */
struct both_drifts {
    double column[COLUMNS], row[FIT_PARAMETERS];
};

static struct both_drifts both_of(const struct projection projection[COLUMNS])
{
    struct both_drifts both = {{0}, {0}};
    for (int c = 0; c < COLUMNS; c++) {
        both.column[c] = projection[c].coefficient;
        for (int p = 0; p < FIT_PARAMETERS; p++)
            both.row[p] += projection[c].coefficient * projection[c].answer[p];
    }
    return both;
}

/* What both drifts leave of the residual at sample k of a block; 0 where it is flagged. */
static double residual_without(const struct drifted_walk *here, const struct decay_rows *rows, size_t k,
                               const struct both_drifts *both)
{
    double column[COLUMNS], residual;
    if (!scaled_usable(rows->scaled, rows->first + k))
        return 0.0;
    residual = scaled_value(rows->scaled, rows->first + k) - rows->value[k];
    columns_in(here, rows, k, column);
    for (int c = 0; c < COLUMNS; c++)
        residual -= both->column[c] * column[c];
    for (int p = 0; p < FIT_PARAMETERS; p++)
        residual -= both->row[p] * rows->row[k][p];
    return residual;
}

/* The noise that is left at the decay's frequency when both drifts are taken out of the residual: a drift must not be
 * blamed on the noise that it makes itself. Variance of equally strong white noise. */
static double noise_without(const struct scaled_record *scaled, const double *parameters, struct sample_range range,
                            const struct free_parameters *free, const struct projection projection[COLUMNS],
                            double *variance_left)
{
    const struct both_drifts both = both_of(projection);
    struct drifted_walk here = drifted_walk_from(parameters);
    struct residual_statistics left;
    struct residual_noise noise;
    struct decay_rows rows;
    double line[AR_MOST + ROWS_MOST] = {0};
    memset(&left, 0, sizeof left);
    decay_rows_begin(scaled, parameters, range.first, range.last, &rows);
    while (decay_rows_next(&rows)) {
        drifted_walk_to(&here, scaled_time(scaled, rows.first));
        for (size_t k = 0; k < rows.count; k++) {
            line[AR_MOST + k] = residual_without(&here, &rows, k, &both);
            left.samples += scaled_usable(scaled, rows.first + k);
        }
        lagged_products(lanes_widest(), line + AR_MOST, rows.count, AR_MOST + 1, left.autocovariance);
        memmove(line, line + rows.count, AR_MOST * sizeof *line);
    }
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        left.autocovariance[lag] /= left.samples > 0 ? (double)left.samples : 1.0;
    *variance_left = left.autocovariance[0];
    residual_noise_from(&left, free, parameters[FIT_OMEGA_N], &noise);
    return noise.model.innovation * ar_gain_at(&noise.model, parameters[FIT_OMEGA_N]);
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

/* unit: the drift's size for a relative drift of 1; variance: of the noise. */
static struct drift drift_of(const struct projection *projection, double variance, double freedom, double unit,
                             const double units[FIT_PARAMETERS])
{
    const double coefficient = projection->coefficient, se = sqrt(variance / projection->new_square);
    const double reach = gsl_cdf_tdist_Pinv(0.975, freedom) * se;
    struct drift drift = {
        .size = {coefficient * unit, se * unit, (coefficient - reach) * unit, (coefficient + reach) * unit, false},
        .relative = coefficient,
        .likelihood_ratio = se > 0.0 ? likelihood_ratio(coefficient / se, freedom) : NAN,
    };
    drift.flagged = drift.likelihood_ratio > DRIFT_FLAGGED;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        drift.shift[p] = coefficient * projection->answer[p] * units[p];
    return drift;
}

static enum verdict judge(const struct scaled_record *scaled, const struct full_record_fit *fit,
                          const double *parameters, struct drifts *drifts)
{
    const struct free_parameters free = free_of(fit);
    struct column_sums sums[COLUMNS];
    struct projection projection[COLUMNS];
    struct normal_equations normal;
    double inverse[FIT_PARAMETERS][FIT_PARAMETERS], units[FIT_PARAMETERS];
    memset(sums, 0, sizeof sums);
    normal_equations_of(scaled, parameters, fit->range.first, fit->range.last, &normal);
    if (!restricted_inverse(normal.matrix, &free, inverse, NULL))
        return VERDICT_UNDERDETERMINED;
    walk_record(scaled, parameters, fit->range, sums);
    for (int c = 0; c < COLUMNS; c++)
        if (!project(&sums[c], inverse, normal.gradient, &projection[c]))
            return VERDICT_UNDERDETERMINED;
    scaled_parameter_units(scaled, units);
    const double x0 = fabs(fit->x0.value), own = fit->noise_density * scaled->scale * scaled->scale;
    /* Rounding is the least that may count as noise: of an exact record nothing else is left. */
    const double rounding = pow(1e-12 * parameters[FIT_X0], 2);
    double left, shown = pow(fit->rms * scaled->scale, 2);
    double variance = noise_without(scaled, parameters, fit->range, &free, projection, &left);
    /* Drifts that make up little of the residual have not spoilt the noise that the fit found; to take two more terms
     * out of correlated noise would make it look too small. */
    variance = fmax(left > 0.8 * shown ? own : fmin(own, variance), rounding);
    /* 3/8 kappa A² is the relative change of the frequency; a half cycle at amplitude A loses 4/3 d A². */
    drifts->frequency = drift_of(&projection[FREQUENCY], variance, fit->freedom, 8.0 / (3.0 * x0 * x0), units);
    drifts->damping = drift_of(&projection[DAMPING], variance, fit->freedom, 3.0 / (4.0 * x0), units);
    /* The change of the model with a phase that is the same everywhere is that with t0, over omega_d. */
    const double slope = normal.matrix[FIT_T0][FIT_T0] / pow(fit->omega_d * scaled->unit_s, 2);
    drifts->phase = fabs(projection[FREQUENCY].coefficient) * sqrt(projection[FREQUENCY].new_square / slope);
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
