/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From tables to JSON Schema. */

#include "identify/decay/damping_model.h"
#include "report/kinds/record_kind.h"
#include "report/tables.h"
#include "report/vocabulary.h"
#include "tools/generator.h"

#include <ctype.h>
#include <string.h>

static json_t *object_schema(const struct section *section);

/* {"type": [TYPE, "null"]} or {"type": TYPE}. */
static json_t *of_type(const char *type, bool nullable)
{
    return nullable ? json_pack("{s:[s, s]}", "type", type, "null") : json_pack("{s:s}", "type", type);
}

static json_t *with_least(json_t *schema, int least)
{
    json_object_set_new(schema, "minimum", json_integer(least));
    return schema;
}

static json_t *reference(const char *name, bool nullable)
{
    json_t *schema = json_pack("{s:o}", "$ref", json_sprintf("definitions.json#/$defs/%s", name));
    return nullable ? json_pack("{s:[o, {s:s}]}", "anyOf", schema, "type", "null") : schema;
}

static json_t *list_of(json_t *items, size_t least, size_t most)
{
    json_t *schema = json_pack("{s:s, s:o}", "type", "array", "items", items);
    if (least > 0)
        json_object_set_new(schema, "minItems", json_integer((json_int_t)least));
    if (most > 0)
        json_object_set_new(schema, "maxItems", json_integer((json_int_t)most));
    return schema;
}

/* A list of some of the names in `names`, each at most once. */
static json_t *set_of(json_t *names, size_t least)
{
    json_t *schema = list_of(json_pack("{s:o}", "enum", names), least, 0);
    json_object_set_new(schema, "uniqueItems", json_true());
    return schema;
}

static json_t *names_of(const struct section *section)
{
    json_t *names = json_array();
    struct field_cursor cursor = {0};
    while (section_next(section, &cursor))
        json_array_append_new(names, json_string(cursor.field.name));
    return names;
}

/* A model of later versions has more parameters, but none that lacks these is ever shown. */
static bool is_always_there(enum fit_parameter parameter)
{
    return damping_model_has(DAMPING_VISCOUS_COULOMB, parameter);
}

static size_t count_parameters(void)
{
    size_t count = 0;
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        count += is_always_there(p);
    return count;
}

/* In this order, as long as every model has the same ones. */
static json_t *parameter_names(void)
{
    json_t *names = json_array();
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        json_array_append_new(names, json_string(decay_parameters[p].name));
    return count_parameters() == FIT_PARAMETERS ? json_pack("{s:o}", "const", names)
                                                : set_of(names, count_parameters());
}

static json_t *term_names(void)
{
    json_t *names = json_array();
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        json_array_append_new(names, json_string(ladder_parameters[p].term));
    return names;
}

/* Terms with + between them. */
static json_t *model_name(void)
{
    char term[128] = "";
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        snprintf(term + strlen(term), sizeof term - strlen(term), "%s%s", p > 0 ? "|" : "", ladder_parameters[p].term);
    return json_pack("{s:[s, s], s:o}", "type", "string", "null", "pattern",
                     json_sprintf("^(%s)(\\+(%s))*$", term, term));
}

static json_t *list_schema(const struct field *field)
{
    const size_t least = field->fewest > 0 ? field->fewest : field->count;
    return list_of(object_schema(field->of), least, field->count > 0 ? field->count : field->most);
}

static json_t *number_or_null(void)
{
    return of_type("number", true);
}

static json_t *value_schema(const struct field *field)
{
    switch (field->type) {
    case FIELD_VERDICT:
        return reference("verdict", false);
    case FIELD_REASON:
        return json_pack("{s:[s, s], s:i}", "type", "string", "null", "minLength", 1);
    case FIELD_ESTIMATE:
        return json_pack("{s:s}", "$ref", "estimate.json");
    case FIELD_FIGURE:
        return number_or_null();
    case FIELD_SIZE:
        return with_least(number_or_null(), 0);
    case FIELD_INTERVAL:
        return list_of(number_or_null(), 2, 2);
    case FIELD_NUMBERS:
        return list_of(number_or_null(), 0, field->most);
    case FIELD_PARAMETER_NAMES:
        return parameter_names();
    case FIELD_MATRIX:
        return list_of(list_of(number_or_null(), count_parameters(), FIT_PARAMETERS), count_parameters(),
                       FIT_PARAMETERS);
    case FIELD_COUNT:
    case FIELD_INTEGER:
        return with_least(of_type("integer", field->nullable), 0);
    case FIELD_ORDINAL:
        return with_least(of_type("integer", false), 1);
    case FIELD_ID:
        return with_least(of_type("integer", true), 1);
    case FIELD_FLAG:
        return of_type("boolean", field->nullable);
    case FIELD_NAME:
    case FIELD_TEXT:
        return field->words != WORDS_ANY ? reference(vocabulary_name(field->words), field->nullable)
                                         : of_type("string", field->nullable);
    case FIELD_TIME:
        return reference("time", true);
    case FIELD_CONSTANT:
        return json_pack("{s:s}", "const", field->constant);
    case FIELD_LIMIT:
        return of_type("number", false);
    case FIELD_RAISED:
        return set_of(names_of(field->of), 0);
    case FIELD_TERMS:
        return set_of(term_names(), 0);
    case FIELD_MODEL:
        return model_name();
    case FIELD_UNIT:
        return of_type("string", false);
    case FIELD_OPTIONAL:
        return json_pack("{s:[o, {s:s}]}", "anyOf", object_schema(field->of), "type", "null");
    case FIELD_OBJECT:
        return object_schema(field->of);
    case FIELD_LIST:
        return list_schema(field);
    case FIELD_PARAMETER:
    case FIELD_FREQUENCY:
    case FIELD_MAIN_FIGURES:
    case FIELD_UNCERTAINTIES:
    case FIELD_PARAMETERS:
    case FIELD_TERM_ESTIMATES:
    case FIELD_RUNG_FIGURES:
        break; /* section_next() makes estimates and figures of them */
    case FIELD_HEADLINES:
        break; /* with_headlines() */
    }
    return NULL;
}

json_t *schema_sentence(const char *phrase, const char *behind)
{
    return json_sprintf("%c%s%s.", toupper((unsigned char)phrase[0]), phrase + 1, behind);
}

static void describe(json_t *schema, const struct field *field)
{
    const bool measured = field->type == FIELD_ESTIMATE || field->type == FIELD_FIGURE || field->type == FIELD_SIZE;
    const char *unit = measured ? unit_text(field->unit, "displacement unit", " ").text : "";
    const char *note = field->of ? field->of->title : field->note;
    char behind[96] = "";
    if (field->type == FIELD_REASON && !note)
        note = "why something in this object is null; null when nothing is";
    snprintf(behind, sizeof behind, "%s%s%s", note && *unit ? ", " : "", unit, field->since > 0 ? "; since 1." : "");
    if (field->since > 0)
        snprintf(behind + strlen(behind), sizeof behind - strlen(behind), "%u", field->since);
    if (note || *behind)
        json_object_set_new(schema, "description", schema_sentence(note ? note : behind, note ? behind : ""));
}

static json_t *object_schema(const struct section *section)
{
    json_t *properties = json_object(), *required = json_array();
    struct field_cursor cursor = {0};
    while (section_next(section, &cursor)) {
        const struct field *field = &cursor.field;
        if (field->type == FIELD_HEADLINES)
            continue;
        json_t *schema = value_schema(field);
        describe(schema, field);
        json_object_set_new(properties, field->name, schema);
        if (!field->of_model || is_always_there(field->parameter))
            json_array_append_new(required, json_string(field->name));
    }
    return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties, "required", required,
                     "additionalProperties", 0);
}

/* An estimate without a value says why. */
static json_t *with_reason_for_value(json_t *schema)
{
    json_object_set_new(schema, "if", json_pack("{s:{s:{s:s}}}", "properties", "value", "type", "null"));
    json_object_set_new(schema, "then", json_pack("{s:{s:{s:s}}}", "properties", "reason", "type", "string"));
    return schema;
}

json_t *schema_with_head(json_t *schema, const char *name, const char *title)
{
    json_t *head = json_pack("{s:s, s:o, s:o}", "$schema", "https://json-schema.org/draft/2020-12/schema", "$id",
                             json_sprintf("https://fricid.invalid/schema/1/%s.json", name), "title",
                             json_sprintf("%c%s", toupper((unsigned char)title[0]), title + 1));
    json_object_update_new(head, schema);
    return head;
}

/* A result of one kind; takes it over. */
static json_t *with_kind(json_t *schema, const struct record_kind *kind)
{
    json_object_set_new(json_object_get(schema, "properties"), "kind", json_pack("{s:s}", "const", kind->name));
    return schema;
}

/* What its kind found stands behind what all tables have that are handed in. */
static json_t *table_schema(const struct record_kind *kind)
{
    json_t *schema = object_schema(&handed_table), *found = object_schema(kind->section);
    json_object_update(json_object_get(schema, "properties"), json_object_get(found, "properties"));
    json_t *all = json_object_get(schema, "properties"), *required = json_array();
    const char *key;
    json_t *ignored;
    json_object_foreach (all, key, ignored)
        json_array_append_new(required, json_string(key));
    json_object_set_new(schema, "required", required);
    json_decref(found);
    return with_kind(schema, kind);
}

/* The field of a struct that holds what only its kind knows the names of; takes the schema of the struct over. */
static json_t *with_headlines(json_t *schema, const struct section *section, const struct record_kind *kind)
{
    json_t *properties = json_object(), *required = json_array();
    struct field_cursor cursor = {0};
    while (section_next(kind->section, &cursor))
        if (cursor.field.headline) {
            json_t *headline = value_schema(&cursor.field);
            describe(headline, &cursor.field);
            json_object_set_new(properties, cursor.field.name, headline);
            json_array_append_new(required, json_string(cursor.field.name));
        }
    json_t *headlines = json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties, "required",
                                  required, "additionalProperties", 0);
    for (size_t i = 0; i < section->count; i++)
        if (section->fields[i].type == FIELD_HEADLINES) {
            describe(headlines, &section->fields[i]);
            json_object_set(json_object_get(schema, "properties"), section->fields[i].name, headlines);
            json_array_append_new(json_object_get(schema, "required"), json_string(section->fields[i].name));
        }
    json_decref(headlines);
    return schema;
}

static json_t *result_of_kind(const struct record_kind *kind)
{
    return kind->section ? table_schema(kind) : with_kind(object_schema(&result_table), kind);
}

static json_t *summary_of_kind(const struct record_kind *kind)
{
    json_t *schema = with_kind(object_schema(&summary_table), kind);
    return kind->section ? with_headlines(schema, &summary_table, kind) : schema;
}

/* One of all kinds, which tells itself. */
static json_t *of_any_kind(json_t *(*of_kind)(const struct record_kind *kind), const char *name, const char *title)
{
    json_t *each = json_array();
    const struct record_kind *kind;
    for (size_t i = 0; (kind = record_kind_at(i)); i++)
        json_array_append_new(each, of_kind(kind));
    return schema_with_head(json_pack("{s:o}", "oneOf", each), name, title);
}

json_t *schema_of(const char *name)
{
    const struct record_kind *kind;
    if (strcmp(name, "result") == 0)
        return of_any_kind(result_of_kind, name, "everything found out about one record");
    for (size_t i = 0; (kind = record_kind_at(i)); i++)
        if (kind->section && strcmp(name, kind->result) == 0)
            return schema_with_head(table_schema(kind), name, kind->section->title);
    if (strcmp(name, "summary") == 0)
        return of_any_kind(summary_of_kind, name, summary_table.title);
    if (strcmp(name, "run") == 0)
        return schema_with_head(object_schema(&run_table), name, run_table.title);
    if (strcmp(name, "estimate") == 0)
        return with_reason_for_value(schema_with_head(object_schema(&estimate_table), name, estimate_table.title));
    return NULL;
}

json_t *schema_definitions(json_t *written)
{
    json_t *definitions = json_object_get(written, "$defs");
    for (enum vocabulary vocabulary = WORDS_ANY + 1; definitions && vocabulary < VOCABULARIES; vocabulary++) {
        json_t *words = json_array();
        const char *word;
        for (int i = 0; (word = vocabulary_at(vocabulary, i)); i++)
            json_array_append_new(words, json_string(word));
        json_object_set_new(definitions, vocabulary_name(vocabulary), json_pack("{s:o}", "enum", words));
    }
    return written;
}
