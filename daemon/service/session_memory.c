/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Everything of a client that grows with what it does is counted here, and nowhere else. */

#include "service/session_memory.h"

#include "service/service_state.h"
#include "service/session_state.h"

/* What the client has sent and not ended, what it asked for and has not read, and a batch that waits for its reading.
 * What it shares with others counts all the same: it may be the last that holds it. */
static size_t bytes_of(const struct session *session)
{
    const struct connection *connection = &session->connection;
    size_t sent = session->framing.capacity + connection_unread(connection);
    size_t asked = connection_waiting(connection) + session->kept_bytes + session->subscription.outbox.bytes;
    return sent + asked + session->reading_weight;
}

void session_note_memory(struct session *session)
{
    shares_note(&session->service->shares, session->share, &session->held, bytes_of(session));
}

bool session_may_hold(struct session *session, size_t more)
{
    session_note_memory(session);
    return shares_allow(&session->service->shares, session->share, session->held, more);
}
