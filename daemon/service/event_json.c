/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An event as JSON: every key is there, what does not apply is null. */

#include "service/event_json.h"

#include "proto/json_value.h"

static json_t *source_to_json(const char *kind)
{
    return kind ? json_pack("{s:o}", "kind", text_to_json(kind)) : json_null();
}

json_t *event_to_json(const struct service_event *event)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "code", text_to_json(event->code ? event->code : ""),
                     "sentence", text_to_json(event->sentence ? event->sentence : ""), "rig", text_to_json(event->rig),
                     "channel", text_to_json(event->channel), "source", source_to_json(event->source_kind), "at",
                     time_to_json(event->at_ns), "reason", text_to_json(event->reason), "count",
                     event->count > 0 ? count_to_json(event->count) : json_null());
}
