/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the bytes of a file to the lines and the marks of a table, by the same steps as those of a recording. */

#include "config.h"

#include "report/kinds/table_text.h"

#include "proto/dialect/cells.h"
#include "proto/dialect/sample.h"
#include "proto/dialect/text_stream.h"
#include "proto/dialect/words.h"
#include "proto/recording_marks.h"
#include "proto/regular_file.h"
#include "proto/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* Lines of prose and of comments that may stand before a header, and rows by which a decimal mark is known. */
enum { LINES_BEFORE_HEADER = 50, ROWS_FOR_DECIMAL = 500 };

int table_text_open(struct table_text *text, const char *path, struct complaint *complaint)
{
    struct complaint cause;
    int error = 0;
    *text = (struct table_text){.stream = NULL};
    const int descriptor = regular_file_open(path, O_RDONLY, 0, complaint);
    if (descriptor < 0)
        return descriptor;
    struct byte_source *source = dialect_open_text(descriptor, &text->dialect, &error, &cause);
    text->stream = source ? text_stream_open(source, &text->cause) : NULL;
    text->buffer = malloc(RECORDING_MAX_LINE + 2); /* with the byte too many, and the end */
    if (text->stream && text->buffer)
        return 0;
    complaint_set(complaint, "%s: %s", path, source ? "not enough memory" : cause.text);
    return source ? -ENOMEM : error;
}

void table_text_close(struct table_text *text)
{
    if (text->stream)
        fclose(text->stream);
    free(text->buffer);
    text->stream = NULL;
    text->buffer = NULL;
}

/* Not getline(): a packed file of any size may be a single line. -E2BIG: it is too long. */
static int read_line(struct table_text *text, size_t *length)
{
    int c = 0;
    *length = 0;
    while (c != '\n' && *length <= RECORDING_MAX_LINE && (c = getc_unlocked(text->stream)) != EOF)
        text->buffer[(*length)++] = (char)c;
    text->buffer[*length] = '\0';
    if (ferror(text->stream))
        return -EIO;
    text->line += *length > 0;
    return *length > RECORDING_MAX_LINE ? -E2BIG : *length > 0;
}

/* The next line, without a byte order mark. As table_text_next_row(). */
static int next_line(struct table_text *text, char **line)
{
    size_t length;
    const int got = read_line(text, &length);
    if (got <= 0)
        return got;
    *line = text->buffer + (text->line == 1 ? utf8_mark(text->buffer, length) : 0);
    return strlen(text->buffer) == length ? 1 : -EILSEQ;
}

static struct text_piece piece_of(const char *line)
{
    return text_piece_trim((struct text_piece){line, strcspn(line, "\r\n")});
}

int table_text_complain(const struct table_text *text, const char *path, int error, struct complaint *complaint)
{
    if (error == -EILSEQ)
        complaint_set(complaint, "%s:%zu: zero bytes: this is not a table in UTF-8 text", path, text->line);
    else if (error == -E2BIG)
        complaint_set(complaint, "%s:%zu: the line is longer than %d bytes: this is not a table", path, text->line,
                      RECORDING_MAX_LINE);
    else if (error == -EIO)
        complaint_set(complaint, "%s: %s", path, text->cause.text);
    else
        complaint_set(complaint, "%s: not enough memory", path);
    return error;
}

/* --- the header --- */

/* Rows without a time that come evenly: they have a first column more, as if it were told. Of samples alone there is a
 * rate. */
static int even_header_of(const char *line, char delimiter, struct table_header *header)
{
    static const char time[] = "time_s";
    const size_t bytes = sizeof time + strlen(line) + 1;
    char *with_time = malloc(bytes);
    if (!with_time)
        return -ENOMEM;
    snprintf(with_time, bytes, "%s%c%s", time, delimiter, line);
    *header = table_header_of(with_time, delimiter);
    header->evenly = true;
    if (header->kind && !header->kind->sampled)
        header->kind = NULL;
    free(with_time);
    return 0;
}

/* The header that a line is with that delimiter; kind NULL: none. The line stays as it is. */
static int header_of(const char *line, char delimiter, struct table_header *header)
{
    char *copy = strdup(line);
    if (!copy)
        return -ENOMEM;
    *header = table_header_of(copy, delimiter);
    free(copy);
    return 0;
}

/* Whether no header of a table stands behind a line: it is that of a recording, or a row. */
static bool ends_the_search(const char *line, char delimiter)
{
    const struct text_piece piece = piece_of(line);
    return piece.length > 0 && (table_header_is_of_recording(line, delimiter) || strchr("+-.0123456789", *piece.text));
}

/* Those that a line may have: blanks are as good as any other character where one of the others stands in it. */
static const char *delimiters_of(const char *line, const struct recording_manner *manner)
{
    static const char marks[] = ",;\t", *const one[] = {",", ";", "\t", " "};
    for (size_t i = 0; manner && manner->delimiter && i < sizeof one / sizeof one[0]; i++)
        if (manner->delimiter == (unsigned char)*one[i])
            return one[i];
    return strpbrk(line, marks) ? marks : ", ";
}

/* Tries a line with each delimiter; of several the one counts that gives most columns, for of others a name may seem to
 * be one with a long unit. 1 where the search ends, 0 or a negative errno. */
static int try_line(const char *line, const struct recording_manner *manner, struct table_header *header)
{
    bool ends = false;
    for (const char *delimiter = delimiters_of(line, manner); *delimiter; delimiter++) {
        struct table_header tried;
        int error = header_of(line, *delimiter, &tried);
        if (!error && !tried.kind && manner && manner->timing.rate_hz > 0 &&
            !table_header_is_of_recording(line, *delimiter))
            error = even_header_of(line, *delimiter, &tried);
        if (error)
            return error;
        if (tried.kind && (!header->kind || tried.count > header->count))
            *header = tried;
        ends = ends || ends_the_search(line, *delimiter);
    }
    return header->kind || ends;
}

/* "(mm)" and "[mm]" are "mm"; "-" is no unit. */
static struct text_piece unit_in(struct text_piece cell)
{
    const char last = cell.length > 1 ? cell.text[cell.length - 1] : '\0';
    if ((last == ')' && *cell.text == '(') || (last == ']' && *cell.text == '['))
        cell = text_piece_trim((struct text_piece){cell.text + 1, cell.length - 2});
    return cell.length == 1 && *cell.text == '-' ? (struct text_piece){cell.text, 0} : cell;
}

/* A row of figures below the names is none of units. */
static bool is_number(struct text_piece cell)
{
    return cell.length > 0 && strspn(cell.text, "+-.,0123456789eE") >= cell.length;
}

/* "name (unit),name (unit)" of a line of names and one of units, allocated. NULL, and *error 0: they have not as many
 * cells, or there is a number among the units. */
static char *joined(const char *names, const char *units, char delimiter, int *error)
{
    struct text_piece name[TABLE_COLUMNS_MOST], unit[TABLE_COLUMNS_MOST];
    const size_t count = cells_split(delimiter, piece_of(names), name, TABLE_COLUMNS_MOST);
    *error = 0;
    if (count < 2 || count > TABLE_COLUMNS_MOST ||
        cells_split(delimiter, piece_of(units), unit, TABLE_COLUMNS_MOST) != count)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (is_number(unit_in(unit[i])))
            return NULL;
    char *line = malloc(strlen(names) + strlen(units) + 4 * count + 1), *end = line;
    *error = line ? 0 : -ENOMEM;
    for (size_t i = 0; line && i < count; i++) {
        const struct text_piece of = unit_in(unit[i]);
        const char *const mark = i + 1 < count ? (const char[]){delimiter, '\0'} : "";
        end = stpncpy(end, name[i].text, name[i].length);
        end += of.length > 0 ? sprintf(end, " (%.*s)%s", (int)of.length, of.text, mark) : sprintf(end, "%s", mark);
    }
    return line;
}

/* Units may stand in a line of their own below the names. header->form NULL: these are none, or not those of a table,
 * and header->doubt may say which of them is not. */
static int try_units_below(const char *names, const char *units, const struct recording_manner *manner,
                           struct table_header *header)
{
    int error = 0;
    *header = (struct table_header){.kind = NULL};
    for (const char *delimiter = delimiters_of(names, manner); *delimiter && !header->kind && error >= 0; delimiter++) {
        char *line = joined(names, units, *delimiter, &error);
        *header = (struct table_header){.kind = NULL};
        if (line)
            error = try_line(line, manner, header);
        free(line);
    }
    header->units_below = header->form;
    return error < 0 ? error : 0;
}

/* Takes a line for that below the names, or for that of the names itself. 1 where the search ends, 0 or a negative
 * errno. */
static int take_line(const char *line, const struct recording_manner *manner, char **names, bool ends,
                     struct table_header *header)
{
    struct table_header below = {.kind = NULL};
    int found = *names ? try_units_below(*names, line, manner, &below) : 0;
    if (below.form || *below.doubt)
        *header = below;
    if (found < 0 || below.form || ends)
        return found < 0 ? found : 1;
    found = try_line(line, manner, header);
    free(*names);
    *names = strdup(line);
    return found < 0 || *names ? found : -ENOMEM;
}

/* What fricid recorded says so before its header, and is a recording however its channels are called. Where the names
 * end the search without their units, the line below them is looked at, too. */
int table_text_find_header(struct table_text *text, const struct recording_manner *manner, struct table_header *header)
{
    char *line, *names = NULL;
    int got = 1, found = 0;
    size_t of_names = 0;
    *header = (struct table_header){.kind = NULL};
    while (found >= 0 && !header->form && text->line < LINES_BEFORE_HEADER && (got = next_line(text, &line)) > 0) {
        const struct text_piece piece = piece_of(line);
        const bool ends = found == 1;
        if (recording_is_mark(line, strlen(line)))
            break;
        if (piece.length == 0 || comment_mark(piece, '\0') != 0)
            continue;
        found = take_line(line, manner, &names, ends, header);
        if (ends)
            break;
        of_names = text->line;
    }
    if (!header->form && header->kind)
        text->line = of_names; /* that of which complaints are */
    free(names);
    return got < 0 ? got : found < 0 ? found : 0;
}

/* --- rows --- */

/* In a table of one column a line without anything is a figure that was not measured. */
static bool is_row(const char *line, const struct table_header *header)
{
    const struct text_piece piece = piece_of(line);
    return comment_mark(piece, header->delimiter) == 0 && (piece.length > 0 || header->count == 1);
}

int table_text_next_row(struct table_text *text, const struct table_header *header, char **line)
{
    int got;
    while ((got = next_line(text, line)) > 0 && !is_row(*line, header))
        continue;
    return got;
}

size_t table_row(const struct table_header *header, char *line, char *fields[TABLE_COLUMNS_MOST])
{
    static char no_time[] = "";
    size_t count = table_split(line, header->delimiter, fields);
    if (header->evenly && count < TABLE_COLUMNS_MOST) {
        memmove(fields + 1, fields, count * sizeof *fields);
        fields[0] = no_time;
        count++;
    }
    while (count > header->count && count <= TABLE_COLUMNS_MOST && *fields[count - 1] == '\0')
        count--;
    return count;
}

/* --- numbers --- */

/* What the numbers of some rows tell of their decimal mark. */
struct votes {
    size_t point, comma;
    size_t unsure_line; /* of a number that may be a thousand or a fraction; 0: none */
    char unsure[48];
};

static void count_vote(struct votes *votes, const char *field, size_t line)
{
    size_t length;
    const struct text_piece cell = {field, strlen(field)};
    const enum number_shape with_point = cell_number(cell, '.', NULL, &length),
                            with_comma = cell_number(cell, ',', NULL, &length);
    votes->comma += with_point == NO_NUMBER && with_comma != NO_NUMBER;
    votes->point += with_comma == NO_NUMBER && with_point != NO_NUMBER;
    if (with_point == UNSURE_GROUP && votes->unsure_line == 0) {
        votes->unsure_line = line;
        utf8_copy(votes->unsure, sizeof votes->unsure, field);
    }
}

static int count_votes(struct table_text *text, const struct table_header *header, struct votes *votes)
{
    char *fields[TABLE_COLUMNS_MOST], *line;
    int got = 1;
    *votes = (struct votes){.point = 0};
    for (size_t row = 0; row < ROWS_FOR_DECIMAL && (got = table_text_next_row(text, header, &line)) > 0; row++) {
        if (table_row(header, line, fields) != header->count)
            continue;
        for (size_t i = 0; i < header->count; i++)
            if (header->role[i] >= COLUMN_VALUE)
                count_vote(votes, fields[i], text->line);
    }
    /* A bad line is told when the rows are read. */
    return got == -EILSEQ || got == -E2BIG || got > 0 ? 0 : got;
}

int table_text_find_decimal(struct table_text *text, const char *path, const struct recording_manner *manner,
                            const struct table_header *header, char *decimal, struct complaint *complaint)
{
    struct votes votes;
    *decimal = manner && manner->decimal ? (char)manner->decimal : '.';
    if (manner && manner->decimal)
        return 0;
    const int error = count_votes(text, header, &votes);
    if (error)
        return table_text_complain(text, path, error, complaint);
    if (votes.comma > 0 && votes.point == 0)
        *decimal = ',';
    if (votes.comma > 0 || votes.point > 0 || votes.unsure_line == 0)
        return 0;
    complaint_set(complaint, "%s:%zu: `%s` may be a thousand or a fraction: say which with --decimal", path,
                  votes.unsure_line, votes.unsure);
    return -EINVAL;
}

/* Which columns are scaled, and to what; empty where none is. */
static void describe_scales(const struct table_header *header, char *said, size_t bytes)
{
    bool of_times = false;
    size_t used = 0;
    *said = '\0';
    for (size_t i = 0; i < header->count && used < bytes; i++) {
        if (header->role[i] < COLUMN_VALUE || header->scale[i] == 1)
            continue;
        const struct kind_column *column = &header->form->column[header->role[i] - COLUMN_VALUE];
        const bool is_time = strcmp(column->unit, "s") == 0;
        if (!is_time)
            used += (size_t)snprintf(said + used, bytes - used, ", %s brought to %s", column->quantity, column->unit);
        of_times = of_times || is_time;
    }
    if (of_times && used < bytes)
        snprintf(said + used, bytes - used, ", times brought to seconds");
}

void table_text_describe(const struct table_text *text, const struct table_header *header, char decimal, char *said,
                         size_t bytes)
{
    const char *first = text->dialect.said, *comma = *first ? ", " : "";
    char scales[160];
    describe_scales(header, scales, sizeof scales);
    snprintf(said, bytes, "%s", first);
    if (*first || header->delimiter != ',' || decimal != '.' || *scales || header->by_units || header->units_below)
        snprintf(said, bytes, "%s%s%s, %s%s%s%s", first, comma, delimiter_name(header->delimiter),
                 decimal_name(decimal), header->units_below ? ", units below the names" : "",
                 header->by_units ? ", columns known by their units" : "", scales);
}
