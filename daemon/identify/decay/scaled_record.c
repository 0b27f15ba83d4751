/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One set of units for all fits, so that thresholds such as 1e-12 mean the same for metres, micrometres and volts,
 * and time stamps near 1e9 s lose no digits. */

#include "identify/decay/scaled_record.h"

#include "identify/common/sample_pass.h"

#include <float.h>
#include <math.h>

/* The spacing of doubles there: a unit in the last place. */
static double spacing_near(double time_s)
{
    return nextafter(fabs(time_s), INFINITY) - fabs(time_s);
}

/* Of the time stamps. */
static double mean_period(const struct decay_record *record)
{
    return (record->time_s[record->count - 1] - record->time_s[0]) / (double)(record->count - 1);
}

/* A pace whose reciprocal is a number, too: a smaller one is as good as none. */
static enum verdict check_period(double period_s)
{
    if (!isfinite(period_s))
        return VERDICT_NOT_FINITE;
    return period_s >= DBL_MIN ? VERDICT_OK : VERDICT_TIME_NOT_INCREASING;
}

static enum verdict check_times(const struct decay_record *record)
{
    if (!record->time_s)
        return decay_record_has_finite_times(record) ? check_period(record->period_s) : VERDICT_NOT_FINITE;
    for (size_t i = 0; i < record->count; i++)
        if (!isfinite(record->time_s[i]))
            return VERDICT_NOT_FINITE;
    for (size_t i = 1; i < record->count; i++)
        if (record->time_s[i] <= record->time_s[i - 1])
            return VERDICT_TIME_NOT_INCREASING;
    return record->count < 2 ? VERDICT_OK : check_period(mean_period(record));
}

/* True when every stamp lies within two units in the last place of origin + i period. */
static bool stamps_follow(const struct decay_record *record, double period_s)
{
    double origin = record->time_s[0];
    double tolerance = 2.0 * spacing_near(fmax(fabs(origin), fabs(record->time_s[record->count - 1])));
    for (size_t i = 0; i < record->count; i++)
        if (fabs((record->time_s[i] - origin) - (double)i * period_s) > tolerance)
            return false;
    return true;
}

/* The number with so many significant digits next to a positive one. For periods: 0.0009999999 s from coarse stamps
 * was meant as 0.001 s. */
static double rounded(double value, int digits)
{
    double step = pow(10.0, floor(log10(value)) + 1.0 - digits);
    return round(value / step) * step;
}

/* The period of uniform time stamps. Coarse stamps leave a range of periods open: of these, the one that somebody once
 * set is a short decimal number of seconds, or a short number of samples a second. */
static bool stamps_uniform(const struct decay_record *record, double *period_s)
{
    double mean = mean_period(record);
    *period_s = mean;
    if (!stamps_follow(record, mean))
        return false;
    for (int digits = 1; digits <= 9; digits++) {
        double candidates[2] = {rounded(mean, digits), 1.0 / rounded(1.0 / mean, digits)};
        for (int k = 0; k < 2; k++)
            if (stamps_follow(record, candidates[k])) {
                *period_s = candidates[k];
                return true;
            }
    }
    return true;
}

static void set_time_axis(struct scaled_record *scaled)
{
    const struct decay_record *record = scaled->record;
    scaled->uniform = !record->time_s;
    scaled->origin_s = record->start_s;
    scaled->unit_s = record->period_s;
    if (record->time_s) {
        scaled->origin_s = record->time_s[0];
        scaled->uniform = stamps_uniform(record, &scaled->unit_s);
        if (!scaled->uniform)
            scaled->unit_s = mean_period(record);
    }
    double latest = scaled->uniform ? 0.0 : record->time_s[record->count - 1];
    /* A millionth of a period, and what the stamps themselves leave open. */
    scaled->time_slack = 1e-6 + 2.0 * spacing_near(latest) / scaled->unit_s;
}

/* Extremes of the unflagged samples; returns how many these are. */
static size_t look_around_flags(const struct decay_record *record, struct sample_extremes *extremes)
{
    *extremes = (struct sample_extremes){INFINITY, -INFINITY, INFINITY, true};
    size_t usable = 0;
    for (size_t i = 0; i < record->count; i++) {
        double y = record->displacement[i];
        if (record->flags[i])
            continue;
        extremes->finite = extremes->finite && isfinite(y);
        extremes->lowest = fmin(extremes->lowest, y);
        extremes->highest = fmax(extremes->highest, y);
        usable++;
    }
    return usable;
}

enum verdict scaled_record_from(const struct decay_record *record, size_t least, struct scaled_record *scaled)
{
    *scaled = (struct scaled_record){.record = record, .count = record->count, .scale = 1.0, .unit_s = 1.0};
    struct sample_extremes extremes = {.finite = true};
    size_t usable = record->count;
    if (record->flags)
        usable = look_around_flags(record, &extremes);
    else if (usable)
        extremes = sample_extremes_of(lanes_widest(), record->displacement, record->count);
    if (!extremes.finite)
        return VERDICT_NOT_FINITE;
    enum verdict verdict = check_times(record);
    if (verdict != VERDICT_OK)
        return verdict;
    if (usable < least || usable < 2)
        return VERDICT_TOO_FEW_SAMPLES;
    double lowest = extremes.lowest, highest = extremes.highest;
    /* Halved before subtracting: the difference of two huge values must not overflow. */
    double half_range = 0.5 * highest - 0.5 * lowest;
    /* A range within rounding of the value itself is no motion. */
    if (!(half_range > 4.0 * DBL_EPSILON * fmax(fabs(lowest), fabs(highest))) || half_range < 1e-290)
        return VERDICT_NO_OSCILLATION;
    scaled->offset = 0.5 * lowest + 0.5 * highest;
    /* A power of two scales without rounding: noise-free records stay exact. */
    scaled->scale = ldexp(1.0, -ilogb(half_range));
    scaled->range = 2.0 * half_range * scaled->scale;
    scaled->steepest = extremes.largest_step * scaled->scale;
    set_time_axis(scaled);
    return VERDICT_OK;
}

/* The interval is halved. */
size_t scaled_first_stamp_at(const struct scaled_record *scaled, double time)
{
    size_t low = 0, high = scaled->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (scaled_time(scaled, middle) < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void scaled_parameter_units(const struct scaled_record *scaled, double units[FIT_PARAMETERS])
{
    for (int p = 0; p < FIT_PARAMETERS; p++)
        units[p] = unit_of_kind(decay_parameters[p].unit, 1.0 / scaled->scale, scaled->unit_s);
}

/* Where the record's own zero lies for a parameter that is counted from there. */
static double zero_of(const struct scaled_record *scaled, int p)
{
    switch (decay_parameters[p].origin) {
    case FROM_ZERO_OF_DISPLACEMENT:
        return scaled->offset;
    case FROM_ZERO_OF_TIME:
        return scaled->origin_s;
    case FROM_NOTHING:
        break;
    }
    return 0.0;
}

void scaled_to_record(const struct scaled_record *scaled, const double *parameters, double *in_record_units)
{
    double units[FIT_PARAMETERS];
    scaled_parameter_units(scaled, units);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        in_record_units[p] = parameters[p] * units[p] + zero_of(scaled, p);
}

void scaled_from_record(const struct scaled_record *scaled, const double *in_record_units, double *parameters)
{
    double units[FIT_PARAMETERS];
    scaled_parameter_units(scaled, units);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        parameters[p] = (in_record_units[p] - zero_of(scaled, p)) / units[p];
}
