/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The straight line of the oldest methods. */

#include "identify/decay/swing_line.h"

#include "identify/common/small_least_squares.h"

#include <gsl/gsl_cdf.h>

bool swings_usable(const struct extremum *extrema, size_t count)
{
    for (size_t j = 0; j + 1 < count; j++)
        if (!isfinite(swing_of(extrema, j)) || !(swing_of(extrema, j) > 0))
            return false;
    return true;
}

static bool fit(const struct extremum *extrema, size_t swings, double stride, bool logarithmic, struct swing_line *line)
{
    struct small_least_squares equations = {.unknowns = 2};
    double x[SMALL_MAX] = {0}, inverse[SMALL_MAX][SMALL_MAX], cost = 0, squares = 0;
    const double first = swing_of(extrema, 0);
    for (size_t j = 0; j < swings; j++) {
        /* The error of a logarithm is that of the swing over the swing. */
        const double part = swing_of(extrema, j) / first, weight = logarithmic ? part : 1;
        const double row[2] = {weight, -weight * (double)j};
        small_least_squares_add(&equations, row, weight * (logarithmic ? log(part) : part));
    }
    if (!small_least_squares_solve(&equations, x, inverse))
        return false;
    for (size_t j = 0; j < swings; j++) {
        const double part = swing_of(extrema, j) / first;
        const double miss = (logarithmic ? log(part) : part) - x[0] + x[1] * (double)j;
        cost += pow(miss * (logarithmic ? part : 1), 2);
        squares += miss * miss;
    }
    /* Neighbouring swings share an extremum: errors correlated by one half double the variance of a slope. */
    *line = (struct swing_line){
        .start = x[0],
        .loss = x[1] / stride,
        .variance = 2 * cost / (double)(swings - 2) * inverse[1][1] / (stride * stride),
        .rms = sqrt(squares / (double)swings),
    };
    return true;
}

enum verdict swing_line_fit(const struct extremum *extrema, size_t count, size_t stride, bool logarithmic,
                            struct swing_line *line)
{
    if (count < 4)
        return VERDICT_TOO_FEW_HALF_CYCLES;
    if (!swings_usable(extrema, count))
        return VERDICT_NOT_FINITE;
    if (!fit(extrema, count - 1, (double)stride, logarithmic, line))
        return VERDICT_UNDERDETERMINED;
    /* Growth within rounding is none. */
    if (line->loss < -1e-9)
        return VERDICT_NOT_DECAYING;
    line->loss = fmax(line->loss, 0);
    return VERDICT_OK;
}

struct estimate swing_line_estimate(double value, double se, size_t count)
{
    const double reach = gsl_cdf_tdist_Pinv(0.975, (double)(count - 3)) * se;
    return (struct estimate){value, se, fmax(value - reach, 0), value + reach, false, {0}};
}
