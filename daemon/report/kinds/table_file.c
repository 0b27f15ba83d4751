/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of tables have labels between their numbers, which recordings never have: rows of their own, out of the same
 * text (table_text.h). */

#include "report/kinds/table_file.h"

#include "proto/decimal.h"
#include "proto/dialect/cells.h"
#include "report/kinds/table_header.h"
#include "report/kinds/table_text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file being read. */
struct reading {
    const char *path;
    const struct recording_manner *manner;
    struct table_text text;
    struct table_header header;
    char decimal;
    locale_t c_locale;
    bool changing[TABLE_COLUMNS_MOST]; /* columns that are not known and change too often for labels */
    char *series;                      /* labels and series of the row before; NULL: there is none. Owned */
    size_t back;                       /* the first line whose time is not later than that before; 0: there is none */
    struct complaint *complaint;
};

const struct record_kind *table_file_kind(const char *path, const struct recording_manner *manner)
{
    struct complaint ignored;
    struct table_text text;
    struct table_header header = {.kind = NULL};
    if (table_text_open(&text, path, &ignored) == 0)
        table_text_find_header(&text, manner, &header);
    table_text_close(&text);
    return header.kind;
}

int table_file_wanted(const char *path, const struct recording_manner *manner, const char *said,
                      struct complaint *complaint)
{
    const struct record_kind *kind = table_file_kind(path, manner), *wanted = *said ? record_kind_named(said) : NULL;
    if (!wanted || (kind && !kind->sampled))
        return kind != NULL;
    if (wanted->form_count == 0 || kind == wanted)
        return kind == wanted;
    const struct form_name form = kind_form_name(&wanted->forms[0]);
    complaint_set(
        complaint,
        "%s is no table of a %s, whose columns are %s, or others that fricidd(8) names; what fricid recorded is none%s",
        path, wanted->name, form.text,
        strstr(form.text, "time") ? ", and rows without a time are one at the rate that `--rate` says" : "");
    return -EINVAL;
}

static struct table_record *record_named(struct table_file *table, const char *name)
{
    for (size_t i = table->count; i-- > 0;)
        if (strcmp(table->records[i].name, name) == 0)
            return &table->records[i];
    struct table_record *moved = realloc(table->records, (table->count + 1) * sizeof *moved);
    char *copy = strdup(name);
    if (moved)
        table->records = moved;
    if (!moved || !copy) {
        free(copy);
        return NULL;
    }
    moved[table->count] = (struct table_record){.name = copy};
    return &moved[table->count++];
}

static int add_row(struct table_record *record, size_t columns, const double row[KIND_COLUMNS_MOST])
{
    if (record->rows == record->capacity) {
        const size_t larger = record->capacity > 0 ? 2 * record->capacity : 64;
        double *moved = realloc(record->numbers, larger * columns * sizeof *moved);
        if (!moved)
            return -ENOMEM;
        record->numbers = moved;
        record->capacity = larger;
    }
    memcpy(record->numbers + record->rows++ * columns, row, columns * sizeof *row);
    return 0;
}

/* What is empty was not measured, and is 0; a sample is never that. */
static int number_in(struct reading *reading, const char *field, double *value)
{
    char number[CELL_NUMBER_BYTES + 1];
    size_t length = 0;
    struct decimal decimal;
    *value = 0;
    if (field[0] == '\0' && !reading->header.kind->sampled)
        return 0;
    const enum number_shape shape =
        cell_number((struct text_piece){field, strlen(field)}, reading->decimal, number, &length);
    number[shape == NO_NUMBER || shape == WORD_FOR_A_NUMBER ? 0 : length] = '\0';
    if (decimal_read(number, reading->c_locale, &decimal) == DECIMAL_OK && isfinite(decimal.value)) {
        *value = decimal.value;
        return 0;
    }
    complaint_set(reading->complaint, "%s:%zu: `%.40s` is not a number", reading->path, reading->text.line, field);
    return -EINVAL;
}

/* The labels of a row, with or without its series, as one name; NULL when memory is short. However long it is, it is
 * whole: rows belong together only where all of it is the same. */
static char *name_of(const struct table_header *header, char *const fields[], bool with_series)
{
    static const char between[] = ", ";
    size_t room = 1;
    for (size_t i = 0; i < header->count; i++)
        room += strlen(fields[i]) + sizeof between;
    char *name = malloc(room), *end = name;
    for (size_t i = 0; name && i < header->count; i++) {
        if (header->role[i] != COLUMN_LABEL && (header->role[i] != COLUMN_SERIES || !with_series))
            continue;
        end = end > name ? stpcpy(end, between) : end;
        end = stpcpy(end, fields[i]);
    }
    if (name)
        *end = '\0';
    return name;
}

static int check_size(struct reading *reading, const char *field, double figure)
{
    if (fabs(figure) <= KIND_LARGEST_FIGURE)
        return 0;
    complaint_set(reading->complaint,
                  "%s:%zu: `%.40s` is too large to calculate with: figures go up to %.0e in SI units", reading->path,
                  reading->text.line, field, KIND_LARGEST_FIGURE);
    return -EINVAL;
}

static int numbers_of(struct reading *reading, char *const fields[], double numbers[KIND_COLUMNS_MOST])
{
    int error = 0;
    const struct table_header *header = &reading->header;
    for (size_t i = header->evenly ? 1 : 0; i < header->count && !error; i++)
        if (header->role[i] >= COLUMN_VALUE) {
            double *number = &numbers[header->role[i] - COLUMN_VALUE];
            error = number_in(reading, fields[i], number);
            *number *= header->scale[i];
            error = error ? error : check_size(reading, fields[i], *number);
        }
    return error;
}

static void look_at_time(struct reading *reading, const struct table_record *record, const double *row)
{
    const struct kind_form *form = reading->header.form;
    if (!reading->header.kind->sampled || record->rows == 0 || reading->back > 0)
        return;
    for (size_t c = 0; c < form->count; c++)
        if (strcmp(form->column[c].quantity, QUANTITY_TIME) == 0 &&
            row[c] <= record->numbers[(record->rows - 1) * form->count + c])
            reading->back = reading->text.line;
}

/* Where one series ends and another begins, a row of 0 goes between. Takes the series over. */
static int take_numbers(struct reading *reading, struct table_record *record, char *series,
                        const double numbers[KIND_COLUMNS_MOST])
{
    static const double nothing[KIND_COLUMNS_MOST];
    const struct table_header *header = &reading->header;
    const size_t columns = header->form->count;
    const bool breaks = header->kind->series && columns == 1 && reading->series && strcmp(reading->series, series) != 0;
    free(reading->series);
    reading->series = series;
    look_at_time(reading, record, numbers);
    int error = record->rows > 0 && breaks ? add_row(record, columns, nothing) : 0;
    return error ? error : add_row(record, columns, numbers);
}

static int take_row(struct reading *reading, char *line, struct table_file *table)
{
    const struct table_header *header = &reading->header;
    char *fields[TABLE_COLUMNS_MOST];
    double numbers[KIND_COLUMNS_MOST] = {0};
    const size_t count = table_row(header, line, fields);
    if (count != header->count) {
        complaint_set(reading->complaint, "%s:%zu: %zu columns where the header has %zu", reading->path,
                      reading->text.line, count, header->count);
        return -EINVAL;
    }
    int error = numbers_of(reading, fields, numbers);
    if (error)
        return error;
    char *name = name_of(header, fields, false), *series = name_of(header, fields, true);
    struct table_record *record = name && series ? record_named(table, name) : NULL;
    free(name);
    if (record && header->evenly)
        numbers[header->role[0] - COLUMN_VALUE] = (double)record->rows / reading->manner->timing.rate_hz;
    if (record)
        return take_numbers(reading, record, series, numbers);
    free(series);
    return -ENOMEM;
}

static int check_header(struct reading *reading, struct table_file *table)
{
    table->kind = reading->header.kind;
    table->form = reading->header.form;
    table->evenly = reading->header.evenly;
    memcpy(table->unit, reading->header.unit, sizeof table->unit);
    for (size_t i = 0; i < reading->header.count; i++)
        if (reading->changing[i] && reading->header.role[i] == COLUMN_LABEL)
            reading->header.role[i] = COLUMN_PASSED_OVER;
    if (table->form)
        return 0;
    if (*reading->header.doubt) {
        complaint_set(reading->complaint, "%s:%zu: %s; " TABLE_AS_RECORDING, reading->path, reading->text.line,
                      reading->header.doubt);
        return -EINVAL;
    }
    complaint_set(reading->complaint,
                  "%s:%zu: the header does not name the columns of one kind of record, each once, and all in one unit",
                  reading->path, reading->text.line);
    return -EINVAL;
}

/* Opens the file behind its header. */
static int open_rows(struct reading *reading, struct table_file *table)
{
    int error = table_text_open(&reading->text, reading->path, reading->complaint);
    if (error)
        return error;
    error = table_text_find_header(&reading->text, reading->manner, &reading->header);
    return error ? table_text_complain(&reading->text, reading->path, error, reading->complaint)
                 : check_header(reading, table);
}

/* Records whose figures vanish when they are squared would get standard errors of 0. */
static int check_columns(const struct reading *reading, const struct table_file *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct table_record *record = &table->records[i];
        const struct kind_column *column = kind_form_too_small(table->form, record->numbers, record->rows);
        if (!column)
            continue;
        complaint_set(reading->complaint,
                      "%s: %s is too small to calculate with: the largest of a column is at least %.0e in SI units",
                      reading->path, column->name, KIND_SMALLEST_FIGURE);
        return -EINVAL;
    }
    return 0;
}

static int read_rows(struct reading *reading, struct table_file *table)
{
    char *line;
    int error = 0, got = 0;
    while (!error && (got = table_text_next_row(&reading->text, &reading->header, &line)) > 0)
        error = take_row(reading, line, table);
    free(reading->series);
    if (got < 0 || error == -ENOMEM)
        return table_text_complain(&reading->text, reading->path, got < 0 ? got : error, reading->complaint);
    if (error || table->count > 0)
        return error ? error : check_columns(reading, table);
    complaint_set(reading->complaint, "%s:%zu: the file ends without a single row of numbers", reading->path,
                  reading->text.line);
    return -EINVAL;
}

/* A label that stays for fewer rows on the average is a measurement, of which nothing is known. */
enum { LABEL_ROWS = 3 };

/* Finds the columns that are none of the kind's, and change too often to be labels. */
static int find_changing(struct reading *reading, struct table_file *table)
{
    size_t changes[TABLE_COLUMNS_MOST] = {0}, rows = 0;
    char *before[TABLE_COLUMNS_MOST] = {NULL}, *fields[TABLE_COLUMNS_MOST], *line;
    int error = open_rows(reading, table), got = 0;
    while (!error && (got = table_text_next_row(&reading->text, &reading->header, &line)) > 0) {
        const size_t count = table_row(&reading->header, line, fields);
        rows++;
        for (size_t i = 0; i < reading->header.count && i < count && !error; i++) {
            changes[i] += !before[i] || strcmp(before[i], fields[i]) != 0;
            free(before[i]);
            before[i] = strdup(fields[i]);
            error = before[i] ? 0 : -ENOMEM;
        }
    }
    for (size_t i = 0; i < TABLE_COLUMNS_MOST; i++) {
        free(before[i]);
        reading->changing[i] = changes[i] > 1 && changes[i] * LABEL_ROWS > rows;
    }
    if (got < 0 || error == -ENOMEM)
        error = table_text_complain(&reading->text, reading->path, got < 0 ? got : error, reading->complaint);
    table_text_close(&reading->text);
    return error;
}

static void describe_rate(const struct reading *reading, struct table_file *table)
{
    const size_t used = strlen(table->read_as);
    if (table->evenly)
        snprintf(table->read_as + used, sizeof table->read_as - used, "%s%.9g rows a second", used > 0 ? ", " : "",
                 reading->manner->timing.rate_hz);
}

/* The analysis has a verdict for it; which line of a long file it is, only the reader knows. */
static void describe_time(const struct reading *reading, struct table_file *table)
{
    const size_t used = strlen(table->read_as);
    if (reading->back > 0)
        snprintf(table->read_as + used, sizeof table->read_as - used,
                 "%sthe time of line %zu is not later than that of the line before", used > 0 ? ", " : "",
                 reading->back);
}

/* How numbers are written is found out by a first reading, and which columns are labels by another. */
static int read_file(struct reading *reading, struct table_file *table)
{
    int error = open_rows(reading, table);
    if (!error)
        error = table_text_find_decimal(&reading->text, reading->path, reading->manner, &reading->header,
                                        &reading->decimal, reading->complaint);
    table_text_close(&reading->text);
    if (!error && reading->header.kind->labelled)
        error = find_changing(reading, table);
    if (!error)
        error = open_rows(reading, table);
    if (!error) {
        table_text_describe(&reading->text, &reading->header, reading->decimal, table->read_as, sizeof table->read_as);
        describe_rate(reading, table);
        error = read_rows(reading, table);
        describe_time(reading, table);
    }
    table_text_close(&reading->text);
    return error;
}

int table_file_load(const char *path, const struct recording_manner *manner, struct table_file *table,
                    struct complaint *complaint)
{
    struct reading reading = {.path = path, .manner = manner, .complaint = complaint};
    *table = (struct table_file){0};
    reading.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!reading.c_locale) {
        complaint_set(complaint, "%s: not enough memory", path);
        return -ENOMEM;
    }
    const int error = read_file(&reading, table);
    freelocale(reading.c_locale);
    return error;
}

void table_file_clear(struct table_file *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->records[i].name);
        free(table->records[i].numbers);
    }
    free(table->records);
    *table = (struct table_file){0};
}
