/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_window.h"

#include <math.h>

/* The noise of two samples may put them so much farther from each other. */
static const double noise_apart = 6;

/* Stamps of samples that come evenly differ by their rounding. */
static const double rounding = 1e-6;

void loop_window_top(const struct loop_signal *signal, double share, const struct loop_reversal *reversal,
                     size_t ends[2])
{
    const double *x = signal->displacement, *t = signal->time_s;
    const double gap_s = LOOP_GAP_SHARE * reversal->half.cycle_s;
    const double away = share * reversal->half.swing + noise_apart * signal->wander;
    const size_t sample = reversal->sample;
    ends[0] = ends[1] = sample;
    while (ends[0] > 0 && fabs(x[ends[0] - 1] - x[sample]) < away && t[ends[0]] - t[ends[0] - 1] <= gap_s)
        ends[0]--;
    while (ends[1] + 1 < signal->count && fabs(x[ends[1] + 1] - x[sample]) < away &&
           t[ends[1] + 1] - t[ends[1]] <= gap_s)
        ends[1]++;
}

double loop_window_reach_s(const struct loop_signal *signal, const struct loop_reversal *reversal)
{
    const double *t = signal->time_s, at_s = t[reversal->sample];
    size_t ends[2];
    loop_window_top(signal, LOOP_VERTEX_SHARE, reversal, ends);
    return fmin(at_s - t[ends[0]], t[ends[1]] - at_s);
}

static bool has_least(const struct loop_signal *signal, size_t middle)
{
    return middle >= LOOP_WINDOW_LEAST && middle + LOOP_WINDOW_LEAST < signal->count;
}

double loop_window_least_s(const struct loop_signal *signal, size_t middle)
{
    const double *t = signal->time_s;
    return has_least(signal, middle)
               ? fmax(t[middle] - t[middle - LOOP_WINDOW_LEAST], t[middle + LOOP_WINDOW_LEAST] - t[middle])
               : INFINITY;
}

bool loop_window_about(const struct loop_signal *signal, const struct loop_half_cycle *half, size_t middle,
                       double reach_s, struct loop_window *window)
{
    const double *t = signal->time_s, gap_s = LOOP_GAP_SHARE * half->cycle_s;
    *window = (struct loop_window){middle, middle, middle};
    const double within_s = (1 + rounding) * fmax(reach_s, loop_window_least_s(signal, middle));
    bool whole = has_least(signal, middle);
    for (; whole && window->from > 0 && t[middle] - t[window->from - 1] <= within_s; window->from--)
        whole = t[window->from] - t[window->from - 1] <= gap_s;
    for (; whole && window->to + 1 < signal->count && t[window->to + 1] - t[middle] <= within_s; window->to++)
        whole = t[window->to + 1] - t[window->to] <= gap_s;
    return whole;
}

/* Noise leaves more in one of a hundred cases; a twentieth is for what it is not known to. */
double loop_window_explained(const struct loop_signal *signal, size_t samples)
{
    return 1.05 + 2.5 / sqrt(2 * fmax(1, ((double)samples - 4) / signal->memory));
}
