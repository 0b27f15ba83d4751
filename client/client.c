/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connect, ask, explain what went wrong: what every command does before it has anything to print. */

#include "client/client.h"

#include "proto/address.h"
#include "proto/jsonrpc.h"
#include "proto/plain_text.h"

#include <math.h>

double client_timeout(const struct client *client, double otherwise)
{
    return isnan(client->options.timeout_s) ? otherwise : client->options.timeout_s;
}

/* --timeout holds for connecting and for each answer alike. */
enum exit_status client_connect(struct client *client)
{
    struct complaint complaint;
    const char *path = fricid_socket_path(client->options.socket);
    double timeout_s = client_timeout(client, CLIENT_TIMEOUT_S);
    enum exit_status status = connection_open(path, timeout_s, &client->connection, &complaint);
    if (status != STATUS_OK)
        screen_message(&client->screen, "%s", complaint.text);
    return status;
}

enum exit_status client_connect_own(struct client *client)
{
    struct complaint complaint;
    const double timeout_s = client_timeout(client, CLIENT_TIMEOUT_S);
    enum exit_status status = own_daemon_start(&client->own, timeout_s, &client->connection, &complaint);
    if (status != STATUS_OK)
        screen_message(&client->screen, "%s", complaint.text);
    return status;
}

enum exit_status client_connect_or_own(struct client *client)
{
    struct complaint complaint;
    const char *path = fricid_socket_path(client->options.socket);
    const double timeout_s = client_timeout(client, CLIENT_TIMEOUT_S);
    const enum exit_status status = connection_open(path, timeout_s, &client->connection, &complaint);
    if (status == STATUS_NOT_REACHABLE && fricid_socket_is_default(client->options.socket)) {
        screen_message(&client->screen,
                       "fricidd does not run at %s: one is started for this alone, without the "
                       "configuration, as with --alone",
                       path);
        return client_connect_own(client);
    }
    if (status != STATUS_OK)
        screen_message(&client->screen, "%s", complaint.text);
    return status;
}

enum exit_status client_ask(struct client *client, const char *method, json_t *params, json_t **result)
{
    return client_ask_within(client, method, params, client_timeout(client, CLIENT_TIMEOUT_S), result);
}

/* `may_be_gone`: that there is nothing of the kind is an answer, too. */
static enum exit_status ask(struct client *client, const char *method, json_t *params, double timeout_s,
                            bool may_be_gone, json_t **result)
{
    struct complaint complaint;
    enum exit_status status = client->connection ? STATUS_OK : client_connect(client);
    if (status != STATUS_OK) {
        json_decref(params);
        return status;
    }
    status = connection_call(client->connection, method, params, timeout_s, result, &complaint);
    if (status == STATUS_FAILED && may_be_gone && connection_refusal(client->connection) == JSONRPC_NOT_FOUND) {
        *result = NULL;
        return STATUS_OK;
    }
    if (status != STATUS_OK) {
        screen_message(&client->screen, "%s", complaint.text);
        return status;
    }
    /* With --json the strings stay what they are; what a terminal would obey is escaped when it is printed. */
    if (!client->options.json && !client->verbatim && plain_tree(*result, client->screen.glyphs->ascii) < 0) {
        json_decref(*result);
        *result = NULL;
        return screen_no_memory(&client->screen);
    }
    return STATUS_OK;
}

enum exit_status client_ask_within(struct client *client, const char *method, json_t *params, double timeout_s,
                                   json_t **result)
{
    return ask(client, method, params, timeout_s, false, result);
}

enum exit_status client_ask_held(struct client *client, const char *method, json_t *params, json_t **result)
{
    return ask(client, method, params, client_timeout(client, CLIENT_TIMEOUT_S), true, result);
}

enum exit_status client_named_id(const struct client *client, const char *of, int64_t *id)
{
    const char *word = client->options.arguments[0];
    if (options_id(word, id) < 0) {
        screen_message(&client->screen, "%s wants the id of a %s, such as 42, not '%s'; see: fricidctl results",
                       client->options.command, of, word);
        return STATUS_USAGE;
    }
    return STATUS_OK;
}

enum exit_status client_print(struct client *client, json_t *reply,
                              enum exit_status (*print)(struct client *client, const json_t *reply))
{
    enum exit_status status = STATUS_OK;
    if (client->options.json)
        screen_json(&client->screen, reply);
    else
        status = print(client, reply);
    json_decref(reply);
    return status;
}

void client_tell_file(const struct client *client, json_t *about, const char *path)
{
    if (client->options.json && json_object_set_new(about, "file", json_string(path)) == 0)
        screen_json(&client->screen, about);
    else if (client->screen.terminal)
        plain_print(stdout, "%s", path);
    else
        printf("%s\n", path);
    json_decref(about);
}

enum exit_status client_ask_named_result(struct client *client, json_t **result)
{
    int64_t id;
    enum exit_status status = client_named_id(client, "result", &id);
    if (status != STATUS_OK)
        return status;
    return client_ask(client, "results.get", json_pack("{s:I}", "id", (json_int_t)id), result);
}
