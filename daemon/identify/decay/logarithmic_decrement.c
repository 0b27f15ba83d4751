/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The oldest way to a damping ratio, on swings instead of amplitudes so that the sensor's zero does not matter. */

#include "identify/decay/logarithmic_decrement.h"

#include "identify/decay/swing_line.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum verdict logarithmic_decrement(const struct extremum *extrema, size_t count, struct logarithmic_decrement *result)
{
    *result = (struct logarithmic_decrement){
        VERDICT_TOO_FEW_HALF_CYCLES, {NAN, NAN, NAN, NAN, false}, NAN, NAN, count > 0 ? count - 1 : 0};
    if (count < 4)
        return result->verdict;
    if (!swings_usable(extrema, count))
        return result->verdict = VERDICT_NOT_FINITE;
    struct swing_line line;
    if (!swing_line_fit(extrema, count - 1, true, &line))
        return result->verdict = VERDICT_UNDERDETERMINED;
    /* Growth within rounding is none. */
    if (line.loss < -1e-9)
        return result->verdict = VERDICT_NOT_DECAYING;
    const double beta = fmax(line.loss, 0) / M_PI, slope = pow(1 + beta * beta, -1.5);
    const double zeta = beta / sqrt(1 + beta * beta), se = slope * sqrt(line.variance) / M_PI;
    const double reach = gsl_cdf_tdist_Pinv(0.975, (double)(count - 3)) * se;
    result->zeta = (struct estimate){zeta, se, fmax(zeta - reach, 0), zeta + reach, false};
    result->delta = 2 * M_PI * beta;
    result->rms = line.rms;
    return result->verdict = VERDICT_OK;
}
