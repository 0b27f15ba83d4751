/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the names of a table's columns say, against what the kinds of records know. */

#include "report/kinds/table_header.h"

#include "proto/column_label.h"
#include "proto/dialect/cells.h"
#include "proto/time_unit.h"
#include "proto/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

size_t table_split(char *line, char delimiter, char *fields[TABLE_COLUMNS_MOST])
{
    struct text_piece cells[TABLE_COLUMNS_MOST];
    line[strcspn(line, "\r\n")] = '\0';
    const size_t count = cells_split(delimiter, (struct text_piece){line, strlen(line)}, cells, TABLE_COLUMNS_MOST);
    for (size_t i = 0; i < count && i < TABLE_COLUMNS_MOST; i++) {
        fields[i] = line + (cells[i].text - line);
        fields[i][cells[i].length] = '\0';
    }
    return count;
}

/* The unit of a column. */
struct column_unit {
    char text[32];
    double scale; /* units of the form that one of it has */
};

/* "interval" of the column "interval_s" */
static bool is_name_without_unit(struct text_piece name, const struct kind_column *column)
{
    const size_t length = strlen(column->name) - (column->unit ? strlen(column->unit) + 1 : 0);
    return name.length == length && memcmp(name.text, column->name, length) == 0;
}

/* A name and a unit in any spelling: "h0 [cm]", and of a column in seconds any unit of time. */
static bool is_spelling_of(const char *field, const struct kind_column *column, struct column_unit *unit)
{
    const struct column_label label = column_label_read((struct text_piece){field, strlen(field)});
    if (label.unit.length == 0 || label.unit.length >= sizeof unit->text || !is_name_without_unit(label.name, column))
        return false;
    const struct time_unit *time = column->unit ? time_unit_find(label.unit.text, label.unit.length) : NULL;
    const bool timed = time && strcmp(column->unit, "s") == 0;
    unit->scale = timed ? time->seconds : 1;
    if (column->unit)
        utf8_copy(unit->text, sizeof unit->text, column->unit);
    else
        *stpncpy(unit->text, label.unit.text, label.unit.length) = '\0';
    return timed || !column->unit;
}

/* Whether a name in a header is that of a column. What stands behind the name of a column in any unit is its unit, and
 * else that belongs to the name. */
static bool is_column(const char *field, const struct kind_column *column, struct column_unit *unit)
{
    const size_t length = strlen(column->name);
    if (strncmp(field, column->name, length) != 0 || field[length] != (column->unit ? '\0' : '_'))
        return is_spelling_of(field, column, unit);
    unit->scale = 1;
    utf8_copy(unit->text, sizeof unit->text, column->unit ? column->unit : field + length + 1);
    return true;
}

/* A recording begins with its time, in whatever unit. */
static bool is_time(const char *field)
{
    const struct column_label label = column_label_read((struct text_piece){field, strlen(field)});
    return column_label_is_time(&label);
}

/* How a header and a form go together. */
enum fit { OTHER, NAMED, FITTING };

/* FITTING: the header has each column of the form once, in one unit; NAMED: at least it has each of them. What else it
 * has is told by the kind. */
static enum fit take_form(struct table_header *header, char *const fields[], const struct kind_form *form)
{
    size_t found[KIND_COLUMNS_MOST] = {0};
    struct column_unit unit, first = {"", 0};
    bool fits = true, named = true;
    for (size_t i = 0; i < header->count; i++)
        for (size_t c = 0; c < form->count; c++)
            if (is_column(fields[i], &form->column[c], &unit)) {
                header->role[i] = COLUMN_VALUE + (int)c;
                header->scale[i] = unit.scale;
                found[c]++;
                fits = fits && (!(first.scale > 0) || strcmp(first.text, unit.text) == 0);
                first = unit;
            }
    for (size_t c = 0; c < form->count; c++) {
        named = named && found[c] > 0;
        fits = fits && found[c] == 1;
    }
    if (fits)
        memcpy(header->unit, first.text, sizeof header->unit);
    return fits ? FITTING : named ? NAMED : OTHER;
}

static bool is_passed_over(const struct record_kind *kind, const char *field)
{
    char sought[64];
    const int length = snprintf(sought, sizeof sought, ",%s,", field);
    return kind->passed_over && (size_t)length < sizeof sought && strstr(kind->passed_over, sought);
}

/* "throw", "throw_no" or "throw2", and not "thrower". */
static bool is_series(const struct record_kind *kind, const char *field)
{
    const size_t length = kind->series ? strlen(kind->series) : 0;
    return length > 0 && strncmp(field, kind->series, length) == 0 &&
           (field[length] == '\0' || strchr("_0123456789", field[length]));
}

static void name_others(struct table_header *header, char *const fields[])
{
    const struct record_kind *kind = header->kind;
    for (size_t i = 0; i < header->count; i++) {
        if (header->role[i] != COLUMN_LABEL)
            continue;
        if (is_passed_over(kind, fields[i]))
            header->role[i] = COLUMN_PASSED_OVER;
        else if (is_series(kind, fields[i]))
            header->role[i] = COLUMN_SERIES;
    }
}

bool table_header_is_of_recording(const char *line, char delimiter)
{
    struct text_piece rest = {line, strcspn(line, "\r\n")}, first;
    cell_next(delimiter, &rest, &first);
    const struct column_label label = column_label_read(first);
    return column_label_is_time(&label);
}

/* A header that fits two forms says two things, and none is taken. One that begins with the time is a recording's, even
 * if its channels are called like columns. */
struct table_header table_header_of(char *line, char delimiter)
{
    char *fields[TABLE_COLUMNS_MOST];
    const struct record_kind *kind;
    struct table_header empty = {.delimiter = delimiter, .count = table_split(line, delimiter, fields)};
    size_t fitting = 0;
    while (empty.count > 1 && empty.count <= TABLE_COLUMNS_MOST && *fields[empty.count - 1] == '\0')
        empty.count--;
    struct table_header header = empty;
    for (size_t k = 0; header.count <= TABLE_COLUMNS_MOST && (kind = record_kind_at(k)); k++)
        for (size_t f = 0; f < kind->form_count; f++) {
            struct table_header tried = empty;
            for (size_t i = 0; i < tried.count; i++)
                tried.role[i] = COLUMN_LABEL;
            const enum fit fit = take_form(&tried, fields, &kind->forms[f]);
            if (fit == OTHER)
                continue;
            tried.kind = kind;
            tried.form = &kind->forms[f];
            if (fit == FITTING || fitting == 0)
                header = tried;
            fitting += fit == FITTING;
        }
    if (fitting == 1)
        name_others(&header, fields);
    else
        header.form = NULL;
    if (is_time(fields[0]) && (!header.form || header.role[0] == COLUMN_LABEL))
        header.kind = NULL;
    return header;
}
