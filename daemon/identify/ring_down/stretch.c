/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/stretch.h"

#include "identify/decay/record.h"

#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdlib.h>

/* Samples on either side that bridge a spike: at ten a cycle and more the curve through them is off by less than 0.1 %.
 */
enum { BRIDGE = 4 };
/* The mean over the period of the slowest mode is the sensor's zero; half of that to either side. */
#define ZERO_S 0.25
/* A drift as large as half the motion is larger than its amplitude. */
#define LEAST_DRIFT 0.5
/* Stamps are at equal distances where none is off by more of a distance: at four samples a cycle that is an error of
 * 1.6 % of the amplitude, at ten of 0.6 %. */
#define STAMP_TOLERANCE 0.01

static double record_time(const struct record_trace *trace, size_t i)
{
    return trace->time_s[i * trace->stride];
}

static int ascending(const void *first, const void *second)
{
    const double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

/* A record that ends before the motion fell by a fifth gives no law, and holds this share of the motion's squares. */
#define LEAST_SHARE 0.36

/* Half of all neighbours are further apart; NAN: memory is short. */
static double usual_distance(const struct record_trace *trace)
{
    double *distances = calloc(trace->count, sizeof *distances);
    if (!distances)
        return NAN;
    for (size_t i = 1; i < trace->count; i++)
        distances[i - 1] = record_time(trace, i) - record_time(trace, i - 1);
    qsort(distances, trace->count - 1, sizeof *distances, ascending);
    const double usual = distances[(trace->count - 1) / 2];
    free(distances);
    return usual;
}

/* The first gap behind this sample. */
static size_t gap_behind(const struct record_trace *trace, size_t from, double usual)
{
    size_t i = from + 1;
    while (i < trace->count && record_time(trace, i) - record_time(trace, i - 1) < 1.5 * usual)
        i++;
    return i;
}

/* The sum of all sensors' squares, each about its mean in this range; 0: a sensor's sample is no number. */
static double motion_in(const struct record_trace *traces, size_t count, struct sample_range range)
{
    double motion = 0;
    for (size_t m = 0; m < count; m++) {
        double mean = 0;
        for (size_t i = range.from; i < range.to && i < traces[m].count; i++)
            mean += record_value(&traces[m], i) / (double)(range.to - range.from);
        for (size_t i = range.from; i < range.to && i < traces[m].count; i++)
            motion += pow(record_value(&traces[m], i) - mean, 2);
    }
    return isfinite(motion) ? motion : 0;
}

/* The first range between gaps that holds a share of all motion, or the one that holds most. */
static struct sample_range range_that_moves(const struct record_trace *traces, size_t count, double usual)
{
    struct sample_range best = {0, gap_behind(&traces[0], 0, usual)};
    double all = 0, most = 0;
    for (size_t from = 0; from < traces[0].count; from = gap_behind(&traces[0], from, usual))
        all += motion_in(traces, count, (struct sample_range){from, gap_behind(&traces[0], from, usual)});
    size_t from = 0;
    while (from < traces[0].count && !(most > LEAST_SHARE * all)) {
        const struct sample_range range = {from, gap_behind(&traces[0], from, usual)};
        const double motion = motion_in(traces, count, range);
        if (motion > most) {
            most = motion;
            best = range;
        }
        from = range.to;
    }
    return best;
}

enum verdict stretch_range(const struct record_trace *traces, size_t count, struct sample_range *range)
{
    *range = (struct sample_range){0, traces[0].count};
    if (!traces[0].time_s)
        return VERDICT_OK;
    if (traces[0].count < LEAST_STAMPS)
        return VERDICT_TOO_FEW_SAMPLES;
    const double usual = usual_distance(&traces[0]);
    if (!isfinite(usual))
        return VERDICT_NO_MEMORY;
    *range = range_that_moves(traces, count, usual);
    return VERDICT_OK;
}

/* Whether its stamps are at equal distances. */
static enum verdict look_at_stamps(const struct record_trace *trace, struct sample_range range, struct stretch *stretch)
{
    if (range.to - range.from < LEAST_STAMPS)
        return VERDICT_TOO_FEW_SAMPLES;
    const double begin_s = record_time(trace, range.from), last_s = record_time(trace, range.to - 1);
    const double period_s = (last_s - begin_s) / (double)(range.to - 1 - range.from);
    for (size_t i = range.from; i < range.to; i++)
        if (!(fabs(record_time(trace, i) - begin_s - (double)(i - range.from) * period_s) <=
              STAMP_TOLERANCE * period_s))
            return VERDICT_IRREGULAR_STAMPS;
    stretch->start_s = begin_s;
    stretch->rate_hz = 1 / period_s;
    return VERDICT_OK;
}
void stretch_bridge(double *raw, const uint8_t *flags, size_t count, size_t spike)
{
    double place[2 * BRIDGE], value[2 * BRIDGE], difference[2 * BRIDGE];
    size_t found = 0;
    /* As far to one side as to the other: beyond the samples it would make much of their noise. */
    const size_t shorter = spike < count - 1 - spike ? spike : count - 1 - spike;
    const size_t reach = shorter > BRIDGE ? BRIDGE : shorter > 0 ? shorter : 1;
    for (size_t i = spike > reach ? spike - reach : 0; i < count && i <= spike + reach; i++) {
        if (i == spike || (flags && flags[i] & SAMPLE_SPIKE))
            continue;
        place[found] = (double)i - (double)spike;
        value[found++] = raw[i];
    }
    if (found == 0)
        return;
    gsl_poly_dd_init(difference, place, value, found);
    raw[spike] = gsl_poly_dd_eval(difference, place, found, 0);
}

enum verdict stretch_of(const struct record_trace *trace, struct sample_range range, struct stretch *stretch)
{
    const size_t to = range.to < trace->count ? range.to : trace->count, from = range.from < to ? range.from : to;
    *stretch = (struct stretch){.count = to - from,
                                .rate_hz = 1 / trace->period_s,
                                .start_s = trace->start_s,
                                .delay_s = isfinite(trace->delay_s) ? trace->delay_s : 0,
                                .gap = trace->time_s && to < trace->count};
    stretch->raw = calloc(2 * stretch->count + 1, sizeof *stretch->raw);
    if (trace->flags)
        stretch->flags = calloc(stretch->count + 1, sizeof *stretch->flags);
    if (!stretch->raw || (trace->flags && !stretch->flags))
        return VERDICT_NO_MEMORY;
    stretch->level = stretch->raw + stretch->count;
    const enum verdict verdict =
        trace->time_s ? look_at_stamps(trace, (struct sample_range){from, to}, stretch) : VERDICT_OK;
    if (verdict != VERDICT_OK)
        return verdict;
    if (!isfinite(stretch->rate_hz))
        return VERDICT_TOO_FEW_SAMPLES;
    for (size_t i = 0; i < stretch->count; i++)
        stretch->raw[i] = record_value(trace, from + i);
    for (size_t i = 0; trace->flags && i < stretch->count; i++)
        stretch->flags[i] = trace->flags[(from + i) * trace->stride];
    for (size_t i = 0; trace->flags && i < stretch->count; i++)
        if (stretch->flags[i] & SAMPLE_SPIKE)
            stretch_bridge(stretch->raw, stretch->flags, stretch->count, i);
    return VERDICT_OK;
}

void stretch_level(const double *raw, size_t count, double *level)
{
    const double middle = 0.5 * ((double)count - 1);
    double mean = 0, slope = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        mean += raw[i] / (double)count;
    for (size_t i = 0; i < count; i++) {
        slope += ((double)i - middle) * (raw[i] - mean);
        squares += ((double)i - middle) * ((double)i - middle);
    }
    for (size_t i = 0; i < count; i++)
        level[i] = raw[i] - mean - (squares > 0 ? slope / squares * ((double)i - middle) : 0);
}

static double span_of(const double *values, size_t count)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    return count > 0 ? most - least : 0;
}

bool stretch_drifts(const struct stretch *stretch, size_t count)
{
    const size_t half = (size_t)(ZERO_S * stretch->rate_hz) + 1;
    double sum = 0, least = INFINITY, most = -INFINITY;
    for (size_t i = 0, from = 0, to = 0; i < count; i++) {
        /* As far to one side as to the other, so that a straight drift is its own mean. */
        const size_t nearer = i < count - 1 - i ? i : count - 1 - i, reach = nearer < half ? nearer : half;
        while (to <= i + reach)
            sum += stretch->raw[to++] - stretch->raw[0];
        while (from < i - reach)
            sum -= stretch->raw[from++] - stretch->raw[0];
        while (to > i + reach + 1)
            sum -= stretch->raw[--to] - stretch->raw[0];
        const double zero = stretch->raw[0] + sum / (double)(to - from);
        stretch->level[i] = stretch->raw[i] - zero;
        least = fmin(least, zero);
        most = fmax(most, zero);
    }
    return count > 0 && most - least > LEAST_DRIFT * span_of(stretch->level, count);
}

double stretch_step(const double *raw, size_t count)
{
    double step = INFINITY;
    for (size_t i = 1; i < count; i++)
        if (raw[i] != raw[i - 1])
            step = fmin(step, fabs(raw[i] - raw[i - 1]));
    return step;
}

/* With J_1(x) near sqrt(2/(pi x)) cos(x - 3 pi/4): 2/pi^2 times the sum of k^(-3/2), 2.612, and the cosine of all where
 * the crests just reach a step, sqrt(1/2). */
#define ROUNDING 0.37

double stretch_rounding(double step, double amplitude)
{
    return ROUNDING * step * sqrt(step / amplitude);
}

void stretch_clear(struct stretch *stretch)
{
    free(stretch->raw);
    free(stretch->flags);
    stretch->raw = stretch->level = NULL;
    stretch->flags = NULL;
}

double stretch_span(const struct stretch *stretch)
{
    for (size_t i = 0; i < stretch->count; i++)
        if (!isfinite(stretch->raw[i]))
            return 0;
    return span_of(stretch->raw, stretch->count);
}
