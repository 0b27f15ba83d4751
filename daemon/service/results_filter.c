/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the parameters of results.list to a question to the store. A misspelt word would select nothing and look like a
 * rig without results: it is an error. */

#include "service/results_filter.h"

#include "acquire/source.h"
#include "identify/ladder/ladder_term.h"
#include "identify/loop/friction_term.h"
#include "report/kinds/record_kind.h"
#include "service/stored_answers.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LIST_MAX = 1000 };

/* Which results. */
#define FILTER_PARAMETERS                                                                                              \
    {.name = KEY_RIG, .type = PARAMETER_TEXT, .maximum = 63, .note = "only of that one"},                              \
        {.name = KEY_CHANNEL, .type = PARAMETER_TEXT, .maximum = 63, .note = "only of that one"},                      \
        {.name = KEY_VERDICT, .type = PARAMETER_TEXT, .maximum = 47, .word = verdict_name_at, .note = "only those"},   \
        {.name = KEY_SOURCE_KIND,                                                                                      \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 15,                                                                                                \
         .word = source_kind_name_at,                                                                                  \
         .note = "only those"},                                                                                        \
        {.name = KEY_KIND,                                                                                             \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 23,                                                                                                \
         .word = record_kind_name_at,                                                                                  \
         .since = 2,                                                                                                   \
         .note = "only records of this kind"},                                                                         \
        {.name = KEY_MODEL,                                                                                            \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 95,                                                                                                \
         .since = 13,                                                                                                  \
         .note = "only free decays that show this model, such as viscous+coulomb, or driven contacts for which it "    \
                 "is chosen, such as elastoplastic+viscous"},                                                          \
        {.name = KEY_RELEASED_FROM,                                                                                    \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 40,                                                                                                \
         .note = "released at this time or later: a day or a moment of it, UTC"},                                      \
        {.name = KEY_RELEASED_TO,                                                                                      \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 40,                                                                                                \
         .note = "released at this time or earlier; of a day, a second or a microsecond its end counts"},              \
        {.name = "_min",                                                                                               \
         .type = PARAMETER_FIGURES,                                                                                    \
         .note = "of the recommended section, or of a record of another kind, at least so much; results without it "   \
                 "are left out"},                                                                                      \
        {.name = "_max",                                                                                               \
         .type = PARAMETER_FIGURES,                                                                                    \
         .note = "of the recommended section, or of a record of another kind, at most so much; results without it "    \
                 "are left out"},                                                                                      \
        {.name = KEY_RUN_ID,                                                                                           \
         .type = PARAMETER_INTEGER,                                                                                    \
         .minimum = 1,                                                                                                 \
         .maximum = PARAMETER_LARGEST,                                                                                 \
         .since = 2,                                                                                                   \
         .note = "only decays of this run"},                                                                           \
    {                                                                                                                  \
        .name = KEY_ID, .type = PARAMETER_INTEGER, .minimum = 1, .maximum = PARAMETER_LARGEST,                         \
        .note = "only this decay"                                                                                      \
    }

static const struct parameter for_list[] = {
    FILTER_PARAMETERS,
    {.name = "limit",
     .type = PARAMETER_INTEGER,
     .minimum = 1,
     .maximum = LIST_MAX,
     .note = "at most so many, 100 if left out; a page also ends where it becomes long"},
    {.name = "before_id",
     .type = PARAMETER_INTEGER,
     .minimum = 1,
     .maximum = PARAMETER_LARGEST,
     .note = "only decays with a smaller id; for the usual order"},
    {.name = "sort",
     .type = PARAMETER_TEXT,
     .maximum = 15,
     .word = results_order_name_at,
     .note =
         "id if left out; results without that figure are left out, and equal ones stand in the order of their ids"},
    {.name = "ascending", .type = PARAMETER_FLAG, .note = "true: the smallest first"},
    {.name = "cursor",
     .type = PARAMETER_TEXT,
     .maximum = 63,
     .note = "next_cursor of the page before; the other parameters must be the same as for that page"},
};

static const struct parameter for_reidentify[] = {
    FILTER_PARAMETERS,
    {.name = "check", .type = PARAMETER_FLAG, .note = "true: compare with what is stored, and store nothing"},
};

const struct parameter_list results_query_parameters = {for_list, sizeof for_list / sizeof for_list[0], NULL};
const struct parameter_list reidentify_parameters = {for_reidentify, sizeof for_reidentify / sizeof for_reidentify[0],
                                                     NULL};

static bool is_one_of(const char *(*word)(size_t index), const char *name)
{
    const char *known;
    for (size_t i = 0; (known = word(i)); i++)
        if (strcmp(known, name) == 0)
            return true;
    return false;
}

/* Fails with the words that would do. False. */
static bool refuse_word(struct call *call, const char *before, const char *(*word)(size_t index))
{
    char words[256] = "";
    const char *known;
    for (size_t i = 0; (known = word(i)); i++) {
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s", i > 0 ? ", " : "", known);
    }
    call_fail(call, JSONRPC_INVALID_PARAMS, NULL, "%s%s", before, words);
    return false;
}

/* Each set of terms has one name. */
static bool is_model_of_decays(const char *name)
{
    for (unsigned terms = 1; terms < LADDER_BIT(LADDER_TERMS); terms++)
        if (ladder_terms_allowed(terms) && strcmp(ladder_terms_name(terms).text, name) == 0)
            return true;
    return false;
}

static bool is_model(const char *name)
{
    return is_model_of_decays(name) || is_one_of(friction_row_name, name);
}

static bool refuse_model(struct call *call, const char *model)
{
    const struct ladder_name all = ladder_terms_name(LADDER_BIT(LADDER_TERMS) - 1);
    call_fail(
        call, JSONRPC_INVALID_PARAMS, NULL,
        "there is no model %s: of a free decay it is one or more of %s, in this order with + between them, and of a "
        "driven contact one of those that its result lists",
        model, all.text);
    return false;
}

static void read_words(const json_t *params, struct results_query *query)
{
    for (size_t i = 0; i < RESULTS_WORDS; i++) {
        const struct results_word *word = &results_words[i];
        snprintf((char *)query + word->offset, word->size, "%s", parameter_text(params, word->name, ""));
    }
}

/* A day, or a moment of it, UTC: "2026-11-21", "2026-11-21T07:05:31Z". The end of what is given when `end`; of a time
 * as it is published, that is the end of its microsecond. */
static bool read_time(const char *text, bool end, int64_t *time_ns)
{
    struct tm utc = {0};
    int used = 0;
    int fields = sscanf(text, "%4d-%2d-%2d%n", &utc.tm_year, &utc.tm_mon, &utc.tm_mday, &used);
    if (fields != 3 || used != 10)
        return false;
    utc.tm_year -= 1900;
    utc.tm_mon -= 1;
    const char *rest = text + used;
    int64_t span_ns = 86400 * INT64_C(1000000000), fraction_ns = 0;
    if (*rest) {
        if (sscanf(rest, "T%2d:%2d:%2d%n", &utc.tm_hour, &utc.tm_min, &utc.tm_sec, &used) != 3)
            return false;
        rest += used;
        span_ns = 1000000000;
        if (*rest == '.') {
            for (rest++; *rest >= '0' && *rest <= '9'; rest++) {
                span_ns /= 10;
                fraction_ns += (*rest - '0') * span_ns;
            }
        }
        if (strcmp(rest, "Z") != 0)
            return false;
    }
    /* What is not in the calendar, or on a clock, comes back as another time. */
    const struct tm given = utc;
    time_t seconds = timegm(&utc);
    if (utc.tm_mday != given.tm_mday || utc.tm_mon != given.tm_mon || utc.tm_hour != given.tm_hour ||
        utc.tm_min != given.tm_min || utc.tm_sec != given.tm_sec || utc.tm_year < 70 || utc.tm_year > 300)
        return false;
    *time_ns = (int64_t)seconds * 1000000000 + fraction_ns + (end && span_ns > 0 ? span_ns - 1 : 0);
    return true;
}

static bool read_released(struct call *call, const json_t *params, struct results_query *query)
{
    const char *from = parameter_text(params, KEY_RELEASED_FROM, NULL),
               *to = parameter_text(params, KEY_RELEASED_TO, NULL);
    bool good = (!from || read_time(from, false, &query->released_from_ns)) &&
                (!to || read_time(to, true, &query->released_to_ns));
    if (!good)
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL,
                  "a time is a day or a moment of it, UTC: \"2026-11-21\" or \"2026-11-21T07:05:31Z\"");
    return good;
}

static void read_ranges(const json_t *params, struct results_query *query)
{
    char low[32], high[32];
    for (int i = 0; i < SEARCHED_FIGURES; i++) {
        snprintf(low, sizeof low, "%s_min", searched_figures[i].name);
        snprintf(high, sizeof high, "%s_max", searched_figures[i].name);
        query->range[i] = (struct results_range){parameter_number(params, low, (double)NAN),
                                                 parameter_number(params, high, (double)NAN)};
    }
}

static bool read_order(struct call *call, const json_t *params, struct results_query *query)
{
    const char *sort = parameter_text(params, "sort", results_order_name(ORDER_ID)),
               *cursor = parameter_text(params, "cursor", NULL);
    int order = 0;
    while (order < RESULTS_ORDERS && strcmp(sort, results_order_name((enum results_order)order)) != 0)
        order++;
    query->order = (enum results_order)order;
    query->ascending = parameter_flag(params, "ascending", false);
    query->after.id = (uint64_t)parameter_integer(params, "before_id", 0);
    if (order == RESULTS_ORDERS)
        return refuse_word(call, "sort is one of ", results_order_name_at);
    const char *wrong = NULL;
    if (query->after.id > 0 && (order != ORDER_ID || query->ascending || cursor))
        wrong = "before_id is for the order of ids, newest first: use cursor";
    else if (cursor && !read_cursor(cursor, query->order, &query->after))
        wrong = "this cursor is not of a list in this order: next_cursor of the page before is";
    if (wrong)
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL, "%s", wrong);
    return !wrong;
}

bool read_query(struct call *call, const json_t *params, struct results_query *query)
{
    *query = results_query_all();
    query->limit = (size_t)parameter_integer(params, "limit", (json_int_t)query->limit);
    query->bytes = RESULTS_PAGE_BYTES;
    query->id = (uint64_t)parameter_integer(params, KEY_ID, 0);
    query->run_id = (uint64_t)parameter_integer(params, KEY_RUN_ID, 0);
    read_words(params, query);
    read_ranges(params, query);
    if (query->verdict[0] && !is_one_of(verdict_name_at, query->verdict)) {
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL, "there is no verdict %s", query->verdict);
        return false;
    }
    if (query->kind[0] && !is_one_of(record_kind_name_at, query->kind))
        return refuse_word(call, "the kinds of records are ", record_kind_name_at);
    if (query->model[0] && !is_model(query->model))
        return refuse_model(call, query->model);
    if (query->source_kind[0] && !is_one_of(source_kind_name_at, query->source_kind))
        return refuse_word(call, "the kinds of sources are ", source_kind_name_at);
    return read_released(call, params, query) && read_order(call, params, query);
}
