/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread hands numbered messages to whoever waits at the descriptor; it never runs ahead of the ring, and ends
 * whatever it is doing. */
#include "acquire/message_ring.h"
#include "run_suite.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 4, MESSAGES = 5000 };

struct feed {
    struct message_ring ring;
    unsigned messages[SLOTS];
    unsigned count;      /* how many the thread puts; it then waits for its end */
    atomic_uint refused; /* asked for without waiting while the ring was full */
    atomic_uint put;     /* so far */
    bool saw_signal;     /* one that belongs to the event loop could have reached it */
};

static void fill(struct feed *feed, unsigned number)
{
    size_t slot;
    if (!message_ring_free_slot(&feed->ring, false, &slot)) {
        atomic_fetch_add(&feed->refused, 1);
        if (!message_ring_free_slot(&feed->ring, true, &slot))
            return;
    }
    feed->messages[slot] = number;
    message_ring_put(&feed->ring);
    atomic_fetch_add(&feed->put, 1);
}

static void *run(void *context)
{
    struct feed *feed = context;
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    feed->saw_signal = sigismember(&blocked, SIGTERM) == 0 || sigismember(&blocked, SIGHUP) == 0;
    for (unsigned i = 0; i < feed->count && !message_ring_is_stopping(&feed->ring); i++)
        fill(feed, i);
    while (!message_ring_is_stopping(&feed->ring))
        message_ring_sleep(&feed->ring, 3600);
    return NULL;
}

static void begin(struct feed *feed, unsigned count)
{
    *feed = (struct feed){.count = count};
    ck_assert_int_eq(message_ring_open(&feed->ring, SLOTS), 0);
    ck_assert_int_eq(message_ring_start(&feed->ring, run, feed), 0);
}

/* As an event loop does it: silence the descriptor, then take until there is none. */
static unsigned take_what_is_there(struct feed *feed, unsigned expected)
{
    struct pollfd ready = {.fd = message_ring_fd(&feed->ring), .events = POLLIN};
    uint64_t count;
    size_t slot;
    ck_assert_int_eq(poll(&ready, 1, 60000), 1);
    ck_assert_int_eq(read(ready.fd, &count, sizeof count), sizeof count);
    while (message_ring_take(&feed->ring, &slot)) {
        size_t same;
        ck_assert(message_ring_take(&feed->ring, &same));
        ck_assert_uint_eq(same, slot);
        ck_assert_uint_eq(feed->messages[slot], expected);
        expected++;
        message_ring_give_back(&feed->ring);
    }
    return expected;
}

START_TEST(every_message_comes_once_and_in_order)
{
    struct feed feed;
    begin(&feed, MESSAGES);
    for (unsigned taken = 0; taken < MESSAGES;)
        taken = take_what_is_there(&feed, taken);
    size_t slot;
    ck_assert(!message_ring_take(&feed.ring, &slot));
    message_ring_close(&feed.ring);
    ck_assert(!feed.saw_signal);
}
END_TEST

/* Nobody takes: the thread fills what there is and waits, and its end comes all the same. */
START_TEST(a_full_ring_holds_the_thread_back_and_lets_it_end)
{
    struct feed feed;
    begin(&feed, MESSAGES);
    while (atomic_load(&feed.refused) == 0)
        sched_yield();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    ck_assert_uint_eq(atomic_load(&feed.put), SLOTS);
    size_t slot;
    ck_assert(message_ring_take(&feed.ring, &slot));
    ck_assert_uint_eq(feed.messages[slot], 0);
    message_ring_close(&feed.ring);
    ck_assert_uint_eq(atomic_load(&feed.refused), 1);
}
END_TEST

/* It would sleep for an hour. */
START_TEST(a_sleeping_thread_ends_at_once)
{
    struct feed feed;
    begin(&feed, 0);
    message_ring_close(&feed.ring);
    begin(&feed, 1);
    ck_assert_uint_eq(take_what_is_there(&feed, 0), 1);
    message_ring_close(&feed.ring);
}
END_TEST

START_TEST(what_was_never_opened_or_started_is_closed_all_the_same)
{
    struct message_ring ring = {0};
    message_ring_close(&ring);
    ck_assert_int_eq(message_ring_open(&ring, SLOTS), 0);
    message_ring_close(&ring);
    message_ring_close(&ring);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("message ring");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_test(all, every_message_comes_once_and_in_order);
    tcase_add_test(all, a_full_ring_holds_the_thread_back_and_lets_it_end);
    tcase_add_test(all, a_sleeping_thread_ends_at_once);
    tcase_add_test(all, what_was_never_opened_or_started_is_closed_all_the_same);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
