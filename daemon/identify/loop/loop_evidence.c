/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_evidence.h"

#include "identify/loop/loop_corner.h"
#include "identify/loop/loop_crest.h"
#include "identify/loop/loop_window.h"

#include <math.h>

/* One reversal where the drive is changed does not outvote its neighbours. */
static const double evidence_most = 5;

static double bounded(double evidence)
{
    return fmax(-evidence_most, fmin(evidence, evidence_most));
}

/* What rounding leaves of so many samples, where nothing else is left. */
static double rounding_of(const struct loop_half_cycle *half, double samples)
{
    return samples * pow(1e-12 * half->swing, 2);
}

/* Shapes differ the more the farther samples are from the turn. */
static const double farther = 4.0 / 3;

/* Both curves have four terms, so that what they leave tells which is the better one. */
double loop_evidence_of_corner(const struct loop_signal *signal, const struct loop_reversal *reversal)
{
    struct loop_window window;
    struct loop_vertex corner, crest;
    if (!loop_window_about(signal, &reversal->half, reversal->sample, farther * reversal->reach_s, &window) ||
        !loop_crest_fit(signal, window.from, window.to, reversal->upper, &crest) ||
        !loop_corner_fit(signal, window.from, window.middle, window.to, &corner))
        return 0;
    const double samples = (double)(window.to + 1 - window.from), rounding = rounding_of(&reversal->half, samples);
    return bounded(0.5 * samples / signal->memory * log((crest.squares + rounding) / (corner.squares + rounding)));
}

/* Crest and corner have a term less: by Bayes' information that costs half of the logarithm of how many samples there
 * are. What comes in steps that no noise blurs always stays. */
double loop_evidence_of_level(const struct loop_signal *signal, const struct loop_reversal *reversal)
{
    size_t ends[2];
    struct loop_vertex level, corner, crest;
    if (loop_steps_show(signal))
        return 0;
    loop_window_top(signal, LOOP_VERTEX_SHARE, reversal, ends);
    const double samples = (double)(ends[1] + 1 - ends[0]), independent = samples / signal->memory;
    if (samples < LOOP_LEVEL_SAMPLES || !loop_crest_fit(signal, ends[0], ends[1], reversal->upper, &crest))
        return 0;
    if (!loop_level_fit(signal, ends[0], ends[1], &level))
        return -evidence_most;
    double others = crest.squares;
    if (loop_corner_fit(signal, ends[0], ends[0] + (ends[1] - ends[0]) / 2, ends[1], &corner))
        others = fmin(others, corner.squares);
    const double rounding = rounding_of(&reversal->half, samples);
    return bounded(0.5 * independent * log((others + rounding) / (level.squares + rounding)) -
                   0.5 * log(fmax(1, independent)));
}
