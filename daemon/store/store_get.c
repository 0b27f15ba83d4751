/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What comes out of the store on its own connection: decays to be identified, and the numbering. */

#include "store/read_decay.h"
#include "store/store_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int get_meta(struct store *store, const char *name, sqlite3_stmt **statement)
{
    *statement = database_statement(&store->database, "SELECT value FROM meta WHERE name = ?");
    bind_text(*statement, 1, name);
    return database_step(&store->database, *statement);
}

static int get_meta_number(struct store *store, const char *name, uint64_t *number)
{
    sqlite3_stmt *statement;
    int row = get_meta(store, name, &statement);
    if (row != 1)
        return row;
    *number = (uint64_t)sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return 0;
}

int store_get_numbering(struct store *store, struct store_numbering *numbering)
{
    *numbering = (struct store_numbering){.next_seq = 1};
    if (store_is_memory(store))
        return 0;
    int error = store_connect(store);
    if (error)
        return error;
    sqlite3_stmt *statement;
    int row = get_meta(store, "history_id", &statement);
    if (row < 0)
        return row;
    if (row == 1) {
        snprintf(numbering->history_id, sizeof numbering->history_id, "%s", column_text(statement, 0));
        sqlite3_reset(statement);
    }
    error = get_meta_number(store, "next_seq", &numbering->next_seq);
    return error ? error : get_meta_number(store, "gone_seq", &numbering->gone_seq);
}

int store_next_waiting(struct store *store, uint64_t after, uint64_t last, uint64_t *id)
{
    *id = 0;
    if (store_is_memory(store))
        return 0;
    int error = store_connect(store);
    if (error)
        return error;
    sqlite3_stmt *next = database_statement(
        &store->database,
        "SELECT id FROM decay WHERE revision = 0 AND id > ?1 AND id <= ?2 ORDER BY id LIMIT 1");
    sqlite3_bind_int64(next, 1, (sqlite3_int64)after);
    sqlite3_bind_int64(next, 2, (sqlite3_int64)last);
    int row = database_step(&store->database, next);
    if (row == 1) {
        *id = (uint64_t)sqlite3_column_int64(next, 0);
        sqlite3_reset(next);
    }
    return row < 0 ? row : 0;
}

uint64_t store_last_id(struct store *store)
{
    if (store_is_memory(store) || store_connect(store) != 0)
        return 0;
    return (uint64_t)database_integer(&store->database, "SELECT max(id) FROM decay", 0);
}

int store_get_decay(struct store *store, uint64_t id, struct kept_decay **decay, unsigned *revision)
{
    *decay = NULL;
    if (store_is_memory(store))
        return -ENOENT;
    int error = store_connect(store);
    return error ? error : read_decay(&store->database, id, decay, revision);
}
