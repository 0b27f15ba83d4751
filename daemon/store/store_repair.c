/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A damaged file: whatever of it can be read is put into a new one, row by row, and it is set aside, so that one bad
 * page takes no more with it than stood on it. */

#include "proto/cause.h"
#include "store/database_files.h"
#include "store/loose_rows.h"
#include "store/new_description.h"
#include "store/read_decay.h"
#include "store/schema.h"
#include "store/set_aside.h"
#include "store/store_state.h"
#include "store/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many rows in a row may be unreadable before the rest of a table is given up. After the first hundred the steps
 * double, for a bad inner page of a tree hides thousands. */
enum { UNREADABLE_STEPS = 100, MOST_UNREADABLE = 140 };

/* Ids beyond this are none that a daemon gave, but damage. */
static const int64_t most_ids = INT64_C(1) << 40;

/* What stands twice in the damaged file is read from both places, one after the other: the first that can be read
 * counts. Samples go to both places again. */
struct salvaged_table {
    enum table_id id;
    bool spare, keep_spare;
};

static const struct salvaged_table salvaged[] = {
    {.id = TABLE_CONFIGURATION},
    {.id = TABLE_RUN},
    {.id = TABLE_RUN, .spare = true},
    {.id = TABLE_SETUP},
    {.id = TABLE_SETUP, .spare = true},
    {.id = TABLE_DECAY},
    {.id = TABLE_DECAY, .spare = true},
    {.id = TABLE_RAW},
    {.id = TABLE_RAW, .spare = true},
    {.id = TABLE_RAW, .spare = true, .keep_spare = true},
    {.id = TABLE_RESULT},
    {.id = TABLE_DOCUMENT},
    {.id = TABLE_EVENT},
};

/* What came of it. */
struct salvage {
    uint64_t decays, results, unreadable;
    uint64_t described; /* decays that were found where the tables are described to be */
    uint64_t rejected;  /* rows that were not what was stored */
    uint64_t again;     /* decays that have no result any more */
    uint64_t lost;      /* decays without readable samples */
    char ids[128];      /* the first of them */
    int64_t latest;     /* id that was given to a decay, as far as is known */
    int64_t latest_run; /* likewise to a run */
};

static int open_damaged(struct database *damaged, const char *path)
{
    struct complaint complaint;
    int error = database_open(damaged, path, SQLITE_OPEN_READWRITE, &complaint);
    if (!error)
        error = schema_prepare_reader(damaged);
    /* A format that SQLite does not know is one that nobody has written. */
    return error == -EPROTO ? -EUCLEAN : error;
}

static sqlite3_stmt *select_next(struct database *damaged, const struct salvaged_table *from)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "SELECT rowid, * FROM %s WHERE rowid > ?1 ORDER BY rowid LIMIT 1",
                        table_place(store_table(from->id), from->spare));
    return database_built_statement(damaged, sql);
}

/* A file of an earlier version has the first columns only. */
static sqlite3_stmt *insert_copy(struct database *fresh, const struct salvaged_table *from)
{
    const struct table *table = store_table(from->id);
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "INSERT OR %s INTO %s VALUES (", from->keep_spare ? "REPLACE" : "IGNORE",
                        table_place(table, from->keep_spare));
    for (size_t i = 0; i < table->count; i++) {
        const char *otherwise = table->columns[i].otherwise;
        sqlite3_str_appendall(sql, i > 0 ? ", " : "");
        sqlite3_str_appendf(sql, otherwise ? "ifnull(?, %s)" : "?", otherwise);
    }
    sqlite3_str_appendf(sql, ")%s", from->spare && !from->keep_spare ? table->either : "");
    return database_built_statement(fresh, sql);
}

/* Writes the row that a statement stands on; its first column is the row number, which is no column of the table. */
static int write_row(struct database *fresh, sqlite3_stmt *write, sqlite3_stmt *row)
{
    int answer = SQLITE_OK;
    for (int i = 1; write && answer == SQLITE_OK && i < sqlite3_column_count(row); i++)
        answer = sqlite3_bind_value(write, i, sqlite3_column_value(row, i));
    return answer == SQLITE_OK ? database_finish(fresh, write) : database_code(fresh, answer);
}

/* A page may be damaged where only texts stand: what they were is not known. */
static bool is_sound(sqlite3_stmt *row)
{
    for (int i = 1; i < sqlite3_column_count(row); i++)
        if (sqlite3_column_type(row, i) == SQLITE_TEXT && !column_is_sound(row, i))
            return false;
    return true;
}

/* Where to go on after so many unreadable rows in a row: a damaged file may have any row number. */
static int64_t beyond(int64_t number, size_t unreadable)
{
    int64_t step = unreadable < UNREADABLE_STEPS ? 1 : INT64_C(1) << (unreadable - UNREADABLE_STEPS);
    return number > INT64_MAX - step ? INT64_MAX : number + step;
}

/* Unreadable rows are stepped over. A connection that has met damage finds it everywhere: it is made anew. */
static int salvage_table(struct database *damaged, const char *path, struct database *fresh,
                         const struct salvaged_table *table, struct salvage *salvage)
{
    int64_t number = 0;
    for (size_t unreadable = 0; unreadable < MOST_UNREADABLE;) {
        sqlite3_stmt *row = select_next(damaged, table);
        sqlite3_bind_int64(row, 1, number);
        int found = database_step(damaged, row);
        /* What is short of memory is not unreadable. */
        if (found == 0 || found == -ENOMEM)
            return found;
        /* A damaged tree may lead back to a row that was read: every step goes on, so that there is an end. */
        if (found == 1 && sqlite3_column_int64(row, 0) > number) {
            number = sqlite3_column_int64(row, 0);
            int error = is_sound(row) ? write_row(fresh, insert_copy(fresh, table), row) : 0;
            sqlite3_reset(row);
            if (error)
                return error;
            unreadable = 0;
            continue;
        }
        if (number == INT64_MAX)
            return 0;
        number = beyond(number, unreadable);
        unreadable++;
        salvage->unreadable++;
        database_close(damaged);
        int error = open_damaged(damaged, path);
        if (error)
            return error;
    }
    return 0;
}

/* What belongs to nothing any more goes; a decay whose results are gone is identified anew. */
static const char consequences[] =
    "INSERT OR REPLACE INTO spare_setup SELECT * FROM setup;"
    "INSERT OR IGNORE INTO run (id, rig, started_at_ns) SELECT run, min(rig), min(released_at_ns)"
    " FROM decay JOIN setup ON setup.id = decay.setup WHERE run IS NOT NULL GROUP BY run;"
    "DELETE FROM run WHERE id NOT IN (SELECT run FROM decay WHERE run IS NOT NULL);"
    "DELETE FROM spare_run WHERE id NOT IN (SELECT id FROM run);"
    "DELETE FROM decay WHERE setup NOT IN (SELECT id FROM setup);"
    "DELETE FROM raw WHERE decay NOT IN (SELECT id FROM decay);"
    "DELETE FROM result WHERE id NOT IN (SELECT result FROM document)"
    " OR decay NOT IN (SELECT id FROM decay);"
    "DELETE FROM document WHERE result NOT IN (SELECT id FROM result);"
    "UPDATE result SET latest = 0 WHERE latest;"
    "UPDATE decay SET revision = ifnull((SELECT max(revision) FROM result WHERE result.decay = decay.id), 0);"
    "UPDATE result SET latest = 1 WHERE revision = (SELECT revision FROM decay WHERE id = result.decay);";

static void note_lost(struct salvage *salvage, uint64_t id)
{
    size_t length = strlen(salvage->ids);
    if (length < sizeof salvage->ids - 32)
        snprintf(salvage->ids + length, sizeof salvage->ids - length, "%s%" PRIu64, length > 0 ? ", " : "", id);
    else if (salvage->ids[length - 1] != '.')
        snprintf(salvage->ids + length, sizeof salvage->ids - length, " ...");
    salvage->lost++;
}

/* Samples that are not what was stored are worse than none. A decay that has a result keeps it; one without cannot
 * stay. */
static int forget_samples(struct database *database, uint64_t id)
{
    sqlite3_stmt *samples = database_statement(database, "DELETE FROM raw WHERE decay = ?");
    sqlite3_bind_int64(samples, 1, (sqlite3_int64)id);
    int error = database_finish(database, samples);
    sqlite3_stmt *decay = database_statement(database, "DELETE FROM decay WHERE id = ? AND revision = 0");
    sqlite3_bind_int64(decay, 1, (sqlite3_int64)id);
    return error ? error : database_finish(database, decay);
}

/* Both places get the samples that are what was stored. */
static int restore_samples(struct database *database, uint64_t id)
{
    enum raw_place sound;
    int error = read_decay_place(database, id, &sound);
    if (error || sound == RAW_BOTH)
        return error;
    sqlite3_stmt *copy = sound == RAW_FIRST ? database_statement(database, "INSERT OR REPLACE INTO spare_raw"
                                                                           " SELECT * FROM raw WHERE decay = ?1")
                                            : database_statement(database, "INSERT OR REPLACE INTO raw"
                                                                           " SELECT * FROM spare_raw WHERE decay = ?1");
    sqlite3_bind_int64(copy, 1, (sqlite3_int64)id);
    return database_finish(database, copy);
}

/* Of the moment, not of what was read: the repair is tried again. */
static bool says_nothing(int error)
{
    return error == -ENOMEM || error == -EIO || error == -ENOSPC || error == -EDQUOT || error == -EROFS ||
           error == -EBUSY;
}

/* Every decay is read back. */
static int verify_decays(struct database *database, struct salvage *salvage)
{
    uint64_t id = 0;
    int row, error = 0;
    do {
        sqlite3_stmt *next = database_statement(database, "SELECT min(id) FROM decay WHERE id > ?");
        sqlite3_bind_int64(next, 1, (sqlite3_int64)id);
        row = database_step(database, next);
        id = row == 1 ? (uint64_t)sqlite3_column_int64(next, 0) : 0;
        sqlite3_reset(next);
        struct kept_decay *decay = NULL;
        unsigned revision;
        if (id > 0 && (error = restore_samples(database, id)) == 0)
            error = read_decay(database, id, &decay, &revision);
        if (error && !says_nothing(error)) {
            note_lost(salvage, id);
            error = forget_samples(database, id);
        }
        kept_decay_release(decay);
    } while (id > 0 && !error);
    salvage->decays = (uint64_t)database_integer(database, "SELECT count(*) FROM decay", 0);
    salvage->latest = database_integer(database, "SELECT seq FROM sqlite_sequence WHERE name = 'decay'", 0);
    salvage->results = (uint64_t)database_integer(database, "SELECT count(*) FROM result", 0);
    salvage->again = (uint64_t)database_integer(database, "SELECT count(*) FROM decay WHERE revision = 0", 0);
    return row < 0 ? row : error;
}

/* Decays of which something is left that is no use without the rest: nobody can say what was measured there. */
static int note_ownerless(struct database *fresh, struct salvage *salvage)
{
    sqlite3_stmt *ids =
        database_statement(fresh, "SELECT id FROM decay WHERE setup NOT IN (SELECT id FROM setup)"
                                  " UNION SELECT decay FROM raw WHERE checksum = fnv1a(coding, samples, time_s, flags)"
                                  " AND decay NOT IN (SELECT id FROM decay)"
                                  " UNION SELECT decay FROM result WHERE id IN (SELECT result FROM document)"
                                  " AND decay NOT IN (SELECT id FROM decay) ORDER BY 1");
    int row;
    while ((row = database_step(fresh, ids)) == 1) {
        int64_t id = sqlite3_column_int64(ids, 0);
        note_lost(salvage, (uint64_t)id);
        salvage->latest = id > salvage->latest && id <= most_ids ? id : salvage->latest;
    }
    return row;
}

/* A decay that is lost keeps its id for itself. */
static int keep_ids(struct database *fresh, const char *table, int64_t latest)
{
    sqlite3_stmt *begin =
        database_statement(fresh, "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0"
                                  " WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)");
    bind_text(begin, 1, table);
    int error = database_finish(fresh, begin);
    sqlite3_stmt *raise = database_statement(fresh, "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1");
    bind_text(raise, 1, table);
    sqlite3_bind_int64(raise, 2, latest);
    return error ? error : database_finish(fresh, raise);
}

static int find_latest(struct database *damaged, const char *table, int64_t *id)
{
    sqlite3_stmt *latest = database_statement(damaged, "SELECT seq FROM sqlite_sequence WHERE name = ?1");
    bind_text(latest, 1, table);
    int row = database_step(damaged, latest);
    *id = row == 1 ? sqlite3_column_int64(latest, 0) : 0;
    sqlite3_reset(latest);
    if (*id < 0 || *id > most_ids)
        *id = 0;
    return row == -ENOMEM ? row : 0;
}

/* The numbers go on where they were; without them the store begins a new history. */
static int salvage_numbering(struct database *damaged, struct database *fresh)
{
    sqlite3_stmt *row = database_statement(damaged, "SELECT 0, name, value FROM meta");
    int found, error = 0;
    while ((found = database_step(damaged, row)) == 1 && !error)
        error = write_row(fresh, database_statement(fresh, "INSERT OR REPLACE INTO meta VALUES (?,?)"), row);
    sqlite3_reset(row);
    return found == -ENOMEM ? found : error;
}

/* Removes what is not what was stored; of samples that is found by reading them. */
static int reject_rows(struct database *fresh, const struct table *table, struct salvage *salvage)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "DELETE FROM %s WHERE ", table->name);
    if (!table_add_wrong(sql, table, "") || table->is_read_back) {
        sqlite3_free(sqlite3_str_finish(sql));
        return 0;
    }
    int error = database_finish(fresh, database_built_statement(fresh, sql));
    salvage->rejected += error ? 0 : (uint64_t)sqlite3_changes(fresh->handle);
    return error;
}

/* What the trees lead to, from the pages that the tables are described to begin on. */
static int salvage_trees(struct database *damaged, const char *path, struct database *fresh, struct salvage *salvage)
{
    int error = salvage_numbering(damaged, fresh);
    if (!error)
        error = find_latest(damaged, "decay", &salvage->latest);
    if (!error)
        error = find_latest(damaged, "run", &salvage->latest_run);
    for (size_t i = 0; !error && i < sizeof salvaged / sizeof salvaged[0]; i++) {
        error = salvage_table(damaged, path, fresh, &salvaged[i], salvage);
        if (!error)
            error = reject_rows(fresh, store_table(salvaged[i].id), salvage);
    }
    salvage->described = (uint64_t)database_integer(fresh, "SELECT count(*) FROM decay", 0);
    return error;
}

/* What no tree leads to. Samples that are wrong must not keep sound ones out. */
static int salvage_leaves(struct database *damaged, struct database *fresh, struct salvage *salvage)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "DELETE FROM raw WHERE %s", store_table(TABLE_RAW)->wrong);
    int error = database_finish(fresh, database_built_statement(fresh, sql));
    if (!error)
        error = loose_rows_save(database_file(damaged), fresh);
    return error ? error : reject_rows(fresh, store_table(TABLE_DOCUMENT), salvage);
}

/* Of all that was read, what goes together. */
static int settle_rows(struct database *fresh, struct salvage *salvage)
{
    int error = note_ownerless(fresh, salvage);
    if (!error)
        error = keep_ids(fresh, "decay", salvage->latest);
    if (!error)
        error = keep_ids(fresh, "run", salvage->latest_run);
    if (!error)
        error = database_run(fresh, consequences);
    if (!error)
        error = schema_complete_rows(fresh);
    return error ? error : verify_decays(fresh, salvage);
}

/* By what the rows of a damaged file are found. */
enum way { BY_TREES, BY_LEAVES_ALONE };

static int salvage_all(const char *path, enum way way, struct database *fresh, struct salvage *salvage)
{
    struct database damaged;
    struct complaint complaint;
    int error = way == BY_TREES ? open_damaged(&damaged, path)
                                : database_open(&damaged, path, SQLITE_OPEN_READWRITE, &complaint);
    if (!error)
        error = database_begin(fresh);
    if (!error && way == BY_TREES)
        error = salvage_trees(&damaged, path, fresh, salvage);
    /* What is in the old log, too, belongs to the file that is set aside; when that fails, both are kept. */
    if (damaged.handle)
        database_run(&damaged, "PRAGMA wal_checkpoint(TRUNCATE)");
    if (!error)
        error = salvage_leaves(&damaged, fresh, salvage);
    database_close(&damaged);
    if (!error)
        error = settle_rows(fresh, salvage);
    return error ? error : database_commit(fresh);
}

/* Makes a new file and fills it with what can be read of the damaged one. */
static int rebuild(const char *damaged, const char *path, enum way way, struct salvage *salvage,
                   struct complaint *report)
{
    *salvage = (struct salvage){0};
    struct database fresh;
    int error = database_open(&fresh, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, report);
    if (!error)
        error = schema_prepare(&fresh, path, report);
    if (!error)
        error = salvage_all(damaged, way, &fresh, salvage);
    if (!error)
        error = database_leave_no_log(&fresh);
    if (error && fresh.handle)
        complaint_set(report, "%s could not be repaired: %s", path, database_sentence(&fresh));
    database_close(&fresh);
    return error;
}

/* The description of the tables is gone: what they hold is read under that of a new store. */
static int rebuild_without_description(const char *damaged, const char *path, struct salvage *salvage,
                                       struct complaint *report)
{
    char *copy = sqlite3_mprintf("%s.reading", damaged);
    if (!copy)
        return -ENOMEM;
    database_files_remove(copy);
    int error = database_files_check(copy, report);
    if (!error && (error = describe_anew(damaged, copy)) != 0 && error != -ENOMEDIUM)
        complaint_set(report, "%s could not be repaired: it cannot be copied for that: %s", damaged, cause_of(error));
    if (!error)
        error = rebuild(copy, path, BY_TREES, salvage, report);
    database_files_remove(copy);
    sqlite3_free(copy);
    return error;
}

/* Not the tables, but what describes them. */
static bool hides_tables(int error)
{
    return error == -EUCLEAN || error == -ENOMEDIUM;
}

/* Fills a new file with all that can be got. Whatever that is, what comes in now must have a place. */
static int save(const char *damaged, const char *fresh, struct salvage *salvage, struct complaint *report)
{
    database_files_remove(fresh);
    int error = rebuild(damaged, fresh, BY_TREES, salvage, report);
    if (hides_tables(error) || (!error && salvage->described == 0)) {
        database_files_remove(fresh);
        error = rebuild_without_description(damaged, fresh, salvage, report);
    }
    if (hides_tables(error)) {
        database_files_remove(fresh);
        error = rebuild(damaged, fresh, BY_LEAVES_ALONE, salvage, report);
    }
    return error;
}

/* The new file takes the place of the damaged one in one step, so that there is a store at every moment. */
static int replace(const char *path, const char *fresh, const char *damaged)
{
    char *log = sqlite3_mprintf("%s-wal", path), *shared = sqlite3_mprintf("%s-shm", path);
    char *damaged_log = sqlite3_mprintf("%s-wal", damaged);
    int error = log && shared && damaged_log ? 0 : -ENOMEM;
    if (!error && link(path, damaged) != 0)
        error = -errno;
    /* The old log must not be taken for one of the new file. */
    if (!error && rename(log, damaged_log) != 0 && errno != ENOENT)
        error = -errno;
    if (!error) {
        unlink(shared);
        if (rename(fresh, path) != 0)
            error = -errno;
    }
    sqlite3_free(log);
    sqlite3_free(shared);
    sqlite3_free(damaged_log);
    return error;
}

int store_repair(struct store *store, struct complaint *report)
{
    if (store_is_memory(store))
        return 0;
    database_close(&store->database);
    char *damaged = set_aside_name(store->path, "damaged"), *fresh = sqlite3_mprintf("%s.repair", store->path);
    struct salvage salvage = {0};
    int error = -ENOMEM;
    if (damaged && fresh) {
        error = save(store->path, fresh, &salvage, report);
        if (!error)
            error = replace(store->path, fresh, damaged);
        if (error)
            database_files_remove(fresh);
    }
    if (!error) {
        complaint_set(report,
                      "%s was damaged, and is kept as %s; look at the disk. %" PRIu64 " decays and %" PRIu64
                      " results were saved into a new file. Samples "
                      "lost: %" PRIu64 "%s%s. Decays to be identified again: %" PRIu64
                      ". Rows that were not what was stored: %" PRIu64 ". The latest decay had the id %" PRId64
                      "; %" PRId64 " ids up to it have none now",
                      store->path, damaged, salvage.decays, salvage.results, salvage.lost,
                      salvage.lost ? ": decays " : "", salvage.ids, salvage.again, salvage.rejected, salvage.latest,
                      salvage.latest - (int64_t)salvage.decays);
        store->problem.text[0] = '\0';
    } else {
        store->problem = *report;
    }
    sqlite3_free(damaged);
    sqlite3_free(fresh);
    return error;
}
