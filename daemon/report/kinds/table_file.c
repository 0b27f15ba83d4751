/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of tables have labels between their numbers, which recordings never have: a small reader of their own. */

#include "report/kinds/table_file.h"

#include "proto/cause.h"
#include "proto/decimal.h"
#include "proto/regular_file.h"
#include "proto/utf8.h"
#include "report/kinds/table_header.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file being read. */
struct reading {
    const char *path;
    size_t line;
    struct table_header header;
    locale_t c_locale;
    char *series; /* labels and series of the row before; NULL: there is none. Owned */
    struct complaint *complaint;
};

static bool is_comment(const char *line)
{
    return line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0';
}

static void skip_byte_order_mark(FILE *file)
{
    char first[3];
    const size_t count = fread(first, 1, sizeof first, file);
    if (utf8_mark(first, count) == 0)
        rewind(file);
}

/* NULL with a complaint when it is no file, or cannot be read. */
static FILE *open_file(const char *path, int *error, struct complaint *complaint)
{
    int descriptor = regular_file_open(path, O_RDONLY, 0, complaint);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    *error = descriptor < 0 ? descriptor : file ? 0 : -errno;
    if (descriptor >= 0 && !file) {
        complaint_set(complaint, "%s: %s", path, cause_of(*error));
        close(descriptor);
    }
    if (file)
        skip_byte_order_mark(file);
    return file;
}

const struct record_kind *table_file_kind(const char *path)
{
    struct complaint ignored;
    int error;
    FILE *file = open_file(path, &error, &ignored);
    char *line = NULL;
    size_t capacity = 0;
    const struct record_kind *found = NULL;
    while (file && getline(&line, &capacity, file) >= 0) {
        if (is_comment(line))
            continue;
        found = table_header_of(line).kind;
        break;
    }
    free(line);
    if (file)
        fclose(file);
    return found;
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

/* What is empty was not measured, and is 0. */
static int number_in(struct reading *reading, const char *field, double *value)
{
    struct decimal decimal;
    *value = 0;
    if (field[0] == '\0')
        return 0;
    const enum decimal_result result = decimal_read(field, reading->c_locale, &decimal);
    if (result == DECIMAL_OK && decimal.next[strspn(decimal.next, " \t")] == '\0' && isfinite(decimal.value)) {
        *value = decimal.value;
        return 0;
    }
    complaint_set(reading->complaint, "%s:%zu: `%.40s` is not a number", reading->path, reading->line, field);
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

static int numbers_of(struct reading *reading, char *const fields[], double numbers[KIND_COLUMNS_MOST])
{
    int error = 0;
    for (size_t i = 0; i < reading->header.count && !error; i++)
        if (reading->header.role[i] >= COLUMN_VALUE)
            error = number_in(reading, fields[i], &numbers[reading->header.role[i] - COLUMN_VALUE]);
    return error;
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
    int error = record->rows > 0 && breaks ? add_row(record, columns, nothing) : 0;
    return error ? error : add_row(record, columns, numbers);
}

static int take_row(struct reading *reading, char *line, struct table_file *table)
{
    const struct table_header *header = &reading->header;
    char *fields[TABLE_COLUMNS_MOST];
    double numbers[KIND_COLUMNS_MOST] = {0};
    const size_t count = table_split(line, fields);
    if (count != header->count) {
        complaint_set(reading->complaint, "%s:%zu: %zu columns where the header has %zu", reading->path, reading->line,
                      count, header->count);
        return -EINVAL;
    }
    int error = numbers_of(reading, fields, numbers);
    if (error)
        return error;
    char *name = name_of(header, fields, false), *series = name_of(header, fields, true);
    struct table_record *record = name && series ? record_named(table, name) : NULL;
    free(name);
    if (record)
        return take_numbers(reading, record, series, numbers);
    free(series);
    return -ENOMEM;
}

static int take_header(struct reading *reading, char *line, struct table_file *table)
{
    reading->header = table_header_of(line);
    table->kind = reading->header.kind;
    table->form = reading->header.form;
    memcpy(table->unit, reading->header.unit, sizeof table->unit);
    if (table->form)
        return 0;
    complaint_set(reading->complaint,
                  "%s:%zu: the header does not name the columns of one kind of record, each once, and all in one unit",
                  reading->path, reading->line);
    return -EINVAL;
}

/* In a table of one column a line without anything is a figure that was not measured. */
static bool is_empty_row(const struct reading *reading, const char *line)
{
    return reading->header.count == 1 && *line != '#';
}

static int read_lines(struct reading *reading, FILE *file, struct table_file *table)
{
    char *line = NULL;
    size_t capacity = 0;
    int error = 0;
    bool header_seen = false;
    for (ssize_t length; !error && (length = getline(&line, &capacity, file)) >= 0;) {
        reading->line++;
        if (strlen(line) != (size_t)length) {
            complaint_set(reading->complaint, "%s:%zu: zero bytes: this is not a table in UTF-8 text", reading->path,
                          reading->line);
            error = -EINVAL;
        } else if (is_comment(line) && !is_empty_row(reading, line)) {
            continue;
        } else {
            error = header_seen ? take_row(reading, line, table) : take_header(reading, line, table);
            header_seen = true;
        }
    }
    if (!error && ferror(file)) {
        complaint_set(reading->complaint, "%s: %s", reading->path, cause_of(errno));
        error = -EIO;
    }
    if (!error && table->count == 0) {
        complaint_set(reading->complaint, "%s:%zu: the file ends without a single row of numbers", reading->path,
                      reading->line);
        error = -EINVAL;
    }
    if (error == -ENOMEM)
        complaint_set(reading->complaint, "%s: not enough memory", reading->path);
    free(reading->series);
    free(line);
    return error;
}

int table_file_load(const char *path, struct table_file *table, struct complaint *complaint)
{
    struct reading reading = {.path = path, .complaint = complaint};
    *table = (struct table_file){0};
    int error;
    FILE *file = open_file(path, &error, complaint);
    if (!file)
        return error;
    reading.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    error = reading.c_locale ? read_lines(&reading, file, table) : -ENOMEM;
    if (!reading.c_locale)
        complaint_set(complaint, "%s: not enough memory", path);
    else
        freelocale(reading.c_locale);
    fclose(file);
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
