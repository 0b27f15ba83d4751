/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Summaries, page by page from the daemon. */

#include "client/results_pages.h"

#include "client/filter.h"
#include "client/reply.h"
#include "proto/utf8.h"

#include <string.h>

/* How many a page of the protocol: summaries of that many fit in one line of it. */
enum { PAGE = 200 };

static bool is_utf8_or_none(const char *text)
{
    return !text || is_utf8(text, strlen(text));
}

/* NULL after a message. `cursor`: where the page before ended; NULL: from the beginning. */
static json_t *page_params(struct client *client, int64_t wanted, const char *cursor)
{
    const struct options *options = &client->options;
    json_t *params = filter_params(client);
    if (!params)
        return NULL;
    bool added = json_object_set_new(params, "limit", json_integer(wanted < PAGE ? wanted : PAGE)) == 0;
    if (options->sort)
        added = added && json_object_set_new(params, "sort", json_string(options->sort)) == 0;
    if (options->given & OPTION_ASCENDING)
        added = added && json_object_set_new(params, "ascending", json_true()) == 0;
    if (cursor)
        added = added && json_object_set_new(params, "cursor", json_string(cursor)) == 0;
    else if (options->given & OPTION_BEFORE)
        added = added && json_object_set_new(params, "before_id", json_integer(options->before)) == 0;
    if (added)
        return params;
    json_decref(params);
    if (is_utf8_or_none(options->sort) && is_utf8_or_none(cursor))
        screen_no_memory(&client->screen);
    else
        screen_message(&client->screen, "an order and a cursor must be UTF-8 text");
    return NULL;
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

enum exit_status results_pages_ask(struct client *client, int64_t most, json_t **reply)
{
    int64_t wanted = most;
    char cursor[64] = "";
    json_t *all = json_array();
    enum exit_status status;
    *reply = NULL;
    do {
        json_decref(*reply);
        *reply = NULL;
        status = ask_page(client, wanted, cursor[0] ? cursor : client->options.cursor, reply);
        if (status != STATUS_OK)
            break;
        json_t *page = json_object_get(*reply, "results");
        wanted -= (int64_t)json_array_size(page);
        utf8_copy(cursor, sizeof cursor, json_array_size(page) > 0 ? reply_text(*reply, "next_cursor", "") : "");
        if (!all || (json_is_array(page) && json_array_extend(all, page) < 0))
            status = screen_no_memory(&client->screen);
    } while (status == STATUS_OK && wanted > 0 && (cursor[0] || go_on_before_id(client, *reply)));
    if (status == STATUS_OK && json_object_set(*reply, "results", all) < 0)
        status = screen_no_memory(&client->screen);
    if (status != STATUS_OK) {
        json_decref(*reply);
        *reply = NULL;
    }
    json_decref(all);
    return status;
}
