/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A few noisy samples may have two explanations, a fast decay with friction and a slow one without, say, and the wrong
 * one may leave the smaller residual. The curvature at one optimum knows nothing of the other. */

#include "identify/decay/other_optima.h"

#include <math.h>
#include <string.h>

enum { PASSES_AN_OPTIMUM = 60 };

/* Last step of the search for another optimum, in standard errors: its place is asked for, not its digits. */
static const double PLACE_TOLERANCE = 0.01;

/* By this factor curvature and likelihood must disagree before the curvature is distrusted: noise makes less. */
static const double LEAST_DISAGREEMENT = 2.0;

/* An optimum that is lower by less is the same one. */
static const double SAME_OPTIMUM = 1e-5;

/* Goes down from parameters, with one damping term held at 0 or with both (held < 0). Returns the sum of squares there,
 * or INFINITY where there is no optimum. */
static double descend(const struct fitting *fitting, int held, double parameters[FIT_PARAMETERS], enum verdict *verdict)
{
    struct decay_minimiser minimiser = fitting->minimiser;
    struct normal_equations normal;
    minimiser.passes_left = PASSES_AN_OPTIMUM;
    minimiser.last_change = 0.0;
    if (held >= 0)
        minimiser.free.free[held] = false;
    *verdict = decay_minimise(&minimiser, PLACE_TOLERANCE, parameters, &normal);
    return *verdict == VERDICT_OK ? normal.sum_of_squares : (double)INFINITY;
}

/* Half cycles of the fit's samples, 63 at most. */
static size_t half_cycles_of(const struct fitting *fitting)
{
    const double span = fitting->end - fitting->parameters[FIT_T0];
    return (size_t)fmin(fmax(span / decay_shape(fitting->parameters).half_period, 1.0), 63.0);
}

/* One damping term alone, with the fit's amplitude at the end. */
static void start_of(const struct fitting *fitting, int without, double parameters[FIT_PARAMETERS])
{
    const size_t count = half_cycles_of(fitting);
    double extrema[64];
    memcpy(parameters, fitting->parameters, sizeof(double[FIT_PARAMETERS]));
    decay_extrema(parameters, 0.0, extrema, count + 1);
    const double first = fabs(extrema[0]), last = fabs(extrema[count]);
    parameters[FIT_ZETA] =
        without == FIT_ZETA ? 0.0 : fmin(fmax(log(first / fmax(last, 1e-6 * first)), 0.0) / M_PI / (double)count, 0.5);
    parameters[FIT_X_K] = without == FIT_ZETA ? 0.5 * fmax(first - last, 0.0) / (double)count : 0.0;
}

/* The same decay, told from the extremum from which the fit tells it. */
static void tell_alike(const struct fitting *fitting, double parameters[FIT_PARAMETERS])
{
    const double t0 = fitting->parameters[FIT_T0];
    for (int k = 0; k < 64 && parameters[FIT_T0] > t0 + 0.5 * decay_shape(parameters).half_period; k++)
        if (!start_earlier(parameters))
            break;
    for (int k = 0; k < 64 && parameters[FIT_T0] < t0 - 0.5 * decay_shape(parameters).half_period; k++)
        start_later(parameters);
}

/* A place where the record is explained nearly as well: by how much it leaves more, and how much more that should be by
 * the curvature at the fit, both in variances. */
struct place {
    double parameters[FIT_PARAMETERS], away[FIT_PARAMETERS], left, expected;
};

static void measure(const struct fitting *fitting, double squares, double variance, struct place *place)
{
    tell_alike(fitting, place->parameters);
    place->left = (squares - fitting->normal.sum_of_squares) / variance;
    place->expected = 0.0;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        place->away[p] = place->parameters[p] - fitting->parameters[p];
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            place->expected += place->away[p] * fitting->normal.matrix[p][r] * place->away[r] / variance;
}

/* The curvature says that the fit lies sqrt(expected) standard errors from the place, the likelihood sqrt(left): where
 * these disagree by much, what lacks for the latter to be true is added. Never more than the place itself is away. */
static void add_spread(const struct place *place, struct other_optima *other_optima)
{
    const double left = fmax(place->left, 1.0);
    if (!(place->expected > LEAST_DISAGREEMENT * left))
        return;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            other_optima->spread[p][r] += (1.0 / left - 1.0 / place->expected) * place->away[p] * place->away[r];
}

/* The best fit without one of the damping terms, and the optimum of both next to it, if that is another one. */
static enum verdict find_other_optimum(const struct fitting *fitting, int without, double variance,
                                       struct other_optima *other_optima)
{
    struct place place;
    enum verdict verdict;
    start_of(fitting, without, place.parameters);
    double reduced[FIT_PARAMETERS], squares = descend(fitting, without, place.parameters, &verdict);
    if (!isfinite(squares))
        return verdict;
    memcpy(reduced, place.parameters, sizeof reduced);
    const double optimum = descend(fitting, -1, place.parameters, &verdict);
    if (isfinite(optimum))
        measure(fitting, optimum, variance, &place);
    if (isfinite(optimum) && optimum < other_optima->least) {
        other_optima->lower = true;
        other_optima->least = optimum;
        memcpy(other_optima->best, place.parameters, sizeof other_optima->best);
    }
    if (!isfinite(optimum) || place.expected < 1.0) {
        memcpy(place.parameters, reduced, sizeof reduced);
        measure(fitting, squares, variance, &place);
    }
    add_spread(&place, other_optima);
    return verdict;
}

enum verdict other_optima_find(const struct fitting *fitting, double variance, struct other_optima *other_optima)
{
    *other_optima = (struct other_optima){.least = (1.0 - SAME_OPTIMUM) * fitting->normal.sum_of_squares};
    if (find_other_optimum(fitting, FIT_ZETA, variance, other_optima) == VERDICT_CANCELLED ||
        find_other_optimum(fitting, FIT_X_K, variance, other_optima) == VERDICT_CANCELLED)
        return VERDICT_CANCELLED;
    return VERDICT_OK;
}
