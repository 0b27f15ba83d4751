/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The time base of a recording: declared, found in the stamps, or the stamps themselves. */

#include "proto/recording_clock.h"

void recording_clock_begin(struct recording_clock *clock, const struct recording_declaration *declaration, bool even)
{
    *clock = (struct recording_clock){.declared = declaration->given,
                                      .even = even,
                                      .uniform = !declaration->given || declaration->uniform,
                                      .period_s = declaration->period_s};
}

void recording_clock_take(struct recording_clock *clock, const double *time_s, size_t count)
{
    if (count == 0)
        return;
    if (clock->rows == 0)
        clock->start_s = time_s[0];
    for (size_t i = 0; i < count; i++) {
        if (clock->rows > 0)
            recording_batches_note(&clock->batches, time_s[i] - clock->last_s);
        clock->last_s = time_s[i];
        clock->rows++;
    }
}

bool recording_clock_is_batched(const struct recording_clock *clock)
{
    return !clock->declared && !clock->even && recording_batches_found(&clock->batches);
}

bool recording_clock_looks_again(struct recording_clock *clock, double stamp_unit)
{
    recording_pace_begin(&clock->pace, clock->start_s, clock->last_s, clock->rows, stamp_unit);
    return !clock->declared;
}

bool recording_clock_look(struct recording_clock *clock, const double *time_s, size_t count)
{
    for (size_t i = 0; i < count && clock->uniform; i++)
        clock->uniform = recording_pace_note(&clock->pace, time_s[i]) || clock->even;
    return clock->uniform;
}

void recording_clock_settle(struct recording_clock *clock)
{
    if (!clock->declared)
        clock->uniform = clock->uniform && (clock->even || recording_pace_uniform(&clock->pace));
    if (clock->even)
        clock->uncertainty = recording_pace_uncertainty(&clock->pace);
    if (!clock->uniform)
        clock->period_s = clock->pace.rough_period_s;
    else if (!clock->declared)
        clock->period_s = recording_pace_period(&clock->pace);
}

/* With time stamps there is no origin that an index is counted from: the first stamp stands for one. */
struct recording_run recording_clock_place(const struct recording_clock *clock, const struct recording_run *run)
{
    struct recording_run placed = *run;
    if (clock->declared && clock->uniform)
        return placed;
    placed.origin_s = clock->start_s;
    placed.period_s = clock->period_s;
    return placed;
}
