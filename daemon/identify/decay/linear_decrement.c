/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The oldest way to a friction, on swings instead of amplitudes so that the sensor's zero does not matter. */

#include "identify/decay/linear_decrement.h"

#include "identify/decay/swing_line.h"

#include <math.h>

enum verdict linear_decrement(const struct extremum *extrema, size_t count, size_t stride,
                              struct linear_decrement *result)
{
    struct swing_line line;
    const enum verdict verdict = swing_line_fit(extrema, count, stride, false, &line);
    *result = (struct linear_decrement){
        verdict, {.value = NAN, .se = NAN, .low = NAN, .high = NAN}, NAN, NAN, count > 0 ? count - 1 : 0};
    if (verdict != VERDICT_OK)
        return verdict;
    const double first = swing_of(extrema, 0);
    result->x_k = swing_line_estimate(line.loss * first / 4, sqrt(line.variance) * first / 4, count);
    result->per_cycle = 4 * result->x_k.value;
    result->rms = line.rms * first;
    return verdict;
}
