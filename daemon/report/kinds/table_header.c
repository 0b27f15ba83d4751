/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the names of a table's columns say, against what the kinds of records know. */

#include "report/kinds/table_header.h"

#include "proto/column_label.h"
#include "proto/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static char *without_blanks(char *field)
{
    char *begin = field + strspn(field, " \t"), *end = begin + strlen(begin);
    while (end > begin && strchr(" \t", end[-1]))
        end--;
    *end = '\0';
    return begin;
}

size_t table_split(char *line, char *fields[TABLE_COLUMNS_MOST])
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *rest = line, *field = strsep(&rest, ","); field; field = strsep(&rest, ",")) {
        if (count < TABLE_COLUMNS_MOST)
            fields[count] = without_blanks(field);
        count++;
    }
    return count;
}

/* Whether a name in a header is that of a column; *unit is what stands behind it, or belongs to the name. */
static bool is_column(const char *field, const struct kind_column *column, const char **unit)
{
    const size_t length = strlen(column->name);
    if (strncmp(field, column->name, length) != 0)
        return false;
    *unit = column->unit ? column->unit : field + length + 1;
    return field[length] == (column->unit ? '\0' : '_');
}

/* A recording begins with its time, in whatever unit. */
static bool is_time(const char *field)
{
    const struct column_label label = column_label_read((struct text_piece){field, strlen(field)});
    double unit_s;
    return column_label_time(&label, &unit_s) != LABEL_OF_SOMETHING_ELSE;
}

/* How a header and a form go together. */
enum fit { OTHER, NAMED, FITTING };

/* FITTING: the header has each column of the form once, in one unit; NAMED: at least it has each of them. What else it
 * has is told by the kind. */
static enum fit take_form(struct table_header *header, char *const fields[], const struct kind_form *form)
{
    size_t found[KIND_COLUMNS_MOST] = {0};
    const char *unit, *first = NULL;
    bool fits = true, named = true;
    for (size_t i = 0; i < header->count; i++)
        for (size_t c = 0; c < form->count; c++)
            if (is_column(fields[i], &form->column[c], &unit)) {
                header->role[i] = COLUMN_VALUE + (int)c;
                found[c]++;
                fits = fits && (!first || strcmp(first, unit) == 0);
                first = unit;
            }
    for (size_t c = 0; c < form->count; c++) {
        named = named && found[c] > 0;
        fits = fits && found[c] == 1;
    }
    if (fits)
        utf8_copy(header->unit, sizeof header->unit, first);
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

/* A header that fits two forms says two things, and none is taken. One that begins with the time is a recording's, even
 * if its channels are called like columns. */
struct table_header table_header_of(char *line)
{
    char *fields[TABLE_COLUMNS_MOST];
    const struct record_kind *kind;
    const struct table_header empty = {.count = table_split(line, fields)};
    struct table_header header = empty;
    size_t fitting = 0;
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
