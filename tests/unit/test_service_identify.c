/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records that clients send: what is taken, what is refused, and that nothing of them outlives its client. */
#include "made_result.h"
#include "run_suite.h"
#include "service/service_state.h"
#include "service/upload.h"
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

static void send_text(const char *line)
{
    client_send(&bench, &client, line, strlen(line));
    bench_turn(&bench);
}

START_TEST(a_uniform_record)
{
    send_text("{\"jsonrpc\":\"2.0\",\"method\":\"identify\",\"params\":{\"displacement\":[1,-0.9,0.8],"
              "\"sample_rate_hz\":200,\"start_s\":3,\"unit\":\"mm\",\"name\":\"lvdt\",\"resolution\":0.01,"
              "\"whole\":true},\"id\":5}\n");
    struct bench_identify *waiting = bench_waiting(&bench);
    const struct identify_request *request = &waiting->request;
    ck_assert_uint_eq(request->count, 3);
    ck_assert_double_eq(request->displacement[1], -0.9);
    ck_assert_ptr_null(request->time_s);
    ck_assert_double_eq(request->period_s, 0.005);
    ck_assert_double_eq(request->start_s, 3.0);
    ck_assert_double_eq(request->resolution, 0.01);
    ck_assert_str_eq(request->unit, "mm");
    ck_assert_str_eq(request->name, "lvdt");
    ck_assert(request->whole);
    ck_assert(client_hears_nothing(&bench, &client));
    bench_answer(&bench, waiting, NULL);
    json_t *answer = client_json(&bench, &client);
    json_t *result = json_object_get(answer, "result");
    ck_assert_int_eq(json_integer_value(json_object_get(answer, "id")), 5);
    ck_assert_uint_eq(json_array_size(json_object_get(result, "results")), 1);
    ck_assert(json_is_null(json_object_get(json_array_get(json_object_get(result, "results"), 0), "id")));
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(result, "drops"), "too_short")), 2);
    json_decref(answer);
}
END_TEST

START_TEST(a_time_stamped_record)
{
    send_text("{\"jsonrpc\":\"2.0\",\"method\":\"identify\",\"params\":{\"displacement\":[1,2,3],"
              "\"time_s\":[5,5.1,5.4]},\"id\":5}\n");
    struct bench_identify *waiting = bench_waiting(&bench);
    ck_assert_double_eq(waiting->request.time_s[2], 5.4);
    ck_assert_double_eq(waiting->request.start_s, 5.0);
    ck_assert_double_eq_tol(waiting->request.period_s, 0.2, 1e-12);
    ck_assert_str_eq(waiting->request.unit, "1");
    ck_assert_str_eq(waiting->request.name, "record");
    ck_assert(!waiting->request.whole);
    bench_answer(&bench, waiting, "the identifier stumbled");
    json_t *answer = client_json(&bench, &client);
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(answer, "error"), "message")),
                     "the identifier stumbled");
    json_decref(answer);
}
END_TEST

static const struct {
    const char *params;
    int code;
} refused[] = {
    {"{}", -32602},
    {"{\"displacement\":[1,2,3]}", -32602},
    {"{\"displacement\":[],\"sample_rate_hz\":200}", -32602},
    {"{\"displacement\":[1,\"2\"],\"sample_rate_hz\":200}", -32602},
    {"{\"displacement\":[1,null],\"sample_rate_hz\":200}", -32602},
    {"{\"displacement\":1,\"sample_rate_hz\":200}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":0}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":-5}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":1e300}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":\"200\"}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":200,\"start_s\":1e300}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":200,\"time_s\":[1,2]}", -32602},
    {"{\"displacement\":[1,2],\"time_s\":[1,2],\"start_s\":1}", -32602},
    {"{\"displacement\":[1,2],\"time_s\":[1,2,3]}", -32602},
    {"{\"displacement\":[1,2,3],\"time_s\":[1,2,2]}", -32602},
    {"{\"displacement\":[1,2,3],\"time_s\":[1,3,2]}", -32602},
    {"{\"displacement\":[1,2],\"time_s\":[-1e308,1e308]}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":200,\"whole\":1}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":200,\"unit\":\"\"}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":200,\"unit\":\"\\u001b[31m\"}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":200,\"unit\":\"0123456789012345678901234567890123456789\"}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":200,\"resolution\":-1}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":200,\"time_stamped\":true}", -32602},
    {"{\"displacement\":[1,2],\"sample_rate_hz\":200,\"rate\":1}", -32602},
};

START_TEST(what_is_no_record_is_refused)
{
    json_decref(client_call_fails(&bench, &client, "identify", refused[_i].params, refused[_i].code));
    ck_assert_int_eq(bench.tickets, 0);
}
END_TEST

/* "[0.5,0.5,…]" with `count` numbers; for the caller to free. */
static char *numbers(size_t count)
{
    char *list = malloc(4 * count + 2);
    ck_assert_ptr_nonnull(list);
    for (size_t i = 0; i < count; i++)
        memcpy(list + 4 * i, i == 0 ? "[0.5" : ",0.5", 4);
    /* The first element has no comma before it, but a bracket: both are one character and three digits. */
    memcpy(list + 4 * count, "]", 2);
    return list;
}

static char *chunk(json_int_t upload, size_t count)
{
    char *list = numbers(count);
    size_t size = strlen(list) + 80;
    char *params = malloc(size);
    ck_assert_ptr_nonnull(params);
    snprintf(params, size, "{\"upload\":%lld,\"displacement\":%s}", (long long)upload, list);
    free(list);
    return params;
}

START_TEST(the_largest_request)
{
    for (size_t count = 8192; count <= 8193; count++) {
        char *list = numbers(count), *params = malloc(strlen(list) + 80);
        ck_assert_ptr_nonnull(params);
        sprintf(params, "{\"displacement\":%s,\"sample_rate_hz\":100}", list);
        if (count == 8193) {
            json_decref(client_call_fails(&bench, &client, "identify", params, -32003));
        } else {
            char *line = malloc(strlen(params) + 80);
            ck_assert_ptr_nonnull(line);
            sprintf(line, "{\"jsonrpc\":\"2.0\",\"method\":\"identify\",\"params\":%s,\"id\":1}\n", params);
            client_send(&bench, &client, line, strlen(line));
            ck_assert_uint_eq(bench_waiting(&bench)->request.count, 8192);
            bench_answer(&bench, bench_waiting(&bench), NULL);
            json_decref(client_json(&bench, &client));
            free(line);
        }
        free(list);
        free(params);
    }
}
END_TEST

static json_int_t begin(const char *params)
{
    json_t *begun = client_call(&bench, &client, "identify.begin", params);
    json_int_t upload = json_integer_value(json_object_get(begun, "upload"));
    json_decref(begun);
    return upload;
}

/* Appends samples to an upload; the code of the error, or 0. */
static int append(json_int_t upload, size_t count)
{
    char *params = chunk(upload, count), *line = malloc(strlen(params) + 80);
    ck_assert_ptr_nonnull(line);
    sprintf(line, "{\"jsonrpc\":\"2.0\",\"method\":\"identify.append\",\"params\":%s,\"id\":1}", params);
    json_t *answer = client_ask(&bench, &client, line);
    int code = (int)json_integer_value(json_object_get(json_object_get(answer, "error"), "code"));
    json_decref(answer);
    free(line);
    free(params);
    return code;
}

START_TEST(a_record_in_pieces)
{
    json_int_t upload = begin("{\"sample_rate_hz\":1000,\"name\":\"long\"}");
    for (json_int_t pieces = 1; pieces <= 5; pieces++) {
        char *params = chunk(upload, 8192);
        json_t *sofar = client_call(&bench, &client, "identify.append", params);
        ck_assert_int_eq(json_integer_value(json_object_get(sofar, "samples")), 8192 * pieces);
        json_decref(sofar);
        free(params);
    }
    char finish[128];
    snprintf(finish, sizeof finish,
             "{\"jsonrpc\":\"2.0\",\"method\":\"identify.finish\",\"params\":{\"upload\":%lld},\"id\":8}\n",
             (long long)upload);
    send_text(finish);
    struct bench_identify *waiting = bench_waiting(&bench);
    ck_assert_uint_eq(waiting->request.count, 5 * 8192);
    ck_assert_double_eq(waiting->request.displacement[5 * 8192 - 1], 0.5);
    bench_answer(&bench, waiting, NULL);
    json_decref(client_json(&bench, &client));
    char gone[64];
    snprintf(gone, sizeof gone, "{\"upload\":%lld}", (long long)upload);
    json_decref(client_call_fails(&bench, &client, "identify.finish", gone, -32002));
}
END_TEST

START_TEST(pieces_that_do_not_fit)
{
    json_int_t upload = begin("{\"time_stamped\":true}");
    char params[128];
    const char *const bad[] = {"\"displacement\":[1,2]", "\"displacement\":[1,2],\"time_s\":[1]",
                               "\"displacement\":[1,2],\"time_s\":[3,3]", "\"displacement\":[1],\"time_s\":[0.5]"};
    snprintf(params, sizeof params, "{\"upload\":%lld,\"displacement\":[0],\"time_s\":[0.5]}", (long long)upload);
    json_decref(client_call(&bench, &client, "identify.append", params));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(params, sizeof params, "{\"upload\":%lld,%s}", (long long)upload, bad[i]);
        json_decref(client_call_fails(&bench, &client, "identify.append", params, -32602));
    }
    snprintf(params, sizeof params, "{\"upload\":%lld,\"displacement\":[0],\"time_s\":[0.6]}", (long long)upload);
    json_t *sofar = client_call(&bench, &client, "identify.append", params);
    ck_assert_int_eq(json_integer_value(json_object_get(sofar, "samples")), 2);
    json_decref(sofar);
}
END_TEST

START_TEST(an_upload_belongs_to_its_connection)
{
    struct client other = client_connect(&bench);
    json_int_t upload = begin("{\"sample_rate_hz\":1000}");
    char *params = chunk(upload, 3);
    json_decref(client_call_fails(&bench, &other, "identify.append", params, -32002));
    free(params);
    client_close(&other);
}
END_TEST

START_TEST(an_empty_upload_cannot_be_finished)
{
    begin("{\"sample_rate_hz\":1000}");
    json_decref(client_call_fails(&bench, &client, "identify.finish", "{\"upload\":1}", -32602));
    json_decref(client_call_fails(&bench, &client, "identify.begin", "{}", -32602));
    json_decref(client_call_fails(&bench, &client, "identify.begin", "{\"displacement\":[1]}", -32602));
}
END_TEST

static struct bench_identify *finish_upload(const char *params)
{
    char line[160];
    snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"method\":\"identify.finish\",\"params\":%s,\"id\":8}\n",
             params);
    send_text(line);
    return bench_waiting(&bench);
}

static void expect_kept(void)
{
    json_t *answer = client_json(&bench, &client), *error = json_object_get(answer, "error");
    ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(error, "message")), "upload 1 is kept"));
    json_decref(answer);
    ck_assert_uint_eq(bench.service->upload_budget.used, sizeof(double) * 1024);
}

/* Results that no answer holds, of a record that is kept: they are stored by then, and whoever could finish it again
 * would have every decay twice. Before, it can be. */
START_TEST(a_record_that_is_stored_cannot_be_finished_again)
{
    const uint64_t drops[DROP_REASONS] = {0};
    struct kept_result *result = made_result("", "record", 0, 50), *results[1000];
    begin("{\"sample_rate_hz\":1000,\"keep\":true}");
    ck_assert_int_eq(append(1, 3), 0);
    bench.backend_is_full = true;
    json_t *answer = client_call_fails(&bench, &client, "identify.finish", "{\"upload\":1}", -32004);
    json_decref(answer);
    bench.backend_is_full = false;
    struct bench_identify *waiting = finish_upload("{\"upload\":1}");
    for (size_t i = 0; i < 1000; i++)
        results[i] = result;
    waiting->ticket = 0;
    waiting->answer(waiting->context, &waiting->request, results, 1000, drops, NULL);
    identify_request_clear(&waiting->request);
    kept_result_release(result);
    answer = client_json(&bench, &client);
    const char *message = json_string_value(json_object_get(json_object_get(answer, "error"), "message"));
    ck_assert_ptr_nonnull(strstr(message, "they are stored: `fricidctl results` has them"));
    ck_assert_ptr_null(strstr(message, "again"));
    json_decref(answer);
    ck_assert_uint_eq(bench.service->upload_budget.used, 0);
    json_decref(client_call_fails(&bench, &client, "identify.finish", "{\"upload\":1}", -32002));
}
END_TEST

/* Whatever the reason, the samples are there when the client asks again, and count for as long as they are. */
START_TEST(a_refused_finish_keeps_the_upload)
{
    const size_t limit = bench.service->upload_budget.limit;
    const uint64_t drops[DROP_REASONS] = {0};
    struct kept_result *result = made_result("", "record", 0, 50), *results[1000];
    begin("{\"sample_rate_hz\":1000}");
    char *params = chunk(1, 3);
    json_decref(client_call(&bench, &client, "identify.append", params));
    json_decref(client_call_fails(&bench, &client, "identify.finish", "{\"upload\":1,\"limit\":0}", -32602));
    bench.backend_is_full = true;
    json_decref(client_call_fails(&bench, &client, "identify.finish", "{\"upload\":1}", -32004));
    ck_assert_uint_eq(bench.service->upload_budget.used, sizeof(double) * 1024);
    bench.backend_is_full = false;
    struct bench_identify *waiting = finish_upload("{\"upload\":1}");
    struct memory_charge other = {.budget = &bench.service->upload_budget};
    ck_assert_int_eq(memory_charge_add(&other, limit / 2), MEMORY_GRANTED);
    ck_assert_int_ne(memory_charge_add(waiting->request.charge, limit / 2), MEMORY_GRANTED);
    memory_charge_remove(&other, limit / 2);
    bench_answer(&bench, waiting, "not enough memory");
    expect_kept();
    waiting = finish_upload("{\"upload\":1}");
    ck_assert_int_eq(memory_charge_add(waiting->request.charge, 12345), MEMORY_GRANTED);
    for (size_t i = 0; i < 1000; i++)
        results[i] = result;
    waiting->ticket = 0;
    waiting->answer(waiting->context, &waiting->request, results, 1000, drops, NULL);
    ck_assert_ptr_null(waiting->request.displacement);
    kept_result_release(result);
    expect_kept();
    json_decref(client_call(&bench, &client, "identify.append", params));
    waiting = finish_upload("{\"upload\":1,\"limit\":5}");
    ck_assert_uint_eq(waiting->request.count, 6);
    ck_assert_double_eq(waiting->request.displacement[5], 0.5);
    bench_answer(&bench, waiting, NULL);
    json_decref(client_json(&bench, &client));
    ck_assert_uint_eq(bench.service->upload_budget.used, 0);
    json_decref(client_call_fails(&bench, &client, "identify.finish", "{\"upload\":1}", -32002));
    for (int i = 0; i < 4; i++)
        begin("{\"sample_rate_hz\":1000}");
    free(params);
}
END_TEST

START_TEST(unfinished_uploads_are_few)
{
    for (int i = 0; i < 4; i++)
        begin("{\"sample_rate_hz\":1000}");
    json_decref(client_call_fails(&bench, &client, "identify.begin", "{\"sample_rate_hz\":1000}", -32004));
}
END_TEST

/* One that may have results to be fetched counts while it is identified. */
START_TEST(unfinished_uploads_are_as_few_for_who_does_not_wait)
{
    for (int i = 0; i < 3; i++)
        begin("{\"sample_rate_hz\":1000}");
    send_text("{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
              "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200,\"limit\":1},\"id\":1}\n");
    struct bench_identify *waiting = bench_waiting(&bench);
    json_decref(client_call_fails(&bench, &client, "identify.begin", "{\"sample_rate_hz\":1000}", -32004));
    const uint64_t drops[DROP_REASONS] = {0};
    struct kept_result *results[] = {made_result("", "record", 0, 50), made_result("", "record", 0, 50)};
    waiting->ticket = 0;
    identify_request_clear(&waiting->request);
    waiting->answer(waiting->context, &waiting->request, results, 2, drops, NULL);
    json_t *answer = client_json(&bench, &client);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(answer, "result"), "remaining")), 1);
    json_decref(answer);
    json_decref(client_call_fails(&bench, &client, "identify.begin", "{\"sample_rate_hz\":1000}", -32004));
    json_decref(client_call(&bench, &client, "identify.more", "{\"upload\":4,\"offset\":2}"));
    begin("{\"sample_rate_hz\":1000}");
}
END_TEST

START_TEST(a_busy_backend_is_told)
{
    bench.backend_is_full = true;
    json_decref(
        client_call_fails(&bench, &client, "identify", "{\"displacement\":[1,2],\"sample_rate_hz\":200}", -32004));
}
END_TEST

START_TEST(a_client_has_few_identifications_at_once)
{
    for (int i = 0; i < 5; i++)
        send_text("{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
                  "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200},\"id\":1}\n");
    ck_assert_int_eq(bench.tickets, 4);
    json_t *answer = client_json(&bench, &client);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(answer, "error"), "code")), -32004);
    json_decref(answer);
}
END_TEST

START_TEST(a_batch_waits_for_its_last_answer)
{
    send_text("[{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":1},{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
              "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200},\"id\":2},"
              "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":3}]\n");
    ck_assert(client_hears_nothing(&bench, &client));
    json_t *other = client_call(&bench, &client, "version", "{}"); /* the connection goes on meanwhile */
    json_decref(other);
    bench_answer(&bench, bench_waiting(&bench), NULL);
    json_t *answers = client_json(&bench, &client);
    ck_assert_uint_eq(json_array_size(answers), 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(answers, i), "id")), (json_int_t)i + 1);
    json_decref(answers);
}
END_TEST

/* An hour of releases in one record. */
START_TEST(more_results_than_a_line_can_hold)
{
    const char *const line = "{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
                             "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200},\"id\":1}\n";
    client_send(&bench, &client, line, strlen(line));
    while (bench.tickets == 0)
        bench_turn(&bench);
    struct bench_identify *waiting = bench_waiting(&bench);
    const uint64_t drops[DROP_REASONS] = {0};
    struct kept_result *result = made_result("", "record", 0, 50), *results[1000];
    for (size_t i = 0; i < 1000; i++)
        results[i] = result;
    waiting->ticket = 0;
    identify_request_clear(&waiting->request);
    waiting->answer(waiting->context, &waiting->request, results, 1000, drops, NULL);
    kept_result_release(result);
    json_t *answer = client_json(&bench, &client);
    json_t *error = json_object_get(answer, "error");
    ck_assert_int_eq(json_integer_value(json_object_get(error, "code")), -32003);
    ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(error, "message")), "1000 decays"));
    json_decref(answer);
}
END_TEST

START_TEST(a_client_that_goes_away_is_cancelled)
{
    send_text("{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
              "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200},\"id\":1}\n");
    bench_waiting(&bench);
    client_close(&client);
    bench_turn(&bench);
    ck_assert_int_eq(bench.cancelled, 1);
}
END_TEST

/* Who comes, sends and leaves again and again cannot have the backend hold more than the budget. */
START_TEST(a_cancelled_record_counts_until_the_backend_lets_go_of_it)
{
    bench.slow_to_cancel = true;
    send_text("{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
              "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200},\"id\":1}\n");
    struct bench_identify *waiting = bench_waiting(&bench);
    client_close(&client);
    bench_turn(&bench);
    ck_assert_int_eq(bench.cancelled, 1);
    ck_assert_uint_ge(bench.service->upload_budget.used, 2 * sizeof(double));
    bench_answer(&bench, waiting, NULL);
    ck_assert_uint_eq(bench.service->upload_budget.used, 0);
}
END_TEST

static void ask_for_one_result(void)
{
    send_text("{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
              "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200,\"limit\":1},\"id\":1}\n");
}

/* Two decays, of which the client fetches one after the other: the samples count no more, what was found still does. */
START_TEST(what_was_found_counts_until_it_is_fetched)
{
    enum { FOUND = 12345 };
    const uint64_t drops[DROP_REASONS] = {0};
    struct kept_result *results[] = {made_result("", "record", 0, 5), made_result("", "record", 0, 5)};
    ask_for_one_result();
    struct bench_identify *waiting = bench_waiting(&bench);
    ck_assert_int_eq(memory_charge_add(waiting->request.charge, FOUND), MEMORY_GRANTED);
    waiting->ticket = 0;
    identify_request_clear(&waiting->request);
    waiting->answer(waiting->context, &waiting->request, results, 2, drops, NULL);
    ck_assert(!results[0] && !results[1]);
    json_decref(client_json(&bench, &client));
    ck_assert_uint_eq(bench.service->upload_budget.used, FOUND);
    for (int offset = 1; offset <= 2; offset++) {
        char line[128];
        snprintf(
            line, sizeof line,
            "{\"jsonrpc\":\"2.0\",\"method\":\"identify.more\",\"params\":{\"upload\":1,\"offset\":%d},\"id\":2}\n",
            offset);
        ck_assert_uint_eq(bench.service->upload_budget.used, FOUND);
        send_text(line);
        json_decref(client_json(&bench, &client));
    }
    ck_assert_uint_eq(bench.service->upload_budget.used, 0);
}
END_TEST

/* Its decays are too many for anybody, or for now: the client hears which, and what to do. */
START_TEST(decays_that_find_no_memory_are_refused)
{
    static const char *const ways[] = {"256 MiB of identify_max_bytes", "try again later"};
    static const int codes[] = {JSONRPC_TOO_LARGE, JSONRPC_BUSY};
    struct memory_charge other = {.budget = &bench.service->upload_budget};
    const size_t limit = bench.service->upload_budget.limit;
    ask_for_one_result();
    struct bench_identify *waiting = bench_waiting(&bench);
    if (_i == 1)
        ck_assert_int_eq(memory_charge_add(&other, limit / 2), MEMORY_GRANTED);
    ck_assert_int_ne(memory_charge_add(waiting->request.charge, _i == 1 ? limit / 2 : limit), MEMORY_GRANTED);
    bench_answer(&bench, waiting, "not enough memory");
    json_t *answer = client_json(&bench, &client);
    const json_t *error = json_object_get(answer, "error");
    ck_assert_int_eq(json_integer_value(json_object_get(error, "code")), codes[_i]);
    ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(error, "message")), ways[_i]));
    json_decref(answer);
    ck_assert_uint_eq(bench.service->upload_budget.used, other.bytes);
}
END_TEST

START_TEST(a_client_that_only_ends_its_input_gets_the_answer)
{
    send_text("{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
              "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200},\"id\":1}\n");
    shutdown(client.fd, SHUT_WR);
    ck_assert(client_hears_nothing(&bench, &client));
    bench_answer(&bench, bench_waiting(&bench), NULL);
    json_t *answer = client_json(&bench, &client);
    ck_assert_ptr_nonnull(json_object_get(answer, "result"));
    json_decref(answer);
    ck_assert_ptr_null(client_line(&bench, &client));
    ck_assert_int_eq(bench.cancelled, 0);
}
END_TEST

START_TEST(a_client_that_ends_its_input_and_leaves_is_cancelled)
{
    send_text("{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
              "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200},\"id\":1}\n");
    shutdown(client.fd, SHUT_WR);
    bench_turn(&bench);
    client_close(&client);
    for (int i = 0; i < 300 && bench.cancelled == 0; i++)
        event_base_loop(bench.base, EVLOOP_ONCE);
    ck_assert_int_eq(bench.cancelled, 1);
}
END_TEST

/* The budget of all uploads together (made small here): it fills up, it says so, and a client that leaves, or an
 * answer, gives its part back. */
START_TEST(memory_for_uploads_is_bounded)
{
    struct client other = client_connect(&bench);
    const size_t limit = 1 << 20;
    bench.service->upload_budget.limit = limit;
    json_int_t uploads[2] = {begin("{\"sample_rate_hz\":1000}"), begin("{\"sample_rate_hz\":1000}")};
    size_t pieces = 0;
    while (append(uploads[pieces % 2], 8192) == 0) {
        pieces++;
        ck_assert_uint_ge(bench.service->upload_budget.used, pieces * 8192 * sizeof(double));
        ck_assert_uint_le(bench.service->upload_budget.used, limit);
    }
    ck_assert_uint_gt(pieces * 8192 * sizeof(double), limit / 2);
    ck_assert_int_eq(append(uploads[pieces % 2], 8192), -32004);
    client_close(&client);
    for (int i = 0; i < 10; i++)
        bench_turn(&bench);
    ck_assert_uint_eq(bench.service->upload_budget.used, 0);
    const char *const line = "{\"jsonrpc\":\"2.0\",\"method\":\"identify\","
                             "\"params\":{\"displacement\":[1,2],\"sample_rate_hz\":200},\"id\":1}\n";
    client_send(&bench, &other, line, strlen(line));
    ck_assert_uint_gt(bench.service->upload_budget.used, 0);
    bench_answer(&bench, bench_waiting(&bench), NULL);
    ck_assert_uint_eq(bench.service->upload_budget.used, 0);
    client_close(&other);
}
END_TEST

START_TEST(a_record_is_not_longer_than_ten_million_samples)
{
    struct memory_budget budget = {0, SIZE_MAX};
    struct complaint complaint;
    enum jsonrpc_error code;
    json_t *about = json_pack("{s:f}", "sample_rate_hz", 1e3), *some = json_pack("{s:[f, f]}", "displacement", 1., 2.);
    struct upload *upload = upload_begin(about, &budget, &code, &complaint);
    ck_assert_ptr_nonnull(upload);
    upload->request.count = UPLOAD_MAX_SAMPLES - 1; /* as if so many had come */
    ck_assert_int_eq(upload_append(upload, some, &complaint), JSONRPC_TOO_LARGE);
    ck_assert_uint_eq(upload->request.count, UPLOAD_MAX_SAMPLES - 1);
    upload_destroy(upload);
    json_decref(about);
    json_decref(some);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("service_identify");
    TCase *requests = tcase_create("requests");
    tcase_add_checked_fixture(requests, set_up, tear_down);
    tcase_add_test(requests, a_uniform_record);
    tcase_add_test(requests, a_time_stamped_record);
    tcase_add_loop_test(requests, what_is_no_record_is_refused, 0, sizeof refused / sizeof refused[0]);
    tcase_add_test(requests, the_largest_request);
    tcase_add_test(requests, a_busy_backend_is_told);
    tcase_add_test(requests, a_client_has_few_identifications_at_once);
    tcase_add_test(requests, a_batch_waits_for_its_last_answer);
    tcase_add_test(requests, more_results_than_a_line_can_hold);
    suite_add_tcase(suite, requests);
    TCase *uploads = tcase_create("uploads");
    tcase_add_checked_fixture(uploads, set_up, tear_down);
    tcase_add_test(uploads, a_record_in_pieces);
    tcase_add_test(uploads, pieces_that_do_not_fit);
    tcase_add_test(uploads, an_upload_belongs_to_its_connection);
    tcase_add_test(uploads, an_empty_upload_cannot_be_finished);
    tcase_add_test(uploads, a_refused_finish_keeps_the_upload);
    tcase_add_test(uploads, a_record_that_is_stored_cannot_be_finished_again);
    tcase_add_test(uploads, unfinished_uploads_are_few);
    tcase_add_test(uploads, unfinished_uploads_are_as_few_for_who_does_not_wait);
    tcase_add_test(uploads, memory_for_uploads_is_bounded);
    tcase_add_test(uploads, a_record_is_not_longer_than_ten_million_samples);
    suite_add_tcase(suite, uploads);
    TCase *leaving = tcase_create("leaving");
    tcase_add_checked_fixture(leaving, set_up, tear_down);
    tcase_add_test(leaving, a_client_that_goes_away_is_cancelled);
    tcase_add_test(leaving, a_cancelled_record_counts_until_the_backend_lets_go_of_it);
    tcase_add_test(leaving, what_was_found_counts_until_it_is_fetched);
    tcase_add_loop_test(leaving, decays_that_find_no_memory_are_refused, 0, 2);
    tcase_add_test(leaving, a_client_that_only_ends_its_input_gets_the_answer);
    tcase_add_test(leaving, a_client_that_ends_its_input_and_leaves_is_cancelled);
    suite_add_tcase(suite, leaving);
    return run_suite(suite);
}
