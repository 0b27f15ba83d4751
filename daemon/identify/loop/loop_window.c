/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_window.h"

#include <math.h>
#include <stdbool.h>

/* The noise of two samples may put them so much farther from each other. */
static const double noise_apart = 6;

static double nearness(const struct loop_signal *signal, double share, const struct loop_half_cycle *half)
{
    return share * half->swing + noise_apart * signal->wander;
}

size_t loop_window_reach(const struct loop_signal *signal, const struct loop_half_cycle *half, size_t sample,
                         size_t *most)
{
    const double *x = signal->displacement, *t = signal->time_s, gap_s = LOOP_GAP_SHARE * half->cycle_s;
    const double away = nearness(signal, LOOP_VERTEX_SHARE, half);
    const size_t after = signal->count - 1 - sample, ends = sample < after ? sample : after;
    size_t reach = 0;
    for (*most = 0; *most < ends; (*most)++) {
        const size_t on = sample + *most, back = sample - *most;
        if (t[on + 1] - t[on] > gap_s || t[back] - t[back - 1] > gap_s)
            break;
        const bool near = fabs(x[on + 1] - x[sample]) < away && fabs(x[back - 1] - x[sample]) < away;
        if (near && reach == *most)
            reach++;
        else if (*most >= LOOP_WINDOW_LEAST)
            break;
    }
    return reach < LOOP_WINDOW_LEAST ? LOOP_WINDOW_LEAST : reach;
}

void loop_window_top(const struct loop_signal *signal, double share, const struct loop_half_cycle *half, size_t sample,
                     size_t ends[2])
{
    const double *x = signal->displacement, *t = signal->time_s, gap_s = LOOP_GAP_SHARE * half->cycle_s;
    const double away = nearness(signal, share, half);
    ends[0] = ends[1] = sample;
    while (ends[0] > 0 && fabs(x[ends[0] - 1] - x[sample]) < away && t[ends[0]] - t[ends[0] - 1] <= gap_s)
        ends[0]--;
    while (ends[1] + 1 < signal->count && fabs(x[ends[1] + 1] - x[sample]) < away &&
           t[ends[1] + 1] - t[ends[1]] <= gap_s)
        ends[1]++;
}

/* Noise leaves more in one of a hundred cases; a twentieth is for what it is not known to. */
double loop_window_explained(const struct loop_signal *signal, size_t samples)
{
    return 1.05 + 2.5 / sqrt(2 * fmax(1, ((double)samples - 4) / signal->memory));
}
