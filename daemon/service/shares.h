/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SHARES_H
#define FRICID_SERVICE_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>
#include <sys/types.h>

/* The memory that clients occupy with what they send and do not end, and with what they ask for and do not read. All of
 * them together have a limit, and nobody takes it all: a user's connections may hold as much as is still free for
 * others, so that a user alone has half of it at most, two have a third each, and so on (dynamic thresholds: A. K.
 * Choudhury and E. L. Hahne, IEEE/ACM Transactions on Networking 6, 130, 1998). Who wants more is told so, and goes on
 * with less. Records to be identified have a budget of their own, see upload.h. */

enum {
    SHARES_LIMIT = 128 << 20, /* bytes for all clients */
    SHARES_ALWAYS = 1 << 17,  /* what any connection may hold, whatever the others do: enough to ask and be answered */
};

/* What the connections of one user hold. */
struct share {
    LIST_ENTRY(share) link;
    uid_t user;
    size_t connections;
    size_t bytes;
};

struct shares {
    size_t bytes, limit;
    size_t highest; /* bytes since memory was given back to the system last */
    LIST_HEAD(, share) users;
};

void shares_init(struct shares *shares);

/* One more connection of that user. NULL when memory is short. */
struct share *shares_join(struct shares *shares, uid_t user);

/* One less; it held so much. */
void shares_leave(struct shares *shares, struct share *share, size_t held);

/* Connections of that user. */
size_t shares_connections(const struct shares *shares, uid_t user);

/* A connection that held *held holds `bytes` now; *held is set. */
void shares_note(struct shares *shares, struct share *share, size_t *held, size_t bytes);

/* Whether a connection of that user, which holds `held`, may hold `more` on top. */
bool shares_allow(const struct shares *shares, const struct share *share, size_t held, size_t more);

/* Whether so much was given up since the last time that it is worth giving it back to the system. */
bool shares_have_fallen(struct shares *shares);

#endif
