/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The columns of a file of numbers, row by row, under the same rules as rows of text. */

#include "proto/recording_numbers.h"

#include "proto/decimal.h"
#include "proto/dialect/number_choice.h"
#include "proto/recording_holes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const struct recording_lines *lines, int error, struct complaint *complaint,
                    const struct complaint *cause)
{
    return recording_lines_complain(lines, 0, error, complaint, "%s", cause->text);
}

/* A label with a comma is quoted, as in text. NULL when memory is short; the caller frees it. */
static char *header_of(const struct recording_numbers *numbers)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    for (size_t k = 0; stream && k < numbers->count; k++) {
        const char *label = numbers->file->columns[numbers->columns[k]].label;
        fprintf(stream, strchr(label, ',') ? "%s\"%s\"" : "%s%s", k > 0 ? "," : "", label);
    }
    if (stream && fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

/* Zero of them that are known say nothing. */
static void take_facts(const struct recording_numbers *numbers, const struct recording_header *header,
                       struct recording_declaration *declaration)
{
    declaration->channel_count = header->channel_count;
    for (size_t c = 0; c < header->channel_count; c++) {
        struct recording_channel_facts *facts = &declaration->channels[c];
        memcpy(facts->name, header->columns[c].name, sizeof facts->name);
        memcpy(facts->unit, header->columns[c].unit, sizeof facts->unit);
        facts->resolution = numbers->file->columns[numbers->columns[c + header->leads]].resolution;
    }
}

int recording_numbers_begin(struct recording_numbers *numbers, const struct recording_lines *lines,
                            const struct recording_manner *manner, struct recording_header *header,
                            struct recording_declaration *declaration, struct complaint *complaint)
{
    struct recording_timing timing = manner->timing;
    struct complaint cause;
    recording_numbers_restart(numbers);
    numbers->file = lines->numbers;
    int error = number_file_choose(numbers->file, manner, numbers->columns, &numbers->count, &cause);
    if (error)
        return complain(lines, error, complaint, &cause);
    if (!(timing.rate_hz > 0) && !(timing.unit_s > 0) && !timing.mean_rate)
        timing.rate_hz = numbers->file->rate_hz;
    numbers->rows = numbers->file->columns[numbers->columns[0]].rows;
    char *text = header_of(numbers);
    if (!text)
        return recording_lines_complain(lines, 0, -ENOMEM, complaint, "memory is short");
    error = recording_read_header(lines, text, strlen(text), &timing, false, header, complaint);
    free(text);
    if (!error && header->channel_count + header->leads != numbers->count)
        error = recording_lines_complain(lines, 0, -EBADMSG, complaint,
                                         "the names of its columns cannot be told apart; give them plain names");
    if (!error)
        take_facts(numbers, header, declaration);
    return error;
}

int recording_numbers_first_time(const struct recording_numbers *numbers, const struct recording_lines *lines,
                                 const struct recording_header *header, char text[FIRST_TIME_BYTES],
                                 struct complaint *complaint)
{
    struct number_file *file = numbers->file;
    const size_t column = numbers->columns[0];
    struct complaint cause;
    int64_t first;
    double value, *values = &value;
    *text = '\0';
    if (!header->leads)
        return 0;
    const int error = file->columns[column].counts ? file->methods->first(file, column, &first, &cause)
                                                   : number_file_read(file, 0, 1, &column, 1, &values, &cause);
    if (error)
        return complain(lines, error, complaint, &cause);
    if (file->columns[column].counts)
        snprintf(text, FIRST_TIME_BYTES, "%lld", (long long)first);
    else
        decimal_write(text, FIRST_TIME_BYTES, value);
    return 0;
}

void recording_numbers_count_from(struct recording_numbers *numbers, const struct recording_epoch *epoch)
{
    struct number_column *column = &numbers->file->columns[numbers->columns[0]];
    if (epoch->far && column->counts)
        column->taken_off = (int64_t)(epoch->first.negative ? 0 - epoch->first.digits : epoch->first.digits);
    else if (epoch->far)
        numbers->zero = epoch->first.value;
}

void recording_numbers_restart(struct recording_numbers *numbers)
{
    numbers->done = 0;
    numbers->last_s = numbers->last_written = -INFINITY;
}

double recording_numbers_stamp_unit(const struct recording_numbers *numbers)
{
    return numbers->file->columns[numbers->columns[0]].precision * fabs(numbers->last_s);
}

/* --- rows --- */

/* What a rate stands for may stand still; a time may not, unless its mean is what counts. In seconds, where two tiny
 * times may become one. */
static bool settle_time(struct recording_numbers *numbers, const struct recording_header *header, size_t row,
                        double *time_s)
{
    const double written = header->leads ? time_s[row] - numbers->zero : 0, scaled_s = written * header->unit_s;
    const bool counted = header->rate_hz > 0;
    const bool follows = counted             ? written >= numbers->last_written
                         : header->mean_rate ? scaled_s >= numbers->last_s
                                             : scaled_s > numbers->last_s;
    if (!follows || !(fabs(written) <= RECORDING_LARGEST_VALUE))
        return false;
    time_s[row] = counted ? (double)(numbers->done + row) / header->rate_hz : scaled_s;
    numbers->last_written = written;
    numbers->last_s = time_s[row];
    return true;
}

static const char *wrong_value(double value)
{
    return isnan(value) ? "is not a number (NaN)" : isinf(value) ? "is infinite" : "is too large";
}

/* Of row `row` of what was read last; `channel` channel_count: its time. */
static int explain(const struct recording_numbers *numbers, const struct recording_lines *lines,
                   const struct recording_header *header, size_t row, size_t channel, double value,
                   struct complaint *complaint)
{
    const size_t number = numbers->done + row + 1;
    if (channel < header->channel_count)
        return recording_lines_complain(lines, 0, -EBADMSG, complaint,
                                        "row %zu: the value of %s %s; leave such rows out", number,
                                        header->columns[channel].name, wrong_value(value));
    if (!(fabs(value) <= RECORDING_LARGEST_VALUE))
        return recording_lines_complain(lines, 0, -EBADMSG, complaint, "row %zu: the time %s; leave such rows out",
                                        number, wrong_value(value));
    const struct complaint why = recording_explain_order(header, !(value < numbers->last_written));
    return recording_lines_complain(lines, 0, -EBADMSG, complaint, "row %zu: %s", number, why.text);
}

/* Where the first row stands that is bad; `rows`: none is. */
static size_t first_bad(struct recording_numbers *numbers, const struct recording_header *header, size_t rows,
                        double *time_s, double *const *displacement, bool holes, size_t *channel)
{
    size_t bad = rows;
    for (size_t c = 0; c < header->channel_count; c++)
        for (size_t row = 0; row < bad; row++)
            if (!(fabs(displacement[c][row]) <= RECORDING_LARGEST_VALUE) && !(holes && isnan(displacement[c][row]))) {
                bad = row;
                *channel = c;
            }
    for (size_t row = 0; row < bad; row++)
        if (!settle_time(numbers, header, row, time_s)) {
            *channel = header->channel_count;
            return row;
        }
    return bad;
}

/* Of a channel; done: rows before these. */
static void read_holes(double *values, size_t count, size_t done, size_t *hole)
{
    for (size_t row = 0; row < count; row++) {
        recording_hole_note(values[row], done + row + 1, hole);
        if (!isfinite(values[row]))
            values[row] = (double)NAN;
    }
}

/* The good rows before a bad one come first, and the bad one at the next call. */
long recording_numbers_read(struct recording_numbers *numbers, const struct recording_lines *lines,
                            const struct recording_header *header, size_t rows, double *time_s,
                            double *const *displacement, size_t *hole, struct complaint *complaint)
{
    const size_t left = numbers->rows - numbers->done, count = rows < left ? rows : left;
    double *values[RECORDING_MAX_CHANNELS + 1] = {time_s};
    struct complaint cause;
    size_t channel = 0;
    if (count == 0)
        return 0;
    memcpy(values + header->leads, displacement, header->channel_count * sizeof *values);
    const int error =
        number_file_read(numbers->file, numbers->done, count, numbers->columns, numbers->count, values, &cause);
    if (error)
        return complain(lines, error, complaint, &cause);
    for (size_t c = 0; hole && c < header->channel_count; c++)
        read_holes(displacement[c], count, numbers->done, &hole[c]);
    const size_t good = first_bad(numbers, header, count, time_s, displacement, hole != NULL, &channel);
    if (good == 0)
        return explain(numbers, lines, header, 0, channel,
                       channel < header->channel_count ? displacement[channel][0] : time_s[0], complaint);
    numbers->done += good;
    return (long)good;
}
