/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/local_cubic.h"
#include "motion/small_cholesky.h"

#include <math.h>

enum { COEFFICIENTS = 4, WINDOWS = 17, LOOKED_AT = 1000 };

/* Neighbours on either side. */
static const size_t half_widths[WINDOWS] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512};

/* Samples. */
struct window {
    size_t first, width;
};

/* Of the piece in which i is, with so many samples before that one as there is room for. */
static struct window window_of(const struct cubic_series *series, size_t i, size_t width, size_t before)
{
    const unsigned char *begins = series->begins;
    size_t low = i >= width ? i - width + 1 : 0, high = i + width < series->count ? i + width - 1 : series->count - 1;
    for (size_t j = i; begins && j > low; j--)
        if (begins[j])
            low = j;
    for (size_t j = i + 1; begins && j <= high; j++)
        if (begins[j])
            high = j - 1;
    const size_t all = high + 1 - low, taken = width < all ? width : all;
    const size_t last = high + 1 - taken, wanted = i < low + before ? low : i - before;
    return (struct window){wanted < last ? wanted : last, taken};
}

/* The least share of a sum of squares that is no rounding of what is taken from it. */
static const double rounded_off = 1e-14;

struct local_cubic local_cubic_beside(const struct cubic_series *series, size_t i, size_t half, size_t before)
{
    const struct window window = window_of(series, i, 2 * half + 1, before);
    const size_t first = window.first, width = window.width;
    const double *time = series->time_s, *value = series->values;
    const double scale = 2 / (time[first + width - 1] - time[first]), middle = value[i];
    double moment[2 * COEFFICIENTS - 1] = {0}, right[COEFFICIENTS] = {0}, matrix[COEFFICIENTS * COEFFICIENTS];
    double sum = 0;
    for (size_t j = first; j < first + width; j++) {
        const double t = scale * (time[j] - time[i]), x = value[j] - middle, t2 = t * t, t3 = t2 * t;
        moment[1] += t, moment[2] += t2, moment[3] += t3, moment[4] += t2 * t2, moment[5] += t2 * t3;
        moment[6] += t3 * t3;
        sum += x * x;
        right[0] += x, right[1] += t * x, right[2] += t2 * x, right[3] += t3 * x;
    }
    moment[0] = (double)width;
    for (size_t a = 0; a < COEFFICIENTS; a++)
        for (size_t b = 0; b < COEFFICIENTS; b++)
            matrix[a * COEFFICIENTS + b] = moment[a + b];
    static const bool all[COEFFICIENTS] = {true, true, true, true};
    struct small_cholesky factor;
    double solution[COEFFICIENTS] = {0}, unit[COEFFICIENTS] = {1}, leverage[COEFFICIENTS] = {0};
    if (!cholesky_factorise(matrix, COEFFICIENTS, all, 0, 0, &factor))
        return (struct local_cubic){middle, NAN, NAN, 1, 0};
    cholesky_solve(&factor, right, solution);
    cholesky_solve(&factor, unit, leverage);
    double squares = sum;
    for (size_t k = 0; k < COEFFICIENTS; k++)
        squares -= solution[k] * right[k];
    return (struct local_cubic){middle + solution[0], solution[1] * scale, 2 * solution[2] * scale * scale, leverage[0],
                                squares > rounded_off * sum ? squares / (double)(width - COEFFICIENTS) : 0};
}

struct local_cubic local_cubic_at(const struct cubic_series *series, size_t i, size_t half)
{
    return local_cubic_beside(series, i, half, half);
}

enum { EXACT_SIDE = 3 };

/* Lagrange's. */
double local_exact_slope(const struct cubic_series *series, size_t i)
{
    const struct window window = window_of(series, i, 2 * EXACT_SIDE + 1, EXACT_SIDE);
    const size_t end = window.first + window.width;
    const double *time = series->time_s;
    double slope = 0;
    for (size_t j = window.first; j < end; j++) {
        if (j == i)
            continue;
        double weight = 1 / (time[j] - time[i]);
        for (size_t k = window.first; k < end; k++)
            if (k != i && k != j)
                weight *= (time[i] - time[k]) / (time[j] - time[k]);
        slope += weight * (series->values[j] - series->values[i]);
    }
    return slope;
}

static double step_of(const struct cubic_series *series)
{
    return (series->time_s[series->count - 1] - series->time_s[0]) / (double)(series->count - 1);
}

/* Of the value of a cubic through n samples: 9/(4n) of the variance of one. */
double local_value_noise(const struct cubic_series *series, size_t half)
{
    return series->noise * sqrt(2.25 / (2 * (double)half + 1));
}

/* Of the slope of a cubic through n samples: 75/n^3 of the variance of one, over a step. */
double local_slope_noise(const struct cubic_series *series, size_t half)
{
    const double n = 2 * (double)half + 1;
    return series->noise * sqrt(75 / (n * n * n)) / step_of(series);
}

/* A second window, where there is room for it. */
static bool has_wider(const struct cubic_series *series, size_t half)
{
    return 8 * half < series->count;
}

/* In windows that suit a displacement its second derivative comes out too small: with the width H by (omega H)^2/14 of
 * a sine, several percent. A second window, twice as wide, tells how much that is. */
double local_acceleration_at(const struct cubic_series *series, size_t i, size_t half, bool of_velocity)
{
    const struct local_cubic near = local_cubic_at(series, i, half);
    if (of_velocity)
        return near.slope;
    if (!has_wider(series, half))
        return near.curvature;
    return (4 * near.curvature - local_cubic_at(series, i, 2 * half).curvature) / 3;
}

/* Of the second derivative of a cubic through n samples: 720/n^5 of the variance of one. */
static double curvature_variance(const struct cubic_series *series, size_t half)
{
    const double n = 2 * (double)half + 1, step_s = step_of(series);
    return series->noise * series->noise * 720 / (pow(n, 5) * pow(step_s, 4));
}

/* That of the wider window is the best there is of its samples, so that its covariance with the other is its variance.
 */
double local_acceleration_noise(const struct cubic_series *series, size_t half, bool of_velocity)
{
    if (of_velocity)
        return local_slope_noise(series, half);
    const double near = curvature_variance(series, half);
    return sqrt(has_wider(series, half) ? (16 * near - 7 * curvature_variance(series, 2 * half)) / 9 : near);
}

/* Mallows' C_p over the samples that are looked at. */
static double criterion_of(const struct cubic_series *series, size_t half)
{
    const double variance = series->noise * series->noise;
    const size_t stride = series->count / LOOKED_AT + 1;
    double sum = 0;
    for (size_t i = 0; i < series->count; i += stride) {
        const struct local_cubic cubic = local_cubic_at(series, i, half);
        const double left = series->values[i] - cubic.value;
        sum += left * left + 2 * variance * cubic.leverage;
    }
    return sum;
}

size_t local_cubic_window(const struct cubic_series *series, size_t most)
{
    size_t best = half_widths[0];
    double least = INFINITY;
    for (size_t w = 0; w < WINDOWS && half_widths[w] <= most && 4 * half_widths[w] < series->count; w++) {
        const double criterion = criterion_of(series, half_widths[w]);
        if (criterion < least) {
            least = criterion;
            best = half_widths[w];
        } else if (criterion > 2 * least)
            break;
    }
    return best;
}
