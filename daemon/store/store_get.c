/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the store itself is asked for: the numbering, and how far its decays go. Everything else is read on the reader's
 * connection. */

#include "store/store_state.h"

#include <stdio.h>

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

int store_latest_decay(struct store *store, uint64_t *id)
{
    *id = 0;
    if (store_is_memory(store))
        return 0;
    sqlite3_stmt *latest = database_statement(&store->database, "SELECT ifnull(max(id), 0) FROM decay");
    int row = database_step(&store->database, latest);
    if (row == 1) {
        *id = (uint64_t)sqlite3_column_int64(latest, 0);
        sqlite3_reset(latest);
    }
    return row < 0 ? row : 0;
}
