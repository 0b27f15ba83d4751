/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions about results, as SQL. */

#include "store/query.h"

#include "store/columns.h"
#include "store/conditions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- rows --- */

/* What a row tells of a result: a question says where each of it comes from. */
enum found_column {
    FOUND_ID,
    FOUND_REVISION,
    FOUND_SEQ,
    FOUND_RUN,
    FOUND_PROTECTED, /* of a page */
    FOUND_TEXT,
    FOUND_WRONG, /* its checksum says that the text is not what was stored */
    FOUND_KEY,   /* of the order */
    FOUND_COLUMNS
};

static void add_selection(sqlite3_str *sql, const char *const columns[FOUND_COLUMNS])
{
    for (int i = 0; i < FOUND_COLUMNS; i++)
        sqlite3_str_appendf(sql, "%s%s", i > 0 ? ", " : "SELECT ", columns[i] ? columns[i] : "NULL");
}

/* Whole texts of results. */
static const char *const of_result[FOUND_COLUMNS] = {
    [FOUND_ID] = "r.decay",       [FOUND_REVISION] = "r.revision",
    [FOUND_SEQ] = "r.seq AS seq", [FOUND_RUN] = "(SELECT run FROM decay WHERE id = r.decay)",
    [FOUND_TEXT] = "d.text",      [FOUND_WRONG] = "r.text_checksum <> fnv1a(d.text)",
};

#define RESULTS_WITH_TEXT " FROM result r JOIN document d ON d.result = r.id WHERE "

/* Owns its text. */
static int take(sqlite3_stmt *row, struct found_result *found)
{
    const char *text = (const char *)sqlite3_column_text(row, FOUND_TEXT);
    if (!text)
        return -ENOMEM;
    if (!column_is_sound(row, FOUND_TEXT) || sqlite3_column_int(row, FOUND_WRONG))
        return -EUCLEAN;
    *found = (struct found_result){.id = (uint64_t)sqlite3_column_int64(row, FOUND_ID),
                                   .revision = (unsigned)sqlite3_column_int64(row, FOUND_REVISION),
                                   .seq = (uint64_t)sqlite3_column_int64(row, FOUND_SEQ),
                                   .run_id = (uint64_t)sqlite3_column_int64(row, FOUND_RUN),
                                   .is_protected = sqlite3_column_int(row, FOUND_PROTECTED) != 0,
                                   .text = strdup(text)};
    return found->text ? 0 : -ENOMEM;
}

static int keep(struct found_results *found, sqlite3_stmt *row)
{
    struct found_result result;
    int error = take(row, &result);
    if (error)
        return error;
    if (found->count == found->capacity) {
        size_t capacity = found->capacity ? 2 * found->capacity : 64;
        struct found_result *larger = realloc(found->results, capacity * sizeof *larger);
        if (!larger) {
            free(result.text);
            return -ENOMEM;
        }
        found->results = larger;
        found->capacity = capacity;
    }
    found->results[found->count++] = result;
    return 0;
}

void found_results_clear(struct found_results *found)
{
    for (size_t i = 0; i < found->count; i++)
        free(found->results[i].text);
    free(found->results);
    *found = (struct found_results){0};
}

/* --- pages --- */

/* Pairs are compared, so that results with the same figure have their order, too. */
static void add_order(sqlite3_str *sql, const struct conditions *conditions)
{
    const struct results_query *query = conditions->query;
    const char *column = results_order_column(query->order), *direction = query->ascending ? "ASC" : "DESC";
    const char *beyond = query->ascending ? ">" : "<", *plus = conditions->sorts ? "+" : "";
    const bool by_id = query->order == ORDER_ID, goes_on = query->after.id > 0;
    if (!by_id)
        sqlite3_str_appendf(sql, " AND %sr.%s IS NOT NULL", plus, column);
    if (goes_on && by_id)
        sqlite3_str_appendf(sql, " AND %sr.decay %s :after_id", plus, beyond);
    else if (goes_on)
        sqlite3_str_appendf(sql, " AND (%sr.%s, r.decay) %s (:after_key, :after_id)", plus, column, beyond);
    sqlite3_str_appendf(sql, " ORDER BY %sr.%s %s", plus, column, direction);
    if (!by_id)
        sqlite3_str_appendf(sql, ", r.decay %s", direction);
    sqlite3_str_appendall(sql, " LIMIT :limit");
}

/* Takes rows until the page is full. */
static int take_page(struct database *database, sqlite3_stmt *rows, const struct results_query *query,
                     struct found_results *found)
{
    size_t bytes = 0;
    int row;
    while ((row = database_step(database, rows)) == 1) {
        bytes += strlen(column_text(rows, FOUND_TEXT)) + 1;
        found->more = found->count == query->limit || (bytes > query->bytes && found->count > 0);
        if (found->more)
            return 0;
        int error = keep(found, rows);
        if (error)
            return error;
        found->last = (struct results_place){.id = found->results[found->count - 1].id,
                                             .time_ns = sqlite3_column_int64(rows, FOUND_KEY),
                                             .number = sqlite3_column_double(rows, FOUND_KEY)};
    }
    return row < 0 ? row : 0;
}

/* Takes the text over. It is not among those that are kept prepared: there are too many different ones. */
static int prepare(struct database *database, sqlite3_str *sql, sqlite3_stmt **statement)
{
    char *text = sqlite3_str_finish(sql);
    int answer = text ? sqlite3_prepare_v2(database->handle, text, -1, statement, NULL) : SQLITE_NOMEM;
    sqlite3_free(text);
    return database_code(database, answer);
}

/* The summaries only of those that are on the page. */
static int prepare_page(struct database *database, const struct conditions *conditions, sqlite3_stmt **rows)
{
    static const char *const of_page[FOUND_COLUMNS] = {
        [FOUND_ID] = "f.decay",     [FOUND_REVISION] = "f.revision",
        [FOUND_SEQ] = "f.seq",      [FOUND_RUN] = "(SELECT run FROM decay WHERE id = f.decay)",
        [FOUND_TEXT] = "d.summary", [FOUND_WRONG] = "f.summary_checksum <> fnv1a(d.summary)",
        [FOUND_KEY] = "f.key",      [FOUND_PROTECTED] = "(SELECT protected FROM decay WHERE id = f.decay)",
    };
    const struct results_query *query = conditions->query;
    const char *direction = query->ascending ? "ASC" : "DESC";
    sqlite3_str *sql = sqlite3_str_new(database->handle);
    add_selection(sql, of_page);
    sqlite3_str_appendf(sql,
                        " FROM (SELECT r.id, r.decay, r.revision, r.seq, r.summary_checksum, r.%s AS key FROM"
                        " result r",
                        results_order_column(query->order));
    conditions_add(sql, conditions);
    add_order(sql, conditions);
    sqlite3_str_appendf(sql, ") AS f CROSS JOIN document d ON d.result = f.id ORDER BY f.key %s, f.decay %s", direction,
                        direction);
    return prepare(database, sql, rows);
}

int find_results(struct database *database, const struct results_query *query, struct found_results *found)
{
    *found = (struct found_results){0};
    struct conditions conditions;
    sqlite3_stmt *rows = NULL;
    int error = conditions_of(database, query, &conditions);
    if (!error)
        error = prepare_page(database, &conditions, &rows);
    if (error)
        return error;
    conditions_bind(rows, &conditions);
    if (query->order == ORDER_RELEASED)
        bind_number(rows, "after_key", query->after.time_ns);
    else
        bind_figure(rows, "after_key", query->after.number);
    bind_number(rows, "after_id", (int64_t)query->after.id);
    bind_number(rows, "limit", (int64_t)query->limit + 1);
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
    sqlite3_str *sql = sqlite3_str_new(database->handle);
    add_selection(sql, of_result);
    sqlite3_str_appendall(sql, RESULTS_WITH_TEXT
                          "r.decay = :id AND (r.revision = :revision OR (:revision = 0 AND r.latest))");
    sqlite3_stmt *row = database_built_statement(database, sql);
    bind_number(row, "id", (int64_t)id);
    bind_number(row, "revision", revision);
    int step = database_step(database, row);
    if (step != 1)
        return step < 0 ? step : -ENOENT;
    int error = take(row, found);
    sqlite3_reset(row);
    return error;
}

int find_configuration(struct database *database, const char *config_id, struct found_configuration *found)
{
    enum { PATH, TEXT, WRONG };
    *found = (struct found_configuration){0};
    sqlite3_stmt *row = database_statement(
        database, "SELECT path, text, text_checksum <> fnv1a(text) FROM configuration WHERE config_id = ?1");
    bind_text(row, 1, config_id);
    int step = database_step(database, row);
    if (step != 1)
        return step < 0 ? step : -ENOENT;
    if (!column_is_sound(row, TEXT) || sqlite3_column_int(row, WRONG)) {
        sqlite3_reset(row);
        return -EUCLEAN;
    }
    bool has_path = sqlite3_column_type(row, PATH) != SQLITE_NULL;
    found->path = has_path ? strdup(column_text(row, PATH)) : NULL;
    found->text = strdup(column_text(row, TEXT));
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
    static const char *const of_event[FOUND_COLUMNS] = {
        [FOUND_ID] = "0",  [FOUND_REVISION] = "0", [FOUND_SEQ] = "seq",
        [FOUND_RUN] = "0", [FOUND_TEXT] = "text",  [FOUND_WRONG] = "text_checksum <> fnv1a(text)",
    };
    *found = (struct found_results){0};
    sqlite3_str *sql = sqlite3_str_new(database->handle);
    sqlite3_str_appendall(sql, "SELECT * FROM (");
    add_selection(sql, of_result);
    sqlite3_str_appendall(sql, RESULTS_WITH_TEXT ":results AND r.seq >= :from AND r.seq < :before ORDER BY r.seq LIMIT"
                                                 " :limit) UNION ALL SELECT * FROM (");
    add_selection(sql, of_event);
    sqlite3_str_appendall(sql, " FROM event WHERE :events AND seq >= :from AND seq < :before ORDER BY seq LIMIT"
                               " :limit) ORDER BY seq LIMIT :limit");
    sqlite3_stmt *rows = database_built_statement(database, sql);
    bind_number(rows, "results", results);
    bind_number(rows, "events", events);
    /* Events of an earlier history have the number 0. */
    bind_number(rows, "from", from > 0 ? (int64_t)from : 1);
    bind_number(rows, "before", (int64_t)before);
    bind_number(rows, "limit", (int64_t)limit);
    int row, error = 0;
    while (!error && (row = database_step(database, rows)) == 1)
        error = keep(found, rows);
    if (error)
        sqlite3_reset(rows);
    found->more = found->count == limit;
    return error ? error : row < 0 ? row : 0;
}
