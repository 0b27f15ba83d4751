/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SESSION_H
#define FRICID_SERVICE_SESSION_H

#include "service/fair_queue.h"

#include <stdbool.h>
#include <sys/types.h>

struct service;
struct session;

/* One client, from its coming to its going. */

/* Takes a connected, non-blocking socket over and says hello. NULL when memory is short (the socket is then closed). */
struct session *session_create(struct service *service, int fd, uid_t user);

/* Forgets the client: what it waited for is cancelled, what it had sent is freed. */
void session_destroy(struct session *session);

/* A turn_taker: the turn is a session's. */
bool session_take_turn(struct turn *turn);

/* Writes what waits without the event loop, as far as the client reads. Whether something is left. For the end. */
bool session_flush(struct session *session);

#endif
