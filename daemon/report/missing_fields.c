/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is told of something that an earlier program did not look for is what section_to_json() makes of a struct that
 * says so in each field. */

#include "report/missing_fields.h"

#include "identify/common/estimate.h"
#include "proto/json_text.h"
#include "report/kinds/record_kind.h"
#include "report/section_json.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char why_missing[] = "stored before it was told";

/* Puts into a struct of zeros that a field of it is not known. */
static void leave_unknown(const struct field *field, char *data)
{
    static const struct estimate no_estimate = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};
    static const double nan_ends[] = {NAN, NAN};
    static const enum verdict verdict = VERDICT_NOT_COMPUTED;
    static const size_t unknown = COUNT_UNKNOWN;
    static const int64_t no_time = INT64_MIN;
    static const char *const reason = why_missing;
    char *at = data + field->offset;
    struct field_cursor cursor = {0};
    if (field->type == FIELD_VERDICT)
        memcpy(at, &verdict, sizeof verdict);
    else if (field->type == FIELD_ESTIMATE)
        memcpy(at, &no_estimate, sizeof no_estimate);
    else if (field->type == FIELD_FIGURE || field->type == FIELD_SIZE)
        memcpy(at, nan_ends, sizeof nan_ends[0]);
    else if (field->type == FIELD_INTERVAL)
        memcpy(at, nan_ends, sizeof nan_ends);
    else if (field->type == FIELD_COUNT && field->nullable)
        memcpy(at, &unknown, sizeof unknown);
    else if (field->type == FIELD_TIME)
        memcpy(at, &no_time, sizeof no_time);
    else if (field->type == FIELD_REASON && field->elsewhere)
        memcpy(at, &reason, sizeof reason);
    else if (field->type == FIELD_OBJECT)
        while (section_next(field->of, &cursor))
            leave_unknown(&cursor.field, at);
}

/* An object of which nothing is known; new reference. */
static json_t *unknown_object(const struct section *section)
{
    char *data = calloc(1, section->size);
    struct field_cursor cursor = {0};
    while (data && section_next(section, &cursor))
        leave_unknown(&cursor.field, data);
    json_t *object = data ? section_to_json(section, data) : NULL;
    free(data);
    return object;
}

static int complete(json_t *object, const struct section *section, bool *changed);

/* The objects in one of a field's; 0 or -1. */
static int complete_within(json_t *value, const struct field *field, bool *changed)
{
    int error = 0;
    if (field->type == FIELD_LIST)
        for (size_t i = 0; !error && i < json_array_size(value); i++)
            error = complete(json_array_get(value, i), field->of, changed);
    else if (json_is_object(value) && (field->type == FIELD_OBJECT || field->type == FIELD_OPTIONAL))
        error = complete(value, field->of, changed);
    return error;
}

/* An object that had no reason for anything gets one. */
static int explain(json_t *object)
{
    const bool unexplained = json_is_null(json_object_get(object, "reason"));
    return unexplained ? json_object_set_new(object, "reason", json_string(why_missing)) : 0;
}

/* 0, or -1 when memory is short. */
static int complete(json_t *object, const struct section *section, bool *changed)
{
    json_t *unknown = NULL;
    int error = 0;
    struct field_cursor cursor = {0};
    while (!error && section_next(section, &cursor)) {
        json_t *value = json_object_get(object, cursor.field.name);
        if (value) {
            error = complete_within(value, &cursor.field, changed);
            continue;
        }
        unknown = unknown ? unknown : unknown_object(section);
        error = json_object_set(object, cursor.field.name, json_object_get(unknown, cursor.field.name));
        *changed = true;
    }
    if (unknown && !error)
        error = explain(object);
    json_decref(unknown);
    return error;
}

/* The kind of a text; NULL: it is of before there were kinds, or of none that has a table of its own. */
static const struct record_kind *kind_of(const char *text)
{
    static const char key[] = ",\"kind\":\"";
    const char *place = strstr(text, key), *name = place ? place + sizeof key - 1 : NULL;
    const size_t length = name ? strcspn(name, "\"") : 0;
    const struct record_kind *kind;
    for (size_t i = 0; name && (kind = record_kind_at(i)); i++)
        if (kind->section && strlen(kind->name) == length && strncmp(kind->name, name, length) == 0)
            return kind;
    return NULL;
}

char *text_with_missing_fields(const char *text)
{
    const struct record_kind *kind = kind_of(text);
    json_t *result = kind ? json_loads(text, 0, NULL) : NULL;
    bool changed = false;
    char *whole = NULL;
    if (result && complete(result, kind->section, &changed) == 0 && changed)
        whole = json_text(result, NULL);
    json_decref(result);
    return whole;
}
