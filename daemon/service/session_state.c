/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files below session.c need of a session. */

#include "service/session_state.h"

#include "service/service_state.h"

enum { SMALL_INPUT = 1 << 11 }; /* bytes; what is longer is not answered at once */

void session_join(struct session *session)
{
    struct service *service = session->service;
    LIST_INSERT_HEAD(&service->sessions, session, link);
    service->session_count++;
    service_choose_listening(service);
}

void session_leave(struct session *session)
{
    struct service *service = session->service;
    LIST_REMOVE(session, link);
    service->session_count--;
    service_choose_listening(service);
}

void session_wants_to_be_heard(struct session *session)
{
    size_t length = connection_unread(&session->connection) + session->framing.length;
    bool is_long = length > SMALL_INPUT || session->reading;
    fair_queue_want(&session->service->fair_queue, &session->turn, is_long ? TURN_LONG : TURN_SHORT);
}
