/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From fits to answers: which rung, and how well its parameters are known. */

#include "identify/ladder/ladder.h"

#include "identify/ladder/clock_leap.h"
#include "identify/ladder/ladder_estimate.h"
#include "identify/ladder/ladder_noise.h"
#include "motion/small_cholesky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct estimate undetermined = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};

static void variances_of(double covariance[LADDER_PARAMETERS][LADDER_PARAMETERS], double variance[LADDER_PARAMETERS])
{
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        variance[p] = covariance[p][p];
}

/* Where an unseen presliding is supposed, in units of X_0. What it does goes with the root of the distance, so that any
 * small one tells as much. */
static const double X_D_UNSEEN = 1e-3;

/* Friction that is found rigid may yield unseen, which makes the stiffness and all that hangs on it less certain. */
static void spread_unseen(const struct ladder_data *data, const struct ladder_rung *rung, const struct ar_model *noise,
                          double innovation, double spread[LADDER_PARAMETERS])
{
    struct ladder_rung yielding = *rung;
    struct ladder_whitened whitened;
    double covariance[LADDER_PARAMETERS][LADDER_PARAMETERS], variance[LADDER_PARAMETERS];
    yielding.parameters[LADDER_X_D] = X_D_UNSEEN;
    ladder_sample_pass(data, yielding.terms, yielding.parameters, &yielding.normal);
    if (!isfinite(yielding.normal.squares))
        return;
    ladder_whiten(data, &yielding, noise, &whitened);
    const struct ladder_freedom freedom = ladder_freedom_of(&yielding);
    if (!ladder_covariance(&yielding, &whitened, freedom.all, innovation, covariance))
        return;
    variances_of(covariance, variance);
    ladder_spreads_from(data, &yielding, variance, spread);
}

/* A term at its bound would be beyond it: where the gradient leads, with all of them free. */
static void unbind(const struct ladder_data *data, const struct ladder_rung *rung, const struct ladder_freedom *freedom,
                   double unbounded[LADDER_TERMS])
{
    struct small_cholesky cholesky;
    double beyond[LADDER_PARAMETERS] = {0};
    if (freedom->bound &&
        cholesky_factorise(&rung->normal.matrix[0][0], LADDER_PARAMETERS, freedom->all, 0, 1e-14, &cholesky))
        cholesky_solve(&cholesky, rung->normal.gradient, beyond);
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        if (freedom->all[p] && !ladder_parameters[p].logarithmic)
            unbounded[p] = (rung->parameters[p] + beyond[p]) * ladder_parameter_unit(data, p);
}

/* Covariances with the parameters at their bound held there, and as if they were free. */
static bool estimate_rung(const struct ladder_data *data, const struct ladder_rung *rung,
                          const struct ladder_whitened *whitened, const struct ar_model *noise, double innovation,
                          struct ladder_model *model)
{
    const struct ladder_freedom freedom = ladder_freedom_of(rung);
    double covariance[LADDER_PARAMETERS][LADDER_PARAMETERS], held[LADDER_PARAMETERS], loose[LADDER_PARAMETERS];
    if (!ladder_covariance(rung, whitened, freedom.free, innovation, covariance))
        return false;
    variances_of(covariance, held);
    const bool limited = freedom.bound && ladder_covariance(rung, whitened, freedom.all, innovation, covariance);
    variances_of(covariance, loose);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS && freedom.bound && !limited; p++)
        loose[p] = freedom.free[p] ? held[p] : (double)NAN;
    ladder_estimates_from(data, rung, &freedom, held, limited ? loose : NULL, model->estimate);
    ladder_spreads_from(data, rung, loose, model->spread);
    unbind(data, rung, &freedom, model->unbounded);
    if (ladder_terms_have(rung->terms, LADDER_X_D) && !(rung->parameters[LADDER_X_D] > 0) &&
        rung->parameters[LADDER_X_K] > 0)
        spread_unseen(data, rung, noise, innovation, model->spread);
    return true;
}

static double aicc_of(double likelihood, double samples, double unknowns)
{
    return likelihood + 2 * unknowns + 2 * unknowns * (unknowns + 1) / (samples - unknowns - 1);
}

static double criterion_of(double likelihood, unsigned terms)
{
    return likelihood + LADDER_TERM_COST * ladder_terms_count(terms);
}

/* A fit's answer. */
static void judge_rung(const struct ladder_data *data, const struct ladder_rung *rung, const struct ar_model *noise,
                       struct ladder_model *model)
{
    struct ladder_whitened whitened;
    model->verdict = rung->verdict;
    if (!isfinite(rung->normal.squares))
        return;
    ladder_whiten(data, rung, noise, &whitened);
    const double squares = whitened.squares, samples = (double)whitened.count;
    const unsigned terms = ladder_terms_count(rung->terms);
    const double unknowns = terms + (double)(LADDER_PARAMETERS - LADDER_TERMS);
    const double likelihood = ladder_likelihood(&whitened);
    model->rms = sqrt(rung->normal.squares / (double)data->count) * data->unit;
    model->aicc = aicc_of(likelihood, samples, unknowns + 1);
    model->criterion = criterion_of(likelihood, rung->terms);
    if (rung->verdict == VERDICT_OK &&
        !estimate_rung(data, rung, &whitened, noise, squares / (samples - unknowns), model))
        model->verdict = VERDICT_UNDERDETERMINED;
    model->f_n_hz = ladder_frequency(&model->estimate[LADDER_OMEGA_N]);
}

void ladder_not_made(struct ladder *ladder, enum verdict verdict)
{
    struct ladder_rung rungs[LADDER_RUNGS];
    *ladder = (struct ladder){.verdict = verdict,
                              .clock_step = clock_step_none(),
                              .zero_drift = zero_drift_none(),
                              .zero_steps = {.rms = NAN, .share = NAN},
                              .consistency = {.x_k = undetermined, .errors = NAN}};
    ladder_list(rungs);
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        struct ladder_model *model = &ladder->models[n];
        *model = (struct ladder_model){.terms = rungs[n].terms, .verdict = verdict, .f_n_hz = undetermined};
        model->rms = model->aicc = model->criterion = NAN;
        for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
            model->estimate[p] = undetermined;
        for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
            model->unbounded[p] = NAN;
    }
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        ladder->unseen.share[p] = 1;
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        ladder->estimate[p] = undetermined;
    ladder->f_n_hz = undetermined;
}

static const struct ladder_rung *closest_of(const struct ladder_rung rungs[LADDER_RUNGS])
{
    const struct ladder_rung *closest = &rungs[0];
    for (size_t n = 0; n < LADDER_RUNGS; n++)
        closest = rungs[n].normal.squares < closest->normal.squares ? &rungs[n] : closest;
    return closest;
}

void ladder_choose(const struct ladder_data *data, const struct ladder_rung rungs[LADDER_RUNGS], struct ladder *ladder)
{
    const struct ladder_rung *closest = closest_of(rungs);
    struct ar_model noise;
    double least = INFINITY;
    ladder_not_made(ladder, VERDICT_NOT_CONVERGED);
    ladder->samples = data->count;
    ladder->half_cycles = data->extrema - 1;
    if (!isfinite(closest->normal.squares))
        return;
    ladder_noise_from(data, closest, &noise);
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        struct ladder_model *model = &ladder->models[n];
        judge_rung(data, &rungs[n], &noise, model);
        if (model->verdict != VERDICT_OK || !(model->criterion < least))
            continue;
        least = model->criterion;
        ladder->chosen = n;
        ladder->verdict = VERDICT_OK;
    }
}

static void fit_and_choose(const struct ladder_data *data, const atomic_bool *cancel,
                           struct ladder_rung rungs[LADDER_RUNGS], struct ladder *ladder)
{
    ladder_fit(data, cancel, rungs);
    if (cancel && atomic_load(cancel))
        ladder_not_made(ladder, VERDICT_CANCELLED);
    else
        ladder_choose(data, rungs, ladder);
}

/* --- a drift of the sensor's zero --- */

/* What the ladder was without a drift, and with the values as they were recorded. */
struct undrifted {
    struct ladder_rung rungs[LADDER_RUNGS];
    struct ladder ladder;
    double *value, *extremum_value; /* owned */
};

static void undrifted_destroy(struct undrifted *before)
{
    if (before) {
        free(before->value);
        free(before->extremum_value);
    }
    free(before);
}

static struct undrifted *undrifted_create(const struct ladder_data *data, const struct ladder_rung rungs[LADDER_RUNGS],
                                          const struct ladder *ladder)
{
    struct undrifted *before = calloc(1, sizeof *before);
    if (!before)
        return NULL;
    before->value = calloc(data->count + LADDER_PADDING, sizeof *before->value); /* walked like those of the data */
    before->extremum_value = calloc(data->extrema, sizeof *before->extremum_value);
    if (!before->value || !before->extremum_value) {
        undrifted_destroy(before);
        return NULL;
    }
    memcpy(before->rungs, rungs, sizeof before->rungs);
    before->ladder = *ladder;
    memcpy(before->value, data->value, data->count * sizeof *before->value);
    memcpy(before->extremum_value, data->extremum_value, data->extrema * sizeof *before->extremum_value);
    return before;
}

static void restore(const struct undrifted *before, struct ladder_data *data, struct ladder_rung rungs[LADDER_RUNGS],
                    struct ladder *ladder)
{
    memcpy(rungs, before->rungs, sizeof before->rungs);
    *ladder = before->ladder;
    memcpy(data->value, before->value, data->count * sizeof *before->value);
    memcpy(data->extremum_value, before->extremum_value, data->extrema * sizeof *before->extremum_value);
}

static double white_criterion(const struct ladder_data *data, const struct ladder_rung *rung, double squares)
{
    const struct ladder_whitened white = {.count = data->count, .squares = squares};
    return criterion_of(ladder_likelihood(&white), rung->terms);
}

/* The line beside the chosen rung or one that it contains, by which the criterion is least, were the noise white: a
 * term of the chosen one may be there in the drift's place. Returns what the line takes from the criterion of the
 * chosen one. */
static double best_line(const struct ladder_data *data, const struct ladder_rung rungs[LADDER_RUNGS], size_t chosen,
                        struct zero_line *best)
{
    const double without = white_criterion(data, &rungs[chosen], rungs[chosen].normal.squares);
    double least = INFINITY;
    for (size_t n = 0; n <= chosen; n++) {
        struct zero_line line;
        if (rungs[n].terms & ~rungs[chosen].terms || !zero_line_beside(data, &rungs[n], &line))
            continue;
        const double criterion = white_criterion(data, &rungs[n], rungs[n].normal.squares - line.gain);
        if (!(criterion < least))
            continue;
        least = criterion;
        *best = line;
        best->variance *= rungs[n].normal.squares / (double)data->count;
    }
    return without - least;
}

static double least_criterion(const struct ladder_data *data, const struct ladder_rung rungs[LADDER_RUNGS],
                              const struct ar_model *noise)
{
    double least = INFINITY;
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        struct ladder_whitened whitened;
        if (rungs[n].verdict != VERDICT_OK || !isfinite(rungs[n].normal.squares))
            continue;
        ladder_whiten(data, &rungs[n], noise, &whitened);
        least = fmin(least, criterion_of(ladder_likelihood(&whitened), rungs[n].terms));
    }
    return least;
}

/* All rungs on data out of which the line is taken, until the line beside the rung that they choose agrees. Returns its
 * slope. */
static double fit_beside_drift(struct ladder_data *data, const atomic_bool *cancel,
                               struct ladder_rung rungs[LADDER_RUNGS], struct ladder *ladder, struct zero_line line)
{
    /* A slope that moves by this part of its standard error moves nothing else. */
    static const double SMALL = 0.1;
    enum { ROUNDS = 4 };
    double slope = 0;
    for (int round = 0; round < ROUNDS; round++) {
        slope += line.slope;
        zero_line_remove(data, line.slope);
        fit_and_choose(data, cancel, rungs, ladder);
        if (ladder->verdict != VERDICT_OK || !isfinite(best_line(data, rungs, ladder->chosen, &line)) ||
            fabs(line.slope) <= SMALL * sqrt(line.variance))
            break;
    }
    return slope;
}

/* Whether the ladder beside a drift, which counts as a term, is better than that without, seen through the noise that
 * the drift leaves. */
static bool drift_improves_fit(const struct ladder_data *data, const struct ladder_rung rungs[LADDER_RUNGS],
                               const struct ladder *ladder, const struct undrifted *before)
{
    struct ladder_data recorded = *data;
    struct ar_model noise;
    recorded.value = before->value;
    if (ladder->verdict != VERDICT_OK)
        return false;
    ladder_noise_from(data, closest_of(rungs), &noise);
    return ladder->models[ladder->chosen].criterion + LADDER_TERM_COST <
           least_criterion(&recorded, before->rungs, &noise);
}

/* All rungs are fitted again where the zero drifts, with the line taken out. */
static enum verdict find_drift(struct ladder_data *data, const atomic_bool *cancel,
                               struct ladder_rung rungs[LADDER_RUNGS], struct ladder *ladder, struct zero_drift *drift)
{
    struct zero_line line;
    *drift = zero_drift_none();
    if (!(best_line(data, rungs, ladder->chosen, &line) > LADDER_TERM_COST))
        return VERDICT_OK;
    struct undrifted *before = undrifted_create(data, rungs, ladder);
    if (!before)
        return VERDICT_NO_MEMORY;
    const double slope = fit_beside_drift(data, cancel, rungs, ladder, line);
    if (ladder->verdict != VERDICT_CANCELLED) {
        if (drift_improves_fit(data, rungs, ladder, before))
            *drift = zero_drift_of(data, &rungs[ladder->chosen], slope);
        if (!drift->found)
            restore(before, data, rungs, ladder);
    }
    undrifted_destroy(before);
    return VERDICT_OK;
}

/* --- steps of the clock --- */

/* All rungs on data that have been put right, until the rung that they choose agrees with the steps, or knows of none.
 * Returns whether the steps are known, or why not. */
static enum verdict fit_beside_steps(struct ladder_data *data, const atomic_bool *cancel,
                                     struct ladder_rung rungs[LADDER_RUNGS], struct ladder *ladder,
                                     struct clock_steps *steps)
{
    /* Terms may show only one after the other, each as the steps before allow for those that already do. */
    enum { ROUNDS = 10 };
    enum verdict verdict = VERDICT_OK;
    bool again = true;
    for (int round = 0; again && verdict == VERDICT_OK; round++) {
        fit_and_choose(data, cancel, rungs, ladder);
        if (ladder->verdict != VERDICT_OK || steps->count == 0 || round + 1 == ROUNDS)
            break;
        verdict = clock_steps_refine(data, &rungs[ladder->chosen], cancel, steps, &again);
    }
    return verdict;
}

/* Steps that no rung follows are put right before the residual is asked. */
static enum verdict find_leaps(struct ladder_data *data, const atomic_bool *cancel,
                               struct ladder_rung rungs[LADDER_RUNGS], struct ladder *ladder, struct clock_steps *steps)
{
    struct clock_step leap;
    while (steps->count < CLOCK_STEPS && clock_leap_find(data, steps, &leap)) {
        ladder_data_shift(data, leap.sample, leap.extremum, leap.lost_s.value / data->unit_s);
        clock_steps_add(steps, &leap);
    }
    if (steps->count == 0)
        return VERDICT_OK;
    const enum verdict verdict = fit_beside_steps(data, cancel, rungs, ladder, steps);
    if (verdict == VERDICT_OK && clock_steps_forget_ideas(data, steps) > 0)
        fit_and_choose(data, cancel, rungs, ladder);
    return verdict;
}

/* Looks for steps of the clock beside all terms: with fewer, those that are missing look like it, or hide it. All
 * rungs are fitted again where one is found. */
static enum verdict find_steps(struct ladder_data *data, const atomic_bool *cancel,
                               struct ladder_rung rungs[LADDER_RUNGS], struct ladder *ladder, struct clock_steps *steps)
{
    const size_t known = steps->count;
    const enum verdict verdict = clock_steps_find(data, &rungs[LADDER_RUNGS - 1], cancel, steps);
    return verdict == VERDICT_OK && steps->count > known ? fit_beside_steps(data, cancel, rungs, ladder, steps)
                                                         : verdict;
}

static enum verdict find_zero_steps(const struct ladder_data *data, const struct ladder_rung *rung,
                                    struct ladder *ladder)
{
    struct ladder_cycles cycles;
    const enum verdict verdict = ladder_cycles_from(data, rung, &cycles);
    if (verdict != VERDICT_OK)
        return verdict;
    ladder->zero_steps = zero_steps_from(data, rung, &cycles);
    ladder_cycles_clear(&cycles);
    return VERDICT_OK;
}

/* What the chosen rung leaves may be the recorder's fault. A ladder that does not know is not made. */
static void find_faults(struct ladder_data *data, const atomic_bool *cancel, struct ladder_rung rungs[LADDER_RUNGS],
                        struct ladder *ladder)
{
    if (ladder->verdict != VERDICT_OK)
        return;
    struct zero_drift drift = zero_drift_none();
    struct clock_steps steps = {.count = 0};
    enum verdict verdict = find_leaps(data, cancel, rungs, ladder, &steps);
    if (verdict == VERDICT_OK && ladder->verdict == VERDICT_OK)
        verdict = find_drift(data, cancel, rungs, ladder, &drift);
    if (verdict == VERDICT_OK && ladder->verdict == VERDICT_OK)
        verdict = find_steps(data, cancel, rungs, ladder, &steps);
    if (verdict == VERDICT_OK && ladder->verdict == VERDICT_OK)
        verdict = find_zero_steps(data, &rungs[ladder->chosen], ladder);
    if (verdict != VERDICT_OK)
        ladder_not_made(ladder, verdict);
    if (ladder->verdict != VERDICT_OK)
        return;
    clock_steps_state(data, &rungs[ladder->chosen], &steps);
    ladder->clock_steps = steps;
    ladder->clock_step = clock_steps_largest(&steps);
    ladder->zero_drift = drift;
}

enum verdict ladder_identify(const struct decay_record *record, const struct extremum *extrema, size_t count,
                             const atomic_bool *cancel, struct ladder *ladder)
{
    struct ladder_rung *rungs = calloc(LADDER_RUNGS, sizeof *rungs);
    struct ladder_data data;
    const enum verdict verdict = rungs ? ladder_data_from(record, extrema, count, &data) : VERDICT_NO_MEMORY;
    ladder_not_made(ladder, verdict);
    if (verdict == VERDICT_OK) {
        fit_and_choose(&data, cancel, rungs, ladder);
        find_faults(&data, cancel, rungs, ladder);
        ladder_data_clear(&data);
    }
    free(rungs);
    return ladder->verdict;
}
