/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a table of columns to SQL, and between rows and structs. Parameters have the names of their columns. */

#include "store/columns.h"

#include "segment/decay.h"
#include "store/kept.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Since this version rows have checksums. */
enum { CHECKSUMS_SINCE = 5 };

const char *table_place(const struct table *table, bool spare)
{
    return spare ? table->spare : table->name;
}

sqlite3_stmt *database_built_statement(struct database *database, sqlite3_str *sql)
{
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *statement = text ? database_statement(database, text) : NULL;
    sqlite3_free(text);
    return statement;
}

/* --- what a table is made of --- */

/* The spare has no constraints, for it must take whatever the table has. */
int table_create(struct database *database, const struct table *table, bool spare, int version)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "CREATE TABLE IF NOT EXISTS %s (", table_place(table, spare));
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        if (column->since > version)
            continue;
        sqlite3_str_appendf(sql, "%s%s %s", i > 0 ? ", " : "", column->name,
                            !spare   ? column->declaration
                            : i == 0 ? "INTEGER PRIMARY KEY"
                                     : "");
    }
    sqlite3_str_appendall(sql, spare ? ")" : table->constraints);
    return database_finish(database, database_built_statement(database, sql));
}

/* --- rows --- */

static bool may_be_null(const struct column *column)
{
    return strstr(column->declaration, "NOT NULL") == NULL;
}

static void bind_string(sqlite3_stmt *statement, int place, const struct column *column, const char *text)
{
    if ((text && text[0]) || may_be_null(column))
        bind_text(statement, place, text);
    else
        sqlite3_bind_text(statement, place, "", 0, SQLITE_STATIC);
}

static void bind_column(sqlite3_stmt *statement, int place, const struct column *column, const void *from)
{
    const struct blob *blob = from;
    switch (column->type) {
    case COLUMN_UNBOUND:
        break;
    case COLUMN_TEXT:
        bind_string(statement, place, column, from);
        break;
    case COLUMN_STRING:
        bind_string(statement, place, column, *(const char *const *)from);
        break;
    case COLUMN_REAL:
    case COLUMN_FIGURE:
        sqlite3_bind_double(statement, place, *(const double *)from);
        break;
    case COLUMN_TIME:
        if (*(const int64_t *)from != INT64_MIN)
            sqlite3_bind_int64(statement, place, *(const int64_t *)from);
        break;
    case COLUMN_INTEGER:
        sqlite3_bind_int64(statement, place, *(const int64_t *)from);
        break;
    case COLUMN_SIZE:
        sqlite3_bind_int64(statement, place, (sqlite3_int64) * (const size_t *)from);
        break;
    case COLUMN_NUMBER:
        sqlite3_bind_int64(statement, place, *(const unsigned *)from);
        break;
    case COLUMN_FLAG:
        sqlite3_bind_int(statement, place, *(const bool *)from);
        break;
    case COLUMN_END:
        bind_string(statement, place, column, decay_end_name(*(const enum decay_end *)from));
        break;
    case COLUMN_BLOB:
        if (blob->bytes)
            sqlite3_bind_blob64(statement, place, blob->bytes, blob->length, SQLITE_STATIC);
        break;
    }
}

static enum decay_end end_of_name(const char *name)
{
    for (int end = DECAY_END_REST; end < DECAY_END_END_OF_SOURCE; end++)
        if (strcmp(decay_end_name((enum decay_end)end), name) == 0)
            return (enum decay_end)end;
    return DECAY_END_END_OF_SOURCE;
}

static size_t size_of(sqlite3_stmt *row, int place)
{
    sqlite3_int64 size = sqlite3_column_int64(row, place);
    return size > 0 ? (size_t)size : 0;
}

static void read_column(sqlite3_stmt *row, int place, const struct column *column, void *into)
{
    const bool null = sqlite3_column_type(row, place) == SQLITE_NULL;
    switch (column->type) {
    case COLUMN_UNBOUND:
    case COLUMN_STRING:
        break;
    case COLUMN_TEXT:
        copy_text(into, column->size, column_text(row, place));
        break;
    case COLUMN_REAL:
        *(double *)into = column_number(row, place);
        break;
    case COLUMN_FIGURE:
        *(double *)into = sqlite3_column_double(row, place);
        break;
    case COLUMN_TIME:
        *(int64_t *)into = null ? INT64_MIN : sqlite3_column_int64(row, place);
        break;
    case COLUMN_INTEGER:
        *(int64_t *)into = sqlite3_column_int64(row, place);
        break;
    case COLUMN_SIZE:
        *(size_t *)into = size_of(row, place);
        break;
    case COLUMN_NUMBER:
        *(unsigned *)into = (unsigned)sqlite3_column_int64(row, place);
        break;
    case COLUMN_FLAG:
        *(bool *)into = sqlite3_column_int(row, place) != 0;
        break;
    case COLUMN_END:
        *(enum decay_end *)into = end_of_name(column_text(row, place));
        break;
    case COLUMN_BLOB:
        *(struct blob *)into =
            (struct blob){.bytes = sqlite3_column_blob(row, place), .length = (size_t)sqlite3_column_bytes(row, place)};
        break;
    }
}

static bool is_put(const struct column *column)
{
    return column->type != COLUMN_UNBOUND || column->value;
}

static bool is_row_checksum(const struct column *column)
{
    return strcmp(column->name, "row_checksum") == 0;
}

/* Its own id does not count in a checksum that is put with the row. */
static void add_values(sqlite3_str *sql, const struct table *table)
{
    const char *between = "";
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        if (is_row_checksum(column)) {
            sqlite3_str_appendall(sql, between);
            table_add_checksum(sql, table, ":");
        } else if (is_put(column)) {
            sqlite3_str_appendf(sql, column->value ? "%s%s" : "%s:%s", between,
                                column->value ? column->value : column->name);
        }
        between = is_put(column) || is_row_checksum(column) ? ", " : between;
    }
}

static void add_put_names(sqlite3_str *sql, const struct table *table)
{
    const char *between = "";
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        if (!is_put(column) && !is_row_checksum(column))
            continue;
        sqlite3_str_appendf(sql, "%s%s", between, column->name);
        between = ", ";
    }
}

int table_put(struct database *database, const struct table *table, const char *verb, const void *const *structs)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "INSERT %s INTO %s (", verb, table->name);
    add_put_names(sql, table);
    sqlite3_str_appendall(sql, ") SELECT ");
    add_values(sql, table);
    sqlite3_str_appendall(sql, table->put_from);
    sqlite3_stmt *insert = database_built_statement(database, sql);
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        char name[64];
        snprintf(name, sizeof name, ":%s", column->name);
        int place = column->type == COLUMN_UNBOUND ? 0 : sqlite3_bind_parameter_index(insert, name);
        if (place > 0)
            bind_column(insert, place, column, (const char *)structs[column->of] + column->offset);
    }
    int error = database_finish(database, insert);
    return !error && table->put_from[0] && sqlite3_changes(database->handle) == 0 ? -ENOENT : error;
}

void table_add_names(sqlite3_str *sql, const struct table *table, const char *alias)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->columns[i].type != COLUMN_UNBOUND)
            sqlite3_str_appendf(sql, ", %s%s", alias, table->columns[i].name);
}

void table_read(sqlite3_stmt *row, int *position, const struct table *table, void *const *structs)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        if (column->type == COLUMN_UNBOUND)
            continue;
        if (structs[column->of])
            read_column(row, *position, column, (char *)structs[column->of] + column->offset);
        ++*position;
    }
}

/* --- checksums --- */

/* Whether a column came when there were checksums already. */
static bool is_late(const struct table *table, const struct column *column)
{
    return column->checked && column->since > CHECKSUMS_SINCE && table->since <= CHECKSUMS_SINCE;
}

/* The last late column before a place in the table; NULL: none. */
static const struct column *late_before(const struct table *table, const struct column *end)
{
    for (const struct column *column = end; column-- > table->columns;)
        if (is_late(table, column))
            return column;
    return NULL;
}

/* Of the columns before `end`, and of all that are not late. */
static void add_checksum_until(sqlite3_str *sql, const struct table *table, const char *alias, const struct column *end)
{
    const char *between = "";
    sqlite3_str_appendall(sql, "row_checksum(");
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        if (!column->checked || (column >= end && is_late(table, column)))
            continue;
        sqlite3_str_appendf(sql, "%s%s%s", between, alias, column->name);
        between = ", ";
    }
    sqlite3_str_appendall(sql, ")");
}

/* Rows of before there was a column had a checksum without it, and keep that: late columns that are NULL do not count
 * from the last one back. */
void table_add_checksum(sqlite3_str *sql, const struct table *table, const char *alias)
{
    const struct column *end = table->columns + table->count, *late;
    size_t cases = 0;
    for (; (late = late_before(table, end)); end = late, cases++) {
        sqlite3_str_appendf(sql, "CASE WHEN %s%s IS NOT NULL THEN ", alias, late->name);
        add_checksum_until(sql, table, alias, end);
        sqlite3_str_appendall(sql, " ELSE ");
    }
    add_checksum_until(sql, table, alias, end);
    for (; cases > 0; cases--)
        sqlite3_str_appendall(sql, " END");
}

/* Where rows have had their checksum from the first, one without is none that was stored. */
bool table_add_wrong(sqlite3_str *sql, const struct table *table, const char *alias)
{
    if (table->wrong) {
        sqlite3_str_appendall(sql, table->wrong);
        return true;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (!is_row_checksum(&table->columns[i]))
            continue;
        sqlite3_str_appendf(sql, "%srow_checksum %s ", alias,
                            table->since == table->columns[i].since ? "IS NOT" : "<>");
        table_add_checksum(sql, table, alias);
        return true;
    }
    return false;
}
