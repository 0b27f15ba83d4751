/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The oldest way to a damping ratio, on swings instead of amplitudes so that the sensor's zero does not matter. */

#include "identify/decay/logarithmic_decrement.h"

#include "identify/decay/swing_line.h"
#include "motion/half_cycle_law.h"

#include <math.h>

enum verdict logarithmic_decrement(const struct extremum *extrema, size_t count, size_t stride,
                                   struct logarithmic_decrement *result)
{
    struct swing_line line;
    const enum verdict verdict = swing_line_fit(extrema, count, stride, true, &line);
    *result = (struct logarithmic_decrement){
        verdict, {.value = NAN, .se = NAN, .low = NAN, .high = NAN}, NAN, NAN, count > 0 ? count - 1 : 0};
    if (verdict != VERDICT_OK)
        return verdict;
    const double beta = line.loss / M_PI;
    result->zeta = swing_line_estimate(law_zeta(beta), law_zeta_per_beta(beta) * sqrt(line.variance) / M_PI, count);
    result->delta = 2 * M_PI * beta;
    result->rms = line.rms;
    return verdict;
}
