/* SPDX-License-Identifier: GPL-3.0-or-later */

/* JSON-RPC 2.0 messages, read strictly and written compactly. What a method does with its parameters is not known
 * here. */

#include "proto/jsonrpc.h"

#include "proto/json_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *jsonrpc_error_name(enum jsonrpc_error code)
{
    switch (code) {
    case JSONRPC_PARSE_ERROR:
        return "parse_error";
    case JSONRPC_INVALID_REQUEST:
        return "invalid_request";
    case JSONRPC_METHOD_NOT_FOUND:
        return "method_not_found";
    case JSONRPC_INVALID_PARAMS:
        return "invalid_params";
    case JSONRPC_HISTORY_GONE:
        return "history_gone";
    case JSONRPC_NOT_PERMITTED:
        return "not_permitted";
    case JSONRPC_NOT_FOUND:
        return "not_found";
    case JSONRPC_TOO_LARGE:
        return "too_large";
    case JSONRPC_BUSY:
        return "busy";
    case JSONRPC_DAMAGED:
        return "damaged";
    case JSONRPC_NOT_POSSIBLE:
        return "not_possible";
    case JSONRPC_INTERNAL_ERROR:
        break;
    }
    return "internal_error";
}

/* What a line would ask of the parser, as far as its punctuation outside strings tells. */
struct extent {
    size_t deepest, commas, brackets, colons;
};

static struct extent extent_of(const char *line, size_t length)
{
    struct extent extent = {0};
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < length; i++) {
        char c = line[i];
        if (in_string && c == '\\')
            i++;
        else if (c == '"')
            in_string = !in_string;
        else if (in_string)
            continue;
        else if (c == '[' || c == '{') {
            extent.brackets++;
            extent.deepest = ++depth > extent.deepest ? depth : extent.deepest;
        } else if ((c == ']' || c == '}') && depth > 0)
            depth--;
        else if (c == ',')
            extent.commas++;
        else if (c == ':')
            extent.colons++;
    }
    return extent;
}

bool jsonrpc_is_too_rich(const char *line, size_t length, struct complaint *complaint)
{
    /* A short line cannot be. */
    if (length <= JSONRPC_MAX_PARTS)
        return false;
    struct extent extent = extent_of(line, length);
    if (extent.deepest > JSONRPC_MAX_DEPTH ||
        (extent.commas + extent.brackets <= JSONRPC_MAX_VALUES && extent.brackets + extent.colons <= JSONRPC_MAX_PARTS))
        return false;
    complaint_set(complaint,
                  "a line may hold at most %d values, and %d lists, objects and members: send the requests one by one",
                  JSONRPC_MAX_VALUES, JSONRPC_MAX_PARTS);
    return true;
}

/* What the parser allocates for each kind of thing, with the allocator's own part. */
size_t jsonrpc_weight(const char *line, size_t length)
{
    enum { VALUE = 64, CONTAINER = 320, MEMBER = 96 };
    struct extent extent = extent_of(line, length);
    return length + (extent.commas + extent.brackets) * VALUE + extent.brackets * CONTAINER + extent.colons * MEMBER;
}

/* In words of our own: the parser's speak of its tokens. */
static const char *what_is_wrong(const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_invalid_utf8:
        return "it is not UTF-8";
    case json_error_premature_end_of_input:
        return "it ends before its last list, object or string does";
    case json_error_end_of_input_expected:
        return "something stands behind the message";
    case json_error_null_character:
    case json_error_null_byte_in_key:
        return "a string holds the character U+0000";
    case json_error_duplicate_key:
        return "an object has a key twice";
    case json_error_numeric_overflow:
        return "a number is too large for a 64-bit integer or a double";
    default:
        return "a value, a comma, a colon or a bracket is missing or misspelt";
    }
}

/* Duplicate keys are refused: two readers could each take another one of them. */
json_t *jsonrpc_parse(const char *line, size_t length, struct complaint *complaint)
{
    /* Looked at before parsing: the parser itself recurses. */
    if (extent_of(line, length).deepest > JSONRPC_MAX_DEPTH) {
        complaint_set(complaint, "the message is nested more than %d deep", JSONRPC_MAX_DEPTH);
        return NULL;
    }
    /* DECODE_ANY: a line that is JSON but no message gets a better complaint than "not valid JSON". */
    json_error_t error;
    json_t *value = json_loadb(line, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    /* All that the parser says of short memory, where it notices, is nothing. */
    if (!value && (!error.text[0] || json_error_code(&error) == json_error_out_of_memory))
        complaint_set(complaint, "memory is short at the moment: this line was thrown away");
    else if (!value)
        complaint_set(complaint, "the line is not valid JSON: %s (byte %d)", what_is_wrong(&error), error.position);
    return value;
}

static int invalid(struct complaint *complaint, const char *sentence)
{
    complaint_set(complaint, "not a valid request: %s", sentence);
    return -1;
}

/* "parms" instead of "params" would be a request without parameters, and do something else than was meant. */
static int reject_unknown_members(json_t *message, struct complaint *complaint)
{
    static const char *const known[] = {"jsonrpc", "method", "params", "id"};
    const char *key;
    json_t *value;
    json_object_foreach (message, key, value) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            found = found || strcmp(key, known[i]) == 0;
        if (!found) {
            complaint_set(complaint, "not a valid request: beside jsonrpc, method, params and id there is \"%s\"", key);
            return -1;
        }
    }
    return 0;
}

/* The id first: an error about anything else is answered with it. */
int jsonrpc_read_request(json_t *message, struct jsonrpc_request *request, struct complaint *complaint)
{
    *request = (struct jsonrpc_request){0};
    if (!json_is_object(message))
        return invalid(complaint, "a request is an object");
    json_t *id = json_object_get(message, "id");
    if (id && !json_is_string(id) && !json_is_number(id) && !json_is_null(id))
        return invalid(complaint, "id must be a string, a number or null");
    if (json_string_length(id) > JSONRPC_MAX_ID)
        return invalid(complaint, "an id has at most 256 bytes");
    request->id = id;
    const char *version = json_string_value(json_object_get(message, "jsonrpc"));
    if (!version || strcmp(version, "2.0") != 0)
        return invalid(complaint, "the member \"jsonrpc\" must be \"2.0\"");
    request->method = json_string_value(json_object_get(message, "method"));
    if (!request->method)
        return invalid(complaint, "the member \"method\" must be a string");
    request->params = json_object_get(message, "params");
    if (request->params && !json_is_object(request->params) && !json_is_array(request->params))
        return invalid(complaint, "params must be an object");
    return reject_unknown_members(message, complaint);
}

/* Adds members to a message; `value` is taken over, and a failure releases the message. */
static json_t *with(json_t *message, const char *key, json_t *value)
{
    if (!message) {
        json_decref(value);
        return NULL;
    }
    if (json_object_set_new(message, key, value) != 0) {
        json_decref(message);
        return NULL;
    }
    return message;
}

/* What every message begins with. */
static json_t *envelope(void)
{
    return with(json_object(), "jsonrpc", json_string("2.0"));
}

/* An answer always has an id, also when nobody could read the one of the request. */
static json_t *id_or_null(json_t *id)
{
    return id ? json_incref(id) : json_null();
}

/* No id, and therefore no answer. */
json_t *jsonrpc_notification(const char *method, json_t *params)
{
    json_t *message = with(envelope(), "method", json_string(method));
    return with(message, "params", params);
}

json_t *jsonrpc_request(const char *method, json_t *params, json_t *id)
{
    json_t *message = with(envelope(), "method", json_string(method));
    if (params)
        message = with(message, "params", params);
    return with(message, "id", id_or_null(id));
}

json_t *jsonrpc_response(json_t *id, json_t *result)
{
    return with(with(envelope(), "result", result), "id", id_or_null(id));
}

/* A sentence may quote what a client sent, cut anywhere: what is not UTF-8 is replaced, so that no answer fails. */
static json_t *sentence_to_json(const char *sentence)
{
    json_t *string = json_string(sentence);
    if (string)
        return string;
    char ascii[sizeof(struct complaint)];
    size_t length = 0;
    for (; sentence[length] && length + 1 < sizeof ascii; length++)
        ascii[length] = (unsigned char)sentence[length] < 0x80 ? sentence[length] : '?';
    ascii[length] = '\0';
    return json_string(ascii);
}

/* The name stands beside the code, for programs that are read by people. */
json_t *jsonrpc_error_response(json_t *id, enum jsonrpc_error code, const char *sentence, json_t *data)
{
    json_t *named = with(data ? data : json_object(), "name", json_string(jsonrpc_error_name(code)));
    json_t *error = with(json_object(), "code", json_integer(code));
    error = with(with(error, "message", sentence_to_json(sentence)), "data", named);
    return with(with(envelope(), "error", error), "id", id_or_null(id));
}

char *jsonrpc_response_line(json_t *id, const char *result, size_t *length)
{
    *length = 0;
    json_t *shown = id_or_null(id);
    char *id_text = json_text(shown, NULL);
    json_decref(shown);
    char *line = NULL;
    int printed = id_text ? asprintf(&line, "{\"jsonrpc\":\"2.0\",\"result\":%s,\"id\":%s}\n", result, id_text) : -1;
    free(id_text);
    if (printed < 0)
        return NULL;
    *length = (size_t)printed;
    return line;
}

char *jsonrpc_line(json_t *message, size_t *length)
{
    char *line = json_text(message, length);
    json_decref(message);
    if (!line)
        return NULL;
    line[(*length)++] = '\n';
    line[*length] = '\0';
    return line;
}
