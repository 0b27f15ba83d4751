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

enum exit_status command_show(struct client *client)
{
    const char *word = client->options.arguments[0];
    int64_t id;
    json_t *result;
    /* The tables write #42, and people copy what they see. */
    if (options_number(*word == '#' ? word + 1 : word, 1, &id) < 0) {
        screen_message(&client->screen, "show wants the id of a result, such as 42, not '%s'; see: fricidctl results",
                       word);
        return STATUS_USAGE;
    }
    enum exit_status status = client_ask(client, "results.get", json_pack("{s:I}", "id", (json_int_t)id), &result);
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
