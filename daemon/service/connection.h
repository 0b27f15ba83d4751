/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_CONNECTION_H
#define FRICID_SERVICE_CONNECTION_H

#include "service/notice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bufferevent;
struct event_base;

/* The bytes to and from one client. */
struct connection {
    struct bufferevent *buffer;
    int64_t queued; /* bytes given out for the client so far */
    int64_t taken;  /* how many of them it had read when it was looked at last */
    int idle_looks; /* how often in a row that had not changed */
    bool broken;    /* to be closed at the next occasion */
};

enum { CONNECTION_LOOKS = 3 }; /* how often it is looked whether a client reads before it is given up */

/* 0, or -ENOMEM; the socket is the caller's then. */
int connection_open(struct connection *connection, struct event_base *base, int fd);

/* Closes the socket too. */
void connection_close(struct connection *connection);

int connection_fd(const struct connection *connection);

/* Sends a line, after what waits already. */
void connection_send(struct connection *connection, const char *line, size_t length);

/* The same with a notice, which it takes over. */
void connection_send_notice(struct connection *connection, struct notice *notice);

/* Bytes that were given out and that the socket has not taken yet. */
size_t connection_waiting(const struct connection *connection);

/* Bytes that have come and were not looked at yet. */
size_t connection_unread(const struct connection *connection);

/* Writes what the socket takes, without the event loop. Whether that was something. */
bool connection_write(struct connection *connection);

/* Whether the client has taken anything since it was looked at last, or was not looked at too often. */
bool connection_still_reads(struct connection *connection);

/* Whether the other end is closed altogether, not only for sending. */
bool connection_peer_is_gone(const struct connection *connection);

#endif
