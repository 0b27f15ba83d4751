/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records from clients: in one request or in pieces, handed to the backend, answered when it has identified them. */

#include "proto/framing.h"
#include "service/json_value.h"
#include "service/methods.h"
#include "service/result_json.h"
#include "service/service_state.h"
#include "service/session.h"
#include "service/status_json.h"

#include <errno.h>
#include <float.h>

/* Whether an answer with so many results fits into a line, judged by the first of them: hundreds of results would keep
 * everybody waiting while they are written, only to be thrown away. */
static bool fit_into_a_line(struct kept_result *const *results, size_t count)
{
    json_t *first = count > 1 ? result_to_json(results[0], 0) : NULL;
    size_t length = first ? json_dumpb(first, NULL, 0, JSON_COMPACT) : 0;
    json_decref(first);
    return count * length < FRAMING_MAX_LINE;
}

static json_t *results_to_json(struct kept_result *const *results, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++) {
        if (json_array_append_new(list, result_to_json(results[i], 0)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The call does not wait for the backend any more. Gives the upload's bytes back to the budget. */
static void stop_waiting(struct call *call)
{
    struct session *session = call_session(call);
    upload_destroy(call->upload, &session->service->upload_budget);
    call->upload = NULL;
    call->ticket = 0;
    session->identify_count--;
}

/* The results are borrowed: what the client gets is written before this returns. */
static void on_identified(void *context, struct kept_result *const *results, size_t count,
                          const uint64_t drops[DROP_REASONS], const char *complaint)
{
    static const uint64_t no_drops[DROP_REASONS];
    struct call *call = context;
    stop_waiting(call);
    if (count == 0 && complaint)
        call_fail(call, JSONRPC_INTERNAL_ERROR, NULL, "%s", complaint);
    else if (!fit_into_a_line(results, count))
        call_fail(call, JSONRPC_TOO_LARGE, NULL,
                  "the record has %zu decays, and their results do not fit into one line of 1048576 bytes: send it in "
                  "shorter parts, or use fricidd --offline",
                  count);
    else
        call_answer(call, json_pack("{s:o, s:o}", "results", results_to_json(results, count), "drops",
                                    drops_to_json(drops ? drops : no_drops)));
}

/* Time-stamped records carry their mean spacing as period, for those who want a scale. */
static void complete_timing(struct upload *upload)
{
    struct identify_request *request = &upload->request;
    if (!upload->time_stamped)
        return;
    request->start_s = request->time_s[0];
    if (request->count > 1)
        request->period_s = (request->time_s[request->count - 1] - request->time_s[0]) / (double)(request->count - 1);
}

/* Hands a complete record, which it takes over, to the backend. The answer comes through on_identified(). The count
 * goes up before the backend is asked, since stop_waiting() takes it down on every path. */
static void identify_later(struct call *call, struct upload *upload)
{
    struct session *session = call_session(call);
    const struct service_backend *backend = &session->service->backend;
    call->upload = upload;
    session->identify_count++;
    complete_timing(upload);
    long ticket = session->identify_count <= SESSION_MAX_IDENTIFY
                      ? backend->identify(backend->context, &upload->request, on_identified, call)
                      : -EAGAIN;
    if (ticket > 0) {
        call->ticket = ticket;
        return;
    }
    stop_waiting(call);
    if (ticket == -EAGAIN)
        call_fail(call, JSONRPC_BUSY, NULL, "too many records wait to be identified: try again later");
    else
        call_fail(call, JSONRPC_INTERNAL_ERROR, NULL, "the record could not be handed to the identifier");
}

/* A record in one request goes the same way as one in pieces, only all at once. */
static void run_identify(struct call *call, const json_t *params)
{
    struct upload_budget *budget = &call_session(call)->service->upload_budget;
    struct complaint complaint;
    enum jsonrpc_error code;
    struct upload *upload = upload_begin(params, &code, &complaint);
    if (upload)
        code = upload_append(upload, params, budget, &complaint);
    if (code == 0) {
        identify_later(call, upload);
        return;
    }
    upload_destroy(upload, budget);
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
    struct upload *upload = upload_begin(params, &code, &complaint);
    if (!upload) {
        call_fail(call, code, NULL, "%s", complaint.text);
        return;
    }
    upload->number = ++session->last_upload;
    upload->next = session->uploads;
    session->uploads = upload;
    session->upload_count++;
    call_answer(call, json_pack("{s:I}", "upload", upload->number));
}

/* Where the link to this client's record of that number is; NULL and an error when there is none. */
static struct upload **find_upload(struct call *call, const json_t *params)
{
    json_int_t number = parameter_integer(params, "upload", 0);
    struct upload **link = &call_session(call)->uploads;
    while (*link && (*link)->number != number)
        link = &(*link)->next;
    if (*link)
        return link;
    call_fail(call, JSONRPC_NOT_FOUND, NULL, "this connection has no unfinished upload %lld", (long long)number);
    return NULL;
}

/* What does not fit leaves the record as it was: the client may send a smaller piece. */
static void run_append(struct call *call, const json_t *params)
{
    struct upload **link = find_upload(call, params);
    if (!link)
        return;
    struct complaint complaint;
    enum jsonrpc_error code = upload_append(*link, params, &call_session(call)->service->upload_budget, &complaint);
    if (code == 0)
        call_answer(
            call, json_pack("{s:I, s:o}", "upload", (*link)->number, "samples", count_to_json((*link)->request.count)));
    else
        call_fail(call, code, NULL, "%s", complaint.text);
}

/* The upload leaves the client's list: from here on it belongs to the call. */
static void run_finish(struct call *call, const json_t *params)
{
    struct upload **link = find_upload(call, params);
    if (!link)
        return;
    struct upload *upload = *link;
    if (upload->request.count == 0) {
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL, "upload %lld has no samples yet: send some with identify.append",
                  (long long)upload->number);
        return;
    }
    *link = upload->next;
    call_session(call)->upload_count--;
    identify_later(call, upload);
}

/* What describes a record, in identify and in identify.begin. */
#define RECORD_PARAMETERS                                                                                              \
    {"sample_rate_hz", PARAMETER_NUMBER, false, 1e-6, 1e12}, {"start_s", PARAMETER_NUMBER, false, -DBL_MAX, DBL_MAX},  \
        {"unit", PARAMETER_TEXT, false, 0, 31}, {"name", PARAMETER_TEXT, false, 0, 63},                                \
        {"resolution", PARAMETER_NUMBER, false, 0, DBL_MAX},                                                           \
    {                                                                                                                  \
        "whole", PARAMETER_FLAG, false, 0, 0                                                                           \
    }

struct method_group methods_about_identify(void)
{
    static const struct parameter identify[] = {
        {"displacement", PARAMETER_NUMBERS, true, 0, UPLOAD_MAX_CHUNK},
        {"time_s", PARAMETER_NUMBERS, false, 0, UPLOAD_MAX_CHUNK},
        RECORD_PARAMETERS,
    };
    static const struct parameter begin[] = {
        RECORD_PARAMETERS,
        {"time_stamped", PARAMETER_FLAG, false, 0, 0},
    };
    static const struct parameter append[] = {
        {"upload", PARAMETER_INTEGER, true, 1, 9007199254740991.0},
        {"displacement", PARAMETER_NUMBERS, true, 0, UPLOAD_MAX_CHUNK},
        {"time_s", PARAMETER_NUMBERS, false, 0, UPLOAD_MAX_CHUNK},
    };
    static const struct parameter finish[] = {
        {"upload", PARAMETER_INTEGER, true, 1, 9007199254740991.0},
    };
    static const struct method methods[] = {
        {"identify", true, identify, sizeof identify / sizeof identify[0], run_identify, true},
        {"identify.begin", true, begin, sizeof begin / sizeof begin[0], run_begin, false},
        {"identify.append", true, append, sizeof append / sizeof append[0], run_append, false},
        {"identify.finish", true, finish, sizeof finish / sizeof finish[0], run_finish, false},
    };
    return (struct method_group){methods, sizeof methods / sizeof methods[0]};
}
