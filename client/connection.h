/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_CONNECTION_H
#define FRICID_CLIENT_CONNECTION_H

#include "client/exit_status.h"
#include "proto/complaint.h"

#include <jansson.h>
#include <stdint.h>

/* A conversation with fricidd: one question at a time, and notifications whenever they come. Everything that can go
 * wrong comes back as the exit status that it means, with a complaint. */

struct connection;

/* Connects and waits for the greeting, at most timeout_s. Refuses a daemon of another major protocol version. */
enum exit_status connection_open(const char *path, double timeout_s, struct connection **connection,
                                 struct complaint *complaint);

void connection_close(struct connection *connection); /* NULL is fine */

/* Asks and waits for the answer, at most timeout_s. Takes `params` over (NULL: none). On STATUS_OK *result is a new
 * reference. */
enum exit_status connection_call(struct connection *connection, const char *method, json_t *params, double timeout_s,
                                 json_t **result, struct complaint *complaint);

/* Asks and does not wait: the answer comes among the notifications, with the number *id. Takes `params` over (NULL:
 * none). At most timeout_s, should the daemon not read. Not to be mixed with connection_call(). */
enum exit_status connection_send(struct connection *connection, const char *method, json_t *params, double timeout_s,
                                 int64_t *id, struct complaint *complaint);

/* The next notification that has come already, without waiting: a new reference to the whole message, or NULL in
 * *notification when there is none yet. Wait with poll() on connection_descriptor(). Answers to connection_send() come
 * in the same way. */
enum exit_status connection_take(struct connection *connection, json_t **notification, struct complaint *complaint);

/* The minor version of the protocol that the daemon speaks: of an older one, it does not know all that could be asked.
 */
int64_t connection_minor_version(const struct connection *connection);

/* The code (proto/jsonrpc.h) of the error that the latest connection_call() was answered with; 0: with none. */
int64_t connection_refusal(const struct connection *connection);

int connection_descriptor(const struct connection *connection);

#endif
