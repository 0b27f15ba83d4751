/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records from clients: in one request or in pieces, handed to the backend, answered when it has identified them. */

#include "proto/framing.h"
#include "proto/json_text.h"
#include "proto/json_value.h"
#include "report/result_text.h"
#include "service/held_uploads.h"
#include "service/history.h"
#include "service/identify_parameters.h"
#include "service/methods.h"
#include "service/notice.h"
#include "service/service_state.h"
#include "service/session_state.h"
#include "service/status_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The identifier's thread has written the first results of a record; those beyond are written here, few at a time. */
enum { WRITTEN_AT_ONCE = 8 };

/* How many of the results go into a page: as many as the client wants, fewer when they are long, but one at least. Half
 * of a line: it may stand in a batch. */
static size_t page_size(struct kept_result **results, size_t count, size_t limit)
{
    size_t size = 0, bytes = 0, written = 0;
    for (; size < count && size < limit; size++) {
        written += !results[size]->document;
        if (written > WRITTEN_AT_ONCE)
            break;
        const char *document = result_document(results[size]);
        bytes += document ? strlen(document) + 1 : 0;
        if (size > 0 && bytes > FRAMING_MAX_LINE / 2)
            break;
    }
    return size;
}

static bool fit_into_a_line(struct kept_result **results, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count && bytes < FRAMING_MAX_LINE; i++) {
        const char *document = result_document(results[i]);
        bytes += document ? strlen(document) + 1 : 0;
    }
    return bytes < FRAMING_MAX_LINE;
}

/* One that was kept has the number of the notification that told of it. */
static void write_result(FILE *stream, const struct history *history, const struct kept_result *result,
                         const char *document)
{
    const uint64_t id = result->of->id;
    const bool told = id > 0 && !result->of->known;
    const struct held_result *held = told ? history_find(history, id, result->revision) : NULL;
    if (id > 0)
        write_with_numbers(stream, document, (struct result_numbers){held ? held->notice->seq : 0, result->of->run});
    else
        fputs(document, stream);
}

/* A list of them; false when memory is short. */
static bool write_results(FILE *stream, const struct history *history, struct kept_result **results, size_t count)
{
    fputs("{\"results\":[", stream);
    for (size_t i = 0; i < count; i++) {
        const char *document = result_document(results[i]);
        if (!document)
            return false;
        fputs(i > 0 ? "," : "", stream);
        write_result(stream, history, results[i], document);
    }
    fputs("],\"drops\":", stream);
    return true;
}

/* Answers with some of the results, and how many the client can still fetch, and as what. */
static void answer_page(struct call *call, struct kept_result **results, size_t count,
                        const uint64_t drops[DROP_REASONS], size_t remaining, const struct upload *upload)
{
    char *text = NULL;
    size_t length = 0;
    json_t *dropped = drops_to_json(drops);
    char *drops_text = json_text(dropped, NULL);
    FILE *stream = drops_text ? open_memstream(&text, &length) : NULL;
    bool complete = stream && write_results(stream, call_session(call)->service->history, results, count);
    if (complete)
        fprintf(stream, "%s,\"remaining\":%zu,\"upload\":%lld}", drops_text, remaining,
                remaining > 0 ? (long long)upload->number : 0);
    complete = complete && ferror(stream) == 0;
    if (stream && fclose(stream) != 0)
        complete = false;
    call_answer_text(call, complete ? text : NULL);
    free(text);
    free(drops_text);
    json_decref(dropped);
}

/* The call does not wait for the backend any more. Gives the upload's bytes back to the budget, if there is one. */
static void stop_waiting(struct call *call)
{
    struct session *session = call_session(call);
    uploads_forget(session, call->upload);
    call->upload = NULL;
    call->ticket = 0;
    session->identify_count--;
}

/* A record that came in pieces goes back to its client, who may finish it again, with the samples and what they
 * occupy. False: it came in one request, or the client has begun as many others meanwhile as it may have. */
static bool give_back(struct call *call, struct identify_request *request)
{
    struct session *session = call_session(call);
    struct upload *upload = call->upload;
    if (upload->number == 0 || !uploads_take_place(session, upload))
        return false;
    upload_take_back(upload, request);
    call->upload = NULL;
    uploads_hold(session, upload);
    return true;
}

/* Ends the call with an error, after which the record may be finished again; the sentence says so. */
static void refuse_for_now(struct call *call, struct identify_request *request, enum jsonrpc_error code,
                           const char *sentence)
{
    const json_int_t number = call->upload->number;
    const bool kept = give_back(call, request);
    stop_waiting(call);
    if (kept)
        call_fail(call, code, NULL, "%s; upload %lld is kept and can be finished again", sentence, (long long)number);
    else
        call_fail(call, code, NULL, "%s", sentence);
}

/* The results are there, but cannot be told. Those of a record that is kept are stored by now, and would be once more
 * if it could be finished again. */
static void refuse_results(struct call *call, struct identify_request *request, enum jsonrpc_error code,
                           const char *problem, const char *advice)
{
    struct complaint complaint;
    if (request->keep) {
        stop_waiting(call);
        call_fail(call, code, NULL, "%s; they are stored: `fricidctl results` has them", problem);
        return;
    }
    complaint_set(&complaint, "%s: %s", problem, advice);
    refuse_for_now(call, request, code, complaint.text);
}

/* The first page; the others wait with the upload, whose bytes stay reserved meanwhile. */
static void answer_first_page(struct call *call, struct identify_request *request, struct kept_result **results,
                              size_t count, const uint64_t drops[DROP_REASONS])
{
    struct upload *upload = call->upload;
    size_t size = page_size(results, count, upload->limit);
    if (!upload_keep_results(upload, results, count, drops)) {
        refuse_results(call, request, JSONRPC_BUSY, "memory is short for the results at the moment", "try again later");
        return;
    }
    call->upload = NULL;
    upload->call = NULL;
    stop_waiting(call);
    uploads_hold(call_session(call), upload);
    answer_page(call, upload->results, size, drops, count - size, upload);
}

/* Why a record was not identified, in terms of what its client can do. */
static void refuse(struct call *call, struct identify_request *request, const char *complaint)
{
    const enum memory_answer memory = call->upload->charge.answer;
    if (memory == MEMORY_TAKEN) {
        refuse_for_now(call, request, JSONRPC_BUSY,
                       "too many records are being identified at the moment: try again later");
        return;
    }
    stop_waiting(call);
    if (memory == MEMORY_TOO_MUCH)
        call_fail(call, JSONRPC_TOO_LARGE, NULL,
                  "the record, the decays in it and their results need more than the %zu MiB of identify_max_bytes "
                  "in fricid.conf(5): on this machine itself `fricidd --offline FILE` identifies it",
                  call_session(call)->service->upload_budget.limit >> 20);
    else
        call_fail(call, JSONRPC_INTERNAL_ERROR, NULL, "%s", complaint);
}

static void refuse_without_limit(struct call *call, struct identify_request *request, size_t count)
{
    struct complaint complaint;
    complaint_set(&complaint, "the record has %zu decays, and their results do not fit into one line of 1048576 bytes",
                  count);
    refuse_results(call, request, JSONRPC_TOO_LARGE, complaint.text,
                   "ask with the parameter limit, and fetch the others with identify.more");
}

/* What is not kept is borrowed: it is written before this returns. */
static void on_identified(void *context, struct identify_request *request, struct kept_result **results, size_t count,
                          const uint64_t drops[DROP_REASONS], const char *complaint)
{
    static const uint64_t no_drops[DROP_REASONS];
    struct upload *upload = context;
    struct call *call = upload->call;
    size_t limit = upload->limit;
    if (!call) {
        upload_destroy(upload);
        return;
    }
    if (limit > 0 && count > page_size(results, count, limit)) {
        answer_first_page(call, request, results, count, drops ? drops : no_drops);
    } else if (count == 0 && complaint) {
        refuse(call, request, complaint);
    } else if (!fit_into_a_line(results, count)) {
        refuse_without_limit(call, request, count);
    } else {
        stop_waiting(call);
        answer_page(call, results, count, drops ? drops : no_drops, 0, NULL);
    }
}

/* Time-stamped records carry their mean spacing as period, for those who want a scale. */
static void complete_timing(struct upload *upload)
{
    struct identify_request *request = &upload->request;
    if (!upload->time_stamped)
        return;
    request->start_s = request->time_s[0];
    const size_t rows = request->count / (request->sensors > 0 ? request->sensors : 1);
    if (rows > 1)
        request->period_s = (request->time_s[request->count - 1] - request->time_s[0]) / (double)(rows - 1);
}

/* Hands a complete record, which it takes over, to the backend. The answer comes through on_identified(). The count
 * goes up before the backend is asked, since stop_waiting() takes it down on every path. */
static void identify_later(struct call *call, struct upload *upload)
{
    struct session *session = call_session(call);
    const struct service_backend *backend = &session->service->backend;
    call->upload = upload;
    upload->call = call;
    session->identify_count++;
    complete_timing(upload);
    upload->charge.answer = MEMORY_GRANTED; /* a piece that was refused before is no matter of the identification */
    bool has_place = upload->limit == 0 || uploads_take_place(session, upload);
    long ticket = session->identify_count <= SESSION_MAX_IDENTIFY && has_place
                      ? backend->identify(backend->context, &upload->request, on_identified, upload)
                      : -EAGAIN;
    if (ticket > 0) {
        call->ticket = ticket;
        return;
    }
    if (ticket == -EDOM) {
        stop_waiting(call);
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL, SEGMENT_NOTHING_LEFT);
    } else if (ticket == -EAGAIN)
        refuse_for_now(call, &upload->request, JSONRPC_BUSY, "too many records wait to be identified: try again later");
    else
        refuse_for_now(call, &upload->request, JSONRPC_INTERNAL_ERROR,
                       "the record could not be handed to the identifier");
}

/* Samples or columns; false and an error when there are neither. */
static bool has_figures(struct call *call, const json_t *params)
{
    const struct record_kind *kind = record_kind_named(parameter_text(params, "kind", ""));
    const bool is_table = kind && kind->form_count > 0;
    const bool has = is_table || json_object_get(params, "displacement") || json_object_get(params, "columns");
    if (!has)
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL, "identify: the parameter displacement is missing");
    return has;
}

/* A record in one request goes the same way as one in pieces, only all at once. */
static void run_identify(struct call *call, const json_t *params)
{
    /* An answer that nobody gets is worked out only where something else comes of it. */
    if (call->silent && !parameter_flag(params, "keep", false)) {
        call_answer(call, NULL);
        return;
    }
    struct memory_budget *budget = &call_session(call)->service->upload_budget;
    struct complaint complaint;
    enum jsonrpc_error code;
    if (!has_figures(call, params))
        return;
    struct upload *upload = upload_begin(params, budget, &code, &complaint);
    if (upload) {
        upload->limit = (size_t)parameter_integer(params, "limit", 0);
        code = upload_append(upload, params, &complaint);
        if (code == 0 && !upload_figures_fit(upload, &complaint))
            code = JSONRPC_INVALID_PARAMS;
    }
    if (code == 0) {
        identify_later(call, upload);
        return;
    }
    upload_destroy(upload);
    call_fail(call, code, NULL, "%s", complaint.text);
}

/* Opens a record that comes in pieces. */
static void run_begin(struct call *call, const json_t *params)
{
    struct session *session = call_session(call);
    struct complaint complaint;
    enum jsonrpc_error code;
    if (session->upload_count >= UPLOADS_OF_A_CLIENT) {
        call_fail(call, JSONRPC_BUSY, NULL, "a client has at most %d unfinished records: finish one first",
                  UPLOADS_OF_A_CLIENT);
        return;
    }
    struct upload *upload = upload_begin(params, &session->service->upload_budget, &code, &complaint);
    if (!upload) {
        call_fail(call, code, NULL, "%s", complaint.text);
        return;
    }
    uploads_take_place(session, upload);
    uploads_hold(session, upload);
    call_answer(call, json_pack("{s:I}", "upload", upload->number));
}

static void run_append(struct call *call, const json_t *params)
{
    uploads_append(call, params, UPLOAD_UNFINISHED);
}

/* The upload leaves the client's list: from here on it belongs to the call. */
static void run_finish(struct call *call, const json_t *params)
{
    struct upload **link = uploads_find(call, params, UPLOAD_UNFINISHED);
    if (!link)
        return;
    struct upload *upload = *link;
    if (upload->request.count == 0) {
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL, "upload %lld has no samples yet: send some with identify.append",
                  (long long)upload->number);
        return;
    }
    struct complaint complaint;
    if (!upload_figures_fit(upload, &complaint)) {
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL, "%s", complaint.text);
        return;
    }
    *link = upload->next;
    upload->limit = (size_t)parameter_integer(params, "limit", 0);
    if (upload->limit == 0) {
        upload->has_place = false;
        call_session(call)->upload_count--;
    }
    identify_later(call, upload);
}

/* A page can be asked for again until the client asks for a later one, or says that it has the last by asking for what
 * is behind it: an answer that never arrived is not lost. */
static void run_more(struct call *call, const json_t *params)
{
    struct upload **link = uploads_find(call, params, UPLOAD_IDENTIFIED);
    if (!link)
        return;
    struct upload *upload = *link;
    size_t offset = (size_t)parameter_integer(params, "offset", 0);
    size_t count = 0;
    if (offset > upload->result_count || (offset < upload->result_count && !upload->results[offset])) {
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL,
                  "offset %zu: there are %zu results, and those before the latest page are gone", offset,
                  upload->result_count);
        return;
    }
    for (size_t i = 0; i < offset; i++) {
        kept_result_release(upload->results[i]);
        upload->results[i] = NULL;
    }
    count = page_size(upload->results + offset, upload->result_count - offset, upload->limit);
    answer_page(call, upload->results + offset, count, upload->drops, upload->result_count - offset - count, upload);
    if (count > 0)
        return;
    *link = upload->next;
    uploads_forget(call_session(call), upload);
}

static const struct method methods[] = {
    {.name = "identify", .acts = true, .parameters = &identify_parameters, .run = run_identify},
    {.name = "identify.begin", .acts = true, .parameters = &identify_begin_parameters, .run = run_begin},
    {.name = "identify.append", .acts = true, .parameters = &identify_append_parameters, .run = run_append},
    {.name = "identify.finish", .acts = true, .parameters = &identify_finish_parameters, .run = run_finish},
    {.name = "identify.more", .acts = true, .parameters = &identify_more_parameters, .run = run_more},
};

const struct method_group methods_about_identify = {methods, sizeof methods / sizeof methods[0]};
