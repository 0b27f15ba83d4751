/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Crests and troughs among the samples, before anything is known of the decay: which ones, and how far apart.
 * extremum.c refines them. */

#include "identify/decay/turning_points.h"

#include "motion/zigzag.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Neighbouring distances of one decay differ by less than these factors. Noise moves a turning point by a part of a
 * half cycle; one that was missed or made up changes a distance twofold. */
static const double SHORTEST = 0.6, LONGEST = 1.6;

static bool append(struct turning_points *points, size_t *capacity, struct turning_point point)
{
    if (points->count == *capacity) {
        const size_t larger = *capacity ? 2 * *capacity : 64;
        struct turning_point *moved = realloc(points->point, larger * sizeof *moved);
        if (!moved)
            return false;
        points->point = moved;
        *capacity = larger;
    }
    points->point[points->count++] = point;
    return true;
}

static double distance(const struct trace *trace, const struct turning_points *points, size_t n)
{
    return trace_time(trace, points->point[n + 1].at) - trace_time(trace, points->point[n].at);
}

/* How far the trace moves between two turning points. */
static double height(const struct turning_points *points, size_t n)
{
    return fabs(points->point[n + 1].height - points->point[n].height);
}

/* Of the runs whose distances change little from one to the next, keeps the one that moves farthest: small reversals of
 * correlated noise, or of a hand, may be many. The very first distance may be shorter, since the trace may begin
 * anywhere. */
static void keep_even_run(const struct trace *trace, struct turning_points *points)
{
    size_t best_from = 0, best_count = points->count < 2 ? points->count : 2;
    double moved = points->count < 2 ? 0 : height(points, 0), farthest = moved;
    for (size_t from = 0, n = 1; n + 1 < points->count; n++) {
        const double ratio = distance(trace, points, n) / distance(trace, points, n - 1);
        const bool starts_trace = n == 1 && points->point[0].at * 20 < points->point[2].at;
        if (ratio < SHORTEST || (ratio > LONGEST && !starts_trace)) {
            from = n;
            moved = 0;
        }
        moved += height(points, n);
        if (moved > farthest) {
            farthest = moved;
            best_from = from;
            best_count = n + 2 - from;
        }
    }
    for (size_t n = 0; n < best_count; n++)
        points->point[n] = points->point[best_from + n];
    points->count = best_count;
}

/* The middle distance; without the first one, which may be short, where there are enough. Of two distances the
 * later: the first may be cut short. */
static double usual_distance(const struct trace *trace, const struct turning_points *points)
{
    double distances[64];
    const size_t first = points->count > 3 ? 1 : 0;
    size_t count = 0;
    for (size_t n = first; n + 1 < points->count && count < 64; n++)
        distances[count++] = distance(trace, points, n);
    if (count == 0)
        return NAN;
    gsl_sort(distances, 1, count);
    return count == 2 ? distances[1] : gsl_stats_median_from_sorted_data(distances, 1, count);
}

/* Takes in so many means at these places; false without memory. */
static bool take_means(const size_t *place, const double *mean, size_t count, struct zigzag *zigzag,
                       struct turning_points *points, size_t *capacity)
{
    const struct even_values means = {mean, 1, count, 0, 1, (double)place[0], 1};
    const bool even = place[count - 1] - place[0] == count - 1;
    for (size_t k = 0; k < count && points->count < TURNING_POINTS_MOST; k++) {
        k = even ? zigzag_pass(zigzag, &means, k) : k;
        if (k == count || !zigzag_take(zigzag, (double)place[k], mean[k]))
            continue;
        const struct extreme turned = zigzag_reversal(zigzag);
        const struct turning_point point = {(size_t)turned.at, turned.value, zigzag->direction < 0};
        if (!append(points, capacity, point))
            return false;
    }
    return true;
}

bool turning_points_find(const struct trace *trace, size_t side, double hysteresis, struct turning_points *points)
{
    *points = (struct turning_points){.half_cycle_s = NAN};
    struct trace_smoother smoother = trace_smoother_of(trace, side);
    struct zigzag zigzag = zigzag_with(hysteresis);
    size_t capacity = 0, place[SMOOTHED_MOST], count;
    double mean[SMOOTHED_MOST];
    while (points->count < TURNING_POINTS_MOST && (count = trace_smooth(&smoother, place, mean)) > 0)
        if (!take_means(place, mean, count, &zigzag, points, &capacity))
            return false;
    if (points->count == TURNING_POINTS_MOST)
        points->stopped_at = points->point[points->count - 1].at;
    keep_even_run(trace, points);
    points->half_cycle_s = usual_distance(trace, points);
    return true;
}

void turning_points_clear(struct turning_points *points)
{
    free(points->point);
    *points = (struct turning_points){.half_cycle_s = NAN};
}
