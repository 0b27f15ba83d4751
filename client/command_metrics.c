/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl metrics: the daemon's counters for Prometheus. */

#include "client/command.h"
#include "client/metrics.h"

#include <stdio.h>

static enum exit_status print_metrics(struct client *client, const json_t *reply)
{
    (void)client;
    metrics_write(reply, stdout);
    return STATUS_OK;
}

/* Labels must be the names as they are, whatever a terminal would make of them. With --json the same figures come as
 * the daemon gave them. */
static enum exit_status run_metrics(struct client *client)
{
    json_t *reply;
    client->verbatim = true;
    enum exit_status status = client_ask(client, "status", NULL, &reply);
    return status == STATUS_OK ? client_print(client, reply, print_metrics) : status;
}

const struct command command_metrics = {
    .name = "metrics", .summary = "the daemon's counters, as Prometheus reads them", .run = run_metrics};
