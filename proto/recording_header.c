/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names and units of a recording's columns, from its header or, without one, by assumption. */

#include "config.h"

#include "proto/recording_header.h"

#include "proto/column_label.h"
#include "proto/dialect/cells.h"
#include "proto/label_doubt.h"
#include "proto/measured_unit.h"
#include "proto/time_unit.h"
#include "proto/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* How much of a name a complaint shows: the way out must still fit behind it. */
enum { SHOWN_BYTES = 40 };

/* A row begins with a number; "nan" is meant as one, and better refused as a bad row than taken for a name. An index
 * without a name stands before others. */
bool recording_is_header(const char *line, size_t length)
{
    struct text_piece rest = {line, length}, first;
    cell_next(',', &rest, &first);
    if (first.length == 0)
        cell_next(',', &rest, &first);
    if (first.length == 0 || strchr("+-.0123456789", first.text[0]))
        return false;
    return !(first.length == 3 && (strncasecmp(first.text, "nan", 3) == 0 || strncasecmp(first.text, "inf", 3) == 0));
}

static int bad_header(const struct recording_lines *lines, struct complaint *complaint, const char *sentence)
{
    return recording_lines_complain(lines, lines->number, -EBADMSG, complaint, "%s", sentence);
}

static struct column_label label_of(const struct recording_header *header, struct text_piece field)
{
    return header->ours ? column_label_read_ours(field) : column_label_read(field);
}

/* What can be said of the time where the file does not. */
static const struct ways_out {
    const char *unit, *rate, *mean, *both, *columns;
} ways_out[] = {{"--time-unit UNIT", "--rate HZ", "--rate mean", "--time-unit and --rate", "--columns"},
                {"the key time_unit", "the key sample_rate_hz", "the key mean_rate",
                 "the keys time_unit and sample_rate_hz", "the key columns"}};

/* The column that is the time, where it is not the first; empty: there is none. */
struct time_hint {
    char text[160];
};

static struct time_hint hint_at_time(const struct recording_header *header, struct text_piece others,
                                     const struct ways_out *ways)
{
    struct time_hint hint = {""};
    struct text_piece field;
    for (size_t number = 2; cell_next(',', &others, &field); number++) {
        const struct column_label label = label_of(header, field);
        if (column_label_time(&label).kind != LABEL_OF_TIME)
            continue;
        snprintf(hint.text, sizeof hint.text, "; column %zu, \"%.*s\", is a time: %s says which, the time first",
                 number, (int)(field.length < SHOWN_BYTES ? field.length : SHOWN_BYTES), field.text, ways->columns);
        break;
    }
    return hint;
}

/* What a column that is not taken for the time is. */
static const char *lack_of(enum label_of_time kind)
{
    return kind == LABEL_OF_TIME_WITHOUT_UNIT      ? "is a time without a unit"
           : kind == LABEL_OF_TIME_IN_STRANGE_UNIT ? "is a time in a unit that is not known"
           : kind == LABEL_OF_TIME_IN_TWO_UNITS    ? "is a time in two units"
                                                   : "is not known to be a time";
}

/* What is said of ticks, which are as long as the program that counts them likes. */
static const char *hint_at_ticks(struct text_piece field, const struct ways_out *ways)
{
    const bool ticks = memmem(field.text, field.length, "tick", 4) || memmem(field.text, field.length, "Tick", 4);
    return !ticks                 ? ""
           : ways == &ways_out[0] ? "; ticks of .NET and Windows are 100 ns: --time-unit 100ns"
                                  : "; ticks of .NET and Windows are 100 ns: time_unit = \"100ns\"";
}

/* Milliseconds taken for seconds, or a count taken for a time, would give a wrong frequency, and no complaint later. */
static int check_time(const struct recording_lines *lines, struct text_piece field, struct text_piece others,
                      const struct recording_timing *timing, struct recording_header *header,
                      struct complaint *complaint)
{
    const struct column_label label = label_of(header, field);
    const struct ways_out *ways = &ways_out[timing->configured];
    const struct column_time time = column_label_time(&label);
    const char *doubt = header->ours ? NULL : label_doubt(field);
    snprintf(header->first, sizeof header->first, "%.*s", (int)label.name.length, label.name.text);
    header->unit_s = timing->unit_s > 0 ? timing->unit_s : time.unit_s > 0 ? time.unit_s : 1;
    header->assumed = !(timing->unit_s > 0) && !(timing->rate_hz > 0) && time.assumed && !header->ours;
    if (timing->rate_hz > 0)
        header->leads = field.length == 0 || time.kind != LABEL_OF_SOMETHING_ELSE || column_label_counts_rows(&label);
    if (timing->unit_s > 0 || timing->rate_hz > 0 ||
        (!doubt && (time.kind == LABEL_OF_TIME || time.kind == LABEL_OF_SECONDS_ALONE)))
        return 0;
    const struct time_hint hint = hint_at_time(header, others, ways);
    return recording_lines_complain(
        lines, lines->number, -EBADMSG, complaint,
        "the first column, \"%.*s\", %s: say its unit of time with %s, or, of rows that come evenly, how many a second "
        "with %s%s%s",
        (int)(field.length < SHOWN_BYTES ? field.length : SHOWN_BYTES), field.text, doubt ? doubt : lack_of(time.kind),
        ways->unit, ways->rate, hint_at_ticks(field, ways), hint.text);
}

struct complaint recording_explain_order(const struct recording_header *header, bool stands)
{
    struct complaint sentence;
    if (header->rate_hz > 0)
        complaint_set(&sentence,
                      "the first column goes back: it neither tells the time nor counts the rows; where it is "
                      "a channel, give the columns a header, such as displacement_mm,force_n");
    else if (header->mean_rate)
        complaint_set(&sentence, "the time goes back");
    else if (stands)
        complaint_set(&sentence,
                      "the time does not increase: each row must be later than the one before; where rows come evenly "
                      "and are stamped in batches, say so with %s",
                      ways_out[header->configured].mean);
    else
        complaint_set(&sentence,
                      "the time does not increase: each row must be later than the one before; where another recording "
                      "begins here, give each of them a file of its own, and where a counter begins anew, leave it out "
                      "and say how many rows come in a second");
    return sentence;
}

int recording_check_timing(const struct recording_lines *lines, const struct recording_timing *timing,
                           struct complaint *complaint)
{
    if (!timing->mean_rate && !(timing->rate_hz > 0) && !(timing->unit_s > 0 && timing->unit_s != 1))
        return 0;
    return recording_lines_complain(lines, 0, -EINVAL, complaint,
                                    "was written by fricidctl record, in seconds: leave %s out",
                                    ways_out[timing->configured].both);
}

/* Results are filed under the channel's name, so lvdt_mm beside lvdt_V would make two of them one. */
static int check_name(const struct recording_lines *lines, const struct recording_header *header,
                      struct text_piece name, struct complaint *complaint)
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

/* That of a channel: "mm" is its own, but a letter may be anything. */
static struct text_piece unit_of(const struct column_label *label, bool ours)
{
    if (label->unit.length > 0)
        return label->unit;
    const bool alone = !ours && label->name.length > 1 && measured_unit_is_known(label->name);
    return alone ? label->name : (struct text_piece){"1", 1};
}

/* Columns count from 1 in complaints, the time included: that is how a spreadsheet shows them. */
static int add_column(const struct recording_lines *lines, struct text_piece field, struct recording_header *header,
                      struct complaint *complaint)
{
    const size_t number = header->channel_count + header->leads + 1;
    if (header->channel_count == RECORDING_MAX_CHANNELS)
        return recording_lines_complain(lines, lines->number, -EBADMSG, complaint, "more than %d channels",
                                        RECORDING_MAX_CHANNELS);
    if (field.length == 0)
        return recording_lines_complain(lines, lines->number, -EBADMSG, complaint,
                                        "column %zu has no name; write the header as in time_s,lvdt_mm", number);
    struct recording_column *column = &header->columns[header->channel_count];
    const struct column_label label = label_of(header, field);
    const struct text_piece name = label.name, unit = unit_of(&label, header->ours);
    if (name.length >= sizeof column->name || unit.length >= sizeof column->unit)
        return recording_lines_complain(lines, lines->number, -EBADMSG, complaint,
                                        "the name of column %zu is too long: at most %zu bytes and %zu for the unit",
                                        number, sizeof column->name - 1, sizeof column->unit - 1);
    int error = check_name(lines, header, name, complaint);
    if (error)
        return error;
    memcpy(column->name, name.text, name.length);
    memcpy(column->unit, unit.text, unit.length);
    header->doubt[header->channel_count] = label_doubt(field);
    header->channel_count++;
    return 0;
}

/* Whether the last word of a name is a unit of what is measured, as m of velocity_m. */
static bool ends_in_length(struct text_piece name)
{
    size_t first = name.length;
    while (first > 0 && name.text[first - 1] != '_')
        first--;
    return first > 0 && measured_unit_is_known((struct text_piece){name.text + first, name.length - first});
}

/* Columns of several recordings side by side: those behind a second time do not go with the first. */
static int check_second_time(const struct recording_lines *lines, const struct recording_header *header,
                             struct text_piece others, struct complaint *complaint)
{
    struct text_piece field, second = {NULL, 0};
    size_t number = 2, of_second = 0;
    for (; cell_next(',', &others, &field); number++) {
        const struct column_label label = label_of(header, field);
        const struct column_time time = column_label_time(&label);
        /* A velocity in m/s is written velocity_m_s, and is none. */
        const bool is_time = time.kind == LABEL_OF_TIME && !time.assumed && !ends_in_length(label.name);
        if (!is_time && of_second > 2)
            return recording_lines_complain(
                lines, lines->number, -EBADMSG, complaint,
                "column %zu, \"%.*s\", is a second time, with channels before and behind it: %s says which time and "
                "which channels go together, the time first, as in 1,2",
                of_second, (int)(second.length < SHOWN_BYTES ? second.length : SHOWN_BYTES), second.text,
                ways_out[header->configured].columns);
        if (is_time && of_second == 0) {
            of_second = number;
            second = field;
        }
    }
    return 0;
}

/* What a terminal would obey; zeros are no text at all. */
static const char *find_control(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)line[i];
        if (c != '\0' && c != '\t' && (c < ' ' || c == 0x7f))
            return line + i;
    }
    return NULL;
}

int recording_read_header(const struct recording_lines *lines, const char *line, size_t length,
                          const struct recording_timing *timing, bool ours, struct recording_header *header,
                          struct complaint *complaint)
{
    *header = (struct recording_header){.line = lines->number,
                                        .ours = ours,
                                        .leads = true,
                                        .rate_hz = timing->rate_hz,
                                        .mean_rate = timing->mean_rate,
                                        .configured = timing->configured};
    const char *control = find_control(line, length);
    if (control && control > line && is_utf8(line, length))
        return recording_lines_complain(lines, lines->number, -EBADMSG, complaint,
                                        "the names of the columns have a control character (byte %u) in them: take it "
                                        "out",
                                        (unsigned char)*control);
    if (!recording_is_clean_text(line, length))
        return bad_header(lines, complaint, "this is not a CSV recording in UTF-8 text (time_s,lvdt_mm,...)");
    struct text_piece rest = {line, length}, field;
    cell_next(',', &rest, &field);
    int error = check_time(lines, field, rest, timing, header, complaint);
    if (!error && !ours && !(header->rate_hz > 0))
        error = check_second_time(lines, header, rest, complaint);
    if (!error && !header->leads)
        error = add_column(lines, field, header, complaint);
    while (!error && cell_next(',', &rest, &field))
        error = add_column(lines, field, header, complaint);
    if (!error && header->channel_count == 0)
        error = bad_header(lines, complaint, "a recording needs the time and at least one channel (time_s,lvdt_mm)");
    return error;
}

/* Two columns can only be time and displacement; of more, nobody knows which is which. */
int recording_assume_header(const struct recording_lines *lines, const char *line, size_t length,
                            const struct recording_timing *timing, struct recording_header *header,
                            struct complaint *complaint)
{
    *header = (struct recording_header){.channel_count = 1,
                                        .columns = {{.name = "displacement", .unit = "1"}},
                                        .unit_s = timing->unit_s > 0 ? timing->unit_s : 1,
                                        .rate_hz = timing->rate_hz,
                                        .mean_rate = timing->mean_rate,
                                        .configured = timing->configured};
    const struct ways_out *ways = &ways_out[timing->configured];
    size_t columns = 1;
    for (size_t i = 0; i < length; i++)
        columns += line[i] == ',';
    header->leads = columns > 1 || !(timing->rate_hz > 0);
    if (columns > 2)
        return recording_lines_complain(lines, lines->number, -EBADMSG, complaint,
                                        "%zu columns but no header; begin the file with one such as time_s,lvdt_mm, "
                                        "or of a friction loop time_s,displacement_mm,force_n",
                                        columns);
    if (timing->unit_s > 0 || timing->rate_hz > 0 || columns < 2)
        return 0;
    return recording_lines_complain(lines, lines->number, -EBADMSG, complaint,
                                    "no header tells whether the first column is a time, and in which unit: say it "
                                    "with %s, or, of rows that come evenly, how many a second with %s",
                                    ways->unit, ways->rate);
}
