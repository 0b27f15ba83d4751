/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Notifications of the topic `signal`, one at a time. */

#include "client/signal_feed.h"

#include "client/reply.h"
#include "proto/clock.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>

/* A rig that runs shows every channel ten times a second; a card may be slow, or being tried again. */
static const double patience_s = 10;

/* Ten times what a rig that runs needs. */
static const double glance_s = 1;

static bool has_channel(const struct signal_feed *feed, const json_t *rig)
{
    size_t i;
    json_t *channel;
    if (feed->rig && strcmp(reply_text(rig, "name", ""), feed->rig) != 0)
        return false;
    json_array_foreach (json_object_get(rig, "channels"), i, channel)
        if (!feed->channel || strcmp(reply_text(channel, "name", ""), feed->channel) == 0)
            return true;
    return !feed->channel;
}

/* Nobody waits for what cannot come. A rig whose source was never opened has no channels to be compared with. */
static enum exit_status check_name(const struct signal_feed *feed)
{
    json_t *reply, *rig;
    size_t i;
    bool known = false, all_open = true;
    if (!feed->rig && !feed->channel)
        return STATUS_OK;
    enum exit_status status = client_ask(feed->client, "status", NULL, &reply);
    if (status != STATUS_OK)
        return status;
    json_array_foreach (json_object_get(reply, "rigs"), i, rig) {
        known = known || has_channel(feed, rig);
        all_open = all_open && json_array_size(json_object_get(rig, "channels")) > 0;
    }
    json_decref(reply);
    if (known || !all_open)
        return STATUS_OK;
    screen_message(&feed->client->screen, "there is no %s%s%s%s: see fricidctl status", feed->rig ? "rig " : "",
                   feed->rig ? feed->rig : "", feed->channel ? (feed->rig ? " with a channel " : "channel ") : "",
                   feed->channel ? feed->channel : "");
    return STATUS_FAILED;
}

enum exit_status signal_feed_open(struct signal_feed *feed)
{
    json_t *reply;
    enum exit_status status = check_name(feed);
    if (status == STATUS_OK)
        status = client_ask(feed->client, "subscribe", json_pack("{s:[s]}", "topics", "signal"), &reply);
    if (status == STATUS_OK)
        json_decref(reply);
    return status;
}

static bool is_wanted(const struct signal_feed *feed, const json_t *notification)
{
    const json_t *params = json_object_get(notification, "params");
    return strcmp(reply_text(notification, "method", ""), "notify.signal") == 0 &&
           (!feed->rig || strcmp(reply_text(params, "rig", ""), feed->rig) == 0) &&
           (!feed->channel || strcmp(reply_text(params, "channel", ""), feed->channel) == 0);
}

/* The first of those that have come already; NULL when none is there. */
static enum exit_status take_wanted(const struct signal_feed *feed, json_t **notification)
{
    struct complaint complaint;
    for (;;) {
        enum exit_status status = connection_take(feed->client->connection, notification, &complaint);
        if (status != STATUS_OK)
            screen_message(&feed->client->screen, "%s", complaint.text);
        if (status != STATUS_OK || !*notification || is_wanted(feed, *notification))
            return status;
        json_decref(*notification);
    }
}

enum exit_status signal_feed_next(const struct signal_feed *feed, json_t **notification)
{
    double until_s = clock_monotonic_s() + (feed->may_be_silent ? glance_s : patience_s);
    for (;;) {
        enum exit_status status = take_wanted(feed, notification);
        if (status != STATUS_OK || *notification)
            return status;
        struct pollfd wanted = {.fd = connection_descriptor(feed->client->connection), .events = POLLIN};
        int left_ms = (int)ceil(1e3 * (until_s - clock_monotonic_s()));
        if (left_ms <= 0 || (poll(&wanted, 1, left_ms) < 0 && errno != EINTR))
            break;
    }
    if (feed->may_be_silent)
        return STATUS_OK;
    screen_message(&feed->client->screen, "%s%s measures nothing: see fricidctl status",
                   feed->channel ? "channel " : "the daemon", feed->channel ? feed->channel : "");
    return STATUS_NO_RESULT;
}

void signal_reach_add(struct signal_reach *reach, const json_t *notification)
{
    const json_t *params = json_object_get(notification, "params"), *shown = json_object_get(params, "signal");
    const double least = reply_number(shown, "min"), most = reply_number(shown, "max");
    reach->least = reach->any ? fmin(reach->least, least) : least;
    reach->most = reach->any ? fmax(reach->most, most) : most;
    reach->noise = reply_number(json_object_get(params, "state"), "hysteresis");
    reach->any = true;
}

/* What is not known is NAN, and nothing is larger. */
bool signal_reach_moves(const struct signal_reach *reach)
{
    return reach->any && reach->most - reach->least > reach->noise;
}
