/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of bounces have labels between their numbers, which recordings never have: a small reader of their own. */

#include "offline/bounces.h"

#include "proto/cause.h"
#include "proto/decimal.h"
#include "proto/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS_MOST = 32, NAME_MOST = 256 };

/* What a column means. */
enum role { LABEL, PASSED_OVER, RUN, BEFORE, AFTER, SERIES };

struct column_name {
    const char *prefix;
    enum role role;
    enum restitution_kind kind; /* of BEFORE, AFTER and SERIES */
};

static const struct column_name column_names[] = {
    {"interval_s", SERIES, RESTITUTION_TIMES},   {"flight_s", SERIES, RESTITUTION_TIMES},
    {"height_", SERIES, RESTITUTION_HEIGHTS},    {"h0_", BEFORE, RESTITUTION_HEIGHTS},
    {"h1_", AFTER, RESTITUTION_HEIGHTS},         {"v_in_", BEFORE, RESTITUTION_VELOCITIES},
    {"v_out_", AFTER, RESTITUTION_VELOCITIES},   {"throw", RUN, RESTITUTION_TIMES},
    {"event_s", PASSED_OVER, RESTITUTION_TIMES},
};

struct header {
    size_t count;
    enum role role[COLUMNS_MOST];
    enum restitution_kind kind;
    bool usable; /* a series, or a pair of before and after of one kind */
    bool pairs;
};

/* A file being read. */
struct reading {
    const char *path;
    size_t line;
    struct header header;
    locale_t c_locale;
    char series[NAME_MOST]; /* labels and run of the row before */
    double last;            /* its figure in the series; NAN: none */
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

static struct header header_of(char *line)
{
    char *fields[COLUMNS_MOST];
    struct header header = {.count = split(line, fields)};
    size_t before = 0, after = 0, series = 0;
    for (size_t i = 0; i < header.count && i < COLUMNS_MOST; i++) {
        header.role[i] = strcmp(fields[i], "n") == 0 ? PASSED_OVER : LABEL;
        for (size_t k = 0; k < sizeof column_names / sizeof column_names[0]; k++) {
            const struct column_name *name = &column_names[k];
            if (strncmp(fields[i], name->prefix, strlen(name->prefix)) != 0)
                continue;
            header.role[i] = name->role;
            if (name->role >= BEFORE)
                header.kind = name->kind;
            before += name->role == BEFORE;
            after += name->role == AFTER;
            series += name->role == SERIES;
        }
    }
    header.pairs = before > 0;
    header.usable = header.count <= COLUMNS_MOST &&
                    ((series == 1 && before + after == 0) || (series == 0 && before == 1 && after == 1));
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

bool bounces_recognised(const char *path)
{
    struct complaint ignored;
    int error;
    FILE *file = open_file(path, &error, &ignored);
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    while (file && getline(&line, &capacity, file) >= 0) {
        if (is_comment(line))
            continue;
        found = header_of(line).usable;
        break;
    }
    free(line);
    if (file)
        fclose(file);
    return found;
}

static struct bounce_group *group_named(struct bounces *bounces, const char *name)
{
    for (size_t i = bounces->group_count; i-- > 0;)
        if (strcmp(bounces->groups[i].name, name) == 0)
            return &bounces->groups[i];
    struct bounce_group *moved = realloc(bounces->groups, (bounces->group_count + 1) * sizeof *moved);
    char *copy = strdup(name);
    if (moved)
        bounces->groups = moved;
    if (!moved || !copy) {
        free(copy);
        return NULL;
    }
    moved[bounces->group_count] = (struct bounce_group){.name = copy};
    return &moved[bounces->group_count++];
}

static int add_impact(struct bounces *bounces, const char *name, struct impact impact)
{
    struct bounce_group *group = group_named(bounces, name);
    if (!group)
        return -ENOMEM;
    if (group->count == group->capacity) {
        const size_t larger = group->capacity > 0 ? 2 * group->capacity : 64;
        struct impact *moved = realloc(group->impacts, larger * sizeof *moved);
        if (!moved)
            return -ENOMEM;
        group->impacts = moved;
        group->capacity = larger;
    }
    group->impacts[group->count++] = impact;
    return 0;
}

static int number_in(struct reading *reading, const char *field, double *value)
{
    struct decimal decimal;
    *value = NAN;
    if (field[0] == '\0') /* not measured */
        return 0;
    const enum decimal_result result = decimal_read(field, reading->c_locale, &decimal);
    if (result == DECIMAL_OK && decimal.next[strspn(decimal.next, " \t")] == '\0') {
        *value = decimal.value;
        return 0;
    }
    complaint_set(reading->complaint, "%s:%zu: `%.40s` is not a number", reading->path, reading->line, field);
    return -EINVAL;
}

/* Appends a field to a name; one that does not fit is cut. */
static void append(char name[NAME_MOST], const char *field)
{
    const size_t used = strlen(name);
    snprintf(name + used, NAME_MOST - used, "%s%s", used > 0 ? ", " : "", field);
}

/* What one row says. */
struct row {
    char name[NAME_MOST], series[NAME_MOST]; /* labels; labels and run */
    double before, after, figure;
};

static int row_of(struct reading *reading, char *fields[COLUMNS_MOST], struct row *row)
{
    *row = (struct row){.before = NAN, .after = NAN, .figure = NAN};
    int error = 0;
    for (size_t i = 0; i < reading->header.count && !error; i++) {
        const enum role role = reading->header.role[i];
        if (role == LABEL)
            append(row->name, fields[i]);
        if (role == LABEL || role == RUN)
            append(row->series, fields[i]);
        if (role == BEFORE)
            error = number_in(reading, fields[i], &row->before);
        if (role == AFTER)
            error = number_in(reading, fields[i], &row->after);
        if (role == SERIES)
            error = number_in(reading, fields[i], &row->figure);
    }
    return error;
}

/* In a series each figure belongs with the one before; a zero ends it: no bounce followed. */
static int take_row(struct reading *reading, char *line, struct bounces *bounces)
{
    char *fields[COLUMNS_MOST];
    struct row row;
    const size_t count = split(line, fields);
    if (count != reading->header.count) {
        complaint_set(reading->complaint, "%s:%zu: %zu columns where the header has %zu", reading->path, reading->line,
                      count, reading->header.count);
        return -EINVAL;
    }
    int error = row_of(reading, fields, &row);
    if (error)
        return error;
    if (reading->header.pairs)
        return add_impact(bounces, row.name, (struct impact){row.before, row.after});
    const bool follows = isfinite(reading->last) && strcmp(reading->series, row.series) == 0;
    if (follows && row.figure > 0)
        error = add_impact(bounces, row.name, (struct impact){reading->last, row.figure});
    memcpy(reading->series, row.series, sizeof reading->series);
    reading->last = row.figure > 0 ? row.figure : NAN;
    return error;
}

static int read_lines(struct reading *reading, FILE *file, struct bounces *bounces)
{
    char *line = NULL;
    size_t capacity = 0;
    int error = 0;
    bool header_seen = false;
    while (!error && getline(&line, &capacity, file) >= 0) {
        reading->line++;
        if (is_comment(line))
            continue;
        if (header_seen) {
            error = take_row(reading, line, bounces);
            continue;
        }
        header_seen = true;
        reading->header = header_of(line);
        bounces->kind = reading->header.kind;
        if (!reading->header.usable) {
            complaint_set(reading->complaint,
                          "%s:%zu: the header names neither interval_s, height_UNIT, h0_UNIT and "
                          "h1_UNIT, nor v_in_UNIT and v_out_UNIT",
                          reading->path, reading->line);
            error = -EINVAL;
        }
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

int bounces_load(const char *path, struct bounces *bounces, struct complaint *complaint)
{
    struct reading reading = {.path = path, .last = NAN, .complaint = complaint};
    *bounces = (struct bounces){0};
    int error;
    FILE *file = open_file(path, &error, complaint);
    if (!file)
        return error;
    reading.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    error = reading.c_locale ? read_lines(&reading, file, bounces) : -ENOMEM;
    if (!reading.c_locale)
        complaint_set(complaint, "%s: not enough memory", path);
    else
        freelocale(reading.c_locale);
    fclose(file);
    return error;
}

void bounces_clear(struct bounces *bounces)
{
    for (size_t i = 0; i < bounces->group_count; i++) {
        free(bounces->groups[i].name);
        free(bounces->groups[i].impacts);
    }
    free(bounces->groups);
    *bounces = (struct bounces){0};
}
