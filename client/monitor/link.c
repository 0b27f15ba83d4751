/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions and what is done with their answers. */

#include "client/monitor/link.h"

#include "client/monitor/result_text.h"
#include "client/reply.h"
#include "proto/plain_text.h"

#include <string.h>

/* Between two tries to reach a daemon, and between two looks at its state, s. */
static const double retry_s = 1, status_s = 2;

/* So many notifications back an event may lie that is told again at the beginning. */
enum { EVENTS_BACK = 2000 };

/* So many messages are taken in before the keys are looked at again. */
enum { MOST_AT_ONCE = 500 };

enum question_kind { ASKS_SUBSCRIPTION, ASKS_STATUS, ASKS_LIST, ASKS_RESULT, ASKS_SHEET, ASKS_RUN };

static void lose(struct link *link, struct model *model, const struct complaint *complaint, double now_s)
{
    connection_close(link->connection);
    json_decref(link->shown);
    *link = (struct link){.path = link->path, .timeout_s = link->timeout_s, .next_try_s = now_s + retry_s};
    model->connected = false;
    model->complaint = *complaint;
}

static struct question *place_for(struct link *link)
{
    for (size_t i = 0; i < LINK_QUESTIONS; i++)
        if (link->questions[i].id == 0)
            return &link->questions[i];
    return NULL;
}

static bool is_asked(const struct link *link, enum question_kind kind)
{
    for (size_t i = 0; i < LINK_QUESTIONS; i++)
        if (link->questions[i].id > 0 && link->questions[i].kind == (int)kind)
            return true;
    return false;
}

/* Takes the parameters over. What cannot be asked is a connection that is lost. */
static void ask(struct link *link, struct model *model, enum question_kind kind, const char *method, json_t *params,
                double now_s)
{
    struct complaint complaint;
    struct question *question = link->connection ? place_for(link) : NULL;
    int64_t id;
    if (!question) {
        json_decref(params);
        return;
    }
    if (connection_send(link->connection, method, params, link->timeout_s, &id, &complaint) != STATUS_OK)
        lose(link, model, &complaint, now_s);
    else
        *question = (struct question){.id = id, .kind = (int)kind};
}

/* The past of the events is told first: it would hold up the others. */
static void subscribe(struct link *link, struct model *model, int64_t from_seq, double now_s)
{
    json_t *params = json_pack("{s:[s,s,s,s]}", "topics", "result", "event", "progress", "signal");
    if (from_seq > 0)
        ask(link, model, ASKS_SUBSCRIPTION, "subscribe",
            json_pack("{s:[s],s:I}", "topics", "event", "from_seq", (json_int_t)from_seq), now_s);
    ask(link, model, ASKS_SUBSCRIPTION, "subscribe", params, now_s);
}

void link_open(struct link *link, struct connection *connection, struct model *model, double now_s)
{
    link->connection = connection;
    link->next_status_s = now_s + status_s;
    model->connected = true;
    model->heard_s = now_s;
    ask(link, model, ASKS_STATUS, "status", NULL, now_s);
    ask(link, model, ASKS_LIST, "results.list", json_pack("{s:i}", "limit", MODEL_RESULTS), now_s);
}

static void try_again(struct link *link, struct model *model, double now_s)
{
    struct complaint complaint;
    struct connection *connection;
    if (connection_open(link->path, link->timeout_s, &connection, &complaint) == STATUS_OK)
        link_open(link, connection, model, now_s);
    else
        lose(link, model, &complaint, now_s);
}

void link_work(struct link *link, struct model *model, struct view *view, double now_s)
{
    if (!link->connection && now_s >= link->next_try_s)
        try_again(link, model, now_s);
    if (link->connection && now_s >= link->next_status_s && !is_asked(link, ASKS_STATUS)) {
        link->next_status_s = now_s + status_s;
        ask(link, model, ASKS_STATUS, "status", NULL, now_s);
    }
    if (link->connection && link->wanted_count > 0 && !is_asked(link, ASKS_RESULT))
        ask(link, model, ASKS_RESULT, "results.get",
            json_pack("{s:I}", "id", (json_int_t)link->wanted[--link->wanted_count]), now_s);
    /* One sheet after the other: what comes next belongs to shown_id, whatever was opened meanwhile. */
    if (link->connection && view->page == PAGE_RESULT && !view->text && link->shown_id == 0) {
        link->shown_id = view->asked_id;
        ask(link, model, ASKS_SHEET, "results.get", json_pack("{s:I}", "id", (json_int_t)view->asked_id), now_s);
    }
}

/* --- answers --- */

/* What an answer is taken in with; result NULL: it is an error. */
struct answer {
    struct link *link;
    struct model *model;
    struct view *view;
    json_t *result;
    const char *refusal; /* the sentence of the error */
    double now_s;
};

/* The first answer tells from where on events are told again. */
static void take_status(const struct answer *answer)
{
    const json_t *history = json_object_get(answer->result, "history");
    const int64_t oldest = reply_integer(history, "oldest_seq", 0), next = reply_integer(history, "next_seq", 0);
    const bool first = !answer->model->status || !answer->link->subscribed;
    if (!answer->result)
        return;
    model_take_status(answer->model, answer->result);
    view_follow(answer->view, answer->model);
    if (!first)
        return;
    answer->link->subscribed = true;
    json_array_clear(answer->model->events);
    subscribe(answer->link, answer->model, oldest > 0 && next - EVENTS_BACK > oldest ? next - EVENTS_BACK : oldest,
              answer->now_s);
}

static void take_list(const struct answer *answer)
{
    struct link *link = answer->link;
    size_t i;
    json_t *summary;
    json_array_clear(answer->model->results);
    link->wanted_count = 0;
    /* The newest is asked for first: it stands at the end. */
    json_array_foreach (json_object_get(answer->result, "results"), i, summary)
        if (link->wanted_count < LINK_WANTED) {
            memmove(&link->wanted[1], &link->wanted[0], link->wanted_count++ * sizeof link->wanted[0]);
            link->wanted[0] = reply_integer(summary, "id", 0);
        }
}

static void take_result(const struct answer *answer)
{
    if (answer->result)
        model_take_result(answer->model, answer->result);
    view_follow(answer->view, answer->model);
}

/* Takes the text over. A page without one would be asked for again and again. */
static void show(const struct answer *answer, char *text)
{
    answer->link->shown_id = 0;
    if (text) {
        view_set_text(answer->view, text);
        return;
    }
    answer->model->failed = true;
    view_turn_to(answer->view, PAGE_PANELS);
}

/* Of the page that is still shown. */
static bool is_wanted(const struct answer *answer)
{
    return answer->view->page == PAGE_RESULT && answer->view->asked_id == answer->link->shown_id;
}

static void take_sheet(const struct answer *answer)
{
    struct link *link = answer->link;
    const int64_t run = reply_integer(answer->result, "run_id", 0);
    if (!is_wanted(answer)) {
        link->shown_id = 0;
        return;
    }
    if (!answer->result) {
        show(answer, strdup(answer->refusal));
        return;
    }
    json_decref(link->shown);
    link->shown = json_incref(answer->result);
    ask(link, answer->model, ASKS_RUN, "runs.get", json_pack("{s:I}", "run_id", (json_int_t)run), answer->now_s);
}

/* Also without a run: a daemon without a store on a disk knows of none. */
static void take_run(const struct answer *answer)
{
    struct link *link = answer->link;
    if (is_wanted(answer) && link->shown)
        show(answer, result_text(link->shown, json_object_get(answer->result, "traces"), answer->model->glyphs));
    json_decref(link->shown);
    link->shown = NULL;
    link->shown_id = 0;
}

static void take_nothing(const struct answer *answer)
{
    (void)answer;
}

static void (*const takes[])(const struct answer *answer) = {
    [ASKS_SUBSCRIPTION] = take_nothing, [ASKS_STATUS] = take_status, [ASKS_LIST] = take_list,
    [ASKS_RESULT] = take_result,        [ASKS_SHEET] = take_sheet,   [ASKS_RUN] = take_run,
};

static void take_answer(struct answer *answer, const json_t *message)
{
    const int64_t id = reply_integer(message, "id", -1);
    for (size_t i = 0; i < LINK_QUESTIONS; i++) {
        struct question *question = &answer->link->questions[i];
        if (question->id != id)
            continue;
        const int kind = question->kind;
        *question = (struct question){0};
        answer->result = json_object_get(message, "result");
        answer->refusal = reply_text(json_object_get(message, "error"), "message", "the daemon gave no reason");
        takes[kind](answer);
        return;
    }
}

bool link_read(struct link *link, struct model *model, struct view *view, double now_s)
{
    for (int i = 0; link->connection && i < MOST_AT_ONCE; i++) {
        struct answer answer = {.link = link, .model = model, .view = view, .now_s = now_s};
        struct complaint complaint;
        json_t *message;
        if (connection_take(link->connection, &message, &complaint) != STATUS_OK) {
            lose(link, model, &complaint, now_s);
            return false;
        }
        if (!message)
            return false;
        model->heard_s = now_s;
        if (plain_tree(message, model->glyphs->ascii) < 0)
            model->failed = true;
        else if (json_object_get(message, "method"))
            model_take(model, message, now_s);
        else
            take_answer(&answer, message);
        json_decref(message);
    }
    return link->connection != NULL;
}

int link_descriptor(const struct link *link)
{
    return link->connection ? connection_descriptor(link->connection) : -1;
}

void link_close(struct link *link)
{
    connection_close(link->connection);
    json_decref(link->shown);
    *link = (struct link){0};
}
