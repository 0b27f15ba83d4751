/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A score test on the heights of the extrema: one column is added to those of their fit, and asked for what is new in
 * it. */

#include "identify/decay/extrema_drift.h"

#include "identify/common/small_least_squares.h"
#include "identify/decay/decay_model.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* What the heights depend on. */
static const enum fit_parameter parameter_of[SMALL_MAX] = {FIT_ZETA, FIT_X_K, FIT_X0, FIT_BIAS};

/* One height: its derivatives, what a unit drag has made of it, and how far it lies from the fit. All weighted. */
struct height {
    double row[SMALL_MAX];
    double drag, residual;
};

/* A walk along the extrema of a fit. Heights in units of X_0. */
struct heights {
    const struct extremum *extrema;
    double parameters[FIT_PARAMETERS], unit, least_se;
    struct decay_shape shape;
    struct decay_half_cycle half;
    double lost; /* by a unit drag so far, of |X_j| */
};

static struct heights heights_of(const struct extremum *extrema, size_t count, const struct extrema_fit *fit)
{
    struct heights heights = {.extrema = extrema, .unit = fabs(fit->estimate[FIT_X0].value), .least_se = INFINITY};
    heights.parameters[FIT_OMEGA_N] = 1.0; /* the heights do not depend on it */
    for (int u = 0; u < SMALL_MAX; u++)
        heights.parameters[parameter_of[u]] = fit->estimate[parameter_of[u]].value / (u == 0 ? 1.0 : heights.unit);
    /* Where one uncertainty is not known, all heights weigh the same. */
    for (size_t j = 0; j < count; j++)
        heights.least_se = extrema[j].se > 0.0 ? fmin(heights.least_se, extrema[j].se) : 0.0 * heights.least_se;
    if (!(heights.least_se > 0.0) || !isfinite(heights.least_se))
        heights.least_se = 0.0;
    heights.shape = decay_shape(heights.parameters);
    heights.half = decay_first_half_cycle(heights.parameters);
    return heights;
}

/* Extremum j, and on to the next. Derivatives by SHK Eq. 4's own recursion. */
static struct height next_height(struct heights *heights, size_t j)
{
    const struct extremum *extremum = &heights->extrema[j];
    struct decay_half_cycle *half = &heights->half;
    const double weight = heights->least_se > 0.0 ? heights->least_se / extremum->se : 1.0;
    const double measured = extremum->displacement / heights->unit, start = half->start.x;
    const double row[SMALL_MAX] = {half->start.per_beta * heights->shape.beta_per_zeta, half->start.per_x_k,
                                   half->start.per_x0, 1.0};
    struct height height = {.drag = weight * half->start.sigma * heights->lost,
                            .residual = weight * (measured - start - heights->parameters[FIT_BIAS])};
    for (int u = 0; u < SMALL_MAX; u++)
        height.row[u] = weight * row[u];
    decay_next_half_cycle(heights->parameters, &heights->shape, half);
    const double mean = (fabs(start) + fabs(half->start.x)) / 2.0;
    heights->lost = heights->shape.q * heights->lost - mean * mean;
    return height;
}

/* What no parameter of the fit can imitate in the column of the drag. Without bounds: a drag that the model lacks may
 * be what holds zeta or x_k at 0. */
struct new_part {
    double answer[SMALL_MAX]; /* how the parameters answer to the column */
    double beyond[SMALL_MAX]; /* and to the residual: 0 where no bound holds them */
    double square, with_residual, squares;
};

static double without(const double row[SMALL_MAX], const double of[SMALL_MAX], double value)
{
    for (int u = 0; u < SMALL_MAX; u++)
        value -= row[u] * of[u];
    return value;
}

static bool new_part_of(struct heights heights, size_t count, struct new_part *part)
{
    const struct heights from_start = heights;
    struct small_least_squares by_drag = {.unknowns = SMALL_MAX}, by_residual = {.unknowns = SMALL_MAX};
    *part = (struct new_part){.square = 0.0};
    for (size_t j = 0; j < count; j++) {
        const struct height height = next_height(&heights, j);
        small_least_squares_add(&by_drag, height.row, height.drag);
        small_least_squares_add(&by_residual, height.row, height.residual);
    }
    if (!small_least_squares_solve(&by_drag, part->answer, NULL) ||
        !small_least_squares_solve(&by_residual, part->beyond, NULL))
        return false;
    heights = from_start;
    for (size_t j = 0; j < count; j++) {
        const struct height height = next_height(&heights, j);
        const double left = without(height.row, part->answer, height.drag);
        const double residual = without(height.row, part->beyond, height.residual);
        part->square += left * left;
        part->with_residual += left * residual;
        part->squares += residual * residual;
    }
    return part->square > 0.0;
}

bool extrema_damping_drift(const struct extremum *extrema, size_t count, const struct extrema_fit *fit,
                           struct drift *drift)
{
    struct new_part part;
    if (fit->verdict != VERDICT_OK || !(fabs(fit->estimate[FIT_X0].value) > 0.0) ||
        !new_part_of(heights_of(extrema, count, fit), count, &part) || count < SMALL_MAX + 3)
        return false;
    const double coefficient = part.with_residual / part.square, x0 = fabs(fit->estimate[FIT_X0].value);
    const double freedom = (double)(count - SMALL_MAX - 1);
    /* Rounding is the least that may count as noise. */
    const double left = fmax(part.squares - coefficient * part.with_residual, (double)count * 1e-24);
    const double se = sqrt(left / freedom / part.square), reach = gsl_cdf_tdist_Pinv(0.975, freedom) * se;
    const double unit = 3.0 / (4.0 * x0);
    *drift = (struct drift){
        .size = {coefficient * unit, se * unit, (coefficient - reach) * unit, (coefficient + reach) * unit, false},
        .relative = coefficient,
        .likelihood_ratio = drift_likelihood_ratio(coefficient / se, freedom),
    };
    drift->flagged = drift->likelihood_ratio > DRIFT_FLAGGED;
    for (int u = 0; u < SMALL_MAX; u++)
        drift->shift[parameter_of[u]] = (part.beyond[u] - coefficient * part.answer[u]) * (u == 0 ? 1.0 : x0);
    drift_keep_bounds(fit->estimate, drift);
    return true;
}
