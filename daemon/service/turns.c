/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fair queueing by time used (start-time fair queueing: P. Goyal, H. M. Vin and H. Cheng, IEEE/ACM Transactions on
 * Networking 5, 690, 1997): every session has a clock of its own that goes on while it is served. */

#include "service/turns.h"

#include "service/session.h"

#include <errno.h>
#include <event2/event.h>
#include <time.h>

enum { ROUND_NS = 4000000 }; /* for all turns together, before devices and timers have theirs */

static int64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Among equals the one that came first. */
static struct session *take_next(struct turns *turns)
{
    struct session *next = TAILQ_FIRST(&turns->queue);
    struct session *session;
    TAILQ_FOREACH(session, &turns->queue, turn)
    {
        if (session->served_ns < next->served_ns)
            next = session;
    }
    turns_forget(turns, next);
    if (next->served_ns > turns->least_ns)
        turns->least_ns = next->served_ns;
    return next;
}

static void on_round(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    struct turns *turns = context;
    int64_t now_ns = monotonic_ns(), end_ns = now_ns + ROUND_NS;
    while (!TAILQ_EMPTY(&turns->queue) && now_ns < end_ns) {
        struct session *session = take_next(turns);
        int64_t began_ns = now_ns;
        bool alive = session_take_turn(session);
        now_ns = monotonic_ns();
        if (alive)
            session->served_ns += now_ns - began_ns;
    }
    /* Not at once but after a look at all descriptors: an event that is activated in its own call would go first. */
    static const struct timeval next_round = {.tv_sec = 0, .tv_usec = 0};
    if (!TAILQ_EMPTY(&turns->queue))
        event_add(turns->event, &next_round);
}

int turns_init(struct turns *turns, struct event_base *base)
{
    TAILQ_INIT(&turns->queue);
    turns->least_ns = 0;
    turns->event = event_new(base, -1, 0, on_round, turns);
    return turns->event ? 0 : -ENOMEM;
}

void turns_clear(struct turns *turns)
{
    if (turns->event)
        event_free(turns->event);
    turns->event = NULL;
}

/* Time in which it wanted nothing is not saved up: it begins with what the others have had at least. */
void turns_want(struct turns *turns, struct session *session)
{
    static const struct timeval next_round = {.tv_sec = 0, .tv_usec = 0};
    if (session->wants_turn)
        return;
    if (session->served_ns < turns->least_ns)
        session->served_ns = turns->least_ns;
    session->wants_turn = true;
    TAILQ_INSERT_TAIL(&turns->queue, session, turn);
    if (!event_pending(turns->event, EV_TIMEOUT, NULL))
        event_add(turns->event, &next_round);
}

void turns_forget(struct turns *turns, struct session *session)
{
    if (!session->wants_turn)
        return;
    session->wants_turn = false;
    TAILQ_REMOVE(&turns->queue, session, turn);
}
