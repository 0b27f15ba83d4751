/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Who of the clients' users holds how much memory. A dozen users at most: they are looked for one by one. */

#include "service/shares.h"

#include <stdlib.h>

/* Less is not worth the walk through all free memory. */
enum { WORTH_GIVING_BACK = 8 << 20 };

void shares_init(struct shares *shares)
{
    *shares = (struct shares){.limit = SHARES_LIMIT};
    LIST_INIT(&shares->users);
}

static struct share *find(const struct shares *shares, uid_t user)
{
    struct share *share;
    LIST_FOREACH(share, &shares->users, link)
    {
        if (share->user == user)
            return share;
    }
    return NULL;
}

struct share *shares_join(struct shares *shares, uid_t user)
{
    struct share *share = find(shares, user);
    if (!share) {
        share = calloc(1, sizeof *share);
        if (!share)
            return NULL;
        share->user = user;
        LIST_INSERT_HEAD(&shares->users, share, link);
    }
    share->connections++;
    return share;
}

void shares_leave(struct shares *shares, struct share *share, size_t held)
{
    shares_note(shares, share, &held, 0);
    if (--share->connections > 0)
        return;
    LIST_REMOVE(share, link);
    free(share);
}

size_t shares_connections(const struct shares *shares, uid_t user)
{
    const struct share *share = find(shares, user);
    return share ? share->connections : 0;
}

void shares_note(struct shares *shares, struct share *share, size_t *held, size_t bytes)
{
    shares->bytes += bytes - *held;
    share->bytes += bytes - *held;
    *held = bytes;
    if (shares->bytes > shares->highest)
        shares->highest = shares->bytes;
}

bool shares_allow(const struct shares *shares, const struct share *share, size_t held, size_t more)
{
    if (held + more <= SHARES_ALWAYS)
        return true;
    if (shares->bytes + more > shares->limit)
        return false;
    return share->bytes + more <= shares->limit - shares->bytes - more;
}

bool shares_have_fallen(struct shares *shares)
{
    if (shares->highest < WORTH_GIVING_BACK || shares->bytes > shares->highest / 2)
        return false;
    shares->highest = shares->bytes;
    return true;
}
