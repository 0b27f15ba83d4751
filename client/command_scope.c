/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl scope: what the sensors say now, for whoever sets one up. */

#include "client/columns.h"
#include "client/command.h"
#include "client/figures.h"
#include "client/reply.h"
#include "client/signal_feed.h"
#include "client/signal_warning.h"
#include "proto/plain_text.h"

#include <stdio.h>

static struct phrase member_text(const json_t *params, const struct column *column, const struct glyphs *glyphs)
{
    return phrase_format("%s", reply_text(params, column->quantity, glyphs->missing));
}

static struct phrase mean_text(const json_t *params, const struct column *column, const struct glyphs *glyphs)
{
    const json_t *measured = json_object_get(params, "signal");
    return figure_rounded(reply_number(measured, column->quantity), 6, reply_text(params, "unit", ""), glyphs);
}

static struct phrase range_text(const json_t *params, const struct column *column, const struct glyphs *glyphs)
{
    const json_t *measured = json_object_get(params, "signal");
    (void)column;
    return phrase_format("%s %s %s", figure_rounded(reply_number(measured, "min"), 6, "", glyphs).text, glyphs->to,
                         figure_rounded(reply_number(measured, "max"), 6, reply_text(params, "unit", ""), glyphs).text);
}

static struct phrase level_text(const json_t *params, const struct column *column, const struct glyphs *glyphs)
{
    const json_t *state = json_object_get(params, "state");
    const double level = reply_number(state, column->quantity);
    return phrase_format("%s %s", column->name, figure_rounded(level, 2, reply_text(params, "unit", ""), glyphs).text);
}

static struct phrase phase_text(const json_t *params, const struct column *column, const struct glyphs *glyphs)
{
    return phrase_format("%s", reply_text(json_object_get(params, "state"), column->quantity, glyphs->missing));
}

static struct phrase warnings_text(const json_t *params, const struct column *column, const struct glyphs *glyphs)
{
    (void)column;
    (void)glyphs;
    return signal_warning(params);
}

static const struct column columns[] = {
    {.name = "rig", .quantity = "rig", .rank = 3, .text = member_text},
    {.name = "channel", .quantity = "channel", .text = member_text},
    {.name = "mean", .quantity = "mean", .text = mean_text},
    {.name = "range", .rank = 4, .text = range_text},
    {.name = "noise", .quantity = "noise_floor", .rank = 5, .text = level_text},
    {.name = "threshold", .quantity = "hysteresis", .rank = 6, .text = level_text},
    {.name = "phase", .quantity = "phase", .rank = 2, .text = phase_text},
    {.name = "warnings", .rank = 1, .text = warnings_text},
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* A table of one row: the next line is another time, and of another channel. */
static enum exit_status print_signal(const struct client *client, const json_t *params)
{
    struct column_choice choice;
    struct table *table = table_create();
    enum exit_status status = columns_wanted(client, columns, COLUMNS, &choice);
    if (status == STATUS_OK)
        columns_add_row(table, &choice, params, client->screen.glyphs);
    if (status == STATUS_OK)
        columns_fit(table, &choice, screen_room(&client->screen));
    if (status == STATUS_OK && table_print(table, "", screen_room(&client->screen), stdout) != 0)
        status = screen_no_memory(&client->screen);
    table_destroy(table);
    return status;
}

/* Until --count lines, or until it is stopped. */
static enum exit_status run_scope(struct client *client)
{
    const struct options *options = &client->options;
    struct signal_feed feed = {.client = client,
                               .rig = options->given & OPTION_RIG ? options->rig : NULL,
                               .channel = options->argument_count > 0 ? options->arguments[0] : NULL};
    enum exit_status status = signal_feed_open(&feed);
    for (int64_t shown = 0; status == STATUS_OK && !(options->given & OPTION_COUNT && shown >= options->count);
         shown++) {
        json_t *notification;
        status = signal_feed_next(&feed, &notification);
        if (status != STATUS_OK)
            break;
        json_t *params = json_object_get(notification, "params");
        if (options->json)
            screen_json(&client->screen, notification);
        else if (plain_tree(params, client->screen.glyphs->ascii) == 0)
            status = print_signal(client, params);
        json_decref(notification);
        if (fflush(stdout) != 0)
            return STATUS_FAILED;
    }
    return status;
}

const struct command command_scope = {.name = "scope",
                                      .summary = "what the sensors say now: values, noise, thresholds, clipping",
                                      .options = OPTION_RIG | OPTION_COUNT | OPTION_COLUMNS,
                                      .operand = WORD_CHANNEL,
                                      .most = 1,
                                      .run = run_scope};
