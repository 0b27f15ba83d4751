/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SESSION_REPLAY_H
#define FRICID_SERVICE_SESSION_REPLAY_H

#include "service/session.h"

/* What is replayed to a client out of the store, because the history does not hold it any more. */

/* Asks for the next notifications before `until`, or waits until the store has them; they come through the session's
 * outbox, and then the session is pumped. False: the store does not have them. */
bool session_ask_for_replay(struct session *session, uint64_t until);

void session_cancel_replay(struct session *session);

#endif
