/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The client's end of the socket. Questions wait for their answers with a deadline; notifications that come in
 * between are kept in order. */

#include <config.h>

#include "client/connection.h"

#include "client/refusal.h"
#include "client/reply.h"
#include "proto/address.h"
#include "proto/cause.h"
#include "proto/clock.h"
#include "proto/framing.h"
#include "proto/jsonrpc.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Notifications that may come before the answer to a question, in bytes: more than any daemon holds. */
enum { MAX_WAITING_BYTES = 64 << 20, RETRY_MS = 50 };

struct connection {
    int descriptor;
    char *path;           /* of the socket */
    json_t *hello;        /* parameters of the greeting */
    json_t *waiting;      /* array of notifications not taken yet */
    size_t taken;         /* of them */
    size_t waiting_bytes; /* that they had as lines */
    size_t line_length;   /* of the latest message */
    json_int_t last_id;   /* of a question */
    int64_t refusal;      /* code of the error that was the latest answer; 0: it was none */
    struct framing framing;
    char bytes[65536]; /* received, not framed yet: [begin, end) */
    const char *begin, *end;
};

/* Waits for the socket. 1 ready, 0 the deadline has passed. */
static int wait_for(int descriptor, short events, double deadline)
{
    for (;;) {
        double left = deadline - clock_monotonic_s();
        if (left <= 0)
            return 0;
        struct pollfd wanted = {.fd = descriptor, .events = events};
        int ready = poll(&wanted, 1, left < 1e6 ? (int)(left * 1000) + 1 : 1000000000);
        if (ready > 0)
            return 1;
        if (ready < 0 && errno != EINTR)
            return 1; /* what is wrong shows when the socket is used */
    }
}

/* The sentences for what can go wrong, each with the exit status that it means. */

static enum exit_status too_late(const char *path, double timeout_s, struct complaint *complaint)
{
    complaint_set(complaint, "fricidd at %s did not answer within %g s; it may be busy: try a longer --timeout", path,
                  timeout_s);
    return STATUS_NOT_REACHABLE;
}

static enum exit_status gone(const struct connection *connection, struct complaint *complaint)
{
    complaint_set(complaint, "fricidd at %s closed the connection; is it still running? try: systemctl status fricidd",
                  connection->path);
    return STATUS_NOT_REACHABLE;
}

static enum exit_status malformed(const struct connection *connection, const char *what, struct complaint *complaint)
{
    complaint_set(complaint, "what answers at %s does not speak fricid's protocol: %s", connection->path, what);
    return STATUS_FAILED;
}

static enum exit_status no_memory(struct complaint *complaint)
{
    complaint_set(complaint, "not enough memory");
    return STATUS_FAILED;
}

/* Reads what has come. STATUS_OK also when nothing has. Never waits: wait_for() has done so, or the caller polls. */
static enum exit_status fill(struct connection *connection, struct complaint *complaint)
{
    ssize_t count = recv(connection->descriptor, connection->bytes, sizeof connection->bytes, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno == ECONNRESET))
        return gone(connection, complaint);
    if (count < 0) {
        if (errno == EAGAIN || errno == EINTR)
            return STATUS_OK;
        complaint_set(complaint, "cannot read from fricidd at %s: %s", connection->path, cause_of(errno));
        return STATUS_NOT_REACHABLE;
    }
    connection->begin = connection->bytes;
    connection->end = connection->bytes + count;
    return STATUS_OK;
}

/* One line to one message; a notification and an answer are both objects, and nothing else is a message. */
static enum exit_status parse(const struct connection *connection, const char *line, size_t length, json_t **message,
                              struct complaint *complaint)
{
    struct complaint reason;
    *message = jsonrpc_parse(line, length, &reason);
    if (!*message)
        return malformed(connection, reason.text, complaint);
    if (!json_is_object(*message)) {
        json_decref(*message);
        *message = NULL;
        return malformed(connection, "a message is not an object", complaint);
    }
    return STATUS_OK;
}

/* The next message out of the bytes that are here, or NULL in *message. */
static enum exit_status next_message(struct connection *connection, json_t **message, struct complaint *complaint)
{
    const char *line;
    size_t length;
    size_t count = (size_t)(connection->end - connection->begin);
    *message = NULL;
    enum framing_result result = framing_take(&connection->framing, &connection->begin, &count, &line, &length);
    connection->end = connection->begin + count;
    switch (result) {
    case FRAMING_LINE:
        connection->line_length = length;
        return parse(connection, line, length, message, complaint);
    case FRAMING_TOO_LONG:
        return malformed(connection, "a line is longer than 1 MiB", complaint);
    case FRAMING_NO_MEMORY:
        return no_memory(complaint);
    case FRAMING_MORE:
        break;
    }
    return STATUS_OK;
}

/* Waits for a message until the deadline; NULL in *message when it passes. */
static enum exit_status await(struct connection *connection, double deadline, json_t **message,
                              struct complaint *complaint)
{
    for (;;) {
        enum exit_status status = next_message(connection, message, complaint);
        if (status != STATUS_OK || *message)
            return status;
        if (!wait_for(connection->descriptor, POLLIN, deadline))
            return STATUS_OK;
        status = fill(connection, complaint);
        if (status != STATUS_OK)
            return status;
    }
}

static enum exit_status not_connected(const char *path, int error, struct complaint *complaint)
{
    if (error == EACCES || error == EPERM) {
        complaint_set(complaint, "this user may not talk to fricidd at %s (%s): look at the socket's owner and mode",
                      path, cause_of(error));
        return STATUS_NOT_PERMITTED;
    }
    complaint_set(complaint, "no fricidd answers at %s (%s); is the service running? try: systemctl status fricidd",
                  path, cause_of(error));
    return STATUS_NOT_REACHABLE;
}

/* Connects without ever hanging: a full queue of a Unix socket says EAGAIN and cannot be waited for with poll(). */
static enum exit_status dial(struct connection *connection, double timeout_s, double deadline,
                             struct complaint *complaint)
{
    struct sockaddr_un address;
    if (fricid_socket_address(connection->path, &address, complaint) < 0)
        return STATUS_USAGE;
    connection->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (connection->descriptor < 0)
        return not_connected(connection->path, errno, complaint);
    while (connect(connection->descriptor, (const struct sockaddr *)&address, sizeof address) != 0) {
        if (errno != EAGAIN && errno != EINTR)
            return not_connected(connection->path, errno, complaint);
        if (clock_monotonic_s() >= deadline)
            return too_late(connection->path, timeout_s, complaint);
        poll(NULL, 0, RETRY_MS);
    }
    return STATUS_OK;
}

/* Minor versions only add, so they are never a reason to refuse (fricid-protocol(7)). */
static enum exit_status check_version(const struct connection *connection, struct complaint *complaint)
{
    const json_t *protocol = json_object_get(connection->hello, "protocol");
    int64_t major = reply_integer(protocol, "major", -1);
    if (major < 0)
        return malformed(connection, "the greeting names no protocol version", complaint);
    if (major == FRICID_PROTOCOL_MAJOR)
        return STATUS_OK;
    complaint_set(
        complaint,
        "fricidd %.40s at %s speaks protocol %lld.%lld, this fricidctl %s speaks %d.%d: install the fricidctl "
        "that came with that fricidd",
        reply_text(connection->hello, "version", "(version unknown)"), connection->path, (long long)major,
        (long long)reply_integer(protocol, "minor", 0), PACKAGE_VERSION, FRICID_PROTOCOL_MAJOR, FRICID_PROTOCOL_MINOR);
    return STATUS_FAILED;
}

int64_t connection_minor_version(const struct connection *connection)
{
    return reply_integer(json_object_get(connection->hello, "protocol"), "minor", 0);
}

int64_t connection_refusal(const struct connection *connection)
{
    return connection->refusal;
}

/* Nothing is sent before the greeting: whatever else listens here must not be bothered with questions. */
static enum exit_status greet(struct connection *connection, double timeout_s, double deadline,
                              struct complaint *complaint)
{
    json_t *message;
    enum exit_status status = await(connection, deadline, &message, complaint);
    if (status != STATUS_OK)
        return status;
    if (!message)
        return too_late(connection->path, timeout_s, complaint);
    json_t *params = json_object_get(message, "params");
    bool greeting = strcmp(reply_text(message, "method", ""), "hello") == 0 && json_is_object(params);
    if (greeting)
        connection->hello = json_incref(params);
    json_decref(message);
    return greeting ? check_version(connection, complaint) : malformed(connection, "it did not say hello", complaint);
}

/* One deadline for all of it: connecting and the greeting together. */
enum exit_status connection_open(const char *path, double timeout_s, struct connection **connection,
                                 struct complaint *complaint)
{
    double deadline = clock_monotonic_s() + timeout_s;
    struct connection *opened = calloc(1, sizeof *opened);
    if (!opened)
        return no_memory(complaint);
    opened->descriptor = -1;
    opened->path = strdup(path);
    opened->begin = opened->end = opened->bytes;
    opened->waiting = json_array();
    enum exit_status status =
        opened->path && opened->waiting ? dial(opened, timeout_s, deadline, complaint) : no_memory(complaint);
    if (status == STATUS_OK)
        status = greet(opened, timeout_s, deadline, complaint);
    if (status == STATUS_OK)
        *connection = opened;
    else
        connection_close(opened);
    return status;
}

void connection_close(struct connection *connection)
{
    if (!connection)
        return;
    if (connection->descriptor >= 0)
        close(connection->descriptor);
    json_decref(connection->hello);
    json_decref(connection->waiting);
    framing_clear(&connection->framing);
    free(connection->path);
    free(connection);
}

int connection_descriptor(const struct connection *connection)
{
    return connection->descriptor;
}

/* MSG_NOSIGNAL: a daemon that went away is an error of this call, not a signal. The socket does not block: a daemon
 * that does not read must not hold the client beyond its deadline. */
static enum exit_status send_all(struct connection *connection, const char *bytes, size_t length, double timeout_s,
                                 double deadline, struct complaint *complaint)
{
    while (length > 0) {
        ssize_t count = send(connection->descriptor, bytes, length, MSG_NOSIGNAL);
        if (count >= 0) {
            bytes += count;
            length -= (size_t)count;
        } else if (errno == EPIPE || errno == ECONNRESET) {
            return gone(connection, complaint);
        } else if (errno != EAGAIN && errno != EINTR) {
            complaint_set(complaint, "cannot write to fricidd at %s: %s", connection->path, cause_of(errno));
            return STATUS_NOT_REACHABLE;
        } else if (!wait_for(connection->descriptor, POLLOUT, deadline)) {
            return too_late(connection->path, timeout_s, complaint);
        }
    }
    return STATUS_OK;
}

/* The result out of an answer, which is released. An answer with another id would be one to a question that nobody
 * asked. */
static enum exit_status read_answer(struct connection *connection, json_t *answer, json_t **result,
                                    struct complaint *complaint)
{
    enum exit_status status = STATUS_OK;
    const json_t *error = json_object_get(answer, "error");
    *result = json_incref(json_object_get(answer, "result"));
    connection->refusal = reply_integer(error, "code", 0);
    if (error && !json_is_null(error))
        status = refusal_told(error, complaint);
    else if (!json_is_object(*result))
        status = malformed(connection, "an answer holds neither a result nor an error", complaint);
    else if (reply_integer(answer, "id", -1) != connection->last_id)
        status = malformed(connection, "an answer belongs to no question", complaint);
    if (status != STATUS_OK) {
        json_decref(*result);
        *result = NULL;
    }
    json_decref(answer);
    return status;
}

/* Keeps a notification for connection_take(); takes the message over. */
static enum exit_status keep(struct connection *connection, json_t *message, struct complaint *complaint)
{
    connection->waiting_bytes += connection->line_length;
    if (connection->waiting_bytes <= MAX_WAITING_BYTES && json_array_append_new(connection->waiting, message) == 0)
        return STATUS_OK;
    if (connection->waiting_bytes > MAX_WAITING_BYTES)
        json_decref(message);
    return malformed(connection, "it sends notifications instead of an answer", complaint);
}

/* Subscribed notifications may overtake an answer; they are kept in their order. */
static enum exit_status await_answer(struct connection *connection, double timeout_s, double deadline, json_t **result,
                                     struct complaint *complaint)
{
    for (;;) {
        json_t *message;
        enum exit_status status = await(connection, deadline, &message, complaint);
        if (status != STATUS_OK)
            return status;
        if (!message)
            return too_late(connection->path, timeout_s, complaint);
        if (!json_object_get(message, "method"))
            return read_answer(connection, message, result, complaint);
        status = keep(connection, message, complaint);
        if (status != STATUS_OK)
            return status;
    }
}

static enum exit_status ask(struct connection *connection, const char *method, json_t *params, double timeout_s,
                            double deadline, struct complaint *complaint)
{
    json_t *id = json_integer(++connection->last_id);
    size_t length;
    char *line = jsonrpc_line(jsonrpc_request(method, params, id), &length);
    json_decref(id);
    if (!line)
        return no_memory(complaint);
    enum exit_status status = send_all(connection, line, length, timeout_s, deadline, complaint);
    free(line);
    return status;
}

enum exit_status connection_call(struct connection *connection, const char *method, json_t *params, double timeout_s,
                                 json_t **result, struct complaint *complaint)
{
    const double deadline = clock_monotonic_s() + timeout_s;
    connection->refusal = 0;
    enum exit_status status = ask(connection, method, params, timeout_s, deadline, complaint);
    return status == STATUS_OK ? await_answer(connection, timeout_s, deadline, result, complaint) : status;
}

enum exit_status connection_send(struct connection *connection, const char *method, json_t *params, double timeout_s,
                                 int64_t *id, struct complaint *complaint)
{
    enum exit_status status = ask(connection, method, params, timeout_s, clock_monotonic_s() + timeout_s, complaint);
    *id = connection->last_id;
    return status;
}

enum exit_status connection_take(struct connection *connection, json_t **notification, struct complaint *complaint)
{
    *notification = NULL;
    if (connection->taken < json_array_size(connection->waiting)) {
        *notification = json_incref(json_array_get(connection->waiting, connection->taken++));
        return STATUS_OK;
    }
    json_array_clear(connection->waiting);
    /* The kept ones are all taken: from here on the socket itself is asked. */
    connection->taken = connection->waiting_bytes = 0;
    enum exit_status status = next_message(connection, notification, complaint);
    if (status != STATUS_OK || *notification)
        return status;
    status = fill(connection, complaint);
    return status == STATUS_OK ? next_message(connection, notification, complaint) : status;
}
