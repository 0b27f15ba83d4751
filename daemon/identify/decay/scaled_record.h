/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SCALED_RECORD_H
#define FRICID_IDENTIFY_SCALED_RECORD_H

#include "identify/common/estimate.h"
#include "identify/decay/decay_parameter.h"
#include "identify/decay/record.h"

#include <stdbool.h>

/* A record as the fits see it: displacement from the middle of its range, in a power of two near half that range;
 * time from sample 0, in sampling periods. So no unit, scale or epoch can spoil the arithmetic. */
struct scaled_record {
    const struct decay_record *record;
    size_t count;
    double offset;     /* displacement unit: scaled value = (y - offset) scale */
    double scale;      /* a power of two, 1/displacement unit */
    double origin_s;   /* source clock at sample 0 */
    double unit_s;     /* seconds in one scaled time unit */
    bool uniform;      /* sample i is at scaled time i */
    double time_slack; /* how closely a scaled time is known at all */
    double range;      /* from the lowest to the highest sample, scaled */
    double steepest;   /* largest difference of neighbouring samples, scaled; INFINITY: not looked at */
};

/* Looks at every sample: VERDICT_NOT_FINITE, VERDICT_TIME_NOT_INCREASING, VERDICT_TOO_FEW_SAMPLES (fewer unflagged
 * samples than `least`), VERDICT_NO_OSCILLATION (all alike), or VERDICT_OK. Time stamps that are uniform to two units
 * in the last place are taken as uniform: then the index is the time. */
enum verdict scaled_record_from(const struct decay_record *record, size_t least, struct scaled_record *scaled);

static inline bool scaled_usable(const struct scaled_record *scaled, size_t i)
{
    return !scaled->record->flags || scaled->record->flags[i] == 0;
}

/* Whether its samples can be taken in one go: uniform, and none flagged. */
static inline bool scaled_is_plain(const struct scaled_record *scaled)
{
    return scaled->uniform && !scaled->record->flags;
}

static inline double scaled_value(const struct scaled_record *scaled, size_t i)
{
    return (scaled->record->displacement[i] - scaled->offset) * scaled->scale;
}

static inline double scaled_time(const struct scaled_record *scaled, size_t i)
{
    return scaled->uniform ? (double)i : (scaled->record->time_s[i] - scaled->origin_s) / scaled->unit_s;
}

/* The first sample at or after a scaled time of a record with time stamps; count when there is none. */
size_t scaled_first_stamp_at(const struct scaled_record *scaled, double time);

/* The first sample at or after a scaled time; count when there is none. Here, because it is asked for every half cycle
 * of every pass. */
static inline size_t scaled_first_at(const struct scaled_record *scaled, double time)
{
    if (!(time > 0.0))
        return 0;
    if (!scaled->uniform)
        return scaled_first_stamp_at(scaled, time);
    const size_t below = time > (double)(scaled->count - 1) ? scaled->count : (size_t)time;
    return below < scaled->count && (double)below < time ? below + 1 : below;
}

/* What one scaled unit of each parameter is in the record's own units: for estimates' spreads. */
void scaled_parameter_units(const struct scaled_record *scaled, double units[FIT_PARAMETERS]);

/* Parameters from scaled to the record's own units and back. */
void scaled_to_record(const struct scaled_record *scaled, const double *parameters, double *in_record_units);
void scaled_from_record(const struct scaled_record *scaled, const double *in_record_units, double *parameters);

#endif
