/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of tables have labels between their numbers, which recordings never have: a small reader of their own. */

#include "report/kinds/table_file.h"

#include "proto/cause.h"
#include "proto/decimal.h"
#include "proto/regular_file.h"
#include "proto/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { COLUMNS_MOST = 32, NAME_MOST = 256 };

/* What a column of a file means: a column of the form from VALUE on. */
enum { LABEL = -3, PASSED_OVER, SERIES, VALUE };

struct header {
    size_t count;
    int role[COLUMNS_MOST];
    const struct record_kind *kind; /* NULL: of none, or of several */
    const struct kind_form *form;
    char unit[32];
};

/* A file being read. */
struct reading {
    const char *path;
    size_t line;
    struct header header;
    locale_t c_locale;
    char series[NAME_MOST]; /* labels and series of the row before */
    struct complaint *complaint;
};

/* Splits a line at its commas, in place. Returns how many fields there are; more than COLUMNS_MOST are counted only. */
static size_t split(char *line, char *fields[COLUMNS_MOST])
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *rest = line, *field = strsep(&rest, ","); field; field = strsep(&rest, ",")) {
        if (count < COLUMNS_MOST)
            fields[count] = field + strspn(field, " \t");
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

/* A recording begins with its time, whose name is free, in s, or without a unit. */
static bool is_time(const char *field)
{
    const char *underscore = strrchr(field, '_');
    return strcasecmp(field, "time") == 0 || strcasecmp(field, "t") == 0 ||
           (underscore && strcmp(underscore, "_s") == 0);
}

/* Whether a header has each column of a form once, in one unit. What else it has is told by the kind. */
static bool take_form(struct header *header, char *const fields[], const struct kind_form *form)
{
    size_t found[KIND_COLUMNS_MOST] = {0};
    const char *unit, *first = NULL;
    bool fits = true;
    for (size_t i = 0; i < header->count; i++)
        for (size_t c = 0; c < form->count; c++)
            if (is_column(fields[i], &form->column[c], &unit)) {
                header->role[i] = VALUE + (int)c;
                found[c]++;
                fits = fits && (!first || strcmp(first, unit) == 0);
                first = unit;
            }
    for (size_t c = 0; c < form->count; c++)
        fits = fits && found[c] == 1;
    if (fits)
        utf8_copy(header->unit, sizeof header->unit, first);
    return fits;
}

static bool is_passed_over(const struct record_kind *kind, const char *field)
{
    char sought[NAME_MOST];
    const int length = snprintf(sought, sizeof sought, ",%s,", field);
    return kind->passed_over && length < NAME_MOST && strstr(kind->passed_over, sought);
}

static void name_others(struct header *header, char *const fields[])
{
    const struct record_kind *kind = header->kind;
    for (size_t i = 0; i < header->count; i++) {
        if (header->role[i] != LABEL)
            continue;
        if (is_passed_over(kind, fields[i]))
            header->role[i] = PASSED_OVER;
        else if (kind->series && strncmp(fields[i], kind->series, strlen(kind->series)) == 0)
            header->role[i] = SERIES;
    }
}

/* A header that fits two forms says two things, and none is taken. One that begins with the time is a recording's, even
 * if its channels are called like columns. */
static struct header header_of(char *line)
{
    char *fields[COLUMNS_MOST];
    const struct record_kind *kind;
    const struct header empty = {.count = split(line, fields)};
    struct header header = empty;
    size_t fitting = 0;
    for (size_t k = 0; header.count <= COLUMNS_MOST && (kind = record_kind_at(k)); k++)
        for (size_t f = 0; f < kind->form_count; f++) {
            struct header tried = empty;
            for (size_t i = 0; i < tried.count; i++)
                tried.role[i] = LABEL;
            if (!take_form(&tried, fields, &kind->forms[f]))
                continue;
            header = tried;
            header.kind = kind;
            header.form = &kind->forms[f];
            fitting++;
        }
    if (fitting == 1)
        name_others(&header, fields);
    if (fitting != 1 || (header.role[0] == LABEL && is_time(fields[0])))
        header.kind = NULL;
    return header;
}

static bool is_comment(const char *line)
{
    return line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0';
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
        found = header_of(line).kind;
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

/* Appends a field to a name; one that does not fit is cut at the end of a character. */
static void append(char name[NAME_MOST], const char *field)
{
    const size_t used = strlen(name);
    const int length = snprintf(name + used, NAME_MOST - used, "%s%s", used > 0 ? ", " : "", field);
    if ((size_t)length >= NAME_MOST - used)
        utf8_trim(name);
}

/* What one row says. */
struct row {
    char name[NAME_MOST], series[NAME_MOST]; /* labels; labels and series */
    double numbers[KIND_COLUMNS_MOST];
};

static int row_of(struct reading *reading, char *fields[COLUMNS_MOST], struct row *row)
{
    *row = (struct row){0};
    int error = 0;
    for (size_t i = 0; i < reading->header.count && !error; i++) {
        const int role = reading->header.role[i];
        if (role == LABEL)
            append(row->name, fields[i]);
        if (role == LABEL || role == SERIES)
            append(row->series, fields[i]);
        if (role >= VALUE)
            error = number_in(reading, fields[i], &row->numbers[role - VALUE]);
    }
    return error;
}

/* Where one series ends and another begins, a row of 0 goes between. */
static int take_row(struct reading *reading, char *line, struct table_file *table)
{
    static const double nothing[KIND_COLUMNS_MOST];
    const struct header *header = &reading->header;
    const size_t columns = header->form->count;
    char *fields[COLUMNS_MOST];
    struct row row;
    const size_t count = split(line, fields);
    if (count != header->count) {
        complaint_set(reading->complaint, "%s:%zu: %zu columns where the header has %zu", reading->path, reading->line,
                      count, header->count);
        return -EINVAL;
    }
    int error = row_of(reading, fields, &row);
    if (error)
        return error;
    struct table_record *record = record_named(table, row.name);
    const bool breaks = header->kind->series && columns == 1 && strcmp(reading->series, row.series) != 0;
    if (record && record->rows > 0 && breaks)
        error = add_row(record, columns, nothing);
    memcpy(reading->series, row.series, sizeof reading->series);
    return !record ? -ENOMEM : error ? error : add_row(record, columns, row.numbers);
}

static int take_header(struct reading *reading, char *line, struct table_file *table)
{
    reading->header = header_of(line);
    table->kind = reading->header.kind;
    table->form = reading->header.form;
    memcpy(table->unit, reading->header.unit, sizeof table->unit);
    if (table->kind)
        return 0;
    complaint_set(reading->complaint,
                  "%s:%zu: the header does not name the columns of one kind of record, and all in one unit",
                  reading->path, reading->line);
    return -EINVAL;
}

static int read_lines(struct reading *reading, FILE *file, struct table_file *table)
{
    char *line = NULL;
    size_t capacity = 0;
    int error = 0;
    bool header_seen = false;
    while (!error && getline(&line, &capacity, file) >= 0) {
        reading->line++;
        if (is_comment(line))
            continue;
        error = header_seen ? take_row(reading, line, table) : take_header(reading, line, table);
        header_seen = true;
    }
    if (!error && ferror(file)) {
        complaint_set(reading->complaint, "%s: %s", reading->path, cause_of(errno));
        error = -EIO;
    }
    if (error == -ENOMEM)
        complaint_set(reading->complaint, "%s: not enough memory", reading->path);
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
