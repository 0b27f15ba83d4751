/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a question to its conditions, and to the one of them whose index leads to what they all select. */

#include "store/conditions.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static_assert(RESULTS_WORDS + SEARCHED_FIGURES + 4 <= MOST_CONDITIONS, "there is room for all conditions");

static const char *word_of(const struct results_query *query, size_t word)
{
    return (const char *)query + results_words[word].offset;
}

static bool asks_for_setups(const struct results_query *query)
{
    return query->rig[0] || query->channel[0];
}

/* --- parameters --- */

static int place_of(sqlite3_stmt *statement, const char *name)
{
    char text[64];
    snprintf(text, sizeof text, ":%s", name);
    return sqlite3_bind_parameter_index(statement, text);
}

void bind_number(sqlite3_stmt *statement, const char *name, int64_t number)
{
    int place = place_of(statement, name);
    if (place > 0)
        sqlite3_bind_int64(statement, place, number);
}

void bind_figure(sqlite3_stmt *statement, const char *name, double figure)
{
    int place = place_of(statement, name);
    if (place > 0)
        sqlite3_bind_double(statement, place, figure);
}

static void bind_words(sqlite3_stmt *statement, const struct results_query *query)
{
    for (size_t i = 0; i < RESULTS_WORDS; i++) {
        int place = place_of(statement, results_words[i].name);
        if (place > 0)
            bind_text(statement, place, word_of(query, i));
    }
}

/* --- conditions --- */

static void add_condition(struct conditions *conditions, bool by_id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_condition(struct conditions *conditions, bool by_id, const char *format, ...)
{
    struct condition *condition = &conditions->list[conditions->count++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(condition->text, sizeof condition->text, format, arguments);
    va_end(arguments);
    condition->by_id = by_id;
}

/* The parameters of a range are those of its column with _min and _max. */
static void add_range(struct conditions *conditions, const char *column, bool low, bool high)
{
    if (low && high)
        add_condition(conditions, false, "r.%s BETWEEN :%s_min AND :%s_max", column, column, column);
    else if (low || high)
        add_condition(conditions, false, "r.%s %s :%s_%s", column, low ? ">=" : "<=", column, low ? "min" : "max");
}

#define SETUPS "setup WHERE (:rig IS NULL OR rig = :rig) AND (:channel IS NULL OR channel = :channel)"

/* The only set-up that fits, when there is only one: an index then leads to its results in their order. 0: several. */
static int64_t single_setup(struct database *database, const struct results_query *query)
{
    sqlite3_stmt *find =
        database_statement(database, "SELECT CASE count(*) WHEN 1 THEN min(id) ELSE 0 END FROM " SETUPS);
    bind_words(find, query);
    int64_t setup = 0;
    if (database_step(database, find) == 1)
        setup = sqlite3_column_int64(find, 0);
    sqlite3_reset(find);
    return setup;
}

static void list_conditions(struct conditions *conditions)
{
    const struct results_query *query = conditions->query;
    if (query->id > 0)
        add_condition(conditions, true, "r.decay = :id");
    if (query->run_id > 0)
        add_condition(conditions, false, "r.decay IN (SELECT id FROM decay WHERE run = :run)");
    if (conditions->setup > 0)
        add_condition(conditions, true, "r.setup = :setup");
    else if (asks_for_setups(query))
        add_condition(conditions, false, "r.setup IN (SELECT id FROM " SETUPS ")");
    for (size_t i = 0; i < RESULTS_WORDS; i++)
        if (!results_words[i].of_setup && word_of(query, i)[0])
            add_condition(conditions, true, "r.%s = :%s", results_words[i].name, results_words[i].name);
    add_range(conditions, results_order_column(ORDER_RELEASED), query->released_from_ns != INT64_MIN,
              query->released_to_ns != INT64_MAX);
    for (int i = 0; i < SEARCHED_FIGURES; i++)
        add_range(conditions, searched_figures[i].name, !isnan(query->range[i].low), !isnan(query->range[i].high));
}

static void bind_range(sqlite3_stmt *statement, const char *column, const struct results_range *range)
{
    char name[48];
    snprintf(name, sizeof name, "%s_min", column);
    bind_figure(statement, name, range->low);
    snprintf(name, sizeof name, "%s_max", column);
    bind_figure(statement, name, range->high);
}

void conditions_bind(sqlite3_stmt *statement, const struct conditions *conditions)
{
    const struct results_query *query = conditions->query;
    bind_words(statement, query);
    bind_number(statement, "released_at_ns_min", query->released_from_ns);
    bind_number(statement, "released_at_ns_max", query->released_to_ns);
    for (int i = 0; i < SEARCHED_FIGURES; i++)
        bind_range(statement, searched_figures[i].name, &query->range[i]);
    bind_number(statement, "setup", conditions->setup);
    bind_number(statement, "id", (int64_t)query->id);
    bind_number(statement, "run", (int64_t)query->run_id);
}

/* --- the way to them --- */

/* More results than this are not sorted for a page: a page is found sooner among them in their order. */
enum { SORTED_AT_MOST = 4000 };

/* How many results fulfil a condition, SORTED_AT_MOST at most; or an error. */
static int64_t count_some(struct database *database, const struct conditions *conditions,
                          const struct condition *condition)
{
    char sql[512];
    sqlite3_stmt *count = NULL;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT 1 FROM result r WHERE r.latest AND %s LIMIT %d)",
             condition->text, SORTED_AT_MOST);
    int error = database_code(database, sqlite3_prepare_v2(database->handle, sql, -1, &count, NULL));
    if (error)
        return error;
    conditions_bind(count, conditions);
    int row = database_step(database, count);
    int64_t some = row == 1 ? sqlite3_column_int64(count, 0) : row;
    sqlite3_finalize(count);
    return some;
}

/* SQLite keeps no figures from which it could tell a rare verdict from a common one; a look at the indexes does. */
static int find_lead(struct database *database, struct conditions *conditions)
{
    int64_t least = SORTED_AT_MOST;
    for (size_t i = 0; i < conditions->count; i++) {
        const struct condition *condition = &conditions->list[i];
        int64_t some = count_some(database, conditions, condition);
        if (some < 0)
            return (int)some;
        if (some < least) {
            conditions->lead = condition;
            conditions->sorts = true;
            least = some;
        }
    }
    for (size_t i = 0; i < conditions->count && !conditions->lead && conditions->query->order == ORDER_ID; i++)
        if (conditions->list[i].by_id)
            conditions->lead = &conditions->list[i];
    return 0;
}

int conditions_of(struct database *database, const struct results_query *query, struct conditions *conditions)
{
    conditions->query = query;
    conditions->count = 0;
    conditions->lead = NULL;
    conditions->sorts = false;
    conditions->setup = asks_for_setups(query) ? single_setup(database, query) : 0;
    list_conditions(conditions);
    return find_lead(database, conditions);
}

void conditions_add(sqlite3_str *sql, const struct conditions *conditions)
{
    sqlite3_str_appendall(sql, " WHERE r.latest");
    for (size_t i = 0; i < conditions->count; i++)
        sqlite3_str_appendf(sql, " AND %s%s", &conditions->list[i] == conditions->lead ? "" : "+",
                            conditions->list[i].text);
}
