/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One client. What it sends becomes exchanges, what it is to get waits in its outbox, and both are bounded: a client
 * can slow down nobody but itself. */

#include "service/session.h"

#include "proto/jsonrpc.h"
#include "service/exchange.h"
#include "service/history.h"
#include "service/methods.h"
#include "service/service_state.h"
#include "service/session_replay.h"
#include "service/upload.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    INPUT_MARK = 1 << 16,   /* bytes taken from the socket before they are looked at */
    OUTPUT_MARK = 1 << 14,  /* the client is asked for more work when this little waits for it */
    SMALL_INPUT = 1 << 11,  /* bytes; what is longer is not answered at once */
    SHORT_TURN_NS = 100000, /* after so long it is the turn of others: of other small questions, */
    LONG_TURN_NS = 1000000, /* or of others that take long */
};

static int64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int session_fd(const struct session *session)
{
    return bufferevent_getfd(session->buffer);
}

/* Bytes that were given out and that the kernel has not taken yet. libevent sets no limit to them: we look before we
 * add. */
size_t session_waiting(const struct session *session)
{
    return evbuffer_get_length(bufferevent_get_output(session->buffer));
}

/* Whether the client has read enough of what it asked for to be given more. What is kept for the batch that is being
 * read does not count: it goes out when all of it was read. */
static bool has_room(const struct session *session)
{
    size_t kept = session->kept_bytes - (session->reading ? session->reading->bytes : 0);
    return !session->broken && session->question_count < SESSION_MAX_QUESTIONS &&
           session_waiting(session) + kept < SESSION_ROOM;
}

/* Memory was short in the middle of an answer. */
static void give_up(struct session *session)
{
    /* Half an answer is worse than none: the connection ends, from the event loop and not under the caller's feet. */
    session->broken = true;
    bufferevent_trigger_event(session->buffer, BEV_EVENT_ERROR, BEV_TRIG_DEFER_CALLBACKS);
}

void session_send(struct session *session, const char *line, size_t length)
{
    if (session->broken)
        return;
    session->queued += (int64_t)length;
    if (bufferevent_write(session->buffer, line, length) != 0)
        give_up(session);
}

static void release_notice(const void *line, size_t length, void *notice)
{
    (void)line;
    (void)length;
    notice_release(notice);
}

/* Takes the notice over. It is not copied: a thousand clients may wait for the same line. */
static void send_notice(struct session *session, struct notice *notice)
{
    session->queued += (int64_t)notice->length;
    if (evbuffer_add_reference(bufferevent_get_output(session->buffer), notice->line, notice->length, release_notice,
                               notice) == 0)
        return;
    notice_release(notice);
    give_up(session);
}

/* The next notification out of the history; notes what the client was too slow for. Own reference. */
static struct notice *next_replayed(struct session *session)
{
    const struct history *history = session->service->history;
    unsigned topics = session->topics & TOPIC_HELD;
    uint64_t complete_from = history_complete_from(history, topics);
    if (session->replay_question > 0)
        return NULL;
    if (session->replay_from < complete_from && session_ask_for_replay(session, complete_from))
        return NULL;
    if (session->replay_from < complete_from) {
        outbox_note_lost(&session->outbox, session->replay_from, complete_from - 1);
        session->replay_from = complete_from;
        return outbox_pop(&session->outbox);
    }
    struct notice *notice = history_from(history, topics, session->replay_from);
    session->replay_from = notice ? notice->seq + 1 : 0;
    return notice ? notice_reference(notice) : NULL;
}

void session_pump(struct session *session)
{
    /* Little at a time: a thousand clients may ask for the whole history at once. */
    while (!session->broken && session_waiting(session) <= OUTPUT_MARK) {
        struct notice *notice = outbox_pop(&session->outbox);
        if (!notice && session->replay_from > 0)
            notice = next_replayed(session);
        if (!notice)
            return;
        /* What waited when the client gave up a topic: after the answer to that, nothing of it comes. */
        if (notice->topic && !(session->topics & notice->topic))
            notice_release(notice);
        else
            send_notice(session, notice);
    }
}

void session_notify(struct session *session, struct notice *notice)
{
    /* While the history is replayed, it is the history that tells of what is new. */
    if (!(session->topics & notice->topic) || session->replay_from > 0 || session->broken)
        return;
    uint64_t lost_before = session->outbox.lost_total;
    outbox_push(&session->outbox, notice, session_waiting(session), SESSION_MAX_WAITING);
    session->service->dropped_notifications += session->outbox.lost_total - lost_before;
    /* In its turn: a thousand subscribers at once would keep everybody else waiting. */
    turns_want(&session->service->turns, session, TURN_LONG);
}

void session_replay(struct session *session, uint64_t from_seq)
{
    session_cancel_replay(session);
    session->replay_from = from_seq;
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

/* Takes one line's worth of what has come, or one request of a batch. False: there is no more. */
static bool take_some_input(struct session *session)
{
    if (session->reading) {
        exchange_step(session->reading);
        return true;
    }
    struct evbuffer *input = bufferevent_get_input(session->buffer);
    struct evbuffer_iovec piece;
    const char *line = NULL;
    size_t length = 0;
    /* The first contiguous piece is enough: the framing puts lines together. */
    if (evbuffer_peek(input, -1, NULL, &piece, 1) < 1 || piece.iov_len == 0) {
        if (!session->input_ended || framing_finish(&session->framing, &line, &length) != FRAMING_LINE)
            return false;
        handle(session, FRAMING_LINE, line, length);
        return true;
    }
    const char *bytes = piece.iov_base;
    size_t count = piece.iov_len;
    enum framing_result result = framing_take(&session->framing, &bytes, &count, &line, &length);
    evbuffer_drain(input, piece.iov_len - count);
    handle(session, result, line, length);
    return true;
}

/* Whether the client has had everything that it can still get. Not while a turn is still to come, an answer is owed,
 * or a subscription lasts. */
static bool is_over(const struct session *session)
{
    if (session->broken)
        return true;
    if (session->wants_turn)
        return false;
    return session->input_ended && session->topics == 0 && LIST_EMPTY(&session->exchanges) &&
           evbuffer_get_length(bufferevent_get_input(session->buffer)) == 0 && session_waiting(session) == 0;
}

/* Nothing more is read from a client that does not read, or while enough of it waits for its turn: libevent would go
 * round and round with a full input, and at the end of the loop keep what it means to call once more. */
static void choose_reading(struct session *session)
{
    if (session->input_ended)
        return;
    if (has_room(session) && evbuffer_get_length(bufferevent_get_input(session->buffer)) < INPUT_MARK)
        bufferevent_enable(session->buffer, EV_READ);
    else
        bufferevent_disable(session->buffer, EV_READ);
}

/* Takes what has come, as long as the client also reads the answers, but not for long at a time: behind it stand other
 * clients, and the samples. Whether there was anything. */
static bool take_input(struct session *session)
{
    int64_t end_ns = monotonic_ns() + (session->queue == TURN_SHORT ? SHORT_TURN_NS : LONG_TURN_NS);
    bool any = false;
    while (has_room(session) && take_some_input(session)) {
        any = true;
        if (monotonic_ns() < end_ns)
            continue;
        turns_want(&session->service->turns, session, TURN_LONG);
        break;
    }
    return any;
}

static bool has_to_pump(const struct session *session)
{
    return session->replay_from > 0 || session->outbox.first;
}

/* Writes what the socket takes. Whether that was something. */
static bool write_now(struct session *session)
{
    struct evbuffer *output = bufferevent_get_output(session->buffer);
    /* A bufferevent keeps its output to itself. */
    evbuffer_unfreeze(output, 1);
    int written = evbuffer_write(output, session_fd(session));
    session->broken = session->broken || (written < 0 && errno != EAGAIN && errno != EINTR);
    evbuffer_freeze(output, 1);
    return written > 0;
}

/* Answers first, notifications in a turn of their own: when a thousand clients ask for the whole history at once, each
 * of them, and whoever asks for something small, is answered before the history is written to the first. */
bool session_take_turn(struct session *session)
{
    bool answered = take_input(session);
    if (answered && has_to_pump(session))
        turns_want(&session->service->turns, session, TURN_LONG);
    else
        session_pump(session);
    /* The event loop would write it in its next turn, which may be long. */
    if (answered && !session->broken && session_waiting(session) > 0)
        write_now(session);
    choose_reading(session);
    if (!is_over(session))
        return true;
    session_destroy(session);
    return false;
}

/* What the client asks is looked at soon if it is little. */
static enum turn_queue queue_for_input(const struct session *session)
{
    size_t length = evbuffer_get_length(bufferevent_get_input(session->buffer)) + session->framing.length;
    return length > SMALL_INPUT || session->reading ? TURN_LONG : TURN_SHORT;
}

/* Something has come. */
static void on_read(struct bufferevent *buffer, void *context)
{
    (void)buffer;
    struct session *session = context;
    turns_want(&session->service->turns, session, queue_for_input(session));
    choose_reading(session);
}

void session_go_on(struct session *session)
{
    turns_want(&session->service->turns, session, queue_for_input(session));
}

/* The client has read, and there is room for more: of what it asked for, or of notifications. */
static void on_written(struct bufferevent *buffer, void *context)
{
    struct session *session = context;
    bool asks = evbuffer_get_length(bufferevent_get_input(buffer)) > 0;
    turns_want(&session->service->turns, session, asks ? queue_for_input(session) : TURN_LONG);
}

/* Whether the other end is closed altogether, not only for sending. */
static bool peer_is_gone(const struct session *session)
{
    struct pollfd peer = {.fd = session_fd(session), .events = 0};
    return poll(&peer, 1, 0) == 1 && (peer.revents & (POLLHUP | POLLERR | POLLNVAL));
}

/* A client that ended its input shows no further sign when it leaves: the event loop watches for input only. */
static void on_watch(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    struct session *session = context;
    if (peer_is_gone(session))
        session_destroy(session);
}

/* A client that has sent everything ("nc -N") still gets its answers; one that went away gets nothing. */
static void on_end_of_input(struct session *session)
{
    static const struct timeval now_and_then = {.tv_sec = 0, .tv_usec = 500000};
    session->input_ended = true;
    if (peer_is_gone(session) || event_add(session->watch, &now_and_then) != 0)
        session->broken = true;
    turns_want(&session->service->turns, session, TURN_SHORT);
}

/* Nothing could be written for a while. A socket takes new bytes only when most of the old ones are read, so a client
 * may be reading all the same, but slowly: what it has taken is what was sent less what the kernel still holds. */
static bool still_reads(struct session *session)
{
    int unread = 0;
    if (ioctl(session_fd(session), SIOCOUTQ, &unread) != 0)
        return false;
    int64_t taken = session->queued - (int64_t)session_waiting(session) - unread;
    session->idle_looks = taken > session->taken ? 1 : session->idle_looks + 1;
    session->taken = taken;
    return session->idle_looks < SESSION_LOOKS;
}

static void on_event(struct bufferevent *buffer, short what, void *context)
{
    struct session *session = context;
    if (what & BEV_EVENT_EOF)
        on_end_of_input(session);
    else if ((what & BEV_EVENT_TIMEOUT) && still_reads(session))
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
        session_send(session, line, length);
    free(line);
}

/* The session and its parts; the socket is not taken over yet. NULL when memory is short. */
static struct session *session_allocate(struct event_base *base, int fd)
{
    struct session *session = calloc(1, sizeof *session);
    if (!session)
        return NULL;
    session->buffer = bufferevent_socket_new(base, fd, 0);
    session->watch = event_new(base, -1, EV_PERSIST, on_watch, session);
    if (session->buffer && session->watch)
        return session;
    if (session->buffer)
        bufferevent_free(session->buffer);
    if (session->watch)
        event_free(session->watch);
    free(session);
    return NULL;
}

struct session *session_create(struct service *service, int fd, uid_t user)
{
    static const struct timeval patience = {.tv_sec = SESSION_PATIENCE_S / SESSION_LOOKS, .tv_usec = 0};
    struct session *session =
        turns_reserve(&service->turns, service->session_count + 1) == 0 ? session_allocate(service->base, fd) : NULL;
    if (!session) {
        close(fd);
        return NULL;
    }
    struct bufferevent *buffer = session->buffer;
    session->service = service;
    session->user = user;
    LIST_INIT(&session->exchanges);
    bufferevent_setcb(buffer, on_read, on_written, on_event, session);
    bufferevent_setwatermark(buffer, EV_READ, 0, INPUT_MARK);
    bufferevent_setwatermark(buffer, EV_WRITE, OUTPUT_MARK, 0);
    bufferevent_set_timeouts(buffer, NULL, &patience);
    bufferevent_enable(buffer, EV_READ | EV_WRITE);
    service_add_session(service, session);
    say_hello(session);
    return session;
}

/* The order matters: first what could still call back, then what it would use. */
void session_destroy(struct session *session)
{
    exchanges_cancel(session);
    session_cancel_replay(session);
    while (session->uploads) {
        struct upload *upload = session->uploads;
        session->uploads = upload->next;
        upload_destroy(upload);
    }
    turns_forget(&session->service->turns, session);
    service_remove_session(session->service, session);
    outbox_clear(&session->outbox);
    framing_clear(&session->framing);
    event_free(session->watch);
    /* Freeing a bufferevent is put off to the next turn of the event loop; the socket must be closed now. */
    int fd = session_fd(session);
    bufferevent_disable(session->buffer, EV_READ | EV_WRITE);
    bufferevent_setfd(session->buffer, -1);
    bufferevent_free(session->buffer);
    close(fd);
    free(session);
}

bool session_flush(struct session *session)
{
    if (session->broken)
        return false;
    bufferevent_disable(session->buffer, EV_READ | EV_WRITE);
    do
        session_pump(session);
    while (session_waiting(session) > 0 && write_now(session));
    return !session->broken && session_waiting(session) > 0;
}
