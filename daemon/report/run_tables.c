/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A run and its traces. */

#include "report/run_view.h"
#include "report/table_rows.h"
#include "report/tables.h"

#define TRACE(member) .offset = offsetof(struct trace_view, member)

static const struct field trace_fields[] = {
    {.name = "id", .type = FIELD_ID, .note = "of the decay; the columns of a table have the same", TRACE(id)},
    {.name = "channel", .type = FIELD_TEXT, TRACE(channel)},
    {.name = "column", .type = FIELD_TEXT, .nullable = true, .note = "of a table that was handed in", TRACE(column)},
    {.name = "quantity", .type = FIELD_TEXT, .note = "what was measured", TRACE(quantity)},
    {.name = "unit", .type = FIELD_TEXT, TRACE(unit)},
    {.name = "samples", .type = FIELD_COUNT, TRACE(samples)},
    {.name = "flagged", .type = FIELD_COUNT, .note = "samples that are clipped or a spike", TRACE(flagged)},
    {.name = "time_stamped",
     .type = FIELD_FLAG,
     .note = "each sample has a time of its own",
     .label = "time-stamped",
     TRACE(time_stamped)},
    {.name = "start_s",
     .type = FIELD_FIGURE,
     .unit = KIND_S,
     .note = "of sample 0, source clock",
     .label = "start",
     TRACE(start_s)},
    {.name = "period_s",
     .type = FIELD_SIZE,
     .unit = KIND_S,
     .note = "of even samples",
     .label = "period",
     TRACE(period_s)},
    {.name = "delay_s",
     .type = FIELD_SIZE,
     .unit = KIND_S,
     .label = "delay",
     .note = "as in the record of a result; it is in start_s already",
     TRACE(delay_s)},
    {.name = "released_at", .type = FIELD_TIME, .label = "released (UTC)", TRACE(released_at_ns)},
    {.name = "verdict",
     .type = FIELD_TEXT,
     .words = WORDS_VERDICT,
     .nullable = true,
     .note = "of the latest result",
     TRACE(verdict)},
    {.name = "protected", .type = FIELD_FLAG, .since = 2, .note = "it stays, however old it gets", TRACE(protected)},
    {.name = "remarks",
     .type = FIELD_TEXT,
     .nullable = true,
     .since = 2,
     .note = "of the configuration, on the channel",
     TRACE(remarks)},
    REASON,
};

const struct section trace_table = {
    .title = "what one channel, or one column, gave of a run",
    .size = sizeof(struct trace_view),
    SECTION_FIELDS(trace_fields),
    .missing = "what is null is not there or not known: only tables have columns, and no times and delays, only even "
               "samples a period, only what is measured now a time of day; the delay is not known of what was stored "
               "before it was kept; a decay that was not identified yet has no verdict, and "
               "most channels have no remarks",
    .verdict_matters_not = true,
};

#define RUN(member) .offset = offsetof(struct run_view, member)

static const struct field run_fields[] = {
    {.name = "run_id", .type = FIELD_ID, RUN(run_id)},
    {.name = "rig", .type = FIELD_TEXT, RUN(rig)},
    {.name = "kind", .type = FIELD_TEXT, .words = WORDS_KIND, .note = "of its record", RUN(kind)},
    {.name = "started_at", .type = FIELD_TIME, .note = "the first release that a channel saw", RUN(started_at_ns)},
    {.name = "traces",
     .type = FIELD_LIST,
     .of = &trace_table,
     .fewest = 1,
     .elsewhere = true,
     .count_offset = offsetof(struct run_view, trace_count),
     RUN(traces)},
    REASON,
};

const struct section run_table = {
    .title = "what a rig did once: a record of one or several traces",
    .size = sizeof(struct run_view),
    SECTION_FIELDS(run_fields),
    .missing = "no channel saw a release that has a time of day",
};
