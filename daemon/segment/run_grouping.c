/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which decays of several channels are of one run. */

#include "segment/run_grouping.h"

#include <math.h>
#include <stdbool.h>

struct decay_span decay_span(const struct decay *decay)
{
    const struct decay_record *record = &decay->record;
    double first_s = record->count > 0 ? decay_record_time(record, 0) : (double)NAN;
    double last_s = record->count > 0 ? decay_record_time(record, record->count - 1) : (double)NAN;
    double half_cycles = (double)decay->half_cycles;
    return (struct decay_span){.begin_s = isfinite(decay->released_s) ? decay->released_s : first_s,
                               .end_s = last_s,
                               .half_cycle_s = half_cycles > 0 ? (last_s - first_s) / half_cycles : 0};
}

static bool is_known(const struct decay_span *span)
{
    return isfinite(span->begin_s) && isfinite(span->end_s);
}

static bool share_motion(const struct decay_span *one, const struct decay_span *other)
{
    if (!is_known(one) || !is_known(other))
        return false;
    double common_s = fmin(one->end_s, other->end_s) - fmax(one->begin_s, other->begin_s);
    return common_s > fmin(one->half_cycle_s, other->half_cycle_s);
}

static size_t remembered(const struct run_grouping *grouping)
{
    return grouping->decays < RUN_GROUPING_REMEMBERS ? (size_t)grouping->decays : RUN_GROUPING_REMEMBERS;
}

static bool has_channel(const struct run_grouping *grouping, uint64_t run, size_t channel)
{
    for (size_t i = 0; i < remembered(grouping); i++)
        if (grouping->decay[i].run == run && grouping->decay[i].channel == channel)
            return true;
    return false;
}

/* It returns the run that a decay of this channel joins; 0: there is none. */
static uint64_t run_to_join(const struct run_grouping *grouping, size_t channel, const struct decay_span *span)
{
    double nearest_s = INFINITY;
    uint64_t run = 0;
    for (size_t i = 0; i < remembered(grouping); i++) {
        const struct decay_span *other = &grouping->decay[i].span;
        double distance_s = fabs(other->begin_s - span->begin_s);
        if (distance_s < nearest_s && share_motion(other, span) &&
            !has_channel(grouping, grouping->decay[i].run, channel)) {
            nearest_s = distance_s;
            run = grouping->decay[i].run;
        }
    }
    return run;
}

uint64_t run_grouping_add(struct run_grouping *grouping, size_t channel, const struct decay_span *span)
{
    uint64_t run = run_to_join(grouping, channel, span);
    if (run == 0)
        run = ++grouping->runs;
    size_t place = (size_t)(grouping->decays++ % RUN_GROUPING_REMEMBERS);
    grouping->decay[place].span = *span;
    grouping->decay[place].channel = channel;
    grouping->decay[place].run = run;
    return run;
}
