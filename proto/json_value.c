/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The protocol's habits in one place: numbers that are not there are null with a reason, times are RFC 3339, foreign
 * text cannot break a message. */

#include "proto/json_value.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

json_t *number_to_json(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

/* JSON readers take integers for signed 64 bits. */
json_t *count_to_json(uint64_t count)
{
    return json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count);
}

/* Latin-1 file names, say: better a name with question marks than no status at all. */
static json_t *foreign_text_to_json(const char *text)
{
    char *ascii = strdup(text);
    if (!ascii)
        return NULL;
    for (char *c = ascii; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    json_t *string = json_string(ascii);
    free(ascii);
    return string;
}

json_t *text_to_json(const char *text)
{
    if (!text)
        return json_null();
    json_t *string = json_string(text);
    return string ? string : foreign_text_to_json(text);
}

json_t *time_to_json(int64_t time_ns)
{
    if (time_ns == INT64_MIN)
        return json_null();
    int64_t ns = time_ns % 1000000000;
    /* C divides towards zero; before 1970 the second is the one below. */
    int64_t whole = time_ns / 1000000000 - (ns < 0);
    ns += ns < 0 ? 1000000000 : 0;
    time_t seconds = (time_t)whole;
    struct tm utc;
    if (!gmtime_r(&seconds, &utc))
        return json_null();
    return json_sprintf("%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                        utc.tm_hour, utc.tm_min, utc.tm_sec, (int)(ns / 1000));
}

json_t *numbers_to_json(const double *values, size_t count)
{
    json_t *row = json_array();
    for (size_t i = 0; row && i < count; i++) {
        if (json_array_append_new(row, number_to_json(values[i])) != 0) {
            json_decref(row);
            return NULL;
        }
    }
    return row;
}

json_t *matrix_to_json(const double *values, size_t rows, size_t columns)
{
    json_t *matrix = json_array();
    for (size_t i = 0; matrix && i < rows; i++) {
        if (json_array_append_new(matrix, numbers_to_json(values + i * columns, columns)) != 0) {
            json_decref(matrix);
            return NULL;
        }
    }
    return matrix;
}

/* Whether a value is null or, as a list of numbers or of such lists, holds one. Objects answer for themselves. */
static bool holds_null(const json_t *value)
{
    if (json_is_null(value))
        return true;
    for (size_t i = 0; i < json_array_size(value); i++)
        if (holds_null(json_array_get(value, i)))
            return true;
    return false;
}

json_t *with_reason(json_t *object, const char *why)
{
    bool incomplete = false;
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        incomplete = incomplete || (strcmp(key, "reason") != 0 && holds_null(value));
    }
    if (object && json_object_set_new(object, "reason", text_to_json(incomplete ? why : NULL)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *joined(json_t *section, json_t *more)
{
    if (section && (!more || json_object_update(section, more) != 0)) {
        json_decref(section);
        section = NULL;
    }
    json_decref(more);
    return section;
}
