/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One client. What it sends becomes exchanges, what it is to get waits in its outbox, and both are bounded: a client
 * can slow down nobody but itself. */

#include "service/session.h"

#include "proto/clock.h"
#include "proto/jsonrpc.h"
#include "service/exchange.h"
#include "service/methods.h"
#include "service/service_state.h"
#include "service/session_memory.h"
#include "service/session_state.h"
#include "service/subscription.h"
#include "service/upload.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    INPUT_MARK = 1 << 16,   /* bytes taken from the socket before they are looked at */
    SHORT_TURN_NS = 100000, /* after so long it is the turn of others: of other small questions, */
    LONG_TURN_NS = 1000000, /* or of others that take long */
};

/* Whether the client has read enough of what it asked for to be given more. What is kept for the batch that is being
 * read does not count: it goes out when all of it was read. */
static bool has_room(const struct session *session)
{
    size_t kept = session->kept_bytes - (session->reading ? session->reading->bytes : 0);
    return !session->connection.broken && session->question_count < SESSION_MAX_QUESTIONS &&
           connection_waiting(&session->connection) + kept < SESSION_ROOM;
}

/* Handles one line, or what stands in place of one. A line that could not be taken in is answered without an id:
 * nobody could read one. */
static void handle(struct session *session, enum framing_result result, const char *line, size_t length)
{
    if (result == FRAMING_LINE)
        exchange_begin(session, line, length);
    else if (result == FRAMING_TOO_LONG)
        exchange_refuse(session, JSONRPC_TOO_LARGE, "a line may have at most 1048576 bytes: this one was thrown away");
    else if (result == FRAMING_NO_MEMORY)
        exchange_refuse(session, JSONRPC_BUSY, "memory is short at the moment: this line was thrown away");
}

/* Whether the line may become as long as it does with these bytes; its memory doubles when it has to grow. */
static bool line_finds_room(struct session *session, const char *bytes, size_t count)
{
    const struct framing *framing = &session->framing;
    const char *newline = memchr(bytes, '\n', count);
    size_t length = framing->length + (newline ? (size_t)(newline - bytes) : count);
    return framing->discarding || length <= framing->capacity || subscription_gives_way(session, 2 * length);
}

/* Takes one line's worth of what has come, or one request of a batch. False: there is no more. */
static bool take_some_input(struct session *session)
{
    if (session->reading) {
        exchange_step(session->reading);
        return true;
    }
    struct evbuffer *input = bufferevent_get_input(session->connection.buffer);
    struct evbuffer_iovec piece;
    const char *line = NULL;
    size_t length = 0;
    /* The first contiguous piece is enough: the framing puts lines together. */
    if (evbuffer_peek(input, -1, NULL, &piece, 1) < 1 || piece.iov_len == 0) {
        if (!session->input_ended || framing_finish(&session->framing, &line, &length) != FRAMING_LINE)
            return false;
        handle(session, FRAMING_LINE, line, length);
        framing_release(&session->framing);
        return true;
    }
    const char *bytes = piece.iov_base;
    size_t count = piece.iov_len;
    enum framing_result result = FRAMING_NO_MEMORY;
    if (line_finds_room(session, bytes, count))
        result = framing_take(&session->framing, &bytes, &count, &line, &length);
    else
        framing_give_up(&session->framing);
    evbuffer_drain(input, piece.iov_len - count);
    handle(session, result, line, length);
    framing_release(&session->framing);
    return true;
}

/* Whether the client has had everything that it can still get. Not while a turn is still to come, an answer is owed,
 * or a subscription lasts. */
static bool is_over(const struct session *session)
{
    if (session->connection.broken)
        return true;
    if (session->turn.wanted)
        return false;
    return session->input_ended && session->subscription.topics == 0 && LIST_EMPTY(&session->exchanges) &&
           connection_unread(&session->connection) == 0 && connection_waiting(&session->connection) == 0;
}

/* Nothing more is read from a client that does not read, or while enough of it waits for its turn: libevent would go
 * round and round with a full input, and at the end of the loop keep what it means to call once more. */
static void choose_reading(struct session *session)
{
    if (session->input_ended)
        return;
    if (has_room(session) && connection_unread(&session->connection) < INPUT_MARK)
        bufferevent_enable(session->connection.buffer, EV_READ);
    else
        bufferevent_disable(session->connection.buffer, EV_READ);
}

/* Takes what has come, as long as the client also reads the answers, but not for long at a time: behind it stand other
 * clients, and the samples. Whether there was anything. */
static bool take_input(struct session *session)
{
    int64_t end_ns = clock_monotonic_ns() + (session->turn.queue == TURN_SHORT ? SHORT_TURN_NS : LONG_TURN_NS);
    bool any = false;
    while (has_room(session) && take_some_input(session)) {
        any = true;
        if (clock_monotonic_ns() < end_ns)
            continue;
        fair_queue_want(&session->service->fair_queue, &session->turn, TURN_LONG);
        break;
    }
    return any;
}

/* Answers first, notifications in a turn of their own: when a thousand clients ask for the whole history at once, each
 * of them, and whoever asks for something small, is answered before the history is written to the first. */
bool session_take_turn(struct turn *turn)
{
    struct session *session = (struct session *)((char *)turn - offsetof(struct session, turn));
    bool answered = take_input(session);
    if (answered && subscription_has_more(&session->subscription))
        fair_queue_want(&session->service->fair_queue, &session->turn, TURN_LONG);
    else
        subscription_pump(session);
    /* The event loop would write it in its next turn, which may be long. */
    if (answered && !session->connection.broken && connection_waiting(&session->connection) > 0)
        connection_write(&session->connection);
    choose_reading(session);
    size_t held = session->held;
    session_note_memory(session);
    if (session->held < held)
        service_give_memory_back(session->service);
    if (!is_over(session))
        return true;
    session_destroy(session);
    return false;
}

/* Something has come. */
static void on_read(struct bufferevent *buffer, void *context)
{
    (void)buffer;
    struct session *session = context;
    session_wants_to_be_heard(session);
    choose_reading(session);
}

/* The client has read, and there is room for more: of what it asked for, or of notifications. */
static void on_written(struct bufferevent *buffer, void *context)
{
    struct session *session = context;
    (void)buffer;
    bool asks = connection_unread(&session->connection) > 0;
    if (asks)
        session_wants_to_be_heard(session);
    else
        fair_queue_want(&session->service->fair_queue, &session->turn, TURN_LONG);
}

/* A client that ended its input shows no further sign when it leaves: the event loop watches for input only. */
static void on_presence_check(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    struct session *session = context;
    if (connection_peer_is_gone(&session->connection))
        session_destroy(session);
}

/* A client that has sent everything ("nc -N") still gets its answers; one that went away gets nothing. */
static void on_end_of_input(struct session *session)
{
    static const struct timeval now_and_then = {.tv_sec = 0, .tv_usec = 500000};
    session->input_ended = true;
    if (connection_peer_is_gone(&session->connection) || event_add(session->presence_check, &now_and_then) != 0)
        session->connection.broken = true;
    fair_queue_want(&session->service->fair_queue, &session->turn, TURN_SHORT);
}

static void on_event(struct bufferevent *buffer, short what, void *context)
{
    struct session *session = context;
    if (what & BEV_EVENT_EOF)
        on_end_of_input(session);
    else if ((what & BEV_EVENT_TIMEOUT) && connection_still_reads(&session->connection))
        bufferevent_enable(buffer, EV_WRITE); /* the time-out has switched it off */
    else
        session_destroy(session);
}

/* The banner: a client learns whom it talks to before it asks. */
static void say_hello(struct session *session)
{
    size_t length;
    char *line = jsonrpc_line(jsonrpc_notification("hello", hello_to_json(session->service)), &length);
    if (line)
        connection_send(&session->connection, line, length);
    free(line);
}

/* The session and its parts; the socket is not taken over yet. NULL when memory is short. */
static struct session *session_allocate(struct event_base *base, int fd)
{
    struct session *session = calloc(1, sizeof *session);
    if (!session)
        return NULL;
    session->presence_check = event_new(base, -1, EV_PERSIST, on_presence_check, session);
    if (session->presence_check && connection_open(&session->connection, base, fd) == 0)
        return session;
    if (session->presence_check)
        event_free(session->presence_check);
    free(session);
    return NULL;
}

struct session *session_create(struct service *service, int fd, uid_t user)
{
    static const struct timeval patience = {.tv_sec = SESSION_PATIENCE_S / CONNECTION_LOOKS, .tv_usec = 0};
    struct share *share = shares_join(&service->shares, user);
    struct session *session = NULL;
    if (share && fair_queue_reserve(&service->fair_queue, service->session_count + 1) == 0)
        session = session_allocate(service->base, fd);
    if (!session) {
        if (share)
            shares_leave(&service->shares, share, 0);
        close(fd);
        return NULL;
    }
    session->share = share;
    struct bufferevent *buffer = session->connection.buffer;
    session->service = service;
    session->user = user;
    session->run = methods_run;
    LIST_INIT(&session->exchanges);
    bufferevent_setcb(buffer, on_read, on_written, on_event, session);
    bufferevent_setwatermark(buffer, EV_READ, 0, INPUT_MARK);
    bufferevent_setwatermark(buffer, EV_WRITE, SUBSCRIPTION_MARK, 0);
    bufferevent_set_timeouts(buffer, NULL, &patience);
    bufferevent_enable(buffer, EV_READ | EV_WRITE);
    session_join(session);
    say_hello(session);
    return session;
}

/* A copy of the store is as large as the store, and nobody else was told its number. */
static void end_backup(struct session *session)
{
    const struct service_backend *backend = &session->service->backend;
    if (session->backup > 0)
        backend->maintenance(backend->keeper,
                             &(struct maintenance_order){.kind = MAINTENANCE_BACKUP_END, .number = session->backup},
                             NULL, NULL);
}

/* The order matters: first what could still call back, then what it would use. */
void session_destroy(struct session *session)
{
    exchanges_cancel(session);
    end_backup(session);
    subscription_end(session);
    while (session->uploads) {
        struct upload *upload = session->uploads;
        session->uploads = upload->next;
        upload_destroy(upload);
    }
    fair_queue_forget(&session->service->fair_queue, &session->turn);
    session_leave(session);
    framing_clear(&session->framing);
    event_free(session->presence_check);
    connection_close(&session->connection);
    shares_leave(&session->service->shares, session->share, session->held);
    service_give_memory_back(session->service);
    free(session);
}

bool session_flush(struct session *session)
{
    if (session->connection.broken)
        return false;
    bufferevent_disable(session->connection.buffer, EV_READ | EV_WRITE);
    do
        subscription_pump(session);
    while (connection_waiting(&session->connection) > 0 && connection_write(&session->connection));
    return !session->connection.broken && connection_waiting(&session->connection) > 0;
}
