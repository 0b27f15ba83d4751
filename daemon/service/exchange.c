/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a line to its answer: a message is one call or a batch of them, each call is answered now or later, and the
 * last answer sends the line. Who answers, and how, is the methods' business. */

#include "service/exchange.h"

#include "proto/framing.h"
#include "service/service_state.h"
#include "service/session_state.h"
#include "service/subscription.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Answers of at most this many bytes always find their place in a batch: for them the rest is reserved. An error
     * with the longest sentence and the longest id, every byte of them escaped. */
    SMALL_ANSWER = 5120,
    ROOM_FOR_LARGE_ANSWERS = FRAMING_MAX_LINE - JSONRPC_MAX_BATCH * SMALL_ANSWER,
};

static const char too_much_held[] = "the connections of this user hold too much of the memory for clients: read what "
                                    "waits, end what is begun, then ask again";

struct session *call_session(const struct call *call)
{
    return call->exchange->session;
}

/* All of its message was read, or no more of it will be. */
static void stop_reading(struct exchange *exchange)
{
    struct session *session = exchange->session;
    if (session->reading == exchange) {
        session->reading = NULL;
        session->reading_weight = 0;
    }
    json_decref(exchange->message);
    exchange->message = NULL;
}

/* Frees an exchange whose calls have no business with the backend any more. */
static void exchange_free(struct exchange *exchange)
{
    for (size_t i = 0; i < exchange->count; i++) {
        json_decref(exchange->calls[i].id);
        free(exchange->calls[i].line);
    }
    stop_reading(exchange);
    exchange->session->kept_bytes -= exchange->bytes;
    LIST_REMOVE(exchange, link);
    free(exchange);
}

/* Sends the answers of a batch as one list: their lines, without their newlines, between brackets. */
static void send_batch(const struct exchange *exchange)
{
    /* In each answer a comma or bracket takes the place of its newline; the closing ones come on top. */
    char *line = malloc(exchange->bytes + exchange->count + 3);
    if (!line)
        return;
    size_t length = 0;
    for (size_t i = 0; i < exchange->count; i++) {
        const struct call *call = &exchange->calls[i];
        if (!call->line)
            continue;
        line[length] = length == 0 ? '[' : ',';
        length++;
        memcpy(line + length, call->line, call->length - 1);
        length += call->length - 1;
    }
    memcpy(line + length, "]\n", 2);
    if (length > 0)
        connection_send(&exchange->session->connection, line, length + 2);
    free(line);
}

/* One call, or the reading of the message, is done; the last one sends the answer. */
static void close_one(struct exchange *exchange)
{
    if (--exchange->open > 0)
        return;
    if (exchange->batch)
        send_batch(exchange);
    else if (exchange->calls[0].line)
        connection_send(&exchange->session->connection, exchange->calls[0].line, exchange->calls[0].length);
    exchange_free(exchange);
}

/* Whether an answer of that length still fits into the line that the exchange will be. */
static bool fits(const struct exchange *exchange, size_t length)
{
    if (!exchange->batch)
        return length <= FRAMING_MAX_LINE + 1;
    return length <= SMALL_ANSWER || exchange->bytes + length <= ROOM_FOR_LARGE_ANSWERS;
}

static char *error_line(const struct call *call, enum jsonrpc_error code, const char *sentence, size_t *length)
{
    return jsonrpc_line(jsonrpc_error_response(call->id, code, sentence, NULL), length);
}

/* Why the client cannot be given so much more, NULL: it can. Answers that come late are not asked for in turn with its
 * reading. */
static const char *why_not_kept(const struct exchange *exchange, size_t length)
{
    struct session *session = exchange->session;
    if (length <= SMALL_ANSWER)
        return NULL;
    if (connection_waiting(&session->connection) + session->kept_bytes + length > SESSION_MAX_WAITING + SESSION_ROOM)
        return "more than a mebibyte of answers waits to be read: read them, then ask again";
    if (!subscription_gives_way(session, length))
        return too_much_held;
    return NULL;
}

/* Keeps the answer, a line that it takes over, until the exchange is complete. */
static void keep_line(struct call *call, char *line, size_t length)
{
    struct exchange *exchange = call->exchange;
    call->answered = true;
    call->line = line;
    call->length = length;
    /* Counted even if thrown away below: a batch of answers that are too long must not keep everybody waiting. */
    exchange->effort += call->length;
    if (!call->line)
        call->line = error_line(call, JSONRPC_INTERNAL_ERROR, "the answer could not be written", &call->length);
    if (call->line && !fits(exchange, call->length)) {
        free(call->line);
        call->line = error_line(call, JSONRPC_TOO_LARGE,
                                exchange->batch ? "the answers of this batch are too long for one line: send this "
                                                  "request by itself"
                                                : "the answer is too long for one line of 1048576 bytes: ask for less",
                                &call->length);
    }
    const char *why = call->line ? why_not_kept(exchange, call->length) : NULL;
    if (why) {
        free(call->line);
        call->line = error_line(call, JSONRPC_BUSY, why, &call->length);
    }
    exchange->bytes += call->length;
    exchange->session->kept_bytes += call->length;
    close_one(exchange);
}

/* The same for a message; takes it over. */
static void keep_answer(struct call *call, json_t *message)
{
    size_t length = 0;
    char *line = NULL;
    if (call->silent) {
        json_decref(message);
        call->answered = true;
        close_one(call->exchange);
        return;
    }
    line = jsonrpc_line(message, &length);
    keep_line(call, line, length);
}

void call_answer(struct call *call, json_t *result)
{
    keep_answer(call, jsonrpc_response(call->id, result));
}

void call_answer_text(struct call *call, const char *result)
{
    size_t length = 0;
    char *line = result ? jsonrpc_response_line(call->id, result, &length) : NULL;
    keep_line(call, line, length);
}

void call_fail(struct call *call, enum jsonrpc_error code, json_t *data, const char *format, ...)
{
    char sentence[sizeof(struct complaint)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    keep_answer(call, jsonrpc_error_response(call->id, code, sentence, data));
}

/* Finds out what a call asks for and whether it is answered. False: it has been answered with an error. */
static bool read_call(struct call *call, struct jsonrpc_request *request)
{
    struct exchange *exchange = call->exchange;
    size_t index = (size_t)(call - exchange->calls);
    struct complaint complaint;
    json_t *message = exchange->batch ? json_array_get(exchange->message, index) : exchange->message;
    int invalid = jsonrpc_read_request(message, request, &complaint);
    call->id = json_incref(request->id);
    /* What is not a valid request is answered even without an id (JSON-RPC 2.0, section 5.1). */
    call->silent = request->method && !request->id;
    if (invalid)
        call_fail(call, JSONRPC_INVALID_REQUEST, NULL, "%s", complaint.text);
    return !invalid;
}

/* Does what one request asks for. It is answered when this returns, or later through its call. */
static void run_call(struct call *call)
{
    struct jsonrpc_request request;
    if (!read_call(call, &request))
        return;
    if (call->exchange->effort > FRAMING_MAX_LINE)
        call_fail(call, JSONRPC_TOO_LARGE, NULL,
                  "the answers of this batch are too long for one line: send this request by itself");
    else
        call_session(call)->run(call, request.method, request.params);
}

/* One open more than there are calls: the exchange outlives the loop that starts them, even if all are answered in it.
 */
static struct exchange *exchange_create(struct session *session, json_t *message)
{
    bool batch = json_is_array(message);
    size_t count = batch ? json_array_size(message) : 1;
    struct exchange *exchange = calloc(1, sizeof *exchange + count * sizeof exchange->calls[0]);
    if (!exchange) {
        exchange_refuse(session, JSONRPC_BUSY, "memory is short at the moment: try again later");
        return NULL;
    }
    exchange->session = session;
    exchange->message = json_incref(message);
    exchange->batch = batch;
    exchange->count = count;
    exchange->open = count + 1;
    for (size_t i = 0; i < count; i++)
        exchange->calls[i].exchange = exchange;
    LIST_INSERT_HEAD(&session->exchanges, exchange, link);
    return exchange;
}

/* Whether the message is a batch that JSON-RPC, or fricid, does not take; it is then answered. */
static bool refuse_batch(struct session *session, const json_t *message)
{
    size_t count = json_array_size(message);
    if (!json_is_array(message) || (count > 0 && count <= JSONRPC_MAX_BATCH))
        return false;
    if (count == 0)
        exchange_refuse(session, JSONRPC_INVALID_REQUEST, "not a valid request: the batch is empty");
    else
        exchange_refuse(session, JSONRPC_TOO_LARGE, "a batch has at most 50 requests: send several batches");
    return true;
}

void exchange_begin(struct session *session, const char *line, size_t length)
{
    struct complaint complaint;
    if (jsonrpc_is_too_rich(line, length, &complaint)) {
        exchange_refuse(session, JSONRPC_TOO_LARGE, complaint.text);
        return;
    }
    json_t *message = jsonrpc_parse(line, length, &complaint);
    if (!message) {
        exchange_refuse(session, JSONRPC_PARSE_ERROR, complaint.text);
        return;
    }
    struct exchange *exchange = NULL;
    size_t weight = json_is_array(message) ? jsonrpc_weight(line, length) : 0;
    if (weight > 0 && !subscription_gives_way(session, weight))
        exchange_refuse(session, JSONRPC_BUSY, too_much_held);
    else if (!refuse_batch(session, message))
        exchange = exchange_create(session, message);
    session->reading = exchange;
    json_decref(message);
    if (!exchange)
        return;
    session->reading_weight = weight;
    exchange_step(exchange);
}

/* The message is let go when its last request has begun: answers may take minutes. */
void exchange_step(struct exchange *exchange)
{
    run_call(&exchange->calls[exchange->started++]);
    if (exchange->started < exchange->count)
        return;
    stop_reading(exchange);
    close_one(exchange);
}

void exchange_refuse(struct session *session, enum jsonrpc_error code, const char *sentence)
{
    size_t length;
    char *line = jsonrpc_line(jsonrpc_error_response(NULL, code, sentence, NULL), &length);
    if (line)
        connection_send(&session->connection, line, length);
    free(line);
}

/* Tells the backend that the answer is not wanted any more. */
static void cancel_call(struct call *call)
{
    const struct service_backend *backend = &call_session(call)->service->backend;
    long ticket = call->ticket, question = call->question, order = call->order;
    /* The record stays until the backend is done with it, and finds nobody. */
    if (call->upload)
        call->upload->call = NULL;
    call->order = 0;
    call->question = 0;
    call->ticket = 0;
    call->upload = NULL;
    if (ticket > 0)
        backend->identify_cancel(backend->context, ticket);
    if (question > 0) {
        call_session(call)->question_count--;
        backend->ask_cancel(backend->questions, question);
    }
    if (order > 0)
        backend->maintenance_cancel(backend->keeper, order);
}

/* No answer is made: the exchanges go, whatever is open. */
void exchanges_cancel(struct session *session)
{
    while (!LIST_EMPTY(&session->exchanges)) {
        struct exchange *exchange = LIST_FIRST(&session->exchanges);
        for (size_t i = 0; i < exchange->count; i++)
            cancel_call(&exchange->calls[i]);
        exchange_free(exchange);
    }
}

void exchanges_refuse(struct session *session)
{
    while (!LIST_EMPTY(&session->exchanges)) {
        struct exchange *exchange = LIST_FIRST(&session->exchanges);
        /* The last answer frees the exchange: one more is open while it is walked through, as it is while it is read.
         */
        if (exchange->session->reading != exchange)
            exchange->open++;
        for (size_t i = 0; i < exchange->count; i++) {
            struct call *call = &exchange->calls[i];
            struct jsonrpc_request request;
            if (call->answered || (i >= exchange->started && !read_call(call, &request)))
                continue;
            cancel_call(call);
            call_fail(call, JSONRPC_BUSY, NULL, "the daemon is ending: ask again when it has started anew");
        }
        close_one(exchange);
    }
}
