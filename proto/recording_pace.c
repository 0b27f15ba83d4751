/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Are these time stamps a clock that ticks evenly? Then the index is the time, and rounding of the stamps does no
 * harm. */

#include "proto/recording_pace.h"

#include <math.h>

/* Rounding may move a stamp, and the ends that the period comes from, by half a unit each; two leave room for programs
 * that add the period up. */
static const double tolerated_units = 2;

/* A coarse stamp must not hide a real change of the period. */
static const double largest_share_of_period = 0.01;

/* Stamps of an even clock that fall between the decimals step by one unit less or one more, again and again; a lost
 * sample makes one long step, and the next is far away. */
static const double fewest_steps_of_either_kind = 8;

/* The distance to the next double. */
static double resolution_of(double value)
{
    double magnitude = fabs(value);
    return nextafter(magnitude, INFINITY) - magnitude;
}

void recording_pace_begin(struct recording_pace *pace, double first_s, double last_s, uint64_t count, double stamp_unit)
{
    double period = count > 1 ? (last_s - first_s) / (double)(count - 1) : 0;
    double own = tolerated_units * resolution_of(fmax(fabs(first_s), fabs(last_s)));
    double written = fmin(tolerated_units * stamp_unit, largest_share_of_period * period);
    /* The rough period comes from two rounded stamps, so half a unit each way becomes a whole one. */
    *pace = (struct recording_pace){.first_s = first_s,
                                    .rough_period_s = period,
                                    .exact_s = fmax(own, written),
                                    .rounded_s = stamp_unit + own,
                                    .last_s = first_s};
}

static void note_step(struct recording_pace *pace, double step_s)
{
    pace->batches += step_s > 0.5 * pace->rough_period_s;
    pace->short_steps += step_s < pace->rough_period_s;
    pace->long_steps += step_s > pace->rough_period_s;
}

bool recording_pace_note(struct recording_pace *pace, double time_s)
{
    double deviation = time_s - (pace->first_s + pace->count * pace->rough_period_s);
    if (pace->count > 0)
        note_step(pace, time_s - pace->last_s);
    pace->sum += deviation;
    pace->squares += deviation * deviation;
    pace->moment += deviation * pace->count;
    pace->count++;
    pace->last_s = time_s;
    pace->worst_s = fmax(pace->worst_s, fabs(deviation));
    return pace->worst_s <= fmax(pace->exact_s, pace->rounded_s);
}

bool recording_pace_uniform(const struct recording_pace *pace)
{
    if (!(pace->rough_period_s > 0))
        return false;
    if (pace->worst_s <= pace->exact_s)
        return true;
    return pace->worst_s <= pace->rounded_s && fmin(pace->short_steps, pace->long_steps) >= fewest_steps_of_either_kind;
}

double recording_pace_period(const struct recording_pace *pace)
{
    double n = pace->count;
    if (n < 2)
        return pace->rough_period_s;
    /* Least squares of the deviations on the index. These are small, so nothing cancels, which it would if the stamps
     * themselves were summed. */
    double slope = (pace->moment - pace->sum * (n - 1) / 2) / (n * (n * n - 1) / 12);
    return pace->rough_period_s + slope;
}

double recording_pace_uncertainty(const struct recording_pace *pace)
{
    const double n = pace->count, mean = pace->sum / n, slope = recording_pace_period(pace) - pace->rough_period_s;
    const double spread = pace->squares / n - mean * mean - slope * slope * (n * n - 1) / 12;
    const double duration_s = n * recording_pace_period(pace);
    return sqrt(12 * fmax(spread, 0) / fmax(pace->batches, 1)) / duration_s;
}
