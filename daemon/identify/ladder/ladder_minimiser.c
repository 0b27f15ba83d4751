/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_minimiser.h"

#include "motion/small_cholesky.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static_assert((int)LADDER_PARAMETERS <= (int)CHOLESKY_MOST, "a rung with more parameters needs a larger factor");

/* Pivots of a unit-diagonal matrix below this are rounding. */
static const double SMALLEST_PIVOT = 1e-14;

/* A logarithm moves by this at most: beyond it the derivative says nothing. It moves by the parameter's root, by which
 * presliding's frequency goes, so that valleys are less bent. */
static const double LOGARITHM_STEP = 1;

/* The damping is relative to the diagonal; a step that fails raises it, faster from one failure to the next, and the
 * one behind it does not lower it: in a bent valley every other step would fail. */
static const double FIRST_DAMPING = 1e-6, LEAST_DAMPING = 1e-7, MOST_DAMPING = 1e12, RAISE = 4;

/* Residuals below this are rounding. */
static const double ROUNDING = 1e-14;

void ladder_free(unsigned terms, const double parameters[LADDER_PARAMETERS], const struct ladder_normal *normal,
                 bool free[LADDER_PARAMETERS])
{
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        free[p] = ladder_terms_have(terms, p);
        if (ladder_parameters[p].not_negative)
            free[p] = free[p] && (parameters[p] > 0 || normal->gradient[p] > 0);
        if (ladder_parameters[p].logarithmic)
            free[p] =
                free[p] && parameters[p] > 0 && (parameters[p] < ladder_parameters[p].most || normal->gradient[p] < 0);
        /* What does not move the model cannot be found. */
        free[p] = free[p] && normal->matrix[p][p] > 0;
    }
}

/* The step's squared length as a change of the model, and what it takes from the sum of squares by the normal
 * equations. */
static double step_length(const struct ladder_normal *normal, const double *step, double *promised)
{
    double length = 0, gain = 0;
    for (size_t p = 0; p < LADDER_PARAMETERS; p++) {
        gain += 2 * step[p] * normal->gradient[p];
        for (size_t q = 0; q < p; q++)
            length += 2 * step[p] * normal->matrix[p][q] * step[q];
        length += step[p] * normal->matrix[p][p] * step[p];
    }
    *promised = gain - length;
    return length;
}

/* The damped step of the free parameters, of which those held go to their bound, 0. False: the equations say nothing,
 * or another one would pass its bound. */
static bool step_holding(const struct ladder_normal *normal, const double *parameters,
                         const bool free[LADDER_PARAMETERS], unsigned held, double damping,
                         double step[LADDER_PARAMETERS])
{
    struct small_cholesky cholesky;
    double right[LADDER_PARAMETERS];
    bool moved[LADDER_PARAMETERS], inside = true;
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const bool holds = held & LADDER_BIT(p);
        moved[p] = free[p] && !holds;
        step[p] = holds ? -parameters[p] : 0;
    }
    if (!cholesky_factorise(&normal->matrix[0][0], LADDER_PARAMETERS, moved, damping, SMALLEST_PIVOT, &cholesky))
        return false;
    for (size_t p = 0; p < LADDER_PARAMETERS; p++) {
        right[p] = normal->gradient[p];
        for (size_t q = 0; q < LADDER_PARAMETERS; q++)
            right[p] -= moved[q] ? 0 : (p > q ? normal->matrix[p][q] : normal->matrix[q][p]) * step[q];
    }
    cholesky_solve(&cholesky, right, step);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        inside = inside && !(moved[p] && ladder_parameters[p].not_negative && parameters[p] + step[p] < 0);
    return inside;
}

/* The damped step inside the bounds. Where it would pass one, the sets of parameters that may be held there are few:
 * the one that promises most. Holding one after the other can end in a corner that is no optimum. */
static bool step_inside(const struct ladder_normal *normal, const double *parameters,
                        const bool free[LADDER_PARAMETERS], double damping, double step[LADDER_PARAMETERS])
{
    unsigned bounded = 0;
    double most = -INFINITY;
    if (step_holding(normal, parameters, free, 0, damping, step))
        return true;
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        bounded |= free[p] && ladder_parameters[p].not_negative ? LADDER_BIT(p) : 0;
    for (unsigned held = bounded; held > 0; held = (held - 1) & bounded) {
        double tried[LADDER_PARAMETERS], promised;
        if (!step_holding(normal, parameters, free, held, damping, tried))
            continue;
        step_length(normal, tried, &promised);
        if (promised <= most)
            continue;
        most = promised;
        memcpy(step, tried, sizeof tried);
    }
    return isfinite(most);
}

static void apply(const double *parameters, const double *step, double tried[LADDER_PARAMETERS])
{
    double shorten = 1;
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        if (ladder_parameters[p].logarithmic && fabs(step[p]) > LOGARITHM_STEP)
            shorten = LOGARITHM_STEP / fabs(step[p]);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const double by = shorten * step[p];
        tried[p] = parameters[p] + by;
        if (!ladder_parameters[p].logarithmic)
            continue;
        tried[p] = fmin(parameters[p] * (1 + 0.5 * by) * (1 + 0.5 * by), ladder_parameters[p].most);
        if (tried[p] < ladder_parameters[p].least)
            tried[p] = 0;
    }
}

/* Whether a term went away with the step: the optimum is then that of the rung without it. */
static bool vanishes(const double *parameters, const double *tried)
{
    bool vanished = false;
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        vanished = vanished || (ladder_parameters[p].logarithmic && parameters[p] > 0 && !(tried[p] > 0));
    return vanished;
}

enum verdict ladder_minimise(ladder_pass *pass, const struct ladder_data *data, unsigned terms, double tolerance,
                             int passes, const atomic_bool *cancel, double parameters[LADDER_PARAMETERS],
                             struct ladder_normal *normal)
{
    double damping = FIRST_DAMPING, raise = RAISE;
    bool failed = false;
    struct ladder_normal next;
    const double rounding = ROUNDING * ROUNDING * (double)data->count;
    pass(data, terms, parameters, normal);
    for (int pass_number = 1; pass_number < passes && isfinite(normal->squares); pass_number++) {
        double step[LADDER_PARAMETERS] = {0}, tried[LADDER_PARAMETERS], promised;
        bool free[LADDER_PARAMETERS];
        if (cancel && atomic_load(cancel))
            return VERDICT_CANCELLED;
        ladder_free(terms, parameters, normal, free);
        /* A step that is short because it is damped says nothing about the way that is left. */
        const bool known =
            step_inside(normal, parameters, free, 0, step) || step_inside(normal, parameters, free, damping, step);
        if (known && step_length(normal, step, &promised) <= tolerance * normal->squares + rounding)
            return VERDICT_OK;
        const bool stepped = step_inside(normal, parameters, free, damping, step);
        step_length(normal, step, &promised);
        apply(parameters, step, tried);
        if (stepped)
            pass(data, terms, tried, &next);
        if (!stepped || !(next.squares < normal->squares)) {
            damping = fmax(damping, LEAST_DAMPING) * raise;
            raise *= 2;
            failed = true;
            if (damping > MOST_DAMPING)
                return VERDICT_OK;
            continue;
        }
        const double kept = (normal->squares - next.squares) / promised;
        damping *= fmax(failed ? 1 : 1 / RAISE, 1 - pow(2 * kept - 1, 3));
        failed = false;
        raise = RAISE;
        const bool vanished = vanishes(parameters, tried);
        memcpy(parameters, tried, sizeof tried);
        *normal = next;
        if (vanished)
            return VERDICT_OK;
    }
    return VERDICT_NOT_CONVERGED;
}
