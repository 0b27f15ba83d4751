/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SERVICE_SOCKET_H
#define FRICID_SERVICE_SERVICE_SOCKET_H

#include "proto/complaint.h"

#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

/* The listening socket and the name under which it stands in the file system. */
struct service_socket {
    int fd;
    int lock;   /* of the name; -1: none */
    bool named; /* this process made the name, and removes it */
    unsigned mode;
    dev_t device;
    ino_t inode;
    char path[sizeof(((struct sockaddr_un *)0)->sun_path) + 1]; /* "(unnamed)" for an inherited one without */
};

/* Binds and listens, non-blocking. The name is never more open than `mode`. Of several processes that want the same
 * name at once, one gets it: a lock beside it, PATH.lock, tells the others. A socket that nobody answers at is
 * replaced; one that answers, and anything that is not a socket, is respected. 0, or a negative errno and a complaint.
 */
int service_socket_open(const char *path, unsigned mode, struct service_socket *socket, struct complaint *complaint);

/* Whether the name is still this very socket's, and the lock beside it still this process's. One without a name of its
 * own stands always. */
bool service_socket_stands(const struct service_socket *socket);

/* Takes the name, or the lock, that was removed by something else again, by the rules of service_socket_open(): 1, and
 * the same descriptor is a new socket that listens under the name, which nothing may wait for meanwhile; 0: the name
 * stood after all; or a negative errno and a complaint, and all is as before. */
int service_socket_renew(struct service_socket *socket, struct complaint *complaint);

/* Takes over a descriptor that somebody else has bound, and listens at. The name stays theirs: it is neither removed
 * nor changed, whatever happens. A negative errno and a complaint when it is no such descriptor; it is closed then. */
int service_socket_inherit(int fd, struct service_socket *socket, struct complaint *complaint);

/* Closes the socket, and removes the name if it still is this very socket. */
void service_socket_close(struct service_socket *socket);

#endif
