/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SESSION_MEMORY_H
#define FRICID_SERVICE_SESSION_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

struct session;

/* What one client holds of the memory for clients. */

/* Notes how much that is now. */
void session_note_memory(struct session *session);

/* Whether the client may hold so much more: of what it sends, or of what waits for it. */
bool session_may_hold(struct session *session, size_t more);

#endif
