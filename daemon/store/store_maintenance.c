/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which decays stay, and how the file gets smaller. */

#include "store/file_layout.h"
#include "store/store_state.h"

#include <errno.h>

static bool has_decay(struct store *store, uint64_t id)
{
    sqlite3_stmt *find = database_statement(&store->database, "SELECT 1 FROM decay WHERE id = ?1");
    sqlite3_bind_int64(find, 1, (sqlite3_int64)id);
    const bool found = database_step(&store->database, find) == 1;
    sqlite3_reset(find);
    return found;
}

int store_protect(struct store *store, uint64_t id, bool protect)
{
    if (store_is_memory(store))
        return -ENOENT;
    sqlite3_stmt *update =
        database_statement(&store->database, "UPDATE decay SET protected = ?2 WHERE id = ?1 AND protected <> ?2");
    sqlite3_bind_int64(update, 1, (sqlite3_int64)id);
    sqlite3_bind_int(update, 2, protect);
    const int error = database_finish(&store->database, update);
    if (error)
        return error;
    if (sqlite3_changes(store->database.handle) == 0)
        return has_decay(store, id) ? 0 : -ENOENT;
    store->newly_protected += protect ? 1 : -1;
    return 0;
}

/* Pages in use, without those that were freed and not given back yet; 0 when that cannot be told: nothing goes for a
 * size that nobody knows. */
static uint64_t bytes_in_use(struct store *store)
{
    struct database *database = &store->database;
    int64_t pages = database_integer(database, "PRAGMA page_count", -1);
    int64_t unused = database_integer(database, "PRAGMA freelist_count", -1);
    return unused < 0 || pages < unused ? 0 : (uint64_t)(pages - unused) * DATABASE_PAGE;
}

static int remove_decay(struct store *store, int64_t id)
{
    sqlite3_stmt *seqs = database_statement(
        &store->database,
        "UPDATE meta SET value = max(value, ifnull((SELECT max(seq) FROM result WHERE decay = ?1), 0))"
        " WHERE name = 'gone_seq'");
    sqlite3_bind_int64(seqs, 1, id);
    int error = database_finish(&store->database, seqs);
    sqlite3_stmt *results = database_statement(&store->database, "SELECT count(*) FROM result WHERE decay = ?1");
    sqlite3_bind_int64(results, 1, id);
    int row = error ? error : database_step(&store->database, results);
    if (row < 0)
        return row;
    store->gone_results += (uint64_t)sqlite3_column_int64(results, 0);
    sqlite3_reset(results);
    /* Whatever belongs to it goes with it: the tables say so. */
    sqlite3_stmt *decay = database_statement(&store->database, "DELETE FROM decay WHERE id = ?1");
    sqlite3_bind_int64(decay, 1, id);
    error = database_finish(&store->database, decay);
    store->gone_decays += !error;
    return error;
}

/* Notifications of before the first one that a decay still has are never asked for: some of them are gone. */
static int forget_events(struct store *store)
{
    return database_run(&store->database,
                        "DELETE FROM event WHERE seq <= (SELECT value FROM meta WHERE name = 'gone_seq')"
                        " AND seq < ifnull((SELECT min(seq) FROM result WHERE seq > 0), 0);"
                        "DELETE FROM meta WHERE name GLOB 'clock.*' AND name < (SELECT max(name) FROM meta"
                        " WHERE name GLOB 'clock.*' AND name <= printf('clock.%019d', (SELECT min(id) FROM decay)))");
}

int store_make_room(struct store *store, int64_t keep_ns, uint64_t max_bytes, unsigned most, unsigned *removed,
                    struct complaint *waits)
{
    int error = 0;
    bool may_age = false;
    *removed = 0;
    waits->text[0] = '\0';
    if (store_is_memory(store))
        return 0;
    if (keep_ns > 0)
        error = store_may_age(store, keep_ns, &may_age, waits);
    while (!error && *removed < most) {
        int64_t id = 0;
        if (max_bytes > 0 && bytes_in_use(store) > max_bytes)
            error = store_oldest(store, &id);
        else if (may_age)
            error = store_oldest_beyond(store, keep_ns, &id);
        if (error || id == 0)
            break;
        error = remove_decay(store, id);
        *removed += !error;
    }
    if (!error && *removed > 0)
        error = forget_events(store);
    if (!error && database_integer(&store->database, "PRAGMA freelist_count", 0) > 0)
        error = database_run(&store->database, "PRAGMA incremental_vacuum");
    return error;
}
