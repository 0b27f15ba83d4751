/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl record: the daemon's raw recorder, or what it takes in from now on, into CSV files. The daemon is asked
 * piece by piece and writes no file itself. */

#include <config.h>

#include "client/command.h"
#include "client/ending_signals.h"
#include "client/record_track.h"
#include "client/recorder_rig.h"
#include "client/reply.h"
#include "proto/clock.h"
#include "proto/plain_text.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How often a source that has nothing new is asked again, ms. */
enum { TURN_MS = 100 };

/* A source that was silent for so long, beyond the time that was wanted, will not go on, s. */
static const double patience_s = 10;

struct record {
    struct client *client;
    struct record_track *tracks;
    size_t count;
    double wanted_s; /* for the progress */
    double for_s;    /* 0: only what is there */
    int signals;     /* readable: the user has had enough */
    bool shows_progress, stopped;
    double began_s, moved_s; /* CLOCK_MONOTONIC: at the start, and when rows came last */
    double shown_s;
};

/* --- which rings --- */

/* What comes from now on may begin a moment later: a rig that has only just been started has recorded nothing yet. */
static enum exit_status find_rings(struct client *client, json_t **reply, const json_t **rig)
{
    const struct timespec turn = {.tv_nsec = TURN_MS * 1000000L};
    double began_s = clock_monotonic_s();
    for (;;) {
        enum exit_status status = recorder_rig_find(client, reply, rig);
        if (status != STATUS_OK)
            return status;
        bool found = json_array_size(json_object_get(*rig, "rings")) > 0;
        bool waits = (client->options.given & OPTION_FOR) && reply_true(*rig, "flows");
        if (found || !waits || clock_monotonic_s() - began_s > patience_s)
            return STATUS_OK;
        json_decref(*reply);
        nanosleep(&turn, NULL);
    }
}

/* Where a track begins and ends. */
static void set_range(struct record_track *track, const struct options *options, const json_t *rig, const json_t *ring)
{
    bool last = options->given & OPTION_LAST, on = options->given & OPTION_FOR;
    double latest_s = reply_number(rig, "latest_s");
    int64_t next_row = reply_integer(ring, "next_row", 0);
    track->row = (uint64_t)(last ? reply_integer(ring, "from_row", 0) : next_row);
    track->end_row = on ? UINT64_MAX : (uint64_t)next_row;
    track->end_s = on ? latest_s + options->for_s : NAN;
    track->wanted_s = on ? options->for_s : 0;
    track->done = track->row >= track->end_row;
}

static enum exit_status make_tracks(struct record *record, const json_t *rig)
{
    const struct options *options = &record->client->options;
    const json_t *rings = json_object_get(rig, "rings");
    const char *channel = options->given & OPTION_CHANNEL ? options->channel : NULL;
    size_t i;
    json_t *ring;
    record->tracks = calloc(json_array_size(rings) + 1, sizeof *record->tracks);
    json_array_foreach (rings, i, ring) {
        struct record_track *track = record->tracks ? &record->tracks[record->count] : NULL;
        if (!track || !record_track_init(track, rig, ring, channel))
            continue;
        set_range(track, options, rig, ring);
        record->count++;
    }
    if (record->count > 0)
        return STATUS_OK;
    if (channel && json_array_size(rings) > 0)
        screen_message(&record->client->screen, "rig %s records no channel %s", reply_text(rig, "rig", "?"), channel);
    else
        screen_message(&record->client->screen,
                       "rig %s has recorded nothing yet: fricidctl status tells what its source does",
                       reply_text(rig, "rig", "?"));
    return STATUS_FAILED;
}

/* The user hears before the recording that it will be shorter than wanted. */
static void tell_short(const struct record *record, const json_t *rig)
{
    const struct options *options = &record->client->options;
    double held_s = reply_number(rig, "held_s"), room_s = reply_number(rig, "room_s");
    if (!(options->given & OPTION_LAST) || !(held_s < options->last_s))
        return;
    screen_message(&record->client->screen, "only the last %.6g s are held%s", held_s,
                   held_s > 0.9 * room_s ? ": there is room for no more, see recorder in fricid.conf(5)" : "");
}

/* --- files --- */

/* One ring goes into the file that was asked for; of several, each into one with its first channel in the name. */
static bool open_file(struct record *record, struct record_track *track, const char *path)
{
    bool force = record->client->options.given & OPTION_FORCE;
    if (record->count == 1)
        return record_file_open(&track->file, path, force, &record->client->screen);
    char *own = record_file_channel_path(path, track->columns[0].name);
    bool opened = own && record_file_open(&track->file, own, force, &record->client->screen);
    free(own);
    return opened;
}

static enum exit_status open_files(struct record *record)
{
    const struct options *options = &record->client->options;
    const char *wanted = options->given & OPTION_OUTPUT ? options->output : NULL;
    if (wanted && strcmp(wanted, "-") == 0 && record->count > 1) {
        screen_message(&record->client->screen,
                       "the channels of this rig are sampled at different times and need %zu files: name one with "
                       "--channel for standard output",
                       record->count);
        return STATUS_USAGE;
    }
    char *path = wanted ? strdup(wanted) : record_file_default_path(record->tracks[0].declaration.rig);
    bool opened = path;
    for (size_t i = 0; opened && i < record->count; i++)
        opened = open_file(record, &record->tracks[i], path);
    free(path);
    return opened ? STATUS_OK : STATUS_USAGE;
}

static json_t *file_to_json(const struct record_track *track, bool whole)
{
    json_t *channels = json_array();
    for (size_t c = 0; channels && c < track->count; c++)
        json_array_append_new(channels, json_string(track->columns[c].name));
    char *name = plain_text(track->file.path ? track->file.path : "-", false);
    json_t *object = json_pack("{s:s, s:o, s:I, s:f, s:I, s:b}", "file", name ? name : "", "channels", channels,
                               "scans", (json_int_t)track->rows, "seconds", record_track_seconds(track), "missed",
                               (json_int_t)track->missed, "whole", (int)whole);
    free(name);
    return object;
}

static void print_file(const struct record_track *track, const char *path)
{
    struct phrase names = {""};
    for (size_t c = 0; c < track->count; c++)
        names = phrase_format("%s%s %s", names.text, c > 0 ? "," : "", track->columns[c].name);
    plain_print(stdout, "%s: %.6g s, %llu scans of%s", path, record_track_seconds(track),
                (unsigned long long)track->rows, names.text);
}

static void tell_losses(const struct screen *screen, const struct record_track *track, const char *path)
{
    if (track->missed > 0)
        screen_message(screen, "%s: %llu scans were overwritten before they could be fetched: a gap is in their place",
                       path, (unsigned long long)track->missed);
    if (track->unfit > 0)
        screen_message(screen, "%s: %llu scans have a value or a time that is no number in order: left out", path,
                       (unsigned long long)track->unfit);
}

/* What was fetched is worth keeping, whatever ended it. True when the file is there and has all that was wanted. */
static bool close_file(struct record *record, struct record_track *track, json_t *files)
{
    const struct screen *screen = &record->client->screen;
    if (!track->file.stream)
        return false;
    bool direct = track->file.stream == stdout, keep = track->rows > 0, whole = track->missed == 0 && track->unfit == 0;
    char *path = strdup(track->file.path ? track->file.path : "standard output");
    json_t *described = file_to_json(track, whole);
    bool there = record_file_close(&track->file, keep, screen);
    tell_losses(screen, track, path ? path : "");
    if (!keep)
        screen_message(screen, "%s: no scan came, so there is no file", path ? path : "");
    else if (there && !direct && !record->client->options.json)
        print_file(track, path ? path : "");
    if (there && keep)
        json_array_append(files, described);
    json_decref(described);
    free(path);
    return there && keep && whole;
}

/* --- fetching --- */

static void show_progress(struct record *record)
{
    double seconds = 0;
    for (size_t i = 0; i < record->count; i++)
        seconds = fmax(seconds, record_track_seconds(&record->tracks[i]));
    if (!record->shows_progress || clock_monotonic_s() - record->shown_s < 0.2)
        return;
    record->shown_s = clock_monotonic_s();
    fprintf(stderr, "\r%.1f s of %.6g s, Ctrl-C ends it here ", seconds, record->wanted_s);
    fflush(stderr);
}

static bool all_done(const struct record *record)
{
    for (size_t i = 0; i < record->count; i++)
        if (!record->tracks[i].done)
            return false;
    return true;
}

/* A piece of every track; *moved: something came. */
static enum exit_status step_all(struct record *record, bool *moved)
{
    *moved = false;
    for (size_t i = 0; i < record->count; i++) {
        struct record_track *track = &record->tracks[i];
        uint64_t count;
        if (track->done)
            continue;
        enum exit_status status = record_track_step(track, record->client, &count);
        if (status != STATUS_OK)
            return status;
        if (!record_file_good(&track->file))
            return STATUS_FAILED; /* why is said when the file is closed */
        *moved = *moved || count > 0;
        /* A source that ended, and whose last scans are fetched, brings nothing more. */
        track->done = track->done || (count == 0 && !track->flows);
    }
    return STATUS_OK;
}

/* Waits a while for more. False: the user, or the source, has ended it. */
static bool wait_for_more(struct record *record, bool moved)
{
    struct pollfd ends = {.fd = record->signals, .events = POLLIN};
    double now_s = clock_monotonic_s();
    record->stopped = poll(&ends, 1, moved ? 0 : TURN_MS) > 0;
    if (moved)
        record->moved_s = now_s;
    bool silent = now_s - record->moved_s > patience_s && now_s - record->began_s > record->for_s + patience_s;
    if (silent)
        screen_message(&record->client->screen, "no scan has come for %.3g s: the recording ends here",
                       now_s - record->moved_s);
    return !record->stopped && !silent;
}

static enum exit_status fetch(struct record *record)
{
    bool moved = true;
    enum exit_status status = STATUS_OK;
    record->began_s = record->moved_s = clock_monotonic_s();
    while (status == STATUS_OK && !all_done(record) && wait_for_more(record, moved)) {
        status = step_all(record, &moved);
        show_progress(record);
    }
    if (record->shows_progress)
        fputs("\r\033[K", stderr);
    return status;
}

static enum exit_status close_all(struct record *record, enum exit_status status)
{
    json_t *files = json_array();
    bool whole = true;
    for (size_t i = 0; i < record->count; i++)
        whole = close_file(record, &record->tracks[i], files) && whole;
    if (record->client->options.json) {
        json_t *object = json_pack("{s:O}", "files", files);
        bool busy = record->count == 1 && (record->client->options.given & OPTION_OUTPUT) &&
                    strcmp(record->client->options.output, "-") == 0;
        if (!busy) /* standard output is the recording */
            screen_json(&record->client->screen, object);
        json_decref(object);
    }
    json_decref(files);
    return status == STATUS_OK && !whole ? STATUS_FAILED : status;
}

static enum exit_status run(struct record *record)
{
    /* Until now a signal may simply kill: there is no file yet. From here on it ends the recording. */
    record->signals = ending_signals(&record->client->screen);
    if (record->signals < 0)
        return STATUS_FAILED;
    enum exit_status status = open_files(record);
    if (status == STATUS_OK)
        status = close_all(record, fetch(record));
    else
        for (size_t i = 0; i < record->count; i++)
            record_file_close(&record->tracks[i].file, false, &record->client->screen);
    close(record->signals);
    return status;
}

static enum exit_status run_record(struct client *client)
{
    const struct options *options = &client->options;
    struct record record = {.client = client,
                            .for_s = options->given & OPTION_FOR ? options->for_s : 0,
                            .shows_progress = isatty(STDERR_FILENO) && !options->json};
    json_t *reply;
    const json_t *rig;
    if (!(options->given & (OPTION_LAST | OPTION_FOR))) {
        screen_message(&client->screen, "how much? --last 60s: what is in memory; --for 60s: from now on; or both");
        return STATUS_USAGE;
    }
    client->verbatim = true; /* the pieces are no text for people */
    enum exit_status status = find_rings(client, &reply, &rig);
    if (status != STATUS_OK)
        return status;
    record.wanted_s = record.for_s + (options->given & OPTION_LAST ? options->last_s : 0);
    status = make_tracks(&record, rig);
    if (status == STATUS_OK) {
        tell_short(&record, rig);
        status = run(&record);
    }
    for (size_t i = 0; i < record.count; i++)
        record_track_clear(&record.tracks[i]);
    free(record.tracks);
    json_decref(reply);
    return status;
}

const struct command command_record = {
    .name = "record",
    .summary = "write the raw signals of the last minutes, or from now on, as a CSV recording",
    .options = OPTION_LAST | OPTION_FOR | OPTION_OUTPUT | OPTION_FORCE | OPTION_CHANNEL,
    .one_of = OPTION_LAST | OPTION_FOR,
    .operand = WORD_RIG,
    .most = 1,
    .run = run_record};
