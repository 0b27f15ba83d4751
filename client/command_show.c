/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl show: one result in full. */

#include "client/commands.h"
#include "client/reply.h"
#include "client/show.h"

#include <stdio.h>

static enum exit_status print_sheet(const struct client *client, const json_t *result)
{
    bool intervals = client->options.given & OPTION_INTERVALS;
    if (show_result(result, NULL, intervals, client->screen.glyphs) < 0) {
        screen_message(&client->screen, "not enough memory");
        return STATUS_FAILED;
    }
    if (reply_recommended(result))
        show_legend(intervals, client->screen.glyphs);
    return STATUS_OK;
}

static enum exit_status run_show(struct client *client)
{
    json_t *result;
    enum exit_status status = client_ask_named_result(client, &result);
    if (status != STATUS_OK)
        return status;
    if (client->options.json)
        screen_json(&client->screen, result);
    else
        status = print_sheet(client, result);
    if (status == STATUS_OK && !reply_is_ok(result))
        status = STATUS_NO_RESULT;
    json_decref(result);
    return status;
}

const struct command command_show = {.name = "show",
                                     .summary = "everything about one result",
                                     .options = OPTION_INTERVALS,
                                     .operand = WORD_ID,
                                     .least = 1,
                                     .most = 1,
                                     .run = run_show};
