/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is done with the store on request: protecting decays, identifying them again, backups. All of it acts. */

#include "proto/base64.h"
#include "proto/cause.h"
#include "proto/json_value.h"
#include "report/compare_results.h"
#include "service/methods.h"
#include "service/results_filter.h"
#include "service/service_state.h"
#include "service/session_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(struct call *call, const struct maintenance_outcome *outcome, const char *not_there)
{
    switch (outcome->error) {
    case -ENOENT:
        call_fail(call, JSONRPC_NOT_FOUND, NULL, "%s", not_there);
        break;
    case -ESHUTDOWN:
        call_fail(call, JSONRPC_BUSY, NULL, "the daemon is ending: ask again when it has started anew");
        break;
    case -ENOSPC:
        call_fail(call, JSONRPC_BUSY, NULL, "the disk of the store has no room for a copy of it: make room");
        break;
    case -EUCLEAN:
        call_fail(call, JSONRPC_DAMAGED, NULL, "the store is damaged: an event tells more, and what is done about it");
        break;
    default:
        call_fail(call, JSONRPC_INTERNAL_ERROR, NULL, "that could not be done with the store: %s",
                  cause_of(outcome->error));
    }
}

/* Orders, and remembers that the call waits. */
static void order(struct call *call, const struct maintenance_order *what, maintenance_done done)
{
    const struct service_backend *backend = &call_session(call)->service->backend;
    if (!backend->maintenance) {
        call_fail(call, JSONRPC_NOT_FOUND, NULL, "decays are kept in memory only: there is no store on a disk");
        return;
    }
    long ticket = backend->maintenance(backend->keeper, what, done, call);
    if (ticket > 0)
        call->order = ticket;
    else if (ticket == -EROFS)
        call_fail(call, JSONRPC_BUSY, NULL,
                  "the store cannot be written at the moment, and nothing was done: `fricidctl status` says why");
    else
        call_fail(call, JSONRPC_BUSY, NULL, "too much is being done with the store: try again later");
}

static const char no_decay[] = "there is no such decay";
static const char no_file[] = "the store's file is not there";
static const char no_backup[] = "that backup is there no more: another one was begun, or the daemon was started anew";

/* The call does not wait any more. False: it has failed; `not_there` says so of what is missing. */
static bool succeeded(struct call *call, const struct maintenance_outcome *outcome, const char *not_there)
{
    call->order = 0;
    if (outcome->error)
        fail(call, outcome, not_there);
    return outcome->error == 0;
}

static void on_done(void *context, const struct maintenance_outcome *outcome)
{
    if (succeeded(context, outcome, no_decay))
        call_answer(context, json_object());
}

static void run_protect(struct call *call, const json_t *params)
{
    struct maintenance_order what = {.kind = MAINTENANCE_PROTECT,
                                     .query.id = (uint64_t)parameter_integer(params, "id", 0),
                                     .protect = parameter_flag(params, "protected", true)};
    order(call, &what, on_done);
}

static void on_identified_again(void *context, const struct maintenance_outcome *outcome)
{
    const struct result_changes *changes = outcome->changes;
    if (succeeded(context, outcome, no_decay))
        call_answer(context,
                    json_pack("{s:o, s:o, s:o, s:o, s:o}", "decays", count_to_json(outcome->decays), "changed",
                              count_to_json(outcome->changed), "failed", count_to_json(outcome->failed), "changes",
                              result_changes_to_json(changes), "changes_left_out", count_to_json(changes->left_out)));
}

static void run_reidentify(struct call *call, const json_t *params)
{
    struct maintenance_order what = {.kind = parameter_flag(params, "check", false) ? MAINTENANCE_CHECK
                                                                                    : MAINTENANCE_REIDENTIFY};
    if (read_query(call, params, &what.query))
        order(call, &what, on_identified_again);
}

static void on_backup(void *context, const struct maintenance_outcome *outcome)
{
    char checksum[17];
    snprintf(checksum, sizeof checksum, "%016" PRIx64, outcome->checksum);
    if (!succeeded(context, outcome, no_file))
        return;
    call_session(context)->backup = outcome->number;
    call_answer(context, json_pack("{s:i, s:o, s:s}", "backup", (int)outcome->number, "bytes",
                                   count_to_json(outcome->bytes), "checksum", checksum));
}

static void run_backup_begin(struct call *call, const json_t *params)
{
    (void)params;
    order(call, &(struct maintenance_order){.kind = MAINTENANCE_BACKUP}, on_backup);
}

/* Written as it goes out: to make it a value of JSON first would take the loop twenty times as long. */
static void on_piece(void *context, const struct maintenance_outcome *outcome)
{
    static const char form[] = "{\"count\":%zu,\"data\":\"";
    if (!succeeded(context, outcome, no_backup))
        return;
    const size_t encoded = base64_length(outcome->bytes);
    const size_t begun = (size_t)snprintf(NULL, 0, form, (size_t)outcome->bytes);
    char *text = malloc(begun + encoded + sizeof "\"}");
    if (text) {
        snprintf(text, begun + 1, form, (size_t)outcome->bytes);
        base64_encode(outcome->data, outcome->bytes, text + begun);
        memcpy(text + begun + encoded, "\"}", sizeof "\"}");
    }
    call_answer_text(context, text);
    free(text);
}

static void on_ended(void *context, const struct maintenance_outcome *outcome)
{
    if (succeeded(context, outcome, no_backup))
        call_answer(context, json_object());
}

static struct maintenance_order about_backup(enum maintenance_kind kind, const json_t *params)
{
    return (struct maintenance_order){.kind = kind,
                                      .number = (unsigned)parameter_integer(params, "backup", 0),
                                      .offset = (uint64_t)parameter_integer(params, "offset", 0)};
}

static void run_backup_read(struct call *call, const json_t *params)
{
    struct maintenance_order what = about_backup(MAINTENANCE_BACKUP_READ, params);
    order(call, &what, on_piece);
}

static void run_backup_end(struct call *call, const json_t *params)
{
    struct maintenance_order what = about_backup(MAINTENANCE_BACKUP_END, params);
    order(call, &what, on_ended);
}

static const struct parameter protect_parameters[] = {
    PARAMETER_ID("id", "of the decay"),
    {.name = "protected", .type = PARAMETER_FLAG, .note = "false: it may be removed again; true if left out"},
};

/* Which backup. */
#define BACKUP                                                                                                         \
    {                                                                                                                  \
        .name = "backup", .type = PARAMETER_INTEGER, .required = true, .minimum = 1, .maximum = 4294967295.0,          \
        .note = "its number"                                                                                           \
    }

static const struct parameter piece_parameters[] = {
    BACKUP,
    {.name = "offset",
     .type = PARAMETER_INTEGER,
     .required = true,
     .minimum = 0,
     .maximum = PARAMETER_LARGEST,
     .note = "of the first byte"},
};

static const struct parameter end_parameters[] = {
    BACKUP,
};

static const struct method methods[] = {
    {.name = "protect", .acts = true, .parameters = PARAMETERS(protect_parameters), .run = run_protect},
    {.name = "reidentify", .acts = true, .parameters = &reidentify_parameters, .run = run_reidentify},
    {.name = "backup.begin", .acts = true, .run = run_backup_begin},
    {.name = "backup.read",
     .acts = true,
     .parameters = PARAMETERS(piece_parameters),
     .run = run_backup_read,
     .asks = true},
    {.name = "backup.end", .acts = true, .parameters = PARAMETERS(end_parameters), .run = run_backup_end},
};

const struct method_group methods_about_store = {methods, sizeof methods / sizeof methods[0]};
