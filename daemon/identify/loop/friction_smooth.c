/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Displacement and velocity by local cubics; of a velocity that was measured these alone. */

#include "identify/loop/friction_motion.h"
#include "identify/loop/friction_weights.h"
#include "identify/loop/local_cubic.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdbool.h>

enum { LOOKED_AT = 1000 };

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

/* So many variances of noise the smallest window leaves in one of a million cases. */
static const double noise_left = 24;

/* Where not even the smallest window bends as the motion does a sample itself is nearer to that, and so is the slope
 * that it has with its neighbours. */
static struct local_cubic nearest_cubic(const struct cubic_series *series, const struct friction_window *window,
                                        size_t i)
{
    struct local_cubic cubic = cubic_beside_corners(series, i, window->half, window->usually_left);
    if (2 * window->half < LOCAL_CUBIC_LEAST && cubic.left > noise_left * series->noise * series->noise) {
        cubic.value = series->values[i];
        cubic.slope = local_exact_slope(series, i);
    }
    return cubic;
}

/* What is smoothed. */
static struct cubic_series series_of(const struct loop_signal *signal)
{
    const double *values = signal->velocity ? signal->velocity : signal->displacement;
    return (struct cubic_series){signal->time_s, values, signal->count, loop_smoothing_noise(signal), signal->begins};
}

struct friction_window friction_window_of(const struct loop_signal *signal)
{
    struct cubic_series series = series_of(signal);
    if (signal->velocity)
        series.noise = loop_noise(signal->time_s, signal->velocity, signal->count, -INFINITY, INFINITY);
    const size_t half = local_cubic_window(&series, LOCAL_CUBIC_NEIGHBOURS_MOST);
    const double left = fmax(usually_left(&series, half), series.noise * series.noise);
    return (struct friction_window){
        half, left, signal->velocity ? local_value_noise(&series, half) : local_slope_noise(&series, half)};
}

/* --- what is straight --- */

/* A line rises that does so by so many of its standard deviations. */
static const double line_rises = 3;

/* Of the samples from `first` to before `end`, value = c[0] + c[1] time; the squares that it leaves. */
static double fit_line(const struct cubic_series *series, size_t first, size_t end, double c[2])
{
    const double n = (double)(end - first);
    double time = 0, value = 0, spread = 0, product = 0, squares = 0;
    for (size_t i = first; i < end; i++) {
        time += (series->time_s[i] - series->time_s[first]) / n;
        value += (series->values[i] - series->values[first]) / n;
    }
    time += series->time_s[first];
    value += series->values[first];
    for (size_t i = first; i < end; i++) {
        const double t = series->time_s[i] - time, x = series->values[i] - value;
        spread += t * t;
        product += t * x;
        squares += x * x;
    }
    const double left = fmax(squares - product * product / spread, 0);
    const bool rises = product * product * (n - 2) > line_rises * line_rises * left * spread;
    c[1] = rises ? product / spread : 0;
    c[0] = value - c[1] * time;
    return rises ? left : squares;
}

/* A line is as good as cubics that leave less by no more than further unknowns do by chance, in all but this share of
 * straight pieces. */
static const double bent_by_chance = 0.01;

/* Cubics through windows are as flexible as one for the first window, and 9/4 unknowns for each further one. */
static double unknowns_of(const struct friction_window *window, size_t samples)
{
    const double windows = (double)samples / (2 * (double)window->half + 1);
    return 4 + 2.25 * fmax(windows - 1, 0);
}

/* Where a line is as good it is the motion: at rest the noise of a displacement is no
 * way to and fro, which would wear the force off, and where corners are, two lines tell best. Whether it is. */
static bool straighten(const struct cubic_series *series, const struct friction_window *window, size_t first,
                       size_t end, struct contact_sample *samples)
{
    double c[2], squares = 0;
    if (end < first + LOCAL_CUBIC_LEAST)
        return false;
    for (size_t i = first; i < end; i++)
        squares += pow(series->values[i] - samples[i].displacement, 2);
    const double line = fit_line(series, first, end, c), of_line = fabs(c[1]) > 0 ? 2 : 1;
    const double further = unknowns_of(window, end - first) - of_line;
    if (line > squares + gsl_cdf_chisq_Qinv(bent_by_chance, further) * window->usually_left)
        return false;
    for (size_t i = first; i < end; i++)
        samples[i] = (struct contact_sample){series->time_s[i], c[0] + c[1] * series->time_s[i], c[1]};
    return true;
}

/* The first sample behind those that are as slow, or as fast, as sample i and in one piece with it. */
static size_t end_of_kind(const struct cubic_series *series, const struct contact_sample *samples, double slow,
                          size_t i)
{
    const bool rests = fabs(samples[i].velocity) < slow;
    size_t end = i + 1;
    while (end < series->count && !(series->begins && series->begins[end]) &&
           (fabs(samples[end].velocity) < slow) == rests)
        end++;
    return end;
}

/* What comes to rest, and leaves it, without a corner is bent there: of the rest the middle is straight, half of it at
 * least. */
static void straighten_rest(const struct cubic_series *series, const struct friction_window *window, size_t first,
                            size_t end, struct contact_sample *samples)
{
    for (size_t bent = 0; 4 * bent <= end - first; bent += window->half)
        if (straighten(series, window, first + bent, end - bent, samples))
            return;
}

static void straighten_rests(const struct loop_signal *signal, const struct cubic_series *series,
                             const struct friction_window *window, struct contact_sample *samples)
{
    const struct loop_part whole = {.begin = 0, .end = signal->count};
    const struct friction_slowness slowness = friction_slowness_of(signal, &whole, 0, samples);
    for (size_t i = 0, end; i < signal->count; i = end) {
        end = end_of_kind(series, samples, slowness.speed, i);
        if (fabs(samples[i].velocity) < slowness.speed &&
            signal->time_s[end - 1] - signal->time_s[i] > slowness.longest_s)
            straighten_rest(series, window, i, end, samples);
    }
}

static void straighten_pieces(const struct cubic_series *series, const struct friction_window *window,
                              struct contact_sample *samples)
{
    for (size_t i = 0, end; i < series->count; i = end) {
        end = end_of_kind(series, samples, INFINITY, i);
        straighten(series, window, i, end, samples);
    }
}

void friction_smooth(const struct loop_signal *signal, const struct friction_window *window,
                     struct contact_sample *samples)
{
    const struct cubic_series series = series_of(signal);
    for (size_t i = 0; i < signal->count; i++) {
        const struct local_cubic cubic = nearest_cubic(&series, window, i);
        samples[i] = signal->velocity ? (struct contact_sample){signal->time_s[i], signal->displacement[i], cubic.value}
                                      : (struct contact_sample){signal->time_s[i], cubic.value, cubic.slope};
    }
    if (signal->velocity)
        return;
    straighten_pieces(&series, window, samples);
    straighten_rests(signal, &series, window, samples);
}
