/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_vertex.h"

#include "identify/loop/loop_corner.h"
#include "identify/loop/loop_crest.h"
#include "identify/loop/loop_window.h"

#include <math.h>

/* Noise may put a vertex so much beyond all samples. */
static const double noise_beyond = 6;

/* No curve turns farther out than its samples, but by their noise and what it rises between two of them. */
static bool is_within(const struct loop_signal *signal, size_t from, size_t to, double displacement)
{
    const double *x = signal->displacement;
    double lowest = x[from], highest = x[from];
    for (size_t i = from; i <= to; i++) {
        lowest = fmin(lowest, x[i]);
        highest = fmax(highest, x[i]);
    }
    const double beyond = noise_beyond * signal->wander + 0.5 * (highest - lowest);
    return displacement >= lowest - beyond && displacement <= highest + beyond;
}

/* What curves of so many terms leave, of a sample. */
static double rms_of(const struct loop_vertex *vertex, size_t samples, int terms)
{
    return sqrt(vertex->squares / (double)(samples - (size_t)terms));
}

static void take(const struct loop_signal *signal, const struct loop_vertex *vertex, struct loop_reversal *reversal)
{
    reversal->time_s = vertex->time_s;
    reversal->displacement = vertex->displacement;
    reversal->se = loop_noise_of_sum(signal, vertex->variance);
}

/* --- crest or corner --- */

/* What of a crest is off where it leaves more than the noise, over what it leaves: a crest of four terms through a
 * corner is four times as far from it. */
static const double off_by_rest = 4;

/* A crest of a sine leaves less than this share of its swing in the smallest window, where there is no noise. */
static const double crest_share = 1e-3;

/* Where it turns back, by the window of so many samples on either side. False: neither fits. */
static bool fit_window(const struct loop_signal *signal, size_t reach, const struct loop_reversal *reversal,
                       struct loop_vertex *vertex)
{
    const size_t from = reversal->sample - reach, to = reversal->sample + reach;
    return ((reversal->corner && loop_corner_fit(signal, from, reversal->sample, to, vertex)) ||
            loop_crest_fit(signal, from, to, reversal->upper, vertex)) &&
           is_within(signal, from, to, vertex->displacement);
}

/* The smallest window is taken in any case. */
static void find_turn(const struct loop_signal *signal, const struct loop_half_cycle *half,
                      struct loop_reversal *reversal)
{
    const size_t sample = reversal->sample;
    size_t most = 0, reach = loop_window_reach(signal, half, sample, &most);
    struct loop_vertex vertex = {signal->time_s[sample], signal->displacement[sample], 1, 0};
    take(signal, &vertex, reversal);
    for (; reach <= most; reach = reach * 3 / 4 < LOOP_WINDOW_LEAST ? LOOP_WINDOW_LEAST : reach * 3 / 4) {
        const bool last = reach == LOOP_WINDOW_LEAST, fits = fit_window(signal, reach, reversal, &vertex);
        const double rms = rms_of(&vertex, 2 * reach + 1, LOOP_CREST_TERMS);
        const bool explains = fits && rms <= loop_window_explained(signal, 2 * reach + 1) * signal->wander;
        if (fits && (explains || last)) {
            take(signal, &vertex, reversal);
            reversal->se = explains ? reversal->se : hypot(reversal->se, off_by_rest * rms);
        }
        if (explains || (fits && last && rms <= crest_share * half->swing)) {
            reversal->first = sample - reach;
            reversal->last = sample + reach;
        }
        if (explains || last)
            return;
    }
}

/* --- level --- */

/* Its extreme sample is any of those at the level. */
static void take_level(const struct loop_signal *signal, const size_t ends[2], const struct loop_vertex *level,
                       struct loop_reversal *reversal)
{
    take(signal, level, reversal);
    reversal->first = ends[0];
    reversal->last = ends[1];
    reversal->sample = ends[0];
    while (reversal->sample < ends[1] && signal->time_s[reversal->sample + 1] <= level->time_s)
        reversal->sample++;
}

/* The level is looked for among samples that are closer and closer to it, for the ways there need not be straight. */
static bool find_level(const struct loop_signal *signal, const struct loop_half_cycle *half,
                       struct loop_reversal *reversal)
{
    static const double shares[] = {LOOP_VERTEX_SHARE, LOOP_VERTEX_SHARE / 2, LOOP_VERTEX_SHARE / 4, 0};
    bool found = false;
    for (size_t k = 0; k < sizeof shares / sizeof *shares && !found; k++) {
        size_t ends[2];
        struct loop_vertex level;
        loop_window_top(signal, shares[k], half, reversal->sample, ends);
        const size_t samples = ends[1] + 1 - ends[0];
        found = samples >= LOOP_LEVEL_SAMPLES && loop_level_fit(signal, ends[0], ends[1], &level) &&
                rms_of(&level, samples, LOOP_LEVEL_TERMS) <= loop_window_explained(signal, samples) * signal->wander;
        if (found)
            take_level(signal, ends, &level, reversal);
    }
    return found;
}

void loop_vertex_find(const struct loop_signal *signal, const struct loop_half_cycle *half,
                      struct loop_reversal *reversal)
{
    if (!reversal->level || !find_level(signal, half, reversal))
        find_turn(signal, half, reversal);
}
