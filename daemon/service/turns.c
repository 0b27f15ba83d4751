/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fair queueing by time used (start-time fair queueing: P. Goyal, H. M. Vin and H. Cheng, IEEE/ACM Transactions on
 * Networking 5, 690, 1997): every session has a clock of its own that goes on while it is served. Alone that would let
 * each of a thousand busy clients go before one with a small question; short turns therefore have a queue of their
 * own. */

#include "service/turns.h"

#include "service/session.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <time.h>

enum {
    ROUND_NS = 4000000,             /* for all turns together, before devices and timers have theirs */
    SHORT_TURNS_NS = 3000000,       /* of it, when both queues want it */
    LONGEST_SHORT_TURN_NS = 300000, /* a few small questions */
    LONG_TURN_NS = 1000000,         /* a longer one counts as this */
};

/* The processor's time: that the computer had something else to do is no client's fault. */
static int64_t used_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Whether `a` comes before `b`: who has had less, and among equals who came first. */
static bool turn_is_before(const struct session *a, const struct session *b)
{
    int64_t a_ns = a->served_ns[a->queue], b_ns = b->served_ns[b->queue];
    return a_ns != b_ns ? a_ns < b_ns : a->arrival < b->arrival;
}

static void put(struct turn_heap *heap, size_t place, struct session *session)
{
    heap->sessions[place] = session;
    session->turn = place;
}

/* Finds the place of a session on its way up from `place`, moving down those that come after it. */
static void sift_up(struct turn_heap *heap, size_t place, struct session *session)
{
    while (place > 0 && turn_is_before(session, heap->sessions[(place - 1) / 2])) {
        put(heap, place, heap->sessions[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(heap, place, session);
}

/* The same on its way down. */
static void sift_down(struct turn_heap *heap, size_t place, struct session *session)
{
    for (size_t child; (child = 2 * place + 1) < heap->count; place = child) {
        if (child + 1 < heap->count && turn_is_before(heap->sessions[child + 1], heap->sessions[child]))
            child++;
        if (!turn_is_before(heap->sessions[child], session))
            break;
        put(heap, place, heap->sessions[child]);
    }
    put(heap, place, session);
}

/* Time in which it wanted nothing is not saved up: it begins with what the others have had at least. */
static void line_up(struct turns *turns, struct session *session)
{
    struct turn_heap *heap = &turns->heaps[session->queue];
    if (session->served_ns[session->queue] < heap->least_ns)
        session->served_ns[session->queue] = heap->least_ns;
    session->arrival = turns->arrivals++;
    heap->count++;
    sift_up(heap, heap->count - 1, session);
}

static void step_out(struct turns *turns, const struct session *session)
{
    struct turn_heap *heap = &turns->heaps[session->queue];
    size_t place = session->turn;
    struct session *last = heap->sessions[--heap->count];
    if (last == session)
        return;
    /* The last one takes the place, and from there its own. */
    sift_up(heap, place, last);
    if (last->turn == place)
        sift_down(heap, place, last);
}

/* Whether it belongs into the long queue. */
static bool takes_long(const struct session *session)
{
    return session->usual_turn_ns > LONGEST_SHORT_TURN_NS;
}

/* The mean forgets: one large question among small ones, or a turn in which the processor was slow, is forgiven. */
static void note_turn(struct session *session, enum turn_queue queue, int64_t took_ns)
{
    int64_t counted_ns = took_ns < LONG_TURN_NS ? took_ns : LONG_TURN_NS;
    session->served_ns[queue] += took_ns;
    session->usual_turn_ns += (counted_ns - session->usual_turn_ns) / 4;
    if (takes_long(session))
        session->queue = TURN_LONG;
}

/* One turn; returns when it was over. Only then is it known how much the session has had, and with that where it lines
 * up again. */
static int64_t serve(struct turns *turns, enum turn_queue queue, int64_t began_ns)
{
    struct turn_heap *heap = &turns->heaps[queue];
    struct session *session = heap->sessions[0];
    step_out(turns, session);
    session->wants_turn = false;
    if (session->served_ns[queue] > heap->least_ns)
        heap->least_ns = session->served_ns[queue];
    turns->serving = session;
    bool alive = session_take_turn(session);
    turns->serving = NULL;
    int64_t now_ns = used_ns();
    if (!alive)
        return now_ns;
    note_turn(session, queue, now_ns - began_ns);
    if (session->wants_turn)
        line_up(turns, session);
    return now_ns;
}

static bool anybody_waits(const struct turns *turns)
{
    return turns->heaps[TURN_SHORT].count > 0 || turns->heaps[TURN_LONG].count > 0;
}

static void on_round(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    struct turns *turns = context;
    int64_t now_ns = used_ns(), began_ns = now_ns;
    while (anybody_waits(turns) && now_ns < began_ns + ROUND_NS) {
        bool time_for_short = now_ns < began_ns + SHORT_TURNS_NS || turns->heaps[TURN_LONG].count == 0;
        bool is_short = turns->heaps[TURN_SHORT].count > 0 && time_for_short;
        now_ns = serve(turns, is_short ? TURN_SHORT : TURN_LONG, now_ns);
    }
    /* Not at once but after a look at all descriptors: an event that is activated in its own call would go first. */
    static const struct timeval next_round = {.tv_sec = 0, .tv_usec = 0};
    if (anybody_waits(turns))
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
    for (int queue = 0; queue < TURN_QUEUES; queue++)
        free(turns->heaps[queue].sessions);
    *turns = (struct turns){0};
}

/* What one heap has got already is kept when there is no memory for the other: it is only larger than said. */
int turns_reserve(struct turns *turns, size_t sessions)
{
    if (sessions <= turns->capacity)
        return 0;
    size_t capacity = turns->capacity + 64 > sessions ? turns->capacity + 64 : sessions;
    for (int queue = 0; queue < TURN_QUEUES; queue++) {
        struct session **grown = realloc(turns->heaps[queue].sessions, capacity * sizeof(struct session *));
        if (!grown)
            return -ENOMEM;
        turns->heaps[queue].sessions = grown;
    }
    turns->capacity = capacity;
    return 0;
}

/* Whoever waits in the long queue and asks something moves to the short one. */
void turns_want(struct turns *turns, struct session *session, enum turn_queue queue)
{
    static const struct timeval next_round = {.tv_sec = 0, .tv_usec = 0};
    if (takes_long(session))
        queue = TURN_LONG;
    if (session->wants_turn && queue >= session->queue)
        return;
    if (session->wants_turn && session != turns->serving)
        step_out(turns, session);
    session->wants_turn = true;
    session->queue = queue;
    if (session == turns->serving)
        return;
    line_up(turns, session);
    if (!event_pending(turns->event, EV_TIMEOUT, NULL))
        event_add(turns->event, &next_round);
}

void turns_forget(struct turns *turns, struct session *session)
{
    if (session->wants_turn && session != turns->serving)
        step_out(turns, session);
    session->wants_turn = false;
}
