/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the decays of several channels have in common, as they are stored and for those that were stored without. */

#include "store/run_table.h"

#include "segment/run_grouping.h"
#include "store/tables.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0: there is none. */
static int find_run(struct database *database, const char *key, int64_t *run)
{
    sqlite3_stmt *find = database_statement(database, "SELECT id FROM run WHERE key = ?1");
    bind_text(find, 1, key);
    int row = database_step(database, find);
    *run = row == 1 ? sqlite3_column_int64(find, 0) : 0;
    if (row == 1)
        sqlite3_reset(find);
    return row < 0 ? row : 0;
}

/* With its number, which a row has only when it is there. */
static int note_checksum(struct database *database, int64_t run)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendall(sql, "UPDATE run SET row_checksum = ");
    table_add_checksum(sql, store_table(TABLE_RUN), "");
    sqlite3_str_appendall(sql, " WHERE id = :id");
    sqlite3_stmt *note = database_built_statement(database, sql);
    sqlite3_bind_int64(note, 1, run);
    return database_finish(database, note);
}

static int make_run(struct database *database, const char *key, const char *rig, int64_t released_at_ns, int64_t *run)
{
    const struct run_row row = {key, rig, released_at_ns};
    int error = table_put(database, store_table(TABLE_RUN), "", (const void *const[ROW_PARTS]){&row});
    *run = sqlite3_last_insert_rowid(database->handle);
    return error ? error : note_checksum(database, *run);
}

/* A decay that comes later may be of a channel that saw the release sooner. */
static int join_run(struct database *database, int64_t run, int64_t released_at_ns)
{
    if (released_at_ns == INT64_MIN)
        return 0;
    sqlite3_stmt *sooner = database_statement(
        database, "UPDATE run SET started_at_ns = ?2 WHERE id = ?1 AND ifnull(started_at_ns > ?2, 1)");
    sqlite3_bind_int64(sooner, 1, run);
    sqlite3_bind_int64(sooner, 2, released_at_ns);
    int error = database_finish(database, sooner);
    return error || sqlite3_changes(database->handle) == 0 ? error : note_checksum(database, run);
}

int run_table_put(struct database *database, const char *key, const char *rig, int64_t released_at_ns, int64_t *run)
{
    int error = 0;
    *run = 0;
    if (key[0])
        error = find_run(database, key, run);
    if (error)
        return error;
    return *run ? join_run(database, *run, released_at_ns) : make_run(database, key, rig, released_at_ns, run);
}

/* --- decays of before there were runs --- */

/* A decay as the table tells it. */
struct old_decay {
    int64_t id, place; /* of the decay; the first set-up of its rig and device stands for these */
    int64_t channel;   /* likewise */
    struct decay_span span;
    double source_began_s; /* on the wall clock; NAN: not known */
    double stored_s;
    uint64_t run; /* counts runs of all places */
};

struct old_decays {
    struct old_decay *decays; /* owned */
    size_t count, capacity;
};

#define FIRST_OF_PLACE "(SELECT min(id) FROM setup AS s WHERE s.rig = setup.rig AND s.device IS setup.device"
#define OLD(type_, member) .type = (type_), .offset = offsetof(struct old_decay, member)

static const struct column old_columns[] = {
    {"decay.id", OLD(COLUMN_INTEGER, id)},
    {FIRST_OF_PLACE ") AS place", OLD(COLUMN_INTEGER, place)},
    {FIRST_OF_PLACE " AND s.channel = setup.channel)", OLD(COLUMN_INTEGER, channel)},
    {"ifnull(released_s, start_s)", OLD(COLUMN_REAL, span.begin_s)},
    {"start_s + (samples - 1) * period_s", OLD(COLUMN_REAL, span.end_s)},
    {"(samples - 1) * period_s / nullif(half_cycles, 0)", OLD(COLUMN_FIGURE, span.half_cycle_s)},
    {"released_at_ns / 1e9 - released_s", OLD(COLUMN_REAL, source_began_s)},
    {"stored_at_ns / 1e9", OLD(COLUMN_REAL, stored_s)},
};

static const struct table old_table = {.columns = old_columns, .count = sizeof old_columns / sizeof old_columns[0]};

static int keep(struct old_decays *old, const struct old_decay *decay)
{
    if (old->count == old->capacity) {
        size_t capacity = old->capacity ? 2 * old->capacity : 256;
        struct old_decay *larger = realloc(old->decays, capacity * sizeof *larger);
        if (!larger)
            return -ENOMEM;
        old->decays = larger;
        old->capacity = capacity;
    }
    old->decays[old->count++] = *decay;
    return 0;
}

static int read_old(struct database *database, struct old_decays *old)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendall(sql, "SELECT 0");
    table_add_names(sql, &old_table, "");
    sqlite3_str_appendall(sql, " FROM decay JOIN setup ON setup.id = decay.setup WHERE run IS NULL"
                               " ORDER BY place, decay.id");
    sqlite3_stmt *rows = database_built_statement(database, sql);
    int row, error = 0;
    while (!error && (row = database_step(database, rows)) == 1) {
        struct old_decay decay = {0};
        int position = 1;
        table_read(rows, &position, &old_table, (void *const[]){&decay});
        error = keep(old, &decay);
    }
    if (error)
        sqlite3_reset(rows);
    return error ? error : row < 0 ? row : 0;
}

/* The clock of a source begins with it. Where that is not known on the wall clock, a decay that was stored much later
 * than that clock says tells it: a disk may make decays wait, but not for less than a minute between two of them. */
static bool source_began_anew(const struct old_decay *before, const struct old_decay *decay)
{
    static const double clock_steps_s = 1, disk_waits_s = 60;
    if (before->place != decay->place)
        return true;
    double between_s = fabs(decay->source_began_s - before->source_began_s);
    if (!isnan(between_s))
        return between_s > clock_steps_s;
    return decay->stored_s - before->stored_s > fmax(decay->span.end_s - before->span.end_s, 0) + disk_waits_s;
}

static void group(struct old_decays *old)
{
    struct run_grouping grouping = {0};
    uint64_t before = 0; /* runs of earlier groupings */
    for (size_t i = 0; i < old->count; i++) {
        struct old_decay *decay = &old->decays[i];
        if (i > 0 && source_began_anew(decay - 1, decay)) {
            before += grouping.runs;
            memset(&grouping, 0, sizeof grouping);
        }
        decay->run = before + run_grouping_add(&grouping, (size_t)decay->channel, &decay->span);
    }
}

static int by_id(const void *one, const void *other)
{
    const struct old_decay *a = one, *b = other;
    return (a->id > b->id) - (a->id < b->id);
}

/* A row that is not what was stored stays so: its checksum is not made to fit. Another one gets its new checksum when
 * all have their runs. */
static int give_run_in(struct database *database, bool spare, int64_t decay, int64_t run)
{
    const struct table *table = store_table(TABLE_DECAY);
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "UPDATE %s SET run = :run, row_checksum = CASE WHEN ", table_place(table, spare));
    table_add_wrong(sql, table, "");
    sqlite3_str_appendall(sql, " THEN row_checksum END WHERE id = :id AND run IS NULL");
    sqlite3_stmt *give = database_built_statement(database, sql);
    sqlite3_bind_int64(give, 1, run);
    sqlite3_bind_int64(give, 2, decay);
    return database_finish(database, give);
}

static int give_run(struct database *database, int64_t decay, int64_t run)
{
    int error = give_run_in(database, false, decay, run);
    return error ? error : give_run_in(database, true, decay, run);
}

static int released_of(struct database *database, int64_t decay, int64_t *released_at_ns, char rig[64])
{
    sqlite3_stmt *find = database_statement(database, "SELECT ifnull(released_at_ns, ?2), rig FROM decay"
                                                      " JOIN setup ON setup.id = decay.setup WHERE decay.id = ?1");
    sqlite3_bind_int64(find, 1, decay);
    sqlite3_bind_int64(find, 2, INT64_MIN);
    int row = database_step(database, find);
    if (row != 1)
        return row < 0 ? row : -ENOENT;
    *released_at_ns = sqlite3_column_int64(find, 0);
    snprintf(rig, 64, "%s", column_text(find, 1));
    sqlite3_reset(find);
    return 0;
}

/* In the order of the decays, so that runs are numbered as they came. */
static int give_runs(struct database *database, const struct old_decays *old)
{
    int64_t *given = calloc(old->count + 1, sizeof *given); /* by the number that counts */
    int error = given ? 0 : -ENOMEM;
    for (size_t i = 0; !error && i < old->count; i++) {
        const struct old_decay *decay = &old->decays[i];
        int64_t *run = &given[decay->run], released_at_ns;
        char rig[64];
        error = released_of(database, decay->id, &released_at_ns, rig);
        if (!error)
            error = *run ? join_run(database, *run, released_at_ns) : make_run(database, "", rig, released_at_ns, run);
        if (!error)
            error = give_run(database, decay->id, *run);
    }
    free(given);
    return error;
}

int run_table_complete(struct database *database)
{
    struct old_decays old = {0};
    int error = read_old(database, &old);
    group(&old);
    if (old.count > 0)
        qsort(old.decays, old.count, sizeof *old.decays, by_id);
    if (!error)
        error = give_runs(database, &old);
    free(old.decays);
    return error;
}
