/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_TRACE_H
#define FRICID_IDENTIFY_TRACE_H

#include "identify/common/estimate.h"
#include "identify/decay/record.h"

#include <stdbool.h>
#include <stddef.h>

/* The unflagged samples of a record, seen near zero in time and displacement so that nothing cancels, and in units of
 * their own span so that no unit makes anything overflow. Borrows the record's arrays; samples keep their places. */
struct trace {
    const struct decay_record *record;
    size_t count;      /* places, flagged ones included */
    size_t usable;     /* of them without a flag */
    double origin_s;   /* source clock */
    double centre;     /* displacement unit */
    double span;       /* largest minus smallest sample, displacement unit */
    double per_span;   /* 1/span */
    double resolution; /* step of the values: as told, or as seen */
    double first_time; /* of the first usable sample */
    double spacing_s;  /* mean sampling period of the usable samples */
    bool uniform;      /* none is flagged, and sample i lies at i spacing_s */
};

static inline bool trace_usable(const struct trace *trace, size_t i)
{
    return !trace->record->flags || trace->record->flags[i] == 0;
}

/* From `centre`, in units of `span`: -1/2 … 1/2. */
static inline double trace_value(const struct trace *trace, size_t i)
{
    return (trace->record->displacement[i] - trace->centre) * trace->per_span;
}

/* s after `origin_s`. */
static inline double trace_time(const struct trace *trace, size_t i)
{
    return trace->record->time_s ? trace->record->time_s[i] - trace->origin_s : (double)i * trace->record->period_s;
}

/* Looks at every sample. VERDICT_OK, _NOT_FINITE, _TIME_NOT_INCREASING, _NO_OSCILLATION or _TOO_FEW_SAMPLES. */
enum verdict trace_of(const struct decay_record *record, struct trace *trace);

/* Standard deviation of the noise from third differences, in spans; too large for less than some 30 samples a cycle. */
double trace_rough_noise(const struct trace *trace);

/* So many samples to either side make a mean over about width_s. */
size_t trace_side(const struct trace *trace, double width_s);

/* The usable samples one by one, in order. */
struct trace_reader {
    const struct trace *trace;
    size_t next; /* place */
};

/* A moving mean on its way along the trace, over each sample and `side` usable ones to either side; fewer at the
 * ends. */
struct trace_smoother {
    struct trace_reader behind, here, ahead;
    size_t side, passed, samples; /* usable samples before `here`; in the window */
    double sum;
};

struct trace_smoother trace_smoother_of(const struct trace *trace, size_t side);

/* The next means and their samples' places, SMOOTHED_MOST at most; 0 at the end. */
enum { SMOOTHED_MOST = 256 };
size_t trace_smooth(struct trace_smoother *smoother, size_t place[SMOOTHED_MOST], double mean[SMOOTHED_MOST]);

#endif
