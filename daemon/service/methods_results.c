/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was identified, and the samples behind it, as far as the history holds them. Pages and chunks are bounded, so
 * that no answer is longer than a line. */

#include "service/history.h"
#include "service/methods.h"
#include "service/results_filter.h"
#include "service/samples_json.h"
#include "service/service_state.h"
#include "service/session_state.h"
#include "service/stored_answers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MAX = 8192 };

static struct history *history_of(const struct call *call)
{
    return call_session(call)->service->history;
}

struct selection {
    const char *rig, *channel, *verdict; /* NULL: any */
    uint64_t run_id;                     /* 0: any */
    uint64_t before_id;                  /* 0: from the newest */
};

static bool is_selected(const struct selection *selection, const struct held_result *held)
{
    return (!selection->rig || strcmp(selection->rig, held->rig) == 0) &&
           (!selection->channel || strcmp(selection->channel, held->channel) == 0) &&
           (!selection->verdict || strcmp(selection->verdict, verdict_name(held->verdict)) == 0) &&
           (selection->run_id == 0 || selection->run_id == held->run_id) &&
           (selection->before_id == 0 || held->id < selection->before_id);
}

/* Order of results: newest decay first, and of a decay the latest revision first. */
static int newest_first(const void *one, const void *other)
{
    const struct held_result *a = *(const struct held_result *const *)one;
    const struct held_result *b = *(const struct held_result *const *)other;
    if (a->id != b->id)
        return a->id < b->id ? 1 : -1;
    return (a->revision < b->revision) - (a->revision > b->revision);
}

/* All held results in that order, for the caller to free. NULL when memory is short. */
static const struct held_result **sorted_results(const struct history *history, size_t *count)
{
    for (*count = 0; history_result(history, *count);)
        ++*count;
    const struct held_result **sorted = calloc(*count + 1, sizeof(struct held_result *));
    for (size_t i = 0; sorted && i < *count; i++)
        sorted[i] = history_result(history, i);
    if (sorted)
        qsort(sorted, *count, sizeof(struct held_result *), newest_first);
    return sorted;
}

/* The selected ones among them, for the caller to free. A selection looks at the latest revision of a decay only: what
 * an earlier one said does not hold any more. */
static const struct held_result **select_results(const struct history *history, const struct selection *selection,
                                                 size_t *count)
{
    size_t held_count, selected = 0;
    const struct held_result **held = sorted_results(history, &held_count);
    uint64_t previous_id = 0; /* no result has the id 0 */
    for (size_t i = 0; held && i < held_count; i++) {
        const struct held_result *result = held[i];
        if (result->id != previous_id && is_selected(selection, result))
            held[selected++] = result;
        previous_id = result->id;
    }
    *count = selected;
    return held;
}

/* The summaries, as many as the length of a page allows; tells how many these are. */
static size_t write_summaries(FILE *stream, const struct held_result *const *found, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        bytes += strlen(found[i]->summary) + 1;
        if (bytes > RESULTS_PAGE_BYTES)
            return i;
        fprintf(stream, "%s%s", i > 0 ? "," : "", found[i]->summary);
    }
    return count;
}

/* A page of at most `limit` summaries out of `count`, as JSON text for the caller to free: summaries are held as text,
 * and hundreds of them would take their time to be parsed and written again. NULL when memory is short. */
static char *page_text(const struct held_result *const *found, size_t count, size_t limit)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    fputs("{\"results\":[", stream);
    size_t listed = write_summaries(stream, found, count < limit ? count : limit);
    if (listed > 0 && listed < count)
        fprintf(stream, "],\"next_before_id\":%" PRIu64 ",\"next_cursor\":\"%" PRIu64 "\",\"reason\":null}",
                found[listed - 1]->id, found[listed - 1]->id);
    else
        fputs("],\"next_before_id\":null,\"next_cursor\":null,\"reason\":\"this is the last page\"}", stream);
    bool complete = ferror(stream) == 0;
    if (fclose(stream) == 0 && complete)
        return text;
    free(text);
    return NULL;
}

/* Out of memory: the newest first; `before_id` takes up where the last page ended, even when new results have come
 * meanwhile. */
static void list_held(struct call *call, const json_t *params, const struct results_query *query)
{
    struct selection selection = {
        .rig = parameter_text(params, "rig", NULL),
        .channel = parameter_text(params, "channel", NULL),
        .verdict = parameter_text(params, "verdict", NULL),
        .run_id = query->run_id,
        .before_id = query->after.id,
    };
    size_t count;
    const struct held_result **found = select_results(history_of(call), &selection, &count);
    char *page = found ? page_text(found, count, query->limit) : NULL;
    free(found);
    call_answer_text(call, page);
    free(page);
}

/* Without a store only the plain questions can be answered. */
static bool asks_for_more(const json_t *params)
{
    static const char *const plain[] = {"rig", "channel", "verdict", "run_id", "limit", "before_id"};
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)params, name, value) {
        bool known = false;
        for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
            known = known || strcmp(name, plain[i]) == 0;
        if (!known)
            return true;
    }
    return false;
}

static void run_list(struct call *call, const json_t *params)
{
    struct results_query query;
    if (!read_query(call, params, &query))
        return;
    if (store_can_be_asked(call_session(call)->service))
        answer_with_results(call, &query);
    else if (asks_for_more(params))
        call_fail(call, JSONRPC_NOT_POSSIBLE, NULL,
                  "results are held in memory only, where they can be selected by rig, channel, "
                  "verdict and run_id");
    else
        list_held(call, params, &query);
}

static void run_get(struct call *call, const json_t *params)
{
    json_int_t id = parameter_integer(params, "id", 0);
    json_int_t revision = parameter_integer(params, "revision", 0);
    const struct held_result *held = history_find(history_of(call), (uint64_t)id, (unsigned)revision);
    if (held)
        call_answer(call, held_result_to_json(held));
    else if (store_can_be_asked(call_session(call)->service))
        answer_with_result(call, (uint64_t)id, (unsigned)revision);
    else if (revision > 0)
        call_fail(call, JSONRPC_NOT_FOUND, NULL,
                  "revision %lld of result %lld is not held: `fricidctl results` shows what is", (long long)revision,
                  (long long)id);
    else
        call_fail(call, JSONRPC_NOT_FOUND, NULL, "result %lld is not held: `fricidctl results` shows what is",
                  (long long)id);
}

/* The error tells apart what never was and what is not held any more. */
static void run_samples(struct call *call, const json_t *params)
{
    uint64_t id = (uint64_t)parameter_integer(params, "id", 0);
    const struct history *history = history_of(call);
    const struct kept_decay *kept = history_samples(history, id);
    if (kept)
        call_answer(call, samples_to_json(kept, (size_t)parameter_integer(params, "offset", 0),
                                          (size_t)parameter_integer(params, "count", SAMPLES_MAX)));
    else if (store_can_be_asked(call_session(call)->service))
        answer_with_samples(call, id, (size_t)parameter_integer(params, "offset", 0),
                            (size_t)parameter_integer(params, "count", SAMPLES_MAX));
    else if (history_find(history, id, 0))
        call_fail(call, JSONRPC_NOT_FOUND, NULL,
                  "the samples of decay %llu are no longer held: those of the oldest decays go first",
                  (unsigned long long)id);
    else
        call_fail(call, JSONRPC_NOT_FOUND, NULL, "decay %llu is not held: `fricidctl results` shows what is",
                  (unsigned long long)id);
}

static void run_runs_get(struct call *call, const json_t *params)
{
    if (store_can_be_asked(call_session(call)->service))
        answer_with_run(call, (uint64_t)parameter_integer(params, "run_id", 0));
    else
        call_fail(
            call, JSONRPC_NOT_FOUND, NULL,
            "without a store on a disk only results are held: `fricidctl results --where run_id=N` shows those of "
            "a run");
}

static const struct parameter runs_get_parameters[] = {PARAMETER_ID("run_id", "of the run")};

static const struct parameter get_parameters[] = {
    PARAMETER_ID("id", "of the decay"),
    {.name = "revision", .type = PARAMETER_INTEGER, .minimum = 1, .maximum = 1e9, .note = "the latest if left out"},
};

static const struct parameter samples_parameters[] = {
    PARAMETER_ID("id", "of the decay"),
    {.name = "offset",
     .type = PARAMETER_INTEGER,
     .minimum = 0,
     .maximum = PARAMETER_LARGEST,
     .note = "number of the first sample, 0 if left out; sample 0 is the first one before the trigger"},
    {.name = "count",
     .type = PARAMETER_INTEGER,
     .minimum = 1,
     .maximum = SAMPLES_MAX,
     .note = "at most so many; as many as can be had if left out"},
};

static const struct method methods[] = {
    {.name = "results.list", .parameters = &results_query_parameters, .run = run_list, .asks = true},
    {.name = "results.get", .parameters = PARAMETERS(get_parameters), .run = run_get, .asks = true},
    {.name = "runs.get", .parameters = PARAMETERS(runs_get_parameters), .run = run_runs_get, .asks = true},
    {.name = "samples", .parameters = PARAMETERS(samples_parameters), .run = run_samples, .asks = true},
};

const struct method_group methods_about_results = {methods, sizeof methods / sizeof methods[0]};
