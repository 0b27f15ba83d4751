/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl config: the configuration that the daemon runs under, or one that earlier results were made under. */

#include "client/command.h"
#include "client/reply.h"
#include "proto/plain_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Line by line, each as plain text: the ends of lines are the file's own. With --json the bytes are what was read. */
static enum exit_status print_text(const struct client *client, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        char *plain = line ? plain_text(line, client->screen.glyphs->ascii) : NULL;
        if (plain)
            puts(plain);
        free(plain);
        free(line);
        if (!plain)
            return screen_no_memory(&client->screen);
        text += length + (text[length] == '\n');
    }
    return STATUS_OK;
}

static enum exit_status print_config(struct client *client, const json_t *reply)
{
    const char *path = reply_text(reply, "path", NULL), *text = reply_text(reply, "text", "");
    screen_remark(&client->screen, "%s, configuration %s", path ? path : "built in",
                  reply_text(reply, "config_id", "?"));
    return print_text(client, text);
}

static enum exit_status run_config(struct client *client)
{
    const struct options *options = &client->options;
    json_t *reply, *params = NULL;
    if (options->argument_count > 0)
        params = json_pack("{s:s}", "config_id", options->arguments[0]);
    client->verbatim = true;
    enum exit_status status = client_ask(client, "config", params, &reply);
    return status == STATUS_OK ? client_print(client, reply, print_config) : status;
}

const struct command command_config = {.name = "config",
                                       .summary = "the running configuration, or that of a config_id",
                                       .operand = WORD_CONFIG,
                                       .most = 1,
                                       .run = run_config};
