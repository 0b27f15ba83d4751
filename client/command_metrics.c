/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl metrics: the daemon's counters, and each channel's latest figures, for Prometheus. */

#include "client/command.h"
#include "client/metrics.h"
#include "client/reply.h"

#include <stdio.h>

/* The id of a channel's latest result, also of one that an earlier daemon stored; 0: none. */
static json_int_t latest_id(struct client *client, const json_t *rig, const json_t *channel)
{
    const json_int_t last = reply_integer(json_object_get(channel, "last"), "id", 0);
    const char *names[] = {reply_text(rig, "name", ""), reply_text(channel, "name", "")};
    json_t *reply;
    if (last > 0 ||
        client_ask(client, "results.list", json_pack("{s:s,s:s,s:i}", "rig", names[0], "channel", names[1], "limit", 1),
                   &reply) != STATUS_OK)
        return last;
    const json_int_t id = reply_integer(json_array_get(json_object_get(reply, "results"), 0), "id", 0);
    json_decref(reply);
    return id;
}

/* Puts the latest result of a channel into it. One that is held no more has no figures. */
static void fetch_last(struct client *client, const json_t *rig, json_t *channel)
{
    const json_int_t id = latest_id(client, rig, channel);
    json_t *result;
    if (id > 0 && client_ask(client, "results.get", json_pack("{s:I}", "id", id), &result) == STATUS_OK)
        json_object_set_new(channel, METRICS_RESULT, result);
}

static enum exit_status print_metrics(struct client *client, const json_t *reply)
{
    size_t i, c;
    json_t *rig, *channel;
    json_array_foreach (json_object_get(reply, "rigs"), i, rig)
        json_array_foreach (json_object_get(rig, "channels"), c, channel)
            fetch_last(client, rig, channel);
    metrics_write(reply, stdout);
    return STATUS_OK;
}

/* Labels must be the names as they are, whatever a terminal would make of them. With --json the status comes as the
 * daemon gave it. */
static enum exit_status run_metrics(struct client *client)
{
    json_t *reply;
    client->verbatim = true;
    enum exit_status status = client_ask(client, "status", NULL, &reply);
    return status == STATUS_OK ? client_print(client, reply, print_metrics) : status;
}

const struct command command_metrics = {
    .name = "metrics", .summary = "counters and the latest figures, as Prometheus reads them", .run = run_metrics};
