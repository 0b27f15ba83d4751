/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Summaries, page by page from the daemon. */

#include "client/results_pages.h"

#include "client/filter.h"
#include "client/reply.h"
#include "proto/utf8.h"

/* How many a page of the protocol: summaries of that many fit in one line of it. */
enum { PAGE = 200 };

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
        json_array_extend(all, page);
    } while (wanted > 0 && (cursor[0] || go_on_before_id(client, *reply)));
    if (status == STATUS_OK)
        json_object_set(*reply, "results", all);
    json_decref(all);
    return status;
}
