/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From tables to the reference part of a manual page. */

#include "report/kinds/record_kind.h"
#include "report/vocabulary.h"
#include "tools/generator.h"

/* What mdoc would take for a macro or an escape. */
static void put_text(FILE *stream, const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '\\')
            fputs("\\e", stream);
        else if (*c == '^')
            fputs("\\(ha", stream);
        else
            putc(*c, stream);
}

static const char *type_name(const struct field *field)
{
    switch (field->type) {
    case FIELD_ESTIMATE:
        return "estimate";
    case FIELD_FIGURE:
    case FIELD_SIZE:
    case FIELD_LIMIT:
        return "number";
    case FIELD_INTERVAL:
        return "two numbers";
    case FIELD_NUMBERS:
        return "list of numbers";
    case FIELD_MATRIX:
        return "rows of numbers";
    case FIELD_COUNT:
    case FIELD_INTEGER:
    case FIELD_ORDINAL:
    case FIELD_ID:
        return "integer";
    case FIELD_FLAG:
        return field->nullable ? "true, false or null" : "true or false";
    case FIELD_RAISED:
    case FIELD_TERMS:
    case FIELD_PARAMETER_NAMES:
        return "list of names";
    case FIELD_OBJECT:
    case FIELD_OPTIONAL:
    case FIELD_HEADLINES:
        return "object";
    case FIELD_LIST:
        return "list of objects";
    case FIELD_VERDICT:
    case FIELD_NAME:
        return "name";
    case FIELD_TIME:
        return "time of day";
    default:
        return "text";
    }
}

/* The unit as it is spoken of where nobody knows the channel's. */
static const char *unit_of(const struct field *field, struct unit_text *text)
{
    const bool measured = field->type == FIELD_ESTIMATE || field->type == FIELD_FIGURE || field->type == FIELD_SIZE;
    if (!measured || field->unit == KIND_OF_QUANTITY)
        return "";
    if (field->unit == KIND_DISPLACEMENT)
        return "displacement unit";
    *text = unit_text(field->unit, "unit", " ");
    return *text->text ? text->text : "1";
}

static void put_words(FILE *stream, enum vocabulary vocabulary)
{
    const char *word;
    for (int i = 0; (word = vocabulary_at(vocabulary, i)); i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", word);
}

static void put_head(FILE *stream, const struct field *field)
{
    struct unit_text text;
    const char *unit = unit_of(field, &text);
    fprintf(stream, ".It Va %s Pq ", field->name);
    if (field->type == FIELD_CONSTANT)
        fprintf(stream, "always %s", field->constant);
    else
        fputs(type_name(field), stream);
    if (*unit) {
        fputs(", ", stream);
        put_text(stream, unit);
    }
    if (field->since > 0)
        fprintf(stream, "; since 1.%u", field->since);
    putc('\n', stream);
}

/* What a field is, and which words it may hold; the words of verdicts are told elsewhere, once for all. */
static void put_body(FILE *stream, const struct field *field)
{
    const char *notes[] = {field->of ? field->of->title : NULL, field->note};
    const char *separator = "";
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (notes[i]) {
            fputs(separator, stream);
            put_text(stream, notes[i]);
            separator = "; ";
        }
    if (field->words != WORDS_ANY) {
        fprintf(stream, "%sone of ", separator);
        put_words(stream, field->words);
        separator = "; ";
    }
    if (*separator)
        putc('\n', stream);
}

static void put_flags(FILE *stream, const struct section *flags)
{
    fputs(".Bl -tag -width Ds -compact\n", stream);
    for (size_t i = 0; i < flags->count; i++) {
        fprintf(stream, ".It Va %s\n", flags->fields[i].name);
        put_body(stream, &flags->fields[i]);
    }
    fputs(".El\n", stream);
}

void manual_of(const struct section *section, FILE *stream)
{
    struct field_cursor cursor = {0};
    fputs(".Bl -tag -width Ds -compact\n", stream);
    while (section_next(section, &cursor)) {
        if (cursor.field.type == FIELD_REASON)
            continue;
        put_head(stream, &cursor.field);
        put_body(stream, &cursor.field);
        if (cursor.field.type == FIELD_RAISED)
            put_flags(stream, cursor.field.of);
        else if (cursor.field.of)
            manual_of(cursor.field.of, stream);
    }
    fputs(".El\n", stream);
}

/* How a record of the kind is handed in, form by form. */
static void put_forms(FILE *stream, const struct record_kind *kind)
{
    for (size_t f = 0; f < kind->form_count; f++) {
        const struct kind_form *form = &kind->forms[f];
        fputs(f == 0 ? "Its columns are\n" : "or\n", stream);
        for (size_t c = 0; c < form->count; c++)
            fprintf(stream, "%s.Ql %s%s\n", c > 0 ? "and\n" : "", form->column[c].name,
                    c + 1 < form->count        ? ""
                    : f + 1 < kind->form_count ? " ,"
                                               : " .");
    }
}

void manual_of_kind(const struct record_kind *kind, FILE *stream)
{
    fputs("A record is ", stream);
    put_text(stream, kind->about);
    fputs(".\n", stream);
    put_forms(stream, kind);
    manual_of(kind->section, stream);
}
