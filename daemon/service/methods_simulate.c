/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a contact does, of which the model is known: its force for a motion, or the motion of a mass that a force
 * pushes. What is known over time comes in one request or in pieces, and goes to the backend; what is found is told
 * page by page. */

#include "proto/json_value.h"
#include "report/kinds/simulation_json.h"
#include "service/handed_form.h"
#include "service/held_uploads.h"
#include "service/history.h"
#include "service/methods.h"
#include "service/service_state.h"
#include "service/session_state.h"
#include "service/simulate_parameters.h"
#include "service/simulation_upload.h"
#include "service/stored_answers.h"
#include "service/upload.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
    PAGE_ROWS = 2048, /* of an answer: a quarter of a megabyte */
    /* What a row occupies beside its figures while it is simulated: figures column by column, a smoothed motion and its
     * splines, and what is found. */
    ROW_BYTES = 16 * sizeof(double)
};

#define MOTION(name, unit, quantity, stem)                                                                             \
    {                                                                                                                  \
        name, unit, quantity, stem, NULL                                                                               \
    }
#define DISPLACEMENT MOTION("displacement_m", "m", QUANTITY_DISPLACEMENT, "displacement")
#define FORCE MOTION("force_n", "N", QUANTITY_FORCE, "force")
#define ANGLE MOTION("angle_rad", "rad", QUANTITY_ANGLE, "angle")
#define TORQUE MOTION("torque_nm", "N*m", QUANTITY_TORQUE, "torque")
#define TIME MOTION("time_s", "s", QUANTITY_TIME, "time")

static const struct kind_form forms[] = {
    {{DISPLACEMENT, TIME}, 2}, {{DISPLACEMENT, FORCE, TIME}, 3}, {{FORCE, TIME}, 2},
    {{ANGLE, TIME}, 2},        {{ANGLE, TORQUE, TIME}, 3},       {{TORQUE, TIME}, 2},
};

/* Nothing that is identified, and so none of the kinds that clients know. */
static const struct record_kind simulation_kind = {
    .name = "a simulation", .forms = forms, .form_count = sizeof forms / sizeof forms[0], .sampled = true};

static size_t columns_called(const struct kind_form *form, const char *quantity)
{
    size_t count = 0;
    for (size_t c = 0; c < form->count; c++)
        count += strcmp(form->column[c].quantity, quantity) == 0;
    return count;
}

static bool has_motion(const struct kind_form *form)
{
    return columns_called(form, QUANTITY_DISPLACEMENT) + columns_called(form, QUANTITY_ANGLE) > 0;
}

static bool is_angular(const struct kind_form *form)
{
    return columns_called(form, QUANTITY_ANGLE) + columns_called(form, QUANTITY_TORQUE) > 0;
}

/* --- answers --- */

static json_t *times_to_json(const struct simulate_request *request, size_t first, size_t count)
{
    const size_t columns = request->form->count;
    json_t *times = json_array();
    for (size_t i = first; i < first + count; i++)
        json_array_append_new(times, number_to_json(request->figures[i * columns + columns - 1]));
    return times;
}

/* A page; upload 0: there is no more to fetch. */
static void answer_page(struct call *call, const struct upload *upload, size_t first, json_int_t number)
{
    const struct simulate_request *request = &upload->simulation->request;
    const bool angular = upload->simulation->task.angular;
    const size_t all = request->verdict == VERDICT_OK ? request->rows : 0;
    const size_t count = all - first < PAGE_ROWS ? all - first : PAGE_ROWS;
    call_answer(
        call,
        joined(simulation_part_to_json(request->task, request->verdict, &request->found, first, count),
               json_pack("{s:o, s:{s:s, s:s}, s:o, s:o, s:I}", "time_s", times_to_json(request, first, count), "units",
                         "displacement", angular ? "rad" : "m", "force", angular ? "N*m" : "N", "offset",
                         count_to_json(first), "remaining", count_to_json(all - first - count), "upload", number)));
}

/* The call does not wait for the backend any more, and has no upload. */
static void stop_waiting(struct call *call)
{
    call->upload->call = NULL;
    call->upload = NULL;
    call->ticket = 0;
    call_session(call)->identify_count--;
}

/* Half of the answer would be no answer: what does not fit into a page is kept. */
static void on_simulated(void *context, const char *complaint)
{
    struct upload *upload = context;
    struct call *call = upload->call;
    if (!call) {
        upload_destroy(upload);
        return;
    }
    struct session *session = call_session(call);
    const struct simulate_request *request = &upload->simulation->request;
    stop_waiting(call);
    if (!complaint && request->verdict == VERDICT_OK && request->rows > PAGE_ROWS) {
        upload->identified = true;
        uploads_hold(session, upload);
        answer_page(call, upload, 0, upload->number);
        return;
    }
    if (complaint)
        call_fail(call, JSONRPC_BUSY, NULL, "%s", complaint);
    else
        answer_page(call, upload, 0, 0);
    uploads_forget(session, upload);
}

/* --- to the backend --- */

/* An upload that came in pieces stays, and can be finished again. */
static void refuse(struct call *call, struct upload *upload, enum jsonrpc_error code, const char *sentence)
{
    struct session *session = call_session(call);
    const json_int_t number = upload->number;
    if (upload->simulation->at_once) {
        uploads_forget(session, upload);
        call_fail(call, code, NULL, "%s", sentence);
        return;
    }
    uploads_hold(session, upload);
    call_fail(call, code, NULL, "%s; upload %lld is kept and can be finished again", sentence, (long long)number);
}

static long hand_to_backend(struct call *call, struct upload *upload)
{
    const struct service_backend *backend = &call_session(call)->service->backend;
    struct simulation_upload *simulation = upload->simulation;
    simulation->request = (struct simulate_request){.task = &simulation->task,
                                                    .figures = upload->request.displacement,
                                                    .form = upload->request.form,
                                                    .rows = upload_rows(upload)};
    return backend->simulate ? backend->simulate(backend->context, &simulation->request, on_simulated, upload)
                             : -EAGAIN;
}

/* The upload is in no list: it belongs to the call, or is given back. */
static void simulate_later(struct call *call, struct upload *upload)
{
    struct session *session = call_session(call);
    const size_t bytes = upload_rows(upload) * ROW_BYTES;
    if (session->identify_count >= SESSION_MAX_IDENTIFY) {
        refuse(call, upload, JSONRPC_BUSY, "too many records wait: try again later");
        return;
    }
    if (memory_charge_add(&upload->charge, bytes) != MEMORY_GRANTED) {
        const bool hopeless = upload->charge.answer == MEMORY_TOO_MUCH;
        refuse(call, upload, hopeless ? JSONRPC_TOO_LARGE : JSONRPC_BUSY,
               hopeless ? "the motion needs more memory than all that clients send may occupy: fricidctl simulate "
                          "computes it without the daemon"
                        : "too many records are being sent at the moment: try again later");
        return;
    }
    session->identify_count++;
    call->upload = upload;
    upload->call = call;
    const long ticket = hand_to_backend(call, upload);
    if (ticket > 0) {
        call->ticket = ticket;
        return;
    }
    stop_waiting(call);
    memory_charge_remove(&upload->charge, bytes);
    refuse(call, upload, JSONRPC_BUSY, "too many records wait to be identified: try again later");
}

/* --- the model --- */

/* Out of the list, and away. */
static void drop(struct call *call, struct upload *upload)
{
    uploads_remove(call_session(call), upload);
    uploads_forget(call_session(call), upload);
}

static int settle(struct simulation_upload *simulation, const struct kind_form *form, const json_t *model,
                  struct complaint *complaint)
{
    const double mass = simulation->task.mass;
    if (contact_task_from_json(model, simulation->task.part, &simulation->task, complaint) != 0)
        return -EINVAL;
    if (isfinite(mass))
        simulation->task.mass = mass;
    return contact_task_settle(&simulation->task, is_angular(form), has_motion(form), complaint);
}

/* The model is known now, or there is none. */
static void take_model(struct call *call, const json_t *model)
{
    struct upload *upload = call->upload;
    struct complaint complaint;
    call->upload = NULL;
    if (!model) {
        drop(call, upload);
    } else if (settle(upload->simulation, upload->request.form, model, &complaint) != 0) {
        drop(call, upload);
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL, "%s", complaint.text);
    } else if (upload->simulation->at_once) {
        uploads_remove(call_session(call), upload);
        simulate_later(call, upload);
    } else
        call_answer(call, json_pack("{s:I}", "upload", upload->number));
}

/* That of a result comes from where results are. */
static void find_model(struct call *call, const json_t *params)
{
    const struct service *service = call_session(call)->service;
    const json_int_t id = parameter_integer(params, "id", 0);
    const struct held_result *held = history_find(service->history, (uint64_t)id, 0);
    json_t *result = held ? held_result_to_json(held) : NULL;
    if (json_object_get(params, "model")) {
        take_model(call, json_object_get(params, "model"));
    } else if (result) {
        take_model(call, result);
    } else if (store_can_be_asked(service)) {
        hand_result(call, (uint64_t)id, take_model);
    } else {
        take_model(call, NULL);
        call_fail(call, JSONRPC_NOT_FOUND, NULL, "result %lld is not held: `fricidctl results` shows what is",
                  (long long)id);
    }
    json_decref(result);
}

/* --- the methods --- */

static void begin(struct call *call, const json_t *params, bool at_once)
{
    struct session *session = call_session(call);
    struct complaint complaint;
    enum jsonrpc_error code = JSONRPC_INVALID_PARAMS;
    const bool has_id = json_object_get(params, "id"), has_model = json_object_get(params, "model");
    const struct kind_form *form = NULL;
    if (has_id == has_model)
        complaint_set(&complaint, "either id or model is needed: whose friction it is");
    else
        form = handed_form_among(params, &simulation_kind, &complaint);
    struct upload *upload =
        form ? upload_begin_simulation(form, &session->service->upload_budget, &code, &complaint) : NULL;
    if (upload && at_once)
        code = upload_append(upload, params, &complaint);
    if (upload && code == 0 && !uploads_take_place(session, upload)) {
        code = JSONRPC_BUSY;
        complaint_set(&complaint, "a client has at most %d unfinished records: finish one first", UPLOADS_OF_A_CLIENT);
    }
    if (!upload || code != 0) {
        uploads_forget(session, upload);
        call_fail(call, code, NULL, "%s", complaint.text);
        return;
    }
    upload->simulation->at_once = at_once;
    upload->simulation->task.mass = parameter_number(params, "mass", NAN);
    upload->simulation->task.part = (size_t)parameter_integer(params, "part", 0);
    uploads_hold(session, upload);
    call->upload = upload;
    find_model(call, params);
}

static void run_simulate(struct call *call, const json_t *params)
{
    begin(call, params, true);
}

static void run_begin(struct call *call, const json_t *params)
{
    begin(call, params, false);
}

static void run_append(struct call *call, const json_t *params)
{
    uploads_append(call, params, UPLOAD_UNSIMULATED);
}

static void run_finish(struct call *call, const json_t *params)
{
    struct upload **link = uploads_find(call, params, UPLOAD_UNSIMULATED);
    if (!link)
        return;
    struct upload *upload = *link;
    *link = upload->next;
    simulate_later(call, upload);
}

/* Pages can be had in any order, and more than once; asked for what is behind the last row, the answer is empty and all
 * is forgotten. */
static void run_more(struct call *call, const json_t *params)
{
    struct upload **link = uploads_find(call, params, UPLOAD_SIMULATED);
    if (!link)
        return;
    struct upload *upload = *link;
    const size_t offset = (size_t)parameter_integer(params, "offset", 0);
    const size_t rows = upload->simulation->request.rows;
    if (offset > rows) {
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL, "offset %zu: there are %zu rows", offset, rows);
        return;
    }
    answer_page(call, upload, offset, offset < rows ? upload->number : 0);
    if (offset == rows)
        drop(call, upload);
}

static const struct method methods[] = {
    {.name = "simulate", .acts = true, .parameters = &simulate_parameters, .run = run_simulate, .asks = true},
    {.name = "simulate.begin", .acts = true, .parameters = &simulate_begin_parameters, .run = run_begin},
    {.name = "simulate.append", .acts = true, .parameters = &simulate_append_parameters, .run = run_append},
    {.name = "simulate.finish", .acts = true, .parameters = &simulate_finish_parameters, .run = run_finish},
    {.name = "simulate.more", .acts = true, .parameters = &simulate_more_parameters, .run = run_more},
};

const struct method_group methods_about_simulate = {methods, sizeof methods / sizeof methods[0]};
