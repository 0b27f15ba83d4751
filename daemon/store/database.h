/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_DATABASE_H
#define FRICID_STORE_DATABASE_H

#include "proto/complaint.h"

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A connection to an SQLite file with its prepared statements; used by one thread. Errors are negative errno codes:
 * -ENOSPC disk full, -EROFS read-only, -EIO, -EUCLEAN damaged, -ENOMEDIUM not a
 * database, -EBUSY, -EEXIST a constraint, -ENOMEM and so on. */

enum { DATABASE_STATEMENTS = 64 };

struct database {
    sqlite3 *handle; /* NULL: closed */
    bool in_transaction;
    size_t count;
    struct {
        char *sql; /* owned, of SQLite's memory */
        sqlite3_stmt *statement;
    } prepared[DATABASE_STATEMENTS];
};

/* Opens with flags of sqlite3_open_v2(); the file is usable by its owner alone. A complaint on failure. SQL knows two
 * functions more, of any number of values, which give sixteen hexadecimal digits: fnv1a(...) of texts and blobs one
 * behind the other, and row_checksum(...). */
int database_open(struct database *database, const char *path, int flags, struct complaint *complaint);
void database_close(struct database *database); /* closed already is fine */

/* The error code for what SQLite answered. */
int database_code(const struct database *database, int answer);

/* What SQLite says about the latest error. */
const char *database_sentence(const struct database *database);

/* Runs statements that give no rows. */
int database_run(struct database *database, const char *sql);

/* A transaction for writing. SQLite itself may roll it back after an error, and would then make each statement that
 * follows durable on its own: here they all fail with -ECANCELED, until database_rollback(). */
int database_begin(struct database *database);
int database_commit(struct database *database);
void database_rollback(struct database *database); /* none under way is fine */

/* Puts all of it into one file: a log would stay behind when that is renamed. */
int database_leave_no_log(struct database *database);

/* The prepared statement of a text, reset and without values; NULL when it cannot be prepared. */
sqlite3_stmt *database_statement(struct database *database, const char *sql);

/* Takes a step: 1 when there is a row, 0 at the end, or an error; at the end and after errors the statement is reset.
 */
int database_step(struct database *database, sqlite3_stmt *statement);

/* Runs a statement that gives no rows, and resets it. */
int database_finish(struct database *database, sqlite3_stmt *statement);

/* Whether memory was short for something of the row that was read last: a text is empty then. */
bool database_lacked_memory(const struct database *database);

/* The first column of the first row, `otherwise` when there is none. */
int64_t database_integer(struct database *database, const char *sql, int64_t otherwise);

/* NAN is NULL in the file, both ways. */
static inline double column_number(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL ? (double)NAN
                                                                 : sqlite3_column_double(statement, column);
}

/* Text that was NULL is empty. */
const char *column_text(sqlite3_stmt *statement, int column);

/* Text as it can have been written: UTF-8 without a NUL within; else its page is damaged. */
bool column_is_sound(sqlite3_stmt *statement, int column);

/* Empty text is NULL in the file. The text must live until the statement is reset. */
void bind_text(sqlite3_stmt *statement, int parameter, const char *text);

#endif
