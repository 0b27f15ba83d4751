/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "service/samples_json.h"

#include "proto/json_value.h"
#include "report/kinds/record_kind.h"

#include <math.h>

/* Elements [offset, offset + count) of the samples' flags. */
static json_t *flags_to_json(const struct decay *decay, size_t offset, size_t count)
{
    if (!decay->flags)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++) {
        if (json_array_append_new(list, json_integer(decay->flags[offset + i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

json_t *samples_to_json(const struct kept_decay *kept, size_t offset, size_t wanted)
{
    const struct decay *decay = kept->decay;
    const struct decay_record *record = &decay->record;
    size_t total = decay->pretrigger_count + record->count;
    offset = offset < total ? offset : total;
    size_t count = wanted < total - offset ? wanted : total - offset;
    bool stamped = decay->time_s != NULL;
    double start_s = record->start_s - (double)decay->pretrigger_count * record->period_s;
    if (stamped)
        start_s = total > 0 ? decay->time_s[0] : (double)NAN;
    char names[KIND_SENSORS_MOST][KIND_SENSOR_BYTES];
    const bool sensors = record_sensors(&kept->origin, names) > 0;
    const bool listed = *kept->origin.columns, table = listed && !sensors;
    json_t *times = stamped ? numbers_to_json(decay->time_s + offset, count) : json_null();
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:n}", "id", count_to_json(kept->id), "offset",
        count_to_json(offset), "count", count_to_json(count), "total", count_to_json(total), "pretrigger_samples",
        count_to_json(decay->pretrigger_count), "start_s", number_to_json(table ? (double)NAN : start_s), "period_s",
        number_to_json(stamped || table ? (double)NAN : record->period_s), "unit", text_to_json(kept->origin.unit),
        "displacement", numbers_to_json(decay->displacement + offset, count), "time_s", times, "flags",
        flags_to_json(decay, offset, count), "columns", text_to_json(listed ? kept->origin.columns : NULL), "reason");
    if (table)
        return with_reason(object, "the figures of a table, row after row, have no times and no flags");
    return with_reason(object, stamped ? "time-stamped samples have no period; flags are null when no sample is flagged"
                                       : "uniform samples carry no time stamps; flags are null when no sample is "
                                         "flagged");
}
