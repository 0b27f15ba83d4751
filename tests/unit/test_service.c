/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The protocol as a client meets it: envelope, methods, subscriptions. */
#include "made_result.h"
#include "run_suite.h"
#include "service_bench.h"

#include <string.h>
#include <sys/socket.h>

static struct bench bench;
static struct client client;

static void set_up(void)
{
    bench_set_up(&bench);
    bench_start(&bench);
    client = client_connect(&bench);
}

static void tear_down(void)
{
    client_close(&client);
    bench_clear(&bench);
}

static void publish(uint64_t id)
{
    struct kept_result *result = made_result(id % 2 ? "bearing" : "spindle", "lvdt", id, 100);
    service_publish_result(bench.service, result);
    kept_result_release(result);
}

static void publish_event(const char *code)
{
    const struct service_event event = {.code = code,
                                        .sentence = "something happened",
                                        .rig = "bearing",
                                        .channel = "lvdt",
                                        .source_kind = "simulated",
                                        .at_ns = 1,
                                        .count = 3};
    service_publish_event(bench.service, &event);
}

static void publish_progress(void)
{
    const struct segment_state state = {.phase = SEGMENT_DECAYING, .half_cycle = 3, .amplitude = 1.5};
    service_publish_progress(bench.service, "bearing", "lvdt", "simulated", "mm", &state);
}

static json_int_t integer(json_t *object, const char *key)
{
    ck_assert_msg(json_is_integer(json_object_get(object, key)), "%s is no integer", key);
    return json_integer_value(json_object_get(object, key));
}

static const char *text(json_t *object, const char *key)
{
    ck_assert_msg(json_is_string(json_object_get(object, key)), "%s is no string", key);
    return json_string_value(json_object_get(object, key));
}

/* What a line is answered with: the code of the error, 0 for a result. */
static int code_of(const char *line)
{
    json_t *answer = client_ask(&bench, &client, line);
    json_t *error = json_object_get(answer, "error");
    int code = error ? (int)integer(error, "code") : 0;
    ck_assert_int_eq(!error, json_object_get(answer, "result") != NULL);
    json_decref(answer);
    return code;
}

/* Lines, and the error that JSON-RPC 2.0 or fricid asks for. */
static const struct {
    const char *line;
    int code;
} lines[] = {
    {"{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":1}", 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":null}", 0},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"params\":[],\"id\":\"x\"}", 0},
    {" \t{ \"jsonrpc\" : \"2.0\" , \"method\":\"version\",\"id\":1 }\r", 0},
    {"", -32700},
    {"foobar", -32700},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"foobar, \"params\":\"bar\",\"baz]", -32700},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"version\"}", -32700},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"ver\xff\",\"id\":1}", -32700},
    {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", -32700},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":99999999999999999999999}", -32700},
    {"[]", -32600},
    {"1", -32600},
    {"\"version\"", -32600},
    {"{\"jsonrpc\":\"2.0\",\"method\":1,\"params\":\"bar\"}", -32600},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":[1]}", -32600},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"params\":1,\"id\":1}", -32600},
    {"{\"jsonrpc\":\"1.0\",\"method\":\"version\",\"id\":1}", -32600},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"nothing\",\"id\":1}", -32601},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"\",\"id\":1}", -32601},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"params\":[1],\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"params\":{\"x\":1},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"limit\":0},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"limit\":1001},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"limit\":1.5},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"limit\":\"5\"},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"limit\":null},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"rig\":7},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"verdict\":\"fine\"},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"before_id\":9223372036854775807},\"id\":1}",
     -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"limits\":5},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.get\",\"params\":{},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.get\",\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.get\",\"params\":{\"id\":-1},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"results.get\",\"params\":{\"id\":5},\"id\":1}", -32002},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"samples\",\"params\":{\"id\":5,\"offset\":0,\"count\":10},\"id\":1}", -32002},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"samples\",\"params\":{\"id\":5,\"offset\":0,\"count\":8193},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"subscribe\",\"params\":{\"topics\":\"result\"},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"subscribe\",\"params\":{\"topics\":[]},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"subscribe\",\"params\":{\"topics\":[\"weather\"]},\"id\":1}", -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"subscribe\",\"params\":{\"topics\":[\"event\"],\"from_seq\":0},\"id\":1}",
     -32602},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"subscribe\",\"params\":{\"topics\":[\"event\"],\"from_seq\":2},\"id\":1}",
     -32000},
};

START_TEST(each_line_has_its_answer)
{
    ck_assert_msg(code_of(lines[_i].line) == lines[_i].code, "%s", lines[_i].line);
    ck_assert_int_eq(code_of(lines[0].line), 0); /* and the connection survives */
}
END_TEST

START_TEST(ids_come_back_as_they_were)
{
    const char *const ids[] = {"1", "\"a b\"", "null", "-7", "1.5", "9007199254740993", "\"\\u00e4\\n\""};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        char line[128];
        snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":%s}", ids[i]);
        json_t *answer = client_ask(&bench, &client, line);
        json_t *id = json_loads(ids[i], JSON_DECODE_ANY, NULL);
        ck_assert_msg(json_equal(id, json_object_get(answer, "id")), "%s", ids[i]);
        json_decref(id);
        json_decref(answer);
    }
}
END_TEST

START_TEST(an_id_without_end_is_refused)
{
    char line[512], id[300];
    memset(id, 'x', sizeof id);
    snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":\"%.257s\"}", id);
    ck_assert_int_eq(code_of(line), -32600);
    snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":\"%.256s\"}", id);
    ck_assert_int_eq(code_of(line), 0);
}
END_TEST

START_TEST(requests_without_id_are_never_answered)
{
    const char *const silent =
        "{\"jsonrpc\":\"2.0\",\"method\":\"version\"}\n"
        "{\"jsonrpc\":\"2.0\",\"method\":\"nothing\"}\n"
        "{\"jsonrpc\":\"2.0\",\"method\":\"results.get\",\"params\":{\"id\":\"x\"}}\n"
        "{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":7}\n"
        "{\"jsonrpc\":\"2.0\",\"method\":\"subscribe\",\"params\":{\"topics\":[\"x\"]}}\n"
        "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"parms\":{}}\n"
        "[{\"jsonrpc\":\"2.0\",\"method\":\"version\"},{\"jsonrpc\":\"2.0\",\"method\":\"no\"}]\n";
    client_send(&bench, &client, silent, strlen(silent));
    ck_assert(client_hears_nothing(&bench, &client));
}
END_TEST

START_TEST(a_request_without_id_still_acts)
{
    const char *const line = "{\"jsonrpc\":\"2.0\",\"method\":\"subscribe\",\"params\":{\"topics\":[\"event\"]}}\n";
    client_send(&bench, &client, line, strlen(line));
    ck_assert(client_hears_nothing(&bench, &client));
    publish_event("gap");
    json_t *notification = client_json(&bench, &client);
    ck_assert_str_eq(text(notification, "method"), "notify.event");
    json_decref(notification);
}
END_TEST

START_TEST(several_requests_in_one_packet)
{
    char packet[4096] = "";
    for (int i = 0; i < 20; i++) {
        size_t used = strlen(packet);
        snprintf(packet + used, sizeof packet - used, "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":%d}\n", i);
    }
    client_send(&bench, &client, packet, strlen(packet));
    for (int i = 0; i < 20; i++) {
        json_t *answer = client_json(&bench, &client);
        ck_assert_int_eq(integer(answer, "id"), i);
        json_decref(answer);
    }
}
END_TEST

START_TEST(a_request_in_single_bytes)
{
    const char *const line = "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":\"\xc3\xa4\"}\n";
    for (size_t i = 0; i < strlen(line); i++)
        client_send(&bench, &client, line + i, 1);
    json_t *answer = client_json(&bench, &client);
    ck_assert_str_eq(text(answer, "id"), "\xc3\xa4");
    json_decref(answer);
}
END_TEST

START_TEST(a_batch_is_answered_in_one_line)
{
    json_t *answers = client_ask(&bench, &client,
                                 "[{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":1},"
                                 "{\"jsonrpc\":\"2.0\",\"method\":\"version\"},"
                                 "{\"foo\":\"boo\"},1,"
                                 "{\"jsonrpc\":\"2.0\",\"method\":\"nothing\",\"id\":\"5\"},"
                                 "{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"id\":9}]");
    ck_assert_uint_eq(json_array_size(answers), 5);
    ck_assert_ptr_nonnull(json_object_get(json_array_get(answers, 0), "result"));
    ck_assert(json_is_null(json_object_get(json_array_get(answers, 1), "id")));
    ck_assert_int_eq(integer(json_object_get(json_array_get(answers, 2), "error"), "code"), -32600);
    ck_assert_int_eq(integer(json_object_get(json_array_get(answers, 3), "error"), "code"), -32601);
    ck_assert_int_eq(integer(json_array_get(answers, 4), "id"), 9);
    json_decref(answers);
}
END_TEST

START_TEST(batches_are_limited)
{
    for (int count = 50; count <= 51; count++) {
        char batch[8192] = "[";
        for (int i = 0; i < count; i++) {
            size_t used = strlen(batch);
            snprintf(batch + used, sizeof batch - used, "%s{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":%d}",
                     i > 0 ? "," : "", i);
        }
        strcat(batch, "]");
        json_t *answer = client_ask(&bench, &client, batch);
        ck_assert_uint_eq(json_array_size(answer), count == 50 ? 50 : 0);
        if (count == 51)
            ck_assert_int_eq(integer(json_object_get(answer, "error"), "code"), -32003);
        json_decref(answer);
    }
}
END_TEST

START_TEST(version_tells_the_protocol)
{
    json_t *version = client_call(&bench, &client, "version", "{}");
    ck_assert_str_eq(text(version, "server"), "fricidd");
    ck_assert_int_eq(integer(json_object_get(version, "protocol"), "major"), 1);
    ck_assert(json_is_boolean(json_object_get(version, "comedi")));
    json_decref(version);
}
END_TEST

START_TEST(status_shows_the_daemon)
{
    struct client other = client_connect(&bench);
    json_decref(client_call(&bench, &other, "subscribe", "{\"topics\":[\"result\"]}"));
    publish(3);
    json_t *status = client_call(&bench, &client, "status", "{}");
    json_t *rig = json_array_get(json_object_get(status, "rigs"), 0);
    ck_assert_str_eq(text(rig, "name"), "bearing");
    ck_assert_str_eq(text(rig, "condition"), "running");
    ck_assert_str_eq(text(json_object_get(rig, "source"), "kind"), "simulated");
    json_t *channel = json_array_get(json_object_get(rig, "channels"), 0);
    ck_assert_str_eq(text(json_object_get(channel, "state"), "phase"), "idle");
    ck_assert(json_is_null(json_object_get(channel, "last")));
    ck_assert_int_eq(integer(json_object_get(status, "clients"), "connections"), 2);
    ck_assert_int_eq(integer(json_object_get(status, "clients"), "subscribers"), 1);
    ck_assert_int_eq(integer(json_object_get(status, "history"), "oldest_seq"), 1);
    ck_assert_int_eq(integer(json_object_get(status, "history"), "next_seq"), 2);
    json_decref(status);
    client_close(&other);
}
END_TEST

START_TEST(config_shows_the_file)
{
    json_t *config = client_call(&bench, &client, "config", "{}");
    ck_assert(json_is_null(json_object_get(config, "path")));
    ck_assert_uint_gt(strlen(text(config, "reason")), 10);
    json_decref(config);
    bench.config_path = "/etc/fricid.conf";
    config = client_call(&bench, &client, "config", "{}");
    ck_assert_str_eq(text(config, "path"), "/etc/fricid.conf");
    ck_assert_str_eq(text(config, "text"), "rigs = ();\n");
    ck_assert(json_is_null(json_object_get(config, "reason")));
    json_decref(config);
}
END_TEST

START_TEST(results_come_in_pages)
{
    for (uint64_t id = 1; id <= 7; id++)
        publish(id);
    json_t *page = client_call(&bench, &client, "results.list", "{\"limit\":3}");
    json_t *results = json_object_get(page, "results");
    ck_assert_uint_eq(json_array_size(results), 3);
    ck_assert_int_eq(integer(json_array_get(results, 0), "id"), 7);
    ck_assert_int_eq(integer(page, "next_before_id"), 5);
    json_decref(page);
    page = client_call(&bench, &client, "results.list", "{\"limit\":3,\"before_id\":2}");
    results = json_object_get(page, "results");
    ck_assert_uint_eq(json_array_size(results), 1);
    ck_assert_int_eq(integer(json_array_get(results, 0), "id"), 1);
    ck_assert(json_is_null(json_object_get(page, "next_before_id")));
    json_decref(page);
}
END_TEST

START_TEST(results_can_be_filtered)
{
    for (uint64_t id = 1; id <= 6; id++)
        publish(id);
    const struct {
        const char *params;
        size_t count;
    } filters[] = {{"{\"rig\":\"bearing\"}", 3},
                   {"{\"rig\":\"spindle\",\"verdict\":\"ok\"}", 3},
                   {"{\"channel\":\"encoder\"}", 0},
                   {"{\"verdict\":\"not_converged\"}", 0},
                   {"{}", 6}};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        json_t *page = client_call(&bench, &client, "results.list", filters[i].params);
        ck_assert_uint_eq(json_array_size(json_object_get(page, "results")), filters[i].count);
        json_decref(page);
    }
}
END_TEST

START_TEST(a_page_never_exceeds_a_line)
{
    for (uint64_t id = 1; id <= 1000; id++)
        publish(id);
    char params[64] = "{\"limit\":1000}";
    size_t seen = 0;
    for (int pages = 0; pages < 20; pages++) {
        json_t *page = client_call(&bench, &client, "results.list", params);
        char *dump = json_dumps(page, JSON_COMPACT);
        ck_assert_uint_lt(strlen(dump), 1 << 20);
        free(dump);
        seen += json_array_size(json_object_get(page, "results"));
        json_t *next = json_object_get(page, "next_before_id");
        snprintf(params, sizeof params, "{\"limit\":1000,\"before_id\":%lld}", (long long)json_integer_value(next));
        bool last = json_is_null(next);
        json_decref(page);
        if (last)
            break;
    }
    ck_assert_uint_eq(seen, 1000);
}
END_TEST

START_TEST(a_result_in_full)
{
    publish(5);
    json_t *result = client_call(&bench, &client, "results.get", "{\"id\":5}");
    ck_assert_int_eq(integer(result, "id"), 5);
    ck_assert_str_eq(text(json_object_get(result, "fit"), "method"), "full-record");
    json_decref(result);
    json_decref(client_call_fails(&bench, &client, "results.get", "{\"id\":5,\"revision\":2}", -32002));
}
END_TEST

START_TEST(samples_of_a_decay)
{
    publish(5);
    json_t *samples = client_call(&bench, &client, "samples", "{\"id\":5,\"offset\":98,\"count\":10}");
    json_t *displacement = json_object_get(samples, "displacement");
    ck_assert_int_eq(integer(samples, "total"), 100);
    ck_assert_int_eq(integer(samples, "count"), 2);
    ck_assert_uint_eq(json_array_size(displacement), 2);
    ck_assert_double_eq(json_number_value(json_array_get(displacement, 1)), 24.75);
    ck_assert(json_is_null(json_object_get(samples, "time_s")));
    json_decref(samples);
    samples = client_call(&bench, &client, "samples", "{\"id\":5,\"offset\":1000000}");
    ck_assert_int_eq(integer(samples, "count"), 0);
    json_decref(samples);
    struct kept_result *stamped = made_stamped_result(6, 10);
    service_publish_result(bench.service, stamped);
    kept_result_release(stamped);
    samples = client_call(&bench, &client, "samples", "{\"id\":6}");
    ck_assert_uint_eq(json_array_size(json_object_get(samples, "time_s")), 10);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(samples, "flags"), 1)), SAMPLE_CLIPPED);
    ck_assert(json_is_null(json_object_get(samples, "period_s")));
    json_decref(samples);
}
END_TEST

/* Reads one notification and checks its method and seq. */
static void expect(const char *method, json_int_t seq)
{
    json_t *notification = client_json(&bench, &client);
    ck_assert_str_eq(text(notification, "method"), method);
    ck_assert_int_eq(integer(json_object_get(notification, "params"), "seq"), seq);
    json_decref(notification);
}

START_TEST(subscribers_hear_their_topics)
{
    json_t *answer = client_call(&bench, &client, "subscribe", "{\"topics\":[\"progress\",\"result\"]}");
    ck_assert_uint_eq(json_array_size(json_object_get(answer, "topics")), 2);
    ck_assert_int_eq(integer(answer, "next_seq"), 1);
    json_decref(answer);
    publish(1);
    publish_event("gap");
    publish_progress();
    expect("notify.result", 1);
    expect("notify.progress", 3);
    answer = client_call(&bench, &client, "unsubscribe", "{\"topics\":[\"result\"]}");
    ck_assert_uint_eq(json_array_size(json_object_get(answer, "topics")), 1);
    json_decref(answer);
    publish(2);
    ck_assert(client_hears_nothing(&bench, &client));
    answer = client_call(&bench, &client, "unsubscribe", "{}");
    ck_assert_uint_eq(json_array_size(json_object_get(answer, "topics")), 0);
    json_decref(answer);
}
END_TEST

START_TEST(what_was_missed_is_replayed)
{
    publish(1);
    publish_event("gap");
    publish(2);
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\",\"event\"],\"from_seq\":2}"));
    publish(3);
    expect("notify.event", 2);
    expect("notify.result", 3);
    expect("notify.result", 4);
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\"],\"from_seq\":5}"));
    ck_assert(client_hears_nothing(&bench, &client));
}
END_TEST

START_TEST(a_long_replay_is_complete)
{
    for (uint64_t id = 1; id <= 900; id++)
        publish(id);
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\"],\"from_seq\":1}"));
    for (json_int_t seq = 1; seq <= 1000; seq++) {
        if (seq <= 100)
            publish(900 + (uint64_t)seq);
        expect("notify.result", seq);
    }
    ck_assert(client_hears_nothing(&bench, &client));
}
END_TEST

START_TEST(a_history_that_is_gone)
{
    publish(1);
    json_t *data = client_call_fails(&bench, &client, "subscribe",
                                     "{\"topics\":[\"result\"],\"from_seq\":1,\"history_id\":\"00\"}", -32000);
    ck_assert_str_eq(text(data, "name"), "history_gone");
    ck_assert_int_eq(integer(data, "oldest_seq"), 1);
    ck_assert_int_eq(integer(data, "next_seq"), 2);
    ck_assert_uint_eq(strlen(text(data, "history_id")), 32);
    json_decref(data);
    for (uint64_t id = 2; id <= 1005; id++)
        publish(id);
    data = client_call_fails(&bench, &client, "subscribe", "{\"topics\":[\"result\"],\"from_seq\":5}", -32000);
    ck_assert_int_eq(integer(data, "oldest_seq"), 6);
    json_decref(data);
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"event\"],\"from_seq\":5}"));
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\"],\"from_seq\":6}"));
    expect("notify.result", 6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("service");
    TCase *envelope = tcase_create("envelope");
    tcase_add_checked_fixture(envelope, set_up, tear_down);
    tcase_add_loop_test(envelope, each_line_has_its_answer, 0, sizeof lines / sizeof lines[0]);
    tcase_add_test(envelope, ids_come_back_as_they_were);
    tcase_add_test(envelope, an_id_without_end_is_refused);
    tcase_add_test(envelope, requests_without_id_are_never_answered);
    tcase_add_test(envelope, a_request_without_id_still_acts);
    tcase_add_test(envelope, several_requests_in_one_packet);
    tcase_add_test(envelope, a_request_in_single_bytes);
    tcase_add_test(envelope, a_batch_is_answered_in_one_line);
    tcase_add_test(envelope, batches_are_limited);
    suite_add_tcase(suite, envelope);
    TCase *methods = tcase_create("methods");
    tcase_add_checked_fixture(methods, set_up, tear_down);
    tcase_add_test(methods, version_tells_the_protocol);
    tcase_add_test(methods, status_shows_the_daemon);
    tcase_add_test(methods, config_shows_the_file);
    tcase_add_test(methods, results_come_in_pages);
    tcase_add_test(methods, results_can_be_filtered);
    tcase_add_test(methods, a_page_never_exceeds_a_line);
    tcase_add_test(methods, a_result_in_full);
    tcase_add_test(methods, samples_of_a_decay);
    suite_add_tcase(suite, methods);
    TCase *topics = tcase_create("topics");
    tcase_add_checked_fixture(topics, set_up, tear_down);
    tcase_add_test(topics, subscribers_hear_their_topics);
    tcase_add_test(topics, what_was_missed_is_replayed);
    tcase_add_test(topics, a_long_replay_is_complete);
    tcase_add_test(topics, a_history_that_is_gone);
    suite_add_tcase(suite, topics);
    return run_suite(suite);
}
