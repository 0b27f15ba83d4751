/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A survey of cards as JSON. */

#include "service/devices_json.h"

#include "proto/json_value.h"

/* Appends to a list that may be NULL already; NULL when memory is short. */
static json_t *with(json_t *list, json_t *element)
{
    if (list && json_array_append_new(list, element) == 0)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *subdevice_to_json(const struct surveyed_subdevice *subdevice)
{
    json_t *ranges = json_array();
    for (size_t i = 0; i < subdevice->range_count; i++) {
        const struct surveyed_range *range = &subdevice->ranges[i];
        ranges =
            with(ranges, json_pack("{s:f, s:f, s:s}", "low", range->low, "high", range->high, "unit", range->unit));
    }
    json_t *object = json_pack(
        "{s:o, s:s, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:n}", "subdevice", count_to_json(subdevice->number), "kind",
        subdevice->kind, "use", text_to_json(subdevice->use), "channels", count_to_json(subdevice->channels), "bits",
        count_to_json(subdevice->bits), "streams", (int)subdevice->streams, "busy", (int)subdevice->busy, "fastest_hz",
        number_to_json(subdevice->fastest_hz), "ranges", ranges, "reason");
    return with_reason(object, subdevice->use ? "it does not stream, or its driver does not say how fast"
                                              : "fricid has no use for it");
}

static json_t *device_to_json(const struct surveyed_device *device)
{
    json_t *subdevices = json_array();
    for (size_t i = 0; i < device->subdevice_count; i++)
        subdevices = with(subdevices, subdevice_to_json(&device->subdevices[i]));
    const char *problem = device->problem.text[0] ? device->problem.text : NULL;
    return json_pack("{s:s, s:o, s:o, s:b, s:o, s:o}", "device", device->path, "board", text_to_json(device->board),
                     "driver", text_to_json(device->driver), "world_writable", (int)device->world_writable, "problem",
                     problem ? json_string(problem) : json_string(""), "subdevices", subdevices);
}

json_t *survey_to_json(const struct device_survey *survey, bool surveying, int64_t taken_at_ns)
{
    json_t *devices = json_array();
    for (size_t i = 0; survey && i < survey->count; i++)
        devices = with(devices, device_to_json(&survey->devices[i]));
    json_t *object = json_pack("{s:b, s:o, s:o, s:n}", "surveying", (int)surveying, "surveyed_at",
                               survey ? time_to_json(taken_at_ns) : json_null(), "devices", devices, "reason");
    return with_reason(object, "the first survey is under way: ask again");
}
