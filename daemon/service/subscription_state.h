/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SUBSCRIPTION_STATE_H
#define FRICID_SERVICE_SUBSCRIPTION_STATE_H

#include "service/outbox.h"
#include "service/topic.h"

#include <stdint.h>

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

#endif
