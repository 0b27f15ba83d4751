/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is wrong with a row that was refused, in words; only here speed does not matter. */

#include "proto/recording_refusal.h"

#include "proto/column_label.h"
#include "proto/dialect/cells.h"
#include "proto/plain_text.h"
#include "proto/recording_state.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* How much of a bad value a complaint shows. */
enum { SHOWN_BYTES = 40 };

/* A complaint about the line read last. */
static int __attribute__((format(printf, 3, 4)))
bad_row(struct recording_reader *reader, struct complaint *complaint, const char *format, ...)
{
    char sentence[sizeof complaint->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return recording_lines_complain(&reader->lines, reader->lines.number, -EBADMSG, complaint, "%s", sentence);
}

static const char *column_name(const struct recording_reader *reader, size_t column)
{
    const struct recording_header *header = &reader->header;
    if (column >= header->leads)
        return header->columns[column - header->leads].name;
    return header->rate_hz > 0 ? "the first column" : "time";
}

static size_t column_count(const struct recording_reader *reader)
{
    return reader->header.channel_count + reader->header.leads;
}

/* "1,000" and "1,000,000" with a point as the decimal mark, "1.000" with a comma. */
static bool is_like_a_thousand(struct text_piece cell, char decimal)
{
    const enum number_shape shape = cell_number(cell, decimal, NULL, &(size_t){0});
    return shape == UNSURE_GROUP || shape == GROUPED_NUMBER;
}

/* The mark between thousands, and what is said where it is. */
static const struct grouping {
    char decimal;
    const char *grouped_by, *said;
} groupings[] = {{'.', "comma", "point"}, {',', "point", "comma"}};

static const char *decimal_option(const struct recording_reader *reader)
{
    return reader->header.configured ? "the key decimal" : "--decimal";
}

/* A cell that is no number, unless its marks mean something else. */
static int explain_cell(struct recording_reader *reader, const char *name, struct text_piece cell, const char *shown,
                        struct complaint *complaint)
{
    for (size_t i = 0; i < sizeof groupings / sizeof groupings[0]; i++)
        if (is_like_a_thousand(cell, groupings[i].decimal))
            return bad_row(reader, complaint,
                           "the value of %s is not a number: \"%s\"; where the %s groups thousands, say so with %s %s",
                           name, shown, groupings[i].grouped_by, decimal_option(reader), groupings[i].said);
    return bad_row(reader, complaint, "the value of %s is not a number: \"%s\"", name, shown);
}

/* Says what is wrong with the value that begins at `text` and ends before `end`. */
static int explain_value(struct recording_reader *reader, size_t column, const char *text, const char *end,
                         struct complaint *complaint)
{
    const char *name = column_name(reader, column);
    struct text_piece rest = {text, (size_t)(end - text)}, cell = {"", 0};
    char shown[SHOWN_BYTES + 1] = "";
    cell_next(',', &rest, &cell);
    for (size_t i = 0; i < SHOWN_BYTES && i < cell.length; i++)
        shown[i] = cell.text[i];
    plain_line(shown);
    struct decimal decimal;
    const enum decimal_result result = decimal_read(recording_skip_blanks(text), reader->c_locale, &decimal);
    if (cell.length == 0)
        return bad_row(reader, complaint, "the value of %s is missing", name);
    if (result == DECIMAL_NOT_FINITE)
        return bad_row(reader, complaint, "the value of %s is %s; leave such rows out, or the column", name, shown);
    if (result == DECIMAL_TOO_LARGE || (result == DECIMAL_OK && fabs(decimal.value) > RECORDING_LARGEST_VALUE))
        return bad_row(reader, complaint, "the value of %s is too large: %s", name, shown);
    return explain_cell(reader, name, cell, shown, complaint);
}

/* The header is where the number of columns comes from, so its line is named too. */
static int explain_count(struct recording_reader *reader, size_t values, struct complaint *complaint)
{
    size_t expected = column_count(reader);
    if (reader->header.line > 0)
        return bad_row(reader, complaint, "%zu value%s where the header in line %zu names %zu columns", values,
                       values == 1 ? "" : "s", reader->header.line, expected);
    if (values == 1 && isinf(reader->last.time_s))
        return bad_row(reader, complaint,
                       "1 value where there should be %zu, separated by commas; of a file of samples alone, that come "
                       "evenly, say how many a second: --rate HZ, or the key sample_rate_hz of a rig",
                       expected);
    return bad_row(reader, complaint, "%zu value%s where there should be %zu, separated by commas", values,
                   values == 1 ? "" : "s", expected);
}

/* What begins another recording within the file; NULL: the line does not. */
static const char *new_beginning(const struct recording_reader *reader, struct text_piece first)
{
    static const char segment[] = "Channels";
    const struct column_label label = column_label_read(first);
    if (first.length == sizeof segment - 1 && memcmp(first.text, segment, first.length) == 0)
        return "another segment of the measurement begins here: give each of them a file of its own";
    const char *name = reader->header.first;
    if (!*name || strlen(name) != label.name.length || memcmp(name, label.name.text, label.name.length) != 0)
        return NULL;
    return "the names of the columns stand here again, so that other recordings follow: give each of them a file of "
           "its own";
}

int recording_refuse_row(struct recording_reader *reader, const char *line, size_t length, struct complaint *complaint)
{
    const char *end = line + length;
    if (memchr(line, '\0', length))
        return bad_row(reader, complaint, "zero bytes: this is not a CSV recording in UTF-8 text");
    struct text_piece rest = {line, length}, cell;
    size_t values = 0;
    const char *beginning = NULL;
    while (cell_next(',', &rest, &cell))
        beginning = values++ == 0 ? new_beginning(reader, cell) : beginning;
    if (beginning)
        return bad_row(reader, complaint, "%s", beginning);
    if (values != column_count(reader))
        return explain_count(reader, values, complaint);
    rest = (struct text_piece){line, length};
    const char *text = line;
    for (size_t column = 0; column < values; column++) {
        cell_next(',', &rest, &cell);
        const char *value_end = rest.text ? rest.text - 1 : end;
        struct decimal decimal;
        enum decimal_result result = decimal_read(recording_skip_blanks(text), reader->c_locale, &decimal);
        if (result != DECIMAL_OK || recording_skip_blanks(decimal.next) < value_end ||
            fabs(decimal.value) > RECORDING_LARGEST_VALUE)
            return explain_value(reader, column, text, value_end, complaint);
        text = value_end + 1;
    }
    struct recording_stamp stamp;
    if (recording_read_time(reader, line, &stamp))
        return bad_row(
            reader, complaint,
            "the time is not that of a scan of the declared clock: without the lines that begin with #fricid "
            "the time stamps are used as they are");
    const double last_s = reader->last.time_s;
    rest = (struct text_piece){line, length};
    if (cell_next(',', &rest, &cell) && is_like_a_thousand(cell, ',') && stamp.time_s < last_s &&
        1000 * stamp.time_s > last_s && reader->last.place == 0 && !(reader->header.rate_hz > 0))
        return bad_row(reader, complaint,
                       "the time goes back, for the point in \"%.*s\" was taken for a decimal mark: where it groups "
                       "thousands, say so with %s comma",
                       (int)cell.length, cell.text, decimal_option(reader));
    const struct complaint why = recording_explain_order(&reader->header, stamp.time_s == reader->last.time_s);
    return bad_row(reader, complaint, "%s", why.text);
}
