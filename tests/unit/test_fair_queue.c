/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is served when. Those who take turns here only use up the processor's time; that time, not the clock's, is
 * what the test counts on. */
#include "run_suite.h"
#include "service/fair_queue.h"

#include <event2/event.h>
#include <string.h>
#include <time.h>

enum { MOST = 150 };

/* Beside a turn, what is done in it. */
struct client {
    struct turn turn;
    int64_t turn_ns;       /* of the processor's time */
    bool again;            /* it wants another turn at once */
    enum turn_queue wants; /* and says that it is of this kind */
    bool leaves;           /* in its turn */
    unsigned turns;
};

static struct event_base *base;
static struct fair_queue turns;
static struct client clients[MOST];
static unsigned total; /* turns of all */

static int64_t used_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool take_turn(struct turn *turn)
{
    struct client *client = (struct client *)turn;
    int64_t end_ns = used_ns() + client->turn_ns;
    client->turns++;
    total++;
    if (client->leaves) {
        fair_queue_forget(&turns, turn);
        return false;
    }
    if (client->again)
        fair_queue_want(&turns, turn, client->wants);
    while (used_ns() < end_ns)
        ;
    return true;
}

static void set_up(void)
{
    memset(clients, 0, sizeof clients);
    total = 0;
    base = event_base_new();
    ck_assert_int_eq(fair_queue_init(&turns, base, take_turn), 0);
    ck_assert_int_eq(fair_queue_reserve(&turns, MOST), 0);
}

static void tear_down(void)
{
    fair_queue_clear(&turns);
    event_base_free(base);
}

static void start(size_t from, size_t count, int64_t turn_ns, enum turn_queue wants)
{
    for (size_t i = from; i < from + count; i++) {
        clients[i].turn_ns = turn_ns;
        clients[i].again = true;
        clients[i].wants = wants;
        fair_queue_want(&turns, &clients[i].turn, wants);
    }
}

static void run_until(unsigned count)
{
    while (total < count)
        ck_assert_int_eq(event_base_loop(base, EVLOOP_ONCE), 0);
}

START_TEST(time_is_shared_and_not_turns)
{
    start(0, 1, 2000000, TURN_LONG);
    start(1, 1, 500000, TURN_LONG);
    run_until(100);
    /* Four of the one for one of the other. */
    ck_assert_uint_ge(clients[1].turns, 3 * clients[0].turns);
    ck_assert_uint_le(clients[1].turns, 5 * clients[0].turns + 4);
}
END_TEST

START_TEST(a_round_ends)
{
    start(0, MOST, 1000000, TURN_LONG);
    ck_assert_int_eq(event_base_loop(base, EVLOOP_ONCE), 0);
    ck_assert_uint_ge(total, 1);
    ck_assert_uint_le(total, 6);
}
END_TEST

/* Whatever they say of themselves. */
static void a_small_question_comes_first(enum turn_queue crowd_wants)
{
    struct client *asker = &clients[MOST - 1];
    asker->turn_ns = 20000;
    start(0, MOST - 1, 1000000, crowd_wants);
    run_until(5 * MOST);
    for (int question = 0; question < 50; question++) {
        unsigned before = total, turns_before = asker->turns;
        fair_queue_want(&turns, &asker->turn, TURN_SHORT);
        while (asker->turns == turns_before)
            run_until(total + 1);
        /* What the crowd has in that round comes behind it; a round holds four turns of theirs. */
        ck_assert_uint_le(total - before, 1 + 6);
    }
}

START_TEST(small_questions_do_not_wait_for_those_that_take_long)
{
    a_small_question_comes_first(TURN_LONG);
}
END_TEST

START_TEST(who_takes_long_is_found_out)
{
    a_small_question_comes_first(TURN_SHORT);
}
END_TEST

START_TEST(small_questions_leave_a_part_to_the_others)
{
    start(0, 1, 1000000, TURN_LONG);
    start(1, 100, 50000, TURN_SHORT);
    run_until(4000);
    /* A fifth of the time at least, of which a turn takes as much as twenty small ones. */
    ck_assert_uint_ge(20 * clients[0].turns, (total - clients[0].turns) / 5);
}
END_TEST

START_TEST(asking_moves_to_the_front)
{
    for (size_t i = 0; i < 10; i++)
        fair_queue_want(&turns, &clients[i].turn, TURN_LONG);
    fair_queue_want(&turns, &clients[7].turn, TURN_SHORT);
    fair_queue_want(&turns, &clients[7].turn, TURN_LONG);
    clients[7].turn_ns = 5000000; /* all of the round */
    run_until(1);
    ck_assert_uint_eq(total, 1);
    ck_assert_uint_eq(clients[7].turns, 1);
    run_until(10);
    ck_assert_uint_eq(clients[7].turns, 1);
}
END_TEST

START_TEST(who_leaves_is_not_served)
{
    start(0, 20, 10000, TURN_LONG);
    start(20, 20, 10000, TURN_SHORT);
    for (size_t i = 0; i < 40; i += 3)
        fair_queue_forget(&turns, &clients[i].turn);
    for (size_t i = 1; i < 40; i += 3)
        clients[i].leaves = true;
    run_until(200);
    for (size_t i = 0; i < 40; i++) {
        ck_assert(i % 3 != 0 || clients[i].turns == 0);
        ck_assert(i % 3 != 1 || clients[i].turns == 1);
        ck_assert(i % 3 != 2 || clients[i].turns > 1);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("turns");
    TCase *tests = tcase_create("turns");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, time_is_shared_and_not_turns);
    tcase_add_test(tests, a_round_ends);
    tcase_add_test(tests, small_questions_do_not_wait_for_those_that_take_long);
    tcase_add_test(tests, who_takes_long_is_found_out);
    tcase_add_test(tests, small_questions_leave_a_part_to_the_others);
    tcase_add_test(tests, asking_moves_to_the_front);
    tcase_add_test(tests, who_leaves_is_not_served);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
