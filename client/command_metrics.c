/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl metrics: the daemon's counters for Prometheus. */

#include "client/command.h"
#include "client/metrics.h"

#include <stdio.h>

/* Labels must be the names as they are, whatever a terminal would make of them. With --json the same figures come as
 * the daemon gave them. */
static enum exit_status run_metrics(struct client *client)
{
    json_t *reply;
    client->verbatim = true;
    enum exit_status status = client_ask(client, "status", NULL, &reply);
    if (status != STATUS_OK)
        return status;
    if (client->options.json)
        screen_json(&client->screen, reply);
    else
        metrics_write(reply, stdout);
    json_decref(reply);
    return status;
}

const struct command command_metrics = {
    .name = "metrics", .summary = "the daemon's counters, as Prometheus reads them", .run = run_metrics};
