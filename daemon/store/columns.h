/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_COLUMNS_H
#define FRICID_STORE_COLUMNS_H

#include "store/database.h"

#include <stdbool.h>
#include <stddef.h>

/* The tables of a store, each with its columns: what a table is made with and brought up to date by, what is put into a
 * row and read from it, what its checksum is of, and how it is copied out of a damaged file all follow from these. */

/* What a column is bound from and read into. */
enum column_type {
    COLUMN_UNBOUND, /* its default, or what another statement puts there */
    COLUMN_TEXT,    /* char[size]; empty is NULL where that may be */
    COLUMN_STRING,  /* const char *, likewise; only put */
    COLUMN_REAL,    /* double; NAN is NULL */
    COLUMN_FIGURE,  /* double; NULL is read as 0 */
    COLUMN_TIME,    /* int64_t; INT64_MIN is NULL */
    COLUMN_INTEGER, /* int64_t or uint64_t; numbers too large for int64_t do not occur: they count samples */
    COLUMN_SIZE,    /* size_t */
    COLUMN_NUMBER,  /* unsigned */
    COLUMN_FLAG,    /* bool */
    COLUMN_END,     /* enum decay_end, by its name */
    COLUMN_BLOB,    /* struct blob */
};

/* Bytes of somebody else's; read ones live until the statement is reset. NULL: none. */
struct blob {
    const void *bytes;
    size_t length;
};

struct column {
    const char *name;
    const char *declaration; /* SQL: its type, and what holds for it */
    int since;               /* version of the tables */
    bool checked; /* counts in the checksum of the row; one that came later than those, when it is not NULL */
    enum column_type type;
    unsigned of; /* which of the structs that a row is made of */
    size_t offset, size;
    const char *value;     /* SQL of what is put there; NULL: what is bound */
    const char *otherwise; /* SQL of what it is in a file of before there was this column; NULL: NULL */
};

struct table {
    const char *name;
    const char *spare; /* the same on other pages; NULL: it stands once */
    int since;
    const struct column *columns;
    size_t count;
    const char *constraints; /* SQL, of the whole table, with the bracket behind the columns */
    const char *made_with; /* SQL of what is made right behind it; may be empty. In every store things lie in the order
                              in which they were made: a store whose description is damaged is read by that */
    const char *put_from; /* SQL behind the values that are put: a row is put only where that finds one; may be empty */
    const char *wrong;    /* SQL: a row is not what was stored; NULL: its checksum says so, where it has one */
    const char *either;   /* SQL of what becomes of a row that the spare has, too, when both are copied; may be empty */
    bool is_read_back;    /* copied rows that are wrong are found by reading them */
};

/* Which of the two places. */
const char *table_place(const struct table *table, bool spare);

/* The columns of a version, as CREATE TABLE wants them. */
int table_create(struct database *database, const struct table *table, bool spare, int version);

/* Puts a row of what the structs hold; `verb` is behind INSERT, may be empty. -ENOENT: put_from found nothing. */
int table_put(struct database *database, const struct table *table, const char *verb, const void *const *structs);

/* Adds the bound columns of a table to the list of a SELECT, each behind a comma. */
void table_add_names(sqlite3_str *sql, const struct table *table, const char *alias);

/* Reads them from a row into the structs; *position is that of the first, and moves behind the last. A struct that is
 * NULL is passed over. */
void table_read(sqlite3_stmt *row, int *position, const struct table *table, void *const *structs);

/* SQL of the checksum of a row, and of whether a row is wrong, under the name that the table has there. */
void table_add_checksum(sqlite3_str *sql, const struct table *table, const char *alias);
bool table_add_wrong(sqlite3_str *sql, const struct table *table, const char *alias); /* false: nothing tells */

/* The prepared statement of a text that is complete, which is freed. NULL when memory is short, or as
 * database_statement(). */
sqlite3_stmt *database_built_statement(struct database *database, sqlite3_str *sql);

#endif
