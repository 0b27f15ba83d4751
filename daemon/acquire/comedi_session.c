/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opens a card's channels in an order that a card can do, keeps streams and readings going, and finds the faults of
 * which the kernel says nothing. */

#include "acquire/comedi_session.h"

#include "acquire/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often streams are read, s, on average. */
static const double beat_s = 10e-3;
/* A card may be silent for so many scans: slow ones deliver a bufferful at a time. */
enum { SILENT_SCANS = 50 };

bool comedi_session_create(struct comedi_session *session, const struct comedi_settings *settings)
{
    size_t count = settings->channel_count;
    *session = (struct comedi_session){.settings = settings, .fresh = true};
    session->channels = calloc(count, sizeof *session->channels);
    session->groups = calloc(count, sizeof *session->groups);
    card_clock_init(&session->clock);
    bool good = session->channels && session->groups;
    for (size_t g = 0; good && g < count; g++)
        good = comedi_group_allocate(&session->groups[g]);
    return good;
}

void comedi_session_destroy(struct comedi_session *session)
{
    for (size_t g = 0; session->groups && g < session->settings->channel_count; g++)
        comedi_group_free(&session->groups[g]);
    comedi_card_close(&session->card);
    free(session->channels);
    free(session->groups);
}

/* --- opening --- */

/* The group of a streaming channel's subdevice, or a new one. A polled channel has a group of its own. */
static struct comedi_group *group_for(struct comedi_session *session, const struct comedi_channel *channel,
                                      bool streams)
{
    for (size_t g = 0; streams && g < session->group_count; g++) {
        struct comedi_group *group = &session->groups[g];
        if (group->streams && session->channels[group->channel[0]].subdevice == channel->subdevice)
            return group;
    }
    struct comedi_group *group = &session->groups[session->group_count++];
    group->streams = streams;
    return group;
}

/* While a subdevice streams, the kernel refuses single readings of it. */
static bool check_polled(const struct comedi_session *session, struct card_fault *fault)
{
    for (size_t g = 0; g < session->group_count; g++) {
        const struct comedi_group *group = &session->groups[g];
        const struct comedi_channel *channel = &session->channels[group->channel[0]];
        for (size_t h = 0; !group->streams && h < session->group_count; h++) {
            const struct comedi_group *other = &session->groups[h];
            if (other->streams && session->channels[other->channel[0]].subdevice == channel->subdevice)
                return card_fault_set(fault, "wrong_subdevice",
                                      "%s: channel %s cannot be polled while other channels of subdevice %u stream: "
                                      "poll all of them, or none",
                                      session->card.device, channel->settings->name, channel->subdevice);
        }
    }
    return true;
}

/* Which channels go together is found out once: what is known of a group must outlive a card that is pulled out. */
static bool open_channels(struct comedi_session *session, struct card_fault *fault)
{
    for (size_t c = 0; c < session->settings->channel_count; c++)
        if (!comedi_channel_open(&session->channels[c], &session->card, &session->settings->channels[c], session->fresh,
                                 fault))
            return false;
    for (size_t c = 0; !session->grouped && c < session->settings->channel_count; c++) {
        const struct comedi_channel *channel = &session->channels[c];
        struct comedi_group *group = group_for(session, channel, comedi_channel_can_stream(channel, &session->card));
        group->channel[group->channel_count++] = c;
    }
    session->grouped = true;
    return check_polled(session, fault);
}

static bool open_stream(struct comedi_session *session, struct comedi_group *group, struct card_fault *fault)
{
    const struct comedi_channel *channels[MESSAGE_CHANNELS];
    for (size_t c = 0; c < group->channel_count; c++)
        channels[c] = &session->channels[group->channel[c]];
    return comedi_stream_open(&group->stream, &session->card, session->settings, channels, group->channel_count, fault);
}

/* The first stream; its clock is the rig's. NULL: there is none, and CLOCK_MONOTONIC is. */
static struct comedi_group *leader(const struct comedi_session *session)
{
    for (size_t g = 0; g < session->group_count; g++)
        if (session->groups[g].streams)
            return &session->groups[g];
    return NULL;
}

/* Streams first, and the leader first of all: the others' times are told by its clock. */
static bool start_streams(struct comedi_session *session, struct card_fault *fault)
{
    for (size_t g = 0; g < session->group_count; g++)
        if (session->groups[g].streams && !open_stream(session, &session->groups[g], fault))
            return false;
    for (size_t g = 0; g < session->group_count; g++) {
        struct comedi_group *group = &session->groups[g];
        if (!group->streams)
            continue;
        double before_s = source_monotonic_s();
        if (!comedi_stream_start(&group->stream, fault))
            return false;
        double took_s = source_monotonic_s() - before_s, at_s = before_s + took_s / 2;
        double start_s = group == leader(session)
                             ? card_clock_start(&session->clock, at_s, took_s / 2, group->stream.period_s)
                             : card_clock_source_s(&session->clock, at_s);
        comedi_group_begin(group, start_s, group->stream.period_s);
    }
    return true;
}

/* When streams are read next. At even intervals every reading would be late by nearly the same part of a driver's own
 * beat, and that part would drift like a wrong clock; steps of the golden ratio spread the readings over any beat. */
static double next_reading_s(struct comedi_session *session, double now_s)
{
    static const double golden_ratio = 0.6180339887498949;
    session->spread = fmod(session->spread + golden_ratio, 1);
    return now_s + beat_s * (0.5 + session->spread);
}

static void start_polling(struct comedi_session *session)
{
    double now_s = source_monotonic_s();
    if (!leader(session))
        card_clock_start(&session->clock, now_s, 0, 0);
    for (size_t g = 0; g < session->group_count; g++) {
        struct comedi_group *group = &session->groups[g];
        if (group->streams)
            continue;
        comedi_group_begin(group, card_clock_source_s(&session->clock, now_s), 1 / session->settings->poll_rate_hz);
        group->due_s = now_s;
    }
    session->opened_s = now_s;
    session->flush_s = next_reading_s(session, now_s);
}

static void describe(const struct comedi_session *session, struct complaint *sentence)
{
    const struct comedi_settings *settings = session->settings;
    size_t used = (size_t)snprintf(sentence->text, sizeof sentence->text, "%s: %s, driver %s", session->card.device,
                                   session->card.board, session->card.driver);
    for (size_t g = 0; g < session->group_count && used < sizeof sentence->text; g++) {
        const struct comedi_group *group = &session->groups[g];
        const struct comedi_stream *stream = &group->stream;
        char *end = sentence->text + used;
        size_t room = sizeof sentence->text - used;
        if (group->streams)
            used += (size_t)snprintf(
                end, room,
                "; subdevice %u streams %zu channel%s at %.9g scans/s (asked for %.9g), %.4g µs from channel to "
                "channel, the kernel holds %.3g s",
                stream->subdevice, stream->channel_count, stream->channel_count == 1 ? "" : "s", 1 / stream->period_s,
                settings->sample_rate_hz, 1e6 * stream->convert_s,
                (double)stream->kernel_bytes / (double)(stream->channel_count * stream->sample_bytes) *
                    stream->period_s);
        else
            used += (size_t)snprintf(end, room, "; %s is read %.9g times a second",
                                     settings->channels[group->channel[0]].name, settings->poll_rate_hz);
    }
}

static void tell_opened(const struct comedi_session *session, const struct comedi_outlet *outlet)
{
    struct comedi_message *message = outlet->get(outlet->context, true);
    const struct comedi_group *first = leader(session);
    if (!message)
        return;
    message->kind = MESSAGE_OPENED;
    message->code = "source_started";
    message->counters_anew = session->fresh;
    message->sample_rate_hz = first ? 1 / first->period_s : 0;
    for (size_t c = 0; c < session->settings->channel_count; c++) {
        message->resolution[c] = session->channels[c].resolution;
        message->codes[c] = comedi_channel_codes(&session->channels[c]);
    }
    snprintf(message->board, sizeof message->board, "%s", session->card.board);
    snprintf(message->driver, sizeof message->driver, "%s", session->card.driver);
    describe(session, &message->sentence);
    outlet->put(outlet->context, message);
}

static void warn_of_rights(const struct comedi_session *session, const struct comedi_outlet *outlet)
{
    struct comedi_message *message = session->card.world_writable ? outlet->get(outlet->context, true) : NULL;
    if (!message)
        return;
    message->kind = MESSAGE_ADVICE;
    message->code = "device_world_writable";
    complaint_set(&message->sentence,
                  "%s: every user of this computer may write to this device and disturb a measurement; remove the udev "
                  "rule that allows it: membership of group iocard is enough",
                  session->card.device);
    outlet->put(outlet->context, message);
}

bool comedi_session_open(struct comedi_session *session, const struct comedi_outlet *outlet, struct card_fault *fault)
{
    if (!comedi_card_open(&session->card, session->settings->device, fault))
        return false;
    if (!open_channels(session, fault) || !start_streams(session, fault)) {
        comedi_session_close(session, fault);
        return false;
    }
    start_polling(session);
    warn_of_rights(session, outlet);
    tell_opened(session, outlet);
    session->fresh = false;
    return true;
}

/* --- running --- */

/* A reading that comes late moves the ones behind it: two at once would tell nothing new. */
static bool poll_due(struct comedi_session *session, double now_s, const struct comedi_outlet *outlet,
                     struct card_fault *fault)
{
    for (size_t g = 0; g < session->group_count; g++) {
        struct comedi_group *group = &session->groups[g];
        if (group->streams || now_s < group->due_s)
            continue;
        if (!comedi_group_poll(group, session->channels, &session->card, &session->clock, outlet, fault))
            return false;
        group->due_s += group->period_s;
        if (group->due_s < now_s)
            group->due_s = now_s + group->period_s;
    }
    return true;
}

/* The kernel does not tell of a card that no longer converts. */
static bool check_silence(const struct comedi_session *session, struct card_fault *fault)
{
    double now_s = source_monotonic_s();
    for (size_t g = 0; g < session->group_count; g++) {
        const struct comedi_group *group = &session->groups[g];
        double limit_s = fmax(session->settings->silent_s, SILENT_SCANS * group->period_s);
        if (group->streams && now_s - group->heard_s > limit_s)
            return card_fault_set(fault, "silent",
                                  "%s: silent: no data for %.3g s although the card says that it is running",
                                  session->card.device, now_s - group->heard_s);
    }
    return true;
}

static bool deliver(struct comedi_session *session, const struct comedi_outlet *outlet, struct card_fault *fault)
{
    for (size_t g = 0; g < session->group_count; g++) {
        struct comedi_group *group = &session->groups[g];
        bool leads = group == leader(session);
        if (!group->streams)
            comedi_group_flush(group, session->channels, &session->clock, outlet);
        else if (!comedi_group_drain(group, session->channels, &session->clock, leads, outlet, fault))
            return false;
    }
    return check_silence(session, fault);
}

bool comedi_session_turn(struct comedi_session *session, const struct comedi_outlet *outlet, struct card_fault *fault)
{
    double now_s = source_monotonic_s();
    if (!poll_due(session, now_s, outlet, fault))
        return false;
    if (now_s < session->flush_s)
        return true;
    session->flush_s = next_reading_s(session, now_s);
    return deliver(session, outlet, fault);
}

double comedi_session_wait_s(const struct comedi_session *session)
{
    double next_s = session->flush_s;
    for (size_t g = 0; g < session->group_count; g++)
        if (!session->groups[g].streams)
            next_s = fmin(next_s, session->groups[g].due_s);
    return fmax(0, next_s - source_monotonic_s());
}

double comedi_session_ran_s(const struct comedi_session *session)
{
    double until_s = INFINITY;
    for (size_t g = 0; g < session->group_count; g++)
        until_s = fmin(until_s, session->groups[g].heard_s);
    return until_s - session->opened_s;
}

/* A card that stays plugged in keeps its counters, and with them the zero that a user has set. */
void comedi_session_close(struct comedi_session *session, const struct card_fault *fault)
{
    for (size_t g = 0; g < session->group_count; g++)
        comedi_stream_close(&session->groups[g].stream);
    comedi_card_close(&session->card);
    if (strcmp(fault->code, "device_lost") == 0 || strcmp(fault->code, "no_device") == 0 ||
        strcmp(fault->code, "no_driver") == 0)
        session->fresh = true;
}
