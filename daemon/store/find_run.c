/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A run with its decays. Each is read and checked as a whole, one after the other: only what is told of them is held
 * together. */

#include "store/find_run.h"

#include "store/read_decay.h"

#include <errno.h>
#include <stdlib.h>

static size_t flagged_samples(const struct decay_record *record)
{
    size_t flagged = 0;
    for (size_t i = 0; record->flags && i < record->count; i++)
        flagged += record->flags[i] != 0;
    return flagged;
}

static int read_one(struct database *database, struct found_decay *found)
{
    struct kept_decay *kept;
    int error = read_decay(database, found->id, &kept, &found->revision);
    if (error)
        return error;
    const struct decay_record *record = &kept->decay->record;
    found->origin = kept->origin;
    found->samples = record->count;
    found->flagged = flagged_samples(record);
    found->time_stamped = record->time_s != NULL;
    found->start_s = record->count > 0 ? decay_record_time(record, 0) : (double)NAN;
    found->period_s = record->period_s;
    kept_decay_release(kept);
    return 0;
}

static int add(struct found_run *run, sqlite3_stmt *row)
{
    enum { ID, VERDICT, PROTECTED };
    struct found_decay *larger = realloc(run->decays, (run->count + 1) * sizeof *larger);
    if (!larger)
        return -ENOMEM;
    run->decays = larger;
    struct found_decay *decay = &run->decays[run->count++];
    *decay = (struct found_decay){.id = (uint64_t)sqlite3_column_int64(row, ID),
                                  .protected = sqlite3_column_int(row, PROTECTED) != 0};
    copy_text(decay->verdict, sizeof decay->verdict, column_text(row, VERDICT));
    return 0;
}

/* All ids before the first decay: a statement of the same kind must not be in use while it is read. */
static int list_decays(struct database *database, struct found_run *run)
{
    sqlite3_stmt *rows = database_statement(
        database, "SELECT decay.id, verdict, protected FROM decay LEFT JOIN result ON result.decay = decay.id"
                  " AND latest WHERE run = ?1 ORDER BY decay.id");
    sqlite3_bind_int64(rows, 1, (sqlite3_int64)run->id);
    int step, error = 0;
    while (!error && (step = database_step(database, rows)) == 1)
        error = add(run, rows);
    if (error)
        sqlite3_reset(rows);
    return error ? error : step < 0 ? step : 0;
}

static int find_itself(struct database *database, struct found_run *run)
{
    enum { RIG, STARTED };
    sqlite3_stmt *row = database_statement(database, "SELECT rig, started_at_ns FROM run WHERE id = ?1");
    sqlite3_bind_int64(row, 1, (sqlite3_int64)run->id);
    int step = database_step(database, row);
    if (step != 1)
        return step < 0 ? step : -ENOENT;
    copy_text(run->rig, sizeof run->rig, column_text(row, RIG));
    const bool known = sqlite3_column_type(row, STARTED) != SQLITE_NULL;
    run->started_at_ns = known ? sqlite3_column_int64(row, STARTED) : INT64_MIN;
    sqlite3_reset(row);
    return 0;
}

int find_run(struct database *database, uint64_t id, struct found_run *found)
{
    *found = (struct found_run){.id = id};
    int error = find_itself(database, found);
    if (!error)
        error = list_decays(database, found);
    for (size_t i = 0; !error && i < found->count; i++)
        error = read_one(database, &found->decays[i]);
    return !error && found->count == 0 ? -ENOENT : error;
}

void found_run_clear(struct found_run *found)
{
    free(found->decays);
    *found = (struct found_run){0};
}
