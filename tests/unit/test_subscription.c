/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever a client asks for again, and however late it reads: what it subscribed to comes in order and once. */
#include "made_result.h"
#include "run_suite.h"
#include "service/history.h"
#include "service/service_state.h"
#include "service_bench.h"

#include <errno.h>
#include <string.h>

/* So many results are more than a socket takes, and less than what may wait for a client. */
enum { MANY = 104 };

static struct bench bench;
static struct client client;

/* A store that holds every notification before `until`; even numbers are events. */
static struct {
    struct store_question question;
    store_answered answered;
    void *context;
    long ticket, asked;
    int cancelled;
} store;

static long ask_store(struct questions *questions, const struct store_question *question, store_answered answered,
                      void *for_whom)
{
    (void)questions;
    store.question = *question;
    store.answered = answered;
    store.context = for_whom;
    store.ticket = ++store.asked;
    return store.ticket;
}

static void cancel_store(struct questions *questions, long ticket)
{
    (void)questions;
    ck_assert_int_eq(ticket, store.ticket);
    store.ticket = 0;
    store.cancelled++;
}

/* Answers the question that waits, with `limit` notifications at most. */
static void answer_store(int error)
{
    struct found_result found[64];
    struct store_answer answer = {.question = &store.question, .error = error, .found.results = found};
    ck_assert_int_gt(store.ticket, 0);
    store.ticket = 0;
    uint64_t seq = store.question.from_seq;
    for (; !error && seq < store.question.before_seq && answer.found.count < store.question.limit; seq++) {
        bool event = seq % 2 == 0;
        if (event ? !store.question.events : !store.question.results)
            continue;
        struct found_result *one = &found[answer.found.count++];
        *one = (struct found_result){.id = event ? 0 : seq, .seq = seq, .revision = 1, .text = malloc(128)};
        ck_assert_ptr_nonnull(one->text);
        if (event)
            snprintf(one->text, 128, "{\"jsonrpc\":\"2.0\",\"method\":\"notify.event\",\"params\":{\"seq\":%d}}",
                     (int)seq);
        else
            snprintf(one->text, 128, "{\"id\":%d,\"seq\":null}", (int)seq);
    }
    answer.found.more = seq < store.question.before_seq;
    store.answered(store.context, &answer);
    for (size_t i = 0; i < answer.found.count; i++)
        free(found[i].text);
}

static void set_up(void)
{
    memset(&store, 0, sizeof store);
    bench_set_up(&bench);
    bench_start(&bench);
    client = client_connect(&bench);
}

/* The history begins at 101, what came before is in a store. */
static void set_up_with_store(void)
{
    memset(&store, 0, sizeof store);
    bench_set_up(&bench);
    bench.settings.history_id = "00000000000000000000000000000001";
    bench.settings.next_seq = 101;
    bench.settings.stored_from = 1;
    bench.settings.results_held = 10;
    bench.backend.ask = ask_store;
    bench.backend.ask_cancel = cancel_store;
    bench_start(&bench);
    client = client_connect(&bench);
}

static void tear_down(void)
{
    client_close(&client);
    bench_clear(&bench);
}

static void publish_result(uint64_t id)
{
    struct kept_result *result = made_result("bearing", "lvdt", id, 10);
    service_publish_result(bench.service, result);
    kept_result_release(result);
}

static void publish_event(void)
{
    const struct service_event event = {.code = "gap", .sentence = "a sentence", .at_ns = 1};
    service_publish_event(bench.service, &event);
}

/* Odd numbers are results, even ones events. */
static void publish(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t seq = service_next_seq(bench.service);
        if (seq % 2 == 1)
            publish_result(seq);
        else
            publish_event();
        bench_turn(&bench);
    }
}

static json_int_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* Sends a request without waiting for the answer. */
static void send_request(const char *method, const char *params)
{
    char line[256];
    int length =
        snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s,\"id\":5}\n", method, params);
    client_send(&bench, &client, line, (size_t)length);
}

/* Reads on to the answer; the notifications before it must follow each other. Returns the last of their numbers. */
static json_int_t read_to_answer(json_int_t before)
{
    for (;;) {
        json_t *message = client_json(&bench, &client);
        const json_t *answer = json_is_array(message) ? json_array_get(message, 0) : message;
        if (json_object_get(answer, "id")) {
            ck_assert_ptr_nonnull(json_object_get(answer, "result"));
            json_decref(message);
            return before;
        }
        json_int_t seq = number(json_object_get(message, "params"), "seq");
        ck_assert_int_eq(seq, before + 1);
        before = seq;
        json_decref(message);
    }
}

/* The next notification must be of that topic, "notify.result", say, and have that number. */
static void expect(const char *method, json_int_t seq)
{
    json_t *message = client_json(&bench, &client);
    char *line = json_dumps(message, 0);
    ck_assert_msg(strcmp(text(message, "method"), method) == 0 &&
                      number(json_object_get(message, "params"), "seq") == seq,
                  "%s %d was expected: %s", method, (int)seq, line);
    free(line);
    json_decref(message);
}

static void expect_all(json_int_t from, json_int_t to)
{
    for (json_int_t seq = from; seq <= to; seq++)
        expect(seq % 2 == 1 ? "notify.result" : "notify.event", seq);
}

static void expect_dropped(json_int_t from, json_int_t to, const char *word)
{
    json_t *message = client_json(&bench, &client);
    const json_t *params = json_object_get(message, "params");
    ck_assert_str_eq(text(message, "method"), "notify.dropped");
    ck_assert_int_eq(number(params, "from_seq"), from);
    ck_assert_int_eq(number(params, "to_seq"), to);
    ck_assert_ptr_nonnull(strstr(text(params, "reason"), word));
    json_decref(message);
}

static void subscribe(const char *params)
{
    json_decref(client_call(&bench, &client, "subscribe", params));
}

START_TEST(all_of_it_again_while_some_of_it_waits)
{
    subscribe("{\"topics\":[\"result\",\"event\"]}");
    publish(MANY);
    send_request("subscribe", "{\"topics\":[\"result\"],\"from_seq\":1}");
    read_to_answer(0);
    publish(3);
    expect_all(1, MANY + 3);
    ck_assert(client_hears_nothing(&bench, &client));
}
END_TEST

START_TEST(some_of_it_again_while_more_of_it_waits)
{
    subscribe("{\"topics\":[\"result\",\"event\"]}");
    publish(MANY);
    send_request("subscribe", "{\"topics\":[\"result\"],\"from_seq\":100}");
    json_int_t sent = read_to_answer(0);
    ck_assert_int_lt(sent, 99);
    expect_all(sent + 1, MANY);
    ck_assert(client_hears_nothing(&bench, &client));
}
END_TEST

START_TEST(what_was_lost_is_told_again)
{
    subscribe("{\"topics\":[\"result\",\"event\"]}");
    publish(5 * MANY);
    ck_assert_uint_gt(bench.service->dropped_notifications, 0);
    send_request("subscribe", "{\"topics\":[\"result\"],\"from_seq\":1}");
    read_to_answer(0);
    expect_all(1, 5 * MANY);
    ck_assert(client_hears_nothing(&bench, &client));
}
END_TEST

/* Only what the client asks for again is not told as lost. */
START_TEST(what_was_lost_before_is_still_told)
{
    subscribe("{\"topics\":[\"result\",\"event\"]}");
    publish(5 * MANY);
    ck_assert_uint_gt(bench.service->dropped_notifications, 0);
    send_request("subscribe", "{\"topics\":[\"result\"],\"from_seq\":200}");
    json_int_t sent = read_to_answer(0);
    ck_assert_int_lt(sent, 199);
    expect_dropped(sent + 1, 199, "slowly");
    expect_all(200, 5 * MANY);
}
END_TEST

START_TEST(a_topic_joins_a_replay_from_now_on)
{
    publish(MANY);
    send_request("subscribe", "{\"topics\":[\"result\"],\"from_seq\":1}");
    send_request("subscribe", "{\"topics\":[\"event\"]}");
    publish(4);
    /* The socket took some of the results before the second answer. */
    json_decref(client_json(&bench, &client));
    json_int_t next = 1;
    for (;; next += 2) {
        json_t *message = client_json(&bench, &client);
        bool answer = json_object_get(message, "id") != NULL;
        ck_assert(answer || number(json_object_get(message, "params"), "seq") == next);
        json_decref(message);
        if (answer)
            break;
    }
    for (; next <= MANY; next += 2)
        expect("notify.result", next);
    expect_all(MANY + 1, MANY + 4);
    ck_assert(client_hears_nothing(&bench, &client));
}
END_TEST

START_TEST(two_topics_from_two_numbers)
{
    publish(MANY);
    send_request("subscribe", "{\"topics\":[\"result\"],\"from_seq\":11}");
    send_request("subscribe", "{\"topics\":[\"event\"],\"from_seq\":100}");
    json_decref(client_json(&bench, &client));
    json_int_t next = 11;
    for (;; next += 2) {
        json_t *message = client_json(&bench, &client);
        bool answer = json_object_get(message, "id") != NULL;
        ck_assert(answer || number(json_object_get(message, "params"), "seq") == next);
        json_decref(message);
        if (answer)
            break;
    }
    for (; next < 100; next += 2)
        expect("notify.result", next);
    expect_all(100, MANY);
    ck_assert(client_hears_nothing(&bench, &client));
}
END_TEST

START_TEST(a_topic_that_was_taken_back_begins_anew)
{
    subscribe("{\"topics\":[\"result\",\"event\"]}");
    publish(MANY);
    static const char both[] =
        "[{\"jsonrpc\":\"2.0\",\"method\":\"unsubscribe\",\"params\":{\"topics\":[\"result\"]}},"
        "{\"jsonrpc\":\"2.0\",\"method\":\"subscribe\",\"params\":{\"topics\":[\"result\"]},\"id\":5}]\n";
    client_send(&bench, &client, both, sizeof both - 1);
    publish(2);
    json_int_t sent = read_to_answer(0);
    for (json_int_t seq = sent + 1; seq <= MANY; seq++)
        if (seq % 2 == 0)
            expect("notify.event", seq);
    expect_all(MANY + 1, MANY + 2);
}
END_TEST

START_TEST(taken_back_in_a_replay)
{
    publish(MANY);
    send_request("subscribe", "{\"topics\":[\"result\",\"event\"],\"from_seq\":1}");
    send_request("unsubscribe", "{}");
    read_to_answer(0);
    read_to_answer(0);
    publish(2);
    ck_assert(client_hears_nothing(&bench, &client));
    subscribe("{\"topics\":[\"event\"]}");
    publish(2);
    expect("notify.event", MANY + 4);
}
END_TEST

START_TEST(the_store_and_then_the_history)
{
    subscribe("{\"topics\":[\"result\",\"event\"],\"from_seq\":70}");
    publish(3);
    for (int i = 0; i < 2; i++)
        answer_store(0);
    expect_all(70, 103);
    ck_assert_int_eq(store.ticket, 0);
}
END_TEST

/* The answer to what was asked before the client changed its mind is not waited for. */
START_TEST(asked_again_while_the_store_is_asked)
{
    subscribe("{\"topics\":[\"result\"],\"from_seq\":60}");
    ck_assert_int_gt(store.ticket, 0);
    subscribe("{\"topics\":[\"event\"],\"from_seq\":90}");
    ck_assert_int_eq(store.cancelled, 1);
    bench_turn(&bench);
    while (store.ticket > 0)
        answer_store(0);
    for (json_int_t seq = 61; seq < 90; seq += 2)
        expect("notify.result", seq);
    expect_all(90, 100);
    publish(1);
    expect("notify.result", 101);
}
END_TEST

START_TEST(taken_back_while_the_store_is_asked)
{
    subscribe("{\"topics\":[\"result\"],\"from_seq\":60}");
    json_decref(client_call(&bench, &client, "unsubscribe", "{}"));
    ck_assert_int_eq(store.cancelled, 1);
    subscribe("{\"topics\":[\"event\"]}");
    publish(2);
    expect("notify.event", 102);
    ck_assert(client_hears_nothing(&bench, &client));
}
END_TEST

START_TEST(a_store_that_cannot_be_read)
{
    subscribe("{\"topics\":[\"result\",\"event\"],\"from_seq\":90}");
    answer_store(-EIO);
    expect_dropped(90, 100, "could not be read");
    publish(2);
    expect_all(101, 102);
}
END_TEST

/* Meanwhile the oldest were removed from it. */
START_TEST(a_store_that_lets_go)
{
    subscribe("{\"topics\":[\"result\",\"event\"],\"from_seq\":70}");
    service_set_stored_from(bench.service, 95);
    answer_store(0);
    bench_turn(&bench);
    while (store.ticket > 0)
        answer_store(0);
    expect_all(70, 85);
    expect_dropped(86, 94, "not held");
    expect_all(95, 100);
}
END_TEST

/* The disk takes nothing since 105; the history holds ten of each kind. */
START_TEST(a_store_that_takes_nothing)
{
    publish(60);
    service_set_stored_until(bench.service, 106);
    subscribe("{\"topics\":[\"result\",\"event\"],\"from_seq\":98}");
    answer_store(0);
    expect_all(98, 105);
    ck_assert(client_hears_nothing(&bench, &client));
    expect_dropped(106, 140, "takes nothing");
    publish(2);
    expect_all(141, 162);
    /* It takes again. */
    service_set_stored_until(bench.service, 163);
    subscribe("{\"topics\":[\"result\"],\"from_seq\":106}");
    while (store.ticket > 0)
        answer_store(0);
    expect_all(106, 162);
}
END_TEST

START_TEST(a_store_that_is_only_slow)
{
    publish(60);
    service_set_stored_until(bench.service, 106);
    subscribe("{\"topics\":[\"result\",\"event\"],\"from_seq\":106}");
    ck_assert(client_hears_nothing(&bench, &client));
    service_set_stored_until(bench.service, 161);
    bench_turn(&bench);
    while (store.ticket > 0)
        answer_store(0);
    expect_all(106, 160);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("subscription");
    TCase *memory = tcase_create("memory");
    tcase_add_checked_fixture(memory, set_up, tear_down);
    tcase_add_test(memory, all_of_it_again_while_some_of_it_waits);
    tcase_add_test(memory, some_of_it_again_while_more_of_it_waits);
    tcase_add_test(memory, what_was_lost_is_told_again);
    tcase_add_test(memory, what_was_lost_before_is_still_told);
    tcase_add_test(memory, a_topic_joins_a_replay_from_now_on);
    tcase_add_test(memory, two_topics_from_two_numbers);
    tcase_add_test(memory, a_topic_that_was_taken_back_begins_anew);
    tcase_add_test(memory, taken_back_in_a_replay);
    suite_add_tcase(suite, memory);
    TCase *stored = tcase_create("store");
    tcase_add_checked_fixture(stored, set_up_with_store, tear_down);
    tcase_set_timeout(stored, 60);
    tcase_add_test(stored, the_store_and_then_the_history);
    tcase_add_test(stored, asked_again_while_the_store_is_asked);
    tcase_add_test(stored, taken_back_while_the_store_is_asked);
    tcase_add_test(stored, a_store_that_cannot_be_read);
    tcase_add_test(stored, a_store_that_lets_go);
    tcase_add_test(stored, a_store_that_takes_nothing);
    tcase_add_test(stored, a_store_that_is_only_slow);
    suite_add_tcase(suite, stored);
    return run_suite(suite);
}
