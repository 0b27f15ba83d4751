/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Fair queueing by time used (start-time fair queueing: P. Goyal, H. M. Vin and H. Cheng, IEEE/ACM Transactions on
 * Networking 5, 690, 1997): every turn has a clock of its own that goes on while it is served. Alone that would let
 * each of a thousand busy clients go before one with a small question; short turns therefore have a queue of their
 * own. */

#include "service/fair_queue.h"

#include "proto/clock.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>

enum {
    ROUND_NS = 4000000,             /* for all turns together, before devices and timers have theirs */
    SHORT_TURNS_NS = 3000000,       /* of it, when both queues want it */
    LONGEST_SHORT_TURN_NS = 300000, /* a few small questions */
    LONG_TURN_NS = 1000000,         /* a longer one counts as this */
};

/* The processor's time: that the computer had something else to do is no client's fault. */
static int64_t used_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Whether `a` comes before `b`: who has had less, and among equals who came first. */
static bool turn_is_before(const struct turn *a, const struct turn *b)
{
    int64_t a_ns = a->served_ns[a->queue], b_ns = b->served_ns[b->queue];
    return a_ns != b_ns ? a_ns < b_ns : a->arrival < b->arrival;
}

static void put(struct turn_heap *heap, size_t place, struct turn *turn)
{
    heap->members[place] = turn;
    turn->place = place;
}

/* Finds the place of a turn on its way up from `place`, moving down those that come after it. */
static void sift_up(struct turn_heap *heap, size_t place, struct turn *turn)
{
    while (place > 0 && turn_is_before(turn, heap->members[(place - 1) / 2])) {
        put(heap, place, heap->members[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(heap, place, turn);
}

/* The same on its way down. */
static void sift_down(struct turn_heap *heap, size_t place, struct turn *turn)
{
    for (size_t child; (child = 2 * place + 1) < heap->count; place = child) {
        if (child + 1 < heap->count && turn_is_before(heap->members[child + 1], heap->members[child]))
            child++;
        if (!turn_is_before(heap->members[child], turn))
            break;
        put(heap, place, heap->members[child]);
    }
    put(heap, place, turn);
}

/* Time in which it wanted nothing is not saved up: it begins with what the others have had at least. */
static void line_up(struct fair_queue *waiting, struct turn *turn)
{
    struct turn_heap *heap = &waiting->heaps[turn->queue];
    if (turn->served_ns[turn->queue] < heap->least_ns)
        turn->served_ns[turn->queue] = heap->least_ns;
    turn->arrival = waiting->arrivals++;
    heap->count++;
    sift_up(heap, heap->count - 1, turn);
}

static void step_out(struct fair_queue *waiting, const struct turn *turn)
{
    struct turn_heap *heap = &waiting->heaps[turn->queue];
    size_t place = turn->place;
    struct turn *last = heap->members[--heap->count];
    if (last == turn)
        return;
    /* The last one takes the place, and from there its own. */
    sift_up(heap, place, last);
    if (last->place == place)
        sift_down(heap, place, last);
}

/* Whether it belongs into the long queue. */
static bool takes_long(const struct turn *turn)
{
    return turn->usual_ns > LONGEST_SHORT_TURN_NS;
}

/* The mean forgets: one large question among small ones, or a turn in which the processor was slow, is forgiven. */
static void note_turn(struct turn *turn, enum turn_queue queue, int64_t took_ns)
{
    int64_t counted_ns = took_ns < LONG_TURN_NS ? took_ns : LONG_TURN_NS;
    turn->served_ns[queue] += took_ns;
    turn->usual_ns += (counted_ns - turn->usual_ns) / 4;
    if (takes_long(turn))
        turn->queue = TURN_LONG;
}

/* One turn; returns when it was over. Only then is it known how much the turn has had, and with that where it lines
 * up again. */
static int64_t serve(struct fair_queue *waiting, enum turn_queue queue, int64_t began_ns)
{
    struct turn_heap *heap = &waiting->heaps[queue];
    struct turn *turn = heap->members[0];
    step_out(waiting, turn);
    turn->wanted = false;
    if (turn->served_ns[queue] > heap->least_ns)
        heap->least_ns = turn->served_ns[queue];
    waiting->serving = turn;
    bool alive = waiting->take(turn);
    waiting->serving = NULL;
    int64_t now_ns = used_ns();
    if (!alive)
        return now_ns;
    note_turn(turn, queue, now_ns - began_ns);
    if (turn->wanted)
        line_up(waiting, turn);
    return now_ns;
}

static bool anybody_waits(const struct fair_queue *waiting)
{
    return waiting->heaps[TURN_SHORT].count > 0 || waiting->heaps[TURN_LONG].count > 0;
}

static void on_round(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    struct fair_queue *waiting = context;
    int64_t now_ns = used_ns(), began_ns = now_ns;
    while (anybody_waits(waiting) && now_ns < began_ns + ROUND_NS) {
        bool time_for_short = now_ns < began_ns + SHORT_TURNS_NS || waiting->heaps[TURN_LONG].count == 0;
        bool is_short = waiting->heaps[TURN_SHORT].count > 0 && time_for_short;
        now_ns = serve(waiting, is_short ? TURN_SHORT : TURN_LONG, now_ns);
    }
    /* Not at once but after a look at all descriptors: an event that is activated in its own call would go first. */
    static const struct timeval next_round = {.tv_sec = 0, .tv_usec = 0};
    if (anybody_waits(waiting))
        event_add(waiting->event, &next_round);
}

int fair_queue_init(struct fair_queue *waiting, struct event_base *base, turn_taker take)
{
    *waiting = (struct fair_queue){.take = take};
    waiting->event = event_new(base, -1, 0, on_round, waiting);
    return waiting->event ? 0 : -ENOMEM;
}

void fair_queue_clear(struct fair_queue *waiting)
{
    if (waiting->event)
        event_free(waiting->event);
    for (int queue = 0; queue < TURN_QUEUES; queue++)
        free(waiting->heaps[queue].members);
    *waiting = (struct fair_queue){0};
}

/* What one heap has got already is kept when there is no memory for the other: it is only larger than said. */
int fair_queue_reserve(struct fair_queue *waiting, size_t count)
{
    if (count <= waiting->capacity)
        return 0;
    size_t capacity = waiting->capacity + 64 > count ? waiting->capacity + 64 : count;
    for (int queue = 0; queue < TURN_QUEUES; queue++) {
        struct turn **grown = realloc(waiting->heaps[queue].members, capacity * sizeof(struct turn *));
        if (!grown)
            return -ENOMEM;
        waiting->heaps[queue].members = grown;
    }
    waiting->capacity = capacity;
    return 0;
}

/* Whoever waits in the long queue and asks something moves to the short one. */
void fair_queue_want(struct fair_queue *waiting, struct turn *turn, enum turn_queue queue)
{
    static const struct timeval next_round = {.tv_sec = 0, .tv_usec = 0};
    if (takes_long(turn))
        queue = TURN_LONG;
    if (turn->wanted && queue >= turn->queue)
        return;
    if (turn->wanted && turn != waiting->serving)
        step_out(waiting, turn);
    turn->wanted = true;
    turn->queue = queue;
    if (turn == waiting->serving)
        return;
    line_up(waiting, turn);
    if (!event_pending(waiting->event, EV_TIMEOUT, NULL))
        event_add(waiting->event, &next_round);
}

void fair_queue_forget(struct fair_queue *waiting, struct turn *turn)
{
    if (turn->wanted && turn != waiting->serving)
        step_out(waiting, turn);
    turn->wanted = false;
}
