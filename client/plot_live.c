/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl plot --live: the loop as it goes round. The last seconds of the daemon's recorder, as the rows of a
 * recording, are given to gnuplot again and again. */

#include <config.h>

#include "client/plot_live.h"

#include "client/ending_signals.h"
#include "client/phrase.h"
#include "client/record_track.h"
#include "client/recorder_rig.h"
#include "client/reply.h"
#include "proto/clock.h"
#include "proto/quote.h"

#include <ctype.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Between two pictures. */
enum { TURN_MS = 500 };

/* More points than these no screen shows. */
enum { MOST_POINTS = 4000 };

/* On a screen a point is not seen beside another one that is no farther away than this share of either axis. */
static const double unseen_share = 1.0 / 500;

/* What is shown unless --last says it. */
static const double usual_s = 10;

struct live {
    struct client *client;
    struct record_track track;
    FILE *gnuplot;
    int signals;
    double window_s, until_s; /* until_s: CLOCK_MONOTONIC; INFINITY: no end */
    size_t x, y;              /* columns of a row, counted from 1; y 0: all channels over time */
    char *rows;               /* of a recording, oldest first; owned */
    size_t length;
};

/* --- the rows --- */

/* The column of a channel with a role, counted from 1; 0: there is none. */
static size_t column_of(const json_t *ring, const char *role)
{
    size_t i;
    json_t *channel;
    json_array_foreach (json_object_get(ring, "channels"), i, channel)
        if (strcmp(reply_text(channel, "role", ""), role) == 0)
            return i + 2;
    return 0;
}

/* The ring that has both sides of a loop, or the first one. */
static const json_t *choose_ring(struct live *live, const json_t *rig)
{
    const json_t *rings = json_object_get(rig, "rings");
    size_t i;
    json_t *ring;
    live->x = 1;
    json_array_foreach (rings, i, ring) {
        const size_t displacement = column_of(ring, "displacement"),
                     motion = displacement > 0 ? displacement : column_of(ring, "velocity"),
                     force = column_of(ring, "force");
        if (motion == 0 || force == 0)
            continue;
        live->x = motion;
        live->y = force;
        return ring;
    }
    return json_array_get(rings, 0);
}

/* Rows begin with their time; heads and remarks do not. */
static bool is_row(const char *line)
{
    return isdigit((unsigned char)*line) || *line == '-';
}

/* Puts new lines behind the others and drops what is older than the window. */
static bool take_rows(struct live *live, const char *text, size_t length)
{
    char *larger = realloc(live->rows, live->length + length + 1);
    if (!larger)
        return false;
    live->rows = larger;
    memcpy(live->rows + live->length, text, length + 1);
    live->length += length;
    const char *first = live->rows;
    const double from_s = live->track.last_s - live->window_s;
    while (*first && (!is_row(first) || strtod(first, NULL) < from_s)) {
        const char *end = strchr(first, '\n');
        first = end ? end + 1 : first + strlen(first);
    }
    live->length -= (size_t)(first - live->rows);
    memmove(live->rows, first, live->length + 1);
    return true;
}

/* All that has come. */
static enum exit_status fetch(struct live *live)
{
    char *text = NULL;
    size_t length;
    uint64_t count = 1;
    enum exit_status status = STATUS_OK;
    live->track.file.stream = open_memstream(&text, &length);
    if (!live->track.file.stream)
        return screen_no_memory(&live->client->screen);
    while (status == STATUS_OK && count > 0)
        status = record_track_step(&live->track, live->client, &count);
    if (fclose(live->track.file.stream) != 0 || !take_rows(live, text, length))
        status = screen_no_memory(&live->client->screen);
    free(text);
    return status;
}

/* --- the picture --- */

static void put_label(const struct live *live, const char *axis, size_t column)
{
    const struct recording_column *shown = &live->track.columns[column - 2];
    fprintf(live->gnuplot, "set %slabel ", axis);
    quote_gnuplot(live->gnuplot, phrase_format("%s, %s", shown->name, shown->unit).text);
    fputc('\n', live->gnuplot);
}

/* A gnuplot without windows draws with letters, as large as the terminal. */
static void begin(const struct live *live)
{
    const bool terminal = live->client->screen.terminal;
    fprintf(live->gnuplot,
            "set encoding utf8\nset datafile separator ','\nset print '-'\n"
            "if (GPVAL_TERM eq 'unknown') set terminal dumb size %zu,%zu\n",
            terminal ? screen_width() : 80, terminal ? screen_height() - 1 : 24);
    if (terminal)
        fputs("if (GPVAL_TERM eq 'dumb') print \"\\033[2J\"\n", live->gnuplot);
    fputs("set title ", live->gnuplot);
    quote_gnuplot(live->gnuplot, phrase_format("rig %s", live->track.declaration.rig).text);
    fputc('\n', live->gnuplot);
    if (live->y > 0) {
        fputs("unset key\n", live->gnuplot);
        put_label(live, "x", live->x);
        put_label(live, "y", live->y);
    } else {
        fputs("set xlabel 'time, s'\n", live->gnuplot);
    }
}

static const char *line_behind(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* A remark breaks the line that is drawn. */
static void put_line(const struct live *live, const char *line)
{
    if (is_row(line))
        fwrite(line, 1, (size_t)(line_behind(line) - line), live->gnuplot);
    else
        fputc('\n', live->gnuplot);
}

/* Of channels over time every nth row. */
static void put_evenly(const struct live *live)
{
    size_t lines = 0, i = 0;
    for (const char *line = live->rows; *line; line = line_behind(line))
        lines++;
    for (const char *line = live->rows; *line; line = line_behind(line))
        if (!is_row(line) || i++ % (lines / MOST_POINTS + 1) == 0)
            put_line(live, line);
}

static double value_in(const char *row, size_t column)
{
    for (; column > 1 && *row && *row != '\n'; row++)
        column -= *row == ',';
    return column == 1 ? strtod(row, NULL) : (double)NAN;
}

/* How far a value of that column may be from another one without being seen beside it. */
static double unseen_in(const struct live *live, size_t column)
{
    double lowest = INFINITY, highest = -INFINITY;
    for (const char *line = live->rows; *line; line = line_behind(line))
        if (is_row(line)) {
            lowest = fmin(lowest, value_in(line, column));
            highest = fmax(highest, value_in(line, column));
        }
    return unseen_share * (highest - lowest);
}

/* The rows of a loop that are seen beside the one that is drawn before them, counted; those from number `from` on are
 * put. */
static size_t put_seen(const struct live *live, double unseen_x, double unseen_y, size_t from)
{
    size_t seen = 0;
    double x = NAN, y = NAN;
    for (const char *line = live->rows; *line; line = line_behind(line)) {
        const double to_x = value_in(line, live->x), to_y = value_in(line, live->y);
        if (is_row(line) && fabs(to_x - x) <= unseen_x && fabs(to_y - y) <= unseen_y)
            continue;
        if (seen >= from)
            put_line(live, line);
        seen++;
        x = is_row(line) ? to_x : (double)NAN;
        y = to_y;
    }
    return seen;
}

/* Every nth row of a loop that goes round fast would be chords across it: its latest rows are all there. */
static void put_latest(const struct live *live)
{
    const double unseen_x = unseen_in(live, live->x), unseen_y = unseen_in(live, live->y);
    const size_t seen = put_seen(live, unseen_x, unseen_y, SIZE_MAX);
    put_seen(live, unseen_x, unseen_y, seen > MOST_POINTS ? seen - MOST_POINTS : 0);
}

static void put_rows(const struct live *live)
{
    fputs("$live << END\n", live->gnuplot);
    if (live->y > 0)
        put_latest(live);
    else
        put_evenly(live);
    fputs("END\n", live->gnuplot);
}

/* False: gnuplot has ended. */
static bool draw(const struct live *live)
{
    put_rows(live);
    if (live->client->screen.terminal)
        fputs("if (GPVAL_TERM eq 'dumb') print \"\\033[H\"\n", live->gnuplot);
    fputs("plot ", live->gnuplot);
    for (size_t c = 0; c < (live->y > 0 ? 1 : live->track.count); c++) {
        fprintf(live->gnuplot, "%s$live using %zu:%zu with lines title ", c > 0 ? ", " : "", live->x,
                live->y > 0 ? live->y : c + 2);
        const struct recording_column *shown = &live->track.columns[c];
        quote_gnuplot(live->gnuplot, phrase_format("%s, %s", shown->name, shown->unit).text);
    }
    fputc('\n', live->gnuplot);
    return fflush(live->gnuplot) == 0;
}

/* --- until the end --- */

static bool waits(const struct live *live)
{
    struct pollfd ends = {.fd = live->signals, .events = POLLIN};
    return poll(&ends, 1, TURN_MS) == 0 && clock_monotonic_s() < live->until_s;
}

static enum exit_status watch(struct live *live)
{
    enum exit_status status;
    bool drawn = false, goes_on = true;
    do {
        status = fetch(live);
        if (status != STATUS_OK)
            break;
        if (live->length > 0) {
            if (!drawn)
                begin(live);
            drawn = true;
            if (!draw(live))
                break;
        }
        goes_on = live->track.flows && waits(live);
    } while (goes_on);
    if (status == STATUS_OK && !live->track.flows)
        screen_message(&live->client->screen, "the source has ended");
    return status;
}

static enum exit_status watch_by_gnuplot(struct live *live)
{
    /* What gnuplot is told has points whatever the locale; when it ends, writing fails instead of killing. */
    setenv("LC_ALL", "C.UTF-8", 1);
    signal(SIGPIPE, SIG_IGN);
    live->signals = ending_signals(&live->client->screen);
    if (live->signals < 0)
        return STATUS_FAILED;
    live->gnuplot = popen("exec gnuplot --default-settings", "we");
    enum exit_status status = live->gnuplot ? watch(live) : STATUS_FAILED;
    const int ended = live->gnuplot ? pclose(live->gnuplot) : -1;
    if (status == STATUS_OK && ended != 0) {
        screen_message(&live->client->screen, "gnuplot did not draw; on Debian, apt install gnuplot");
        status = STATUS_FAILED;
    }
    close(live->signals);
    return status;
}

enum exit_status plot_live(struct client *client)
{
    struct options *options = &client->options;
    struct live live = {.client = client, .until_s = INFINITY};
    json_t *reply;
    const json_t *rig;
    live.window_s = options->given & OPTION_LAST ? options->last_s : usual_s;
    if (options->given & OPTION_FOR)
        live.until_s = clock_monotonic_s() + options->for_s;
    options->given |= OPTION_LAST;
    options->last_s = live.window_s;
    client->verbatim = true; /* the pieces are no text for people */
    enum exit_status status = recorder_rig_find(client, &reply, &rig);
    if (status != STATUS_OK)
        return status;
    const json_t *ring = choose_ring(&live, rig);
    if (ring && record_track_init(&live.track, rig, ring, NULL)) {
        live.track.row = (uint64_t)reply_integer(ring, "from_row", 0);
        status = watch_by_gnuplot(&live);
        record_track_clear(&live.track);
    } else {
        screen_message(&client->screen, "rig %s has measured nothing yet: fricidctl status tells what its source does",
                       reply_text(rig, "rig", "?"));
        status = STATUS_FAILED;
    }
    free(live.rows);
    json_decref(reply);
    return status;
}
