/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each kind of damping from the part of the record where it shows most. */

#include "identify/decay/jacobsen_ayre.h"

#include "identify/decay/swing_line.h"
#include "motion/half_cycle_law.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

enum { FEWEST_SWINGS = 6 };

/* Both figures, and the covariance that the scatter of the steps gives them. */
struct solution {
    double q, w; /* w = 2 (1 + q) x_k */
    double variance_q, variance_w, covariance;
};

/* Mean square of what a step misses, over some of the steps. */
static double scatter(const struct extremum *extrema, size_t first, size_t last, double q, double w)
{
    double misses = 0;
    for (size_t j = first; j < last; j++)
        misses += pow(swing_of(extrema, j + 1) + w - q * swing_of(extrema, j), 2);
    return misses / (double)(last - first - 1);
}

/* The two conditions are linear in q and w: among the large swings S_{j+1} + w = q S_j is a line through zero, among
 * the small ones it holds in the mean. The scatter of each half goes through the inverse of that system into both.
 * False when they do not tell the two apart. */
static bool solve(const struct extremum *extrema, size_t half, size_t steps, struct solution *solution)
{
    double products = 0, squares = 0, large = 0, small = 0, next = 0;
    for (size_t j = 0; j < half; j++) {
        products += swing_of(extrema, j) * swing_of(extrema, j + 1);
        squares += swing_of(extrema, j) * swing_of(extrema, j);
        large += swing_of(extrema, j);
    }
    for (size_t j = half; j < steps; j++) {
        small += swing_of(extrema, j);
        next += swing_of(extrema, j + 1);
    }
    const double n = (double)(steps - half), determinant = n * squares - large * small;
    if (!(fabs(determinant) > 1e-12 * n * squares))
        return false;
    const double q = (n * products - large * next) / determinant;
    const double w = (small * products - squares * next) / determinant;
    /* Variances of the two sums on the right, each from its own half. */
    const double line = scatter(extrema, 0, half, q, w) * squares, mean = scatter(extrema, half, steps, q, w) * n;
    /* One division at a time: the determinant's square may be too small for a double. */
    const double by_n = n / determinant, by_large = large / determinant;
    const double by_small = small / determinant, by_squares = squares / determinant;
    *solution = (struct solution){
        .q = q,
        .w = w,
        .variance_q = by_n * line * by_n + by_large * mean * by_large,
        .variance_w = by_small * line * by_small + by_squares * mean * by_squares,
        .covariance = by_n * line * by_small + by_large * mean * by_squares,
    };
    return isfinite(solution->variance_q) && isfinite(solution->variance_w) && isfinite(solution->covariance);
}

static struct estimate estimate_of(double value, double se, double freedom)
{
    const double reach = gsl_cdf_tdist_Pinv(0.975, freedom) * se;
    return (struct estimate){value, se, fmax(value - reach, 0), value + reach, false, {0}};
}

/* scale: the first swing. */
static enum verdict report(const struct solution *found, double freedom, double scale, struct jacobsen_ayre *result)
{
    const double q = found->q;
    /* Friction and growth of a little less than nothing are rounding or noise. */
    if (!(q > 0) || !(q < 1 + 1e-9))
        return VERDICT_NOT_DECAYING;
    const double factor = 1 / (2 * (1 + q)), x_k = found->w * factor;
    /* dx_k = (dw - 2 x_k dq)/(2 (1 + q)) */
    const double variance =
        factor * factor * (found->variance_w + 4 * x_k * x_k * found->variance_q - 4 * x_k * found->covariance);
    const double se = sqrt(fmax(variance, 0));
    if (x_k + gsl_cdf_tdist_Pinv(0.975, freedom) * se < -1e-9 * scale)
        return VERDICT_NOT_DECAYING;
    const double beta = -log(fmin(q, 1)) / M_PI, slope = law_zeta_per_beta(beta);
    result->zeta = estimate_of(law_zeta(beta), slope * sqrt(found->variance_q) / (M_PI * q), freedom);
    result->x_k = estimate_of(fmax(x_k, 0), se, freedom);
    return VERDICT_OK;
}

enum verdict jacobsen_ayre(const struct extremum *extrema, size_t count, struct jacobsen_ayre *result)
{
    const struct estimate unknown = {NAN, NAN, NAN, NAN, false, {0}};
    *result = (struct jacobsen_ayre){.verdict = VERDICT_TOO_FEW_HALF_CYCLES, .zeta = unknown, .x_k = unknown};
    if (count < FEWEST_SWINGS + 1)
        return result->verdict;
    if (!swings_usable(extrema, count))
        return result->verdict = VERDICT_NOT_FINITE;
    const size_t steps = count - 2, half = steps / 2;
    struct solution found;
    result->large = half + 1;
    result->small = steps - half + 1;
    if (!solve(extrema, half, steps, &found))
        return result->verdict = VERDICT_UNDERDETERMINED;
    /* The smaller of the two scatters' degrees of freedom. */
    return result->verdict = report(&found, (double)half - 1, swing_of(extrema, 0), result);
}
