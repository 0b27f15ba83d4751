/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A recording as a source: takes chunks from its feed and delivers them at once, or when the recorded clock says so.
 * Lives in the event loop; once the header is read it never touches the file. */

#include "acquire/recording_source.h"

#include "acquire/recording_feed.h"
#include "proto/cause.h"
#include "proto/recording.h"
#include "proto/utf8.h"

#include <errno.h>
#include <event2/event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How often a recording at its own speed looks at the clock, µs. */
enum { REAL_TIME_TICK_US = 10000 };

/* The message in hand is the feed's: it is given back when all of it was delivered. */
struct recording_source {
    struct source source; /* first: a source is this */
    struct source_listener listener;
    struct source_description description;
    struct source_channel *described; /* one a channel; names and units are owned */
    struct channel_samples *samples;  /* one a channel */
    double *delay_s;                  /* likewise: of each sample after the start of its scan */
    char *path;                       /* owned */
    char read_as[256];                /* see recording_read_as() */
    struct recording_feed *feed;      /* owned */
    struct event *ready;              /* the feed has a message */
    struct event *turn;               /* the next block is due */
    struct feed_message *message;     /* that is being delivered; NULL: none */
    size_t delivered;                 /* scans of it */
    bool real_time, paused, ended, uniform;
    double start_s, period_s; /* of the recording */
    double began_s;           /* CLOCK_MONOTONIC at its first scan, as if it had never paused, s */
    double paused_s;          /* CLOCK_MONOTONIC when the pause began, s */
};

static struct recording_source *recording_of(struct source *source)
{
    return (struct recording_source *)source;
}

/* --- delivery --- */

/* Every fault of a recording is final: the same file read again would show it again. */
static void tell_fault(struct recording_source *recording, const char *code, const char *sentence)
{
    const struct source_fault fault = {.code = code, .sentence = sentence, .final = true};
    if (recording->listener.fault)
        recording->listener.fault(recording->listener.context, &fault);
}

static void tell_end(struct recording_source *recording)
{
    if (recording->listener.end)
        recording->listener.end(recording->listener.context);
}

/* Waits for an event; without it nothing would ever come again, so a failure is told. */
static void await(struct recording_source *recording, struct event *event, const struct timeval *wait)
{
    if (event_add(event, wait) == 0)
        return;
    recording->ended = true;
    tell_fault(recording, "no_memory", "the event loop cannot wait for the recording: memory is short");
    tell_end(recording);
}

/* How many scans of the message may be delivered by now. */
static size_t due(const struct recording_source *recording)
{
    const struct feed_message *message = recording->message;
    if (!recording->real_time)
        return message->count;
    double now_s = recording->start_s + source_monotonic_s() - recording->began_s;
    size_t count = recording->delivered;
    while (count < message->count && message->time_s[count] <= now_s)
        count++;
    return count;
}

/* The index tells what is missing, if anything is. Told once, before anything of the message is delivered. */
static void tell_break(struct recording_source *recording)
{
    struct feed_message *message = recording->message;
    bool struck[RECORDING_MAX_CHANNELS];
    for (size_t c = 0; c < recording->description.channel_count; c++)
        struck[c] = message->broken >> c & 1;
    const struct source_gap gap = {.first_index = message->first_index, .reason = "recorded", .struck = struck};
    if (recording->listener.gap)
        recording->listener.gap(recording->listener.context, &gap);
    message->broken = 0;
}

/* Delivers what is due; true when the whole message is. */
static bool deliver(struct recording_source *recording)
{
    const struct feed_message *message = recording->message;
    size_t from = recording->delivered, to = due(recording);
    if (from == 0 && message->broken)
        tell_break(recording);
    if (to > from) {
        for (size_t c = 0; c < recording->description.channel_count; c++)
            recording->samples[c] = (struct channel_samples){.channel = c,
                                                             .displacement = message->displacement[c] + from,
                                                             .flags = message->flags ? message->flags[c] + from : NULL,
                                                             .delay_s = recording->delay_s[c]};
        const struct scan_block block = {.first_index = message->first_index + from,
                                         .scan_count = to - from,
                                         .origin_s = message->origin_s,
                                         .period_s = message->period_s,
                                         .time_s = recording->uniform ? NULL : message->time_s + from,
                                         .channel_count = recording->description.channel_count,
                                         .channels = recording->samples};
        recording->delivered = to;
        recording->listener.scans(recording->listener.context, &block);
    }
    return to == message->count;
}

/* The rate is known only now; whoever holds the description sees it change before the first scan. */
static void take_pace(struct recording_source *recording)
{
    const struct feed_message *message = recording->message;
    recording->uniform = message->uniform;
    recording->start_s = message->start_s;
    recording->period_s = message->period_s;
    recording->description.sample_rate_hz = message->uniform ? 1 / message->period_s : 0;
    if (message->rate_error_se > 0)
        recording->description.clock.rate_error_se = message->rate_error_se;
    recording->began_s = source_monotonic_s();
}

/* What was found out about the file is said where people look for events. */
static void tell_how(struct recording_source *recording)
{
    struct complaint sentence;
    if (!*recording->read_as || !recording->listener.described)
        return;
    complaint_set(&sentence, "%s: read as: %s", recording->path, recording->read_as);
    recording->listener.described(recording->listener.context, sentence.text);
}

/* Acts on the message; true when it may be given back. */
static bool act(struct recording_source *recording, bool *last)
{
    const struct feed_message *message = recording->message;
    *last = false;
    switch (message->kind) {
    case FEED_CHECKED:
        take_pace(recording);
        tell_how(recording);
        return true;
    case FEED_SCANS:
        return deliver(recording);
    case FEED_FAULT:
        tell_fault(recording, message->error == -EBADMSG ? "bad_row" : "cannot_read", message->complaint.text);
        break;
    case FEED_END:
        break;
    }
    *last = recording->ended = true;
    tell_end(recording);
    return true;
}

/* One message, or what is due of it, a turn. */
static void on_turn(evutil_socket_t fd, short what, void *context)
{
    struct recording_source *recording = context;
    (void)fd;
    (void)what;
    if (!recording->message) {
        recording->message = recording_feed_take(recording->feed);
        recording->delivered = 0;
    }
    if (!recording->message) {
        await(recording, recording->ready, NULL);
        return;
    }
    bool last;
    bool done = act(recording, &last);
    if (done) {
        recording->message = NULL;
        message_ring_give_back(recording_feed_ring(recording->feed));
    }
    struct timeval wait = {.tv_usec = done ? 0 : REAL_TIME_TICK_US};
    if (!last && !recording->paused)
        await(recording, recording->turn, &wait);
}

static void on_ready(evutil_socket_t fd, short what, void *context)
{
    uint64_t count;
    ssize_t got = read(fd, &count, sizeof count);
    (void)got; /* empty after all: then there is no message either, and on_turn() waits again */
    on_turn(fd, what, context);
}

/* --- what every source can do --- */

static const struct source_description *describe(const struct source *source)
{
    return &((const struct recording_source *)source)->description;
}

/* The check of the whole file begins here, in the feed's thread: a long file is silent for a while. */
static int start(struct source *source)
{
    struct recording_source *recording = recording_of(source);
    int error = recording_feed_start(recording->feed);
    if (error) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "no thread to read a recording: %s", cause_of(error));
        tell_fault(recording, "no_thread", sentence);
        return error;
    }
    if (!recording->paused)
        await(recording, recording->ready, NULL);
    return 0;
}

/* A recording at its own speed goes on after a pause where it stopped: the time of the pause is taken out. */
static void pause_recording(struct source *source)
{
    struct recording_source *recording = recording_of(source);
    if (recording->paused)
        return;
    recording->paused = true;
    recording->paused_s = source_monotonic_s();
    event_del(recording->ready);
    event_del(recording->turn);
}

static void resume(struct source *source)
{
    struct recording_source *recording = recording_of(source);
    if (!recording->paused)
        return;
    const struct timeval now = {0};
    recording->paused = false;
    recording->began_s += source_monotonic_s() - recording->paused_s;
    if (!recording->ended)
        await(recording, recording->turn, &now);
}

/* The feed first: its thread must have ended before anything it uses is freed. */
static void destroy(struct source *source)
{
    struct recording_source *recording = recording_of(source);
    recording_feed_destroy(recording->feed);
    if (recording->ready)
        event_free(recording->ready);
    if (recording->turn)
        event_free(recording->turn);
    for (size_t c = 0; recording->described && c < recording->description.channel_count; c++) {
        free((char *)recording->described[c].name);
        free((char *)recording->described[c].unit);
    }
    free(recording->described);
    free(recording->samples);
    free(recording->delay_s);
    free(recording->path);
    free(recording);
}

static const struct source_methods methods = {
    .describe = describe, .start = start, .pause = pause_recording, .resume = resume, .destroy = destroy};

/* --- construction --- */

static int no_memory(const struct recording_source_settings *settings, struct complaint *complaint)
{
    complaint_set(complaint, "%s: memory is short", settings->path);
    return -ENOMEM;
}

/* Says what there is instead: most often the name is only misspelt. */
static int missing_column(const struct recording_reader *reader, const char *name, struct complaint *complaint)
{
    char sentence[sizeof complaint->text];
    int used = snprintf(sentence, sizeof sentence, "there is no column \"%.64s\"; the recording has", name);
    const struct recording_column *columns = recording_columns(reader);
    for (size_t c = 0; c < recording_channel_count(reader) && (size_t)used < sizeof sentence; c++)
        used += snprintf(sentence + used, sizeof sentence - (size_t)used, "%s %s", c ? "," : "", columns[c].name);
    return recording_complain_of_header(reader, complaint, sentence);
}

static int find_column(const struct recording_reader *reader, const char *name, size_t *column,
                       struct complaint *complaint)
{
    const struct recording_column *columns = recording_columns(reader);
    for (size_t c = 0; c < recording_channel_count(reader); c++) {
        if (strcmp(columns[c].name, name) == 0) {
            *column = c;
            return 0;
        }
    }
    return missing_column(reader, name, complaint);
}

/* Which columns are channels: those that the settings name, or all. */
static int choose_channels(const struct recording_reader *reader, const struct recording_source_settings *settings,
                           struct feed_channel channels[RECORDING_MAX_CHANNELS], struct complaint *complaint)
{
    bool taken[RECORDING_MAX_CHANNELS] = {false};
    for (size_t c = 0; settings->channel_count == 0 && c < recording_channel_count(reader); c++)
        channels[c] = (struct feed_channel){.column = c, .calibration = calibration_identity()};
    for (size_t c = 0; c < settings->channel_count; c++) {
        const char *name = settings->channels[c].name;
        int error = find_column(reader, name, &channels[c].column, complaint);
        if (error)
            return error;
        if (taken[channels[c].column]) {
            complaint_set(complaint, "%s: two channels are called \"%s\"", settings->path, name);
            return -EINVAL;
        }
        taken[channels[c].column] = true;
        channels[c].calibration = settings->channels[c].calibration;
    }
    return 0;
}

/* What the settings say of a channel counts more than what the file declares. */
static bool describe_channel(struct recording_source *recording, size_t c, const struct recording_column *column,
                             const struct recording_channel_facts *facts,
                             const struct recording_channel_settings *settings)
{
    struct source_channel *described = &recording->described[c];
    described->name = strdup(column->name);
    described->unit = strdup(settings && settings->unit ? settings->unit : column->unit);
    described->resolution = settings ? settings->resolution : facts->resolution;
    if (settings && !(settings->resolution > 0))
        described->resolution = facts->resolution * fabs(calibration_slope(&settings->calibration, 0));
    recording->delay_s[c] = facts->delay_s;
    if (settings)
        described->calibration = settings->calibration;
    return described->name && described->unit;
}

/* What is known of the clock of the rig that was recorded. */
static struct source_clock declared_clock(const struct recording_reader *reader)
{
    const struct recording_declaration *declaration = recording_declared(reader);
    return (struct source_clock){.rate_error_se = 1e-6 * declaration->clock_ppm,
                                 .time_error_s = declaration->given ? declaration->time_error_s : NAN};
}

/* The feed takes the reader over, whatever happens here afterwards. */
static int init(struct recording_source *recording, struct event_base *base, struct recording_reader *reader,
                const struct recording_source_settings *settings, const struct feed_channel *channels, size_t count)
{
    const struct recording_column *columns = recording_columns(reader);
    recording->real_time = settings->real_time;
    recording->path = strdup(settings->path);
    utf8_copy(recording->read_as, sizeof recording->read_as, recording_read_as(reader));
    recording->described = calloc(count, sizeof *recording->described);
    recording->samples = calloc(count, sizeof *recording->samples);
    recording->delay_s = calloc(count, sizeof *recording->delay_s);
    recording->description = (struct source_description){.kind = SOURCE_RECORDING,
                                                         .device = recording->path,
                                                         .may_pause = true,
                                                         .tells_gaps = recording_declared(reader)->tells_gaps,
                                                         .declares_clock = true,
                                                         .dated = recording_declared(reader)->dated,
                                                         .zero_at_ns = recording_declared(reader)->zero_at_ns,
                                                         .read_as = *recording->read_as ? recording->read_as : NULL,
                                                         .clock = declared_clock(reader),
                                                         .channel_count = count,
                                                         .channels = recording->described};
    bool complete = recording->path && recording->described && recording->samples && recording->delay_s;
    for (size_t c = 0; complete && c < count; c++) {
        const struct recording_column *column = &columns[channels[c].column];
        const struct recording_channel_facts facts = recording_facts(recording_declared(reader), column->name);
        complete =
            describe_channel(recording, c, column, &facts, settings->channel_count > 0 ? &settings->channels[c] : NULL);
    }
    recording->feed = recording_feed_create(reader, recording->path, channels, count);
    if (!complete || !recording->feed)
        return -ENOMEM;
    recording->ready =
        event_new(base, message_ring_fd(recording_feed_ring(recording->feed)), EV_READ, on_ready, recording);
    recording->turn = evtimer_new(base, on_turn, recording);
    return recording->ready && recording->turn ? 0 : -ENOMEM;
}

/* Header and columns are checked at once; the rows only when the source is started, in the feed's thread. */
int recording_source_create(struct event_base *base, const struct recording_source_settings *settings,
                            const struct source_listener *listener, struct source **source, struct complaint *complaint)
{
    struct recording_reader *reader;
    struct feed_channel channels[RECORDING_MAX_CHANNELS];
    *source = NULL;
    int error = recording_open(settings->path, &settings->manner, &reader, complaint);
    if (error)
        return error;
    error = settings->channel_count > RECORDING_MAX_CHANNELS ? -EINVAL : 0;
    if (error)
        complaint_set(complaint, "%s: more than %d channels", settings->path, RECORDING_MAX_CHANNELS);
    else
        error = choose_channels(reader, settings, channels, complaint);
    struct recording_source *recording = error ? NULL : calloc(1, sizeof *recording);
    if (!recording) {
        recording_close(reader);
        return error ? error : no_memory(settings, complaint);
    }
    recording->source.methods = &methods;
    recording->listener = *listener;
    size_t count = settings->channel_count > 0 ? settings->channel_count : recording_channel_count(reader);
    if (init(recording, base, reader, settings, channels, count) != 0) {
        destroy(&recording->source);
        return no_memory(settings, complaint);
    }
    *source = &recording->source;
    return 0;
}
