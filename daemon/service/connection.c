/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What goes out to one client. libevent sets no limit to it: whoever adds something looks first how much waits. */

#include "service/connection.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* By the event loop to one client, bytes: a page of memory. */
enum { WRITTEN_AT_ONCE = 1 << 12 };

int connection_open(struct connection *connection, struct event_base *base, int fd)
{
    *connection = (struct connection){.buffer = bufferevent_socket_new(base, fd, 0)};
    if (!connection->buffer)
        return -ENOMEM;
    /* All who have room are written to before the event loop looks for questions again: with a thousand clients every
     * byte of this counts a thousand times. */
    bufferevent_set_max_single_write(connection->buffer, WRITTEN_AT_ONCE);
    return 0;
}

/* Freeing a bufferevent is put off to the next turn of the event loop; the socket must be closed now. */
void connection_close(struct connection *connection)
{
    int fd = connection_fd(connection);
    bufferevent_disable(connection->buffer, EV_READ | EV_WRITE);
    bufferevent_setfd(connection->buffer, -1);
    bufferevent_free(connection->buffer);
    connection->buffer = NULL;
    close(fd);
}

int connection_fd(const struct connection *connection)
{
    return bufferevent_getfd(connection->buffer);
}

size_t connection_waiting(const struct connection *connection)
{
    return evbuffer_get_length(bufferevent_get_output(connection->buffer));
}

size_t connection_unread(const struct connection *connection)
{
    return evbuffer_get_length(bufferevent_get_input(connection->buffer));
}

/* Memory was short in the middle of an answer. */
static void give_up(struct connection *connection)
{
    /* Half an answer is worse than none: the connection ends, from the event loop and not under the caller's feet. */
    connection->broken = true;
    bufferevent_trigger_event(connection->buffer, BEV_EVENT_ERROR, BEV_TRIG_DEFER_CALLBACKS);
}

void connection_send(struct connection *connection, const char *line, size_t length)
{
    if (connection->broken)
        return;
    connection->queued += (int64_t)length;
    if (bufferevent_write(connection->buffer, line, length) != 0)
        give_up(connection);
}

static void release_notice(const void *line, size_t length, void *notice)
{
    (void)line;
    (void)length;
    notice_release(notice);
}

/* The notice is not copied: a thousand clients may wait for the same line. */
void connection_send_notice(struct connection *connection, struct notice *notice)
{
    connection->queued += (int64_t)notice->length;
    if (evbuffer_add_reference(bufferevent_get_output(connection->buffer), notice->line, notice->length, release_notice,
                               notice) == 0)
        return;
    notice_release(notice);
    give_up(connection);
}

bool connection_write(struct connection *connection)
{
    struct evbuffer *output = bufferevent_get_output(connection->buffer);
    /* A bufferevent keeps its output to itself. */
    evbuffer_unfreeze(output, 1);
    int written = evbuffer_write(output, connection_fd(connection));
    connection->broken = connection->broken || (written < 0 && errno != EAGAIN && errno != EINTR);
    evbuffer_freeze(output, 1);
    return written > 0;
}

/* A socket takes new bytes only when most of the old ones are read, so a client may be reading all the same, but
 * slowly: what it has taken is what was sent less what the kernel still holds. */
bool connection_still_reads(struct connection *connection)
{
    int unread = 0;
    if (ioctl(connection_fd(connection), SIOCOUTQ, &unread) != 0)
        return false;
    int64_t taken = connection->queued - (int64_t)connection_waiting(connection) - unread;
    connection->idle_looks = taken > connection->taken ? 1 : connection->idle_looks + 1;
    connection->taken = taken;
    return connection->idle_looks < CONNECTION_LOOKS;
}

bool connection_peer_is_gone(const struct connection *connection)
{
    struct pollfd peer = {.fd = connection_fd(connection), .events = 0};
    return poll(&peer, 1, 0) == 1 && (peer.revents & (POLLHUP | POLLERR | POLLNVAL));
}
