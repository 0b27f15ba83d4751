/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Subscriptions: which notifications a client wants, and from which seq on it has missed them. */

#include "proto/json_value.h"
#include "service/history.h"
#include "service/methods.h"
#include "service/service_state.h"
#include "service/session_state.h"
#include "service/subscription.h"

#include <string.h>

/* The set of topics in a list of names, 0 when one is not known; *unknown is then that name. */
static unsigned read_topics(const json_t *names, const char **unknown)
{
    unsigned topics = 0;
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        unsigned topic = 0;
        for (unsigned t = 0; t < TOPICS; t++)
            if (strcmp(name, topic_name(t)) == 0)
                topic = 1u << t;
        if (topic == 0) {
            *unknown = name;
            return 0;
        }
        topics |= topic;
    }
    return topics;
}

static json_t *topics_to_json(unsigned topics)
{
    json_t *list = json_array();
    for (unsigned t = 0; list && t < TOPICS; t++) {
        if ((topics & (1u << t)) && json_array_append_new(list, json_string(topic_name(t))) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static void fail_unknown_topic(struct call *call, const char *name)
{
    call_fail(call, JSONRPC_INVALID_PARAMS, NULL,
              "the topics are result, event, progress and signal; there is no topic %s", name);
}

/* The error tells what is still there, so that the client can go on without another question. */
static void fail_history_gone(struct call *call, const struct history *history, unsigned topics, const char *sentence)
{
    json_t *data = json_pack("{s:s, s:o, s:o}", "history_id", history_id(history), "oldest_seq",
                             count_to_json(history_available_from(history, topics)), "next_seq",
                             count_to_json(history_next_seq(history)));
    call_fail(call, JSONRPC_HISTORY_GONE, data, "%s", sentence);
}

/* Why notifications cannot be replayed from there; NULL: they can. */
static const char *why_gone(const struct history *history, unsigned topics, uint64_t from_seq, const char *wanted_id)
{
    if (wanted_id && strcmp(wanted_id, history_id(history)) != 0)
        return "this is another history: the daemon was restarted, and numbers its notifications anew";
    if (from_seq > history_next_seq(history))
        return "from_seq lies in the future: the daemon was restarted, or the number is of another history";
    if (from_seq > 0 && from_seq < history_available_from(history, topics))
        return "notifications since from_seq are not all held any more: the oldest go first";
    return NULL;
}

/* Nothing changes when it fails: a client keeps what it had. */
static void run_subscribe(struct call *call, const json_t *params)
{
    struct session *session = call_session(call);
    const struct history *history = session->service->history;
    const char *unknown = NULL;
    unsigned topics = read_topics(json_object_get(params, "topics"), &unknown);
    if (topics == 0) {
        fail_unknown_topic(call, unknown);
        return;
    }
    /* A subscription adds to those before; the replay then covers them all. */
    unsigned all = topics | session->subscription.topics;
    uint64_t from_seq = (uint64_t)parameter_integer(params, "from_seq", 0);
    const char *gone = why_gone(history, all, from_seq, parameter_text(params, "history_id", NULL));
    if (gone) {
        fail_history_gone(call, history, all, gone);
        return;
    }
    /* What is replayed follows the answer, when the session is pumped. */
    subscription_add(session, topics, from_seq);
    call_answer(call, json_pack("{s:o, s:s, s:o}", "topics", topics_to_json(all), "history_id", history_id(history),
                                "next_seq", count_to_json(history_next_seq(history))));
}

static void run_unsubscribe(struct call *call, const json_t *params)
{
    struct session *session = call_session(call);
    const json_t *names = json_object_get(params, "topics");
    const char *unknown = NULL;
    unsigned topics = names ? read_topics(names, &unknown) : ~0u;
    if (topics == 0) {
        fail_unknown_topic(call, unknown);
        return;
    }
    subscription_take_back(session, topics);
    call_answer(call, json_pack("{s:o}", "topics", topics_to_json(session->subscription.topics)));
}

static const char *topic_word(size_t index)
{
    return index < TOPICS ? topic_name((unsigned)index) : NULL;
}

static const struct parameter subscribe_parameters[] = {
    {.name = "topics", .type = PARAMETER_TEXTS, .required = true, .word = topic_word, .note = "signal is since 1.1"},
    {.name = "from_seq",
     .type = PARAMETER_INTEGER,
     .minimum = 1,
     .maximum = PARAMETER_LARGEST,
     .note = "what is held from this seq on is told again"},
    {.name = "history_id", .type = PARAMETER_TEXT, .maximum = 64, .note = "the history that from_seq belongs to"},
};

static const struct parameter unsubscribe_parameters[] = {
    {.name = "topics", .type = PARAMETER_TEXTS, .word = topic_word, .note = "all of them if left out"},
};

static const struct method methods[] = {
    {.name = "subscribe", .parameters = PARAMETERS(subscribe_parameters), .run = run_subscribe},
    {.name = "unsubscribe", .parameters = PARAMETERS(unsubscribe_parameters), .run = run_unsubscribe},
};

const struct method_group methods_about_topics = {methods, sizeof methods / sizeof methods[0]};
