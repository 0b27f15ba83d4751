/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl metrics: the daemon's counters, and each channel's latest figures, for Prometheus. */

#include "client/command.h"
#include "client/metrics.h"
#include "client/reply.h"

#include <stdio.h>

/* Puts the latest result of a channel beside its id. One that is held no more has no figures. */
static void fetch_last(struct client *client, const json_t *channel)
{
    json_t *last = json_object_get(channel, "last"), *result;
    const json_int_t id = reply_integer(last, "id", 0);
    if (id > 0 && client_ask(client, "results.get", json_pack("{s:I}", "id", id), &result) == STATUS_OK)
        json_object_set_new(last, METRICS_RESULT, result);
}

static enum exit_status print_metrics(struct client *client, const json_t *reply)
{
    size_t i, c;
    json_t *rig, *channel;
    json_array_foreach (json_object_get(reply, "rigs"), i, rig)
        json_array_foreach (json_object_get(rig, "channels"), c, channel)
            fetch_last(client, channel);
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
