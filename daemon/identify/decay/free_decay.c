/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A free decay as a kind of record. */

#include "identify/decay/free_decay.h"

#include "identify/decay/identify.h"
#include "identify/decay/identify_ladder.h"

#include <assert.h>

enum verdict analyse_free_decay(const struct record *record, enum verdict left_for,
                                const struct identify_settings *settings, void *findings)
{
    if (left_for != VERDICT_OK) {
        identification_not_made(findings, left_for);
        return left_for;
    }
    const struct record_trace *trace = &record->traces[0];
    const struct record_seen unseen = {NAN, {NAN, NAN}, RECORD_JUST_ENDS, NULL},
                             *seen = record->seen ? record->seen : &unseen;
    assert(trace->stride == 1);
    const struct decay_record decay = {
        .displacement = trace->values,
        .time_s = trace->time_s,
        .flags = trace->flags,
        .count = trace->count,
        .start_s = trace->start_s,
        .period_s = trace->period_s,
        .first_extremum_s = seen->begins_s,
        .resolution = trace->resolution,
        .noise = trace->noise,
    };
    identify(&decay, &seen->rest, settings, findings);
    const bool in_time = !settings->cancel || !atomic_load(settings->cancel);
    const enum verdict ladder = settings->ladder ? identify_ladder(&decay, settings, findings) : VERDICT_OK;
    if (settings->stopped)
        *settings->stopped = in_time && ladder == VERDICT_CANCELLED;
    return ((const struct identification *)findings)->verdict;
}
