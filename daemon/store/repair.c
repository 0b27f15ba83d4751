/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of damaged files in a new one, so that one bad page takes no more with it than stood on it. */

#include "store/repair.h"

#include "proto/cause.h"
#include "store/database_files.h"
#include "store/read_decay.h"
#include "store/schema.h"
#include "store/stored_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What came of it. */
struct salvage {
    uint64_t decays, results;
    uint64_t wrong;                /* rows that were not what was stored */
    uint64_t again;                /* decays that have no result any more */
    uint64_t lost;                 /* decays without readable samples */
    FILE *lost_ids;                /* theirs go there; NULL: nowhere */
    struct stored_numbers numbers; /* of all files */
};

/* A file on its way into the new one. */
struct source {
    const char *path;
    struct database *fresh;
    struct salvage *salvage;
    struct stored_numbers numbers;
    int64_t results, events; /* ids in the new file before this one came; 0: it is the first */
    bool is_first;
    bool goes_on; /* no decay is wanted, but what those to come go on behind */
    struct complaint *report;
};

/* --- a row --- */

/* What every row is put with, whatever becomes of it later, it may have had on the leaf for longer than was true. */
static bool is_put_as_zero(const struct column *column)
{
    return column->value && strcmp(column->value, "0") == 0;
}

/* The values under the names of their columns. */
static void add_values(sqlite3_str *sql, const struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct column *column = &table->columns[i];
        const char *form = is_put_as_zero(column) ? "%s0 * ?%d" : column->otherwise ? "%sifnull(?%d, %s)" : "%s?%d";
        sqlite3_str_appendf(sql, form, i > 0 ? ", " : "SELECT ", (int)i + 1, column->otherwise);
        sqlite3_str_appendf(sql, " AS %s", column->name);
    }
}

/* A whole number in a column of others may be stored as an integer. */
static int bind_value(sqlite3_stmt *statement, int place, const struct column *column, const struct leaf_value *value)
{
    switch (value->type) {
    case SQLITE_INTEGER:
        return strncmp(column->declaration, "REAL", 4) == 0
                   ? sqlite3_bind_double(statement, place, (double)value->integer)
                   : sqlite3_bind_int64(statement, place, value->integer);
    case SQLITE_FLOAT:
        return sqlite3_bind_double(statement, place, value->real);
    case SQLITE_TEXT:
        return sqlite3_bind_text64(statement, place, (const char *)value->bytes, value->length, SQLITE_STATIC,
                                   SQLITE_UTF8);
    case SQLITE_BLOB:
        return sqlite3_bind_blob64(statement, place, value->bytes, value->length, SQLITE_STATIC);
    default:
        return sqlite3_bind_null(statement, place);
    }
}

/* Results and events get ids behind those of the files before. */
static int64_t number_in(const struct source *source, const struct table *table, int64_t number)
{
    if (table == store_table(TABLE_RESULT) || table == store_table(TABLE_DOCUMENT))
        return number + source->results;
    return table == store_table(TABLE_EVENT) ? number + source->events : number;
}

/* A column that the row does not have stays NULL. */
static int bind_row(const struct source *source, sqlite3_stmt *statement, const struct table *table,
                    const struct leaf_row *row)
{
    int answer = SQLITE_OK;
    for (int i = 0; statement && answer == SQLITE_OK && i < (int)row->count; i++) {
        const struct column *column = &table->columns[i];
        answer = strncmp(column->declaration, "INTEGER PRIMARY KEY", strlen("INTEGER PRIMARY KEY")) == 0
                     ? sqlite3_bind_int64(statement, i + 1, number_in(source, table, row->number))
                     : bind_value(statement, i + 1, column, &row->values[i]);
    }
    return answer == SQLITE_OK ? 0 : database_code(source->fresh, answer);
}

/* Rows of a version that had no checksums yet are as good as they look. */
static int ask_wrong(const struct source *source, const struct table *table, const struct leaf_row *row, bool *wrong)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendall(sql, "SELECT ifnull(");
    if (!table_add_wrong(sql, table, ""))
        sqlite3_str_appendall(sql, "0");
    sqlite3_str_appendf(sql, ", %d) FROM (", row->count == table->count || table->since > 1);
    add_values(sql, table);
    sqlite3_str_appendf(sql, ") AS %s", table->name);
    sqlite3_stmt *ask = database_built_statement(source->fresh, sql);
    int error = bind_row(source, ask, table, row);
    const int answered = error ? error : database_step(source->fresh, ask);
    *wrong = answered == 1 && sqlite3_column_int(ask, 0);
    sqlite3_reset(ask);
    return answered < 0 ? answered : 0;
}

static int insert(const struct source *source, const struct table *table, const struct leaf_row *row)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "INSERT OR IGNORE INTO %s SELECT * FROM (", table->name);
    add_values(sql, table);
    sqlite3_str_appendf(sql, ") WHERE 1%s", table->either);
    sqlite3_stmt *insertion = database_built_statement(source->fresh, sql);
    int error = bind_row(source, insertion, table, row);
    return error ? error : database_finish(source->fresh, insertion);
}

/* Whether another file had something else under this id, or this under another id. */
static int find_conflict(const struct source *source, const struct table *table, const struct leaf_row *row)
{
    const bool is_setup = table == store_table(TABLE_SETUP);
    if (source->is_first || (!is_setup && table != store_table(TABLE_DECAY)))
        return 0;
    sqlite3_stmt *other =
        database_statement(source->fresh, is_setup ? "SELECT 1 FROM setup WHERE (id = ?1) <> (row_checksum IS ?2)"
                                                     " AND (id = ?1 OR row_checksum IS ?2)"
                                                   : "SELECT 1 FROM decay WHERE id = ?1 AND row_checksum IS NOT ?2");
    size_t checksum = 0;
    while (checksum < table->count && strcmp(table->columns[checksum].name, "row_checksum") != 0)
        checksum++;
    sqlite3_bind_int64(other, 1, row->number);
    if (checksum < row->count)
        bind_value(other, 2, &table->columns[checksum], &row->values[checksum]);
    const int found = database_step(source->fresh, other);
    sqlite3_reset(other);
    if (found == 1)
        complaint_set(source->report,
                      "%s cannot be put into one store with what the other files hold: its %s %" PRId64
                      " is another there. Make a store of each",
                      source->path, table->name, row->number);
    return found == 1 ? -EEXIST : found;
}

/* SQLite's own has no constraints of ours: only numbers are taken. */
static bool is_wanted(const struct source *source, const struct table *table)
{
    if (source->goes_on)
        return table == store_table(TABLE_META) || table == store_table(TABLE_CONFIGURATION) ||
               table == store_table(TABLE_SETUP);
    return table->constraints != NULL;
}

static int take_row(void *context, const struct table *table, const struct leaf_row *row)
{
    struct source *source = context;
    bool wrong = false;
    stored_numbers_add(&source->numbers, table, row);
    if (!is_wanted(source, table))
        return 0;
    int error = ask_wrong(source, table, row, &wrong);
    source->salvage->wrong += wrong;
    if (!error && !wrong)
        error = find_conflict(source, table, row);
    return error || wrong ? error : insert(source, table, row);
}

/* --- a file --- */

static int64_t higher(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

static int take_file(struct source *source)
{
    struct stored_pages pages;
    struct database *fresh = source->fresh;
    source->results = database_integer(fresh, "SELECT ifnull(max(id), 0) FROM result", 0);
    source->events = database_integer(fresh, "SELECT ifnull(max(id), 0) FROM event", 0);
    int error = stored_pages_open(source->path, &pages, source->report);
    if (error)
        return error;
    error = stored_rows_visit(&pages, take_row, source);
    stored_pages_close(&pages);
    struct stored_numbers *all = &source->salvage->numbers;
    all->decay = higher(all->decay, source->numbers.decay);
    all->run = higher(all->run, source->numbers.run);
    all->seq = higher(all->seq, source->numbers.seq);
    all->found = all->found || source->numbers.found;
    return error;
}

/* --- what goes together --- */

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
    "DELETE FROM event WHERE id NOT IN (SELECT min(id) FROM event GROUP BY seq, at_ns, code, text);"
    "UPDATE result SET latest = 0 WHERE latest;"
    "UPDATE decay SET revision = ifnull((SELECT max(revision) FROM result WHERE result.decay = decay.id), 0);"
    "UPDATE result SET latest = 1 WHERE revision = (SELECT revision FROM decay WHERE id = result.decay);";

static void note_lost(struct salvage *salvage, uint64_t id)
{
    if (salvage->lost_ids)
        fprintf(salvage->lost_ids, "%s%" PRIu64, salvage->lost > 0 ? ", " : "", id);
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

/* Of the moment, not of what was read: the repair is tried again. */
static bool says_nothing(int error)
{
    return error == -ENOMEM || error == -EIO || error == -ENOSPC || error == -EDQUOT || error == -EROFS ||
           error == -EBUSY || error == -EINTR;
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
        if (id > 0)
            error = read_decay(database, id, &decay, &revision);
        if (error && !says_nothing(error)) {
            note_lost(salvage, id);
            error = forget_samples(database, id);
        }
        kept_decay_release(decay);
    } while (id > 0 && !error);
    salvage->decays = (uint64_t)database_integer(database, "SELECT count(*) FROM decay", 0);
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
    while ((row = database_step(fresh, ids)) == 1)
        note_lost(salvage, (uint64_t)sqlite3_column_int64(ids, 0));
    return row;
}

/* Of all that was read, what goes together. A decay that is lost keeps its id for itself. */
static int settle_rows(struct database *fresh, struct salvage *salvage)
{
    int error = note_ownerless(fresh, salvage);
    if (!error)
        error = stored_numbers_keep(&salvage->numbers, fresh);
    if (!error)
        error = database_run(fresh, consequences);
    if (!error)
        error = schema_complete_rows(fresh);
    return error ? error : verify_decays(fresh, salvage);
}

/* --- the new file --- */

/* What is asked of a new file. */
struct order {
    const char *const *files;
    size_t count;
    int (*is_ended)(void *unused); /* NULL: nobody ends it */
    int (*fill)(const struct order *order, struct database *fresh, struct salvage *salvage, struct complaint *report);
};

static int fill_with_all(const struct order *order, struct database *fresh, struct salvage *salvage,
                         struct complaint *report)
{
    int error = 0;
    for (size_t i = order->count; !error && i > 0; i--) {
        struct source source = {.path = order->files[i - 1],
                                .fresh = fresh,
                                .salvage = salvage,
                                .is_first = i == order->count,
                                .report = report};
        error = take_file(&source);
    }
    if (!error && !salvage->numbers.found) {
        complaint_set(report, "nothing of a store of fricid's was found in %s%s", order->files[0],
                      order->count > 1 ? " and the others" : "");
        error = -ENODATA;
    }
    if (!error && order->count > 1)
        error = database_run(fresh, "DELETE FROM meta WHERE name IN ('history_id', 'next_seq', 'gone_seq')");
    return error ? error : settle_rows(fresh, salvage);
}

/* Notifications that the damaged file holds count as missing. */
static int fill_to_go_on(const struct order *order, struct database *fresh, struct salvage *salvage,
                         struct complaint *report)
{
    struct source source = {.path = order->files[0],
                            .fresh = fresh,
                            .salvage = salvage,
                            .is_first = true,
                            .goes_on = true,
                            .report = report};
    int error = take_file(&source);
    sqlite3_stmt *gone = database_statement(fresh, "UPDATE meta SET value = max(value, ?1) WHERE name = 'gone_seq'");
    sqlite3_bind_int64(gone, 1, salvage->numbers.seq);
    if (!error)
        error = database_finish(fresh, gone);
    if (!error)
        error = stored_numbers_keep(&salvage->numbers, fresh);
    return error ? error : schema_complete_rows(fresh);
}

static int make(const char *path, const struct order *order, struct salvage *salvage, struct complaint *report)
{
    enum { STEPS_BETWEEN_LOOKS = 1000 };
    struct database fresh;
    int error = database_open(&fresh, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, report);
    if (error)
        return error;
    sqlite3_progress_handler(fresh.handle, STEPS_BETWEEN_LOOKS, order->is_ended, NULL);
    error = schema_prepare(&fresh, path, report);
    if (!error)
        error = database_begin(&fresh);
    if (!error)
        error = order->fill(order, &fresh, salvage, report);
    if (!error)
        error = database_commit(&fresh);
    if (!error)
        error = database_leave_no_log(&fresh);
    if (error && !report->text[0])
        complaint_set(report, "%s could not be made: %s", path, database_sentence(&fresh));
    database_close(&fresh);
    return error;
}

/* Who repairs is root, as a rule, and who uses the store is not. Any other user can only make files of his own. */
static void give_to_owner(const char *path, const char *of)
{
    struct stat owner;
    if (stat(of, &owner) == 0 && lchown(path, owner.st_uid, owner.st_gid) != 0)
        return;
}

/* It takes its name when it is whole. */
static int make_whole(const char *made, const struct order *order, struct salvage *salvage, struct complaint *report)
{
    char *part = sqlite3_mprintf("%s.part", made);
    report->text[0] = '\0';
    int error = part ? database_files_check(part, report) : -ENOMEM;
    if (!error) {
        database_files_remove(part);
        error = make(part, order, salvage, report);
    }
    if (!error)
        give_to_owner(part, order->files[0]);
    if (!error && rename(part, made) != 0)
        error = -errno;
    if (error && part)
        database_files_remove(part);
    if (error && !report->text[0])
        complaint_set(report, "%s could not be made: %s", made, cause_of(error));
    if (!error)
        database_files_sync_names(made);
    sqlite3_free(part);
    return error;
}

static void tell(const struct salvage *salvage, const char *made, struct complaint *report)
{
    const int64_t latest = salvage->numbers.decay;
    complaint_set(report,
                  "%s holds %" PRIu64 " decays and %" PRIu64 " results. Samples lost: %" PRIu64 ". Decays to be "
                  "identified again: %" PRIu64 ". Rows that were not what was stored: %" PRIu64 ". The latest decay "
                  "had the id %" PRId64 "; %" PRId64 " ids up to it have none now",
                  made, salvage->decays, salvage->results, salvage->lost, salvage->again, salvage->wrong, latest,
                  latest - (int64_t)salvage->decays);
}

int repair_stores(const char *const *files, size_t count, const char *made, int (*is_ended)(void *unused), FILE *lost,
                  struct complaint *report)
{
    struct salvage salvage = {.lost_ids = lost};
    const struct order order = {files, count, is_ended, fill_with_all};
    int error = make_whole(made, &order, &salvage, report);
    if (!error)
        tell(&salvage, made, report);
    return error;
}

int repair_follow(const char *damaged, const char *made, struct stored_numbers *numbers, struct complaint *report)
{
    struct salvage salvage = {0};
    const struct order order = {&damaged, 1, NULL, fill_to_go_on};
    int error = make_whole(made, &order, &salvage, report);
    *numbers = salvage.numbers;
    return error;
}
