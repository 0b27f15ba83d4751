/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Crests and troughs among the samples, before anything is known of the decay: which ones, and how far apart.
 * extremum.c refines them. The zigzag of zigzag.c serves the fit instead and works on block means; this one keeps
 * every sample's place. */

#include "identify/decay/turning_points.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Neighbouring distances of one decay differ by less than these factors. Noise moves a turning point by a part of a
 * half cycle; one that was missed or made up changes a distance twofold. */
static const double SHORTEST = 0.6, LONGEST = 1.6;

/* The reversals, one after the other: the highest and lowest mean since the last one. */
struct zigzag {
    struct turning_point high, low;
    int direction; /* +1 rising, -1 falling, 0 not known yet */
    double hysteresis;
};

/* Takes a mean in; true when it confirms a turning point. */
static bool zigzag_turns(struct zigzag *zigzag, size_t at, double mean, struct turning_point *found)
{
    if (mean > zigzag->high.height)
        zigzag->high = (struct turning_point){at, mean, true};
    if (mean < zigzag->low.height)
        zigzag->low = (struct turning_point){at, mean, false};
    const bool fell = zigzag->direction >= 0 && zigzag->high.height - mean > zigzag->hysteresis;
    const bool rose = zigzag->direction <= 0 && mean - zigzag->low.height > zigzag->hysteresis;
    if (!fell && !rose)
        return false;
    *found = fell ? zigzag->high : zigzag->low;
    zigzag->high = (struct turning_point){at, mean, true};
    zigzag->low = (struct turning_point){at, mean, false};
    zigzag->direction = fell ? -1 : 1;
    return true;
}

/* How many of the next means go on rising, or falling, without a reversal: nearly all do. */
static size_t zigzag_pass_over(struct zigzag *zigzag, const size_t *place, const double *mean, size_t count)
{
    const double side = (double)zigzag->direction, hysteresis = zigzag->hysteresis;
    struct turning_point *farthest = zigzag->direction > 0 ? &zigzag->high : &zigzag->low;
    double height = side * farthest->height;
    size_t k = 0, at = count;
    for (; k < count && zigzag->direction != 0; k++) {
        const double here = side * mean[k];
        if (here > height) {
            height = here;
            at = k;
        } else if (height - here > hysteresis) {
            break;
        }
    }
    if (at < count)
        *farthest = (struct turning_point){place[at], mean[at], zigzag->direction > 0};
    return k;
}

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

bool turning_points_find(const struct trace *trace, size_t side, double hysteresis, struct turning_points *points)
{
    *points = (struct turning_points){.half_cycle_s = NAN};
    struct trace_smoother smoother = trace_smoother_of(trace, side);
    struct zigzag zigzag = {{0, -INFINITY, true}, {0, INFINITY, false}, 0, hysteresis};
    size_t capacity = 0, place[SMOOTHED_MOST], count;
    double mean[SMOOTHED_MOST];
    while (points->count < TURNING_POINTS_MOST && (count = trace_smooth(&smoother, place, mean)) > 0)
        for (size_t k = 0; k < count && points->count < TURNING_POINTS_MOST; k++) {
            struct turning_point found;
            k += zigzag_pass_over(&zigzag, place + k, mean + k, count - k);
            if (k < count && zigzag_turns(&zigzag, place[k], mean[k], &found) && !append(points, &capacity, found))
                return false;
        }
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
