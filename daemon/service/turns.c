/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fair queueing by time used (start-time fair queueing: P. Goyal, H. M. Vin and H. Cheng, IEEE/ACM Transactions on
 * Networking 5, 690, 1997): every session has a clock of its own that goes on while it is served. */

#include "service/turns.h"

#include "service/session.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <time.h>

enum { ROUND_NS = 4000000 }; /* for all turns together, before devices and timers have theirs */

static int64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Whether `a` comes before `b`: who has had less, and among equals who came first. */
static bool turn_is_before(const struct session *a, const struct session *b)
{
    return a->served_ns != b->served_ns ? a->served_ns < b->served_ns : a->arrival < b->arrival;
}

static void put(struct turns *turns, size_t place, struct session *session)
{
    turns->heap[place] = session;
    session->turn = place;
}

/* Finds the place of a session on its way up from `place`, moving down those that come after it. */
static void sift_up(struct turns *turns, size_t place, struct session *session)
{
    while (place > 0 && turn_is_before(session, turns->heap[(place - 1) / 2])) {
        put(turns, place, turns->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(turns, place, session);
}

/* The same on its way down. */
static void sift_down(struct turns *turns, size_t place, struct session *session)
{
    for (size_t child; (child = 2 * place + 1) < turns->count; place = child) {
        if (child + 1 < turns->count && turn_is_before(turns->heap[child + 1], turns->heap[child]))
            child++;
        if (!turn_is_before(turns->heap[child], session))
            break;
        put(turns, place, turns->heap[child]);
    }
    put(turns, place, session);
}

static struct session *take_next(struct turns *turns)
{
    struct session *next = turns->heap[0];
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
    while (turns->count > 0 && now_ns < end_ns) {
        struct session *session = take_next(turns);
        int64_t began_ns = now_ns;
        bool alive = session_take_turn(session);
        now_ns = monotonic_ns();
        if (alive)
            session->served_ns += now_ns - began_ns;
    }
    /* Not at once but after a look at all descriptors: an event that is activated in its own call would go first. */
    static const struct timeval next_round = {.tv_sec = 0, .tv_usec = 0};
    if (turns->count > 0)
        event_add(turns->event, &next_round);
}

int turns_init(struct turns *turns, struct event_base *base)
{
    *turns = (struct turns){0};
    turns->event = event_new(base, -1, 0, on_round, turns);
    return turns->event ? 0 : -ENOMEM;
}

void turns_clear(struct turns *turns)
{
    if (turns->event)
        event_free(turns->event);
    free(turns->heap);
    *turns = (struct turns){0};
}

int turns_reserve(struct turns *turns, size_t sessions)
{
    if (sessions <= turns->capacity)
        return 0;
    size_t capacity = turns->capacity + 64 > sessions ? turns->capacity + 64 : sessions;
    struct session **heap = realloc(turns->heap, capacity * sizeof(struct session *));
    if (!heap)
        return -ENOMEM;
    turns->heap = heap;
    turns->capacity = capacity;
    return 0;
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
    session->arrival = turns->arrivals++;
    turns->count++;
    sift_up(turns, turns->count - 1, session);
    if (!event_pending(turns->event, EV_TIMEOUT, NULL))
        event_add(turns->event, &next_round);
}

void turns_forget(struct turns *turns, struct session *session)
{
    if (!session->wants_turn)
        return;
    session->wants_turn = false;
    struct session *last = turns->heap[--turns->count];
    if (last == session)
        return;
    /* The last one takes the place, and from there its own. */
    sift_up(turns, session->turn, last);
    if (last->turn == session->turn)
        sift_down(turns, last->turn, last);
}
