/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_FAIR_QUEUE_H
#define FRICID_SERVICE_FAIR_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;
struct event_base;

/* Who of the clients is served next. There are two queues. In the one stand those who asked something and whose turns
 * are short, as far as can be told: they come first. In the other stand those who keep the daemon busy, and those who
 * are only sent notifications: they have what is left of a round, and a quarter of it at least. In each queue it is the
 * turn of who has had the least of the daemon's time there. After a few milliseconds it is the turn of devices and
 * timers. */
enum turn_queue { TURN_SHORT, TURN_LONG, TURN_QUEUES };

/* One who is served in turn, and what it has had. */
struct turn {
    bool wanted;
    enum turn_queue queue; /* where it waits */
    size_t place;          /* in the heap of that queue */
    uint64_t arrival;
    int64_t usual_ns;
    int64_t served_ns[TURN_QUEUES];
};

/* Does some of what there is to do, for about a millisecond. False: whoever it was has ended, and its turn is gone. */
typedef bool (*turn_taker)(struct turn *turn);

/* Those who wait, the next one first; see turn_is_before(). */
struct turn_heap {
    struct turn **members;
    size_t count;
    int64_t least_ns; /* of those who were served, the least that one had had */
};

struct fair_queue {
    struct event *event;
    struct turn_heap heaps[TURN_QUEUES];
    size_t capacity;   /* of each heap */
    uint64_t arrivals; /* to tell who came first */
    turn_taker take;
    struct turn *serving; /* whose turn it is just now: it stands in no queue, even if it wants another turn */
};

/* 0, or -ENOMEM. */
int fair_queue_init(struct fair_queue *waiting, struct event_base *base, turn_taker take);
void fair_queue_clear(struct fair_queue *waiting); /* nobody is left */

/* Makes room for so many; 0, or -ENOMEM. */
int fair_queue_reserve(struct fair_queue *waiting, size_t count);

/* It has something to do; once is enough. There must be room. TURN_SHORT: the client asked, and is served in
 * the long queue all the same if its turns are usually long; TURN_LONG: that can wait. */
void fair_queue_want(struct fair_queue *waiting, struct turn *turn, enum turn_queue queue);

/* It ends. */
void fair_queue_forget(struct fair_queue *waiting, struct turn *turn);

#endif
