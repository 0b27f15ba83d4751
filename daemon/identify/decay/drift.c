/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Score tests (score_test.h) of two columns: one for a frequency and one for a damping that depend on the amplitude. */

#include "identify/decay/drift.h"

#include "identify/common/sample_pass.h"
#include "identify/common/score_test.h"
#include "identify/common/student.h"
#include "identify/decay/bounded_step.h"
#include "identify/decay/decay_rows.h"
#include "identify/decay/fit_values.h"
#include "identify/decay/half_cycle_walk.h"
#include "identify/decay/residual_noise.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { FREQUENCY, DAMPING, COLUMNS };

/* Sums of a column with the Jacobian, the residual and itself. */
struct column_sums {
    double with_jacobian[FIT_PARAMETERS];
    double with_residual, with_itself, with_other;
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
    const double mean = (fabs(walk->half.start.x) + end) / (2.0 * x0);
    return (struct drifted){0.0, 0.0, mean * mean};
}

/* Leads the drift on to the half cycle in which the walk stands now. */
static void drifted_next(const struct decay_walk *walk, struct drifted *drifted)
{
    const double phase = drifted->phase + drifted->mean_square * M_PI;
    const double amplitude = walk->shape.q * drifted->amplitude - drifted->mean_square;
    *drifted = drifted_first(walk);
    drifted->phase = phase;
    drifted->amplitude = amplitude;
}

/* Writes the two columns of a half cycle as weights of its base functions. A phase that runs ahead changes the
 * displacement by dg/dtheta = -(1 + beta²) s. The loss of amplitude is the sum over the half cycles before, plus that
 * of this one in proportion to how far the mass has swung in it. */
static void column_weights(const struct decay_walk *walk, const struct drifted *drifted,
                           double weights[COLUMNS][DECAY_BASES])
{
    const double beta = walk->shape.beta, x0 = fabs(walk->parameters[FIT_X0]);
    const double slope = -decay_amplitude(walk->parameters, &walk->half) * (1.0 + beta * beta);
    const double swung = drifted->mean_square / (1.0 + walk->shape.q);
    memset(weights, 0, sizeof(double[COLUMNS][DECAY_BASES]));
    weights[FREQUENCY][BASE_S] = slope * drifted->phase;
    weights[FREQUENCY][BASE_THETA_S] = slope * drifted->mean_square;
    weights[DAMPING][BASE_ONE] = walk->half.start.sigma * x0 * swung;
    weights[DAMPING][BASE_G] = walk->half.start.sigma * x0 * (drifted->amplitude - swung);
}

/* A walk along the decay that knows what a unit drift has done so far. */
struct drifted_walk {
    struct decay_walk walk;
    struct drifted drifted;
};

static struct drifted_walk drifted_walk_from(const double *parameters)
{
    struct drifted_walk here = {.walk = decay_walk_from(parameters)};
    here.drifted = drifted_first(&here.walk);
    return here;
}

/* Goes on to half cycle j, one by one, also where a gap of flagged samples spans several. */
static void drifted_walk_to(struct drifted_walk *here, size_t j)
{
    struct decay_walk *walk = &here->walk;
    while (walk->half.j < j) {
        decay_next_half_cycle(walk->parameters, &walk->shape, &walk->half);
        drifted_next(walk, &here->drifted);
    }
}

static double product(const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < DECAY_BASES; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Adds a half cycle's part: its columns' products are those of the base functions that they are made of. */
static void add_half_cycle(struct half_cycle_walk *half_cycle, double weights[COLUMNS][DECAY_BASES],
                           struct column_sums sums[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++) {
        double with_base[DECAY_BASES];
        for (int b = 0; b < DECAY_BASES; b++)
            with_base[b] = product(half_cycle->sums.base[b], weights[c]);
        for (int b = 0; b < DECAY_BASES; b++)
            for (int p = 0; p < FIT_PARAMETERS; p++)
                sums[c].with_jacobian[p] += half_cycle->weights[b][p] * with_base[b];
        for (int b = 0; b < DECAY_BASES; b++)
            sums[c].with_residual += weights[c][b] * half_cycle->sums.base[b][SUM_RESIDUAL];
        sums[c].with_itself += product(weights[c], with_base);
        sums[c].with_other += product(weights[COLUMNS - 1 - c], with_base);
    }
}

/* The normal equations of the fit, and the columns' own. */
static bool walk_record(const struct scaled_record *scaled, const double *parameters, struct sample_range range,
                        struct normal_equations *normal, struct column_sums sums[COLUMNS])
{
    struct drifted_walk here = drifted_walk_from(parameters);
    struct half_cycle_walk half_cycle;
    struct derivative_sums derivatives = {{{0}}, {0}};
    memset(normal, 0, sizeof *normal);
    memset(sums, 0, COLUMNS * sizeof *sums);
    if (!half_cycle_walk_begin(lanes_widest(), scaled, parameters, range.first, range.last, &half_cycle))
        return false;
    while (half_cycle_walk_next(&half_cycle)) {
        double weights[COLUMNS][DECAY_BASES];
        drifted_walk_to(&here, half_cycle.half.j);
        column_weights(&here.walk, &here.drifted, weights);
        add_half_cycle(&half_cycle, weights, sums);
        normal_equations_add(&half_cycle, &derivatives, normal);
    }
    normal_equations_end(&derivatives, normal);
    return true;
}

/* A column, split into what the parameters of the fit can imitate and what is new in it. */
struct projection {
    double response[FIT_PARAMETERS];       /* by which the parameters change for a unit of the column */
    double unbounded_step[FIT_PARAMETERS]; /* by which the residual would change them without bounds; 0 where none holds
                                              them */
    double new_square;                     /* sum of squares of the new part */
    double coefficient;                    /* of the new part in the residual */
};

/* False where nothing is new in it. */
static bool project(const struct column_sums *sums, double inverse[FIT_PARAMETERS][FIT_PARAMETERS],
                    const double *gradient, struct projection *projection)
{
    const double *jacobian = sums->with_jacobian, *response = projection->response;
    score_response(FIT_PARAMETERS, &inverse[0][0], -1, jacobian, projection->response);
    score_response(FIT_PARAMETERS, &inverse[0][0], 1, gradient, projection->unbounded_step);
    projection->new_square = score_new_part(FIT_PARAMETERS, response, jacobian, sums->with_itself);
    if (!(projection->new_square > SCORE_IMITATED * sums->with_itself))
        return false;
    projection->coefficient =
        score_new_part(FIT_PARAMETERS, response, gradient, sums->with_residual) / projection->new_square;
    return true;
}

/* The mean square of the residual when both drifts and all bounds are taken out of it. */
static double square_left(struct normal_equations *normal, const struct column_sums sums[COLUMNS],
                          const struct projection projection[COLUMNS])
{
    double left = normal->sum_of_squares, together = sums[0].with_other;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        left -= projection[0].unbounded_step[p] * normal->gradient[p];
    for (int c = 0; c < COLUMNS; c++)
        left -= projection[c].coefficient * projection[c].coefficient * projection[c].new_square;
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        together += projection[0].response[p] * sums[1].with_jacobian[p];
        together += projection[1].response[p] * sums[0].with_jacobian[p];
        for (int r = 0; r < FIT_PARAMETERS; r++)
            together += projection[0].response[p] * normal->matrix[p][r] * projection[1].response[r];
    }
    left += 2.0 * projection[0].coefficient * projection[1].coefficient * together;
    return fmax(left, 0.0) / (double)normal->samples;
}

/* What both drifts take from a half cycle's residual, made of its base functions. */
static void weights_of_both(const struct decay_walk *walk, const struct drifted *drifted,
                            const struct projection projection[COLUMNS], double both[DECAY_BASES])
{
    double columns[COLUMNS][DECAY_BASES], derivatives[DECAY_BASES][PARAMETER_COLUMNS];
    column_weights(walk, drifted, columns);
    decay_derivative_weights(walk->parameters, &walk->shape, &walk->half, derivatives);
    for (int b = 0; b < DECAY_BASES; b++) {
        both[b] = 0.0;
        for (int c = 0; c < COLUMNS; c++) {
            double column = columns[c][b];
            for (int p = 0; p < FIT_PARAMETERS; p++)
                column += projection[c].response[p] * derivatives[b][p];
            both[b] += projection[c].coefficient * column;
        }
        for (int p = 0; p < FIT_PARAMETERS; p++)
            both[b] += projection[0].unbounded_step[p] * derivatives[b][p];
    }
}

/* The noise that is left at the decay's frequency when both drifts are taken out of the residual, as the variance of
 * equally strong white noise. A drift that stays in the residual looks like noise, and would hide itself. */
static double noise_without(const struct scaled_record *scaled, const double *parameters, struct sample_range range,
                            const struct free_parameters *free, const struct projection projection[COLUMNS])
{
    struct drifted_walk here = drifted_walk_from(parameters);
    struct residual_statistics left;
    struct residual_noise noise;
    struct decay_rows rows;
    double line[AR_MOST + ROWS_MOST] = {0};
    memset(&left, 0, sizeof left);
    decay_rows_begin(scaled, parameters, range.first, range.last, &rows);
    while (decay_rows_next(&rows)) {
        double both[DECAY_BASES];
        drifted_walk_to(&here, rows.walk.half.j);
        weights_of_both(&here.walk, &here.drifted, projection, both);
        for (size_t k = 0; k < rows.block.count; k++) {
            const double theta = rows.theta[k], g = rows.g[k], s = rows.s[k];
            const double base[DECAY_BASES] = {1.0, g, s, theta * g, theta * s};
            const bool usable = scaled_usable(scaled, rows.block.first + k);
            const double residual =
                scaled_value(scaled, rows.block.first + k) - rows.block.value[k] - product(base, both);
            line[AR_MOST + k] = usable ? residual : 0.0;
            left.samples += usable;
        }
        lagged_products(lanes_widest(), line + AR_MOST, rows.block.count, 0, AR_MOST + 1, left.autocovariance);
        memmove(line, line + rows.block.count, AR_MOST * sizeof *line);
    }
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        left.autocovariance[lag] /= left.samples > 0 ? (double)left.samples : 1.0;
    residual_noise_from(&left, free, parameters[FIT_OMEGA_N], &noise);
    return noise.model.innovation * ar_gain_at(&noise.model, parameters[FIT_OMEGA_N]);
}

double drift_probability(const struct drift *drift)
{
    return isfinite(drift->likelihood_ratio) ? 1.0 / (1.0 + exp((DRIFT_FLAGGED - drift->likelihood_ratio) / 2.0)) : 0.0;
}

struct drift drift_of_term(double coefficient, double se, double freedom, double unit)
{
    const double reach = gsl_cdf_tdist_Pinv(0.975, freedom) * se;
    struct drift drift = {
        .size = {coefficient * unit, se * unit, (coefficient - reach) * unit, (coefficient + reach) * unit, false, {0}},
        .relative = coefficient,
        .likelihood_ratio = se > 0.0 ? student_likelihood_ratio(coefficient / se, freedom) : NAN,
    };
    drift.flagged = drift.likelihood_ratio > DRIFT_FLAGGED;
    return drift;
}

/* Turns the coefficient of a column into a drift. unit is the drift's size for a relative drift of 1, variance that of
 * the noise. */
static struct drift drift_of(const struct projection *projection, double variance, double freedom, double unit,
                             const double units[FIT_PARAMETERS])
{
    const double coefficient = projection->coefficient;
    struct drift drift = drift_of_term(coefficient, sqrt(variance / projection->new_square), freedom, unit);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        drift.shift[p] = (projection->unbounded_step[p] + coefficient * projection->response[p]) * units[p];
    return drift;
}

void drift_keep_bounds(const struct estimate estimate[FIT_PARAMETERS], struct drift *drift)
{
    for (int p = 0; p < FIT_PARAMETERS; p++)
        if (decay_parameters[p].not_negative)
            drift->shift[p] = fmax(drift->shift[p], -estimate[p].value);
}

static enum verdict judge(const struct scaled_record *scaled, const struct full_record_fit *fit,
                          const double *parameters, struct drifts *drifts)
{
    const struct free_parameters free = fit_moved(fit);
    struct column_sums sums[COLUMNS];
    struct projection projection[COLUMNS];
    struct normal_equations normal;
    double inverse[FIT_PARAMETERS][FIT_PARAMETERS], units[FIT_PARAMETERS];
    if (!walk_record(scaled, parameters, fit->range, &normal, sums) ||
        !restricted_inverse(normal.matrix, &free, inverse))
        return VERDICT_UNDERDETERMINED;
    for (int c = 0; c < COLUMNS; c++)
        if (!project(&sums[c], inverse, normal.gradient, &projection[c]))
            return VERDICT_UNDERDETERMINED;
    scaled_parameter_units(scaled, units);
    const double x0 = fabs(fit->estimate[FIT_X0].value), own = fit->noise_density * scaled->scale * scaled->scale;
    /* An exact record leaves nothing but rounding, and that is the least that counts as noise. */
    const double rounding = pow(1e-12 * parameters[FIT_X0], 2);
    /* Drifts that make up little of the residual have not changed the noise that the fit found. In correlated noise,
     * two more fitted terms would make that noise look too small. */
    double variance = own;
    if (square_left(&normal, sums, projection) <= 0.8 * pow(fit->rms * scaled->scale, 2))
        variance = fmin(own, noise_without(scaled, parameters, fit->range, &free, projection));
    variance = fmax(variance, rounding);
    /* 3/8 kappa A² is the relative change of the frequency; a half cycle at amplitude A loses 4/3 d A². */
    drifts->frequency = drift_of(&projection[FREQUENCY], variance, fit->freedom, 8.0 / (3.0 * x0 * x0), units);
    drifts->damping = drift_of(&projection[DAMPING], variance, fit->freedom, 3.0 / (4.0 * x0), units);
    drift_keep_bounds(fit->estimate, &drifts->frequency);
    drift_keep_bounds(fit->estimate, &drifts->damping);
    /* A phase that is the same everywhere changes the model as t0 does, divided by omega_d. */
    const double slope = normal.matrix[FIT_T0][FIT_T0] / pow(fit->omega_d * scaled->unit_s, 2);
    const double coefficient = projection[FREQUENCY].coefficient, new_square = projection[FREQUENCY].new_square;
    drifts->phase = fabs(coefficient) * sqrt(new_square / slope);
    drifts->lagging =
        normal.sum_of_squares > 0.0 ? coefficient * coefficient * new_square / normal.sum_of_squares : 0.0;
    return VERDICT_OK;
}

enum verdict drifts_of(const struct decay_record *record, const struct full_record_fit *fit, struct drifts *drifts)
{
    const struct drift none = {.size = {NAN, NAN, NAN, NAN, false, {0}}, .relative = NAN, .likelihood_ratio = NAN};
    *drifts = (struct drifts){VERDICT_NOT_COMPUTED, none, none, NAN, NAN};
    if (!fit_has_values(fit) || !isfinite(fit->noise_density))
        return drifts->verdict;
    struct scaled_record scaled;
    double parameters[FIT_PARAMETERS];
    drifts->verdict = scaled_record_from(record, FIT_PARAMETERS + 1, &scaled);
    if (drifts->verdict != VERDICT_OK)
        return drifts->verdict;
    fit_scaled_values(fit, &scaled, parameters);
    drifts->verdict = judge(&scaled, fit, parameters, drifts);
    if (drifts->verdict != VERDICT_OK) {
        drifts->frequency = drifts->damping = none;
        drifts->phase = drifts->lagging = NAN;
    }
    return drifts->verdict;
}
