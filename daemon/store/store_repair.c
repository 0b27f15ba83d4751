/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A damaged file: set aside, and whatever of it can be read is put into a new one, row by row, so that one bad page
 * takes no more with it than stood on it. */

#include "store/read_decay.h"
#include "store/schema.h"
#include "store/store_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many row numbers in a row may be unreadable before the rest of a table is given up: more than an inner page of
 * the tree leads to. */
enum { MOST_UNREADABLE = 200000 };

/* A table that has row numbers, and the two statements that bring one row over. */
struct salvaged_table {
    const char *name, *next, *copy;
};

#define TABLE(table)                                                                                                   \
    {                                                                                                                  \
#table, "SELECT rowid FROM old." #table " WHERE rowid > ?1 ORDER BY rowid LIMIT 1",                            \
            "INSERT OR IGNORE INTO main." #table " SELECT * FROM old." #table " WHERE rowid = ?1"                      \
    }

static const struct salvaged_table salvaged[] = {TABLE(configuration), TABLE(setup),    TABLE(decay), TABLE(raw),
                                                 TABLE(result),        TABLE(document), TABLE(event)};

/* What came of it. */
struct salvage {
    uint64_t decays, results, unreadable;
    uint64_t lost; /* decays without readable samples */
    char ids[128]; /* the first of them */
};

static int64_t next_row(struct database *database, const struct salvaged_table *table, int64_t after, int *error)
{
    sqlite3_stmt *next = database_statement(database, table->next);
    sqlite3_bind_int64(next, 1, after);
    int row = database_step(database, next);
    *error = row < 0 ? row : 0;
    if (row != 1)
        return -1;
    int64_t found = sqlite3_column_int64(next, 0);
    sqlite3_reset(next);
    return found;
}

/* Unreadable rows are stepped over; errors of the new file end it. */
static int salvage_table(struct database *database, const struct salvaged_table *table, struct salvage *salvage)
{
    int64_t row = 0;
    for (size_t unreadable = 0; unreadable < MOST_UNREADABLE;) {
        int error;
        int64_t found = next_row(database, table, row, &error);
        if (!error && found < 0)
            return 0;
        if (!error) {
            row = found;
            sqlite3_stmt *copy = database_statement(database, table->copy);
            sqlite3_bind_int64(copy, 1, row);
            error = database_finish(database, copy);
        } else {
            row++;
        }
        if (error && error != -EUCLEAN)
            return error;
        salvage->unreadable += error == -EUCLEAN;
        unreadable = error ? unreadable + 1 : 0;
    }
    return 0;
}

/* What belongs to nothing any more goes; a decay whose results are gone is identified anew. */
static const char put_in_order[] = "INSERT OR IGNORE INTO main.meta SELECT * FROM old.meta;";
static const char consequences[] =
    "DELETE FROM main.decay WHERE setup NOT IN (SELECT id FROM main.setup);"
    "DELETE FROM main.raw WHERE decay NOT IN (SELECT id FROM main.decay);"
    "DELETE FROM main.result WHERE id NOT IN (SELECT result FROM main.document)"
    " OR decay NOT IN (SELECT id FROM main.decay);"
    "DELETE FROM main.document WHERE result NOT IN (SELECT id FROM main.result);"
    "UPDATE main.result SET latest = 0 WHERE latest;"
    "UPDATE main.decay SET revision = ifnull((SELECT max(revision) FROM main.result WHERE result.decay = decay.id), 0);"
    "UPDATE main.result SET latest = 1 WHERE revision = (SELECT revision FROM main.decay WHERE id = result.decay);";

static void note_lost(struct salvage *salvage, uint64_t id)
{
    size_t length = strlen(salvage->ids);
    if (length < sizeof salvage->ids - 32)
        snprintf(salvage->ids + length, sizeof salvage->ids - length, "%s%" PRIu64, length > 0 ? ", " : "", id);
    else if (salvage->ids[length - 1] != '.')
        snprintf(salvage->ids + length, sizeof salvage->ids - length, " ...");
    salvage->lost++;
}

/* Every decay is read back: one whose samples are not what was stored is told of, and without a result it cannot stay.
 */
static int verify_decays(struct database *database, struct salvage *salvage)
{
    sqlite3_stmt *list = NULL,
                 *forget = database_statement(database, "DELETE FROM main.decay WHERE id = ? AND revision = 0");
    if (sqlite3_prepare_v2(database->handle, "SELECT id FROM main.decay", -1, &list, NULL) != SQLITE_OK)
        return -EIO;
    int row;
    while ((row = database_step(database, list)) == 1) {
        struct kept_decay *decay;
        unsigned revision;
        uint64_t id = (uint64_t)sqlite3_column_int64(list, 0);
        int error = read_decay(database, id, &decay, &revision);
        kept_decay_release(decay);
        if (!error)
            continue;
        note_lost(salvage, id);
        sqlite3_reset(forget);
        sqlite3_bind_int64(forget, 1, (sqlite3_int64)id);
        database_finish(database, forget);
    }
    sqlite3_finalize(list);
    salvage->decays = (uint64_t)database_integer(database, "SELECT count(*) FROM main.decay", 0);
    salvage->results = (uint64_t)database_integer(database, "SELECT count(*) FROM main.result", 0);
    return row < 0 ? row : 0;
}

static int salvage_all(struct database *database, struct salvage *salvage)
{
    int error = database_run(database, "BEGIN IMMEDIATE");
    for (size_t i = 0; !error && i < sizeof salvaged / sizeof salvaged[0]; i++)
        error = salvage_table(database, &salvaged[i], salvage);
    /* Without its numbering the store begins a new history. */
    if (!error && database_run(database, put_in_order) != 0)
        salvage->unreadable++;
    if (!error)
        error = database_run(database, consequences);
    if (!error)
        error = verify_decays(database, salvage);
    return error ? error : database_run(database, "COMMIT");
}

/* The file and its log change their names together. */
static int move(const char *from, const char *to)
{
    static const char *const parts[] = {"", "-wal"};
    for (size_t i = 0; i < 2; i++) {
        char *source = sqlite3_mprintf("%s%s", from, parts[i]), *target = sqlite3_mprintf("%s%s", to, parts[i]);
        int failed = source && target ? rename(source, target) : -1;
        int error = failed && !(i > 0 && errno == ENOENT) ? -errno : 0;
        sqlite3_free(source);
        sqlite3_free(target);
        if (error)
            return error;
    }
    char *shared = sqlite3_mprintf("%s-shm", from);
    if (shared)
        unlink(shared);
    sqlite3_free(shared);
    return 0;
}

/* Makes the new file beside the old one and fills it. */
static int rebuild(struct store *store, const char *damaged, struct salvage *salvage, struct complaint *report)
{
    struct database *database = &store->database;
    int error = database_open(database, store->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, report);
    if (!error)
        error = schema_prepare(database, store->path, report);
    char *attach = sqlite3_mprintf("ATTACH DATABASE %Q AS old", damaged);
    if (!error)
        error = attach ? database_run(database, attach) : -ENOMEM;
    sqlite3_free(attach);
    if (!error)
        error = salvage_all(database, salvage);
    if (error && database->handle)
        complaint_set(report, "%s could not be repaired: %s", store->path, database_sentence(database));
    database_close(database);
    return error;
}

/* A name that no other repair has. */
static char *damaged_name(const char *path)
{
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y%m%dT%H%M%SZ", &utc);
    for (int i = 0; i < 100; i++) {
        char *name = sqlite3_mprintf("%s.damaged-%s-%02d", path, date, i);
        if (!name || access(name, F_OK) != 0)
            return name;
        sqlite3_free(name);
    }
    return NULL;
}

int store_repair(struct store *store, struct complaint *report)
{
    if (store_is_memory(store))
        return 0;
    database_close(&store->database);
    char *damaged = damaged_name(store->path);
    struct salvage salvage = {0};
    int error = damaged ? move(store->path, damaged) : -ENOMEM;
    if (!error && (error = rebuild(store, damaged, &salvage, report)) != 0) {
        /* As it was before: another attempt may find more room. */
        unlink(store->path);
        move(damaged, store->path);
    }
    if (!error) {
        complaint_set(report,
                      "%s was damaged: %" PRIu64 " decays and %" PRIu64 " results were saved into a new file. Samples "
                      "lost: %" PRIu64 "%s%s. The damaged file is kept as %s; look at the disk",
                      store->path, salvage.decays, salvage.results, salvage.lost, salvage.lost ? ": decays " : "",
                      salvage.ids, damaged);
        store->problem.text[0] = '\0';
    }
    sqlite3_free(damaged);
    return error;
}
