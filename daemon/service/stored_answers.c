/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the store's answer to the client's. Texts are put together, not parsed: a page of a thousand summaries would
 * take the event loop its time. */

#include "service/stored_answers.h"

#include "proto/cause.h"
#include "report/result_text.h"
#include "report/run_json.h"
#include "service/configuration_json.h"
#include "service/history.h"
#include "service/samples_json.h"
#include "service/session_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool store_can_be_asked(const struct service *service)
{
    return service->backend.ask != NULL;
}

/* A result that was published a moment ago may not have its number in the store yet; the history knows it. */
static uint64_t seq_of(const struct call *call, const struct found_result *found)
{
    if (found->seq > 0)
        return found->seq;
    const struct held_result *held = history_find(call_session(call)->service->history, found->id, found->revision);
    return held ? held->notice->seq : 0;
}

static struct result_numbers numbers_of(const struct call *call, const struct found_result *found)
{
    return (struct result_numbers){.seq = seq_of(call, found), .run_id = found->run_id};
}

/* One that is not of ids names its order: it says nothing in another. Those of earlier daemons did not. */
void write_cursor(char *text, size_t size, enum results_order order, const struct results_place *place)
{
    const char *name = results_order_name(order);
    if (order == ORDER_ID)
        snprintf(text, size, "%" PRIu64, place->id);
    else if (order == ORDER_RELEASED)
        snprintf(text, size, "%s:%" PRIu64 ":%" PRId64, name, place->id, place->time_ns);
    else
        snprintf(text, size, "%s:%" PRIu64 ":%.17g", name, place->id, place->number);
}

bool read_cursor(const char *text, enum results_order order, struct results_place *place)
{
    char *end;
    const char *name = results_order_name(order);
    const size_t length = strlen(name);
    const bool named = order != ORDER_ID && strncmp(text, name, length) == 0 && text[length] == ':';
    const char *numbers = named ? text + length + 1 : text;
    errno = 0;
    *place = (struct results_place){.id = strtoull(numbers, &end, 10)};
    if (end == numbers || place->id == 0 || place->id > INT64_MAX)
        return false;
    if (order != ORDER_ID) {
        const char *key = end + 1;
        if (*end != ':' || *key == '\0')
            return false;
        if (order == ORDER_RELEASED)
            place->time_ns = strtoll(key, &end, 10);
        else
            place->number = strtod(key, &end);
    }
    return *end == '\0' && errno == 0;
}

/* --- answers --- */

static void fail(struct call *call, const struct store_answer *answer)
{
    const struct store_question *question = answer->question;
    switch (answer->error) {
    case -ENOENT:
        if (question->kind == QUESTION_RESULT && question->revision > 0)
            call_fail(call, JSONRPC_NOT_FOUND, NULL,
                      "revision %u of result %" PRIu64 " is not held: `fricidctl results` shows what is",
                      question->revision, question->id);
        else if (question->kind == QUESTION_RUN)
            call_fail(call, JSONRPC_NOT_FOUND, NULL,
                      "run %" PRIu64 " is not held: `fricidctl results` shows the run of every result", question->id);
        else if (question->kind == QUESTION_CONFIGURATION)
            call_fail(call, JSONRPC_NOT_FOUND, NULL,
                      "no configuration with the id %s is known: neither did the daemon run under it since its start, "
                      "nor does the store hold it",
                      question->config_id);
        else if (question->kind == QUESTION_RESULTS)
            call_fail(call, JSONRPC_BUSY, NULL, "the store is not there yet: `fricidctl status` says why");
        else
            call_fail(call, JSONRPC_NOT_FOUND, NULL,
                      "result %" PRIu64 " is not held: `fricidctl results` shows what is", question->id);
        break;
    case -ENODATA:
        call_fail(call, JSONRPC_NOT_FOUND, NULL, "the samples of %s %" PRIu64 " were lost when the store was damaged",
                  question->kind == QUESTION_RUN ? "run" : "decay", question->id);
        break;
    case -EUCLEAN:
        call_fail(call, JSONRPC_DAMAGED, NULL,
                  "this part of the store is damaged: an event tells more, and what is done about it");
        break;
    case -ESHUTDOWN:
        call_fail(call, JSONRPC_BUSY, NULL, "the daemon is ending: ask again when it has started anew");
        break;
    default:
        call_fail(call, JSONRPC_BUSY, NULL, "the store cannot be read at the moment: %s", cause_of(answer->error));
    }
}

/* Whoever waits for a result gets none. */
static void give_up(struct call *call)
{
    if (call->take_result)
        call->take_result(call, NULL);
}

static void hand_over(struct call *call, const struct store_answer *answer)
{
    json_t *result = json_loads(answer->result.text, 0, NULL);
    if (result) {
        call->take_result(call, result);
    } else {
        give_up(call);
        call_fail(call, JSONRPC_BUSY, NULL, "memory is short at the moment: try again later");
    }
    json_decref(result);
}

/* The next page is asked for with the cursor; with before_id where the order is that of the ids, newest first. */
static void write_end_of_page(FILE *stream, const struct store_answer *answer)
{
    const struct results_query *query = &answer->question->query;
    bool plain = query->order == ORDER_ID && !query->ascending;
    char cursor[64];
    write_cursor(cursor, sizeof cursor, query->order, &answer->found.last);
    if (!answer->found.more)
        fputs("],\"next_before_id\":null,\"next_cursor\":null,\"reason\":\"this is the last page\"}", stream);
    else if (plain)
        fprintf(stream, "],\"next_before_id\":%s,\"next_cursor\":\"%s\",\"reason\":null}", cursor, cursor);
    else
        fprintf(stream,
                "],\"next_before_id\":null,\"next_cursor\":\"%s\",\"reason\":\"next_before_id is for the order "
                "of ids, newest first\"}",
                cursor);
}

/* Asks with a stream that is open for text; answers with what was written. */
static void answer_text(struct call *call,
                        void (*write)(FILE *stream, struct call *call, const struct store_answer *answer),
                        const struct store_answer *answer)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream) {
        write(stream, call, answer);
        bool complete = ferror(stream) == 0;
        if (fclose(stream) != 0 || !complete) {
            free(text);
            text = NULL;
        }
    }
    call_answer_text(call, text);
    free(text);
}

static void write_page(FILE *stream, struct call *call, const struct store_answer *answer)
{
    fputs("{\"results\":[", stream);
    for (size_t i = 0; i < answer->found.count; i++) {
        const struct found_result *found = &answer->found.results[i];
        if (i > 0)
            fputc(',', stream);
        write_summary(stream, found->text, numbers_of(call, found), found->is_protected);
    }
    write_end_of_page(stream, answer);
}

static void write_result(FILE *stream, struct call *call, const struct store_answer *answer)
{
    write_with_numbers(stream, answer->result.text, numbers_of(call, &answer->result));
}

static void on_answer(void *context, const struct store_answer *answer)
{
    struct call *call = context;
    const struct store_question *question = answer->question;
    struct session *session = call_session(call);
    call->question = 0;
    session->question_count--;
    session_wants_to_be_heard(session);
    if (answer->error) {
        give_up(call);
        fail(call, answer);
    } else if (call->take_result)
        hand_over(call, answer);
    else if (question->kind == QUESTION_RESULTS)
        answer_text(call, write_page, answer);
    else if (question->kind == QUESTION_RESULT)
        answer_text(call, write_result, answer);
    else if (question->kind == QUESTION_RUN)
        call_answer(call, run_to_json(&answer->run));
    else if (question->kind == QUESTION_CONFIGURATION)
        call_answer(call,
                    configuration_to_json(question->config_id, answer->configuration.path, answer->configuration.text));
    else
        call_answer(call, samples_to_json(answer->decay, (size_t)question->from_seq, question->limit));
}

static void ask(struct call *call, const struct store_question *question)
{
    struct service *service = call_session(call)->service;
    long ticket = service->backend.ask(service->backend.questions, question, on_answer, call);
    if (ticket > 0) {
        call->question = ticket;
        call_session(call)->question_count++;
    } else {
        give_up(call);
        call_fail(call, JSONRPC_BUSY, NULL,
                  ticket == -EAGAIN ? "too many questions wait for the store: wait for answers"
                                    : "memory is short at the moment: try again later");
    }
}

void answer_with_results(struct call *call, const struct results_query *query)
{
    ask(call, &(struct store_question){.kind = QUESTION_RESULTS, .query = *query});
}

void answer_with_result(struct call *call, uint64_t id, unsigned revision)
{
    ask(call, &(struct store_question){.kind = QUESTION_RESULT, .id = id, .revision = revision});
}

void hand_result(struct call *call, uint64_t id, void (*take)(struct call *call, const json_t *result))
{
    call->take_result = take;
    answer_with_result(call, id, 0);
}

void answer_with_run(struct call *call, uint64_t id)
{
    ask(call, &(struct store_question){.kind = QUESTION_RUN, .id = id});
}

void answer_with_configuration(struct call *call, const char *config_id)
{
    struct store_question question = {.kind = QUESTION_CONFIGURATION};
    snprintf(question.config_id, sizeof question.config_id, "%s", config_id);
    ask(call, &question);
}

void answer_with_samples(struct call *call, uint64_t id, size_t offset, size_t count)
{
    ask(call, &(struct store_question){.kind = QUESTION_SAMPLES, .id = id, .from_seq = offset, .limit = count});
}
