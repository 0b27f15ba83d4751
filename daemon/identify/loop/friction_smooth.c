/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Displacement and velocity by local cubics; of a velocity that was measured these alone. */

#include "identify/loop/friction_motion.h"
#include "identify/loop/local_cubic.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

/* On either side. */
enum { NEIGHBOURS_MOST = 32, LOOKED_AT = 1000 };

/* What windows usually leave: the median over the samples that are looked at. */
static double usually_left(const struct cubic_series *series, size_t half)
{
    double left[LOOKED_AT + 1];
    const size_t stride = series->count / LOOKED_AT + 1;
    size_t found = 0;
    for (size_t i = 0; i < series->count && found <= LOOKED_AT; i += stride)
        left[found++] = local_cubic_at(series, i, half).left;
    gsl_sort(left, 1, found);
    return gsl_stats_median_from_sorted_data(left, 1, found);
}

/* A window that leaves ten times of what is usual, and twice of what a window on one side of the sample does, has a
 * corner of the motion in it: that one counts. */
static const double corner_left = 100, corner_side = 4;

static struct local_cubic cubic_beside_corners(const struct cubic_series *series, size_t i, size_t half, double usual)
{
    const struct local_cubic centred = local_cubic_at(series, i, half);
    if (!(centred.left > corner_left * usual))
        return centred;
    const struct local_cubic before = local_cubic_beside(series, i, half, 2 * half);
    const struct local_cubic behind = local_cubic_beside(series, i, half, 0);
    const struct local_cubic best = before.left < behind.left ? before : behind;
    return corner_side * best.left < centred.left ? best : centred;
}

/* What is smoothed. */
static struct cubic_series series_of(const struct loop_signal *signal)
{
    const double *values = signal->velocity ? signal->velocity : signal->displacement;
    return (struct cubic_series){signal->time_s, values, signal->count, signal->noise_displacement, signal->begins};
}

struct friction_window friction_window_of(const struct loop_signal *signal)
{
    struct cubic_series series = series_of(signal);
    if (signal->velocity)
        series.noise = loop_noise(signal->time_s, signal->velocity, signal->count, -INFINITY, INFINITY);
    const size_t half = local_cubic_window(&series, NEIGHBOURS_MOST);
    const double left = fmax(usually_left(&series, half), series.noise * series.noise);
    return (struct friction_window){
        half, left, signal->velocity ? local_value_noise(&series, half) : local_slope_noise(&series, half)};
}

void friction_smooth(const struct loop_signal *signal, const struct friction_window *window,
                     struct contact_sample *samples)
{
    const struct cubic_series series = series_of(signal);
    for (size_t i = 0; i < signal->count; i++) {
        const struct local_cubic cubic = cubic_beside_corners(&series, i, window->half, window->usually_left);
        samples[i] = signal->velocity ? (struct contact_sample){signal->time_s[i], signal->displacement[i], cubic.value}
                                      : (struct contact_sample){signal->time_s[i], cubic.value, cubic.slope};
    }
}
