/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_PEER_RIGHTS_H
#define FRICID_SERVICE_PEER_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

/* Who may call the methods that act: root, the daemon's own user, and the members of one group. */
struct acting_rights {
    uid_t own_user;
    bool has_group; /* false: the configured group does not exist on this machine */
    gid_t group;
    const char *group_name; /* borrowed; NULL: none configured */
};

/* Looks the group up, once: the look-up may be slow and is no business of the event loop. */
struct acting_rights acting_rights_of(const char *group_name);

/* Whether a user with these groups may act. */
bool acting_rights_allow(const struct acting_rights *rights, uid_t user, gid_t main_group, const gid_t *groups,
                         size_t group_count);

/* Whether the process at the other end of a connected Unix socket may act, as the kernel saw it when it connected
 * (SO_PEERCRED, SO_PEERGROUPS). What cannot be found out is refused. */
bool peer_may_act(int fd, const struct acting_rights *rights);

/* The user at the other end, or (uid_t)-1. */
uid_t peer_user(int fd);

#endif
