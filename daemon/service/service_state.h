/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SERVICE_STATE_H
#define FRICID_SERVICE_SERVICE_STATE_H

#include "service/backend.h"
#include "service/fair_queue.h"
#include "service/peer_rights.h"
#include "service/service_socket.h"
#include "service/shares.h"
#include "service/upload.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct event;
struct event_base;
struct evconnlistener;
struct history;
struct session;

/* What all sessions share; for the files of this room only. */
struct service {
    struct event_base *base;
    struct service_backend backend;
    struct service_socket socket;
    struct evconnlistener *listener;
    struct event *accept_again; /* after descriptors had run out */
    struct event *replays_wait; /* for the store: some look again when this comes */
    struct event *memory_fell;  /* what clients held can be given back to the system */
    struct shares shares;       /* of memory */
    struct fair_queue fair_queue;
    struct acting_rights rights;
    struct history *history;
    struct memory_budget upload_budget;
    int64_t started_ns;           /* CLOCK_REALTIME */
    int64_t started_monotonic_ns; /* CLOCK_MONOTONIC */
    LIST_HEAD(, session) sessions;
    size_t session_count, session_limit;
    uint64_t dropped_notifications;
};

/* Newcomers are taken in as long as there are places; whoever comes when all are taken waits in the socket's queue. */
void service_choose_listening(struct service *service);

/* A client holds less memory than before: a second from now it goes back to the system, if that is worth it. */
void service_give_memory_back(struct service *service);

/* A second from now replays that wait for the store look again. */
void service_wake_replays(struct service *service);

#endif
