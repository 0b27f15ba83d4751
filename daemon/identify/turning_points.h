/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_TURNING_POINTS_H
#define FRICID_IDENTIFY_TURNING_POINTS_H

#include "identify/estimate.h"
#include "identify/record.h"

#include <stdbool.h>
#include <stddef.h>

/* The unflagged samples of a record, moved near zero in time and displacement so that nothing cancels, and in units of
 * their own span so that no unit makes anything overflow. */
struct trace {
    size_t count;
    double *time;      /* s after `origin_s` */
    double *value;     /* from `centre`, in units of `span`: -1/2 … 1/2 */
    double *smooth;    /* moving average of value, for detection only */
    size_t *index;     /* in the record */
    double origin_s;   /* source clock */
    double centre;     /* displacement unit */
    double span;       /* largest minus smallest sample, displacement unit */
    double resolution; /* step of the values: as told, or as seen */
    double spacing_s;  /* mean sampling period */
    bool uniform;      /* time[i] is i spacing_s */
};

/* A crest or trough among the samples, not yet refined. */
struct turning_point {
    size_t at; /* in the trace */
    bool crest;
};

struct turning_points {
    struct turning_point *point; /* count of them, owned: turning_points_clear() */
    size_t count;
    double half_cycle_s; /* their usual distance; NAN: not known */
};

/* Copies what is usable. VERDICT_OK, _NO_MEMORY, _NOT_FINITE, _TIME_NOT_INCREASING or _TOO_FEW_SAMPLES; trace_clear()
 * in any case. */
enum verdict trace_load(const struct decay_record *record, struct trace *trace);
void trace_clear(struct trace *trace);

/* Standard deviation of the noise from third differences, in spans; too large for less than some 30 samples a cycle. */
double trace_rough_noise(const struct trace *trace);

/* Fills trace->smooth with the mean over about width_s; returns the number of samples in it. */
double trace_smooth(struct trace *trace, double width_s);

/* Reversals of more than `hysteresis` (of the span) in trace->smooth; of these, the run with even distances
 * that moves farthest.
 * The last point is always followed by a reversal; the first may be the start of the trace. Returns false when memory
 * is short. */
bool turning_points_find(const struct trace *trace, double hysteresis, struct turning_points *points);
void turning_points_clear(struct turning_points *points);

#endif
