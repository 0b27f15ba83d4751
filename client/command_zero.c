/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl zero: the present position of a channel becomes its zero. */

#include "client/command.h"
#include "client/reply.h"
#include "client/signal_feed.h"

#include <stdio.h>

static enum exit_status print_zero(struct client *client, const json_t *reply)
{
    (void)client;
    printf("rig %s, channel %s: what was at %.6g %s is zero now\n", reply_text(reply, "rig", "?"),
           reply_text(reply, "channel", "?"), reply_number(reply, "position"), reply_text(reply, "unit", ""));
    return STATUS_OK;
}

/* A daemon that stands still for a while shows nothing, either: of one that has answered since then, and is silent
 * still, the channel measures nothing and *notification is NULL. */
static enum exit_status next_window(const struct signal_feed *feed, json_t **notification)
{
    json_t *reply;
    enum exit_status status = signal_feed_next(feed, notification);
    if (status != STATUS_OK || *notification)
        return status;
    status = client_ask(feed->client, "version", NULL, &reply);
    if (status != STATUS_OK)
        return status;
    json_decref(reply);
    return signal_feed_next(feed, notification);
}

/* Where a moving mass is at the moment is no place that anybody meant. Two windows: the first may have just begun. What
 * measures nothing does not move; why it has no zero, the daemon says. */
static enum exit_status check_rest(struct client *client)
{
    const struct options *options = &client->options;
    struct signal_feed feed = {.client = client,
                               .rig = options->given & OPTION_RIG ? options->rig : NULL,
                               .channel = options->arguments[0],
                               .may_be_silent = true};
    struct signal_reach reach = {.any = false};
    enum exit_status status = signal_feed_open(&feed);
    for (int window = 0; status == STATUS_OK && window < 2; window++) {
        json_t *notification;
        status = next_window(&feed, &notification);
        if (status != STATUS_OK || !notification)
            break;
        signal_reach_add(&reach, notification);
        json_decref(notification);
    }
    if (status != STATUS_OK || !signal_reach_moves(&reach))
        return status;
    screen_message(&client->screen,
                   "channel %s moves, from %.4g to %.4g in a fifth of a second: wait until it rests; "
                   "--anyway takes what it is at",
                   feed.channel, reach.least, reach.most);
    return STATUS_FAILED;
}

static enum exit_status run_zero(struct client *client)
{
    const struct options *options = &client->options;
    const enum exit_status rests = options->given & OPTION_ANYWAY ? STATUS_OK : check_rest(client);
    if (rests != STATUS_OK)
        return rests;
    json_t *params = json_pack("{s:s}", "channel", options->arguments[0]);
    if (options->given & OPTION_RIG)
        json_object_set_new(params, "rig", json_string(options->rig));
    json_t *reply;
    enum exit_status status = client_ask(client, "zero", params, &reply);
    return status == STATUS_OK ? client_print(client, reply, print_zero) : status;
}

const struct command command_zero = {.name = "zero",
                                     .summary = "the present position of a channel becomes its zero",
                                     .options = OPTION_RIG | OPTION_ANYWAY,
                                     .operand = WORD_CHANNEL,
                                     .least = 1,
                                     .most = 1,
                                     .run = run_zero};
