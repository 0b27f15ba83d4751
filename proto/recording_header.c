/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names and units of a recording's columns, from its header or, without one, by assumption. */

#include "config.h"

#include "proto/recording_header.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

/* A piece of a line. */
struct piece {
    const char *text;
    size_t length;
};

/* Pieces are never copied: they point into the line. */
static struct piece trim(struct piece piece)
{
    while (piece.length > 0 && strchr(" \t", piece.text[0])) {
        piece.text++;
        piece.length--;
    }
    while (piece.length > 0 && strchr(" \t", piece.text[piece.length - 1]))
        piece.length--;
    return piece;
}

/* Spreadsheets put names between quotes. */
static struct piece unquote(struct piece piece)
{
    if (piece.length >= 2 && piece.text[0] == '"' && piece.text[piece.length - 1] == '"')
        piece = trim((struct piece){piece.text + 1, piece.length - 2});
    return piece;
}

/* Cuts the field before the next comma off the rest; false when there is none left. No rest is left when its text is
 * NULL; an empty field behind a last comma is still one. */
static bool next_field(struct piece *rest, struct piece *field)
{
    if (!rest->text)
        return false;
    const char *comma = memchr(rest->text, ',', rest->length);
    size_t length = comma ? (size_t)(comma - rest->text) : rest->length;
    *field = unquote(trim((struct piece){rest->text, length}));
    *rest = comma ? (struct piece){comma + 1, rest->length - length - 1} : (struct piece){NULL, 0};
    return true;
}

/* A row begins with a number; "nan" is meant as one, and better refused as a bad row than taken for a name. */
bool recording_is_header(const char *line, size_t length)
{
    struct piece rest = {line, length}, first;
    next_field(&rest, &first);
    if (first.length == 0 || strchr("+-.0123456789", first.text[0]))
        return false;
    return !(first.length == 3 && (strncasecmp(first.text, "nan", 3) == 0 || strncasecmp(first.text, "inf", 3) == 0));
}

const char *recording_wrong_separator(const char *line, size_t length)
{
    if (memchr(line, ';', length))
        return "values are separated by semicolons; write commas between values and points in numbers";
    if (memchr(line, '\t', length) && !memchr(line, ',', length))
        return "values are separated by tabs; write commas between them";
    return NULL;
}

/* lvdt_mm: name lvdt, unit mm. A name that only begins with an underscore has no unit. */
static void split_unit(struct piece field, struct piece *name, struct piece *unit)
{
    *name = field;
    *unit = (struct piece){NULL, 0};
    const char *underscore = memrchr(field.text, '_', field.length);
    if (!underscore || underscore == field.text)
        return;
    name->length = (size_t)(underscore - field.text);
    *unit = (struct piece){underscore + 1, field.length - name->length - 1};
}

static int bad_header(const struct recording_lines *lines, struct complaint *complaint, const char *sentence)
{
    return recording_lines_complain(lines, lines->number, -EBADMSG, complaint, "%s", sentence);
}

/* Milliseconds taken for seconds would give a frequency a thousand times too low, and no complaint later. */
static int check_time(const struct recording_lines *lines, struct piece field, struct complaint *complaint)
{
    struct piece name, unit;
    split_unit(field, &name, &unit);
    if (unit.length == 0 || (unit.length == 1 && unit.text[0] == 's'))
        return 0;
    return recording_lines_complain(lines, lines->number, -EBADMSG, complaint,
                                    "the first column must be the time in seconds (time_s), not \"%.*s\"",
                                    (int)field.length, field.text);
}

/* Results are filed under the channel's name, so lvdt_mm beside lvdt_V would make two of them one. */
static int check_name(const struct recording_lines *lines, const struct recording_header *header, struct piece name,
                      struct complaint *complaint)
{
    for (size_t c = 0; c < header->channel_count; c++) {
        const char *other = header->columns[c].name;
        if (strlen(other) == name.length && memcmp(other, name.text, name.length) == 0)
            return recording_lines_complain(lines, lines->number, -EBADMSG, complaint,
                                            "two columns are called \"%s\"; give each channel a name of its own",
                                            other);
    }
    return 0;
}

/* Columns count from 1 in complaints, the time included: that is how a spreadsheet shows them. */
static int add_column(const struct recording_lines *lines, struct piece field, struct recording_header *header,
                      struct complaint *complaint)
{
    if (header->channel_count == RECORDING_MAX_CHANNELS)
        return recording_lines_complain(lines, lines->number, -EBADMSG, complaint, "more than %d channels",
                                        RECORDING_MAX_CHANNELS);
    if (field.length == 0)
        return recording_lines_complain(lines, lines->number, -EBADMSG, complaint,
                                        "column %zu has no name; write the header as in time_s,lvdt_mm",
                                        header->channel_count + 2);
    struct recording_column *column = &header->columns[header->channel_count];
    struct piece name, unit;
    split_unit(field, &name, &unit);
    if (name.length >= sizeof column->name || unit.length >= sizeof column->unit)
        return recording_lines_complain(lines, lines->number, -EBADMSG, complaint,
                                        "the name of column %zu is too long: at most %zu bytes and %zu for the unit",
                                        header->channel_count + 2, sizeof column->name - 1, sizeof column->unit - 1);
    int error = check_name(lines, header, name, complaint);
    if (error)
        return error;
    memcpy(column->name, name.text, name.length);
    memcpy(column->unit, unit.length > 0 ? unit.text : "1", unit.length > 0 ? unit.length : 1);
    header->channel_count++;
    return 0;
}

int recording_read_header(const struct recording_lines *lines, const char *line, size_t length,
                          struct recording_header *header, struct complaint *complaint)
{
    *header = (struct recording_header){.line = lines->number};
    if (!recording_is_clean_text(line, length))
        return bad_header(lines, complaint, "this is not a CSV recording in UTF-8 text (time_s,lvdt_mm,...)");
    const char *separator = recording_wrong_separator(line, length);
    if (separator)
        return bad_header(lines, complaint, separator);
    struct piece rest = {line, length}, field;
    next_field(&rest, &field);
    int error = check_time(lines, field, complaint);
    while (!error && next_field(&rest, &field))
        error = add_column(lines, field, header, complaint);
    if (!error && header->channel_count == 0)
        error = bad_header(lines, complaint, "a recording needs the time and at least one channel (time_s,lvdt_mm)");
    return error;
}

/* Two columns can only be time and displacement; of more, nobody knows which is which. */
int recording_assume_header(const struct recording_lines *lines, const char *line, size_t length,
                            struct recording_header *header, struct complaint *complaint)
{
    *header = (struct recording_header){.channel_count = 1, .columns = {{.name = "displacement", .unit = "1"}}};
    size_t columns = 1;
    for (size_t i = 0; i < length; i++)
        columns += line[i] == ',';
    if (columns <= 2 || recording_wrong_separator(line, length))
        return 0;
    return recording_lines_complain(lines, lines->number, -EBADMSG, complaint,
                                    "%zu columns but no header; begin the file with one such as time_s,lvdt_mm",
                                    columns);
}
