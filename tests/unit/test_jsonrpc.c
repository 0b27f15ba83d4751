/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The envelope of JSON-RPC 2.0: what is taken, what is refused, and what the messages look like. */
#include "proto/jsonrpc.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *parse(const char *text)
{
    struct complaint complaint = {{0}};
    json_t *value = jsonrpc_parse(text, strlen(text), &complaint);
    ck_assert_int_eq(value == NULL, complaint.text[0] != '\0');
    return value;
}

static const char *const not_json[] = {
    "",
    " ",
    "{",
    "{\"a\":}",
    "{\"a\":1}x",
    "{'a':1}",
    "[1,]",
    "nul",
    "NaN",
    "[Infinity]",
    "01",
    "\"\xff\"",          /* not UTF-8 */
    "\"\xc0\xaf\"",      /* overlong UTF-8 */
    "\"\xed\xa0\x80\"",  /* a surrogate in UTF-8 */
    "\"\\ud800\"",       /* half a surrogate pair */
    "\"\\u0000\"",       /* a zero character */
    "{\"a\":1,\"a\":2}", /* a key twice */
    "{\"x\":{\"a\":1,\"b\":[],\"a\":1}}",
    "123456789012345678901234567890", /* no integer that the machine can hold */
    "1e999",
};

START_TEST(refuses_what_is_not_json)
{
    ck_assert_msg(parse(not_json[_i]) == NULL, "%s", not_json[_i]);
}
END_TEST

START_TEST(nesting_is_limited)
{
    for (int depth = 1; depth <= 40; depth++) {
        char text[200] = "";
        for (int i = 0; i < depth; i++)
            strcat(text, i % 2 ? "[" : "{\"a\":");
        strcat(text, "1");
        for (int i = depth - 1; i >= 0; i--)
            strcat(text, i % 2 ? "]" : "}");
        json_t *value = parse(text);
        ck_assert_msg((value != NULL) == (depth <= JSONRPC_MAX_DEPTH), "depth %d", depth);
        json_decref(value);
    }
}
END_TEST

START_TEST(brackets_in_strings_are_not_nesting)
{
    json_t *value = parse("[\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{\"]");
    ck_assert_ptr_nonnull(value);
    json_decref(value);
}
END_TEST

START_TEST(a_bomb_of_brackets_costs_nothing)
{
    size_t length = 1000000;
    char *text = malloc(length);
    ck_assert_ptr_nonnull(text);
    memset(text, '[', length);
    struct complaint complaint = {{0}};
    ck_assert_ptr_null(jsonrpc_parse(text, length, &complaint));
    ck_assert_ptr_nonnull(strstr(complaint.text, "32"));
    free(text);
}
END_TEST

/* A request, and how it is read: "method", with '=' and the id where there is one, '!' where it is invalid. */
static const struct {
    const char *text, *reading;
} readings[] = {
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"id\":1}", "status=1"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"id\":\"a\"}", "status=\"a\""},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"id\":null}", "status=null"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"id\":-1.5}", "status=-1.5"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\"}", "status"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"params\":{},\"id\":1}", "status=1"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"params\":[],\"id\":1}", "status=1"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"params\":\"bar\",\"id\":1}", "!=1"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"params\":null,\"id\":1}", "!=1"},
    {"{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":7}", "!=7"},
    {"{\"jsonrpc\":\"2.0\",\"id\":7}", "!=7"},
    {"{\"jsonrpc\":\"1.0\",\"method\":\"status\",\"id\":7}", "!=7"},
    {"{\"jsonrpc\":2.0,\"method\":\"status\",\"id\":7}", "!=7"},
    {"{\"method\":\"status\",\"id\":7}", "!=7"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"id\":{}}", "!"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"id\":[1]}", "!"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"id\":true}", "!"},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"parms\":{},\"id\":1}", "!=1"},
    {"{}", "!"},
    {"1", "!"},
    {"\"status\"", "!"},
    {"null", "!"},
};

/* Whether a line of `count` times the same piece is too rich. */
static bool too_rich(const char *piece, size_t count)
{
    size_t length = strlen(piece);
    char *line = malloc(count * length + 1);
    ck_assert_ptr_nonnull(line);
    for (size_t i = 0; i < count; i++)
        memcpy(line + i * length, piece, length + 1);
    struct complaint complaint = {{0}};
    bool rich = jsonrpc_is_too_rich(line, count * length, &complaint);
    ck_assert_int_eq(rich, complaint.text[0] != '\0');
    free(line);
    return rich;
}

/* Two requests of identify with time stamps have 32768 numbers. */
START_TEST(riches_are_limited)
{
    ck_assert(!too_rich("1.2345678,", 32768 + 100));
    ck_assert(too_rich("0,", 40000));
    ck_assert(!too_rich("{},", 4000));
    ck_assert(too_rich("{},", 5000));
    ck_assert(too_rich("[],", 5000));
    ck_assert(too_rich("\"k\":0,", 5000));
    ck_assert(!too_rich("\",,,[[::{{\\\",\" ", 20000)); /* all of it is text */
}
END_TEST

START_TEST(reads_requests)
{
    struct complaint complaint = {{0}};
    struct jsonrpc_request request;
    json_t *message = parse(readings[_i].text);
    ck_assert_ptr_nonnull(message);
    int code = jsonrpc_read_request(message, &request, &complaint);
    char reading[64];
    char *id = request.id ? json_dumps(request.id, JSON_ENCODE_ANY) : NULL;
    snprintf(reading, sizeof reading, "%s%s%s", code == 0 ? request.method : "!", id ? "=" : "", id ? id : "");
    ck_assert_msg(strcmp(reading, readings[_i].reading) == 0, "%s is read as %s", readings[_i].text, reading);
    ck_assert_int_eq(code != 0, complaint.text[0] != '\0');
    free(id);
    json_decref(message);
}
END_TEST

static void expect_line(json_t *message, const char *expected)
{
    size_t length;
    char *line = jsonrpc_line(message, &length);
    ck_assert_str_eq(line, expected);
    ck_assert_uint_eq(length, strlen(expected));
    free(line);
}

START_TEST(writes_messages)
{
    json_t *id = json_integer(7);
    expect_line(jsonrpc_response(id, json_pack("{s:i}", "n", 1)),
                "{\"jsonrpc\":\"2.0\",\"result\":{\"n\":1},\"id\":7}\n");
    expect_line(jsonrpc_response(NULL, json_true()), "{\"jsonrpc\":\"2.0\",\"result\":true,\"id\":null}\n");
    expect_line(jsonrpc_notification("hello", json_object()),
                "{\"jsonrpc\":\"2.0\",\"method\":\"hello\",\"params\":{}}\n");
    expect_line(jsonrpc_request("status", NULL, id), "{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"id\":7}\n");
    expect_line(jsonrpc_request("status", json_object(), id),
                "{\"jsonrpc\":\"2.0\",\"method\":\"status\",\"params\":{},\"id\":7}\n");
    expect_line(jsonrpc_error_response(id, JSONRPC_NOT_FOUND, "no such decay", NULL),
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32002,\"message\":\"no such decay\","
                "\"data\":{\"name\":\"not_found\"}},\"id\":7}\n");
    expect_line(jsonrpc_error_response(NULL, JSONRPC_HISTORY_GONE, "gone", json_pack("{s:i}", "next_seq", 9)),
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"gone\","
                "\"data\":{\"next_seq\":9,\"name\":\"history_gone\"}},\"id\":null}\n");
    json_decref(id);
}
END_TEST

START_TEST(an_error_may_quote_anything)
{
    expect_line(jsonrpc_error_response(NULL, JSONRPC_PARSE_ERROR, "near 'ab\xff'", NULL),
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"near 'ab?'\","
                "\"data\":{\"name\":\"parse_error\"}},\"id\":null}\n");
}
END_TEST

/* A number that is not finite has no JSON: the message fails as a whole instead of carrying a hole. */
START_TEST(what_cannot_be_built_gives_no_line)
{
    size_t length = 1;
    ck_assert_ptr_null(jsonrpc_line(jsonrpc_response(NULL, json_real(NAN)), &length));
    ck_assert_uint_eq(length, 0);
}
END_TEST

START_TEST(every_error_has_its_name)
{
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_PARSE_ERROR), "parse_error");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_INVALID_REQUEST), "invalid_request");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_METHOD_NOT_FOUND), "method_not_found");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_INVALID_PARAMS), "invalid_params");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_INTERNAL_ERROR), "internal_error");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_HISTORY_GONE), "history_gone");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_NOT_PERMITTED), "not_permitted");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_NOT_FOUND), "not_found");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_TOO_LARGE), "too_large");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_BUSY), "busy");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_DAMAGED), "damaged");
    ck_assert_str_eq(jsonrpc_error_name(JSONRPC_NOT_POSSIBLE), "not_possible");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("jsonrpc");
    TCase *reading = tcase_create("reading");
    tcase_add_loop_test(reading, refuses_what_is_not_json, 0, sizeof not_json / sizeof not_json[0]);
    tcase_add_test(reading, nesting_is_limited);
    tcase_add_test(reading, brackets_in_strings_are_not_nesting);
    tcase_add_test(reading, a_bomb_of_brackets_costs_nothing);
    tcase_add_test(reading, riches_are_limited);
    tcase_add_loop_test(reading, reads_requests, 0, sizeof readings / sizeof readings[0]);
    suite_add_tcase(suite, reading);
    TCase *writing = tcase_create("writing");
    tcase_add_test(writing, writes_messages);
    tcase_add_test(writing, an_error_may_quote_anything);
    tcase_add_test(writing, what_cannot_be_built_gives_no_line);
    tcase_add_test(writing, every_error_has_its_name);
    suite_add_tcase(suite, writing);
    return run_suite(suite);
}
