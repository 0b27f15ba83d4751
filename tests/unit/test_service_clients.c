/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clumsy and hostile clients: none of them costs more than its share of memory, or keeps the others waiting. */
#include "made_result.h"
#include "proto/framing.h"
#include "run_suite.h"
#include "service/outbox.h"
#include "service/service_state.h"
#include "service/session_state.h"
#include "service_bench.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

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

/* The service's side of the only connection. */
static struct session *only_session(void)
{
    struct session *session = LIST_FIRST(&bench.service->sessions);
    ck_assert_ptr_nonnull(session);
    ck_assert_ptr_null(LIST_NEXT(session, link));
    return session;
}

static size_t waiting_bytes(const struct session *session)
{
    return session->subscription.outbox.bytes +
           evbuffer_get_length(bufferevent_get_output(session->connection.buffer)) +
           evbuffer_get_length(bufferevent_get_input(session->connection.buffer));
}

static void publish(uint64_t id)
{
    struct kept_result *result = made_result("bearing", "lvdt", id, 10);
    service_publish_result(bench.service, result);
    kept_result_release(result);
}

START_TEST(a_line_without_end)
{
    static char piece[65536];
    memset(piece, 'x', sizeof piece);
    for (size_t sent = 0; sent < 4 * (size_t)FRAMING_MAX_LINE; sent += sizeof piece) {
        client_send(&bench, &client, piece, sizeof piece);
        ck_assert_uint_le(only_session()->framing.capacity, FRAMING_MAX_LINE);
    }
    json_t *answer = client_ask(&bench, &client, "");
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(answer, "error"), "code")), -32003);
    ck_assert(json_is_null(json_object_get(answer, "id")));
    json_decref(answer);
    json_decref(client_call(&bench, &client, "version", "{}"));
}
END_TEST

START_TEST(the_longest_line)
{
    char *line = malloc(FRAMING_MAX_LINE + 1);
    ck_assert_ptr_nonnull(line);
    memset(line, ' ', FRAMING_MAX_LINE);
    const char request[] = "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":3}";
    memcpy(line, request, sizeof request - 1);
    line[FRAMING_MAX_LINE] = '\0';
    json_t *answer = client_ask(&bench, &client, line);
    ck_assert_ptr_nonnull(json_object_get(answer, "result"));
    json_decref(answer);
    free(line);
}
END_TEST

START_TEST(a_subscriber_that_never_reads)
{
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\"]}"));
    struct client other = client_connect(&bench);
    struct session *reader = LIST_FIRST(&bench.service->sessions); /* the newest comes first */
    const struct session *sleeper = LIST_NEXT(reader, link);
    for (uint64_t id = 1; id <= 1000; id++) {
        publish(id);
        bench_turn(&bench);
        ck_assert_uint_le(waiting_bytes(sleeper), SESSION_MAX_WAITING);
    }
    ck_assert_uint_gt(bench.service->dropped_notifications, 0);
    json_decref(client_call(&bench, &other, "version", "{}"));
    client_close(&other);
}
END_TEST

START_TEST(a_late_reader_is_told_what_it_missed)
{
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\"]}"));
    for (uint64_t id = 1; id <= 1000; id++) {
        publish(id);
        bench_turn(&bench);
    }
    /* Every seq is either delivered or within a span that was told, in order. */
    json_int_t next = 1, dropped = 0;
    while (next <= 1000) {
        json_t *message = client_json(&bench, &client);
        json_t *params = json_object_get(message, "params");
        if (strcmp(json_string_value(json_object_get(message, "method")), "notify.dropped") == 0) {
            ck_assert_int_eq(json_integer_value(json_object_get(params, "from_seq")), next);
            dropped += json_integer_value(json_object_get(params, "to_seq")) - next + 1;
            next = json_integer_value(json_object_get(params, "to_seq")) + 1;
        } else {
            ck_assert_int_eq(json_integer_value(json_object_get(params, "seq")), next);
            next++;
        }
        json_decref(message);
    }
    ck_assert_int_eq(dropped, (json_int_t)bench.service->dropped_notifications);
    ck_assert_int_gt(dropped, 0);
    publish(1001);
    json_t *message = client_json(&bench, &client);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(message, "params"), "seq")), 1001);
    json_decref(message);
}
END_TEST

/* The patience of thirty seconds is made short here: three looks, 30 ms apart. */
static void be_impatient(int milliseconds)
{
    const struct timeval patience = {.tv_sec = 0, .tv_usec = milliseconds * 1000};
    bufferevent_set_timeouts(only_session()->connection.buffer, NULL, &patience);
}

START_TEST(a_reader_that_sleeps_on_is_disconnected)
{
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\"]}"));
    be_impatient(30);
    for (int i = 0; i < 20; i++) {
        usleep(10000);
        bench_turn(&bench);
    }
    ck_assert_uint_eq(bench.service->session_count, 1); /* there was nothing to read */
    for (uint64_t id = 1; id <= 100; id++)
        publish(id);
    for (int i = 0; i < 1000 && bench.service->session_count > 0; i++) {
        usleep(1000);
        bench_turn(&bench);
    }
    ck_assert_uint_eq(bench.service->session_count, 0);
}
END_TEST

START_TEST(a_reader_that_is_slow_is_not_disconnected)
{
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\"]}"));
    be_impatient(300);
    /* More than is read below, and less than may wait for a client. */
    for (uint64_t id = 1; id <= 35; id++)
        publish(id);
    static char piece[20000];
    for (int i = 0; i < 20; i++) {
        for (int part = 0; part < 10; part++) {
            usleep(3000);
            bench_turn(&bench);
        }
        ck_assert_uint_eq(bench.service->session_count, 1);
        ck_assert_int_gt(recv(client.fd, piece, sizeof piece, 0), 0);
    }
}
END_TEST

START_TEST(a_flood_of_requests_without_reading)
{
    for (uint64_t id = 1; id <= 300; id++)
        publish(id);
    char request[128];
    snprintf(request, sizeof request,
             "{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"limit\":300},\"id\":1}\n");
    const struct session *session = only_session();
    size_t sent = 0;
    for (int i = 0; i < 20000; i++) {
        ssize_t taken = send(client.fd, request, strlen(request), MSG_NOSIGNAL);
        sent += taken > 0 ? 1 : 0;
        bench_turn(&bench);
        /* One answer may stand above the mark: it is at most one line. */
        ck_assert_uint_le(waiting_bytes(session), SESSION_ROOM + FRAMING_MAX_LINE + 65536);
    }
    ck_assert_uint_lt(sent, 20000);
    for (size_t i = 0; i < 5; i++) {
        json_t *answer = client_json(&bench, &client);
        ck_assert_ptr_nonnull(json_object_get(answer, "result"));
        json_decref(answer);
    }
}
END_TEST

/* Of the processor: other programs on the machine do not count. */
static double processor_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A batch of fifty requests for a long page; `id` is what stands there as id, or nothing. */
static void send_costly_batch(const char *id)
{
    char batch[16384] = "[";
    for (int i = 0; i < 50; i++)
        sprintf(batch + strlen(batch),
                "{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"limit\":1000}%s},", id);
    strcpy(batch + strlen(batch) - 1, "]\n");
    client_send(&bench, &client, batch, strlen(batch));
}

/* Lets another client ask while the first one's requests are there, and holds the time that it waits to a limit. */
static void expect_quick_answer(double limit_s)
{
    const char *slowness = getenv("TEST_SLOWNESS");
    double before = processor_s();
    bench_turn(&bench);
    struct client other = client_connect(&bench);
    json_decref(client_call(&bench, &other, "version", "{}"));
    ck_assert_double_lt(processor_s() - before, limit_s * (slowness ? atof(slowness) : 1.0));
    client_close(&other);
}

START_TEST(a_flood_does_not_keep_others_waiting)
{
    for (uint64_t id = 1; id <= 1000; id++)
        publish(id);
    send_costly_batch(",\"id\":1");
    expect_quick_answer(0.02);
    json_t *answers = client_json(&bench, &client);
    ck_assert_uint_eq(json_array_size(answers), 50);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(json_array_get(answers, 49), "error"), "code")),
                     -32003);
    json_decref(answers);
}
END_TEST

START_TEST(questions_without_id_cost_nothing)
{
    for (uint64_t id = 1; id <= 1000; id++)
        publish(id);
    for (int i = 0; i < 10; i++)
        send_costly_batch("");
    expect_quick_answer(0.02);
    ck_assert(client_hears_nothing(&bench, &client));
}
END_TEST

START_TEST(a_client_that_vanishes_while_it_is_answered)
{
    for (uint64_t id = 1; id <= 300; id++)
        publish(id);
    const char *const line = "{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"limit\":300},\"id\":1}\n";
    client_send(&bench, &client, line, strlen(line));
    client_close(&client);
    for (int i = 0; i < 10; i++)
        bench_turn(&bench);
    ck_assert_uint_eq(bench.service->session_count, 0);
}
END_TEST

START_TEST(an_answer_for_a_client_that_ended_its_input)
{
    const char *const lines = "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":1}\n"
                              "{\"jsonrpc\":\"2.0\",\"method\":\"version\",\"id\":2}"; /* without a newline */
    ck_assert_int_eq(send(client.fd, lines, strlen(lines), MSG_NOSIGNAL), (int)strlen(lines));
    shutdown(client.fd, SHUT_WR);
    for (json_int_t id = 1; id <= 2; id++) {
        json_t *answer = client_json(&bench, &client);
        ck_assert_int_eq(json_integer_value(json_object_get(answer, "id")), id);
        ck_assert_ptr_nonnull(json_object_get(answer, "result"));
        json_decref(answer);
    }
    ck_assert_ptr_null(client_line(&bench, &client));
    ck_assert_uint_eq(bench.service->session_count, 0);
}
END_TEST

START_TEST(long_answers_for_a_client_that_ended_its_input)
{
    for (uint64_t id = 1; id <= 150; id++)
        publish(id);
    for (int i = 0; i < 8; i++) {
        const char *const line =
            "{\"jsonrpc\":\"2.0\",\"method\":\"results.list\",\"params\":{\"limit\":150},\"id\":1}\n";
        ck_assert_int_eq(send(client.fd, line, strlen(line), MSG_NOSIGNAL), (int)strlen(line));
    }
    shutdown(client.fd, SHUT_WR);
    for (int i = 0; i < 8; i++) {
        json_t *answer = client_json(&bench, &client);
        ck_assert_uint_eq(json_array_size(json_object_get(json_object_get(answer, "result"), "results")), 150);
        json_decref(answer);
    }
    ck_assert_ptr_null(client_line(&bench, &client));
}
END_TEST

START_TEST(a_subscriber_that_ended_its_input_still_hears)
{
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\"]}"));
    shutdown(client.fd, SHUT_WR);
    bench_turn(&bench);
    publish(1);
    json_t *notification = client_json(&bench, &client);
    ck_assert_str_eq(json_string_value(json_object_get(notification, "method")), "notify.result");
    json_decref(notification);
    ck_assert_uint_eq(bench.service->session_count, 1);
    client_close(&client);
    for (int i = 0; i < 300 && bench.service->session_count > 0; i++)
        event_base_loop(bench.base, EVLOOP_ONCE);
    ck_assert_uint_eq(bench.service->session_count, 0);
}
END_TEST

START_TEST(many_connections_at_once)
{
    enum { MANY = 200 };
    struct client many[MANY];
    for (int i = 0; i < MANY; i++)
        many[i] = client_connect(&bench);
    for (int i = 0; i < MANY; i++)
        json_decref(client_call(&bench, &many[i], "version", "{}"));
    for (int i = 0; i < MANY; i++)
        client_close(&many[i]);
    for (int i = 0; i < 10; i++)
        bench_turn(&bench);
    ck_assert_uint_eq(bench.service->session_count, 1);
}
END_TEST

/* Sends the beginning of a line that takes a mebibyte, and does not end it. */
static void begin_long_line(struct client *greedy)
{
    static char piece[65536];
    memset(piece, ' ', sizeof piece);
    for (size_t sent = 0; sent < FRAMING_MAX_LINE - sizeof piece; sent += sizeof piece)
        client_send(&bench, greedy, piece, sizeof piece);
}

/* A user alone has half of the memory for clients, beside what every connection may always hold. */
START_TEST(a_crowd_of_one_user_holds_no_more_than_its_share)
{
    enum { MANY = 120 };
    const struct shares *shares = &bench.service->shares;
    struct client many[MANY];
    size_t refused = 0;
    for (int i = 0; i < MANY; i++) {
        many[i] = client_connect(&bench);
        begin_long_line(&many[i]);
        ck_assert_uint_le(shares->bytes, SHARES_LIMIT / 2 + MANY * (size_t)SHARES_ALWAYS);
    }
    json_decref(client_call(&bench, &client, "version", "{}"));
    for (int i = 0; i < MANY; i++) {
        json_t *answer = client_ask(&bench, &many[i], "{}");
        const json_t *error = json_object_get(answer, "error");
        bool busy = json_integer_value(json_object_get(error, "code")) == -32004;
        ck_assert(json_is_null(json_object_get(answer, "id")));
        refused += busy;
        json_decref(answer);
        if (busy)
            json_decref(client_call(&bench, &many[i], "version", "{}"));
    }
    ck_assert_uint_ge(refused, MANY - SHARES_LIMIT / 2 / FRAMING_MAX_LINE - 1);
    ck_assert_uint_lt(refused, MANY);
    for (int i = 0; i < MANY; i++) {
        begin_long_line(&many[i]);
        client_close(&many[i]);
    }
    for (int i = 0; i < 10; i++)
        bench_turn(&bench);
    ck_assert_uint_lt(shares->bytes, 1 << 16);
}
END_TEST

/* A subscriber that is behind, when the other connections of its user hold all that is left: what it asks is answered.
 */
START_TEST(a_subscriber_that_is_behind_is_answered)
{
    static const char begin[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"version\",\"params\":{}}";
    static char line[SHARES_ALWAYS / 4];
    memset(line, ' ', sizeof line - 1);
    memcpy(line, begin, sizeof begin - 1);
    json_decref(client_call(&bench, &client, "subscribe", "{\"topics\":[\"result\"]}"));
    struct shares *shares = &bench.service->shares;
    for (uint64_t id = 1; shares->bytes < 4 * SHARES_ALWAYS; id++) {
        publish(id);
        bench_turn(&bench);
    }
    size_t held = 0;
    struct share *others = shares_join(shares, LIST_FIRST(&shares->users)->user);
    shares_note(shares, others, &held, SHARES_LIMIT / 2 - shares->bytes);
    bool lost = false;
    json_t *answer = client_ask(&bench, &client, line);
    while (json_object_get(answer, "method")) {
        lost |= strcmp(json_string_value(json_object_get(answer, "method")), "notify.dropped") == 0;
        json_decref(answer);
        answer = client_json(&bench, &client);
    }
    ck_assert_int_eq(json_integer_value(json_object_get(answer, "id")), 7);
    ck_assert_ptr_nonnull(json_object_get(answer, "result"));
    json_decref(answer);
    while (!lost) {
        answer = client_json(&bench, &client);
        lost = strcmp(json_string_value(json_object_get(answer, "method")), "notify.dropped") == 0;
        json_decref(answer);
    }
    shares_leave(shares, others, held);
}
END_TEST

START_TEST(who_waits_after_a_long_line_holds_nothing)
{
    begin_long_line(&client);
    json_decref(client_call(&bench, &client, "version", "{}"));
    ck_assert_uint_lt(only_session()->framing.capacity, 1 << 15);
    bench_turn(&bench);
    ck_assert_uint_lt(bench.service->shares.bytes, 1 << 15);
}
END_TEST

START_TEST(users_share_alike)
{
    struct shares shares;
    size_t held[3] = {0};
    shares_init(&shares);
    struct share *greedy = shares_join(&shares, 1), *modest = shares_join(&shares, 2);
    ck_assert_ptr_eq(shares_join(&shares, 1), greedy);
    ck_assert_uint_eq(shares_connections(&shares, 1), 2);
    ck_assert_uint_eq(shares_connections(&shares, 3), 0);
    const size_t piece = 1 << 20;
    while (shares_allow(&shares, greedy, held[0], piece))
        shares_note(&shares, greedy, &held[0], held[0] + piece);
    ck_assert_uint_eq(held[0], SHARES_LIMIT / 2);
    /* Another connection of the same user is no way to more, but may always ask. */
    ck_assert(!shares_allow(&shares, greedy, 0, piece));
    ck_assert(shares_allow(&shares, greedy, 0, SHARES_ALWAYS));
    while (shares_allow(&shares, modest, held[1], piece))
        shares_note(&shares, modest, &held[1], held[1] + piece);
    ck_assert_uint_eq(held[1], SHARES_LIMIT / 4);
    /* When the first has read something, the other may have more. */
    shares_note(&shares, greedy, &held[0], SHARES_LIMIT / 4);
    ck_assert(shares_allow(&shares, modest, held[1], piece));
    ck_assert(!shares_have_fallen(&shares));
    shares_leave(&shares, greedy, held[0]);
    shares_leave(&shares, greedy, held[2]);
    ck_assert(shares_have_fallen(&shares));
    ck_assert(!shares_have_fallen(&shares));
    shares_leave(&shares, modest, held[1]);
    ck_assert_uint_eq(shares.bytes, 0);
    ck_assert(LIST_EMPTY(&shares.users));
}
END_TEST

START_TEST(a_full_house_lets_others_wait)
{
    bench.service->session_limit = 2;
    struct client second = client_connect(&bench);
    struct client third = {.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0)};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, bench.path, sizeof bench.path);
    ck_assert_int_eq(connect(third.fd, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert(client_hears_nothing(&bench, &third));
    client_close(&third);
    /* Nor does a socket that was made anew let anybody in. */
    struct complaint complaint;
    ck_assert_int_eq(unlink(bench.path), 0);
    ck_assert_int_eq(service_keep_address(bench.service, &complaint), 1);
    third.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    ck_assert_int_eq(connect(third.fd, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert(client_hears_nothing(&bench, &third));
    client_close(&second);
    json_t *hello = client_json(&bench, &third);
    ck_assert_str_eq(json_string_value(json_object_get(hello, "method")), "hello");
    json_decref(hello);
    client_close(&third);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("service_clients");
    TCase *greedy = tcase_create("greedy");
    tcase_add_checked_fixture(greedy, set_up, tear_down);
    tcase_add_test(greedy, a_line_without_end);
    tcase_add_test(greedy, the_longest_line);
    tcase_add_test(greedy, a_subscriber_that_never_reads);
    tcase_add_test(greedy, a_late_reader_is_told_what_it_missed);
    tcase_add_test(greedy, a_reader_that_sleeps_on_is_disconnected);
    tcase_add_test(greedy, a_reader_that_is_slow_is_not_disconnected);
    tcase_add_test(greedy, a_flood_of_requests_without_reading);
    tcase_add_test(greedy, a_flood_does_not_keep_others_waiting);
    tcase_add_test(greedy, questions_without_id_cost_nothing);
    tcase_add_test(greedy, many_connections_at_once);
    tcase_add_test(greedy, a_crowd_of_one_user_holds_no_more_than_its_share);
    tcase_add_test(greedy, a_subscriber_that_is_behind_is_answered);
    tcase_add_test(greedy, who_waits_after_a_long_line_holds_nothing);
    tcase_add_test(greedy, users_share_alike);
    tcase_add_test(greedy, a_full_house_lets_others_wait);
    suite_add_tcase(suite, greedy);
    TCase *leaving = tcase_create("leaving");
    tcase_add_checked_fixture(leaving, set_up, tear_down);
    tcase_add_test(leaving, a_client_that_vanishes_while_it_is_answered);
    tcase_add_test(leaving, an_answer_for_a_client_that_ended_its_input);
    tcase_add_test(leaving, long_answers_for_a_client_that_ended_its_input);
    tcase_add_test(leaving, a_subscriber_that_ended_its_input_still_hears);
    suite_add_tcase(suite, leaving);
    return run_suite(suite);
}
