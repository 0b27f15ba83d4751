/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl monitor: rigs, signals, decays, results and events on one screen. */

#include "client/command.h"
#include "client/monitor/monitor.h"
#include "client/monitor/terminal_check.h"

static enum exit_status run_monitor(struct client *client)
{
    struct complaint complaint;
    if (client->options.json) {
        screen_message(&client->screen, "monitor draws a screen; for a program there is fricidctl --json watch");
        return STATUS_USAGE;
    }
    if (terminal_check(&complaint) < 0) {
        screen_message(&client->screen, "%s", complaint.text);
        return STATUS_FAILED;
    }
    enum exit_status status = client_connect(client);
    return status == STATUS_OK ? monitor_run(client) : status;
}

const struct command command_monitor = {
    .name = "monitor", .summary = "rigs, signals, decays, results and events on one screen", .run = run_monitor};
