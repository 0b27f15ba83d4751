/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marks of a recording: JSON in comment lines, and what follows from them for the rows. */

#include "proto/recording_marks.h"

#include "proto/dialect/day_time.h"
#include "proto/quote.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

static const char opening[] = "#fricid {";

/* A stamp may be this far from the declared clock, in periods. */
static const double tolerated_share = 1e-3;
/* Beyond this a double no longer holds every integer. */
static const double largest_index = 9007199254740992.0;

bool recording_is_mark(const char *line, size_t length)
{
    return length >= sizeof opening - 1 && memcmp(line, opening, sizeof opening - 1) == 0;
}

void recording_marks_restart(struct recording_marks *marks)
{
    const struct recording_declaration *declared = &marks->declaration;
    memset(marks->clipped, 0, sizeof marks->clipped);
    marks->run = (struct recording_run){.origin_s = declared->origin_s, .period_s = declared->period_s};
    marks->begins = true;
    marks->placed = !declared->uniform; /* without a clock, rows are merely counted */
    marks->rows = 0;
}

void recording_marks_name_columns(const struct recording_marks *marks, struct recording_header *header)
{
    for (size_t c = 0; c < header->channel_count; c++) {
        struct recording_column *column = &header->columns[c];
        for (size_t i = 0; i < marks->declaration.channel_count; i++) {
            const struct recording_channel_facts *facts = &marks->declaration.channels[i];
            struct recording_column as_written;
            quote_column(as_written.name, sizeof as_written.name, facts->name);
            quote_column(as_written.unit, sizeof as_written.unit, facts->unit);
            if (strcmp(as_written.name, column->name) != 0 || strcmp(as_written.unit, column->unit) != 0)
                continue;
            memcpy(column->name, facts->name, sizeof column->name);
            memcpy(column->unit, facts->unit, sizeof column->unit);
            break;
        }
    }
}

/* --- reading --- */

static void copy_text(const json_t *object, const char *key, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(object, key));
    if (value && strlen(value) < size)
        strcpy(text, value); /* measured above */
}

static double number(const json_t *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* The clock of uniform sampling. False when what stands there is none. */
static bool read_clock(const json_t *object, double *origin_s, double *period_s)
{
    double origin = number(object, "origin_s", *origin_s), period = number(object, "period_s", *period_s);
    if (!isfinite(origin) || !(period > 0) || !isfinite(period))
        return false;
    *origin_s = origin;
    *period_s = period;
    return true;
}

static void read_channels(const json_t *list, struct recording_declaration *declaration)
{
    size_t i;
    json_t *channel;
    json_array_foreach (list, i, channel) {
        if (declaration->channel_count == RECORDING_MAX_CHANNELS)
            return;
        struct recording_channel_facts *facts = &declaration->channels[declaration->channel_count++];
        copy_text(channel, "name", facts->name, sizeof facts->name);
        copy_text(channel, "unit", facts->unit, sizeof facts->unit);
        facts->resolution = fmax(number(channel, "resolution", 0), 0);
        facts->delay_s = number(channel, "delay_s", 0);
    }
}

static void read_date(const json_t *text, struct recording_declaration *declaration)
{
    struct day_time found;
    if (!json_is_string(text) ||
        !day_time_read((struct text_piece){json_string_value(text), json_string_length(text)}, &found) || !found.zoned)
        return;
    declaration->zero_at_ns = day_time_moment_ns(&found);
    declaration->dated = declaration->zero_at_ns != INT64_MIN;
}

/* Says what is wrong; NULL: nothing. */
static const char *read_declaration(const json_t *object, struct recording_declaration *declaration)
{
    *declaration = (struct recording_declaration){.given = true};
    if (json_integer_value(json_object_get(object, "recording")) > RECORDING_VERSION)
        return "this recording was written by a newer fricidctl: read it with the fricidd that came with that";
    copy_text(object, "rig", declaration->rig, sizeof declaration->rig);
    copy_text(object, "device", declaration->device, sizeof declaration->device);
    declaration->tells_gaps = json_is_true(json_object_get(object, "tells_gaps"));
    declaration->clock_ppm = fmax(number(object, "clock_ppm", 0), 0);
    declaration->time_error_s = number(object, "time_error_s", NAN);
    read_date(json_object_get(object, "zero_at"), declaration);
    read_channels(json_object_get(object, "channels"), declaration);
    declaration->uniform = json_object_get(object, "period_s") != NULL;
    if (declaration->uniform && !read_clock(object, &declaration->origin_s, &declaration->period_s))
        return "the declared clock is none: origin_s and period_s must be numbers, the period above 0";
    return NULL;
}

static size_t find_column(const struct recording_header *header, const char *name)
{
    size_t c = 0;
    while (c < header->channel_count && strcmp(header->columns[c].name, name) != 0)
        c++;
    return c;
}

/* Of a column that somebody has taken out, nothing needs to be known. */
static void read_clipped(const json_t *object, const struct recording_header *header, struct recording_marks *marks)
{
    const char *name;
    json_t *count;
    json_object_foreach ((json_t *)object, name, count) {
        size_t column = find_column(header, name);
        if (column < header->channel_count && json_integer_value(count) > 0)
            marks->clipped[column] = (uint64_t)json_integer_value(count);
    }
}

/* A break of all channels, or of those that are named. */
static void read_gap(const json_t *object, const struct recording_header *header, struct recording_marks *marks)
{
    const json_t *names = json_object_get(object, "channels");
    json_int_t lost = json_integer_value(json_object_get(object, "gap"));
    size_t i;
    json_t *name;
    if (!json_is_array(names))
        marks->run.broken = UINT64_MAX;
    json_array_foreach (names, i, name) {
        size_t column = json_is_string(name) ? find_column(header, json_string_value(name)) : header->channel_count;
        if (column < header->channel_count)
            marks->run.broken |= UINT64_C(1) << column;
    }
    marks->run.lost += lost > 0 ? (uint64_t)lost : 0;
}

/* Several marks before one row add up; the first of them ends the run before. */
static void begin_run(struct recording_marks *marks)
{
    if (marks->begins)
        return;
    marks->run.first_index += marks->rows;
    marks->run.broken = marks->run.lost = 0;
    marks->rows = 0;
    marks->begins = true;
}

static const char *read_row_mark(const json_t *object, const struct recording_header *header,
                                 struct recording_marks *marks)
{
    const json_t *scan = json_object_get(object, "scan");
    if (scan && (!json_is_integer(scan) || json_integer_value(scan) < 0))
        return "the number of a scan is none";
    if (json_object_get(object, "period_s") && !marks->declaration.uniform)
        return "a clock begins in a recording that declares none at its head";
    /* Where no other clock begins, scans only go on. */
    if (scan && marks->placed && !json_object_get(object, "period_s") &&
        (uint64_t)json_integer_value(scan) < marks->run.first_index + marks->rows)
        return "the number of a scan goes back";
    if (json_object_get(object, "period_s") || scan || json_object_get(object, "gap"))
        begin_run(marks);
    if (json_object_get(object, "period_s") && !read_clock(object, &marks->run.origin_s, &marks->run.period_s))
        return "the clock is none: origin_s and period_s must be numbers, the period above 0";
    if (scan) {
        marks->run.first_index = (uint64_t)json_integer_value(scan);
        marks->placed = true;
    }
    if (json_object_get(object, "gap"))
        read_gap(object, header, marks);
    read_clipped(json_object_get(object, "clipped"), header, marks);
    return NULL;
}

int recording_marks_read(struct recording_marks *marks, const struct recording_lines *lines, const char *line,
                         size_t length, const struct recording_header *header, struct complaint *complaint)
{
    size_t skipped = sizeof opening - 2; /* the brace belongs to the object */
    json_t *object = json_loadb(line + skipped, length - skipped, JSON_REJECT_DUPLICATES, NULL);
    const char *wrong = NULL;
    if (!object)
        wrong = "what stands behind #fricid is no JSON object: was the line changed?";
    else if (json_object_get(object, "recording"))
        wrong = header->channel_count > 0 || marks->declaration.given ? "a recording declares itself once, at its head"
                                                                      : read_declaration(object, &marks->declaration);
    else if (header->channel_count == 0 || !marks->declaration.given)
        wrong = "a mark of rows stands before the header, or without a declaration at the head";
    else
        wrong = read_row_mark(object, header, marks);
    json_decref(object);
    return wrong ? recording_lines_complain(lines, lines->number, -EBADMSG, complaint, "%s", wrong) : 0;
}

/* --- rows --- */

static double resolution_of(double value)
{
    double magnitude = fabs(value);
    return nextafter(magnitude, INFINITY) - magnitude;
}

/* The sampling period as the reader counts it: when somebody has taken rows out, their stamps still tell which scans
 * the others are. */
static bool on_grid(const struct recording_run *run, double time_s, double index)
{
    double fitting = run->origin_s + index * run->period_s;
    double rounding = 4 * (resolution_of(time_s) + resolution_of(run->origin_s));
    return fabs(time_s - fitting) <= tolerated_share * run->period_s + rounding;
}

/* The scan whose time this is; -1: none. */
static double index_at(const struct recording_run *run, double time_s)
{
    double index = rint((time_s - run->origin_s) / run->period_s);
    return index >= 0 && index < largest_index && on_grid(run, time_s, index) ? index : -1;
}

enum recording_place recording_marks_place(const struct recording_marks *marks, double time_s)
{
    const struct recording_run *run = &marks->run;
    enum recording_place place = marks->begins ? RECORDING_BEGINS : RECORDING_CONTINUES;
    double expected = (double)(run->first_index + marks->rows);
    if (!marks->declaration.uniform || (marks->placed && on_grid(run, time_s, expected)))
        return place;
    double index = index_at(run, time_s);
    if (index < 0 || (marks->placed && index < expected))
        return RECORDING_MISPLACED;
    return RECORDING_BEGINS;
}

/* Begins a run at a row whose stamp jumps. */
static void jump(struct recording_marks *marks, double time_s)
{
    double expected = (double)(marks->run.first_index + marks->rows);
    if (marks->placed && on_grid(&marks->run, time_s, expected))
        return;
    begin_run(marks);
    marks->run.first_index = (uint64_t)index_at(&marks->run, time_s);
    marks->placed = true;
}

void recording_marks_take(struct recording_marks *marks, double time_s, size_t channels, uint8_t *const *flags,
                          size_t row)
{
    if (marks->declaration.uniform)
        jump(marks, time_s);
    marks->begins = false;
    marks->rows++;
    for (size_t c = 0; c < channels; c++) {
        bool clipped = marks->clipped[c] > 0;
        marks->clipped[c] -= clipped;
        if (flags)
            flags[c][row] = clipped ? RECORDING_CLIPPED : 0;
    }
}
