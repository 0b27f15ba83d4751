/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_TURNS_H
#define FRICID_SERVICE_TURNS_H

#include <stddef.h>
#include <stdint.h>

struct event;
struct event_base;
struct session;

/* Who of the clients is served next: the one that has had the least of the daemon's time. Whoever asks now and then
 * comes before those who ask all the time, however many they are. After a few milliseconds it is the turn of devices
 * and timers. */
struct turns {
    struct event *event;
    struct session **heap; /* those who want a turn, the next one first; see turn_is_before() */
    size_t count, capacity;
    uint64_t arrivals; /* to tell who came first */
    int64_t least_ns;  /* of those who were served, the least that one had had */
};

/* 0, or -ENOMEM. */
int turns_init(struct turns *turns, struct event_base *base);
void turns_clear(struct turns *turns); /* all sessions are gone */

/* Makes room for so many sessions; 0, or -ENOMEM. */
int turns_reserve(struct turns *turns, size_t sessions);

/* The session has something to do; once in the queue is enough. There must be room. */
void turns_want(struct turns *turns, struct session *session);

/* The session ends. */
void turns_forget(struct turns *turns, struct session *session);

#endif
