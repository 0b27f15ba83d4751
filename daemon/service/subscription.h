/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SUBSCRIPTION_H
#define FRICID_SERVICE_SUBSCRIPTION_H

#include "service/outbox.h"
#include "service/topic.h"

#include <stdbool.h>
#include <stdint.h>

struct session;

enum {
    SUBSCRIPTION_MARK = 1 << 14, /* a client is given more notifications when this little waits for it */
    /* What was told is in the store within a second. A store that does not have it after so long, s, takes nothing at
     * the moment, and a replay does not wait for it any longer. */
    SUBSCRIPTION_PATIENCE_S = 5,
};

/* What one client has subscribed to. Everything of a topic from a number on goes to it once and in order: first what
 * waits in the outbox, then what is replayed, then what happens. */
struct subscription {
    unsigned topics;         /* set of enum topic */
    uint64_t since[TOPICS];  /* of each of them: nothing older is sent */
    struct outbox outbox;    /* sorted by seq, all of it older than what is to be replayed */
    uint64_t replay_from;    /* the next seq to replay; 0: notifications come as they happen */
    long question;           /* the store is being asked for what to replay; 0: it is not */
    int64_t awaits_store_ns; /* since when the store has been waited for, CLOCK_MONOTONIC; 0: it is not */
};

/* Adds topics. from_seq 0: from now on; else all topics of the session are told again from there on, and what waits
 * with that number or a later one is not sent beside it. */
void subscription_add(struct session *session, unsigned topics, uint64_t from_seq);

/* Takes topics back. */
void subscription_take_back(struct session *session, unsigned topics);

/* Queues a notification if the client wants it. */
void subscription_notify(struct session *session, struct notice *notice);

/* There was no memory for the notification of a topic with that number. */
void subscription_miss(struct session *session, enum topic topic, uint64_t seq);

/* Whether there is something to be moved to the connection. */
bool subscription_has_more(const struct subscription *subscription);

/* Moves notifications to the connection while the client reads them. */
void subscription_pump(struct session *session);

/* The session ends: forgets everything. */
void subscription_end(struct session *session);

#endif
