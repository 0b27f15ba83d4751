/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SUBSCRIPTION_H
#define FRICID_SERVICE_SUBSCRIPTION_H

#include "service/notice.h"

#include <stdbool.h>
#include <stdint.h>

/* The notifications of one client: see subscription_state.h. */

struct session;
struct subscription;

enum {
    SUBSCRIPTION_MARK = 1 << 14, /* a client is given more notifications when this little waits for it */
    /* What was told is in the store within a second. A store that does not have it after so long, s, takes nothing at
     * the moment, and a replay does not wait for it any longer. */
    SUBSCRIPTION_PATIENCE_S = 5,
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

/* Whether the session may hold so many bytes more for what its client asks and is answered. Notifications that wait
 * give way to it, and the client is told that it lost them: who was not told of an answer would wait for ever. */
bool subscription_gives_way(struct session *session, size_t more);

/* Whether there is something to be moved to the connection. */
bool subscription_has_more(const struct subscription *subscription);

/* Moves notifications to the connection while the client reads them. */
void subscription_pump(struct session *session);

/* The session ends: forgets everything. */
void subscription_end(struct session *session);

#endif
