/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Who is at the other end of the socket, as the kernel says, and whether that one may act. */

#include "config.h" /* _GNU_SOURCE: struct ucred */

#include "service/peer_rights.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct acting_rights acting_rights_of(const char *group_name)
{
    struct acting_rights rights = {.own_user = geteuid(), .group_name = group_name};
    const struct group *group = group_name && group_name[0] ? getgrnam(group_name) : NULL;
    if (group) {
        rights.has_group = true;
        rights.group = group->gr_gid;
    }
    return rights;
}

bool acting_rights_allow(const struct acting_rights *rights, uid_t user, gid_t main_group, const gid_t *groups,
                         size_t group_count)
{
    if (user == 0 || user == rights->own_user)
        return true;
    if (!rights->has_group)
        return false;
    bool member = main_group == rights->group;
    for (size_t i = 0; i < group_count && !member; i++)
        member = groups[i] == rights->group;
    return member;
}

/* The peer's supplementary groups, for the caller to free; NULL and *count 0 when they cannot be found out. */
static gid_t *read_groups(int fd, size_t *count)
{
    *count = 0;
    socklen_t bytes = 0;
    /* Without room the kernel fails, and says how much it needs. */
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &bytes) == 0 || errno != ERANGE || bytes == 0)
        return NULL;
    gid_t *groups = malloc(bytes);
    if (!groups || getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &bytes) != 0) {
        free(groups);
        return NULL;
    }
    *count = bytes / sizeof(gid_t);
    return groups;
}

/* What the kernel noted when the other end connected; a client cannot forge it. */
static bool read_credentials(int fd, struct ucred *credentials)
{
    socklen_t bytes = sizeof *credentials;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, &bytes) == 0 && bytes == sizeof *credentials;
}

bool peer_may_act(int fd, const struct acting_rights *rights)
{
    struct ucred credentials;
    if (!read_credentials(fd, &credentials))
        return false;
    size_t count;
    gid_t *groups = read_groups(fd, &count);
    bool allowed = acting_rights_allow(rights, credentials.uid, credentials.gid, groups, count);
    free(groups);
    return allowed;
}

uid_t peer_user(int fd)
{
    struct ucred credentials;
    return read_credentials(fd, &credentials) ? credentials.uid : (uid_t)-1;
}
