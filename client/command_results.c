/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl results: the table of what was identified, page by page from the daemon. */

#include "client/command.h"
#include "client/describe.h"
#include "client/filter.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/show_judgement.h"
#include "client/show_table.h"
#include "client/table.h"
#include "proto/quote.h"
#include "proto/utf8.h"

#include <stdio.h>
#include <stdlib.h>

/* How many a page of the protocol: summaries of that many fit in one line of it. */
enum { PAGE = 200, DEFAULT_LIMIT = 100 };

/* NULL after a message. `cursor`: where the page before ended; NULL: from the beginning. */
static json_t *page_params(struct client *client, int64_t wanted, const char *cursor)
{
    const struct options *options = &client->options;
    json_t *params = filter_params(client);
    if (!params)
        return NULL;
    json_object_set_new(params, "limit", json_integer(wanted < PAGE ? wanted : PAGE));
    if (options->sort)
        json_object_set_new(params, "sort", json_string(options->sort));
    if (options->given & OPTION_ASCENDING)
        json_object_set_new(params, "ascending", json_true());
    if (cursor)
        json_object_set_new(params, "cursor", json_string(cursor));
    else if (options->given & OPTION_BEFORE)
        json_object_set_new(params, "before_id", json_integer(options->before));
    return params;
}

static enum exit_status ask_page(struct client *client, int64_t wanted, const char *cursor, json_t **reply)
{
    json_t *params = page_params(client, wanted, cursor);
    return params ? client_ask(client, "results.list", params, reply) : STATUS_USAGE;
}

/* A daemon of protocol 1.0 knows no cursor: its pages go on before an id. True: there is a next page. */
static bool go_on_before_id(struct client *client, const json_t *reply)
{
    int64_t before = reply_integer(reply, "next_before_id", 0);
    if (before <= 0 || json_object_get(reply, "next_cursor"))
        return false;
    client->options.before = before;
    client->options.given |= OPTION_BEFORE;
    return true;
}

/* Asks for page after page; *reply is the last page with the summaries of all of them. */
static enum exit_status collect(struct client *client, json_t **reply)
{
    const struct options *options = &client->options;
    int64_t wanted = options->given & OPTION_LIMIT ? options->limit : DEFAULT_LIMIT;
    char cursor[64] = "";
    json_t *all = json_array();
    enum exit_status status;
    *reply = NULL;
    do {
        json_decref(*reply);
        *reply = NULL;
        status = ask_page(client, wanted, cursor[0] ? cursor : options->cursor, reply);
        if (status != STATUS_OK)
            break;
        json_t *page = json_object_get(*reply, "results");
        wanted -= (int64_t)json_array_size(page);
        utf8_copy(cursor, sizeof cursor, json_array_size(page) > 0 ? reply_text(*reply, "next_cursor", "") : "");
        json_array_extend(all, page);
    } while (wanted > 0 && (cursor[0] || go_on_before_id(client, *reply)));
    if (status == STATUS_OK)
        json_object_set(*reply, "results", all);
    json_decref(all);
    return status;
}

static void cells(struct table *table, const char *const texts[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        table_cell(table, "%s", texts[i]);
}

static void header(struct table *table, bool others, const struct glyphs *glyphs)
{
    struct field_cursor cursor = {0};
    cells(table, (const char *const[]){"ID", "RUN", "RIG", "CHANNEL", "SOURCE", "RELEASED (UTC)", "VERDICT", "MODEL"},
          8);
    while (next_headline(&summary_table, NULL, &cursor))
        table_cell(table, "%s", labelled_field(&cursor.field, NULL, glyphs).label);
    cells(table, (const char *const[]){"HALF CYCLES", "ENDED BY", "OF OTHER RECORDS"}, others ? 3 : 2);
    table_end_row(table);
}

static void estimate_cells(struct table *table, const json_t *summary, const struct glyphs *glyphs)
{
    struct field_cursor cursor = {0};
    while (next_headline(&summary_table, NULL, &cursor)) {
        const struct labelled field = labelled_field(&cursor.field, reply_displacement_unit(summary), glyphs);
        const struct figure figure = judgement_figure(summary, summary, field.name);
        table_cell(table, "%s", figure_short(&figure, field.unit.text, glyphs).text);
    }
}

/* What was handed in has a kind and figures of its own. */
static bool is_other(const json_t *summary)
{
    return json_object_get(summary, "figures");
}

static bool any_other(const json_t *summaries)
{
    bool any = false;
    size_t i;
    json_t *summary;
    json_array_foreach (summaries, i, summary)
        any = any || is_other(summary);
    return any;
}

static void add_other(struct table *table, const json_t *summary, const struct glyphs *glyphs)
{
    const char *kind = reply_text(summary, "kind", "");
    const struct phrase figures = describe_headlines(summary, glyphs);
    table_cell(table, "%s%s%s", is_other(summary) ? kind : "", *figures.text ? ": " : "", figures.text);
}

/* The estimates are those of the recommended method; a result without one keeps its row, with dashes. */
static void row(struct table *table, const json_t *summary, bool others, const struct glyphs *glyphs)
{
    const char *released = reply_text(summary, "released_at", NULL);
    const char *verdict = reply_text(summary, "verdict", glyphs->missing);
    char moment[sizeof "2026-11-21 14:00:03.204"]; /* without the time zone, which the head of the column names */
    table_cell(table, "%s", describe_count(summary, "id", glyphs).text);
    table_cell(table, "%s", describe_count(summary, "run_id", glyphs).text);
    table_cell(table, "%s", reply_text(summary, "rig", glyphs->missing));
    table_cell(table, "%s", reply_text(summary, "channel", glyphs->missing));
    table_cell(table, "%s", describe_source_kind(json_object_get(summary, "source")));
    if (released)
        utf8_copy(moment, sizeof moment, describe_moment(released).text);
    table_cell(table, "%s", released ? moment : glyphs->missing);
    table_cell(table, "%s", verdict);
    table_cell(table, "%s", describe_model(reply_text(summary, "model", glyphs->missing)).text);
    estimate_cells(table, summary, glyphs);
    table_cell(table, "%s", describe_count(summary, "half_cycles", glyphs).text);
    table_cell(table, "%s", reply_text(summary, "ended_by", glyphs->missing));
    if (others)
        add_other(table, summary, glyphs);
    table_end_row(table);
}

/* The place is the daemon's word, and people copy what they see. */
static void tell_next_page(const struct client *client, const char *cursor)
{
    char *word = quote_shell(cursor);
    screen_message(&client->screen, "the next ones: the same with --cursor %s", word ? word : "?");
    free(word);
}

static enum exit_status print_results(struct client *client, const json_t *reply)
{
    const struct glyphs *glyphs = client->screen.glyphs;
    const json_t *results = json_object_get(reply, "results");
    if (json_array_size(results) == 0) {
        screen_message(&client->screen, "%s",
                       client->options.given ? "no result matches" : "there is no result yet; see: fricidctl status");
        return STATUS_OK;
    }
    struct table *table = table_create();
    const bool others = any_other(results);
    header(table, others, glyphs);
    size_t i;
    json_t *summary;
    json_array_foreach (results, i, summary)
        row(table, summary, others, glyphs);
    enum exit_status status = table_print(table, "", stdout) == 0 ? STATUS_OK : screen_no_memory(&client->screen);
    table_destroy(table);
    /* A hint for people only: in a pipe it would be noise. */
    int64_t before = reply_integer(reply, "next_before_id", 0);
    if (before > 0 && client->screen.terminal)
        screen_message(&client->screen, "older ones: fricidctl results --before %lld", (long long)before);
    else if (client->screen.terminal && reply_text(reply, "next_cursor", NULL))
        tell_next_page(client, reply_text(reply, "next_cursor", ""));
    return status;
}

static enum exit_status run_results(struct client *client)
{
    json_t *reply;
    enum exit_status status = collect(client, &reply);
    return status == STATUS_OK ? client_print(client, reply, print_results) : status;
}

const struct command command_results = {.name = "results",
                                        .summary = "the latest results, newest first",
                                        .options = OPTIONS_FILTER | OPTION_SORT | OPTION_ASCENDING | OPTION_LIMIT |
                                                   OPTION_BEFORE | OPTION_CURSOR,
                                        .run = run_results};
