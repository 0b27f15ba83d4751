/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The small dense algebra of the fits: few unknowns, of which fewer are bounded below by 0. Apart from the minimiser,
 * because the covariance needs the same restricted inverse. Written out, since with the bounds there are only a few
 * cases to try and none needs memory. */

#include "identify/decay/bounded_step.h"

#include <math.h>
#include <string.h>

/* Pivots of a unit-diagonal matrix below this are rounding. */
static const double smallest_pivot = 1e-13;

/* Lower Cholesky factor, with the reciprocals of its diagonal, in place of the first n rows; returns the smallest
 * pivot, stops at a bad one. */
static double factorise(double a[FIT_PARAMETERS][FIT_PARAMETERS], int n)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum -= a[i][k] * a[j][k];
            if (i != j) {
                a[i][j] = sum * a[j][j];
                continue;
            }
            least = fmin(least, sum);
            if (!(sum > smallest_pivot))
                return isnan(sum) ? 0.0 : least;
            a[i][i] = 1.0 / sqrt(sum);
        }
    return least;
}

/* Solves L L' x = x in place with the lower factor in a. */
static void substitute(double a[FIT_PARAMETERS][FIT_PARAMETERS], int n, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= a[i][k] * x[k];
        x[i] *= a[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= a[k][i] * x[k];
        x[i] *= a[i][i];
    }
}

/* The free rows and columns scaled to a unit diagonal, factorised; their indices and scales. */
struct compact {
    int n;
    int index[FIT_PARAMETERS];
    double scale[FIT_PARAMETERS];
    double factor[FIT_PARAMETERS][FIT_PARAMETERS];
    double pivot;
};

static bool compact_from(double matrix[FIT_PARAMETERS][FIT_PARAMETERS], const struct free_parameters *free,
                         double damping, struct compact *compact)
{
    compact->n = 0;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        if (free->free[p])
            compact->index[compact->n++] = p;
    for (int i = 0; i < compact->n; i++) {
        double diagonal = matrix[compact->index[i]][compact->index[i]];
        compact->scale[i] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 0.0;
    }
    for (int i = 0; i < compact->n; i++) {
        for (int j = 0; j < compact->n; j++)
            compact->factor[i][j] =
                matrix[compact->index[i]][compact->index[j]] * compact->scale[i] * compact->scale[j];
        compact->factor[i][i] += damping;
    }
    compact->pivot = factorise(compact->factor, compact->n);
    return compact->pivot > smallest_pivot;
}

bool restricted_inverse(double matrix[FIT_PARAMETERS][FIT_PARAMETERS], const struct free_parameters *free,
                        double inverse[FIT_PARAMETERS][FIT_PARAMETERS], double *pivot)
{
    struct compact compact;
    bool regular = compact_from(matrix, free, 0.0, &compact);
    memset(inverse, 0, sizeof(double[FIT_PARAMETERS][FIT_PARAMETERS]));
    if (pivot)
        *pivot = compact.pivot;
    for (int i = 0; regular && i < compact.n; i++) {
        double column[FIT_PARAMETERS] = {0};
        column[i] = 1.0;
        substitute(compact.factor, compact.n, column);
        for (int j = 0; j < compact.n; j++)
            inverse[compact.index[i]][compact.index[j]] = column[j] * compact.scale[i] * compact.scale[j];
    }
    return regular;
}

/* The minimiser of the damped quadratic model when the parameters that are not free move as step[] already says. */
static bool step_of_free(struct normal_equations *normal, const struct free_parameters *free, double damping,
                         double step[FIT_PARAMETERS])
{
    struct compact compact;
    if (!compact_from(normal->matrix, free, damping, &compact))
        return false;
    double right[FIT_PARAMETERS];
    for (int i = 0; i < compact.n; i++) {
        int p = compact.index[i];
        right[i] = normal->gradient[p];
        for (int r = 0; r < FIT_PARAMETERS; r++)
            if (!free->free[r])
                right[i] -= normal->matrix[p][r] * step[r];
        right[i] *= compact.scale[i];
    }
    substitute(compact.factor, compact.n, right);
    for (int i = 0; i < compact.n; i++)
        step[compact.index[i]] = right[i] * compact.scale[i];
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
