/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SESSION_H
#define FRICID_SERVICE_SESSION_H

#include "proto/framing.h"
#include "service/connection.h"
#include "service/subscription.h"
#include "service/turns.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

struct event;
struct exchange;
struct service;
struct share;
struct upload;

enum {
    SESSION_MAX_WAITING = 1 << 20, /* bytes of notifications that wait for a client, whatever else waits counted in */
    SESSION_ROOM = 1 << 16,        /* requests are handled while less than this waits to be read by the client */
    SESSION_PATIENCE_S = 30,       /* a client that has something to read and does not is disconnected */
    SESSION_MAX_IDENTIFY = 4,      /* unanswered identify requests of one client */
    SESSION_MAX_QUESTIONS = 2,     /* unanswered questions to the store; its answers are large */
};

/* One client: what it is sending, what it has subscribed to, what waits for it to read. Belongs to the event loop. */
struct session {
    LIST_ENTRY(session) link;
    struct service *service;
    struct connection connection;
    struct event *watch;   /* looks now and then whether a client that sends no more is still there */
    bool wants_turn;       /* for turns.c, with all down to served_ns */
    enum turn_queue queue; /* where it waits */
    size_t turn;           /* place in the heap of that queue */
    uint64_t arrival;
    int64_t usual_turn_ns;
    int64_t served_ns[TURN_QUEUES]; /* time it was served, in the sense of turns.h */
    struct framing framing;
    struct subscription subscription;
    bool input_ended; /* the client sends no more, but may read */
    uid_t user;
    struct upload *uploads;          /* unfinished records */
    size_t upload_count;             /* of them, and of those under way that may have results to be fetched */
    int64_t last_upload;             /* number of the latest */
    size_t identify_count;           /* unanswered identify requests */
    size_t question_count;           /* unanswered questions to the store */
    unsigned backup;                 /* the copy of the store that was made for it last; 0: none */
    size_t kept_bytes;               /* of answers whose exchange is not complete yet */
    struct share *share;             /* of the memory for clients, with those of the same user */
    size_t held;                     /* bytes of it that were noted last */
    LIST_HEAD(, exchange) exchanges; /* requests without a complete answer */
    struct exchange *reading;        /* the batch among them whose requests are being started; NULL: none */
};

/* Takes a connected, non-blocking socket over and says hello. NULL when memory is short (the socket is then closed). */
struct session *session_create(struct service *service, int fd, uid_t user);

/* Forgets the client: what it waited for is cancelled, what it had sent is freed. */
void session_destroy(struct session *session);

/* An answer has come that the client's further requests may have waited for. */
void session_go_on(struct session *session);

/* Does some of what there is to do for the client, for about a millisecond. False: the session has ended. */
bool session_take_turn(struct session *session);

/* Writes what waits without the event loop, as far as the client reads. Whether something is left. For the end. */
bool session_flush(struct session *session);

#endif
