/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_JSONRPC_H
#define FRICID_PROTO_JSONRPC_H

#include "proto/complaint.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The envelope of JSON-RPC 2.0: what both sides need to read and to write messages. No I/O. */

/* The longest id counts in bytes: every answer repeats it. */
enum { JSONRPC_MAX_DEPTH = 32, JSONRPC_MAX_BATCH = 50, JSONRPC_MAX_ID = 256 };

/* What one line may ask of the reader's time: values in all, and of these lists, objects and members of objects, which
 * take longest. As many values as two of the largest requests hold; their reading takes some ten milliseconds. */
enum { JSONRPC_MAX_VALUES = 32768 + 1024, JSONRPC_MAX_PARTS = 4096 };

/* Codes of errors: those of the specification, and fricid's own. */
enum jsonrpc_error {
    JSONRPC_PARSE_ERROR = -32700,
    JSONRPC_INVALID_REQUEST = -32600,
    JSONRPC_METHOD_NOT_FOUND = -32601,
    JSONRPC_INVALID_PARAMS = -32602,
    JSONRPC_INTERNAL_ERROR = -32603,
    JSONRPC_HISTORY_GONE = -32000,
    JSONRPC_NOT_PERMITTED = -32001,
    JSONRPC_NOT_FOUND = -32002,
    JSONRPC_TOO_LARGE = -32003,
    JSONRPC_BUSY = -32004,
    JSONRPC_DAMAGED = -32005,
    JSONRPC_NOT_POSSIBLE = -32006, /* the request is right, but this daemon or rig cannot do it as it is set up */
};

/* The name that appears as data.name: "parse_error", "not_found", … */
const char *jsonrpc_error_name(enum jsonrpc_error code);

/* Whether a request holds more values or parts than that; a complaint then. Looked at before memory is asked for,
 * whether or not the line is JSON. Answers of the server may hold more. */
bool jsonrpc_is_too_rich(const char *line, size_t length, struct complaint *complaint);

/* About how many bytes the message on a line takes when it is parsed. */
size_t jsonrpc_weight(const char *line, size_t length);

/* Parses one line: UTF-8, nesting of at most JSONRPC_MAX_DEPTH, no key twice in an object, numbers that fit. NULL and
 * a complaint when it is not such JSON (always a parse error); else a new reference to any JSON value. */
json_t *jsonrpc_parse(const char *line, size_t length, struct complaint *complaint);

/* A request as it stands in a message; everything is borrowed from the message. */
struct jsonrpc_request {
    const char *method;
    json_t *params; /* object or array; NULL: none given */
    json_t *id;     /* string, number or null; NULL: a notification, which is never answered */
};

/* Reads one request object (not a batch). 0, or -1 and a complaint when it is not a valid request; request->id is
 * then what the error must be answered with (NULL: null). */
int jsonrpc_read_request(json_t *message, struct jsonrpc_request *request, struct complaint *complaint);

/* Messages to send, as new references; NULL when memory is short. `params`, `result` and `data` are taken over in any
 * case, `id` is not; id NULL stands for null. */
json_t *jsonrpc_request(const char *method, json_t *params, json_t *id);
json_t *jsonrpc_notification(const char *method, json_t *params);
json_t *jsonrpc_response(json_t *id, json_t *result);

/* An error; `data` (an object, or NULL) gets the member `name`. */
json_t *jsonrpc_error_response(json_t *id, enum jsonrpc_error code, const char *sentence, json_t *data);

/* The message as one compact line with its newline, *length bytes and a zero byte behind them; free with free(). The
 * message is released in any case. NULL when memory is short or the message is NULL. */
char *jsonrpc_line(json_t *message, size_t *length);

/* A response whose result is JSON text already, as such a line: nothing is parsed to be written again. */
char *jsonrpc_response_line(json_t *id, const char *result, size_t *length);

#endif
