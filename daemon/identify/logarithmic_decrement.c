/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The oldest way to a damping ratio, on swings instead of amplitudes so that the sensor's zero does not matter. */

#include "identify/logarithmic_decrement.h"

#include "identify/small_least_squares.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static double swing(const struct extremum *extrema, size_t j)
{
    return fabs(extrema[j + 1].displacement - extrema[j].displacement);
}

/* The weighted straight line ln(swing) = line[0] - line[1] j; *variance is that of line[1]. */
static bool fit_line(const struct extremum *extrema, size_t swings, double line[SMALL_MAX], double *variance,
                     double *rms)
{
    struct small_least_squares equations = {.unknowns = 2};
    double inverse[SMALL_MAX][SMALL_MAX], cost = 0, squares = 0;
    const double first = swing(extrema, 0);
    for (size_t j = 0; j < swings; j++) {
        /* The error of a logarithm is that of the swing over the swing. */
        const double weight = swing(extrema, j) / first, row[2] = {weight, -weight * (double)j};
        small_least_squares_add(&equations, row, weight * log(swing(extrema, j) / first));
    }
    if (!small_least_squares_solve(&equations, line, inverse))
        return false;
    for (size_t j = 0; j < swings; j++) {
        const double miss = log(swing(extrema, j) / first) - line[0] + line[1] * (double)j;
        cost += pow(miss * swing(extrema, j) / first, 2);
        squares += miss * miss;
    }
    /* Neighbouring swings share an extremum: errors correlated by one half double the variance of a slope. */
    *variance = 2 * cost / (double)(swings - 2) * inverse[1][1];
    *rms = sqrt(squares / (double)swings);
    return true;
}

enum verdict logarithmic_decrement(const struct extremum *extrema, size_t count, struct logarithmic_decrement *result)
{
    *result = (struct logarithmic_decrement){
        VERDICT_TOO_FEW_HALF_CYCLES, {NAN, NAN, NAN, NAN, false}, NAN, NAN, count > 0 ? count - 1 : 0};
    if (count < 4)
        return result->verdict;
    for (size_t j = 0; j + 1 < count; j++)
        if (!isfinite(swing(extrema, j)) || !(swing(extrema, j) > 0))
            return result->verdict = VERDICT_NOT_FINITE;
    double line[SMALL_MAX] = {0}, variance = NAN, rms = NAN;
    if (!fit_line(extrema, count - 1, line, &variance, &rms))
        return result->verdict = VERDICT_UNDERDETERMINED;
    /* Growth within rounding is none. */
    if (line[1] < -1e-9)
        return result->verdict = VERDICT_NOT_DECAYING;
    const double beta = fmax(line[1], 0) / M_PI, slope = pow(1 + beta * beta, -1.5);
    const double zeta = beta / sqrt(1 + beta * beta), se = slope * sqrt(variance) / M_PI;
    const double reach = gsl_cdf_tdist_Pinv(0.975, (double)(count - 3)) * se;
    result->zeta = (struct estimate){zeta, se, fmax(zeta - reach, 0), zeta + reach, false};
    result->delta = 2 * M_PI * beta;
    result->rms = rms;
    return result->verdict = VERDICT_OK;
}
