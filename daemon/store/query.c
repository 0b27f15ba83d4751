/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions about results, as SQL. Parameters have the same numbers in every statement; one that a question does not
 * use is not bound. */

#include "store/query.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *column;
} orders[RESULTS_ORDERS] = {
    [ORDER_ID] = {"id", "r.decay"},       [ORDER_RELEASED] = {"released_at", "r.released_at_ns"},
    [ORDER_F_N] = {"f_n_hz", "r.f_n_hz"}, [ORDER_ZETA] = {"zeta", "r.zeta"},
    [ORDER_X_K] = {"x_k", "r.x_k"},       [ORDER_X0] = {"x0", "r.x0"},
};

const char *results_order_name(enum results_order order)
{
    return orders[order].name;
}

struct results_query results_query_all(void)
{
    const struct results_range open = {NAN, NAN};
    return (struct results_query){.released_from_ns = INT64_MIN,
                                  .released_to_ns = INT64_MAX,
                                  .f_n_hz = open,
                                  .zeta = open,
                                  .x_k = open,
                                  .x0 = open,
                                  .limit = 100,
                                  .bytes = 1 << 18};
}

/* --- conditions --- */

enum { SQL_SIZE = 2048 };

enum place {
    RIG = 1,
    CHANNEL,
    VERDICT,
    SOURCE,
    RELEASED_FROM,
    RELEASED_TO,
    RANGES, /* two for each of four */
    AFTER_KEY = RANGES + 8,
    AFTER_ID,
    LIMIT,
    SETUP,
    DECAY,
    RUN,
};

static void add(char sql[SQL_SIZE], const char *text)
{
    size_t length = strlen(sql);
    snprintf(sql + length, SQL_SIZE - length, "%s", text);
}

/* A condition that an index leads to; its text begins with a column, so that a plus in front keeps SQLite from using
 * that index. */
struct condition {
    char text[160];
    bool by_id; /* the results that an index finds for it come in the order of their ids */
};

enum { MOST_CONDITIONS = 11 };

struct conditions {
    struct condition list[MOST_CONDITIONS];
    size_t count;
};

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

static void add_range(struct conditions *conditions, const char *column, bool low, bool high, int place)
{
    if (low && high)
        add_condition(conditions, false, "r.%s BETWEEN ?%d AND ?%d", column, place, place + 1);
    else if (low || high)
        add_condition(conditions, false, "r.%s %s ?%d", column, low ? ">=" : "<=", low ? place : place + 1);
}

/* The only set-up that fits, when there is only one: an index then leads to its results in their order. 0: several. */
static int64_t single_setup(struct database *database, const struct results_query *query)
{
    sqlite3_stmt *find =
        database_statement(database, "SELECT min(id), count(*) FROM setup WHERE (?1 IS NULL OR rig = ?1)"
                                     " AND (?2 IS NULL OR channel = ?2)");
    bind_text(find, 1, query->rig);
    bind_text(find, 2, query->channel);
    int64_t setup = 0;
    if (database_step(database, find) == 1 && sqlite3_column_int(find, 1) == 1)
        setup = sqlite3_column_int64(find, 0);
    sqlite3_reset(find);
    return setup;
}

static void list_conditions(const struct results_query *query, int64_t setup, struct conditions *conditions)
{
    const struct {
        const char *column;
        const struct results_range *range;
    } ranges[] = {{"f_n_hz", &query->f_n_hz}, {"zeta", &query->zeta}, {"x_k", &query->x_k}, {"x0", &query->x0}};
    conditions->count = 0;
    if (query->id > 0)
        add_condition(conditions, true, "r.decay = ?19");
    if (query->run_id > 0)
        add_condition(conditions, false, "r.decay IN (SELECT id FROM decay WHERE run = ?20)");
    if (setup > 0)
        add_condition(conditions, true, "r.setup = ?18");
    else if (query->rig[0] || query->channel[0])
        add_condition(conditions, false,
                      "r.setup IN (SELECT id FROM setup WHERE (?1 IS NULL OR rig = ?1) AND (?2 IS NULL OR channel ="
                      " ?2))");
    if (query->verdict[0])
        add_condition(conditions, true, "r.verdict = ?3");
    if (query->source_kind[0])
        add_condition(conditions, true, "r.source_kind = ?4");
    add_range(conditions, "released_at_ns", query->released_from_ns != INT64_MIN, query->released_to_ns != INT64_MAX,
              RELEASED_FROM);
    for (int i = 0; i < 4; i++)
        add_range(conditions, ranges[i].column, !isnan(ranges[i].range->low), !isnan(ranges[i].range->high),
                  RANGES + 2 * i);
}

static void bind_conditions(sqlite3_stmt *statement, const struct results_query *query, int64_t setup)
{
    const struct results_range *ranges[] = {&query->f_n_hz, &query->zeta, &query->x_k, &query->x0};
    bind_text(statement, RIG, query->rig);
    bind_text(statement, CHANNEL, query->channel);
    bind_text(statement, VERDICT, query->verdict);
    bind_text(statement, SOURCE, query->source_kind);
    sqlite3_bind_int64(statement, RELEASED_FROM, query->released_from_ns);
    sqlite3_bind_int64(statement, RELEASED_TO, query->released_to_ns);
    for (int i = 0; i < 4; i++) {
        sqlite3_bind_double(statement, RANGES + 2 * i, ranges[i]->low);
        sqlite3_bind_double(statement, RANGES + 2 * i + 1, ranges[i]->high);
    }
    sqlite3_bind_int64(statement, SETUP, setup);
    sqlite3_bind_int64(statement, DECAY, (sqlite3_int64)query->id);
    sqlite3_bind_int64(statement, RUN, (sqlite3_int64)query->run_id);
}

/* --- pages --- */

/* What leads to the results of a page. */
struct lead {
    const struct condition *condition; /* NULL: the index of the order */
    bool sorts;                        /* what it finds is so little that it is put in order afterwards */
};

/* More results than this are not sorted for a page: a page is found sooner among them in their order. */
enum { FEW = 4000 };

/* How many results fulfil a condition, FEW at most; or an error. */
static int64_t count_some(struct database *database, const struct results_query *query, int64_t setup,
                          const struct condition *condition)
{
    char sql[512];
    sqlite3_stmt *count = NULL;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT 1 FROM result r WHERE r.latest AND %s LIMIT %d)",
             condition->text, FEW);
    int error = database_code(database, sqlite3_prepare_v2(database->handle, sql, -1, &count, NULL));
    if (error)
        return error;
    bind_conditions(count, query, setup);
    int row = database_step(database, count);
    int64_t some = row == 1 ? sqlite3_column_int64(count, 0) : row;
    sqlite3_finalize(count);
    return some;
}

/* SQLite keeps no figures from which it could tell a rare verdict from a common one; a look at the indexes does. */
static int find_lead(struct database *database, const struct results_query *query, int64_t setup,
                     const struct conditions *conditions, struct lead *lead)
{
    int64_t least = FEW;
    *lead = (struct lead){.condition = NULL};
    for (size_t i = 0; i < conditions->count; i++) {
        const struct condition *condition = &conditions->list[i];
        int64_t some = count_some(database, query, setup, condition);
        if (some < 0)
            return (int)some;
        if (some < least) {
            *lead = (struct lead){.condition = condition, .sorts = true};
            least = some;
        }
    }
    for (size_t i = 0; i < conditions->count && !lead->condition && query->order == ORDER_ID; i++)
        if (conditions->list[i].by_id)
            lead->condition = &conditions->list[i];
    return 0;
}

static void add_conditions(char sql[SQL_SIZE], const struct conditions *conditions, const struct lead *lead)
{
    add(sql, " WHERE r.latest");
    for (size_t i = 0; i < conditions->count; i++) {
        add(sql, &conditions->list[i] == lead->condition ? " AND " : " AND +");
        add(sql, conditions->list[i].text);
    }
}

/* Pairs are compared, so that results with the same figure have their order, too. */
static void add_order(char sql[SQL_SIZE], const struct results_query *query, const struct lead *lead)
{
    char text[256];
    const char *column = orders[query->order].column, *direction = query->ascending ? "ASC" : "DESC";
    const char *beyond = query->ascending ? ">" : "<", *plus = lead->sorts ? "+" : "";
    bool by_id = query->order == ORDER_ID;
    if (!by_id) {
        snprintf(text, sizeof text, " AND %s%s IS NOT NULL", plus, column);
        add(sql, text);
    }
    if (query->after.id > 0 && by_id)
        snprintf(text, sizeof text, " AND %sr.decay %s ?%d", plus, beyond, AFTER_ID);
    else if (query->after.id > 0)
        snprintf(text, sizeof text, " AND (%s%s, r.decay) %s (?%d, ?%d)", plus, column, beyond, AFTER_KEY, AFTER_ID);
    if (query->after.id > 0)
        add(sql, text);
    if (by_id)
        snprintf(text, sizeof text, " ORDER BY %sr.decay %s LIMIT ?%d", plus, direction, LIMIT);
    else
        snprintf(text, sizeof text, " ORDER BY %s%s %s, r.decay %s LIMIT ?%d", plus, column, direction, direction,
                 LIMIT);
    add(sql, text);
}

/* Takes id, revision, seq and the text from the row; what stands behind that says whether its checksum is wrong, and of
 * which run it is. */
static int keep(struct found_results *found, sqlite3_stmt *row)
{
    const char *text = (const char *)sqlite3_column_text(row, 3);
    if (!text)
        return -ENOMEM;
    if (!column_is_sound(row, 3) || sqlite3_column_int(row, 4))
        return -EUCLEAN;
    if (found->count == found->capacity) {
        size_t capacity = found->capacity ? 2 * found->capacity : 64;
        struct found_result *larger = realloc(found->results, capacity * sizeof *larger);
        if (!larger)
            return -ENOMEM;
        found->results = larger;
        found->capacity = capacity;
    }
    char *copy = strdup(text);
    if (!copy)
        return -ENOMEM;
    found->results[found->count++] = (struct found_result){.id = (uint64_t)sqlite3_column_int64(row, 0),
                                                           .revision = (unsigned)sqlite3_column_int64(row, 1),
                                                           .seq = (uint64_t)sqlite3_column_int64(row, 2),
                                                           .run_id = (uint64_t)sqlite3_column_int64(row, 5),
                                                           .text = copy};
    return 0;
}

void found_results_clear(struct found_results *found)
{
    for (size_t i = 0; i < found->count; i++)
        free(found->results[i].text);
    free(found->results);
    *found = (struct found_results){0};
}

/* Rows of id, revision, seq, summary, what is wrong with it, its run and the key of the order, until the page is full.
 */
static int take_page(struct database *database, sqlite3_stmt *rows, const struct results_query *query,
                     struct found_results *found)
{
    size_t bytes = 0;
    int row;
    while ((row = database_step(database, rows)) == 1) {
        const char *summary = column_text(rows, 3);
        bytes += strlen(summary) + 1;
        found->more = found->count == query->limit || (bytes > query->bytes && found->count > 0);
        if (found->more)
            return 0;
        int error = keep(found, rows);
        if (error)
            return error;
        found->last = (struct results_place){.id = (uint64_t)sqlite3_column_int64(rows, 0),
                                             .time_ns = sqlite3_column_int64(rows, 6),
                                             .number = sqlite3_column_double(rows, 6)};
    }
    return row < 0 ? row : 0;
}

int find_results(struct database *database, const struct results_query *query, struct found_results *found)
{
    char sql[SQL_SIZE];
    *found = (struct found_results){0};
    int64_t setup = query->rig[0] || query->channel[0] ? single_setup(database, query) : 0;
    struct conditions conditions;
    struct lead lead;
    list_conditions(query, setup, &conditions);
    int error = find_lead(database, query, setup, &conditions, &lead);
    if (error)
        return error;
    /* The summaries only of those that are on the page. */
    snprintf(sql, sizeof sql,
             "SELECT f.decay, f.revision, f.seq, d.summary, f.summary_checksum <> fnv1a(d.summary),"
             " (SELECT run FROM decay WHERE id = f.decay), f.key FROM"
             " (SELECT r.id, r.decay, r.revision, r.seq, r.summary_checksum, %s AS key FROM result r",
             orders[query->order].column);
    add_conditions(sql, &conditions, &lead);
    add_order(sql, query, &lead);
    add(sql, query->ascending ? ") AS f CROSS JOIN document d ON d.result = f.id ORDER BY f.key ASC, f.decay ASC"
                              : ") AS f CROSS JOIN document d ON d.result = f.id ORDER BY f.key DESC, f.decay DESC");
    sqlite3_stmt *rows = NULL;
    error = database_code(database, sqlite3_prepare_v2(database->handle, sql, -1, &rows, NULL));
    if (error)
        return error;
    bind_conditions(rows, query, setup);
    if (query->order == ORDER_RELEASED)
        sqlite3_bind_int64(rows, AFTER_KEY, query->after.time_ns);
    else
        sqlite3_bind_double(rows, AFTER_KEY, query->after.number);
    sqlite3_bind_int64(rows, AFTER_ID, (sqlite3_int64)query->after.id);
    sqlite3_bind_int64(rows, LIMIT, (sqlite3_int64)query->limit + 1);
    error = take_page(database, rows, query, found);
    sqlite3_finalize(rows);
    return error;
}

int find_next_id(struct database *database, const struct results_query *query, uint64_t after, uint64_t *id)
{
    struct results_query one = *query;
    struct found_results found;
    one.order = ORDER_ID;
    one.ascending = true;
    one.limit = 1;
    one.after.id = after;
    int error = find_results(database, &one, &found);
    *id = found.count > 0 ? found.results[0].id : 0;
    found_results_clear(&found);
    return error;
}

/* --- one result, one configuration, and notifications --- */

int find_result(struct database *database, uint64_t id, unsigned revision, struct found_result *found)
{
    *found = (struct found_result){0};
    sqlite3_stmt *row =
        database_statement(database, "SELECT r.decay, r.revision, r.seq, d.text, r.text_checksum <> fnv1a(d.text),"
                                     " (SELECT run FROM decay WHERE id = r.decay) FROM result r JOIN document d ON "
                                     "d.result = r.id WHERE r.decay = ?1 AND "
                                     "(r.revision = ?2 OR (?2 = 0 AND r.latest))");
    sqlite3_bind_int64(row, 1, (sqlite3_int64)id);
    sqlite3_bind_int64(row, 2, revision);
    int step = database_step(database, row);
    if (step != 1)
        return step < 0 ? step : -ENOENT;
    if (!column_is_sound(row, 3) || sqlite3_column_int(row, 4)) {
        sqlite3_reset(row);
        return -EUCLEAN;
    }
    *found = (struct found_result){.id = id,
                                   .revision = (unsigned)sqlite3_column_int64(row, 1),
                                   .seq = (uint64_t)sqlite3_column_int64(row, 2),
                                   .run_id = (uint64_t)sqlite3_column_int64(row, 5),
                                   .text = strdup(column_text(row, 3))};
    sqlite3_reset(row);
    return found->text ? 0 : -ENOMEM;
}

int find_configuration(struct database *database, const char *config_id, struct found_configuration *found)
{
    *found = (struct found_configuration){0};
    sqlite3_stmt *row = database_statement(
        database, "SELECT path, text, text_checksum <> fnv1a(text) FROM configuration WHERE config_id = ?1");
    bind_text(row, 1, config_id);
    int step = database_step(database, row);
    if (step != 1)
        return step < 0 ? step : -ENOENT;
    if (!column_is_sound(row, 1) || sqlite3_column_int(row, 2)) {
        sqlite3_reset(row);
        return -EUCLEAN;
    }
    bool has_path = sqlite3_column_type(row, 0) != SQLITE_NULL;
    found->path = has_path ? strdup(column_text(row, 0)) : NULL;
    found->text = strdup(column_text(row, 1));
    sqlite3_reset(row);
    if (found->text && (found->path || !has_path))
        return 0;
    found_configuration_clear(found);
    return -ENOMEM;
}

void found_configuration_clear(struct found_configuration *found)
{
    free(found->path);
    free(found->text);
    *found = (struct found_configuration){0};
}

int find_notices(struct database *database, bool results, bool events, uint64_t from, uint64_t before, size_t limit,
                 struct found_results *found)
{
    *found = (struct found_results){0};
    sqlite3_stmt *rows = database_statement(
        database,
        "SELECT * FROM (SELECT r.decay, r.revision, r.seq AS seq, d.text, r.text_checksum <> fnv1a(d.text),"
        " (SELECT run FROM decay WHERE id = r.decay) FROM result r JOIN document d"
        " ON d.result = r.id WHERE ?1 AND r.seq >= ?3 AND r.seq < ?4 ORDER BY r.seq LIMIT ?5)"
        " UNION ALL SELECT * FROM (SELECT 0, 0, seq, text, text_checksum <> fnv1a(text), 0 FROM event WHERE ?2 AND "
        "seq >= ?3 AND seq < ?4"
        " ORDER BY seq LIMIT ?5) ORDER BY 3 LIMIT ?5");
    sqlite3_bind_int(rows, 1, results);
    sqlite3_bind_int(rows, 2, events);
    /* Events of an earlier history have the number 0. */
    sqlite3_bind_int64(rows, 3, from > 0 ? (sqlite3_int64)from : 1);
    sqlite3_bind_int64(rows, 4, (sqlite3_int64)before);
    sqlite3_bind_int64(rows, 5, (sqlite3_int64)limit);
    int row, error = 0;
    while (!error && (row = database_step(database, rows)) == 1)
        error = keep(found, rows);
    if (error)
        sqlite3_reset(rows);
    found->more = found->count == limit;
    return error ? error : row < 0 ? row : 0;
}
