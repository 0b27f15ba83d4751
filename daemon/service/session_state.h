/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SESSION_STATE_H
#define FRICID_SERVICE_SESSION_STATE_H

#include "proto/framing.h"
#include "service/connection.h"
#include "service/fair_queue.h"
#include "service/subscription_state.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

struct call;
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

/* For the files of this room only: what they know of a client.
 *
 * One client: what it is sending, what it has subscribed to, what waits for it to read. Belongs to the event loop. */
struct session {
    LIST_ENTRY(session) link;
    struct service *service;
    struct connection connection;
    struct event *presence_check; /* looks now and then whether a client that sends no more is still there */
    struct turn turn;
    /* Does what one request asks for: it is answered then, or later through its call. */
    void (*run)(struct call *call, const char *method, json_t *params);
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
    size_t reading_weight;           /* bytes of the message that is being read, about; 0: there is none */
    struct exchange *reading;        /* the batch among them whose requests are being started; NULL: none */
};

/* It takes its place among the sessions of the service, and gives it up. */
void session_join(struct session *session);
void session_leave(struct session *session);

/* The client asks something, or an answer has come that its further requests may have waited for: it is looked at soon
 * if it is little. */
void session_wants_to_be_heard(struct session *session);

#endif
