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

enum exit_status signal_feed_open(struct signal_feed *feed)
{
    json_t *reply;
    enum exit_status status = client_ask(feed->client, "subscribe", json_pack("{s:[s]}", "topics", "signal"), &reply);
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
    double until_s = clock_monotonic_s() + patience_s;
    for (;;) {
        enum exit_status status = take_wanted(feed, notification);
        if (status != STATUS_OK || *notification)
            return status;
        struct pollfd wanted = {.fd = connection_descriptor(feed->client->connection), .events = POLLIN};
        int left_ms = (int)ceil(1e3 * (until_s - clock_monotonic_s()));
        if (left_ms <= 0 || (poll(&wanted, 1, left_ms) < 0 && errno != EINTR))
            break;
    }
    screen_message(&feed->client->screen, "%s%s measures nothing: see fricidctl status",
                   feed->channel ? "channel " : "the daemon", feed->channel ? feed->channel : "");
    return STATUS_NO_RESULT;
}
