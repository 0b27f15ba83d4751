/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a run in the store to its traces: a decay is one, and so is each column of a table that was handed in. */

#include "report/run_json.h"

#include "report/kinds/record_kind.h"
#include "report/run_view.h"
#include "report/section_json.h"
#include "report/tables.h"

#include <math.h>
#include <stdlib.h>

static const struct kind_form *form_of(const struct found_decay *decay)
{
    const struct record_kind *kind = record_kind_named(decay->origin.kind);
    return kind ? kind_form_named(kind, decay->origin.columns) : NULL;
}

/* form NULL: of samples, also of several sensors, which are one trace. The figures of a table have no times. */
static struct trace_view trace_of(const struct found_decay *decay, const struct kind_form *form, size_t column)
{
    const struct decay_origin *origin = &decay->origin;
    char names[KIND_SENSORS_MOST][KIND_SENSOR_BYTES];
    const size_t sensors = record_sensors(origin, names);
    return (struct trace_view){
        .id = decay->id,
        .channel = origin->channel,
        .column = form ? form->column[column].name : NULL,
        .quantity = trace_quantity(origin, form, column),
        .unit = trace_unit(origin, form, column),
        .samples = decay->samples / (form          ? form->count
                                     : sensors > 0 ? sensors
                                                   : 1),
        .flagged = decay->flagged,
        .time_stamped = decay->time_stamped,
        .start_s = form ? (double)NAN : decay->start_s,
        .period_s = form || decay->time_stamped ? (double)NAN : decay->period_s,
        .delay_s = origin->delay_s,
        .released_at_ns = origin->released_at_ns,
        .verdict = *decay->verdict ? decay->verdict : NULL,
        .remarks = *origin->remarks ? origin->remarks : NULL,
        .protected = decay->protected,
    };
}

json_t *run_to_json(const struct found_run *run)
{
    struct trace_view *traces = calloc(run->count * KIND_COLUMNS_MOST + 1, sizeof *traces);
    size_t count = 0;
    for (size_t i = 0; traces && i < run->count; i++) {
        const struct kind_form *form = form_of(&run->decays[i]);
        const size_t columns = form ? form->count : 1;
        for (size_t c = 0; c < columns; c++)
            traces[count++] = trace_of(&run->decays[i], form, c);
    }
    const struct run_view view = {
        .run_id = run->id,
        .rig = run->rig,
        .kind = run->count > 0 ? decay_origin_kind(&run->decays[0].origin) : NULL,
        .started_at_ns = run->started_at_ns,
        .traces = traces,
        .trace_count = count,
    };
    json_t *object = traces ? section_to_json(&run_table, &view) : NULL;
    free(traces);
    return object;
}
