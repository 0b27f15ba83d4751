/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inner pages of a tree, or the first page, may be gone: on leaves rows stand whole, with their numbers, and how
 * many columns they have, and of what type, tells their table. */

#include "store/loose_rows.h"

#include "proto/utf8.h"
#include "store/leaf_page.h"
#include "store/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In the order in which rows refer to those of others. */
static const enum table_id wanted[] = {TABLE_CONFIGURATION, TABLE_RUN,    TABLE_SETUP,    TABLE_DECAY,
                                       TABLE_RAW,           TABLE_RESULT, TABLE_DOCUMENT, TABLE_EVENT};
enum { WANTED = sizeof wanted / sizeof wanted[0] };

/* All rows of a leaf are of one table. */
struct leaf {
    size_t page;
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
        return strstr(declared, "NOT NULL") == NULL;
    if (begins_with(declared, "TEXT"))
        return is_text(value);
    if (begins_with(declared, "BLOB"))
        return value->type == SQLITE_BLOB;
    if (begins_with(declared, "INTEGER"))
        return value->type == SQLITE_INTEGER;
    return value->type == SQLITE_FLOAT || value->type == SQLITE_INTEGER;
}

/* A new version gives a table columns, but its rows none: one of an earlier version has the first columns only. */
static bool has_count(const struct table *table, size_t count)
{
    return count == table->count ||
           (count > 0 && count < table->count && table->columns[count].since > table->columns[count - 1].since);
}

static bool is_of(const struct table *table, const struct leaf_row *row)
{
    bool is = has_count(table, row->count) && row->number > 0;
    for (size_t i = 0; is && i < row->count; i++)
        is = fits(&table->columns[i], &row->values[i]);
    return is;
}

static const struct table *table_of(const struct leaf_row *row)
{
    for (size_t i = 0; i < WANTED; i++)
        if (is_of(store_table(wanted[i]), row))
            return store_table(wanted[i]);
    return NULL;
}

/* --- the leaves --- */

static int note_leaf(struct leaves *leaves, size_t page, const struct table *table)
{
    if (leaves->count == leaves->capacity) {
        const size_t capacity = leaves->capacity ? 2 * leaves->capacity : 256;
        struct leaf *larger = realloc(leaves->list, capacity * sizeof *larger);
        if (!larger)
            return -ENOMEM;
        leaves->list = larger;
        leaves->capacity = capacity;
    }
    leaves->list[leaves->count++] = (struct leaf){page, table};
    return 0;
}

static int look_at_page(sqlite3_file *file, size_t number, struct leaf_row *row, struct leaves *leaves)
{
    unsigned char page[DATABASE_PAGE];
    if (database_read_page(file, number, page) != 0)
        return 0;
    const struct table *table = NULL;
    for (size_t i = 0, rows = leaf_page_rows(page); i < rows && !table; i++) {
        const int there = leaf_page_read(file, page, i, row);
        if (there < 0)
            return there;
        table = there ? table_of(row) : NULL;
    }
    return table ? note_leaf(leaves, number, table) : 0;
}

static int find_leaves(sqlite3_file *file, struct leaf_row *row, struct leaves *leaves)
{
    int error = 0;
    for (size_t number = 2, pages = database_pages(file); !error && number <= pages; number++)
        error = look_at_page(file, number, row, leaves);
    return error;
}

/* --- the rows --- */

/* What every row is put with, whatever becomes of it later, it may have had on the leaf for longer than was true. */
static bool is_put_as_zero(const struct column *column)
{
    return column->value && strcmp(column->value, "0") == 0;
}

static void add_value(sqlite3_str *sql, const struct column *column, int place)
{
    if (is_put_as_zero(column))
        sqlite3_str_appendf(sql, "0 * ?%d AS %s", place, column->name);
    else if (column->otherwise)
        sqlite3_str_appendf(sql, "ifnull(?%d, %s) AS %s", place, column->otherwise, column->name);
    else
        sqlite3_str_appendf(sql, "?%d AS %s", place, column->name);
}

/* The values under the names of their columns, so that whether they are wrong can be asked before they are put. */
static sqlite3_stmt *insert_checked(struct database *fresh, const struct table *table)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "INSERT OR IGNORE INTO %s SELECT * FROM (SELECT ", table->name);
    for (size_t i = 0; i < table->count; i++) {
        sqlite3_str_appendall(sql, i > 0 ? ", " : "");
        add_value(sql, &table->columns[i], (int)i + 1);
    }
    sqlite3_str_appendf(sql, ") AS %s WHERE NOT ifnull(", table->name);
    if (!table_add_wrong(sql, table, ""))
        sqlite3_str_appendall(sql, "0");
    sqlite3_str_appendf(sql, ", 1)%s", table->either);
    return database_built_statement(fresh, sql);
}

/* A whole number in a column of others may be stored as an integer. A column that the row does not have stays NULL. */
static int bind_value(sqlite3_stmt *insert, int place, const struct column *column, const struct leaf_row *row)
{
    const struct leaf_value *value = &row->values[place - 1];
    if (begins_with(column->declaration, "INTEGER PRIMARY KEY"))
        return sqlite3_bind_int64(insert, place, row->number);
    switch (value->type) {
    case SQLITE_INTEGER:
        return begins_with(column->declaration, "REAL") ? sqlite3_bind_double(insert, place, (double)value->integer)
                                                        : sqlite3_bind_int64(insert, place, value->integer);
    case SQLITE_FLOAT:
        return sqlite3_bind_double(insert, place, value->real);
    case SQLITE_TEXT:
        return sqlite3_bind_text64(insert, place, (const char *)value->bytes, value->length, SQLITE_STATIC,
                                   SQLITE_UTF8);
    case SQLITE_BLOB:
        return sqlite3_bind_blob64(insert, place, value->bytes, value->length, SQLITE_STATIC);
    default:
        return sqlite3_bind_null(insert, place);
    }
}

static int save_row(struct database *fresh, const struct table *table, const struct leaf_row *row)
{
    sqlite3_stmt *insert = insert_checked(fresh, table);
    int answer = SQLITE_OK;
    for (size_t i = 0; insert && answer == SQLITE_OK && i < row->count; i++)
        answer = bind_value(insert, (int)i + 1, &table->columns[i], row);
    return answer == SQLITE_OK ? database_finish(fresh, insert) : database_code(fresh, answer);
}

static int save_leaf(sqlite3_file *file, const struct leaf *leaf, struct leaf_row *row, struct database *fresh)
{
    unsigned char page[DATABASE_PAGE];
    if (database_read_page(file, leaf->page, page) != 0)
        return 0;
    int error = 0;
    for (size_t i = 0, rows = leaf_page_rows(page); !error && i < rows; i++) {
        const int there = leaf_page_read(file, page, i, row);
        error = there < 0 ? there : 0;
        if (there == 1 && is_of(leaf->table, row))
            error = save_row(fresh, leaf->table, row);
    }
    return error;
}

int loose_rows_save(sqlite3_file *file, struct database *fresh)
{
    struct leaves leaves = {0};
    struct leaf_row row = {0};
    int error = find_leaves(file, &row, &leaves);
    for (size_t i = 0; !error && i < WANTED; i++)
        for (size_t k = 0; !error && k < leaves.count; k++)
            if (leaves.list[k].table == store_table(wanted[i]))
                error = save_leaf(file, &leaves.list[k], &row, fresh);
    free(leaves.list);
    leaf_row_clear(&row);
    return error;
}
