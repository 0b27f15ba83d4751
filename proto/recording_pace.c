/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Are these time stamps a clock that ticks evenly? Then the index is the time, and rounding of the stamps does no
 * harm. */

#include "proto/recording.h"

#include <math.h>

/* Rounding may move a stamp, and the ends that the period comes from, by half a unit each; two leave room for programs
 * that add the period up. */
static const double tolerated_units = 2;

/* A coarse stamp must not hide a real change of the period. */
static const double largest_share_of_period = 0.01;

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
    *pace = (struct recording_pace){.first_s = first_s, .rough_period_s = period, .tolerance_s = fmax(own, written)};
}

bool recording_pace_note(struct recording_pace *pace, double time_s)
{
    double deviation = time_s - (pace->first_s + pace->count * pace->rough_period_s);
    pace->sum += deviation;
    pace->moment += deviation * pace->count;
    pace->count++;
    return fabs(deviation) <= pace->tolerance_s;
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

bool recording_is_uniform(const double *time_s, size_t count, double stamp_unit, double *period_s)
{
    *period_s = 0;
    if (count < 2)
        return false;
    struct recording_pace pace;
    recording_pace_begin(&pace, time_s[0], time_s[count - 1], count, stamp_unit);
    bool uniform = pace.rough_period_s > 0;
    for (size_t i = 0; i < count; i++)
        uniform = recording_pace_note(&pace, time_s[i]) && uniform;
    *period_s = uniform ? recording_pace_period(&pace) : pace.rough_period_s;
    return uniform;
}
