/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SWING_LINE_H
#define FRICID_IDENTIFY_SWING_LINE_H

#include "identify/decay/extremum.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* What the classical decrements share: swings S_j = |Y_{j+1} - Y_j|, differences of neighbouring extrema, which know no
 * bias, and a straight line through them. */

/* S_j, displacement unit; extrema[j + 1] must be there. */
static inline double swing_of(const struct extremum *extrema, size_t j)
{
    return fabs(extrema[j + 1].displacement - extrema[j].displacement);
}

/* Whether all swings between `count` extrema are finite and above 0. */
bool swings_usable(const struct extremum *extrema, size_t count);

/* value_j = start - loss s j, value_j made of S_j/S_0, where s half cycles lie between neighbouring extrema. */
struct swing_line {
    double start, loss;
    double variance; /* of the loss, from the scatter about the line */
    double rms;      /* of the values about the line, without weights */
};

/* Straight line through the swings between `count` extrema, four at least, one every `stride` half cycles: through
 * S_j/S_0 itself, or through its logarithm, each then weighted by the swing. A loss below 0 by rounding is told as
 * none. VERDICT_OK, VERDICT_TOO_FEW_HALF_CYCLES, VERDICT_NOT_FINITE, VERDICT_UNDERDETERMINED when they do not tell the
 * two figures apart, VERDICT_NOT_DECAYING. */
enum verdict swing_line_fit(const struct extremum *extrema, size_t count, size_t stride, bool logarithmic,
                            struct swing_line *line);

/* A figure that cannot be negative, made of the loss: Student's 95 % interval from the scatter of so many extrema. */
struct estimate swing_line_estimate(double value, double se, size_t count);

#endif
