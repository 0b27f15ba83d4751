/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "service/held_uploads.h"

#include "proto/json_value.h"
#include "service/parameters.h"
#include "service/session_state.h"
#include "service/upload.h"

bool uploads_take_place(struct session *session, struct upload *upload)
{
    if (upload->has_place)
        return true;
    if (session->upload_count >= UPLOADS_OF_A_CLIENT)
        return false;
    session->upload_count++;
    upload->has_place = true;
    return true;
}

void uploads_forget(struct session *session, struct upload *upload)
{
    if (upload && upload->has_place)
        session->upload_count--;
    upload_destroy(upload);
}

void uploads_hold(struct session *session, struct upload *upload)
{
    if (upload->number == 0)
        upload->number = ++session->last_upload;
    upload->next = session->uploads;
    session->uploads = upload;
}

static bool is_what(const struct upload *upload, enum upload_state state)
{
    const bool simulated = state == UPLOAD_UNSIMULATED || state == UPLOAD_SIMULATED;
    const bool done = state == UPLOAD_IDENTIFIED || state == UPLOAD_SIMULATED;
    return (upload->simulation != NULL) == simulated && upload->identified == done;
}

struct upload **uploads_find(struct call *call, const json_t *params, enum upload_state state)
{
    static const char *const state_names[][2] = {[UPLOAD_UNFINISHED] = {"unfinished upload", ""},
                                                 [UPLOAD_IDENTIFIED] = {"upload", " with results to be fetched"},
                                                 [UPLOAD_UNSIMULATED] = {"unfinished upload", " of simulate.begin"},
                                                 [UPLOAD_SIMULATED] = {"upload", " with a simulation to be fetched"}};
    json_int_t number = parameter_integer(params, "upload", 0);
    struct upload **link = &call_session(call)->uploads;
    while (*link && ((*link)->number != number || !is_what(*link, state)))
        link = &(*link)->next;
    if (*link)
        return link;
    call_fail(call, JSONRPC_NOT_FOUND, NULL, "this connection has no %s %lld%s", state_names[state][0],
              (long long)number, state_names[state][1]);
    return NULL;
}

void uploads_append(struct call *call, const json_t *params, enum upload_state state)
{
    struct upload **link = uploads_find(call, params, state);
    if (!link)
        return;
    struct complaint complaint;
    enum jsonrpc_error code = upload_append(*link, params, &complaint);
    if (code == 0)
        call_answer(call,
                    json_pack("{s:I, s:o}", "upload", (*link)->number, "samples", count_to_json(upload_rows(*link))));
    else
        call_fail(call, code, NULL, "%s", complaint.text);
}

void uploads_remove(struct session *session, const struct upload *upload)
{
    struct upload **link = &session->uploads;
    while (*link && *link != upload)
        link = &(*link)->next;
    if (*link)
        *link = upload->next;
}
