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

/* From one window to the next; and to that which is looked at beside the one that is taken, half as deep. */
static const double next_smaller = 0.75, smaller_beside = 0.7;

static size_t nearest_sample(const struct loop_signal *signal, const struct loop_window *window, double time_s)
{
    const double *t = signal->time_s;
    size_t sample = window->from;
    while (sample < window->to && fabs(t[sample + 1] - time_s) <= fabs(t[sample] - time_s))
        sample++;
    return sample;
}

static bool fit_window(const struct loop_signal *signal, const struct loop_window *window, bool upper, bool corner,
                       struct loop_vertex *vertex)
{
    return ((corner && loop_corner_fit(signal, window->from, window->middle, window->to, vertex)) ||
            loop_crest_fit(signal, window->from, window->to, upper, vertex)) &&
           is_within(signal, window->from, window->to, vertex->displacement);
}

/* Noise puts the extreme sample aside, and a window with its middle aside leans: so often that is put right. Steps do
 * no such thing, and about a middle their errors on both sides are the same. */
enum { ROUNDS = 3 };

/* Where it turns back, by the samples that are so near. The time is that of the first window: in a flat top those that
 * follow the vertex go to one end of it. False: neither fits. */
static bool fit_about(const struct loop_signal *signal, const struct loop_reversal *reversal, double reach_s,
                      struct loop_window *window, struct loop_vertex *vertex)
{
    const int rounds = loop_steps_show(signal) ? 1 : ROUNDS;
    size_t middle = reversal->sample;
    bool fits = false;
    double first_s = 0;
    for (int round = 0; round < rounds; round++) {
        struct loop_window about;
        struct loop_vertex found;
        if (!loop_window_about(signal, &reversal->half, middle, reach_s, &about) ||
            !fit_window(signal, &about, reversal->upper, reversal->corner, &found))
            break;
        first_s = fits ? first_s : found.time_s;
        *window = about;
        *vertex = found;
        fits = true;
        const size_t next = nearest_sample(signal, window, found.time_s);
        if (next == middle || fabs(signal->time_s[next] - signal->time_s[reversal->sample]) > 0.5 * reach_s)
            break;
        middle = next;
    }
    vertex->time_s = fits ? first_s : vertex->time_s;
    return fits;
}

/* By the window of that reach about the turn that is found. */
static void look_beside(const struct loop_signal *signal, double reach_s, const struct loop_window *wide,
                        struct loop_reversal *reversal)
{
    const size_t middle = wide->middle;
    const double at_s = signal->time_s[middle];
    struct loop_window window;
    struct loop_vertex vertex;
    double by_wide, by_narrow;
    if (!loop_window_about(signal, &reversal->half, middle, reach_s, &window))
        return;
    if (reversal->corner && loop_corner_fit(signal, window.from, middle, window.to, &vertex))
        reversal->beside = vertex.displacement - reversal->displacement;
    else if (!reversal->corner && loop_crest_at(signal, wide->from, wide->to, at_s, &by_wide) &&
             loop_crest_at(signal, window.from, window.to, at_s, &by_narrow))
        reversal->beside = by_narrow - by_wide;
}

/* Windows become smaller until one is explained; the smallest is taken in any case. */
static void find_turn(const struct loop_signal *signal, struct loop_reversal *reversal)
{
    const size_t sample = reversal->sample;
    const double least_s = loop_window_least_s(signal, sample);
    struct loop_vertex vertex = {signal->time_s[sample], signal->displacement[sample], 1, 0};
    bool explains = false, last = false;
    take(signal, &vertex, reversal);
    for (double reach_s = reversal->reach_s; !explains && !last; reach_s *= next_smaller) {
        struct loop_window window;
        last = !(reach_s > least_s);
        if (!fit_about(signal, reversal, reach_s, &window, &vertex))
            continue;
        const size_t samples = window.to + 1 - window.from;
        const double rms = rms_of(&vertex, samples, LOOP_CREST_TERMS);
        explains = rms <= loop_window_explained(signal, samples) * signal->wander;
        if (explains || last)
            take(signal, &vertex, reversal);
        if (explains)
            look_beside(signal, smaller_beside * reach_s, &window, reversal);
        if (!explains && last)
            reversal->se = hypot(reversal->se, off_by_rest * rms);
        if (explains || (last && rms <= crest_share * reversal->half.swing)) {
            reversal->first = window.from;
            reversal->last = window.to;
        }
    }
}

/* --- level --- */

/* Shares of the swing about it, from one to half of it. */
enum { LEVEL_HALVES = 4 };

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

/* Among samples that are within that share of the swing. */
static bool fit_level(const struct loop_signal *signal, const struct loop_reversal *reversal, double share,
                      size_t ends[2], struct loop_vertex *level)
{
    loop_window_top(signal, share, reversal, ends);
    return ends[1] + 1 - ends[0] >= LOOP_LEVEL_SAMPLES && loop_level_fit(signal, ends[0], ends[1], level);
}

/* The level is looked for among samples that are closer and closer to it, for the ways there need not be straight. */
static bool find_level(const struct loop_signal *signal, struct loop_reversal *reversal)
{
    double share = LOOP_VERTEX_SHARE;
    struct loop_vertex level, beside;
    size_t ends[2], closer[2];
    for (int halves = 0; halves < LEVEL_HALVES; halves++, share /= 2) {
        if (!fit_level(signal, reversal, share, ends, &level))
            continue;
        const size_t samples = ends[1] + 1 - ends[0];
        if (rms_of(&level, samples, LOOP_LEVEL_TERMS) > loop_window_explained(signal, samples) * signal->wander)
            continue;
        if (fit_level(signal, reversal, share / 2, closer, &beside))
            reversal->beside = beside.displacement - level.displacement;
        take_level(signal, ends, &level, reversal);
        return true;
    }
    return false;
}

/* --- a corner that is cut off --- */

static bool find_cut(const struct loop_signal *signal, struct loop_reversal *reversal)
{
    struct loop_window window;
    struct loop_cut cut;
    if (!loop_window_about(signal, &reversal->half, reversal->sample, reversal->reach_s, &window) ||
        !loop_cut_fit(signal, &window, reversal->apart_s, &cut))
        return false;
    take(signal, &cut.corner, reversal);
    reversal->displacement -= reversal->upper ? reversal->cut : -reversal->cut;
    reversal->first = window.from;
    reversal->last = window.to;
    return true;
}

void loop_vertex_find(const struct loop_signal *signal, struct loop_reversal *reversal)
{
    const bool found =
        (reversal->level && find_level(signal, reversal)) || (reversal->apart_s > 0 && find_cut(signal, reversal));
    if (!found)
        find_turn(signal, reversal);
}
