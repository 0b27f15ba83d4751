/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/stretch.h"

#include "identify/decay/record.h"

#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdlib.h>

/* Samples on either side that bridge a spike: at ten a cycle and more the curve through them is off by less than 0.1 %.
 */
enum { BRIDGE = 4 };
/* Stamps are at equal distances where none is off by more of a distance: at four samples a cycle that is an error of
 * 1.6 % of the amplitude, at ten of 0.6 %. */
#define STAMP_TOLERANCE 0.01

static int ascending(const void *first, const void *second)
{
    const double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

/* The stamps up to the first gap. room: as many as there are stamps. */
static enum verdict look_at_stamps(const double *time_s, size_t count, double *room, struct stretch *stretch)
{
    if (count < LEAST_STAMPS)
        return VERDICT_TOO_FEW_SAMPLES;
    for (size_t i = 1; i < count; i++)
        room[i - 1] = time_s[i] - time_s[i - 1];
    qsort(room, count - 1, sizeof *room, ascending);
    const double usual = room[(count - 1) / 2];
    size_t until = 1;
    while (until < count && time_s[until] - time_s[until - 1] < 1.5 * usual)
        until++;
    if (until < LEAST_STAMPS)
        return VERDICT_TOO_FEW_SAMPLES;
    const double period_s = (time_s[until - 1] - time_s[0]) / (double)(until - 1);
    for (size_t i = 0; i < until; i++)
        if (!(fabs(time_s[i] - time_s[0] - (double)i * period_s) <= STAMP_TOLERANCE * usual))
            return VERDICT_IRREGULAR_STAMPS;
    stretch->gap = until < count;
    stretch->count = until;
    stretch->rate_hz = 1 / period_s;
    return VERDICT_OK;
}

/* The curve through its neighbours, in the place of a spike: that is no motion. */
static void bridge(const uint8_t *flags, size_t count, size_t spike, double *raw)
{
    double place[2 * BRIDGE], value[2 * BRIDGE], difference[2 * BRIDGE];
    size_t found = 0;
    /* As far to one side as to the other: beyond the samples it would make much of their noise. */
    const size_t shorter = spike < count - 1 - spike ? spike : count - 1 - spike;
    const size_t reach = shorter > BRIDGE ? BRIDGE : shorter > 0 ? shorter : 1;
    for (size_t i = spike > reach ? spike - reach : 0; i < count && i <= spike + reach; i++) {
        if (flags[i] & SAMPLE_SPIKE)
            continue;
        place[found] = (double)i - (double)spike;
        value[found++] = raw[i];
    }
    if (found == 0)
        return;
    gsl_poly_dd_init(difference, place, value, found);
    raw[spike] = gsl_poly_dd_eval(difference, place, found, 0);
}

enum verdict stretch_of(const struct record_trace *trace, struct stretch *stretch)
{
    *stretch = (struct stretch){.count = trace->count, .rate_hz = 1 / trace->period_s, .start_s = trace->start_s};
    stretch->raw = calloc(2 * trace->count + 1, sizeof *stretch->raw);
    if (trace->flags)
        stretch->flags = calloc(trace->count + 1, sizeof *stretch->flags);
    if (!stretch->raw || (trace->flags && !stretch->flags))
        return VERDICT_NO_MEMORY;
    stretch->level = stretch->raw + trace->count;
    for (size_t i = 0; trace->time_s && i < trace->count; i++)
        stretch->level[i] = trace->time_s[i * trace->stride];
    if (trace->time_s)
        stretch->start_s = trace->time_s[0];
    const enum verdict verdict =
        trace->time_s ? look_at_stamps(stretch->level, trace->count, stretch->raw, stretch) : VERDICT_OK;
    if (verdict != VERDICT_OK)
        return verdict;
    if (!isfinite(stretch->rate_hz))
        return VERDICT_TOO_FEW_SAMPLES;
    for (size_t i = 0; i < stretch->count; i++)
        stretch->raw[i] = record_value(trace, i);
    for (size_t i = 0; trace->flags && i < stretch->count; i++)
        stretch->flags[i] = trace->flags[i * trace->stride];
    for (size_t i = 0; trace->flags && i < stretch->count; i++)
        if (stretch->flags[i] & SAMPLE_SPIKE)
            bridge(stretch->flags, stretch->count, i, stretch->raw);
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

void stretch_clear(struct stretch *stretch)
{
    free(stretch->raw);
    free(stretch->flags);
    stretch->raw = stretch->level = NULL;
    stretch->flags = NULL;
}

double stretch_span(const struct stretch *stretch)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < stretch->count; i++) {
        if (!isfinite(stretch->raw[i]))
            return 0;
        least = fmin(least, stretch->raw[i]);
        most = fmax(most, stretch->raw[i]);
    }
    return most > least ? most - least : 0;
}
