/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl zero: the present position of a channel becomes its zero. */

#include "client/command.h"
#include "client/reply.h"

#include <stdio.h>

static enum exit_status print_zero(struct client *client, const json_t *reply)
{
    (void)client;
    printf("rig %s, channel %s: what was at %.6g %s is zero now\n", reply_text(reply, "rig", "?"),
           reply_text(reply, "channel", "?"), reply_number(reply, "position"), reply_text(reply, "unit", ""));
    return STATUS_OK;
}

static enum exit_status run_zero(struct client *client)
{
    const struct options *options = &client->options;
    json_t *params = json_pack("{s:s}", "channel", options->arguments[0]);
    if (options->given & OPTION_RIG)
        json_object_set_new(params, "rig", json_string(options->rig));
    json_t *reply;
    enum exit_status status = client_ask(client, "zero", params, &reply);
    return status == STATUS_OK ? client_print(client, reply, print_zero) : status;
}

const struct command command_zero = {.name = "zero",
                                     .summary = "the present position of a channel becomes its zero",
                                     .options = OPTION_RIG,
                                     .operand = WORD_CHANNEL,
                                     .least = 1,
                                     .most = 1,
                                     .run = run_zero};
