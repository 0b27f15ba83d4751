/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The event loop's side of a card: takes messages and delivers what they say. Nothing here calls Comedi. */

#include "acquire/comedi_source.h"

#include "acquire/comedi_feed.h"
#include "proto/cause.h"

#include <errno.h>
#include <event2/event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Samples whose mean is a voltage's present position. */
enum { AVERAGED = 64 };

struct comedi_source {
    struct source source; /* first: a source is this */
    struct source_listener listener;
    struct source_description description;
    struct source_channel *described;
    char board[64], driver[32];      /* of the card that was opened last */
    struct comedi_settings settings; /* its strings are owned */
    struct comedi_channel_settings *channels;
    struct channel_samples *samples;
    struct comedi_feed *feed;
    struct event *ready;
    double *latest, *zero; /* of each channel: as the card says it, displacement unit */
    bool flowing;          /* scans have come since the last fault */
};

static struct comedi_source *comedi_of(struct source *source)
{
    return (struct comedi_source *)source;
}

/* --- what the messages say --- */

/* Where the channel is: an encoder says it in counts, a voltage in the mean of its noise. */
static double present(const struct comedi_source *comedi, size_t channel, const double *values, size_t count)
{
    size_t from = count < AVERAGED ? 0 : count - AVERAGED;
    double sum = 0;
    if (comedi->channels[channel].input == COMEDI_ENCODER)
        return values[count - 1];
    for (size_t i = from; i < count; i++)
        sum += values[i];
    return sum / (double)(count - from);
}

/* Zeros are subtracted here, so that setting one needs no word with the thread. */
static void subtract_zeros(struct comedi_source *comedi, const struct comedi_message *message)
{
    for (size_t i = 0; i < message->channel_count; i++) {
        size_t channel = message->channel[i];
        double *values = message->displacement + i * message->scan_count;
        comedi->latest[channel] = present(comedi, channel, values, message->scan_count);
        for (size_t s = 0; comedi->zero[channel] != 0 && s < message->scan_count; s++)
            values[s] -= comedi->zero[channel];
    }
}

static void take_clock(struct comedi_source *comedi, const struct comedi_message *message)
{
    struct source_clock *clock = &comedi->description.clock;
    clock->rate_error = message->rate_error;
    clock->rate_error_se = message->rate_error_se;
    if (message->stamped)
        clock->time_error_s = message->time_error_s;
}

static void deliver(struct comedi_source *comedi, const struct comedi_message *message)
{
    subtract_zeros(comedi, message);
    take_clock(comedi, message);
    for (size_t i = 0; i < message->channel_count; i++)
        comedi->samples[i] = (struct channel_samples){.channel = message->channel[i],
                                                      .displacement = message->displacement + i * message->scan_count,
                                                      .flags = message->flags + i * message->scan_count,
                                                      .delay_s = message->delay_s[i]};
    const struct scan_block block = {.first_index = message->first_index,
                                     .scan_count = message->scan_count,
                                     .origin_s = message->origin_s,
                                     .period_s = message->period_s,
                                     .time_s = message->stamped ? message->time_s : NULL,
                                     .channel_count = message->channel_count,
                                     .channels = comedi->samples};
    comedi->flowing = true;
    comedi->listener.scans(comedi->listener.context, &block);
}

/* The records that are running end before anybody hears why. */
static void tell_fault(struct comedi_source *comedi, const struct comedi_message *message)
{
    const struct source_gap gap = {.reason = message->code};
    const struct source_fault fault = {.code = message->code,
                                       .sentence = message->sentence.text,
                                       .repeated = message->kind == MESSAGE_FAULT && message->repeated,
                                       .advice = message->kind == MESSAGE_ADVICE};
    if (message->kind == MESSAGE_FAULT && comedi->flowing && comedi->listener.gap)
        comedi->listener.gap(comedi->listener.context, &gap);
    comedi->flowing = comedi->flowing && message->kind != MESSAGE_FAULT;
    if (comedi->listener.fault)
        comedi->listener.fault(comedi->listener.context, &fault);
}

/* What was zero before, only a counter that kept its count can tell. */
static void forget_zeros(struct comedi_source *comedi)
{
    for (size_t c = 0; c < comedi->settings.channel_count; c++)
        if (comedi->channels[c].input == COMEDI_ENCODER)
            comedi->zero[c] = 0;
}

static void take_opened(struct comedi_source *comedi, const struct comedi_message *message)
{
    if (message->counters_anew)
        forget_zeros(comedi);
    comedi->description.sample_rate_hz = message->sample_rate_hz;
    memcpy(comedi->board, message->board, sizeof comedi->board);
    memcpy(comedi->driver, message->driver, sizeof comedi->driver);
    comedi->description.board = comedi->board;
    comedi->description.driver = comedi->driver;
    for (size_t c = 0; c < comedi->settings.channel_count; c++) {
        comedi->described[c].resolution = message->resolution[c];
        comedi->described[c].codes = message->codes[c];
        comedi->described[c].codes.zero = comedi->zero[c];
    }
    if (comedi->listener.described)
        comedi->listener.described(comedi->listener.context, message->sentence.text);
}

/* One message a turn of the loop. */
static void on_ready(evutil_socket_t fd, short what, void *context)
{
    struct comedi_source *comedi = context;
    uint64_t count;
    (void)what;
    const struct comedi_message *message = comedi_feed_take(comedi->feed);
    if (!message) {
        ssize_t got = read(fd, &count, sizeof count);
        (void)got;
        /* One more look: messages may have come between the two, and any number of them, of which this turn takes one.
         */
        message = comedi_feed_take(comedi->feed);
        if (!message)
            return;
        message_ring_call(comedi_feed_ring(comedi->feed));
    }
    if (message->kind == MESSAGE_SCANS)
        deliver(comedi, message);
    else if (message->kind == MESSAGE_OPENED)
        take_opened(comedi, message);
    else
        tell_fault(comedi, message);
    message_ring_give_back(comedi_feed_ring(comedi->feed));
}

/* --- what every source can do --- */

static const struct source_description *describe(const struct source *source)
{
    return &((const struct comedi_source *)source)->description;
}

static int start(struct source *source)
{
    struct comedi_source *comedi = comedi_of(source);
    int error = comedi_feed_start(comedi->feed);
    if (!error && event_add(comedi->ready, NULL) != 0)
        error = -ENOMEM;
    if (!error)
        return 0;
    char sentence[256];
    snprintf(sentence, sizeof sentence, "%s: no thread to read it: %s", comedi->settings.device, cause_of(error));
    const struct source_fault fault = {.code = "no_thread", .sentence = sentence, .final = true};
    if (comedi->listener.fault)
        comedi->listener.fault(comedi->listener.context, &fault);
    return error;
}

/* A card does not wait. */
static void ignore(struct source *source)
{
    (void)source;
}

/* The stream gets a step, so no record may run across it. */
static int set_zero(struct source *source, size_t channel, double *position)
{
    struct comedi_source *comedi = comedi_of(source);
    if (channel >= comedi->settings.channel_count || isnan(comedi->latest[channel]) || !comedi->flowing)
        return -EAGAIN;
    *position = comedi->latest[channel] - comedi->zero[channel];
    comedi->zero[channel] = comedi->latest[channel];
    comedi->described[channel].codes.zero = comedi->zero[channel];
    return 0;
}

static void destroy(struct source *source)
{
    struct comedi_source *comedi = comedi_of(source);
    comedi_feed_destroy(comedi->feed);
    if (comedi->ready)
        event_free(comedi->ready);
    for (size_t c = 0; comedi->channels && c < comedi->settings.channel_count; c++) {
        free((char *)comedi->channels[c].name);
        free((char *)comedi->channels[c].unit);
    }
    free((char *)comedi->settings.device);
    free(comedi->channels);
    free(comedi->described);
    free(comedi->samples);
    free(comedi->latest);
    free(comedi->zero);
    free(comedi);
}

static const struct source_methods methods = {
    .describe = describe, .start = start, .pause = ignore, .resume = ignore, .zero = set_zero, .destroy = destroy};

/* --- construction --- */

static bool copy_channel(struct comedi_source *comedi, size_t c, const struct comedi_channel_settings *settings)
{
    struct comedi_channel_settings *channel = &comedi->channels[c];
    *channel = *settings;
    channel->name = strdup(settings->name);
    channel->unit = strdup(settings->unit);
    comedi->latest[c] = NAN;
    comedi->described[c] = (struct source_channel){.name = channel->name, .unit = channel->unit};
    bool encoder = channel->input == COMEDI_ENCODER;
    comedi->described[c].sensor_unit = encoder ? "counts" : "V";
    comedi->described[c].calibration =
        encoder ? (struct calibration){.coefficients = {0, (channel->reversed ? -1 : 1) / channel->counts_per_unit},
                                       .terms = 2}
                : channel->calibration;
    return channel->name && channel->unit;
}

static bool copy_settings(struct comedi_source *comedi, const struct comedi_settings *settings)
{
    size_t count = settings->channel_count;
    comedi->settings = *settings;
    comedi->settings.device = strdup(settings->device);
    comedi->channels = calloc(count, sizeof *comedi->channels);
    comedi->described = calloc(count, sizeof *comedi->described);
    comedi->samples = calloc(count, sizeof *comedi->samples);
    comedi->latest = calloc(count, sizeof *comedi->latest);
    comedi->zero = calloc(count, sizeof *comedi->zero);
    comedi->settings.channels = comedi->channels;
    bool good = comedi->settings.device && comedi->channels && comedi->described && comedi->samples && comedi->latest &&
                comedi->zero;
    for (size_t c = 0; good && c < count; c++)
        good = copy_channel(comedi, c, &settings->channels[c]);
    return good;
}

static bool init(struct comedi_source *comedi, struct event_base *base, const struct comedi_settings *settings)
{
    if (!copy_settings(comedi, settings))
        return false;
    comedi->description = (struct source_description){.kind = SOURCE_COMEDI,
                                                      .device = comedi->settings.device,
                                                      .wall_clock = true,
                                                      .tells_gaps = true,
                                                      .measures_clock = true,
                                                      .clock = {.rate_error = NAN, .rate_error_se = NAN},
                                                      .channel_count = settings->channel_count,
                                                      .channels = comedi->described};
    comedi->feed = comedi_feed_create(&comedi->settings);
    if (comedi->feed)
        comedi->ready =
            event_new(base, message_ring_fd(comedi_feed_ring(comedi->feed)), EV_READ | EV_PERSIST, on_ready, comedi);
    return comedi->ready != NULL;
}

int comedi_source_create(struct event_base *base, const struct comedi_settings *settings,
                         const struct source_listener *listener, struct source **source, struct complaint *complaint)
{
    struct comedi_source *comedi = calloc(1, sizeof *comedi);
    *source = NULL;
    if (comedi) {
        comedi->source.methods = &methods;
        comedi->listener = *listener;
        if (init(comedi, base, settings)) {
            *source = &comedi->source;
            return 0;
        }
        destroy(&comedi->source);
    }
    complaint_set(complaint, "%s: memory is short", settings->device);
    return -ENOMEM;
}
