/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the table of methods to the schemas of requests, and to what the manual page says of their parameters. */

#include "service/methods.h"
#include "tools/generator.h"

#include <float.h>
#include <string.h>

static const struct method *method_named(const char *name)
{
    const struct method *method;
    for (size_t i = 0; (method = method_at(i)) && strcmp(method->name, name) != 0;)
        i++;
    return method;
}

static bool is_limit(double bound)
{
    return bound > -DBL_MAX && bound < PARAMETER_LARGEST;
}

/* --- schemas --- */

static json_t *words_of(const struct parameter *parameter)
{
    json_t *words = json_array();
    const char *word;
    for (size_t i = 0; (word = parameter->word(i)); i++)
        json_array_append_new(words, json_string(word));
    return json_pack("{s:o}", "enum", words);
}

static json_t *with_bounds(json_t *schema, const struct parameter *parameter, bool integer)
{
    if (is_limit(parameter->minimum))
        json_object_set_new(schema, "minimum",
                            integer ? json_integer((json_int_t)parameter->minimum) : json_real(parameter->minimum));
    if (is_limit(parameter->maximum))
        json_object_set_new(schema, "maximum",
                            integer ? json_integer((json_int_t)parameter->maximum) : json_real(parameter->maximum));
    return schema;
}

static json_t *list_of_up_to(json_t *items, double most)
{
    json_t *schema = json_pack("{s:s, s:o, s:i}", "type", "array", "items", items, "minItems", 1);
    if (most > 0)
        json_object_set_new(schema, "maxItems", json_integer((json_int_t)most));
    return schema;
}

static json_t *value_schema(const struct parameter *parameter)
{
    switch (parameter->type) {
    case PARAMETER_TEXT:
        if (parameter->word)
            return words_of(parameter);
        return json_pack("{s:s, s:i, s:i}", "type", "string", "minLength", 1, "maxLength", (int)parameter->maximum);
    case PARAMETER_INTEGER:
        return with_bounds(json_pack("{s:s}", "type", "integer"), parameter, true);
    case PARAMETER_NUMBER:
        return with_bounds(json_pack("{s:s}", "type", "number"), parameter, false);
    case PARAMETER_FIGURES:
        break; /* parameter_next() makes numbers of them */
    case PARAMETER_FLAG:
        return json_pack("{s:s}", "type", "boolean");
    case PARAMETER_NUMBERS:
        return list_of_up_to(json_pack("{s:s}", "type", "number"), parameter->maximum);
    case PARAMETER_INDEXES:
        return list_of_up_to(json_pack("{s:s, s:i}", "type", "integer", "minimum", 0), parameter->maximum);
    case PARAMETER_TEXTS:
        return list_of_up_to(parameter->word ? words_of(parameter) : json_pack("{s:s}", "type", "string"), 0);
    case PARAMETER_COLUMNS:
        return json_pack("{s:s, s:i, s:o}", "type", "object", "minProperties", 1, "additionalProperties",
                         list_of_up_to(json_pack("{s:s}", "type", "number"), parameter->maximum));
    case PARAMETER_OBJECT:
        return json_pack("{s:s}", "type", "object");
    }
    return NULL;
}

static void describe(json_t *schema, const struct parameter *parameter)
{
    char behind[96] = "", since[32] = "";
    if (parameter->unit)
        snprintf(behind, sizeof behind, "%s%s", parameter->note ? ", " : "", parameter->unit);
    if (parameter->since > 0)
        snprintf(since, sizeof since, "; since 1.%u", parameter->since);
    strcat(behind, since);
    if (parameter->note || *behind)
        json_object_set_new(schema, "description",
                            schema_sentence(parameter->note ? parameter->note : behind, parameter->note ? behind : ""));
}

/* An empty list stands for no parameters, where none is required. */
static json_t *params_of(const struct method *method)
{
    json_t *properties = json_object(), *required = json_array();
    struct parameter_cursor cursor = {0};
    while (parameter_next(method->parameters, &cursor)) {
        const struct parameter *parameter = &cursor.parameter;
        json_t *schema = value_schema(parameter);
        describe(schema, parameter);
        json_object_set_new(properties, parameter->name, schema);
        if (parameter->required)
            json_array_append_new(required, json_string(parameter->name));
    }
    const bool optional = json_array_size(required) == 0;
    json_t *schema = json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties, "required", required,
                               "additionalProperties", 0);
    const char *rules = method->parameters ? method->parameters->rules : NULL;
    if (rules)
        json_object_update_new(schema, json_loads(rules, 0, NULL));
    return optional && !rules ? json_pack("{s:[o, {s:s, s:i}]}", "anyOf", schema, "type", "array", "maxItems", 0)
                              : schema;
}

json_t *schema_of_params(const char *file)
{
    static const char suffix[] = ".params";
    char name[64], title[96];
    const char *end = strstr(file, suffix);
    if (!end || end[strlen(suffix)] != '\0' || (size_t)(end - file) >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)(end - file), file);
    snprintf(title, sizeof title, "parameters of %s", name);
    const struct method *method = method_named(name);
    return method ? schema_with_head(params_of(method), file, title) : NULL;
}

json_t *schema_of_request(void)
{
    json_t *names = json_array(), *each = json_array();
    const struct method *method;
    for (size_t i = 0; (method = method_at(i)); i++) {
        json_array_append_new(names, json_string(method->name));
        json_array_append_new(each, json_pack("{s:{s:{s:{s:s}}}, s:{s:{s:{s:o}}}}", "if", "properties", "method",
                                              "const", method->name, "then", "properties", "params", "$ref",
                                              json_sprintf("%s.params.json", method->name)));
    }
    json_t *members = json_pack("{s:{s:s}, s:{s:o}, s:{s:[s, s]}, s:{s:[s, s, s], s:i}}", "jsonrpc", "const", "2.0",
                                "method", "enum", names, "params", "type", "object", "array", "id", "type", "string",
                                "number", "null", "maxLength", 256);
    json_t *schema = json_pack("{s:s, s:o, s:[s, s], s:b, s:o}", "type", "object", "properties", members, "required",
                               "jsonrpc", "method", "additionalProperties", 0, "allOf", each);
    return schema_with_head(schema, "request", "a request, or without id a notification to the server");
}

/* --- the manual page --- */

static void put_range(FILE *stream, const struct parameter *parameter, const char *what)
{
    fputs(what, stream);
    if (is_limit(parameter->minimum) && is_limit(parameter->maximum))
        fprintf(stream, " from %.12g to %.12g", parameter->minimum, parameter->maximum);
    else if (is_limit(parameter->minimum))
        fprintf(stream, " from %.12g on", parameter->minimum);
}

static void put_type(FILE *stream, const struct parameter *parameter)
{
    switch (parameter->type) {
    case PARAMETER_TEXT:
        if (parameter->word)
            fputs("name", stream);
        else
            fprintf(stream, "text of 1 to %.0f bytes", parameter->maximum);
        break;
    case PARAMETER_INTEGER:
        put_range(stream, parameter, "integer");
        break;
    case PARAMETER_NUMBER:
        put_range(stream, parameter, "number");
        break;
    case PARAMETER_FIGURES:
        break; /* parameter_next() makes numbers of them */
    case PARAMETER_FLAG:
        fputs("true or false", stream);
        break;
    case PARAMETER_NUMBERS:
        fprintf(stream, "list of 1 to %.0f numbers", parameter->maximum);
        break;
    case PARAMETER_INDEXES:
        fprintf(stream, "list of 1 to %.0f integers from 0 on", parameter->maximum);
        break;
    case PARAMETER_TEXTS:
        fputs("list of names", stream);
        break;
    case PARAMETER_COLUMNS:
        fprintf(stream, "object of lists of 1 to %.0f numbers", parameter->maximum);
        break;
    case PARAMETER_OBJECT:
        fputs("object", stream);
        break;
    }
}

static void put_head(FILE *stream, const struct parameter *parameter)
{
    fprintf(stream, ".It Va %s Pq ", parameter->name);
    put_type(stream, parameter);
    if (parameter->unit)
        fprintf(stream, ", %s", parameter->unit);
    if (parameter->required)
        fputs("; required", stream);
    if (parameter->since > 0)
        fprintf(stream, "; since 1.%u", parameter->since);
    putc('\n', stream);
}

/* Verdicts have a list of their own in the page. */
static void put_body(FILE *stream, const struct parameter *parameter)
{
    enum { MOST_WORDS = 8 };
    const char *word, *separator = "";
    size_t words = 0;
    while (parameter->word && parameter->word(words))
        words++;
    for (size_t i = 0; i < words && words <= MOST_WORDS && (word = parameter->word(i)); i++) {
        fprintf(stream, "%s%s", i == 0 ? "one of " : ", ", word);
        separator = "; ";
    }
    if (parameter->note)
        fprintf(stream, "%s%s", separator, parameter->note);
    if (parameter->note || words > 0)
        putc('\n', stream);
}

bool manual_of_params(const char *name, FILE *stream)
{
    const struct method *method = method_named(name);
    if (!method)
        return false;
    if (!method->parameters) {
        fputs("No parameters.\n", stream);
        return true;
    }
    fputs(".Bl -tag -width Ds -compact\n", stream);
    struct parameter_cursor cursor = {0};
    while (parameter_next(method->parameters, &cursor)) {
        put_head(stream, &cursor.parameter);
        put_body(stream, &cursor.parameter);
    }
    fputs(".El\n", stream);
    return true;
}
