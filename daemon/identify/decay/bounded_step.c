/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The small dense algebra of the fits: few unknowns, of which fewer are bounded below by 0. Apart from the minimiser,
 * because the covariance needs the same restricted inverse. With the bounds there are only a few cases to try. */

#include "identify/decay/bounded_step.h"

#include "motion/small_cholesky.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Pivots of a unit-diagonal matrix below this are rounding. */
static const double smallest_pivot = 1e-13;

static_assert((int)FIT_PARAMETERS <= (int)CHOLESKY_MOST, "a model with more parameters needs a larger factor");

bool restricted_inverse(double matrix[FIT_PARAMETERS][FIT_PARAMETERS], const struct free_parameters *free,
                        double inverse[FIT_PARAMETERS][FIT_PARAMETERS])
{
    struct small_cholesky cholesky;
    const bool regular = cholesky_factorise(&matrix[0][0], FIT_PARAMETERS, free->free, 0.0, smallest_pivot, &cholesky);
    if (regular)
        cholesky_invert(&cholesky, FIT_PARAMETERS, &inverse[0][0]);
    else
        memset(inverse, 0, sizeof(double[FIT_PARAMETERS][FIT_PARAMETERS]));
    return regular;
}

/* The minimiser of the damped quadratic model when the parameters that are not free move as step[] already says. */
static bool step_of_free(struct normal_equations *normal, const struct free_parameters *free, double damping,
                         double step[FIT_PARAMETERS])
{
    struct small_cholesky cholesky;
    if (!cholesky_factorise(&normal->matrix[0][0], FIT_PARAMETERS, free->free, damping, smallest_pivot, &cholesky))
        return false;
    double right[FIT_PARAMETERS];
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        right[p] = normal->gradient[p];
        for (int r = 0; r < FIT_PARAMETERS; r++)
            if (!free->free[r])
                right[p] -= normal->matrix[p][r] * step[r];
    }
    cholesky_solve(&cholesky, right, step);
    return true;
}

/* ½ d'(N + damping diag N)d - g'd: the change of half the sum of squares that the step promises, damping included. */
static double quadratic_model(struct normal_equations *normal, double damping, const double *step)
{
    double value = 0.0;
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        value += step[p] * (0.5 * damping * normal->matrix[p][p] * step[p] - normal->gradient[p]);
        for (int r = 0; r < FIT_PARAMETERS; r++)
            value += 0.5 * step[p] * normal->matrix[p][r] * step[r];
    }
    return value;
}

static bool inside(const double *parameters, const double *step, const struct free_parameters *free)
{
    for (int p = 0; p < FIT_PARAMETERS; p++)
        if (free->free[p] && decay_parameters[p].not_negative && parameters[p] + step[p] < 0.0)
            return false;
    return true;
}

/* The free parameters that have a bound; returns how many. */
static unsigned bounded_of(const struct free_parameters *free, int bounded[FIT_PARAMETERS])
{
    unsigned count = 0;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        if (free->free[p] && decay_parameters[p].not_negative)
            bounded[count++] = p;
    return count;
}

/* The step with some of the bounds active, by bits; returns its value of the quadratic model, INFINITY when infeasible
 * and NAN when singular. */
static double try_active(struct normal_equations *normal, const double *parameters, struct free_parameters free,
                         unsigned active, double damping, double step[FIT_PARAMETERS])
{
    int bounded[FIT_PARAMETERS];
    const unsigned count = bounded_of(&free, bounded);
    memset(step, 0, sizeof(double[FIT_PARAMETERS]));
    for (unsigned b = 0; b < count; b++) {
        if (!(active & (1u << b)))
            continue;
        free.free[bounded[b]] = false;
        step[bounded[b]] = -parameters[bounded[b]];
    }
    if (!step_of_free(normal, &free, damping, step))
        return NAN;
    if (!inside(parameters, step, &free))
        return INFINITY;
    return quadratic_model(normal, damping, step);
}

bool bounded_step(struct normal_equations *normal, const double *parameters, const struct free_parameters *free,
                  double damping, double step[FIT_PARAMETERS])
{
    int bounded[FIT_PARAMETERS];
    double best = try_active(normal, parameters, *free, 0, damping, step);
    /* Feasible without a bound is the minimum; only a step that leaves the bounds calls for the other cases. */
    if (isfinite(best) || isnan(best))
        return isfinite(best);
    const unsigned cases = 1u << bounded_of(free, bounded);
    for (unsigned active = 1; active < cases; active++) {
        double candidate[FIT_PARAMETERS];
        double value = try_active(normal, parameters, *free, active, damping, candidate);
        if (value < best) {
            best = value;
            memcpy(step, candidate, sizeof candidate);
        }
    }
    return isfinite(best);
}
