/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Crests and troughs among the samples, before anything is known of the decay: which ones, and how far apart.
 * extremum.c refines them. The zigzag of swings.c serves the fit instead and works on block means; this one keeps
 * every sample's place. */

#include "identify/turning_points.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Neighbouring distances of one decay differ by less than these factors. Noise moves a turning point by a part of a
 * half cycle; one that was missed or made up changes a distance twofold. */
static const double SHORTEST = 0.6, LONGEST = 1.6;

static const size_t FEWEST_SAMPLES = 8;

enum { NOISE_PROBES = 4000 };

static bool usable(const struct decay_record *record, size_t i)
{
    return !record->flags || record->flags[i] == 0;
}

static bool trace_allocate(struct trace *trace, size_t count)
{
    trace->time = malloc(count * sizeof *trace->time);
    trace->value = malloc(count * sizeof *trace->value);
    trace->smooth = malloc(count * sizeof *trace->smooth);
    trace->index = malloc(count * sizeof *trace->index);
    return trace->time && trace->value && trace->smooth && trace->index;
}

/* Flagged samples are left out here, once; nothing later has to look at flags. */
static enum verdict trace_copy(const struct decay_record *record, struct trace *trace)
{
    for (size_t i = 0; i < record->count; i++) {
        if (!usable(record, i))
            continue;
        const double value = record->displacement[i], time = decay_record_time(record, i) - trace->origin_s;
        if (!isfinite(value) || !isfinite(time))
            return VERDICT_NOT_FINITE;
        if (trace->count > 0 && !(time > trace->time[trace->count - 1]))
            return VERDICT_TIME_NOT_INCREASING;
        trace->value[trace->count] = value;
        trace->time[trace->count] = time;
        trace->index[trace->count++] = i;
    }
    return trace->count < FEWEST_SAMPLES ? VERDICT_TOO_FEW_SAMPLES : VERDICT_OK;
}

/* Moves the values about zero, scales them, and looks how fine they are: neighbours that differ, differ by at least a
 * step. */
static enum verdict trace_centre(struct trace *trace, double told_resolution)
{
    double low = trace->value[0], high = low, step = INFINITY;
    for (size_t i = 1; i < trace->count; i++) {
        low = fmin(low, trace->value[i]);
        high = fmax(high, trace->value[i]);
        const double difference = fabs(trace->value[i] - trace->value[i - 1]);
        if (difference > 0 && difference < step)
            step = difference;
    }
    trace->centre = low / 2 + high / 2;
    trace->span = high - low;
    trace->spacing_s = trace->time[trace->count - 1] / (double)(trace->count - 1);
    /* Squares of what comes out of here must not overflow. */
    if (!(trace->span < 1e150))
        return VERDICT_NOT_FINITE;
    if (!(trace->span > 0))
        return VERDICT_NO_OSCILLATION;
    trace->resolution = (told_resolution > 0 ? told_resolution : step) / trace->span;
    for (size_t i = 0; i < trace->count; i++)
        trace->value[i] = (trace->value[i] - trace->centre) / trace->span;
    return VERDICT_OK;
}

enum verdict trace_load(const struct decay_record *record, struct trace *trace)
{
    *trace = (struct trace){0};
    if (record->count < FEWEST_SAMPLES)
        return VERDICT_TOO_FEW_SAMPLES;
    trace->origin_s = decay_record_time(record, 0);
    if (!isfinite(trace->origin_s))
        return VERDICT_NOT_FINITE;
    if (!trace_allocate(trace, record->count))
        return VERDICT_NO_MEMORY;
    trace->uniform = !record->time_s && !record->flags;
    enum verdict verdict = trace_copy(record, trace);
    return verdict == VERDICT_OK ? trace_centre(trace, record->resolution) : verdict;
}

void trace_clear(struct trace *trace)
{
    free(trace->time);
    free(trace->value);
    free(trace->smooth);
    free(trace->index);
    *trace = (struct trace){0};
}

/* Third differences remove any parabola; the median keeps a few knocks from counting. */
double trace_rough_noise(const struct trace *trace)
{
    double probes[NOISE_PROBES];
    const size_t places = trace->count - 3;
    const size_t count = places < NOISE_PROBES ? places : NOISE_PROBES;
    for (size_t n = 0; n < count; n++) {
        const double *y = trace->value + n * places / count;
        probes[n] = fabs(y[3] - 3 * y[2] + 3 * y[1] - y[0]);
    }
    /* The variance of a third difference is 20 sigma²; 0.6745 sigma is the median of |noise|. */
    return gsl_stats_median(probes, 1, count) / (0.6745 * sqrt(20.0));
}

double trace_smooth(struct trace *trace, double width_s)
{
    /* The same number of samples on both sides, whatever their times: a window that gains and loses samples by the
     * rounding of its ends would make reversals of its own. */
    const double wanted = width_s / trace->spacing_s / 2;
    const size_t side = wanted < (double)trace->count / 2 ? (size_t)wanted : trace->count / 2;
    size_t from = 0, to = 0;
    double sum = 0;
    for (size_t i = 0; i < trace->count; i++) {
        for (; to < trace->count && to <= i + side; to++)
            sum += trace->value[to];
        for (; from + side < i; from++)
            sum -= trace->value[from];
        trace->smooth[i] = side > 0 ? sum / (double)(to - from) : trace->value[i];
    }
    return 2 * (double)side + 1;
}

/* The reversals, one after the other. */
struct zigzag {
    size_t high, low; /* since the last reversal */
    int direction;    /* +1 rising, -1 falling, 0 not known yet */
};

/* Takes sample i in; true when it confirms a turning point. */
static bool zigzag_advance(struct zigzag *zigzag, const double *z, size_t i, double hysteresis,
                           struct turning_point *found)
{
    if (z[i] > z[zigzag->high])
        zigzag->high = i;
    if (z[i] < z[zigzag->low])
        zigzag->low = i;
    if (zigzag->direction >= 0 && z[zigzag->high] - z[i] > hysteresis) {
        *found = (struct turning_point){zigzag->high, true};
        *zigzag = (struct zigzag){i, i, -1};
        return true;
    }
    if (zigzag->direction <= 0 && z[i] - z[zigzag->low] > hysteresis) {
        *found = (struct turning_point){zigzag->low, false};
        *zigzag = (struct zigzag){i, i, 1};
        return true;
    }
    return false;
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
    return trace->time[points->point[n + 1].at] - trace->time[points->point[n].at];
}

/* How far the trace moves between two turning points. */
static double height(const struct trace *trace, const struct turning_points *points, size_t n)
{
    return fabs(trace->smooth[points->point[n + 1].at] - trace->smooth[points->point[n].at]);
}

/* Of the runs whose distances change little from one to the next, keeps the one that moves farthest: small reversals of
 * correlated noise, or of a hand, may be many. The very first distance may be shorter, since the trace may begin
 * anywhere. */
static void keep_even_run(const struct trace *trace, struct turning_points *points)
{
    size_t best_from = 0, best_count = points->count < 2 ? points->count : 2;
    double moved = points->count < 2 ? 0 : height(trace, points, 0), farthest = moved;
    for (size_t from = 0, n = 1; n + 1 < points->count; n++) {
        const double ratio = distance(trace, points, n) / distance(trace, points, n - 1);
        const bool starts_trace = n == 1 && points->point[0].at * 20 < points->point[2].at;
        if (ratio < SHORTEST || (ratio > LONGEST && !starts_trace)) {
            from = n;
            moved = 0;
        }
        moved += height(trace, points, n);
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

bool turning_points_find(const struct trace *trace, double hysteresis, struct turning_points *points)
{
    *points = (struct turning_points){.half_cycle_s = NAN};
    struct zigzag zigzag = {0};
    size_t capacity = 0;
    for (size_t i = 1; i < trace->count; i++) {
        struct turning_point found;
        if (zigzag_advance(&zigzag, trace->smooth, i, hysteresis, &found) && !append(points, &capacity, found))
            return false;
    }
    keep_even_run(trace, points);
    points->half_cycle_s = usual_distance(trace, points);
    return true;
}

void turning_points_clear(struct turning_points *points)
{
    free(points->point);
    *points = (struct turning_points){.half_cycle_s = NAN};
}
