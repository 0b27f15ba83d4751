/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_EXCHANGE_H
#define FRICID_SERVICE_EXCHANGE_H

#include "proto/jsonrpc.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

struct session;
struct upload;

/* One request inside a message: the message itself, or an element of a batch. It is answered once, at once or later. */
struct call {
    struct exchange *exchange;
    json_t *id;  /* own reference; NULL: null */
    bool silent; /* a notification: whatever happens, it is not answered */
    bool answered;
    char *line;            /* the answer */
    size_t length;         /* of the answer */
    long ticket;           /* the backend's, while it works on the answer; 0: it does not */
    long order;            /* likewise, of something to be done with the store */
    long question;         /* likewise, of a question to the store */
    struct upload *upload; /* what the backend works on, for the budget */
    /* Who gets the result that the store is asked for, and answers then; NULL instead of a result: it is about to be
     * answered that there is none. NULL: it is the answer. */
    void (*take_result)(struct call *call, const json_t *result);
};

/* A message and its answer: one line, complete when every request of a batch is answered. */
struct exchange {
    LIST_ENTRY(exchange) link;
    struct session *session;
    json_t *message; /* what is answered; own reference, NULL when all of it was read */
    bool batch;
    size_t count;   /* calls */
    size_t started; /* calls that were started; the others wait for their turn */
    size_t open;    /* calls without an answer, and one more while the message is being read */
    size_t bytes;   /* of the answers so far */
    size_t effort;  /* bytes of answers made, also of those that were too long */
    struct call calls[];
};

/* Reads a line and does what it asks for, of a batch the first request only: session->reading is then that batch. */
void exchange_begin(struct session *session, const char *line, size_t length);

/* Does what the next request of a batch asks for. May free the exchange, when that was the last. */
void exchange_step(struct exchange *exchange);

/* Answers what is not even a message. */
void exchange_refuse(struct session *session, enum jsonrpc_error code, const char *sentence);

/* The session is ending: nobody wants the answers any more. */
void exchanges_cancel(struct session *session);

/* The daemon is ending: what has no answer yet gets an error. */
void exchanges_refuse(struct session *session);

/* The answers to a call; exactly one of them, once. `result` and `data` are taken over. */
void call_answer(struct call *call, json_t *result);
void call_answer_text(struct call *call, const char *result); /* JSON text, borrowed; NULL: memory is short */
void call_fail(struct call *call, enum jsonrpc_error code, json_t *data, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

struct session *call_session(const struct call *call);

#endif
