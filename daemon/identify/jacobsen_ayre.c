/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each kind of damping from the part of the record where it shows most. */

#include "identify/jacobsen_ayre.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

enum { FEWEST_SWINGS = 6 };

static double swing(const struct extremum *extrema, size_t j)
{
    return fabs(extrema[j + 1].displacement - extrema[j].displacement);
}

/* A figure from one half of the swings, and the variance that its scatter gives it. */
struct part {
    double value, variance;
    double freedom;
};

/* The two conditions are linear in q and w = 2 (1 + q) x_k: among the large swings S_{j+1} + w = q S_j is a line
 * through zero, among the small ones it holds in the mean. False when they do not tell the two apart. */
static bool solve(const struct extremum *extrema, size_t half, size_t steps, double *q, double *w)
{
    double products = 0, squares = 0, large = 0, small = 0, next = 0;
    for (size_t j = 0; j < half; j++) {
        products += swing(extrema, j) * swing(extrema, j + 1);
        squares += swing(extrema, j) * swing(extrema, j);
        large += swing(extrema, j);
    }
    for (size_t j = half; j < steps; j++) {
        small += swing(extrema, j);
        next += swing(extrema, j + 1);
    }
    const double n = (double)(steps - half), determinant = n * squares - large * small;
    if (!(fabs(determinant) > 1e-12 * n * squares))
        return false;
    *q = (n * products - large * next) / determinant;
    *w = (small * products - squares * next) / determinant;
    return true;
}

/* Mean square of what a step misses, over some of the steps. */
static double scatter(const struct extremum *extrema, size_t first, size_t last, double q, double w)
{
    double misses = 0;
    for (size_t j = first; j < last; j++)
        misses += pow(swing(extrema, j + 1) + w - q * swing(extrema, j), 2);
    return misses / (double)(last - first - 1);
}

static struct part q_part(const struct extremum *extrema, size_t half, double q, double w)
{
    double squares = 0;
    for (size_t j = 0; j < half; j++)
        squares += swing(extrema, j) * swing(extrema, j);
    return (struct part){q, scatter(extrema, 0, half, q, w) / squares, (double)half - 1};
}

static struct part x_k_part(const struct extremum *extrema, size_t half, size_t steps, double q, double w)
{
    const double n = (double)(steps - half), factor = 1 / (2 * (1 + q));
    return (struct part){w * factor, scatter(extrema, half, steps, q, w) * factor * factor / n, n - 1};
}

static struct estimate estimate_of(double value, double se, double freedom)
{
    const double reach = gsl_cdf_tdist_Pinv(0.975, freedom) * se;
    return (struct estimate){value, se, fmax(value - reach, 0), value + reach, false};
}

/* scale: the first swing. */
static enum verdict report(const struct part *q, const struct part *x_k, double scale, struct jacobsen_ayre *result)
{
    /* Friction and growth of a little less than nothing are rounding or noise. */
    if (!(q->value > 0) || !(q->value < 1 + 1e-9))
        return VERDICT_NOT_DECAYING;
    const double reach = gsl_cdf_tdist_Pinv(0.975, x_k->freedom) * sqrt(x_k->variance);
    if (x_k->value + reach < -1e-9 * scale)
        return VERDICT_NOT_DECAYING;
    const double beta = -log(fmin(q->value, 1)) / M_PI, slope = pow(1 + beta * beta, -1.5);
    result->zeta = estimate_of(beta / sqrt(1 + beta * beta), slope * sqrt(q->variance) / (M_PI * q->value), q->freedom);
    result->x_k = estimate_of(fmax(x_k->value, 0), sqrt(x_k->variance), x_k->freedom);
    return VERDICT_OK;
}

enum verdict jacobsen_ayre(const struct extremum *extrema, size_t count, struct jacobsen_ayre *result)
{
    const struct estimate unknown = {NAN, NAN, NAN, NAN, false};
    *result = (struct jacobsen_ayre){.verdict = VERDICT_TOO_FEW_HALF_CYCLES, .zeta = unknown, .x_k = unknown};
    if (count < FEWEST_SWINGS + 1)
        return result->verdict;
    for (size_t j = 0; j + 1 < count; j++)
        if (!isfinite(swing(extrema, j)) || !(swing(extrema, j) > 0))
            return result->verdict = VERDICT_NOT_FINITE;
    const size_t steps = count - 2, half = steps / 2;
    double q = NAN, w = NAN;
    result->large = half + 1;
    result->small = steps - half + 1;
    if (!solve(extrema, half, steps, &q, &w))
        return result->verdict = VERDICT_UNDERDETERMINED;
    const struct part viscous = q_part(extrema, half, q, w), friction = x_k_part(extrema, half, steps, q, w);
    return result->verdict = report(&viscous, &friction, swing(extrema, 0), result);
}
