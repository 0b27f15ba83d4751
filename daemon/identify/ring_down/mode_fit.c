/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Levenberg and Marquardt over the parameters of all modes. The amplitudes take part in each step and are then put to
 * their optimum for the new parameters, so that only the parameters can be far from theirs. */

#include "identify/ring_down/mode_fit.h"

#include "identify/common/dense_cholesky.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 60 };

/* A step that gains less than this share of what a row leaves on average is the last: it moves no parameter by more
 * than a thousandth of its standard error. */
#define LAST_GAIN 1e-6

struct search {
    struct mode_pass *pass;
    const struct mode_prior *prior;
    size_t unknowns, rows;
    double *gradient, *matrix, *damped, *step, *scale;
    double objective, squares, damping;
};

static double prior_squares(const struct search *search, const struct mode_sum *sum)
{
    double squares = 0;
    if (!search->prior)
        return 0;
    for (size_t r = 0, at = 0; r < sum->modes; r++)
        for (size_t p = 0; p < sum->law[r].parameters; p++, at++)
            squares += search->prior->precision[at] * sum->law[r].parameter[p] * sum->law[r].parameter[p];
    return squares * search->prior->variance;
}

static void normal_equations(struct search *search, const struct mode_sum *sum)
{
    mode_pass_normal(search->pass, sum, search->gradient, search->matrix);
    if (!search->prior)
        return;
    for (size_t r = 0, at = 0; r < sum->modes; r++)
        for (size_t p = 0; p < sum->law[r].parameters; p++, at++) {
            const double weight = search->prior->precision[at] * search->prior->variance;
            search->gradient[at] += weight * sum->law[r].parameter[p];
            search->matrix[at * search->unknowns + at] += weight;
        }
}

static bool factorise(struct search *search, double damping)
{
    return dense_cholesky(search->matrix, search->unknowns, damping, search->damped, search->scale);
}

/* The step in `step`; returns what the linear model expects it to gain. */
static double solve_step(struct search *search)
{
    const size_t n = search->unknowns;
    double gain = 0;
    for (size_t j = 0; j < n; j++)
        search->step[j] = -search->gradient[j];
    dense_cholesky_solve(search->damped, search->scale, n, search->step);
    for (size_t j = 0; j < n; j++)
        gain -= search->step[j] * search->gradient[j];
    return gain;
}

static void stepped(const struct search *search, const struct mode_sum *from, struct mode_sum *to)
{
    *to = *from;
    for (size_t r = 0, at = 0; r < from->modes; r++) {
        struct amplitude_law *law = &to->law[r];
        for (size_t p = 0; p < law->parameters; p++)
            law->parameter[p] += search->step[at++];
        law->prepare(law);
    }
}

/* One step that gains something; 1: none is left to gain, -1: the unknowns cannot be told apart. */
static int descend(struct search *search, struct mode_sum *sum, struct mode_sum *trial)
{
    normal_equations(search, sum);
    for (int attempt = 0; attempt < 30; attempt++) {
        if (!factorise(search, search->damping)) {
            if (search->damping > 1)
                return -1;
            search->damping = fmax(10 * search->damping, 1e-12);
            continue;
        }
        const double gain = solve_step(search);
        const bool last = gain <= LAST_GAIN * search->objective / (double)search->rows;
        stepped(search, sum, trial);
        const double squares = mode_pass_follow(search->pass, trial);
        const double objective = squares + prior_squares(search, trial);
        if (objective < search->objective) {
            *sum = *trial;
            search->squares = squares;
            search->objective = objective;
            search->damping *= 0.1;
            return last;
        }
        if (last)
            return 1;
        search->damping = fmax(10 * search->damping, 1e-9);
    }
    return 1;
}

static bool prepare(struct search *search, const struct mode_samples *samples, const struct mode_sum *sum)
{
    const size_t n = mode_sum_unknowns(sum, samples->sensors);
    search->unknowns = n;
    search->pass = mode_pass_create(samples, sum);
    search->gradient = calloc(3 * n + 2 * n * n, sizeof *search->gradient);
    if (!search->pass || !search->gradient)
        return false;
    search->step = search->gradient + n;
    search->scale = search->step + n;
    search->matrix = search->scale + n;
    search->damped = search->matrix + n * n;
    return true;
}

static enum verdict invert(struct search *search, struct mode_sum *sum, struct mode_fit *fit)
{
    const size_t n = search->unknowns;
    mode_pass_follow(search->pass, sum);
    normal_equations(search, sum);
    if (!factorise(search, 0))
        return VERDICT_UNDERDETERMINED;
    dense_cholesky_invert(search->damped, search->scale, n, fit->inverse);
    return VERDICT_OK;
}

static enum verdict minimise(struct search *search, const atomic_bool *cancel, struct mode_sum *sum,
                             struct mode_sum *trial, struct mode_fit *fit)
{
    search->squares = mode_pass_follow(search->pass, sum);
    search->objective = search->squares + prior_squares(search, sum);
    search->damping = 1e-3;
    if (!isfinite(search->objective))
        return VERDICT_UNDERDETERMINED;
    int ended = 0;
    for (fit->iterations = 0; ended == 0 && fit->iterations < STEPS; fit->iterations++) {
        if (cancel && atomic_load(cancel))
            return VERDICT_CANCELLED;
        ended = descend(search, sum, trial);
    }
    fit->squares = search->squares;
    const enum verdict verdict = ended < 0 ? VERDICT_UNDERDETERMINED : invert(search, sum, fit);
    return verdict == VERDICT_OK && ended == 0 ? VERDICT_NOT_CONVERGED : verdict;
}

enum verdict mode_fit(const struct mode_samples *samples, const struct mode_prior *prior, const atomic_bool *cancel,
                      struct mode_sum *sum, struct mode_fit *fit)
{
    struct search search = {.prior = prior};
    struct mode_sum *trial = malloc(sizeof *trial);
    enum verdict verdict = VERDICT_NO_MEMORY;
    *fit = (struct mode_fit){.rows = samples->count * samples->sensors * (samples->analytic ? 2 : 1)};
    search.rows = fit->rows;
    if (trial && prepare(&search, samples, sum)) {
        fit->unknowns = search.unknowns;
        fit->inverse = calloc(search.unknowns * search.unknowns, sizeof *fit->inverse);
        if (fit->inverse)
            verdict = minimise(&search, cancel, sum, trial, fit);
    }
    mode_pass_free(search.pass);
    free(search.gradient);
    free(trial);
    return verdict;
}

void mode_fit_clear(struct mode_fit *fit)
{
    free(fit->inverse);
    fit->inverse = NULL;
}
