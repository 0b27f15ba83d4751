/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the daemon's ring to the rows of a file. Whatever was lost on the way stands in the file as a gap. */

#include <config.h>

#include "client/record_track.h"

#include "client/reply.h"
#include "proto/base64.h"
#include "proto/dialect/day_time.h"
#include "proto/recording_writer.h"
#include "proto/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* More than the daemon puts into one answer. */
enum { MOST_ROWS = 16384 };

/* What one answer brings, taken apart. */
struct track_piece {
    size_t count;
    struct recording_run run;
    bool begins;
    double time_s[MOST_ROWS];
    double *values[RECORDING_MAX_CHANNELS]; /* MOST_ROWS each; columns of the file */
    uint8_t *flags[RECORDING_MAX_CHANNELS]; /* likewise */
    bool flagged[RECORDING_MAX_CHANNELS];
    unsigned char bytes[8 * MOST_ROWS];
};

/* --- construction --- */

static struct track_piece *create_piece(size_t columns)
{
    struct track_piece *piece = calloc(1, sizeof *piece);
    bool complete = piece;
    for (size_t c = 0; complete && c < columns; c++) {
        piece->values[c] = calloc(MOST_ROWS, sizeof(double));
        piece->flags[c] = calloc(MOST_ROWS, 1);
        complete = piece->values[c] && piece->flags[c];
    }
    return piece;
}

static void destroy_piece(struct track_piece *piece)
{
    for (size_t c = 0; piece && c < RECORDING_MAX_CHANNELS; c++) {
        free(piece->values[c]);
        free(piece->flags[c]);
    }
    free(piece);
}

static void add_channel(struct record_track *track, size_t place, const json_t *channel)
{
    struct recording_column *column = &track->columns[track->count];
    struct recording_channel_facts *facts = &track->declaration.channels[track->count];
    utf8_copy(column->name, sizeof column->name, reply_text(channel, "name", "channel"));
    utf8_copy(column->unit, sizeof column->unit, reply_text(channel, "unit", "1"));
    memcpy(facts->name, column->name, sizeof facts->name);
    memcpy(facts->unit, column->unit, sizeof facts->unit);
    facts->resolution = reply_number(channel, "resolution");
    facts->delay_s = reply_number(channel, "delay_s");
    track->place[track->count++] = place;
    track->declaration.channel_count = track->count;
}

/* The time of day of the source's clock, which a daemon before 1.3 does not tell. */
static void read_date(const json_t *rig, struct recording_declaration *declaration)
{
    const char *text = reply_text(rig, "zero_at", "");
    struct day_time found;
    if (!day_time_read((struct text_piece){text, strlen(text)}, &found) || !found.zoned)
        return;
    declaration->zero_at_ns = day_time_moment_ns(&found);
    declaration->dated = declaration->zero_at_ns != INT64_MIN;
}

bool record_track_init(struct record_track *track, const json_t *rig, const json_t *ring, const char *channel)
{
    const json_t *channels = json_object_get(ring, "channels");
    const json_t *source = json_object_get(rig, "source");
    *track = (struct record_track){.ring = reply_integer(ring, "ring", 0),
                                   .ring_channels = json_array_size(channels),
                                   .stamped = reply_true(ring, "stamped"),
                                   .end_row = UINT64_MAX,
                                   .end_s = NAN,
                                   .first_s = NAN,
                                   .last_s = NAN,
                                   .flows = true,
                                   .declaration = {.given = true,
                                                   .tells_gaps = reply_true(rig, "tells_gaps"),
                                                   .clock_ppm = reply_number(rig, "clock_ppm")}};
    track->declaration.uniform = !track->stamped;
    read_date(rig, &track->declaration);
    /* Streams are what stamps are compared with. */
    double time_error_s = reply_number(rig, "time_error_s");
    track->declaration.time_error_s = track->stamped || isnan(time_error_s) ? time_error_s : 0;
    utf8_copy(track->declaration.rig, sizeof track->declaration.rig, reply_text(rig, "rig", ""));
    utf8_copy(track->declaration.device, sizeof track->declaration.device, reply_text(source, "device", ""));
    for (size_t i = 0; i < track->ring_channels && i < RECORDING_MAX_CHANNELS; i++) {
        const json_t *one = json_array_get(channels, i);
        if (!channel || strcmp(channel, reply_text(one, "name", "")) == 0)
            add_channel(track, i, one);
    }
    if (track->count == 0)
        return false;
    track->piece = create_piece(track->count);
    return track->piece;
}

void record_track_clear(struct record_track *track)
{
    destroy_piece(track->piece);
    track->piece = NULL;
}

double record_track_seconds(const struct record_track *track)
{
    if (isnan(track->first_s))
        return 0;
    return track->last_s - track->first_s + (track->stamped ? 0 : track->period_s);
}

/* --- the answer --- */

/* `count` doubles. False when the text does not hold as many. */
static bool unpack(struct track_piece *piece, const char *text, double *values)
{
    if (base64_decode(text, piece->bytes, sizeof piece->bytes) != (ssize_t)(8 * piece->count))
        return false;
    base64_unpack_doubles(piece->bytes, piece->count, values);
    return true;
}

static bool unpack_column(struct track_piece *piece, size_t c, const json_t *values, const json_t *flags)
{
    const char *text = json_string_value(values), *flag_text = json_string_value(flags);
    if (!text || !flag_text || !unpack(piece, text, piece->values[c]))
        return false;
    ssize_t bytes = base64_decode(flag_text, piece->flags[c], MOST_ROWS);
    piece->flagged[c] = bytes > 0;
    return bytes == 0 || bytes == (ssize_t)piece->count;
}

static void unpack_run(const struct record_track *track, const json_t *run, struct track_piece *piece)
{
    const json_t *broken = json_object_get(run, "broken");
    piece->begins = reply_true(run, "begins");
    piece->run = (struct recording_run){.first_index = (uint64_t)reply_integer(run, "scan", 0),
                                        .origin_s = reply_number(run, "origin_s"),
                                        .period_s = reply_number(run, "period_s"),
                                        .lost = (uint64_t)reply_integer(run, "lost", 0)};
    for (size_t c = 0; c < track->count; c++)
        if (json_is_true(json_array_get(broken, track->place[c])))
            piece->run.broken |= UINT64_C(1) << c;
}

/* False when it is not what the protocol promises. */
static bool unpack_reply(const struct record_track *track, const json_t *reply, struct track_piece *piece)
{
    int64_t count = reply_integer(reply, "count", -1);
    const json_t *values = json_object_get(reply, "displacement"), *flags = json_object_get(reply, "flags");
    if (count < 0 || count > MOST_ROWS)
        return false;
    piece->count = (size_t)count;
    unpack_run(track, json_object_get(reply, "run"), piece);
    for (size_t c = 0; c < track->count; c++)
        if (!unpack_column(piece, c, json_array_get(values, track->place[c]), json_array_get(flags, track->place[c])))
            return false;
    if (track->stamped)
        return unpack(piece, reply_text(reply, "time", ""), piece->time_s);
    for (size_t i = 0; i < piece->count; i++)
        piece->time_s[i] = piece->run.origin_s + (double)(piece->run.first_index + i) * piece->run.period_s;
    return true;
}

/* --- writing --- */

/* Stamps of an index so large that a double cannot tell neighbours apart would be lost in the file: it is counted from
 * its first scan instead. */
static uint64_t base_for(const struct record_track *track, const struct track_piece *piece)
{
    double last_s = fabs(piece->run.origin_s) + (double)piece->run.first_index * piece->run.period_s;
    double rounding = nextafter(last_s, INFINITY) - last_s;
    return !track->stamped && rounding > 0.05 * piece->run.period_s ? piece->run.first_index : 0;
}

static int write_head(struct record_track *track, const struct track_piece *piece)
{
    char remark[256], moment[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(moment, sizeof moment, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(remark, sizeof remark, "rig %s, recorded by fricidctl " PACKAGE_VERSION "; these scans were fetched at %s",
             track->declaration.rig, moment);
    track->base = base_for(track, piece);
    track->declaration.origin_s = track->origin_s = piece->run.origin_s;
    track->declaration.period_s = track->period_s = piece->run.period_s;
    track->headed = true;
    return recording_write_head(track->file.stream, &track->declaration, remark, track->columns, track->count);
}

/* Row i of the piece begins a run, or rows before it were left out. */
static int write_run(struct record_track *track, const struct track_piece *piece, size_t i)
{
    bool told = i == 0 && piece->begins;
    struct recording_run run = {.first_index = piece->run.first_index + i - track->base,
                                .origin_s = piece->run.origin_s,
                                .period_s = piece->run.period_s,
                                .broken = told ? piece->run.broken : 0,
                                .lost = told ? piece->run.lost : 0};
    bool clock = !track->stamped && (run.origin_s != track->origin_s || run.period_s != track->period_s);
    if (track->breaks && track->rows > 0)
        run.broken = UINT64_MAX;
    track->breaks = false;
    track->origin_s = run.origin_s;
    track->period_s = run.period_s;
    return recording_write_run(track->file.stream, &run, clock, track->columns, track->count);
}

/* How many samples of a channel are clipped from row i on; 0 too when that was told before. */
static size_t clipped_from(const struct track_piece *piece, size_t c, size_t i, bool told)
{
    size_t end = i;
    if (!piece->flagged[c] || !(piece->flags[c][i] & RECORDING_CLIPPED))
        return 0;
    if (told && i > 0 && (piece->flags[c][i - 1] & RECORDING_CLIPPED))
        return 0;
    while (end < piece->count && (piece->flags[c][end] & RECORDING_CLIPPED))
        end++;
    return end - i;
}

static int write_clipped(const struct record_track *track, const struct track_piece *piece, size_t i, bool told)
{
    int error = 0;
    for (size_t c = 0; c < track->count && !error; c++) {
        size_t samples = clipped_from(piece, c, i, told);
        if (samples > 0)
            error = recording_write_clipped(track->file.stream, track->columns[c].name, samples);
    }
    return error;
}

/* A time that does not increase, or a value that is not a number, has no place in a file. */
static bool fits(const struct record_track *track, const struct track_piece *piece, size_t i, double time_s,
                 double *values)
{
    bool fit = isfinite(time_s) && (isnan(track->last_s) || time_s > track->last_s);
    for (size_t c = 0; c < track->count; c++) {
        values[c] = piece->values[c][i];
        fit = fit && isfinite(values[c]);
    }
    return fit;
}

static double row_time(const struct record_track *track, const struct track_piece *piece, size_t i)
{
    if (track->stamped || track->base == 0)
        return piece->time_s[i];
    return piece->run.origin_s + (double)(piece->run.first_index + i - track->base) * piece->run.period_s;
}

static int write_row(struct record_track *track, const struct track_piece *piece, size_t i)
{
    double values[RECORDING_MAX_CHANNELS], time_s = row_time(track, piece, i);
    if (!fits(track, piece, i, time_s, values)) {
        track->unfit++;
        track->breaks = true;
        return 0;
    }
    bool begins = track->breaks || track->rows == 0 || (i == 0 && piece->begins);
    int error = begins ? write_run(track, piece, i) : 0;
    if (!error)
        error = write_clipped(track, piece, i, i > 0 && !begins);
    recording_write_row(track->file.stream, time_s, values, track->count);
    if (track->rows++ == 0)
        track->first_s = time_s;
    track->last_s = time_s;
    return error;
}

/* False: the row lies behind the end. Half a period keeps rounding out of it. */
static bool is_wanted(struct record_track *track, uint64_t row, double time_s)
{
    if (isnan(track->end_s) && track->wanted_s > 0)
        track->end_s = time_s + track->wanted_s;
    return row < track->end_row && !(time_s > track->end_s + (track->stamped ? 0 : 0.5 * track->period_s));
}

static int write_piece(struct record_track *track, const struct track_piece *piece)
{
    int error = piece->count > 0 && !track->headed ? write_head(track, piece) : 0;
    for (size_t i = 0; i < piece->count && !error && !track->done; i++) {
        track->done = !is_wanted(track, track->row + i, piece->time_s[i]);
        if (!track->done)
            error = write_row(track, piece, i);
    }
    return error;
}

/* What was overwritten before it was asked for is a gap. */
static void take_place(struct record_track *track, const json_t *reply)
{
    uint64_t missed = (uint64_t)reply_integer(reply, "missed", 0);
    track->flows = reply_true(reply, "flows");
    if (missed == 0)
        return;
    track->row += missed;
    track->breaks = true;
    track->missed += missed;
}

enum exit_status record_track_step(struct record_track *track, struct client *client, uint64_t *count)
{
    json_t *reply;
    *count = 0;
    enum exit_status status =
        client_ask(client, "recorder.read",
                   json_pack("{s:I, s:I}", "ring", (json_int_t)track->ring, "row", (json_int_t)track->row), &reply);
    if (status != STATUS_OK)
        return status;
    take_place(track, reply);
    bool sound = unpack_reply(track, reply, track->piece);
    json_decref(reply);
    if (!sound) {
        screen_message(&client->screen, "the answer of the daemon is not what its protocol promises");
        return STATUS_FAILED;
    }
    if (write_piece(track, track->piece) != 0)
        return screen_no_memory(&client->screen);
    *count = track->piece->count;
    track->row += track->piece->count;
    track->done = track->done || track->row >= track->end_row;
    return STATUS_OK;
}
