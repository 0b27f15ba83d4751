/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SESSION_H
#define FRICID_SERVICE_SESSION_H

#include "proto/framing.h"
#include "service/notice.h"
#include "service/outbox.h"
#include "service/turns.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

struct bufferevent;
struct event;
struct exchange;
struct service;
struct upload;

enum {
    SESSION_MAX_WAITING = 1 << 20, /* bytes of notifications that wait for a client, whatever else waits counted in */
    SESSION_ROOM = 1 << 16,        /* requests are handled while less than this waits to be read by the client */
    SESSION_PATIENCE_S = 30,       /* a client that has something to read and does not is disconnected */
    SESSION_LOOKS = 3,             /* how often it is looked at in that time */
    SESSION_MAX_IDENTIFY = 4,      /* unanswered identify requests of one client */
    SESSION_MAX_QUESTIONS = 2,     /* unanswered questions to the store; its answers are large */
};

/* One client: what it is sending, what it has subscribed to, what waits for it to read. Belongs to the event loop. */
struct session {
    LIST_ENTRY(session) link;
    struct service *service;
    struct bufferevent *buffer;
    struct event *watch;   /* looks now and then whether a client that sends no more is still there */
    bool wants_turn;       /* for turns.c, with all down to served_ns */
    enum turn_queue queue; /* where it waits */
    size_t turn;           /* place in the heap of that queue */
    uint64_t arrival;
    int64_t usual_turn_ns;
    int64_t served_ns[TURN_QUEUES]; /* time it was served, in the sense of turns.h */
    struct framing framing;
    struct outbox outbox;
    unsigned topics;      /* set of enum topic */
    long replay_question; /* the store is being asked for what to replay; 0: it is not */
    uint64_t replay_from; /* the next seq to replay from the history; 0: notifications come as they happen */
    int64_t queued;       /* bytes given out for the client so far */
    int64_t taken;        /* how many of them it had read when it was looked at last */
    int idle_looks;       /* how often in a row that had not changed */
    bool input_ended;     /* the client sends no more, but may read */
    bool broken;          /* to be closed at the next occasion */
    uid_t user;
    struct upload *uploads; /* unfinished records */
    size_t upload_count;
    int64_t last_upload;             /* number of the latest */
    size_t identify_count;           /* unanswered identify requests */
    size_t question_count;           /* unanswered questions to the store */
    size_t kept_bytes;               /* of answers whose exchange is not complete yet */
    LIST_HEAD(, exchange) exchanges; /* requests without a complete answer */
    struct exchange *reading;        /* the batch among them whose requests are being started; NULL: none */
};

/* Takes a connected, non-blocking socket over and says hello. NULL when memory is short (the socket is then closed). */
struct session *session_create(struct service *service, int fd, uid_t user);

/* Forgets the client: what it waited for is cancelled, what it had sent is freed. */
void session_destroy(struct session *session);

/* Sends a line, after what waits already. */
void session_send(struct session *session, const char *line, size_t length);

/* Bytes of answers and notifications that were given out for the client and that its socket has not taken yet. */
size_t session_waiting(const struct session *session);

/* An answer has come that the client's further requests may have waited for. */
void session_go_on(struct session *session);

/* Sends a notification if the client subscribed to its topic, when it is the client's turn. */
void session_notify(struct session *session, struct notice *notice);

/* Replays the history from a seq on, before anything new. */
void session_replay(struct session *session, uint64_t from_seq);

/* Does some of what there is to do for the client, for about a millisecond. False: the session has ended. */
bool session_take_turn(struct session *session);

/* Moves notifications to the socket while the client reads them. */
void session_pump(struct session *session);

/* Writes what waits without the event loop, as far as the client reads. Whether something is left. For the end. */
bool session_flush(struct session *session);

int session_fd(const struct session *session);

#endif
