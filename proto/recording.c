/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Recordings row by row. One loop reads good rows fast and only finds out that a row is bad; why it is bad is worked
 * out afterwards, slowly and in words. */

#include "proto/recording.h"

#include "proto/recording_calibration.h"
#include "proto/recording_refusal.h"
#include "proto/recording_state.h"
#include "proto/recording_units.h"
#include "proto/time_unit.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t recording_channel_count(const struct recording_reader *reader)
{
    return reader->header.channel_count;
}

const struct recording_column *recording_columns(const struct recording_reader *reader)
{
    return reader->header.columns;
}

const struct recording_declaration *recording_declared(const struct recording_reader *reader)
{
    return &reader->marks.declaration;
}

struct recording_channel_facts recording_facts(const struct recording_declaration *declaration, const char *channel)
{
    for (size_t c = 0; c < declaration->channel_count; c++)
        if (strcmp(declaration->channels[c].name, channel) == 0)
            return declaration->channels[c];
    return (struct recording_channel_facts){.resolution = 0};
}

size_t recording_hole_of(const struct recording_reader *reader, size_t channel)
{
    return reader->hole[channel];
}

bool recording_is_in_rows(const struct recording_reader *reader)
{
    return reader->numbers.file;
}

const struct recording_run *recording_run(const struct recording_reader *reader, uint64_t *end)
{
    *end = reader->run_end;
    return &reader->run;
}

int recording_complain_of_header(const struct recording_reader *reader, struct complaint *complaint,
                                 const char *sentence)
{
    return recording_lines_complain(&reader->lines, reader->header.line, -EBADMSG, complaint, "%s", sentence);
}

double recording_stamp_unit(const struct recording_reader *reader)
{
    if (reader->numbers.file)
        return reader->header.rate_hz > 0 ? 0 : recording_numbers_stamp_unit(&reader->numbers);
    const bool written = reader->time_place != INT_MAX && !(reader->header.rate_hz > 0);
    return written ? pow(10, reader->time_place) * reader->header.unit_s : 0;
}

/* --- opening --- */

/* The next line that is neither empty nor a comment; marks on the way are taken in. As recording_lines_next(). */
static int next_content(struct recording_reader *reader, const char **line, size_t *length, struct complaint *complaint)
{
    for (;;) {
        int got = recording_lines_next(&reader->lines, line, length, complaint);
        if (got <= 0)
            return got;
        if (recording_is_mark(*line, *length)) {
            int error =
                recording_marks_read(&reader->marks, &reader->lines, *line, *length, &reader->header, complaint);
            if (error)
                return error;
            continue;
        }
        const char *first = recording_skip_blanks(*line);
        if (first < *line + *length && *first != '#' && *first != '%')
            return got;
    }
}

/* Whether a time is one since 1970, as computers count it: from 2001 to 2066. Programs that count from 1904, as LabVIEW
 * does, have been at larger numbers since 2001; nothing else that begins with a recording lasted as long. */
static bool is_since_1970(double time_s)
{
    return time_s >= 978307200.0 && time_s < 3061152000.0;
}

/* Where stamps count from an epoch that the file says nothing of, the first one becomes 0 s. */
static void note_epoch(struct recording_reader *reader)
{
    const struct dialect *dialect = &reader->lines.dialect;
    struct decimal first;
    char text[FIRST_TIME_BYTES + 1];
    snprintf(text, sizeof text, "%s\n", dialect->first_time);
    if (reader->header.rate_hz > 0 || dialect->zero_at_ns != INT64_MIN ||
        decimal_read(text, reader->c_locale, &first) != DECIMAL_OK)
        return;
    reader->epoch = recording_epoch_of(&first, reader->header.unit_s);
    reader->since_1970 = is_since_1970(first.value * reader->header.unit_s);
}

/* Where a rate was said, nobody knows when the rows begin. */
static void note_date(struct recording_reader *reader)
{
    const struct dialect *dialect = &reader->lines.dialect;
    const bool counts = reader->header.rate_hz == dialect->rate_hz;
    if (reader->marks.declaration.given || !counts)
        return;
    note_epoch(reader);
    if (dialect->zero_at_ns == INT64_MIN && !reader->since_1970)
        return;
    reader->marks.declaration.dated = true;
    reader->marks.declaration.zero_at_ns =
        reader->since_1970 ? recording_epoch_ns(&reader->epoch) : dialect->zero_at_ns;
}

/* The first line with content decides: a header, or already the first row, which is then read again as one. */
static int open_header(struct recording_reader *reader, const struct recording_timing *said,
                       struct complaint *complaint)
{
    struct recording_timing both = *said;
    const struct recording_timing *timing = &both;
    if (!(said->rate_hz > 0) && !(said->unit_s > 0) && !said->mean_rate)
        both.rate_hz = reader->lines.dialect.rate_hz;
    if (reader->lines.dialect.seconds && !(both.unit_s > 0))
        both.unit_s = 1;
    const char *line;
    size_t length;
    int got = next_content(reader, &line, &length, complaint);
    if (got < 0)
        return got;
    if (got == 0)
        return recording_lines_complain(&reader->lines, 0, -EBADMSG, complaint,
                                        "is empty; a recording has a header (time_s,lvdt_mm) and at least two rows");
    int error = reader->marks.declaration.given ? recording_check_timing(&reader->lines, timing, complaint) : 0;
    if (error)
        return error;
    if (recording_is_header(line, length)) {
        int wrong = recording_read_header(&reader->lines, line, length, timing, reader->marks.declaration.given,
                                          &reader->header, complaint);
        recording_marks_name_columns(&reader->marks, &reader->header);
        note_date(reader);
        return wrong;
    }
    error = recording_assume_header(&reader->lines, line, length, timing, &reader->header, complaint);
    recording_lines_unread(&reader->lines);
    note_date(reader);
    return error;
}

/* Columns of a file of numbers, which have no lines. */
static int open_numbers(struct recording_reader *reader, const struct recording_manner *manner,
                        struct complaint *complaint)
{
    int error = recording_numbers_begin(&reader->numbers, &reader->lines, manner, &reader->header,
                                        &reader->marks.declaration, complaint);
    if (!error)
        error = recording_numbers_first_time(&reader->numbers, &reader->lines, &reader->header,
                                             reader->lines.dialect.first_time, complaint);
    if (error)
        return error;
    note_date(reader);
    recording_numbers_count_from(&reader->numbers, &reader->epoch);
    return 0;
}

/* What is remembered from row to row; also after a rewind. */
static void begin_rows(struct recording_reader *reader)
{
    reader->rows = 0;
    reader->last = (struct recording_stamp){.written = -INFINITY, .time_s = -INFINITY};
    reader->time_place = INT_MAX;
    reader->rounded = reader->numbers.zero != 0;
    reader->error = 0;
    recording_thousands_begin(&reader->thousands, reader->points_told ? 0 : reader->header.channel_count);
    recording_marks_restart(&reader->marks);
    recording_numbers_restart(&reader->numbers);
}

/* Only what is worth a word: a file that is written as recordings are needs none. */
static void say_how(struct recording_reader *reader)
{
    const struct recording_header *header = &reader->header;
    const struct number_file *numbers = reader->numbers.file;
    const char *said = numbers ? numbers->said : reader->lines.dialect.said, *comma = *said ? ", " : "";
    const char *unit = time_unit_name_of(header->unit_s), *assumed = header->assumed ? " (assumed)" : "";
    const char *mean = header->mean_rate ? ", rows even at the mean rate of their times" : "";
    const char *since = reader->since_1970  ? " since 1970, from the first row"
                        : reader->epoch.far ? " from the first row"
                                            : "";
    if (header->rate_hz > 0)
        snprintf(reader->read_as, sizeof reader->read_as, "%s%s%.9g rows a second", said, comma, header->rate_hz);
    else if (*said || *mean || *assumed || *since || header->unit_s != 1 || header->respelled ||
             recording_is_calibrated(header, reader->calibrations))
        snprintf(reader->read_as, sizeof reader->read_as, "%s%stime in %s%s%s%s", said, comma, unit, assumed, since,
                 mean);
    recording_units_say(header, reader->read_as, sizeof reader->read_as);
    recording_calibrations_say(header, reader->calibrations, reader->read_as, sizeof reader->read_as);
}

bool recording_is_even(const struct recording_reader *reader)
{
    return reader->header.mean_rate;
}

const char *recording_read_as(const struct recording_reader *reader)
{
    return reader->read_as;
}

int recording_open(const char *path, const struct recording_manner *manner, struct recording_reader **reader,
                   struct complaint *complaint)
{
    static const struct recording_manner of_the_file;
    struct recording_reader *opened = calloc(1, sizeof *opened);
    *reader = NULL;
    if (!opened) {
        complaint_set(complaint, "memory is short");
        return -ENOMEM;
    }
    int error = recording_lines_open(&opened->lines, path, manner ? manner : &of_the_file, complaint);
    opened->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!error && opened->c_locale == (locale_t)0)
        error = recording_lines_complain(&opened->lines, 0, -ENOMEM, complaint, "memory is short");
    if (!error && opened->lines.numbers)
        error = open_numbers(opened, manner ? manner : &of_the_file, complaint);
    else if (!error)
        error = open_header(opened, &(manner ? manner : &of_the_file)->timing, complaint);
    if (!error)
        error = recording_calibrations_take(&opened->lines, manner ? manner : &of_the_file, &opened->header,
                                            &opened->marks.declaration, opened->calibrations, complaint);
    if (!error)
        error = recording_units_settle(&opened->lines, &opened->header, &opened->marks.declaration,
                                       opened->calibrations, complaint);
    if (error) {
        recording_close(opened);
        return error;
    }
    opened->holes = manner && manner->holes;
    opened->first_row = recording_lines_place(&opened->lines);
    opened->first_row_line = opened->lines.number + 1;
    opened->points_told = (manner && manner->decimal) || opened->header.ours || opened->lines.dialect.points_sure;
    say_how(opened);
    begin_rows(opened);
    *reader = opened;
    return 0;
}

int recording_rewind(struct recording_reader *reader, struct complaint *complaint)
{
    begin_rows(reader);
    if (reader->numbers.file)
        return 0;
    return recording_lines_return(&reader->lines, reader->first_row, reader->first_row_line, complaint);
}

void recording_close(struct recording_reader *reader)
{
    if (!reader)
        return;
    if (reader->c_locale)
        freelocale(reader->c_locale);
    recording_lines_close(&reader->lines);
    free(reader);
}

/* --- rows --- */

/* The hot loop: it only finds out whether a row is good, for nearly all are. Blanks around values are allowed,
 * anything else is not; which of the checks failed is not told here. */
static bool read_row(struct recording_reader *reader, const char *line, const char *end, size_t row, double *time_s,
                     double *const *displacement, struct recording_stamp *stamp)
{
    const char *at = recording_read_time(reader, line, stamp);
    bool follows = reader->header.leads;
    if (!at)
        return false;
    time_s[row] = stamp->time_s;
    for (size_t c = 0; c < reader->header.channel_count; c++) {
        struct decimal decimal;
        if (follows && *at++ != ',')
            return false;
        at = recording_read_value(reader, at, &decimal);
        if (!at)
            return false;
        displacement[c][row] = decimal.value;
        if (reader->thousands.possible > 0 && isfinite(decimal.value))
            recording_thousands_note(&reader->thousands, c, &decimal);
        follows = true;
    }
    return at == end;
}

/* A row with holes is refused at first, as few have any. */
static bool read_row_with_holes(struct recording_reader *reader, const char *line, const char *end, size_t row,
                                double *time_s, double *const *displacement, struct recording_stamp *stamp)
{
    if (!reader->holes)
        return false;
    reader->in_hole = true;
    const bool good = read_row(reader, line, end, row, time_s, displacement, stamp);
    reader->in_hole = false;
    for (size_t c = 0; c < reader->header.channel_count && good; c++)
        recording_hole_note(displacement[c][row], reader->lines.number, &reader->hole[c]);
    return good;
}

/* A good row is kept, unless it begins a run while others stand before it: then it is left for the next call. */
static bool keep_row(struct recording_reader *reader, size_t row, const struct recording_stamp *stamp,
                     uint8_t *const *flags)
{
    if (row > 0 && recording_marks_place(&reader->marks, stamp->time_s) == RECORDING_BEGINS) {
        recording_lines_unread(&reader->lines);
        return false;
    }
    recording_marks_take(&reader->marks, stamp->time_s, reader->header.channel_count, flags, row);
    /* The marks before the next run are read before it is known that these rows were the last of theirs. */
    if (row == 0)
        reader->run = reader->marks.run;
    reader->run_end = reader->marks.rows;
    /* Programs drop trailing zeros: the finest stamp shows how finely all of them were written. */
    if (reader->rows == 0)
        reader->first_s = stamp->time_s;
    reader->rows++;
    reader->last = *stamp;
    reader->rounded = reader->rounded || !stamp->exact;
    if (stamp->place < reader->time_place)
        reader->time_place = stamp->place;
    return true;
}

/* All rows of a file of numbers are of one run, without flags. */
static long read_numbers(struct recording_reader *reader, size_t rows, double *time_s, double *const *displacement,
                         uint8_t *const *flags, struct complaint *complaint)
{
    const long got = recording_numbers_read(&reader->numbers, &reader->lines, &reader->header, rows, time_s,
                                            displacement, reader->holes ? reader->hole : NULL, complaint);
    if (got <= 0)
        return got;
    if (reader->rows == 0)
        reader->first_s = time_s[0];
    for (size_t c = 0; flags && c < reader->header.channel_count; c++)
        memset(flags[c], 0, (size_t)got);
    reader->rows += (uint64_t)got;
    reader->run_end = reader->rows;
    reader->last.time_s = time_s[got - 1];
    return got;
}

static long read_lines(struct recording_reader *reader, size_t rows, double *time_s, double *const *displacement,
                       uint8_t *const *flags, struct complaint *complaint)
{
    size_t row = 0;
    while (row < rows && !reader->error) {
        const char *line;
        size_t length;
        struct recording_stamp stamp;
        int got = next_content(reader, &line, &length, &reader->complaint);
        if (got == 0)
            break;
        if (got < 0)
            reader->error = got;
        else if ((!read_row(reader, line, line + length, row, time_s, displacement, &stamp) &&
                  !read_row_with_holes(reader, line, line + length, row, time_s, displacement, &stamp)) ||
                 recording_marks_place(&reader->marks, stamp.time_s) == RECORDING_MISPLACED)
            reader->error = recording_refuse_row(reader, line, length, &reader->complaint);
        else if (keep_row(reader, row, &stamp, flags))
            row++;
        else
            break;
    }
    /* The error stays for the next call, and for every one after it. */
    if (row > 0 || !reader->error)
        return (long)row;
    *complaint = reader->complaint;
    return reader->error;
}

long recording_read(struct recording_reader *reader, size_t rows, double *time_s, double *const *displacement,
                    uint8_t *const *flags, struct complaint *complaint)
{
    const long got = reader->numbers.file ? read_numbers(reader, rows, time_s, displacement, flags, complaint)
                                          : read_lines(reader, rows, time_s, displacement, flags, complaint);
    if (got <= 0)
        return got;
    const int error = recording_calibrations_apply(&reader->lines, &reader->header, reader->calibrations, time_s,
                                                   displacement, (size_t)got, complaint);
    return error ? error : got;
}
