/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which columns of a file of numbers make a recording. What nobody can know is refused with the candidates. */

#include "proto/dialect/number_choice.h"

#include "proto/column_label.h"
#include "proto/dialect/cells.h"
#include "proto/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct text_piece piece_of(const char *text)
{
    return (struct text_piece){text, strlen(text)};
}

static bool same(struct text_piece one, struct text_piece other)
{
    return one.length == other.length && memcmp(one.text, other.text, one.length) == 0;
}

static bool is_time(const struct number_column *column)
{
    const struct column_label label = column_label_read(piece_of(column->label));
    return column_label_is_time(&label);
}

/* "t (4000), lvdt (4000), gain (1)": what a user chooses from. */
static int refuse(const struct number_file *file, const char *sentence, const char *way_out,
                  struct complaint *complaint)
{
    char list[160] = "";
    size_t used = 0;
    for (size_t c = 0; c < file->count && used < sizeof list; c++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s (%zu)", c > 0 ? ", " : "",
                                 file->columns[c].path, file->columns[c].rows);
    complaint_set(complaint, "%s: %s%s; %s", sentence, list, used < sizeof list ? "" : "...", way_out);
    return -EBADMSG;
}

static const char *columns_option(const struct recording_manner *manner)
{
    return manner->timing.configured ? "the key columns says which, the time first"
                                     : "--columns says which, the time first";
}

/* A number from 1 on, a path, or a name with or without its unit. file->count: there is none. */
static size_t find(const struct number_file *file, struct text_piece wanted)
{
    char text[sizeof file->columns->path], *end;
    snprintf(text, sizeof text, "%.*s", (int)wanted.length, wanted.text);
    const unsigned long number = strtoul(text, &end, 10);
    size_t c = 0;
    if (*text && !*end && number >= 1 && number <= file->count)
        return number - 1;
    while (c < file->count && !same(wanted, piece_of(file->columns[c].path)))
        c++;
    if (c < file->count)
        return c;
    for (c = 0; c < file->count; c++) {
        const struct text_piece label = piece_of(file->columns[c].label);
        if (same(wanted, label) || same(wanted, column_label_read(label).name))
            break;
    }
    return c;
}

static int take_said(const struct number_file *file, const struct recording_manner *manner, size_t *columns,
                     size_t *count, struct complaint *complaint)
{
    struct text_piece rest = piece_of(manner->columns), wanted;
    while (cell_next(',', &rest, &wanted)) {
        const size_t c = find(file, wanted);
        char sentence[96];
        if (c == file->count || *count == RECORDING_MAX_CHANNELS + 1) {
            snprintf(sentence, sizeof sentence, "has no column \"%.*s\"", wanted.length < 40 ? (int)wanted.length : 40,
                     wanted.text);
            return refuse(file, sentence, columns_option(manner), complaint);
        }
        columns[(*count)++] = c;
        if (file->columns[c].rows != file->columns[columns[0]].rows)
            return refuse(file, "has columns of several lengths, and those of a recording are as long as each other",
                          columns_option(manner), complaint);
    }
    return 0;
}

/* What is shorter than two rows is a setting, and no column. Where the lengths differ, the one time tells which. */
static int length_of(const struct number_file *file, const struct recording_manner *manner, size_t *rows, size_t *time,
                     struct complaint *complaint)
{
    bool several = false;
    size_t times = 0;
    *rows = 0;
    *time = file->count;
    for (size_t c = 0; c < file->count; c++) {
        if (file->columns[c].rows < 2)
            continue;
        several = several || (*rows > 0 && file->columns[c].rows != *rows);
        *rows = file->columns[c].rows;
        if (is_time(&file->columns[c]) && times++ == 0)
            *time = c;
    }
    if (times > 1)
        return refuse(file, "has more than one time", columns_option(manner), complaint);
    if (several && times == 0)
        return refuse(file, "has columns of several lengths and none that is known to be a time",
                      columns_option(manner), complaint);
    if (times == 1)
        *rows = file->columns[*time].rows;
    return 0;
}

/* The first by its name. What has one value is a setting, of which nobody expects that it is a column. */
static void say_left_out(struct number_file *file, size_t rows)
{
    const struct number_column *first = NULL;
    const size_t used = strlen(file->said);
    char *to = file->said + used, path[41];
    size_t more = 0;
    for (size_t c = 0; c < file->count; c++) {
        if (file->columns[c].rows < 2 || file->columns[c].rows == rows)
            continue;
        more += first != NULL;
        first = first ? first : &file->columns[c];
    }
    if (!first)
        return;
    utf8_copy(path, sizeof path, first->path);
    const int length = snprintf(to, sizeof file->said - used, ", left out: %s (%zu values)", path, first->rows);
    if (more > 0 && length > 0 && (size_t)length < sizeof file->said - used)
        snprintf(to + length, sizeof file->said - used - (size_t)length, " and %zu more", more);
}

static int take_all(struct number_file *file, const struct recording_manner *manner, size_t *columns, size_t *count,
                    struct complaint *complaint)
{
    size_t rows, time;
    int error = length_of(file, manner, &rows, &time, complaint);
    if (error)
        return error;
    if (time < file->count)
        columns[(*count)++] = time;
    for (size_t c = 0; c < file->count; c++) {
        if (c == time || file->columns[c].rows != rows || rows < 2)
            continue;
        if (*count == RECORDING_MAX_CHANNELS + 1)
            return refuse(file, "has more columns than a recording may have", columns_option(manner), complaint);
        columns[(*count)++] = c;
    }
    if (*count == 0)
        return refuse(file, "has no column of numbers", "save time and samples as vectors of one length", complaint);
    if (*count == 1 && time < file->count) {
        char sentence[sizeof file->said + 64];
        snprintf(sentence, sizeof sentence, "is read as %s, and no channel stands beside its time", file->said);
        return refuse(file, sentence, "save the samples as a vector as long as the time", complaint);
    }
    say_left_out(file, rows);
    const bool timed = file->rate_hz > 0 || manner->timing.rate_hz > 0;
    if (time == file->count && !timed)
        return refuse(file, "has no column that is known to be a time",
                      manner->timing.configured
                          ? "the key columns says which it is, the time first, or the key sample_rate_hz how many rows "
                            "come in a second"
                          : "--columns says which it is, the time first, and --time-unit its unit, or --rate how many "
                            "rows come in a second",
                      complaint);
    return 0;
}

int number_file_choose(struct number_file *file, const struct recording_manner *manner,
                       size_t columns[RECORDING_MAX_CHANNELS + 1], size_t *count, struct complaint *complaint)
{
    *count = 0;
    if (manner->delimiter || manner->decimal) {
        complaint_set(complaint, "is no text: leave the %s out", manner->delimiter ? "delimiter" : "decimal mark");
        return -EBADMSG;
    }
    return manner->columns ? take_said(file, manner, columns, count, complaint)
                           : take_all(file, manner, columns, count, complaint);
}
