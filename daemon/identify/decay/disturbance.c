/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Columns for a drift and for hum are added to the Jacobian of the fit (score_test.h), over means of
 * neighbouring samples, against which what is asked for is slow, and white noise falls in a mean. The noise is that
 * which the columns leave: a disturbance must not be blamed on the noise that it makes itself. */

#include "identify/decay/disturbance.h"

#include "identify/common/score_test.h"
#include "identify/common/small_least_squares.h"
#include "identify/decay/disturbance_means.h"
#include "identify/decay/fit_values.h"
#include "identify/decay/widening.h"
#include "motion/small_cholesky.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { ROWS = DISTURBANCE_ROWS, COLUMNS = DISTURBANCE_COLUMNS };

/* In more half cycles a disturbance averages out. */
enum { FEWEST_MEANS = 24, MOST_HALF_CYCLES = 60 };

/* Of one trial in noise alone: a record has six, and one with a false alarm has standard errors that are too large. */
static const double FALSE_ALARM = 3e-4;

/* Pivots of a unit-diagonal matrix below this are rounding. */
static const double SMALLEST_PIVOT = 1e-13;

/* Sums over the means, and what follows from them: the responses of the parameters to each column and to the residual,
 * the latter 0 where no bound holds them. */
struct sums {
    bool resolved[COLUMNS];
    double matrix[ROWS][ROWS], gradient[ROWS];
    double with_jacobian[COLUMNS][ROWS], with_columns[COLUMNS][COLUMNS], with_residual[COLUMNS];
    double inverse[ROWS][ROWS], response[COLUMNS][ROWS], unbounded_step[ROWS];
    double squares; /* left by the fit without bounds */
};

/* A choice of columns, and what they come to. */
struct trial {
    enum disturbance kind;
    size_t columns;
    int column[SMALL_MAX];
    double size[SMALL_MAX], inverse[SMALL_MAX][SMALL_MAX];
    double squares; /* left */
};

static const struct trial TRIALS[] = {
    {.kind = DISTURBANCE_DRIFT, .columns = 1, .column = {COLUMN_LINE}},
    {.kind = DISTURBANCE_DRIFT, .columns = 2, .column = {COLUMN_LINE, COLUMN_BEND}},
    {.kind = DISTURBANCE_HUM, .columns = 2, .column = {COLUMN_COS_50, COLUMN_SIN_50}},
    {.kind = DISTURBANCE_HUM, .columns = 2, .column = {COLUMN_COS_60, COLUMN_SIN_60}},
    {.kind = DISTURBANCE_BOTH, .columns = 3, .column = {COLUMN_LINE, COLUMN_COS_50, COLUMN_SIN_50}},
    {.kind = DISTURBANCE_BOTH, .columns = 3, .column = {COLUMN_LINE, COLUMN_COS_60, COLUMN_SIN_60}},
};
enum { TRIALS_COUNT = sizeof TRIALS / sizeof TRIALS[0] };

static void add_up(const struct disturbance_means *means, struct sums *sums)
{
    memset(sums, 0, sizeof *sums);
    for (int c = 0; c < COLUMNS; c++)
        sums->resolved[c] = disturbance_resolves(means, c);
    for (size_t i = 0; i < means->count; i++) {
        const struct disturbance_mean *mean = &means->mean[i];
        for (int p = 0; p < ROWS; p++) {
            sums->gradient[p] += mean->row[p] * mean->residual;
            for (int r = 0; r < ROWS; r++)
                sums->matrix[p][r] += mean->row[p] * mean->row[r];
        }
        for (int c = 0; c < COLUMNS; c++) {
            sums->with_residual[c] += mean->column[c] * mean->residual;
            for (int p = 0; p < ROWS; p++)
                sums->with_jacobian[c][p] += mean->column[c] * mean->row[p];
            for (int d = 0; d < COLUMNS; d++)
                sums->with_columns[c][d] += mean->column[c] * mean->column[d];
        }
        sums->squares += mean->residual * mean->residual;
    }
}

static bool find_responses(const bool free[ROWS], struct sums *sums)
{
    struct small_cholesky cholesky;
    if (!cholesky_factorise(&sums->matrix[0][0], ROWS, free, 0, SMALLEST_PIVOT, &cholesky))
        return false;
    cholesky_invert(&cholesky, ROWS, &sums->inverse[0][0]);
    score_response(ROWS, &sums->inverse[0][0], 1, sums->gradient, sums->unbounded_step);
    for (int c = 0; c < COLUMNS; c++)
        score_response(ROWS, &sums->inverse[0][0], -1, sums->with_jacobian[c], sums->response[c]);
    for (int p = 0; p < ROWS; p++)
        sums->squares -= sums->unbounded_step[p] * sums->gradient[p];
    return true;
}

/* What is new in the columns, and how much of it the residual holds. */
static bool try_columns(const struct sums *sums, struct trial *trial)
{
    struct small_least_squares equations = {.unknowns = trial->columns};
    for (size_t i = 0; i < trial->columns; i++) {
        const int c = trial->column[i];
        equations.right[i] = score_new_part(ROWS, sums->response[c], sums->gradient, sums->with_residual[c]);
        for (size_t j = 0; j < trial->columns; j++) {
            const int d = trial->column[j];
            equations.matrix[i][j] =
                score_new_part(ROWS, sums->response[c], sums->with_jacobian[d], sums->with_columns[c][d]);
        }
        if (!sums->resolved[c] || !(equations.matrix[i][i] > SCORE_IMITATED * sums->with_columns[c][c]))
            return false;
    }
    if (!small_least_squares_solve(&equations, trial->size, trial->inverse))
        return false;
    trial->squares = sums->squares;
    for (size_t i = 0; i < trial->columns; i++)
        trial->squares -= trial->size[i] * equations.right[i];
    return trial->squares > 0;
}

static double criterion(double variance, size_t unknowns, double samples)
{
    return samples * log(variance) + 2 * (double)unknowns;
}

/* The best of the trials, were the noise white; no columns when none could be made. */
static struct trial best_trial(const struct sums *sums, double samples)
{
    struct trial best = {.kind = DISTURBANCE_NONE, .squares = sums->squares};
    for (size_t k = 0; k < TRIALS_COUNT; k++) {
        struct trial trial = TRIALS[k];
        if (!try_columns(sums, &trial))
            continue;
        if (criterion(trial.squares, trial.columns, samples) < criterion(best.squares, best.columns, samples))
            best = trial;
    }
    return best;
}

/* How the estimates respond to the trial's columns, and to their bounds being lifted. */
static void shift_of(const struct sums *sums, const struct trial *trial, double shift[ROWS])
{
    for (int p = 0; p < ROWS; p++) {
        shift[p] = sums->unbounded_step[p];
        for (size_t i = 0; i < trial->columns; i++)
            shift[p] += trial->size[i] * sums->response[trial->column[i]][p];
    }
}

/* What a trial leaves: the variance of white noise as strong at the decay's frequency, and how many samples of it the
 * means are worth, less what was fitted to them. */
struct noise_left {
    double variance, freedom;
};

static double count_free(const struct disturbance_means *means)
{
    double count = 0;
    for (int p = 0; p < ROWS; p++)
        count += means->free[p];
    return count;
}

/* angle: of the decay, rad from mean to mean. There the fit has taken noise away with its parameters, and a spectrum
 * has a hole: never less than what the degrees of freedom that are left make of the sum. */
static struct noise_left noise_left(const struct disturbance_means *means, const struct sums *sums,
                                    const struct trial *trial, double angle)
{
    double left[DISTURBANCE_MEANS_MOST], shift[ROWS], autocovariance[AR_MOST + 1] = {0};
    const double count = (double)means->count, fitted = count_free(means) + (double)trial->columns;
    struct ar_model model;
    shift_of(sums, trial, shift);
    for (size_t i = 0; i < means->count; i++) {
        const struct disturbance_mean *mean = &means->mean[i];
        left[i] = mean->residual;
        for (int p = 0; p < ROWS; p++)
            left[i] -= shift[p] * mean->row[p];
        for (size_t c = 0; c < trial->columns; c++)
            left[i] -= trial->size[c] * mean->column[trial->column[c]];
        for (size_t lag = 0; lag <= AR_MOST && lag <= i; lag++)
            autocovariance[lag] += left[i] * left[i - lag] / count;
    }
    ar_model_from(autocovariance, means->count, &model);
    const double white = autocovariance[0] * count / (count - fitted);
    const double variance = fmax(white, model.innovation * ar_gain_at(&model, angle));
    return (struct noise_left){variance, count * white / variance - fitted};
}

/* Whether noise alone hardly ever lets so many columns explain so much of the sum of squares. */
static bool is_seen(double explained, size_t columns, const struct noise_left *left)
{
    const double unknowns = (double)columns;
    return columns > 0 && left->freedom >= 1 && explained > 0 &&
           gsl_cdf_fdist_Q(explained / left->variance / unknowns, unknowns, left->freedom) < FALSE_ALARM;
}

/* What the best trial is called: drift and hum where each is seen beside the other, for the criterion that chose it
 * adds a line that is not there to one record with hum of six. */
static enum disturbance kind_of(const struct sums *sums, const struct trial *best, const struct noise_left *left)
{
    if (best->kind != DISTURBANCE_BOTH)
        return best->kind;
    struct trial parts[] = {
        {.kind = DISTURBANCE_HUM, .columns = 2, .column = {best->column[1], best->column[2]}},
        {.kind = DISTURBANCE_DRIFT, .columns = 1, .column = {best->column[0]}},
    };
    for (int k = 0; k < 2; k++)
        if (try_columns(sums, &parts[k]) &&
            !is_seen(parts[k].squares - best->squares, best->columns - parts[k].columns, left))
            return parts[k].kind;
    return best->kind;
}

/* What a trial adds to the covariance, scaled: by how far the estimates may be off, and what is lost in telling them
 * from the disturbance in noise of this variance. */
static void add_trial(const struct sums *sums, const struct trial *trial, double variance, double weight,
                      double extra[ROWS][ROWS])
{
    double shift[ROWS];
    shift_of(sums, trial, shift);
    for (int p = 0; p < ROWS; p++)
        for (int r = 0; r < ROWS; r++) {
            extra[p][r] += weight * shift[p] * shift[r];
            for (size_t i = 0; i < trial->columns; i++)
                for (size_t j = 0; j < trial->columns; j++)
                    extra[p][r] += weight * variance * trial->inverse[i][j] * sums->response[trial->column[i]][p] *
                                   sums->response[trial->column[j]][r];
        }
}

/* Nobody knows which of the trials is right: each counts as its likelihood allows (Akaike weights, Burnham and Anderson
 * 2002). */
static void find_extra(const struct sums *sums, const struct trial *best, double variance, double extra[ROWS][ROWS])
{
    double weight[TRIALS_COUNT] = {0}, sum = 0;
    struct trial trial[TRIALS_COUNT];
    for (size_t k = 0; k < TRIALS_COUNT; k++) {
        trial[k] = TRIALS[k];
        if (!try_columns(sums, &trial[k]))
            continue;
        const double unknowns = (double)trial[k].columns - (double)best->columns;
        weight[k] = exp(-(trial[k].squares - best->squares) / (2 * variance) - unknowns);
        sum += weight[k];
    }
    memset(extra, 0, sizeof(double[ROWS][ROWS]));
    for (size_t k = 0; k < TRIALS_COUNT; k++)
        if (weight[k] > 0)
            add_trial(sums, &trial[k], variance, weight[k] / sum, extra);
}

/* What is in the means beside the motion, and what that adds to the covariance of the parameters, scaled. angle: of the
 * decay, rad from sample to sample. */
static enum disturbance look(const struct disturbance_means *means, double angle, double extra[ROWS][ROWS])
{
    struct sums sums;
    add_up(means, &sums);
    if (means->count < FEWEST_MEANS || !find_responses(means->free, &sums))
        return DISTURBANCE_NONE;
    const struct trial best = best_trial(&sums, (double)means->count);
    const struct noise_left left = noise_left(means, &sums, &best, angle * means->width);
    if (!is_seen(sums.squares - best.squares, best.columns, &left))
        return DISTURBANCE_NONE;
    /* Of all trials, whatever the best is called: what is doubtful widens. */
    find_extra(&sums, &best, left.variance, extra);
    return kind_of(&sums, &best, &left);
}

static bool has_estimates(const struct full_record_fit *fit)
{
    return fit->verdict == VERDICT_OK && fit->range.last > fit->range.first && fit->freedom > 0 && fit->rms > 0;
}

enum disturbance disturbance_widen(const struct decay_record *record, struct full_record_fit *fit)
{
    struct scaled_record scaled;
    struct disturbance_means means;
    double parameters[FIT_PARAMETERS], units[FIT_PARAMETERS], extra[ROWS][ROWS];
    double of_fit[FIT_PARAMETERS][FIT_PARAMETERS];
    if (!has_estimates(fit) || fit->half_cycles > MOST_HALF_CYCLES ||
        scaled_record_from(record, FIT_PARAMETERS + 1, &scaled) != VERDICT_OK)
        return DISTURBANCE_NONE;
    fit_scaled_values(fit, &scaled, parameters);
    disturbance_means_of_fit(&scaled, fit, parameters, &means);
    const enum disturbance seen = look(&means, parameters[FIT_OMEGA_N], extra);
    if (seen == DISTURBANCE_NONE)
        return seen;
    scaled_parameter_units(&scaled, units);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            of_fit[p][r] = extra[p][r] * units[p] * units[r];
    fit_widen(of_fit, fit);
    return seen;
}

enum disturbance disturbance_of_rung(const struct ladder_reopened *open, double variance[LADDER_PARAMETERS])
{
    struct disturbance_means means;
    double extra[ROWS][ROWS];
    const struct ladder_data *data = &open->data;
    const double spacing = ladder_data_spacing(data);
    if (data->extrema - 1 > MOST_HALF_CYCLES || !disturbance_means_of_rung(open, &means))
        return DISTURBANCE_NONE;
    const enum disturbance seen = look(&means, open->parameters[LADDER_OMEGA_N] * spacing, extra);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const double unit = ladder_reopened_unit(open, p);
        variance[p] = seen ? extra[p][p] * unit * unit : 0;
    }
    return seen;
}

void disturbance_doubts(enum disturbance disturbance, struct doubts *doubts)
{
    doubts->baseline_drift = disturbance & DISTURBANCE_DRIFT;
    doubts->mains_hum = disturbance & DISTURBANCE_HUM;
}
