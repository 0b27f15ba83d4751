/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl plot: the picture of one decay, drawn by gnuplot. */

#include <config.h>

#include "client/command.h"
#include "client/picture.h"
#include "client/plot_file.h"
#include "client/plot_live.h"
#include "client/reply.h"

#include <unistd.h>

/* Of one that the daemon has. */
static enum exit_status plot_stored(struct client *client)
{
    json_t *result;
    enum exit_status status = client_ask_named_result(client, &result);
    if (status != STATUS_OK)
        return status;
    const long long id = (long long)reply_integer(result, "id", 0);
    const struct phrase usual = phrase_format("decay-%lld.svg", id);
    if (picture_exists(result)) {
        status = picture_draw(client, &(struct picture){result, usual.text, NULL});
    } else {
        screen_message(&client->screen,
                       "record %lld is of the kind %s: there are pictures of free decays, ring-downs, loops, curves "
                       "and responses only",
                       id, reply_text(result, "kind", ""));
        status = STATUS_USAGE;
    }
    json_decref(result);
    return status;
}

static enum exit_status plot_past(struct client *client)
{
    const char *word = client->options.arguments[0];
    const option_set of_files = OPTION_CHANNEL | OPTION_DECAY | OPTION_WHOLE | OPTION_KIND | OPTIONS_MANNER;
    const option_set strange = client->options.given & of_files;
    int64_t id;
    const bool is_id = options_id(word, &id) == 0;
    if (!is_id && access(word, F_OK) == 0)
        return plot_file(client, word);
    if (is_id && !strange)
        return plot_stored(client);
    if (!is_id)
        screen_message(&client->screen,
                       "plot wants the id of a result, such as 42, or a recording, and there is no file '%s'; see: "
                       "fricidctl results",
                       word);
    else
        screen_message(&client->screen, "%s is said of a file, and there is no file %s", options_name(strange), word);
    return STATUS_USAGE;
}

static enum exit_status plot_now(struct client *client)
{
    const option_set strange = client->options.given & ~(option_set)(OPTION_LIVE | OPTION_LAST | OPTION_FOR);
    if (!strange)
        return plot_live(client);
    screen_message(&client->screen, "%s does not go with --live", options_name(strange));
    return STATUS_USAGE;
}

/* Either goes on, or is over. */
static enum exit_status run_plot(struct client *client)
{
    const option_set lasting = client->options.given & (OPTION_LAST | OPTION_FOR);
    if (client->options.given & OPTION_LIVE)
        return plot_now(client);
    if (client->options.argument_count == 1 && !lasting)
        return plot_past(client);
    screen_message(&client->screen, "plot wants the id of a result or a recording, or --live and a rig");
    return STATUS_USAGE;
}

const struct command command_plot = {
    .name = "plot",
    .summary = "a picture of one result, or of those of a file, and of what the identified "
               "motion leaves over; or of a rig as it goes on",
    .options = OPTION_OUTPUT | OPTION_FORCE | OPTION_CHANNEL | OPTION_DECAY | OPTION_WHOLE | OPTION_KIND |
               OPTIONS_MANNER | OPTION_LIVE | OPTION_LAST | OPTION_FOR,
    .operand = WORD_ID_OR_FILE,
    .most = 1,
    .run = run_plot};
