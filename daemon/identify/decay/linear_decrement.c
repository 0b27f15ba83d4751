/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The oldest way to a friction, on swings instead of amplitudes so that the sensor's zero does not matter. */

#include "identify/decay/linear_decrement.h"

#include "identify/decay/swing_line.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum verdict linear_decrement(const struct extremum *extrema, size_t count, struct linear_decrement *result)
{
    *result = (struct linear_decrement){
        VERDICT_TOO_FEW_HALF_CYCLES, {NAN, NAN, NAN, NAN, false}, NAN, NAN, count > 0 ? count - 1 : 0};
    if (count < 4)
        return result->verdict;
    if (!swings_usable(extrema, count))
        return result->verdict = VERDICT_NOT_FINITE;
    struct swing_line line;
    if (!swing_line_fit(extrema, count - 1, false, &line))
        return result->verdict = VERDICT_UNDERDETERMINED;
    /* Growth within rounding is none. */
    if (line.loss < -1e-9)
        return result->verdict = VERDICT_NOT_DECAYING;
    const double first = swing_of(extrema, 0), x_k = fmax(line.loss, 0) * first / 4,
                 se = sqrt(line.variance) * first / 4;
    const double reach = gsl_cdf_tdist_Pinv(0.975, (double)(count - 3)) * se;
    result->x_k = (struct estimate){x_k, se, fmax(x_k - reach, 0), x_k + reach, false};
    result->per_cycle = 4 * x_k;
    result->rms = line.rms * first;
    return result->verdict = VERDICT_OK;
}
