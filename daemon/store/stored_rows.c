/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From leaves to rows of the tables of a store, and to the numbers in them. */

#include "store/stored_rows.h"

#include "proto/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* SQLite's own, of how far ids went. */
static const struct column sequence_columns[] = {{"name", "TEXT NOT NULL", .since = 1},
                                                 {"seq", "INTEGER NOT NULL", .since = 1}};
static const struct table sequence = {.name = "sqlite_sequence",
                                      .columns = sequence_columns,
                                      .count = sizeof sequence_columns / sizeof *sequence_columns};

/* In the order in which rows refer to those of others. */
enum { WANTED = TABLES + 1 };

static const struct table *wanted(size_t place)
{
    return place < TABLES ? store_table((enum table_id)place) : &sequence;
}

/* All rows of a leaf are of one table. */
struct leaf {
    size_t place; /* of its page */
    const struct table *table;
};

struct leaves {
    struct leaf *list; /* owned */
    size_t count, capacity;
};

/* --- which table --- */

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool is_text(const struct leaf_value *value)
{
    return value->type == SQLITE_TEXT && !memchr(value->bytes, 0, value->length) &&
           is_utf8((const char *)value->bytes, value->length);
}

static bool fits(const struct column *column, const struct leaf_value *value)
{
    const char *declared = column->declaration;
    if (begins_with(declared, "INTEGER PRIMARY KEY"))
        return value->type == SQLITE_NULL;
    if (value->type == SQLITE_NULL)
        return !strstr(declared, "NOT NULL") && !strstr(declared, "PRIMARY KEY");
    if (begins_with(declared, "TEXT"))
        return is_text(value);
    if (begins_with(declared, "BLOB"))
        return value->type == SQLITE_BLOB;
    if (begins_with(declared, "INTEGER"))
        return value->type == SQLITE_INTEGER;
    return value->type == SQLITE_FLOAT || value->type == SQLITE_INTEGER ||
           (declared[0] == '\0' && value->type == SQLITE_TEXT);
}

static bool is_one_of(const struct leaf_value *value, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (value->type == SQLITE_TEXT && value->length == strlen(words[i]) &&
            memcmp(value->bytes, words[i], value->length) == 0)
            return true;
    return false;
}

/* A row of what describes the tables, which has as many columns as one of `configuration`. */
static bool is_description(const struct leaf_row *row)
{
    static const char *const kinds[] = {"table", "index", "trigger", "view"};
    return row->count == 5 && is_one_of(&row->values[0], kinds, sizeof kinds / sizeof *kinds);
}

/* Keys of an index look alike. */
static bool is_meta(const struct leaf_row *row)
{
    static const char *const names[] = {"history_id",  "next_seq",         "gone_seq",    "clock_known",
                                        "clock_pause", "clock_pause_from", "clock_waited"};
    const struct leaf_value *name = &row->values[0];
    return is_one_of(name, names, sizeof names / sizeof *names) ||
           (name->length == strlen("clock.") + 19 && memcmp(name->bytes, "clock.", strlen("clock.")) == 0);
}

/* A new version gives a table columns, but its rows none: one of an earlier version has the first columns only. */
static bool has_count(const struct table *table, size_t count)
{
    return count == table->count ||
           (count > 0 && count < table->count && table->columns[count].since > table->columns[count - 1].since);
}

/* Rows without a number stand on leaves of an index: those of one table alone. */
static bool is_of(const struct table *table, const struct leaf_row *row)
{
    const bool is_numbered = table != store_table(TABLE_META);
    bool is = has_count(table, row->count) && (is_numbered ? row->number > 0 : row->number == 0);
    for (size_t i = 0; is && i < row->count; i++)
        is = fits(&table->columns[i], &row->values[i]);
    return is && (is_numbered ? !is_description(row) : is_meta(row));
}

static const struct table *table_of(const struct leaf_row *row)
{
    for (size_t i = 0; i < WANTED; i++)
        if (is_of(wanted(i), row))
            return wanted(i);
    return NULL;
}

/* --- the leaves --- */

static int note_leaf(struct leaves *leaves, size_t place, const struct table *table)
{
    if (leaves->count == leaves->capacity) {
        const size_t capacity = leaves->capacity ? 2 * leaves->capacity : 256;
        struct leaf *larger = realloc(leaves->list, capacity * sizeof *larger);
        if (!larger)
            return -ENOMEM;
        leaves->list = larger;
        leaves->capacity = capacity;
    }
    leaves->list[leaves->count++] = (struct leaf){place, table};
    return 0;
}

static int look_at_page(const struct stored_pages *pages, size_t place, struct leaf_row *row, struct leaves *leaves)
{
    unsigned char page[DATABASE_PAGE];
    if (pages->list[place].number == 1 || stored_pages_read(pages, place, page) != 0)
        return 0;
    const struct table *table = NULL;
    for (size_t i = 0, rows = leaf_page_rows(page); i < rows && !table; i++) {
        const int there = leaf_page_read(pages, page, i, row);
        if (there < 0)
            return there;
        table = there ? table_of(row) : NULL;
    }
    return table ? note_leaf(leaves, place, table) : 0;
}

static int find_leaves(const struct stored_pages *pages, struct leaf_row *row, struct leaves *leaves)
{
    int error = 0;
    for (size_t place = 0; !error && place < pages->count; place++)
        error = look_at_page(pages, place, row, leaves);
    return error;
}

/* --- the rows --- */

static int visit_leaf(const struct stored_pages *pages, const struct leaf *leaf, struct leaf_row *row,
                      stored_row_visit *visit, void *context)
{
    unsigned char page[DATABASE_PAGE];
    if (stored_pages_read(pages, leaf->place, page) != 0)
        return 0;
    int error = 0;
    for (size_t i = 0, rows = leaf_page_rows(page); !error && i < rows; i++) {
        const int there = leaf_page_read(pages, page, i, row);
        error = there < 0 ? there : 0;
        if (there == 1 && is_of(leaf->table, row))
            error = visit(context, leaf->table, row);
    }
    return error;
}

int stored_rows_visit(const struct stored_pages *pages, stored_row_visit *visit, void *context)
{
    struct leaves leaves = {0};
    struct leaf_row row = {0};
    int error = find_leaves(pages, &row, &leaves);
    for (size_t i = 0; !error && i < WANTED; i++)
        for (size_t k = 0; !error && k < leaves.count; k++)
            if (leaves.list[k].table == wanted(i))
                error = visit_leaf(pages, &leaves.list[k], &row, visit, context);
    free(leaves.list);
    leaf_row_clear(&row);
    return error;
}

/* --- how far numbers go --- */

/* What is beyond is no number that a daemon gave, but damage. */
static void raise(int64_t *highest, int64_t number)
{
    const int64_t most = INT64_C(1) << 40;
    if (number > *highest && number <= most)
        *highest = number;
}

/* A name of ours, or columns as many and of such types as no other program has: those of shorter tables it may have. */
static bool tells_a_store(const struct table *table)
{
    return table == store_table(TABLE_META) || table == store_table(TABLE_SETUP) || table == store_table(TABLE_DECAY) ||
           table == store_table(TABLE_RESULT);
}

static bool is_sequence_of(const struct leaf_row *row, const char *table)
{
    return is_one_of(&row->values[0], &table, 1);
}

int stored_numbers_add(void *context, const struct table *table, const struct leaf_row *row)
{
    enum { RESULT_DECAY = 1, RESULT_SEQ = 4, EVENT_SEQ = 1, SEQUENCE = 1 };
    struct stored_numbers *numbers = context;
    if (table == store_table(TABLE_DECAY) || table == store_table(TABLE_RAW))
        raise(&numbers->decay, row->number);
    if (table == store_table(TABLE_RUN))
        raise(&numbers->run, row->number);
    if (table == store_table(TABLE_RESULT)) {
        raise(&numbers->decay, row->values[RESULT_DECAY].integer);
        raise(&numbers->seq, row->values[RESULT_SEQ].integer);
    }
    if (table == store_table(TABLE_EVENT))
        raise(&numbers->seq, row->values[EVENT_SEQ].integer);
    if (table == &sequence && is_sequence_of(row, "decay"))
        raise(&numbers->decay, row->values[SEQUENCE].integer);
    if (table == &sequence && is_sequence_of(row, "run"))
        raise(&numbers->run, row->values[SEQUENCE].integer);
    numbers->found = numbers->found || tells_a_store(table);
    return 0;
}

static int keep(struct database *database, const char *table, int64_t latest)
{
    sqlite3_stmt *begin =
        database_statement(database, "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0"
                                     " WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)");
    bind_text(begin, 1, table);
    int error = database_finish(database, begin);
    sqlite3_stmt *raised =
        database_statement(database, "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1");
    bind_text(raised, 1, table);
    sqlite3_bind_int64(raised, 2, latest);
    return error ? error : database_finish(database, raised);
}

int stored_numbers_keep(const struct stored_numbers *numbers, struct database *database)
{
    int error = keep(database, "decay", numbers->decay);
    return error ? error : keep(database, "run", numbers->run);
}
