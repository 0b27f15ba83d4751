/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where daemon and client find each other: one default, one environment variable, one check of the path's length for
 * both. */

#include "proto/address.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

const char *fricid_socket_path(const char *option)
{
    if (option && option[0])
        return option;
    const char *environment = getenv("FRICID_SOCKET");
    return environment && environment[0] ? environment : FRICID_DEFAULT_SOCKET;
}

bool fricid_socket_is_default(const char *option)
{
    return strcmp(fricid_socket_path(option), FRICID_DEFAULT_SOCKET) == 0;
}

int fricid_socket_address(const char *path, struct sockaddr_un *address, struct complaint *complaint)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    size_t length = strlen(path);
    if (length == 0) {
        complaint_set(complaint, "the path of the socket is empty");
        return -EINVAL;
    }
    /* The kernel would cut the path silently, and the daemon would stand somewhere else than it says. */
    if (length >= sizeof address->sun_path) {
        complaint_set(complaint,
                      "%s: the path of the socket has %zu bytes, at most %zu are possible: choose a shorter one", path,
                      length, sizeof address->sun_path - 1);
        return -ENAMETOOLONG;
    }
    memcpy(address->sun_path, path, length + 1);
    return 0;
}
