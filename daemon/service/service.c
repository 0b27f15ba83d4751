/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The service as a whole: accepts clients up to a limit, publishes to those who subscribed, and says goodbye. One
 * client's affairs are in session.c. */

#include <config.h>

#include "service/service.h"

#include "proto/clock.h"
#include "proto/json_value.h"
#include "proto/jsonrpc.h"
#include "service/exchange.h"
#include "service/history.h"
#include "service/service_state.h"
#include "service/session.h"
#include "service/session_state.h"
#include "service/status_json.h"
#include "service/subscription.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <malloc.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef HAVE_MALLOC_TRIM
#define malloc_trim(kept) 0 /* an allocator that does not know this has its own ways */
#endif

enum {
    MOST_SESSIONS = 1024,
    SESSIONS_OF_A_USER = 256,  /* root and the daemon's own user have no limit of their own */
    RESERVED_DESCRIPTORS = 64, /* for devices, the store and whatever else must open something */
    LAST_WORDS_MS = 500,       /* what clients get to read what waits for them when the daemon ends */
};

/* So many clients that descriptors remain for everything else. */
static size_t session_limit(void)
{
    struct rlimit descriptors;
    if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0 || descriptors.rlim_cur <= 2 * RESERVED_DESCRIPTORS)
        return RESERVED_DESCRIPTORS;
    rlim_t possible = descriptors.rlim_cur - RESERVED_DESCRIPTORS;
    return possible < MOST_SESSIONS ? (size_t)possible : MOST_SESSIONS;
}

/* One user must not take all places. */
static bool has_too_many(const struct service *service, uid_t user)
{
    return user != 0 && user != service->rights.own_user &&
           shares_connections(&service->shares, user) >= SESSIONS_OF_A_USER;
}

/* Tells why, and closes. The line fits into the buffer of a fresh socket: this does not wait. */
static void turn_away(int fd, const char *sentence)
{
    size_t length;
    char *line = jsonrpc_line(jsonrpc_error_response(NULL, JSONRPC_BUSY, sentence, NULL), &length);
    if (line && send(fd, line, length, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        errno = 0; /* the client has gone already */
    free(line);
    close(fd);
}

/* Someone connects. */
static void on_connection(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address, int length,
                          void *context)
{
    (void)listener;
    (void)address;
    (void)length;
    struct service *service = context;
    uid_t user = peer_user(fd);
    if (has_too_many(service, user))
        turn_away(fd, "this user has too many connections to the daemon: close some first");
    else if (service->session_count >= service->session_limit)
        turn_away(fd, "the daemon has too many connections: try again later");
    else
        session_create(service, fd, user);
}

/* No descriptor is free: looking again at once would only burn the processor. */
static void on_accept_error(struct evconnlistener *listener, void *context)
{
    static const struct timeval later = {.tv_sec = 1, .tv_usec = 0};
    struct service *service = context;
    evconnlistener_disable(listener);
    event_add(service->accept_again, &later);
}

/* A second later there may be descriptors again; if not, the listener says so once more. */
static void on_accept_again(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    service_choose_listening(context);
}

/* Those that wait for the store look again whether it has what they want. */
static void replays_go_on(struct service *service)
{
    struct session *session;
    LIST_FOREACH(session, &service->sessions, link)
    {
        if (session->subscription.replay_from > 0)
            fair_queue_want(&service->fair_queue, &session->turn, TURN_LONG);
    }
}

static void on_replays_wait(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    replays_go_on(context);
}

/* A burst of large messages leaves holes among what is still in use: the allocator would keep them for good. */
static void on_memory_fell(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    struct service *service = context;
    if (shares_have_fallen(&service->shares))
        (void)malloc_trim(0);
}

/* Frees whatever of a service was made. */
static void service_free(struct service *service)
{
    if (service->listener)
        evconnlistener_free(service->listener);
    if (service->accept_again)
        event_free(service->accept_again);
    if (service->replays_wait)
        event_free(service->replays_wait);
    if (service->memory_fell)
        event_free(service->memory_fell);
    fair_queue_clear(&service->fair_queue);
    service_socket_close(&service->socket);
    history_destroy(service->history);
    free(service);
}

static int service_listen(struct service *service, struct complaint *complaint)
{
    service->accept_again = event_new(service->base, -1, 0, on_accept_again, service);
    service->replays_wait = event_new(service->base, -1, 0, on_replays_wait, service);
    service->memory_fell = event_new(service->base, -1, 0, on_memory_fell, service);
    service->listener =
        evconnlistener_new(service->base, on_connection, service, LEV_OPT_CLOSE_ON_EXEC, 0, service->socket.fd);
    if (!service->accept_again || !service->replays_wait || !service->memory_fell || !service->listener ||
        fair_queue_init(&service->fair_queue, service->base, session_take_turn) != 0) {
        complaint_set(complaint, "not enough memory for the service");
        return -ENOMEM;
    }
    evconnlistener_set_error_cb(service->listener, on_accept_error);
    return 0;
}

/* Once the socket is open clients may knock, but none is let in before the event loop runs. */
int service_create(struct event_base *base, const struct service_settings *settings,
                   const struct service_backend *backend, struct service **service, struct complaint *complaint)
{
    *service = NULL;
    struct service *made = calloc(1, sizeof *made);
    if (made) {
        made->socket.fd = -1;
        made->history = history_create(settings->results_held, settings->samples_held_bytes);
    }
    if (!made || !made->history) {
        free(made);
        complaint_set(complaint, "not enough memory for the service");
        return -ENOMEM;
    }
    if (settings->history_id)
        history_resume(made->history, settings->history_id, settings->next_seq);
    history_set_stored_from(made->history, settings->stored_from);
    history_set_stored_until(made->history, settings->next_seq);
    made->base = base;
    made->backend = *backend;
    made->rights = acting_rights_of(settings->group);
    made->upload_budget.limit = settings->identify_max_bytes;
    shares_init(&made->shares);
    made->started_ns = clock_realtime_ns();
    made->started_monotonic_ns = clock_monotonic_ns();
    made->session_limit = session_limit();
    LIST_INIT(&made->sessions);
    int code = settings->inherited_socket > 0
                   ? service_socket_inherit(settings->inherited_socket, &made->socket, complaint)
                   : service_socket_open(settings->socket_path, settings->socket_mode, &made->socket, complaint);
    if (code == 0)
        code = service_listen(made, complaint);
    if (code != 0) {
        service_free(made);
        return code;
    }
    *service = made;
    return 0;
}

const char *service_address(const struct service *service)
{
    return service->socket.path;
}

bool service_is_inherited(const struct service *service)
{
    return !service->socket.named;
}

/* Nothing waits for the old socket while it is replaced. */
int service_keep_address(struct service *service, struct complaint *complaint)
{
    if (service_socket_stands(&service->socket))
        return 0;
    evconnlistener_disable(service->listener);
    int code = service_socket_renew(&service->socket, complaint);
    service_choose_listening(service);
    return code;
}

/* Sends a notice to all who subscribed to it; NULL: there was no memory for it, and they are told. No session ends in
 * here: the list stays as it is. */
static void notify_all(struct service *service, enum topic topic, struct notice *notice)
{
    struct session *session;
    LIST_FOREACH(session, &service->sessions, link)
    {
        if (notice)
            subscription_notify(session, notice);
        else
            subscription_miss(session, topic, history_next_seq(service->history) - 1);
    }
}

/* The history keeps the notice; the sessions take references of their own. */
void service_publish_result(struct service *service, struct kept_result *result)
{
    struct notice *notice = history_add_result(service->history, result);
    if (notice && service->backend.note_result)
        service->backend.note_result(service->backend.context, result, notice->seq);
    notify_all(service, TOPIC_RESULT, notice);
}

/* Events are few: each is made into a line even when nobody listens, for those who ask later. */
void service_publish_event(struct service *service, const struct service_event *event)
{
    struct notice *notice = history_add_event(service->history, event);
    if (notice && service->backend.note_event)
        service->backend.note_event(service->backend.context, event, notice->seq, notice->line);
    notify_all(service, TOPIC_EVENT, notice);
}

void service_set_stored_from(struct service *service, uint64_t seq)
{
    history_set_stored_from(service->history, seq);
}

void service_set_stored_until(struct service *service, uint64_t seq)
{
    history_set_stored_until(service->history, seq);
    replays_go_on(service);
}

uint64_t service_next_seq(const struct service *service)
{
    return history_next_seq(service->history);
}

/* Nobody looks most of the time; then nothing is written, and no seq is used up. */
static bool has_subscribers(const struct service *service, enum topic topic)
{
    const struct session *session;
    LIST_FOREACH(session, &service->sessions, link)
    {
        if (session->subscription.topics & topic)
            return true;
    }
    return false;
}

void service_publish_progress(struct service *service, const char *rig, const char *channel, const char *source_kind,
                              const char *unit, const struct segment_state *state)
{
    if (!has_subscribers(service, TOPIC_PROGRESS))
        return;
    uint64_t seq = history_take_seq(service->history);
    json_t *params =
        json_pack("{s:o, s:o, s:o, s:{s:o}, s:o, s:o}", "seq", count_to_json(seq), "rig", text_to_json(rig), "channel",
                  text_to_json(channel), "source", "kind", text_to_json(source_kind), "unit", text_to_json(unit),
                  "state", segment_state_to_json(state));
    struct notice *notice = notice_create(TOPIC_PROGRESS, seq, "notify.progress", params);
    notify_all(service, TOPIC_PROGRESS, notice);
    notice_release(notice);
}

bool service_wants_signal(const struct service *service)
{
    return has_subscribers(service, TOPIC_SIGNAL);
}

void service_publish_signal(struct service *service, const struct service_signal *shown)
{
    if (!service_wants_signal(service))
        return;
    uint64_t seq = history_take_seq(service->history);
    json_t *measured = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:n}", "window_s", number_to_json(shown->window_s),
        "samples", count_to_json(shown->samples), "clipped_samples", count_to_json(shown->clipped), "min",
        number_to_json(shown->least), "max", number_to_json(shown->most), "mean", number_to_json(shown->mean),
        "deviation", number_to_json(shown->deviation), "roughness", number_to_json(shown->roughness), "sensor_mean",
        number_to_json(shown->sensor_mean), "sensor_deviation", number_to_json(shown->sensor_deviation), "sensor_unit",
        text_to_json(shown->sensor_unit), "reason");
    json_t *params = json_pack(
        "{s:o, s:o, s:o, s:{s:o}, s:o, s:o, s:o}", "seq", count_to_json(seq), "rig", text_to_json(shown->rig),
        "channel", text_to_json(shown->channel), "source", "kind", text_to_json(shown->source_kind), "unit",
        text_to_json(shown->unit), "signal",
        with_reason(measured, "nothing varies, or there is one sample only; or the source does not tell in what unit "
                              "its sensor speaks"),
        "state", segment_state_to_json(shown->state));
    struct notice *notice = notice_create(TOPIC_SIGNAL, seq, "notify.signal", params);
    notify_all(service, TOPIC_SIGNAL, notice);
    notice_release(notice);
}

/* Requests that are still being worked on are answered: the daemon is ending. */
static void refuse_what_waits(struct service *service)
{
    struct session *session;
    LIST_FOREACH(session, &service->sessions, link)
    {
        exchanges_refuse(session);
    }
}

/* Writes what waits for clients until all of them have read it or the time is over. */
static void say_last_words(struct service *service)
{
    int64_t end_ns = clock_monotonic_ns() + (int64_t)LAST_WORDS_MS * 1000000;
    struct pollfd *peers = calloc(service->session_count + 1, sizeof *peers);
    while (peers) {
        nfds_t waiting = 0;
        struct session *session;
        LIST_FOREACH(session, &service->sessions, link)
        {
            if (session_flush(session))
                peers[waiting++] = (struct pollfd){.fd = connection_fd(&session->connection), .events = POLLOUT};
        }
        int64_t left_ms = (end_ns - clock_monotonic_ns()) / 1000000;
        /* When nobody takes anything until the time is over, the rest stays unread. */
        if (waiting == 0 || left_ms <= 0 || poll(peers, waiting, (int)left_ms) == 0)
            break;
    }
    free(peers);
}

void service_destroy(struct service *service)
{
    if (!service)
        return;
    evconnlistener_free(service->listener);
    service->listener = NULL;
    /* The order matters: first the answers are made, then they are written, then the clients go. */
    refuse_what_waits(service);
    say_last_words(service);
    while (!LIST_EMPTY(&service->sessions))
        session_destroy(LIST_FIRST(&service->sessions));
    service_free(service);
}
