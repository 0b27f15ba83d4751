/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SQLite as the store uses it: every answer becomes an errno code or a row, nothing else comes out of here. */

#include "store/database.h"

#include "proto/cause.h"
#include "proto/utf8.h"
#include "store/checksum.h"
#include "store/database_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* How long one connection waits for the other; the only locks that last are those of a checkpoint, ms. */
enum { BUSY_MS = 5000 };

/* What the system said counts more than what SQLite makes of it: a full disk can show as an I/O error. */
static int code_of_system(const struct database *database, int otherwise)
{
    int system = database->handle ? sqlite3_system_errno(database->handle) : 0;
    switch (system) {
    case ENOSPC:
    case EDQUOT:
        return -ENOSPC;
    case EROFS:
    case EACCES:
    case EPERM:
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
        return -system;
    default:
        return otherwise;
    }
}

int database_code(const struct database *database, int answer)
{
    switch (answer & 0xFF) {
    case SQLITE_OK:
    case SQLITE_DONE:
    case SQLITE_ROW:
        return 0;
    case SQLITE_FULL:
        return -ENOSPC;
    case SQLITE_READONLY:
        return code_of_system(database, -EROFS);
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return -EACCES;
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        return code_of_system(database, -EIO);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return -EBUSY;
    case SQLITE_NOMEM:
        return -ENOMEM;
    case SQLITE_CORRUPT:
        return -EUCLEAN;
    case SQLITE_NOTADB:
        return -ENOMEDIUM;
    case SQLITE_CONSTRAINT:
        return -EEXIST;
    case SQLITE_TOOBIG:
        return -EFBIG;
    case SQLITE_INTERRUPT:
        return -EINTR;
    default:
        return -EPROTO;
    }
}

const char *database_sentence(const struct database *database)
{
    if (!database->handle)
        return "it is not open";
    /* Of no error SQLite says "not an error". */
    return sqlite3_errcode(database->handle) == SQLITE_OK ? "SQLite says nothing more"
                                                          : sqlite3_errmsg(database->handle);
}

/* --- functions for SQL --- */

static void return_checksum(sqlite3_context *context, uint64_t checksum)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, checksum);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* fnv1a(...): of the bytes of texts and blobs, one behind the other. */
static void text_checksum(sqlite3_context *context, int count, sqlite3_value **values)
{
    uint64_t state = CHECKSUM_EMPTY;
    if (count == 0 || sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    for (int i = 0; i < count; i++) {
        const void *bytes = sqlite3_value_blob(values[i]);
        state = checksum_add(state, bytes, bytes ? (size_t)sqlite3_value_bytes(values[i]) : 0);
    }
    return_checksum(context, state);
}

/* The eight bytes of a number, the lowest first. Zero has one sign: the file keeps no other. */
static uint64_t add_number(uint64_t state, sqlite3_value *value)
{
    unsigned char bytes[8];
    sqlite3_int64 integer = sqlite3_value_int64(value);
    double real = sqlite3_value_double(value);
    uint64_t bits = (uint64_t)integer;
    if (sqlite3_value_type(value) == SQLITE_FLOAT) {
        real = real == 0 ? 0 : real;
        memcpy(&bits, &real, sizeof bits);
    }
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    return checksum_add(state, bytes, sizeof bytes);
}

/* row_checksum(...): of the values of a row, each with its type in front; no digits are printed for it, which another
 * version of SQLite might print otherwise. */
static void row_checksum(sqlite3_context *context, int count, sqlite3_value **values)
{
    uint64_t state = CHECKSUM_EMPTY;
    for (int i = 0; i < count; i++) {
        int type = sqlite3_value_type(values[i]);
        unsigned char letter = (unsigned char)type;
        state = checksum_add(state, &letter, 1);
        if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
            state = add_number(state, values[i]);
        } else if (type != SQLITE_NULL) {
            const void *bytes = sqlite3_value_blob(values[i]);
            state = checksum_add(state, bytes, bytes ? (size_t)sqlite3_value_bytes(values[i]) : 0);
        }
    }
    return_checksum(context, state);
}

static int add_functions(sqlite3 *handle)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    int answer = sqlite3_create_function(handle, "fnv1a", -1, flags, NULL, text_checksum, NULL, NULL);
    if (answer != SQLITE_OK)
        return answer;
    return sqlite3_create_function(handle, "row_checksum", -1, flags, NULL, row_checksum, NULL, NULL);
}

int database_open(struct database *database, const char *path, int flags, struct complaint *complaint)
{
    memset(database, 0, sizeof *database);
    int error = database_files_check(path, complaint);
    if (error)
        return error;
    int answer = sqlite3_open_v2(path, &database->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (answer == SQLITE_OK)
        answer = add_functions(database->handle);
    if (answer != SQLITE_OK) {
        error = database_code(database, answer);
        complaint_set(complaint, "%s: %s", path, cause_of(error));
        database_close(database);
        return error;
    }
    sqlite3_extended_result_codes(database->handle, 1);
    sqlite3_busy_timeout(database->handle, BUSY_MS);
    return 0;
}

void database_close(struct database *database)
{
    for (size_t i = 0; i < database->count; i++) {
        sqlite3_finalize(database->prepared[i].statement);
        sqlite3_free(database->prepared[i].sql);
    }
    /* Statements are finalized and no backup runs: this cannot be refused, and what it reports was reported before. */
    sqlite3_close(database->handle);
    memset(database, 0, sizeof *database);
}

/* --- transactions --- */

static bool is_rolled_back(const struct database *database)
{
    return database->in_transaction && sqlite3_get_autocommit(database->handle);
}

int database_begin(struct database *database)
{
    int error = database_run(database, "BEGIN IMMEDIATE");
    database->in_transaction = !error;
    return error;
}

int database_commit(struct database *database)
{
    int error = database_run(database, "COMMIT");
    database->in_transaction = error != 0;
    return error;
}

void database_rollback(struct database *database)
{
    database->in_transaction = false;
    /* A failed COMMIT, or a full disk, may have rolled it back already. */
    if (database->handle && !sqlite3_get_autocommit(database->handle))
        database_run(database, "ROLLBACK");
}

/* --- statements --- */

int database_run(struct database *database, const char *sql)
{
    if (is_rolled_back(database))
        return -ECANCELED;
    return database_code(database, sqlite3_exec(database->handle, sql, NULL, NULL, NULL));
}

sqlite3_stmt *database_statement(struct database *database, const char *sql)
{
    for (size_t i = 0; i < database->count; i++) {
        if (strcmp(database->prepared[i].sql, sql) == 0) {
            sqlite3_reset(database->prepared[i].statement);
            sqlite3_clear_bindings(database->prepared[i].statement);
            return database->prepared[i].statement;
        }
    }
    sqlite3_stmt *statement = NULL;
    if (!database->handle || database->count == DATABASE_STATEMENTS ||
        sqlite3_prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
        return NULL;
    char *copy = sqlite3_mprintf("%s", sql);
    if (!copy) {
        sqlite3_finalize(statement);
        return NULL;
    }
    database->prepared[database->count].sql = copy;
    database->prepared[database->count++].statement = statement;
    return statement;
}

/* The code of an error is taken before the reset, which may bring another. */
int database_step(struct database *database, sqlite3_stmt *statement)
{
    if (!statement) {
        int error = database->handle ? database_code(database, sqlite3_errcode(database->handle)) : -EBADF;
        return error ? error : -ENOMEM;
    }
    if (is_rolled_back(database))
        return -ECANCELED;
    int answer = sqlite3_step(statement);
    if (answer == SQLITE_ROW)
        return 1;
    int error = database_code(database, answer);
    sqlite3_reset(statement);
    return error;
}

int database_finish(struct database *database, sqlite3_stmt *statement)
{
    int error = database_step(database, statement);
    if (error == 1)
        sqlite3_reset(statement);
    return error < 0 ? error : 0;
}

int database_leave_no_log(struct database *database)
{
    sqlite3_stmt *mode = database_statement(database, "PRAGMA journal_mode = DELETE");
    int row = database_step(database, mode);
    bool done = row == 1 && strcmp(column_text(mode, 0), "delete") == 0;
    sqlite3_reset(mode);
    return done ? 0 : row < 0 ? row : -EIO;
}

int64_t database_integer(struct database *database, const char *sql, int64_t otherwise)
{
    sqlite3_stmt *statement = NULL;
    int64_t value = otherwise;
    if (!is_rolled_back(database) && sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

bool database_lacked_memory(const struct database *database)
{
    return (sqlite3_errcode(database->handle) & 0xFF) == SQLITE_NOMEM;
}

const char *column_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

bool column_is_sound(sqlite3_stmt *statement, int column)
{
    const char *text = column_text(statement, column);
    size_t length = (size_t)sqlite3_column_bytes(statement, column);
    return strlen(text) == length && is_utf8(text, length);
}

void bind_text(sqlite3_stmt *statement, int parameter, const char *text)
{
    if (text && text[0])
        sqlite3_bind_text(statement, parameter, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, parameter);
}
