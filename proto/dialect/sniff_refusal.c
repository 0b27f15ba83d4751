/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is said of texts that cannot be read, with the option that settles it. */

#include "proto/dialect/sniff_refusal.h"

#include "proto/dialect/day_time.h"
#include "proto/dialect/words.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* How much of a line, or of a name, a complaint shows. */
enum { SHOWN_BYTES = 40 };

/* What can be said where the file does not tell. */
static const struct ways_out ways_out[] = {
    {"--delimiter", "--decimal", "--columns", "--time-unit"},
    {"the key delimiter", "the key decimal", "the key columns", "the key time_unit"}};

static int shown(struct text_piece piece)
{
    return (int)(piece.length < SHOWN_BYTES ? piece.length : SHOWN_BYTES);
}

const struct ways_out *sniff_ways_out(const struct recording_manner *manner)
{
    return &ways_out[manner->timing.configured];
}

int sniff_refuse_both(const struct sample *sample, const struct recording_manner *manner, const struct attempt *one,
                      const struct attempt *other, struct complaint *complaint)
{
    const struct text_piece line = sample->lines[one->first];
    const struct ways_out *ways = &ways_out[manner->timing.configured];
    const bool same_delimiter = one->form.delimiter == other->form.delimiter;
    complaint_set(complaint,
                  "line %zu, \"%.*s\", may be %zu value%s (%s, %s) or %zu (%s, %s), with other numbers: say which with "
                  "%s%s%s",
                  one->first + 1, shown(line), line.text, one->used, one->used == 1 ? "" : "s",
                  delimiter_name(one->form.delimiter), decimal_name(one->form.decimal), other->used,
                  delimiter_name(other->form.delimiter), decimal_name(other->form.decimal),
                  same_delimiter ? "" : ways->delimiter, same_delimiter ? "" : " or ", ways->decimal);
    return -EBADMSG;
}

int sniff_refuse_words(const struct sample *sample, const struct recording_manner *manner,
                       const struct header_lines *names, const struct attempt *attempt, struct complaint *complaint)
{
    const struct text_piece line = sample->lines[names->line - 1];
    const struct ways_out *ways = &ways_out[manner->timing.configured];
    complaint_set(complaint,
                  "line %zu, \"%.*s\", has %zu words where line %zu has %zu values: write names of one word, or choose "
                  "columns by their numbers, the time first, as with %s 1,2, and say the unit of the time with %s",
                  names->line, shown(line), line.text, names->count, attempt->first + 1, attempt->used, ways->columns,
                  ways->time_unit);
    return -EBADMSG;
}

int sniff_refuse_blanks(const struct sample *sample, const struct recording_manner *manner,
                        const struct attempt *attempt, struct complaint *complaint)
{
    const struct text_piece line = sample->lines[attempt->first];
    const struct ways_out *ways = &ways_out[manner->timing.configured];
    complaint_set(
        complaint,
        "line %zu, \"%.*s\", may be %zu values, of which the first goes back from row to row and is no time, or "
        "one with blanks between its thousands: for one say %s comma and %s point, for several %s with the "
        "columns that are wanted",
        attempt->first + 1, shown(line), line.text, attempt->used, ways->delimiter, ways->decimal, ways->columns);
    return -EBADMSG;
}

static int refuse_columns(const struct recording_manner *manner, struct text_piece missing, struct complaint *complaint)
{
    complaint_set(complaint,
                  "no line names a column \"%.*s\", or no row of numbers has it: %s takes names, or numbers "
                  "from 1 on, with commas between them",
                  shown(missing), missing.text, ways_out[manner->timing.configured].columns);
    return -EBADMSG;
}

static int refuse_form(const struct recording_manner *manner, struct complaint *complaint)
{
    complaint_set(complaint, "no line is a row of numbers with %s%s%s",
                  manner->delimiter ? delimiter_name((char)manner->delimiter) : "",
                  manner->delimiter && manner->decimal ? " and " : "",
                  manner->decimal ? decimal_name((char)manner->decimal) : "");
    return -EBADMSG;
}

/* 05/06/2024 */
static bool find_ambiguous_date(const struct sample *sample, size_t *line)
{
    for (size_t i = 0; i < sample->count; i++)
        if (day_time_is_ambiguous(sample->lines[i])) {
            *line = i;
            return true;
        }
    return false;
}

static int refuse_date(const struct sample *sample, size_t line, struct complaint *complaint)
{
    const struct text_piece text = sample->lines[line];
    complaint_set(complaint,
                  "line %zu, \"%.*s\", begins with a date of which nobody can know the day from the month: write dates "
                  "as in 2024-05-17, or give --columns without it and --rate",
                  line + 1, shown(text), text.text);
    return -EBADMSG;
}

/* The mark that stands most often in a line; a blank where none does. */
static char likely_delimiter(struct text_piece line)
{
    static const char marks[] = "\t;,";
    char likely = ' ';
    size_t most = 0;
    for (const char *mark = marks; *mark; mark++) {
        size_t count = 0;
        for (size_t i = 0; i < line.length; i++)
            count += line.text[i] == *mark;
        likely = count > most ? *mark : likely;
        most = count > most ? count : most;
    }
    return likely;
}

static bool is_number(struct text_piece cell)
{
    return cell_number(cell, '.', NULL, &(size_t){0}) != NO_NUMBER ||
           cell_number(cell, ',', NULL, &(size_t){0}) != NO_NUMBER;
}

static bool is_strange(struct text_piece cell)
{
    struct day_time time;
    return cell.length > 0 && !is_number(cell) && !(day_time_read(cell, &time) && time.has_time);
}

/* The first line that begins as a number does, and its first cell that is neither a number nor a time; what the reader
 * of recordings would say of the header above it would lead astray. Of cells between commas, but for the first, the
 * reader says the same with the name of their column. */
static bool find_strange_row(const struct sample *sample, size_t *line, struct text_piece *cell)
{
    for (size_t i = 0; i < sample->count; i++) {
        const struct text_piece text = text_piece_trim(sample->lines[i]);
        if (text.length == 0 || comment_mark(text, ',') > 0 || !strchr("+-.0123456789", text.text[0]))
            continue;
        const char delimiter = likely_delimiter(text);
        struct text_piece rest = text;
        bool strange = false;
        *line = i;
        for (size_t c = 0; !strange && (c == 0 || delimiter != ',') && cell_next(delimiter, &rest, cell); c++)
            strange = is_strange(*cell);
        return strange;
    }
    return false;
}

/* Whether the cells of a row are numbers, some with a point and some with a comma. */
static bool has_both_marks(struct text_piece line)
{
    bool points = true, commas = true, numbers = true;
    struct text_piece rest = line, cell;
    const char delimiter = likely_delimiter(line);
    while (numbers && cell_next(delimiter, &rest, &cell)) {
        const bool point = cell_number(cell, '.', NULL, &(size_t){0}) != NO_NUMBER,
                   comma = cell_number(cell, ',', NULL, &(size_t){0}) != NO_NUMBER;
        numbers = point || comma;
        points = points && point;
        commas = commas && comma;
    }
    return numbers && !points && !commas;
}

static bool find_both_marks(const struct sample *sample, size_t *line)
{
    for (*line = 0; *line < sample->count; ++*line)
        if (comment_mark(sample->lines[*line], ',') == 0 && has_both_marks(sample->lines[*line]))
            return true;
    return false;
}

static int refuse_both_marks(const struct sample *sample, size_t line, struct complaint *complaint)
{
    const struct text_piece text = sample->lines[line];
    complaint_set(
        complaint,
        "line %zu, \"%.*s\", has a point in one number and a comma in another for the decimal mark: write all "
        "of them with a point",
        line + 1, shown(text), text.text);
    return -EBADMSG;
}

/* "t:0 x:1.5", "12:00:00.125 -> 1.5": as boards on a serial line write rows, and who listens to them. */
static bool has_words_between(struct text_piece line)
{
    struct text_piece rest = line, cell;
    size_t named = 0, others = 0;
    if (memmem(line.text, line.length, " -> ", 4))
        return true;
    while (cell_next(likely_delimiter(line), &rest, &cell)) {
        const char *mark = memchr(cell.text, ':', cell.length);
        mark = mark ? mark : memchr(cell.text, '=', cell.length);
        const size_t before = mark ? (size_t)(mark - cell.text) : 0;
        const bool letter = before > 0 && strchr("+-.0123456789", cell.text[0]) == NULL;
        const struct text_piece value = {cell.text + before + 1, cell.length - before - 1};
        if (letter && is_number(text_piece_trim(value)))
            named++;
        else
            others++;
    }
    return named > 1 && others == 0;
}

/* In two lines one behind the other: one alone may be a setting. */
static bool find_names_beside_values(const struct sample *sample, size_t *line)
{
    for (*line = 0; *line + 1 < sample->count; ++*line)
        if (has_words_between(sample->lines[*line]) && has_words_between(sample->lines[*line + 1]))
            return true;
    return false;
}

static int refuse_words_between(const struct sample *sample, size_t line, struct complaint *complaint)
{
    const struct text_piece text = sample->lines[line];
    complaint_set(complaint,
                  "line %zu, \"%.*s\", has more than values in it: write the values alone, with commas between them, "
                  "below a line of names such as time_ms,x_mm",
                  line + 1, shown(text), text.text);
    return -EBADMSG;
}

/* "12:30" */
static bool is_clock_of_two(struct text_piece cell)
{
    const char *colon = memchr(cell.text, ':', cell.length);
    const size_t hours = colon ? (size_t)(colon - cell.text) : 0;
    return hours >= 1 && hours <= 2 && cell.length == hours + 3;
}

static int refuse_row(size_t line, struct text_piece cell, struct complaint *complaint)
{
    if (is_clock_of_two(cell))
        complaint_set(complaint,
                      "line %zu: nobody knows whether \"%.*s\" is hours and minutes or minutes and seconds: write "
                      "it as in 00:12:30.125",
                      line + 1, shown(cell), cell.text);
    else
        complaint_set(complaint,
                      "line %zu: \"%.*s\" is neither a number nor a time: values stand apart by commas, semicolons, "
                      "tabs or blanks, and a time of the day is as in 12:00:00.125 or 2024-05-17 12:00:00.125; "
                      "--columns leaves out what is no number",
                      line + 1, shown(cell), cell.text);
    return -EBADMSG;
}

/* Old oscilloscopes of Tektronix write their settings into the first three columns, and a row beside each. */
static bool has_settings_beside_rows(struct text_piece line)
{
    static const char first[] = "Record Length,";
    return line.length > sizeof first && memcmp(line.text, first, sizeof first - 1) == 0 &&
           cells_split(',', line, NULL, 0) >= 5;
}

static int refuse_settings(const struct recording_manner *manner, struct complaint *complaint)
{
    const struct ways_out *ways = sniff_ways_out(manner);
    complaint_set(complaint,
                  "has the settings of an oscilloscope in its first three columns, and time and samples beside them: "
                  "say so with %s 4,5 and %s s",
                  ways->columns, ways->time_unit);
    return -EBADMSG;
}

int sniff_refuse_all(const struct sample *sample, const struct recording_manner *manner, struct text_piece missing,
                     struct complaint *complaint)
{
    size_t line;
    if (manner->columns)
        return refuse_columns(manner, missing, complaint);
    if (manner->delimiter || manner->decimal)
        return refuse_form(manner, complaint);
    if (sample->count > 0 && has_settings_beside_rows(sample->lines[0]))
        return refuse_settings(manner, complaint);
    if (find_ambiguous_date(sample, &line))
        return refuse_date(sample, line, complaint);
    if (find_names_beside_values(sample, &line))
        return refuse_words_between(sample, line, complaint);
    if (find_both_marks(sample, &line))
        return refuse_both_marks(sample, line, complaint);
    struct text_piece cell;
    return find_strange_row(sample, &line, &cell) ? refuse_row(line, cell, complaint) : 0;
}
