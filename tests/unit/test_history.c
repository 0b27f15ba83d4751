/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the service remembers, and that it knows what it has forgotten; what waits for a slow client. */
#include "made_result.h"
#include "run_suite.h"
#include "service/history.h"
#include "service/outbox.h"

#include <string.h>

static const struct service_event an_event = {.code = "gap", .sentence = "a gap", .at_ns = 0};

static void add_result(struct history *history, uint64_t id, size_t samples)
{
    struct kept_result *result = made_result("bearing", "lvdt", id, samples);
    ck_assert_ptr_nonnull(history_add_result(history, result));
    kept_result_release(result);
}

static struct history *new_history(size_t entries, size_t samples_bytes)
{
    struct history *history = history_create(entries, samples_bytes);
    ck_assert_ptr_nonnull(history);
    return history;
}

START_TEST(every_history_has_its_own_id)
{
    struct history *one = new_history(4, 1000), *other = new_history(4, 1000);
    ck_assert_uint_eq(strlen(history_id(one)), 32);
    ck_assert_uint_eq(strspn(history_id(one), "0123456789abcdef"), 32);
    ck_assert_str_ne(history_id(one), history_id(other));
    history_destroy(one);
    history_destroy(other);
}
END_TEST

START_TEST(one_counter_for_all)
{
    struct history *history = new_history(4, 1000);
    ck_assert_uint_eq(history_next_seq(history), 1);
    add_result(history, 7, 10);
    ck_assert_uint_eq(history_take_seq(history), 2);
    ck_assert_uint_eq(history_add_event(history, &an_event)->seq, 3);
    ck_assert_uint_eq(history_next_seq(history), 4);
    ck_assert_uint_eq(history_held(history), 2);
    history_destroy(history);
}
END_TEST

START_TEST(replays_in_order)
{
    struct history *history = new_history(10, 1000);
    for (uint64_t id = 1; id <= 3; id++) {
        add_result(history, id, 10);                                  /* seq 1, 3, 5 */
        ck_assert_ptr_nonnull(history_add_event(history, &an_event)); /* seq 2, 4, 6 */
    }
    uint64_t from = 2, expected = 2;
    const struct notice *notice;
    while ((notice = history_from(history, TOPIC_HELD, from))) {
        ck_assert_uint_eq(notice->seq, expected);
        ck_assert_int_eq(notice->topic, expected % 2 ? TOPIC_RESULT : TOPIC_EVENT);
        from = notice->seq + 1;
        expected++;
    }
    ck_assert_uint_eq(expected, 7);
    ck_assert_uint_eq(history_from(history, TOPIC_RESULT, 2)->seq, 3);
    ck_assert_ptr_null(history_from(history, TOPIC_RESULT, 6));
    ck_assert_ptr_null(history_from(history, TOPIC_PROGRESS, 1));
    history_destroy(history);
}
END_TEST

START_TEST(forgets_the_oldest_and_knows_it)
{
    struct history *history = new_history(3, 100000);
    ck_assert_uint_eq(history_complete_from(history, TOPIC_HELD), 1);
    for (uint64_t id = 1; id <= 5; id++)
        add_result(history, id, 10);
    ck_assert_ptr_nonnull(history_add_event(history, &an_event));
    ck_assert_uint_eq(history_complete_from(history, TOPIC_RESULT), 3);
    ck_assert_uint_eq(history_complete_from(history, TOPIC_EVENT), 1);
    ck_assert_uint_eq(history_complete_from(history, TOPIC_HELD), 3);
    ck_assert_uint_eq(history_from(history, TOPIC_RESULT, 1)->seq, 3);
    ck_assert_ptr_null(history_find(history, 2, 0));
    ck_assert_uint_eq(history_find(history, 3, 0)->id, 3);
    ck_assert_uint_eq(history_result(history, 0)->id, 5);
    ck_assert_uint_eq(history_result(history, 2)->id, 3);
    ck_assert_ptr_null(history_result(history, 3));
    history_destroy(history);
}
END_TEST

START_TEST(tells_a_result_again_as_it_was)
{
    struct history *history = new_history(3, 100000);
    add_result(history, 42, 10);
    json_t *result = held_result_to_json(history_find(history, 42, 1));
    ck_assert_int_eq(json_integer_value(json_object_get(result, "id")), 42);
    ck_assert_int_eq(json_integer_value(json_object_get(result, "seq")), 1);
    ck_assert_ptr_nonnull(json_object_get(result, "fit"));
    json_decref(result);
    json_t *summary = json_loads(history_find(history, 42, 1)->summary, 0, NULL);
    ck_assert_int_eq(json_integer_value(json_object_get(summary, "id")), 42);
    ck_assert_ptr_null(json_object_get(summary, "fit"));
    json_decref(summary);
    ck_assert_ptr_null(history_find(history, 42, 2));
    history_destroy(history);
}
END_TEST

START_TEST(the_latest_revision_is_the_result)
{
    struct history *history = new_history(5, 100000);
    for (unsigned revision = 1; revision <= 2; revision++) {
        struct kept_result *result = made_result("bearing", "lvdt", 42, 10);
        result->revision = revision;
        ck_assert_ptr_nonnull(history_add_result(history, result));
        kept_result_release(result);
    }
    ck_assert_uint_eq(history_find(history, 42, 0)->revision, 2);
    ck_assert_uint_eq(history_find(history, 42, 1)->revision, 1);
    history_destroy(history);
}
END_TEST

START_TEST(samples_of_the_oldest_decays_go_first)
{
    struct kept_result *one = made_result("bearing", "lvdt", 1, 1000);
    size_t bytes = decay_bytes(one->of->decay);
    kept_result_release(one);
    struct history *history = new_history(10, 2 * bytes + bytes / 2);
    for (uint64_t id = 1; id <= 3; id++)
        add_result(history, id, 1000);
    ck_assert_ptr_null(history_samples(history, 1));
    ck_assert_uint_eq(history_samples(history, 2)->id, 2);
    ck_assert_uint_eq(history_samples(history, 3)->id, 3);
    ck_assert_ptr_nonnull(history_find(history, 1, 0));
    add_result(history, 4, 100000); /* larger than all that may be held */
    ck_assert_ptr_null(history_samples(history, 4));
    ck_assert_ptr_nonnull(history_samples(history, 3));
    history_destroy(history);
}
END_TEST

static void push(struct outbox *outbox, uint64_t seq, size_t limit)
{
    struct notice *notice = notice_create(TOPIC_EVENT, seq, "test", json_object());
    ck_assert_ptr_nonnull(notice);
    outbox_push(outbox, notice, 0, limit);
    notice_release(notice);
}

/* The seq of the next notice, or 0 for none; a notify.dropped as -from_seq * 1000 - to_seq. */
static long pop(struct outbox *outbox)
{
    struct notice *notice = outbox_pop(outbox);
    if (!notice)
        return 0;
    long told = (long)notice->seq;
    long from, to;
    const char *params = strstr(notice->line, "\"from_seq\":");
    if (params && sscanf(params, "\"from_seq\":%ld,\"to_seq\":%ld", &from, &to) == 2)
        told = -from * 1000 - to;
    notice_release(notice);
    return told;
}

START_TEST(an_outbox_keeps_order)
{
    struct outbox outbox = {0};
    for (uint64_t seq = 5; seq < 9; seq++)
        push(&outbox, seq, 10000);
    for (long seq = 5; seq < 9; seq++)
        ck_assert_int_eq(pop(&outbox), seq);
    ck_assert_int_eq(pop(&outbox), 0);
    ck_assert_uint_eq(outbox.bytes, 0);
}
END_TEST

START_TEST(an_outbox_that_overflows_tells_once)
{
    struct outbox outbox = {0};
    struct notice *notice = notice_create(TOPIC_EVENT, 1, "test", json_object());
    size_t limit = 3 * notice->length + 5;
    notice_release(notice);
    for (uint64_t seq = 1; seq <= 10; seq++) {
        push(&outbox, seq, limit);
        ck_assert_uint_le(outbox.bytes, limit);
    }
    /* 1 to 4 were thrown away, then 5 to 8; 9 and 10 still wait. */
    ck_assert_uint_eq(outbox.lost_total, 8);
    ck_assert_int_eq(pop(&outbox), -1008);
    ck_assert_int_eq(pop(&outbox), 9);
    ck_assert_int_eq(pop(&outbox), 10);
    ck_assert_int_eq(pop(&outbox), 0);
}
END_TEST

START_TEST(an_outbox_counts_what_waits_elsewhere)
{
    struct outbox outbox = {0};
    struct notice *notice = notice_create(TOPIC_EVENT, 1, "test", json_object());
    outbox_push(&outbox, notice, 1000, 1000 + notice->length);
    ck_assert_uint_eq(outbox.lost_total, 0);
    outbox_push(&outbox, notice, 1000, 1000 + notice->length);
    ck_assert_uint_eq(outbox.lost_total, 2);
    ck_assert_uint_eq(outbox.bytes, 0);
    notice_release(notice);
    outbox_clear(&outbox);
    ck_assert_int_eq(pop(&outbox), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("history");
    TCase *history = tcase_create("history");
    tcase_add_test(history, every_history_has_its_own_id);
    tcase_add_test(history, one_counter_for_all);
    tcase_add_test(history, replays_in_order);
    tcase_add_test(history, forgets_the_oldest_and_knows_it);
    tcase_add_test(history, tells_a_result_again_as_it_was);
    tcase_add_test(history, the_latest_revision_is_the_result);
    tcase_add_test(history, samples_of_the_oldest_decays_go_first);
    suite_add_tcase(suite, history);
    TCase *outbox = tcase_create("outbox");
    tcase_add_test(outbox, an_outbox_keeps_order);
    tcase_add_test(outbox, an_outbox_that_overflows_tells_once);
    tcase_add_test(outbox, an_outbox_counts_what_waits_elsewhere);
    suite_add_tcase(suite, outbox);
    return run_suite(suite);
}
