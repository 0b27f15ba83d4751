/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parameters are checked against a table before any method runs: a misspelt name or a wrong type never does half of
 * what was meant. */

#include "service/parameters.h"

#include "store/searched_figure.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* JSON's numbers in a double are exact up to here; no parameter needs more. */
#define LARGEST_EXACT 9007199254740992.0

bool parameter_next(const struct parameter_list *known, struct parameter_cursor *cursor)
{
    if (!known || cursor->row == known->count)
        return false;
    cursor->parameter = known->rows[cursor->row];
    if (cursor->parameter.type != PARAMETER_FIGURES) {
        cursor->row++;
        return true;
    }
    const struct searched_figure *figure = &searched_figures[cursor->element];
    snprintf(cursor->name, sizeof cursor->name, "%s%s", figure->name, cursor->parameter.name);
    cursor->unit = unit_text(figure->unit, "displacement unit", " ");
    cursor->parameter.type = PARAMETER_NUMBER;
    cursor->parameter.since = figure->since;
    cursor->parameter.minimum = -DBL_MAX;
    cursor->parameter.maximum = DBL_MAX;
    cursor->parameter.name = cursor->name;
    cursor->parameter.unit = cursor->unit.text[0] ? cursor->unit.text : NULL;
    if (++cursor->element == SEARCHED_FIGURES) {
        cursor->element = 0;
        cursor->row++;
    }
    return true;
}

/* Control characters are refused: names end up on terminals. */
static bool is_plain_text(const json_t *value, double maximum)
{
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    if (!text || length == 0 || (double)length > maximum)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F)
            return false;
    return true;
}

/* 5.0 is no integer: a client that sends it has a bug that it should hear of. */
static bool is_integer_within(const json_t *value, double minimum, double maximum)
{
    if (!json_is_integer(value))
        return false;
    json_int_t number = json_integer_value(value);
    return number >= (json_int_t)minimum && number <= (json_int_t)(maximum < LARGEST_EXACT ? maximum : LARGEST_EXACT);
}

static bool is_number_within(const json_t *value, double minimum, double maximum)
{
    double number = json_number_value(value);
    return json_is_number(value) && number >= minimum && number <= maximum;
}

/* An empty list is refused: it asks for nothing. */
static bool all_of_type(const json_t *list, bool numbers)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *element = json_array_get(list, i);
        if (numbers ? !json_is_number(element) : !json_is_string(element))
            return false;
    }
    return json_array_size(list) > 0;
}

static bool all_lists_of_numbers(const json_t *columns, double maximum)
{
    const char *name;
    json_t *list;
    json_object_foreach ((json_t *)columns, name, list)
        if ((double)json_array_size(list) > maximum || !all_of_type(list, true))
            return false;
    return json_object_size(columns) > 0;
}

/* One rule for each type; say_what_fits() words the same rules. */
static bool value_fits(const struct parameter *parameter, const json_t *value)
{
    switch (parameter->type) {
    case PARAMETER_TEXT:
        return is_plain_text(value, parameter->maximum);
    case PARAMETER_INTEGER:
        return is_integer_within(value, parameter->minimum, parameter->maximum);
    case PARAMETER_NUMBER:
        return is_number_within(value, parameter->minimum, parameter->maximum);
    case PARAMETER_FIGURES:
        break; /* parameter_next() makes numbers of them */
    case PARAMETER_FLAG:
        return json_is_boolean(value);
    case PARAMETER_NUMBERS:
    case PARAMETER_INDEXES:
        return all_of_type(value, true);
    case PARAMETER_TEXTS:
        return all_of_type(value, false);
    case PARAMETER_COLUMNS:
        return all_lists_of_numbers(value, parameter->maximum);
    case PARAMETER_OBJECT:
        return json_is_object(value);
    }
    return false;
}

/* The complaint about a value, in terms of what would do. */
static void say_what_fits(const struct parameter *parameter, struct complaint *complaint)
{
    switch (parameter->type) {
    case PARAMETER_TEXT:
        complaint_set(complaint, "%s must be a string of 1 to %.0f bytes without control characters", parameter->name,
                      parameter->maximum);
        break;
    case PARAMETER_INTEGER:
        complaint_set(complaint, "%s must be an integer from %.0f to %.0f", parameter->name, parameter->minimum,
                      parameter->maximum < LARGEST_EXACT ? parameter->maximum : LARGEST_EXACT);
        break;
    case PARAMETER_NUMBER:
        complaint_set(complaint, "%s must be a number from %g to %g", parameter->name, parameter->minimum,
                      parameter->maximum);
        break;
    case PARAMETER_FIGURES:
        break;
    case PARAMETER_FLAG:
        complaint_set(complaint, "%s must be true or false", parameter->name);
        break;
    case PARAMETER_NUMBERS:
    case PARAMETER_INDEXES:
        complaint_set(complaint, "%s must be a list of 1 to %.0f numbers", parameter->name, parameter->maximum);
        break;
    case PARAMETER_TEXTS:
        complaint_set(complaint, "%s must be a list of one or more strings", parameter->name);
        break;
    case PARAMETER_COLUMNS:
        complaint_set(complaint, "%s must be an object of lists of 1 to %.0f numbers", parameter->name,
                      parameter->maximum);
        break;
    case PARAMETER_OBJECT:
        complaint_set(complaint, "%s must be an object", parameter->name);
        break;
    }
}

/* The one of that name; false when there is none. */
static bool find(const struct parameter_list *known, const char *name, struct parameter_cursor *cursor)
{
    *cursor = (struct parameter_cursor){0};
    while (parameter_next(known, cursor))
        if (strcmp(cursor->parameter.name, name) == 0)
            return true;
    return false;
}

static void say_what_is_known(const struct parameter_list *known, const char *name, struct complaint *complaint)
{
    char names[256] = "";
    struct parameter_cursor cursor = {0};
    while (parameter_next(known, &cursor)) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", cursor.parameter.name);
    }
    if (!known)
        complaint_set(complaint, "this method takes no parameters, but was given %s", name);
    else
        complaint_set(complaint, "this method takes the parameters %s, but was given %s", names, name);
}

/* One parameter that was given. Length before type: a list of a million numbers is not walked through to be refused. */
static enum jsonrpc_error check_given(const struct parameter_list *known, const char *name, const json_t *value,
                                      struct complaint *complaint)
{
    struct parameter_cursor cursor;
    const struct parameter *parameter = &cursor.parameter;
    if (!find(known, name, &cursor)) {
        say_what_is_known(known, name, complaint);
        return JSONRPC_INVALID_PARAMS;
    }
    bool numbers = parameter->type == PARAMETER_NUMBERS || parameter->type == PARAMETER_INDEXES;
    if (numbers && (double)json_array_size(value) > parameter->maximum) {
        complaint_set(complaint, "%s holds more than %.0f numbers: send more with identify.begin and identify.append",
                      name, parameter->maximum);
        return JSONRPC_TOO_LARGE;
    }
    if (value_fits(parameter, value))
        return 0;
    say_what_fits(parameter, complaint);
    return JSONRPC_INVALID_PARAMS;
}

enum jsonrpc_error parameters_check(const struct parameter_list *known, const json_t *params,
                                    struct complaint *complaint)
{
    /* JSON-RPC allows parameters by position; fricid does not, for names can be added later and positions cannot. */
    if (json_array_size(params) > 0) {
        complaint_set(complaint, "parameters are given by name, in an object");
        return JSONRPC_INVALID_PARAMS;
    }
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)params, name, value) {
        enum jsonrpc_error code = check_given(known, name, value, complaint);
        if (code != 0)
            return code;
    }
    struct parameter_cursor cursor = {0};
    while (parameter_next(known, &cursor)) {
        if (cursor.parameter.required && !json_object_get(params, cursor.parameter.name)) {
            complaint_set(complaint, "the parameter %s is missing", cursor.parameter.name);
            return JSONRPC_INVALID_PARAMS;
        }
    }
    return 0;
}

const char *parameter_text(const json_t *params, const char *name, const char *otherwise)
{
    const char *text = json_string_value(json_object_get(params, name));
    return text ? text : otherwise;
}

json_int_t parameter_integer(const json_t *params, const char *name, json_int_t otherwise)
{
    const json_t *value = json_object_get(params, name);
    return value ? json_integer_value(value) : otherwise;
}

double parameter_number(const json_t *params, const char *name, double otherwise)
{
    const json_t *value = json_object_get(params, name);
    return value ? json_number_value(value) : otherwise;
}

bool parameter_flag(const json_t *params, const char *name, bool otherwise)
{
    const json_t *value = json_object_get(params, name);
    return value ? json_is_true(value) : otherwise;
}
