/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl show: one result in full. */

#include "client/command.h"
#include "client/reply.h"
#include "client/show.h"
#include "client/show_table.h"
#include "proto/plain_text.h"

/* The decays of its run into *members; NULL: a daemon of before 1.2 does not know of runs. One without a store on a
 * disk knows the results of a run only, and neither remarks nor protection. */
static enum exit_status ask_run(struct client *client, const json_t *result, json_t **members)
{
    const int64_t run = reply_integer(result, "run_id", 0);
    const double timeout_s = client_timeout(client, CLIENT_TIMEOUT_S);
    struct complaint complaint;
    json_t *reply = NULL;
    *members = NULL;
    if (run <= 0)
        return STATUS_OK;
    enum exit_status status = connection_call(
        client->connection, "runs.get", json_pack("{s:I}", "run_id", (json_int_t)run), timeout_s, &reply, &complaint);
    const bool has_traces = status == STATUS_OK;
    if (!has_traces)
        status = client_ask(client, "results.list", json_pack("{s:I}", "run_id", (json_int_t)run), &reply);
    if (status != STATUS_OK)
        return status;
    *members = json_incref(json_object_get(reply, has_traces ? "traces" : "results"));
    json_decref(reply);
    if (*members && plain_tree(*members, client->screen.glyphs->ascii) < 0)
        return screen_no_memory(&client->screen);
    return STATUS_OK;
}

static enum exit_status print_sheet(const struct client *client, const json_t *result, const json_t *run)
{
    bool intervals = client->options.given & OPTION_INTERVALS;
    if (show_result(result, NULL, run, intervals, client->screen.glyphs, stdout) < 0)
        return screen_no_memory(&client->screen);
    if (reply_recommended(result) || *describe_headlines(result, client->screen.glyphs).text)
        show_legend(intervals, client->screen.glyphs, stdout);
    return STATUS_OK;
}

static enum exit_status print_with_run(struct client *client, const json_t *result)
{
    json_t *run;
    enum exit_status status = ask_run(client, result, &run);
    if (status == STATUS_OK)
        status = print_sheet(client, result, run);
    json_decref(run);
    return status;
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
        status = print_with_run(client, result);
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
