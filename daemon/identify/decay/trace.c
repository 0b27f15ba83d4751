/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A record as the search for extrema sees it. Nothing is copied: a record of any length is looked at where it is. */

#include "identify/decay/trace.h"

#include "identify/common/sample_pass.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

static const size_t FEWEST_SAMPLES = 8;

enum { NOISE_PROBES = 1000 };

static enum verdict check_times(const struct trace *trace)
{
    double latest = -INFINITY;
    for (size_t i = 0; i < trace->count && trace->record->time_s; i++) {
        if (!trace_usable(trace, i))
            continue;
        const double time = trace_time(trace, i);
        if (!isfinite(time))
            return VERDICT_NOT_FINITE;
        if (!(time > latest))
            return VERDICT_TIME_NOT_INCREASING;
        latest = time;
    }
    if (!trace->record->time_s && !decay_record_has_finite_times(trace->record))
        return VERDICT_NOT_FINITE;
    return trace->record->time_s || trace->record->period_s > 0 ? VERDICT_OK : VERDICT_TIME_NOT_INCREASING;
}

/* What is asked of the samples before they are a trace. */
struct spread {
    double lowest, highest;
    double step; /* the smallest difference of neighbours that differ at all */
    bool finite;
};

static struct spread spread_of_unflagged(const struct trace *trace)
{
    const struct sample_extremes extremes =
        sample_extremes_of(lanes_widest(), trace->record->displacement, trace->count);
    const double step = smallest_step(lanes_widest(), trace->record->displacement, trace->count);
    return (struct spread){extremes.lowest, extremes.highest, step, extremes.finite};
}

static struct spread spread_around_flags(const struct trace *trace)
{
    struct spread spread = {INFINITY, -INFINITY, INFINITY, true};
    double latest = NAN;
    for (size_t i = 0; i < trace->count; i++) {
        if (!trace_usable(trace, i))
            continue;
        const double value = trace->record->displacement[i], difference = fabs(value - latest);
        spread.finite = spread.finite && isfinite(value);
        spread.lowest = fmin(spread.lowest, value);
        spread.highest = fmax(spread.highest, value);
        if (difference > 0 && difference < spread.step)
            spread.step = difference;
        latest = value;
    }
    return spread;
}

/* Moves the values about zero, scales them, and looks how fine they are: neighbours that differ, differ by at least a
 * step. */
static enum verdict centre(struct trace *trace)
{
    const struct spread spread = trace->record->flags ? spread_around_flags(trace) : spread_of_unflagged(trace);
    if (!spread.finite)
        return VERDICT_NOT_FINITE;
    trace->centre = spread.lowest / 2 + spread.highest / 2;
    trace->span = spread.highest - spread.lowest;
    /* Squares of what comes out of here must not overflow. */
    if (!(trace->span < 1e150))
        return VERDICT_NOT_FINITE;
    if (!(trace->span > 0))
        return VERDICT_NO_OSCILLATION;
    trace->per_span = 1 / trace->span;
    if (!isfinite(trace->per_span))
        return VERDICT_NO_OSCILLATION;
    const double told = trace->record->resolution;
    trace->resolution = (told > 0 ? told : spread.step) / trace->span;
    return VERDICT_OK;
}

/* Returns the place of the last usable sample. */
static size_t count_usable(struct trace *trace)
{
    size_t last = trace->count - 1;
    trace->usable = trace->count;
    trace->first_time = trace_time(trace, 0);
    if (!trace->record->flags)
        return last;
    trace->usable = 0;
    for (size_t i = 0; i < trace->count; i++) {
        if (!trace_usable(trace, i))
            continue;
        if (trace->usable++ == 0)
            trace->first_time = trace_time(trace, i);
        last = i;
    }
    return last;
}

enum verdict trace_of(const struct decay_record *record, struct trace *trace)
{
    *trace = (struct trace){.record = record, .count = record->count, .uniform = !record->time_s && !record->flags};
    if (record->count < FEWEST_SAMPLES)
        return VERDICT_TOO_FEW_SAMPLES;
    trace->origin_s = decay_record_time(record, 0);
    if (!isfinite(trace->origin_s))
        return VERDICT_NOT_FINITE;
    const size_t last = count_usable(trace);
    if (trace->usable < FEWEST_SAMPLES)
        return VERDICT_TOO_FEW_SAMPLES;
    trace->spacing_s = (trace_time(trace, last) - trace->first_time) / (double)(trace->usable - 1);
    const enum verdict verdict = check_times(trace);
    return verdict == VERDICT_OK ? centre(trace) : verdict;
}

/* The place of the next usable sample; the count of places when there is none. */
static inline size_t read_on(struct trace_reader *reader)
{
    const struct trace *trace = reader->trace;
    while (reader->next < trace->count && !trace_usable(trace, reader->next))
        reader->next++;
    return reader->next < trace->count ? reader->next++ : trace->count;
}

/* Third differences remove any parabola; the median keeps a few knocks from counting. */
double trace_rough_noise(const struct trace *trace)
{
    double probes[NOISE_PROBES], y[4] = {0};
    const size_t places = trace->usable - 3;
    const size_t count = places < NOISE_PROBES ? places : NOISE_PROBES;
    struct trace_reader reader = {trace, 0};
    for (size_t n = 0, read = 0; n < count; n++) {
        const size_t from = n * places / count;
        /* Where nothing is flagged, places need not be read to be passed over. */
        if (!trace->record->flags && from > read)
            reader.next = read = from;
        for (; read < from + 4; read++) {
            memmove(y, y + 1, sizeof y - sizeof *y);
            y[3] = trace_value(trace, read_on(&reader));
        }
        probes[n] = fabs(y[3] - 3 * y[2] + 3 * y[1] - y[0]);
    }
    /* The variance of a third difference is 20 sigma²; 0.6745 sigma is the median of |noise|. */
    return gsl_stats_median(probes, 1, count) / (0.6745 * sqrt(20.0));
}

size_t trace_side(const struct trace *trace, double width_s)
{
    /* The same number of samples on both sides, whatever their times: a window that gains and loses samples by the
     * rounding of its ends would make reversals of its own. */
    const double wanted = width_s / trace->spacing_s / 2;
    return wanted < (double)trace->usable / 2 ? (size_t)wanted : trace->usable / 2;
}

struct trace_smoother trace_smoother_of(const struct trace *trace, size_t side)
{
    const struct trace_reader start = {trace, 0};
    struct trace_smoother smoother = {.behind = start, .here = start, .ahead = start, .side = side};
    for (; smoother.samples < side && smoother.samples < trace->usable; smoother.samples++)
        smoother.sum += trace_value(trace, read_on(&smoother.ahead));
    return smoother;
}

/* The next mean, near an end or among flagged samples. */
static double smooth_one(struct trace_smoother *smoother, size_t place)
{
    const struct trace *trace = smoother->here.trace;
    const size_t entering = read_on(&smoother->ahead);
    if (entering < trace->count) {
        smoother->sum += trace_value(trace, entering);
        smoother->samples++;
    }
    if (smoother->passed++ > smoother->side) {
        smoother->sum -= trace_value(trace, read_on(&smoother->behind));
        smoother->samples--;
    }
    return smoother->side > 0 ? smoother->sum / (double)smoother->samples : trace_value(trace, place);
}

/* Where nothing is flagged and the window does not reach an end within the next SMOOTHED_MOST samples. */
static void smooth_inside(struct trace_smoother *smoother, double mean[SMOOTHED_MOST])
{
    const struct trace *trace = smoother->here.trace;
    const double *entering = trace->record->displacement + smoother->ahead.next;
    const double *leaving = trace->record->displacement + smoother->behind.next;
    const double share = 1 / (double)smoother->samples;
    double sum = smoother->sum;
    for (size_t k = 0; k < SMOOTHED_MOST; k++)
        mean[k] = (entering[k] - leaving[k]) * trace->per_span;
    for (size_t k = 0; k < SMOOTHED_MOST; k++) {
        sum += mean[k];
        mean[k] = sum * share;
    }
    smoother->sum = sum;
    smoother->ahead.next += SMOOTHED_MOST;
    smoother->behind.next += SMOOTHED_MOST;
    smoother->passed += SMOOTHED_MOST;
}

size_t trace_smooth(struct trace_smoother *smoother, size_t place[SMOOTHED_MOST], double mean[SMOOTHED_MOST])
{
    const struct trace *trace = smoother->here.trace;
    const bool plain = !trace->record->flags && smoother->here.next + SMOOTHED_MOST <= trace->count;
    if (plain && (smoother->side == 0 ||
                  (smoother->passed > smoother->side && smoother->ahead.next + SMOOTHED_MOST <= trace->count))) {
        for (size_t k = 0; k < SMOOTHED_MOST; k++)
            place[k] = smoother->here.next + k;
        if (smoother->side > 0)
            smooth_inside(smoother, mean);
        for (size_t k = 0; k < SMOOTHED_MOST && smoother->side == 0; k++)
            mean[k] = trace_value(trace, smoother->here.next + k);
        smoother->here.next += SMOOTHED_MOST;
        return SMOOTHED_MOST;
    }
    size_t count = 0;
    for (; count < SMOOTHED_MOST && (place[count] = read_on(&smoother->here)) < trace->count; count++)
        mean[count] = smooth_one(smoother, place[count]);
    return count;
}
