/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl protect, unprotect, reidentify and backup: what is done with the store. */

#include "client/command.h"
#include "client/filter.h"
#include "client/record_file.h"
#include "client/reply.h"
#include "proto/plain_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Thousands of decays are identified while one waits. */
static const double patience_s = 1e6;

static bool are_ids(const struct client *client)
{
    const struct options *options = &client->options;
    int64_t id;
    for (int i = 0; i < options->argument_count; i++) {
        if (options_number(options->arguments[i], 1, &id) < 0) {
            screen_message(&client->screen, "'%s' is not the id of a decay", options->arguments[i]);
            return false;
        }
    }
    return true;
}

/* One that the daemon refuses keeps none of the others. */
static enum exit_status protect(struct client *client, bool protected)
{
    const struct options *options = &client->options;
    enum exit_status worst = STATUS_OK;
    if (!are_ids(client))
        return STATUS_USAGE;
    json_t *done = json_array();
    for (int i = 0; i < options->argument_count && worst != STATUS_NOT_REACHABLE; i++) {
        int64_t id = 0;
        json_t *reply;
        options_number(options->arguments[i], 1, &id);
        enum exit_status status = client_ask(
            client, "protect", json_pack("{s:I, s:b}", "id", (json_int_t)id, "protected", protected), &reply);
        if (status == STATUS_OK) {
            json_decref(reply);
            json_array_append_new(done, json_integer(id));
            continue;
        }
        screen_message(&client->screen, "decay %" PRId64 " could not be %s", id,
                       protected ? "protected" : "unprotected");
        worst = status;
    }
    json_t *object = json_pack("{s:b, s:o}", "protected", protected, "ids", done);
    if (client->options.json && json_array_size(done) > 0)
        screen_json(&client->screen, object);
    json_decref(object);
    return worst;
}

static enum exit_status run_protect(struct client *client)
{
    return protect(client, true);
}

static enum exit_status run_unprotect(struct client *client)
{
    return protect(client, false);
}

/* --- identifying again --- */

static void print_value(const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    fputs(text ? text : "?", stdout);
    free(text);
}

static void print_changes(const json_t *reply)
{
    size_t i;
    json_t *change;
    json_array_foreach (json_object_get(reply, "changes"), i, change) {
        printf("%lld  %s: ", (long long)reply_integer(change, "id", 0), reply_text(change, "key", "?"));
        print_value(json_object_get(change, "before"));
        fputs(" -> ", stdout);
        print_value(json_object_get(change, "after"));
        putchar('\n');
    }
    int64_t left_out = reply_integer(reply, "changes_left_out", 0);
    if (left_out > 0)
        printf("and %lld more changes\n", (long long)left_out);
}

/* A check that finds changes, and an order that could not be carried out for every decay, do not count as success. */
static enum exit_status run_reidentify(struct client *client)
{
    bool check = (client->options.given & OPTION_CHECK) != 0;
    json_t *params = filter_params(client), *reply;
    if (!params)
        return STATUS_USAGE;
    json_object_set_new(params, "check", json_boolean(check));
    enum exit_status status =
        client_ask_within(client, "reidentify", params, client_timeout(client, patience_s), &reply);
    if (status != STATUS_OK)
        return status;
    long long decays = (long long)reply_integer(reply, "decays", 0),
              failed = (long long)reply_integer(reply, "failed", 0);
    long long changed = (long long)reply_integer(reply, "changed", 0);
    if (client->options.json) {
        screen_json(&client->screen, reply);
    } else {
        print_changes(reply);
        if (check)
            printf("%lld records identified and compared: %lld differ from what is stored\n", decays, changed);
        else
            printf("%lld records identified again: the earlier results stay as earlier revisions\n", decays - failed);
        if (failed > 0)
            printf("%lld could not be read or identified\n", failed);
    }
    json_decref(reply);
    return failed > 0 || (check && changed > 0) ? STATUS_FAILED : STATUS_OK;
}

/* --- backup --- */

struct copy {
    struct record_file file;
    uint64_t bytes, hash;
};

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *place = c ? strchr(digits, c) : NULL;
    return place ? (int)(place - digits) : -1;
}

static void put(struct copy *copy, unsigned byte)
{
    putc((int)byte, copy->file.stream);
    copy->hash = (copy->hash ^ byte) * UINT64_C(0x100000001b3);
    copy->bytes++;
}

/* RFC 4648, section 4. What is no such text ends the piece: the checksum tells. */
static void write_base64(struct copy *copy, const char *text)
{
    for (; text[0] && text[1] && text[2] && text[3]; text += 4) {
        int a = digit(text[0]), b = digit(text[1]), c = digit(text[2]), d = digit(text[3]);
        if (a < 0 || b < 0)
            return;
        put(copy, (unsigned)(a << 2 | b >> 4) & 255);
        if (c >= 0)
            put(copy, (unsigned)(b << 4 | c >> 2) & 255);
        if (c >= 0 && d >= 0)
            put(copy, (unsigned)(c << 6 | d) & 255);
    }
}

static enum exit_status fetch(struct client *client, int64_t number, uint64_t bytes, struct copy *copy)
{
    while (copy->bytes < bytes) {
        json_t *reply;
        uint64_t before = copy->bytes;
        json_t *params = json_pack("{s:I, s:I}", "backup", (json_int_t)number, "offset", (json_int_t)copy->bytes);
        enum exit_status status = client_ask(client, "backup.read", params, &reply);
        if (status != STATUS_OK)
            return status;
        write_base64(copy, reply_text(reply, "data", ""));
        json_decref(reply);
        if (!record_file_good(&copy->file) || copy->bytes == before)
            return STATUS_FAILED;
    }
    return STATUS_OK;
}

/* The same as in the daemon. */
static enum exit_status take(struct client *client, const json_t *begun, struct copy *copy)
{
    uint64_t checksum = strtoull(reply_text(begun, "checksum", ""), NULL, 16);
    enum exit_status status =
        fetch(client, reply_integer(begun, "backup", 0), (uint64_t)reply_integer(begun, "bytes", 0), copy);
    if (status == STATUS_OK && copy->hash != checksum) {
        screen_message(&client->screen, "what came is not what was sent: its checksum is wrong");
        status = STATUS_FAILED;
    }
    return status;
}

static enum exit_status back_up(struct client *client, struct copy *copy)
{
    json_t *begun, *ended;
    client->verbatim = true; /* the pieces are no text for people */
    enum exit_status status =
        client_ask_within(client, "backup.begin", NULL, client_timeout(client, patience_s), &begun);
    if (status != STATUS_OK)
        return status;
    status = take(client, begun, copy);
    if (client_ask(client, "backup.end", json_pack("{s:I}", "backup", (json_int_t)reply_integer(begun, "backup", 0)),
                   &ended) == STATUS_OK)
        json_decref(ended);
    /* A disk that takes no more is told of there. */
    bool keep = status == STATUS_OK || !record_file_good(&copy->file);
    if (!record_file_close(&copy->file, keep, &client->screen))
        status = STATUS_FAILED;
    if (status == STATUS_OK && client->options.json)
        screen_json(&client->screen, begun);
    else if (status == STATUS_OK)
        plain_print(stdout, "%s: %lld bytes, the store as it was a moment ago", client->options.arguments[0],
                    (long long)reply_integer(begun, "bytes", 0));
    json_decref(begun);
    return status;
}

/* A file that is there already is a lab's: it is looked at before the daemon copies anything. */
static enum exit_status run_backup(struct client *client)
{
    struct copy copy = {.hash = UINT64_C(0xcbf29ce484222325)};
    const char *path = client->options.arguments[0];
    if (strcmp(path, "-") == 0) {
        screen_message(&client->screen, "a backup needs the name of a file");
        return STATUS_USAGE;
    }
    if (!record_file_open(&copy.file, path, client->options.given & OPTION_FORCE, &client->screen)) {
        record_file_close(&copy.file, false, &client->screen);
        return STATUS_USAGE;
    }
    enum exit_status status = back_up(client, &copy);
    record_file_close(&copy.file, false, &client->screen);
    return status;
}

const struct command command_protect = {.name = "protect",
                                        .summary = "keep these decays, however old they get",
                                        .operand = WORD_ID,
                                        .least = 1,
                                        .most = INT_MAX,
                                        .run = run_protect};

const struct command command_unprotect = {.name = "unprotect",
                                          .summary = "these decays may go when they are old",
                                          .operand = WORD_ID,
                                          .least = 1,
                                          .most = INT_MAX,
                                          .run = run_unprotect};

const struct command command_reidentify = {.name = "reidentify",
                                           .summary = "identify stored decays again, as new revisions; or compare only",
                                           .options = OPTIONS_FILTER | OPTION_CHECK,
                                           .run = run_reidentify};

const struct command command_backup = {.name = "backup",
                                       .summary = "a copy of the whole store, while the daemon works",
                                       .options = OPTION_FORCE,
                                       .operand = WORD_FILE,
                                       .least = 1,
                                       .most = 1,
                                       .run = run_backup};
