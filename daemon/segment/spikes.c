/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A single wild reading is not motion. It is flagged, never removed or mended: samples that are flagged stay in the
 * record and out of the fits. */

#include "segment/spikes.h"

#include "identify/decay/record.h"
#include "segment/chunk.h"

#include <math.h>

/* Noise, whose deviation is at most an eleventh of the threshold, and motion blur the pattern by less than this part of
 * its centre. */
#define PATTERN_SLACK 0.25

/* A spike of height S leaves the fourth differences S (1, -4, 6, -4, 1); nothing that has inertia does. */
static bool spike_pattern(const double *sample, double threshold)
{
    double centre = fourth_difference(sample);
    if (!(fabs(centre) > SPIKE_IN_DIFFERENCE * threshold))
        return false;
    double slack = PATTERN_SLACK * fabs(centre);
    for (int side = -1; side <= 1; side += 2) {
        bool near = fabs(fourth_difference(sample + side) + centre * 4 / SPIKE_IN_DIFFERENCE) < slack;
        bool far = fabs(fourth_difference(sample + 2 * side) - centre / SPIKE_IN_DIFFERENCE) < slack;
        if (!near || !far)
            return false;
    }
    return true;
}

/* It tells whether the sample lies outside what its four neighbours span, apart from their slope, by half of the
 * threshold, of which noise of the neighbours may hide the rest. The pattern alone could be a burst of noise; a spike
 * is also higher than all around it. */
static bool stands_out(const double *sample, double threshold)
{
    /* Least squares: the weights are the distances, whose squares add up to ten. */
    double slope = (2 * (sample[2] - sample[-2]) + sample[1] - sample[-1]) / 10;
    double highest = -INFINITY, lowest = INFINITY;
    for (int side = -2; side <= 2; side++) {
        if (side == 0)
            continue;
        double level = sample[side] - side * slope;
        highest = fmax(highest, level);
        lowest = fmin(lowest, level);
    }
    return sample[0] > highest + threshold / 2 || sample[0] < lowest - threshold / 2;
}

void spikes_mark(struct sample_history *history, uint64_t from, uint64_t to, double threshold)
{
    const double *begin = sample_history_span(history, from - SPIKE_REACH, to + SPIKE_REACH).displacement;
    for (uint64_t i = from; i < to; i++) {
        const double *sample = begin + SPIKE_REACH + (i - from);
        if (spike_pattern(sample, threshold) && stands_out(sample, threshold))
            sample_history_mark(history, i, SAMPLE_SPIKE);
    }
}
