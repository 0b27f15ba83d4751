/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_ADDRESS_H
#define FRICID_PROTO_ADDRESS_H

#include "proto/complaint.h"

#include <stdbool.h>
#include <sys/un.h>

#define FRICID_DEFAULT_SOCKET "/run/fricid/fricid.sock"
#define FRICID_PROTOCOL_MAJOR 1
#define FRICID_PROTOCOL_MINOR 15

/* The socket that a client means: `option`, else $FRICID_SOCKET, else the default. Never NULL. */
const char *fricid_socket_path(const char *option);

/* Whether that is the default. */
bool fricid_socket_is_default(const char *option);

/* Fills in the address of a socket path. -ENAMETOOLONG and a complaint when the path does not fit. */
int fricid_socket_address(const char *path, struct sockaddr_un *address, struct complaint *complaint);

#endif
