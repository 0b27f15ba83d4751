/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The notifications of one client. What it missed is replayed out of the history, or, when the history does not hold
 * it any more, out of the store a few at a time: no more is read than the client reads. */

#include "service/subscription.h"

#include "proto/clock.h"
#include "service/history.h"
#include "service/service_state.h"
#include "service/session_memory.h"
#include "service/session_state.h"

#include <event2/event.h>

/* So many of the longest lines are far from what may wait for a client. */
enum { REPLAY_CHUNK = 16 };

/* --- subscribing --- */

/* The store is not asked any more; where the replay has come to stays as it is. */
static void cancel_question(struct session *session)
{
    const struct service_backend *backend = &session->service->backend;
    if (session->subscription.question > 0)
        backend->ask_cancel(backend->questions, session->subscription.question);
    session->subscription.question = 0;
}

/* What the store was asked for may be of too few topics now, or begin too late: it is asked anew. */
static void replay(struct session *session, uint64_t from_seq)
{
    struct subscription *subscription = &session->subscription;
    cancel_question(session);
    outbox_forget_from(&subscription->outbox, from_seq);
    if (subscription->replay_from == 0 || from_seq < subscription->replay_from)
        subscription->replay_from = from_seq;
}

void subscription_add(struct session *session, unsigned topics, uint64_t from_seq)
{
    struct subscription *subscription = &session->subscription;
    uint64_t since = from_seq > 0 ? from_seq : history_next_seq(session->service->history);
    for (unsigned t = 0; t < TOPICS; t++) {
        bool had = subscription->topics & (1u << t);
        if (had ? since < subscription->since[t] : (topics & (1u << t)) != 0)
            subscription->since[t] = since;
    }
    subscription->topics |= topics;
    if (from_seq > 0)
        replay(session, from_seq);
}

void subscription_take_back(struct session *session, unsigned topics)
{
    struct subscription *subscription = &session->subscription;
    subscription->topics &= ~topics;
    if (subscription->topics == 0)
        subscription_end(session);
}

void subscription_end(struct session *session)
{
    cancel_question(session);
    outbox_clear(&session->subscription.outbox);
    session->subscription = (struct subscription){.topics = 0};
}

/* --- replaying --- */

/* Those topics whose past the client wants at this place of the replay, and *until, where others join them. */
static unsigned topics_at(const struct subscription *subscription, uint64_t seq, uint64_t *until)
{
    unsigned topics = 0;
    *until = UINT64_MAX;
    for (unsigned t = 0; t < TOPICS; t++) {
        if (!(subscription->topics & TOPIC_HELD & (1u << t)))
            continue;
        if (subscription->since[t] <= seq)
            topics |= 1u << t;
        else if (subscription->since[t] < *until)
            *until = subscription->since[t];
    }
    return topics;
}

/* The replay goes on behind what it cannot give. */
static void skip_to(struct subscription *subscription, uint64_t seq, const char *because)
{
    outbox_note_lost(&subscription->outbox, subscription->replay_from, seq - 1, because);
    subscription->replay_from = seq;
}

/* What may wait for the client if the notice comes to it. */
static size_t most_waiting(struct session *session, const struct notice *notice)
{
    return session_may_hold(session, notice->length) ? SESSION_MAX_WAITING : 0;
}

/* What cannot be sent is told as lost. */
static void push(struct session *session, const struct found_result *found)
{
    struct subscription *subscription = &session->subscription;
    struct notice *notice = found->id > 0 ? notice_of_result(found->text, found->seq, found->run_id)
                                          : notice_from_line(TOPIC_EVENT, found->seq, found->text);
    if (notice)
        outbox_push(&subscription->outbox, notice, 0, most_waiting(session, notice));
    else
        outbox_lose(&subscription->outbox, found->seq);
    notice_release(notice);
}

static void on_notices(void *context, const struct store_answer *answer)
{
    struct session *session = context;
    struct subscription *subscription = &session->subscription;
    const struct found_results *found = &answer->found;
    uint64_t until = answer->question->before_seq;
    subscription->question = 0;
    if (answer->error) {
        skip_to(subscription, until, "they could not be read from the store at the moment: ask for them again later");
    } else {
        for (size_t i = 0; i < found->count; i++)
            push(session, &found->results[i]);
        bool more = found->more && found->count > 0;
        subscription->replay_from = more ? found->results[found->count - 1].seq + 1 : until;
    }
    subscription_pump(session);
}

/* Asks the store for the next notifications before `until`. False: it cannot be asked now. */
static bool ask_store(struct session *session, unsigned topics, uint64_t until)
{
    const struct service_backend *backend = &session->service->backend;
    const struct store_question question = {.kind = QUESTION_NOTICES,
                                            .results = (topics & TOPIC_RESULT) != 0,
                                            .events = (topics & TOPIC_EVENT) != 0,
                                            .from_seq = session->subscription.replay_from,
                                            .before_seq = until,
                                            .limit = REPLAY_CHUNK};
    long ticket = backend->ask(backend->questions, &question, on_notices, session);
    session->subscription.question = ticket > 0 ? ticket : 0;
    return ticket > 0;
}

/* Whether it is still worth waiting for a store that cannot be asked, or does not have everything yet. */
static bool is_patient(struct session *session)
{
    struct subscription *subscription = &session->subscription;
    int64_t now_ns = clock_monotonic_ns();
    if (subscription->awaits_store_ns == 0)
        subscription->awaits_store_ns = now_ns;
    if (now_ns - subscription->awaits_store_ns >= SUBSCRIPTION_PATIENCE_S * INT64_C(1000000000))
        return false;
    service_wake_replays(session->service);
    return true;
}

/* What the history holds no longer, from the replay's place on and before `until`. Whether the session has to wait for
 * it; if not, the place has moved on. */
static bool replay_from_store(struct session *session, unsigned topics, uint64_t until)
{
    struct subscription *subscription = &session->subscription;
    const struct history *history = session->service->history;
    uint64_t available_from = history_available_from(history, topics);
    uint64_t stored_until = history_stored_until(history);
    if (subscription->replay_from < available_from) {
        skip_to(subscription, available_from < until ? available_from : until,
                "they are not held any more: the oldest go first");
        return false;
    }
    if (subscription->replay_from < stored_until &&
        ask_store(session, topics, until < stored_until ? until : stored_until)) {
        subscription->awaits_store_ns = 0;
        return true;
    }
    if (is_patient(session))
        return true;
    skip_to(subscription, until,
            "the store takes nothing at the moment, and only what it has can be told: `fricidctl status` says why, and "
            "once it does they can be asked for again");
    subscription->awaits_store_ns = 0;
    return false;
}

/* The next notification to replay, or of what was missed; NULL: the store is waited for, or all is told. Own reference.
 */
static struct notice *next_replayed(struct session *session)
{
    struct subscription *subscription = &session->subscription;
    const struct history *history = session->service->history;
    while (subscription->replay_from > 0 && subscription->question == 0 && subscription->outbox.lost_from == 0) {
        uint64_t until;
        unsigned topics = topics_at(subscription, subscription->replay_from, &until);
        uint64_t complete_from = history_complete_from(history, topics);
        if (subscription->replay_from < complete_from) {
            if (replay_from_store(session, topics, complete_from < until ? complete_from : until))
                return NULL;
            continue;
        }
        struct notice *notice = history_from(history, topics, subscription->replay_from);
        if (notice && notice->seq < until) {
            subscription->replay_from = notice->seq + 1;
            return notice_reference(notice);
        }
        subscription->replay_from = until < UINT64_MAX ? until : 0;
    }
    return outbox_pop(&subscription->outbox);
}

/* --- sending --- */

/* What waited when the client gave up a topic does not come, even if the client wants the topic again. */
static bool wants(const struct subscription *subscription, const struct notice *notice)
{
    if (notice->topic == TOPIC_NONE)
        return true;
    for (unsigned t = 0; t < TOPICS; t++)
        if (notice->topic == 1u << t)
            return (subscription->topics & notice->topic) && notice->seq >= subscription->since[t];
    return false;
}

bool subscription_has_more(const struct subscription *subscription)
{
    return subscription->replay_from > 0 || subscription->outbox.first || subscription->outbox.lost_from > 0;
}

void subscription_pump(struct session *session)
{
    struct subscription *subscription = &session->subscription;
    struct connection *connection = &session->connection;
    /* Little at a time: a thousand clients may ask for the whole history at once. */
    while (!connection->broken && connection_waiting(connection) <= SUBSCRIPTION_MARK) {
        struct notice *notice = outbox_pop(&subscription->outbox);
        if (!notice)
            notice = next_replayed(session);
        if (!notice)
            return;
        if (wants(subscription, notice))
            connection_send_notice(connection, notice);
        else
            notice_release(notice);
    }
}

/* While the history is replayed, it is the history that tells of what is new. */
static bool hears(const struct session *session, enum topic topic)
{
    const struct subscription *subscription = &session->subscription;
    return (subscription->topics & topic) && subscription->replay_from == 0 && !session->connection.broken;
}

/* What was queued goes in the session's turn: a thousand subscribers at once would keep everybody else waiting. */
static void count_lost(struct session *session, uint64_t lost_before)
{
    session->service->dropped_notifications += session->subscription.outbox.lost_total - lost_before;
    fair_queue_want(&session->service->fair_queue, &session->turn, TURN_LONG);
}

void subscription_notify(struct session *session, struct notice *notice)
{
    struct outbox *outbox = &session->subscription.outbox;
    if (!hears(session, notice->topic))
        return;
    uint64_t lost_before = outbox->lost_total;
    outbox_push(outbox, notice, connection_waiting(&session->connection), most_waiting(session, notice));
    count_lost(session, lost_before);
}

bool subscription_gives_way(struct session *session, size_t more)
{
    struct outbox *outbox = &session->subscription.outbox;
    uint64_t lost_before = outbox->lost_total;
    if (session_may_hold(session, more))
        return true;
    if (!outbox->first)
        return false;
    outbox_give_up(outbox);
    count_lost(session, lost_before);
    return session_may_hold(session, more);
}

void subscription_miss(struct session *session, enum topic topic, uint64_t seq)
{
    struct outbox *outbox = &session->subscription.outbox;
    if (!hears(session, topic))
        return;
    uint64_t lost_before = outbox->lost_total;
    outbox_lose(outbox, seq);
    count_lost(session, lost_before);
}
