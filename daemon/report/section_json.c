/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One walk for all tables. */

#include "report/section_json.h"

#include "identify/common/estimate.h"
#include "identify/decay/damping_model.h"
#include "proto/json_value.h"
#include "report/tables.h"
#include "report/vocabulary.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Some sentences. */
enum { REASONS_BYTES = 2048 };

/* What is being written; not_ok: the sentence that explains whatever is missing, NULL where all is well. */
struct walk {
    const struct section *section;
    const char *data;
    const char *not_ok;
};

static json_t *members(const struct walk *walk);
static json_t *object_to_json(const struct section *section, const void *data, const char *around);

/* Takes both over. NULL when either is NULL. */
static json_t *appended(json_t *list, json_t *value)
{
    if (list && json_array_append_new(list, value) == 0)
        return list;
    if (!list)
        json_decref(value);
    json_decref(list);
    return NULL;
}

/* Why an estimate of a section is missing. */
static const char *missing_estimate(const struct walk *walk, const struct field *field)
{
    const char *held = field->missing_offset > 0 ? *(const char *const *)(walk->data + field->missing_offset) : NULL;
    if (walk->not_ok)
        return walk->not_ok;
    if (held)
        return held;
    if (field->missing)
        return field->missing;
    return walk->section->missing_estimate ? walk->section->missing_estimate : walk->section->missing;
}

static json_t *estimate_to_json(const struct field *field, const struct walk *around)
{
    const struct estimate *estimate = (const struct estimate *)(around->data + field->offset);
    const char *missing_se = around->section->missing_se;
    struct estimate shown = *estimate;
    const char *why = missing_estimate(around, field);
    if (estimate->at_bound)
        why = "at its bound: the upper limit is one-sided (95 %)";
    else if (isfinite(estimate->value) && !isfinite(estimate->se))
        why = missing_se ? missing_se : "its uncertainty could not be determined";
    else if (isfinite(estimate->value))
        why = "u and ci95 are those of a budget, which only the recommended section and what follows from it have";
    if (!estimate->combined.known)
        shown.combined = (struct combined_uncertainty){false, NAN, NAN, NAN};
    /* The standard error at a bound is null by definition, whatever a method left there. */
    if (estimate->at_bound)
        shown.se = NAN;
    const struct walk walk = {&estimate_table, (const char *)&shown, NULL};
    return with_reason(members(&walk), why);
}

/* The model whose parameters a struct has. */
static enum damping_model model_of(const struct walk *walk)
{
    const size_t offset = walk->section->model_offset;
    return offset > 0 ? *(const enum damping_model *)(walk->data + offset) : DAMPING_VISCOUS_COULOMB;
}

static json_t *parameter_names(enum damping_model model)
{
    json_t *list = json_array();
    for (enum fit_parameter p = 0; list && p < FIT_PARAMETERS; p++)
        if (damping_model_has(model, p))
            list = appended(list, json_string(decay_parameters[p].name));
    return list;
}

static json_t *terms_to_json(unsigned terms)
{
    json_t *list = json_array();
    for (enum ladder_parameter p = 0; list && p < LADDER_TERMS; p++)
        if (ladder_terms_have(terms, p))
            list = appended(list, json_string(ladder_parameters[p].term));
    return list;
}

/* The rows and columns of a matrix that belong to a model's parameters. */
static json_t *parameter_matrix(enum damping_model model, const double *matrix)
{
    double part[FIT_PARAMETERS * FIT_PARAMETERS];
    size_t count = 0, columns = 0;
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++) {
        columns += damping_model_has(model, p);
        for (enum fit_parameter r = 0; r < FIT_PARAMETERS; r++)
            if (damping_model_has(model, p) && damping_model_has(model, r))
                part[count++] = matrix[p * FIT_PARAMETERS + r];
    }
    return matrix_to_json(part, columns, columns);
}

static json_t *raised_to_json(const struct section *flags, const char *data)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < flags->count; i++)
        if (*(const bool *)(data + flags->fields[i].offset))
            list = appended(list, json_string(flags->fields[i].name));
    return list;
}

static json_t *list_to_json(const struct walk *walk, const struct field *field)
{
    const char *at = walk->data + field->offset;
    const char *element = field->elsewhere ? *(const char *const *)at : at;
    size_t count = field->count_offset ? *(const size_t *)(walk->data + field->count_offset) : field->count;
    if (field->most > 0 && count > field->most)
        count = field->most;
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++)
        list = appended(list, object_to_json(field->of, element + i * field->of->size, walk->not_ok));
    return list;
}

static json_t *headlines_to_json(const struct headlines_view *view)
{
    json_t *object = object_to_json(view->of, view->found, NULL);
    struct field_cursor cursor = {0};
    while (object && section_next(view->of, &cursor))
        if (!cursor.field.headline)
            json_object_del(object, cursor.field.name);
    return object;
}

/* An enum has the size of an int. */
static int enum_value(const char *at)
{
    int value;
    memcpy(&value, at, sizeof value);
    return value;
}

static json_t *unit_to_json(const struct quantity_unit *unit)
{
    return json_string(unit_text(unit->kind, unit->displacement, " ").text);
}

/* A field that this struct lacks. */
static bool is_left_out(const struct walk *walk, const struct field *field)
{
    if (field->of_model)
        return !damping_model_has(model_of(walk), field->parameter);
    return field->type == FIELD_HEADLINES && !((const struct headlines_view *)(walk->data + field->offset))->of;
}

/* A field with a table of its own. */
static json_t *nested_to_json(const struct walk *walk, const struct field *field)
{
    const void *at = walk->data + field->offset;
    if (field->type == FIELD_RAISED)
        return raised_to_json(field->of, at);
    if (field->type == FIELD_LIST)
        return list_to_json(walk, field);
    if (field->type == FIELD_HEADLINES)
        return headlines_to_json(at);
    if (field->type == FIELD_OPTIONAL && !*(const bool *)at)
        return json_null();
    return object_to_json(field->of, at, walk->not_ok);
}

/* What the model of the section, or that of a rung, has. */
static json_t *terms_of_model_to_json(const struct walk *walk, const struct field *field)
{
    const void *at = walk->data + field->offset;
    if (field->type == FIELD_PARAMETER_NAMES)
        return parameter_names(model_of(walk));
    if (field->type == FIELD_MATRIX)
        return parameter_matrix(model_of(walk), at);
    const unsigned terms = *(const unsigned *)at;
    if (field->type == FIELD_TERMS)
        return terms_to_json(terms);
    return terms ? json_string(ladder_terms_name(terms).text) : json_null();
}

static json_t *whole_to_json(const struct field *field, const void *at)
{
    if (field->type == FIELD_INTEGER)
        return json_integer(*(const int *)at);
    if (field->type == FIELD_ID)
        return *(const uint64_t *)at > 0 ? count_to_json(*(const uint64_t *)at) : json_null();
    return field->nullable && *(const size_t *)at == COUNT_UNKNOWN ? json_null() : count_to_json(*(const size_t *)at);
}

/* Of what is not known no flag says no. */
static json_t *flag_to_json(const struct walk *walk, const struct field *field)
{
    if (field->nullable && isnan(*(const double *)(walk->data + field->judged_offset)))
        return json_null();
    return json_boolean(*(const bool *)(walk->data + field->offset));
}

static json_t *field_to_json(const struct walk *walk, const struct field *field)
{
    const void *at = walk->data + field->offset;
    switch (field->type) {
    case FIELD_VERDICT:
        return text_to_json(verdict_name((enum verdict)enum_value(at)));
    case FIELD_REASON:
        return json_null();
    case FIELD_ESTIMATE:
        return estimate_to_json(field, walk);
    case FIELD_FIGURE:
    case FIELD_SIZE:
        return number_to_json(*(const double *)at);
    case FIELD_INTERVAL:
        return numbers_to_json(at, 2);
    case FIELD_NUMBERS:
        return numbers_to_json(at, *(const size_t *)(walk->data + field->count_offset));
    case FIELD_PARAMETER:
    case FIELD_FREQUENCY:
    case FIELD_MAIN_FIGURES:
    case FIELD_UNCERTAINTIES:
    case FIELD_PARAMETERS:
    case FIELD_TERM_ESTIMATES:
    case FIELD_RUNG_FIGURES:
        break; /* section_next() makes estimates and figures of them */
    case FIELD_PARAMETER_NAMES:
    case FIELD_MATRIX:
    case FIELD_TERMS:
    case FIELD_MODEL:
        return terms_of_model_to_json(walk, field);
    case FIELD_COUNT:
    case FIELD_ORDINAL:
    case FIELD_INTEGER:
    case FIELD_ID:
        return whole_to_json(field, at);
    case FIELD_FLAG:
        return flag_to_json(walk, field);
    case FIELD_NAME:
        return text_to_json(vocabulary_word(field->words, enum_value(at)));
    case FIELD_TEXT:
        return text_to_json(*(const char *const *)at);
    case FIELD_TIME:
        return time_to_json(*(const int64_t *)at);
    case FIELD_CONSTANT:
        return json_string(field->constant);
    case FIELD_LIMIT:
        return json_real(field->limit);
    case FIELD_UNIT:
        return unit_to_json(at);
    case FIELD_RAISED:
    case FIELD_OPTIONAL:
    case FIELD_OBJECT:
    case FIELD_LIST:
    case FIELD_HEADLINES:
        return nested_to_json(walk, field);
    }
    return NULL;
}

static json_t *members(const struct walk *walk)
{
    json_t *object = json_object();
    struct field_cursor cursor = {0};
    while (object && section_next(walk->section, &cursor)) {
        const struct field *field = &cursor.field;
        if (is_left_out(walk, field))
            continue;
        if (json_object_set_new(object, field->name, field_to_json(walk, field)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static const struct field *field_of_type(const struct section *section, enum field_type type)
{
    for (size_t i = 0; i < section->count; i++)
        if (section->fields[i].type == type)
            return &section->fields[i];
    return NULL;
}

/* What a verdict says of a section, its own before that of the object around it. */
static const char *what_is_wrong(const struct section *section, const char *data, const char *around)
{
    const struct field *field = field_of_type(section, FIELD_VERDICT);
    if (section->verdict_matters_not)
        return NULL;
    if (!field)
        return around;
    const enum verdict verdict = (enum verdict)enum_value(data + field->offset);
    if (verdict == VERDICT_OK)
        return NULL;
    if (section->lacks_offset > 0 && data[section->lacks_offset])
        return data + section->lacks_offset;
    if (verdict == VERDICT_NOT_COMPUTED && section->not_computed)
        return section->not_computed;
    if (verdict == VERDICT_NOT_COMPUTED && section->not_computed_offset > 0)
        return *(const char *const *)(data + section->not_computed_offset);
    return verdict_sentence(verdict);
}

/* Why something in an object is null. A field's own sentence counts where all is well, or where a figure before it is
 * there: then it is not the verdict that keeps this one away. */
static const char *why_missing(const struct walk *walk, const json_t *object)
{
    bool figure_is_there = false;
    struct field_cursor cursor = {0};
    while (section_next(walk->section, &cursor)) {
        const struct field *field = &cursor.field;
        const json_t *value = json_object_get(object, field->name);
        if (field->missing && json_is_null(value) && (!walk->not_ok || figure_is_there))
            return field->missing;
        figure_is_there = figure_is_there || json_is_real(value);
    }
    return walk->not_ok ? walk->not_ok : walk->section->missing;
}

/* A section without a usable answer says why, also when all its figures are there. */
static json_t *with_sentence(json_t *object, const char *sentence)
{
    if (object && json_object_set_new(object, "reason", json_string(sentence)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* Those reasons of a struct that there are, one behind the other: also where all its figures are there, but doubtful.
 */
static json_t *with_reasons(json_t *object, const char *const *reasons, size_t count)
{
    char all[REASONS_BYTES] = "";
    size_t length = 0;
    for (size_t i = 0; i < count && length < sizeof all; i++)
        if (reasons[i])
            length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", length > 0 ? "; " : "", reasons[i]);
    return length > 0 ? with_sentence(object, all) : with_reason(object, NULL);
}

static json_t *object_to_json(const struct section *section, const void *data, const char *around)
{
    const struct field *reason = field_of_type(section, FIELD_REASON);
    const struct walk walk = {section, data, what_is_wrong(section, data, around)};
    json_t *object = members(&walk);
    if (!object || !reason)
        return object;
    if (reason->elsewhere && reason->count > 0)
        return with_reasons(object, (const char *const *)(walk.data + reason->offset), reason->count);
    if (reason->elsewhere)
        return with_reason(object, *(const char *const *)(walk.data + reason->offset));
    if (walk.not_ok && field_of_type(section, FIELD_VERDICT))
        return with_sentence(object, walk.not_ok);
    return with_reason(object, why_missing(&walk, object));
}

json_t *section_to_json(const struct section *section, const void *data)
{
    return object_to_json(section, data, NULL);
}
