/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A decay out of the store, as it went in: the same samples bit for bit, or an error. */

#include <config.h>

#include "store/read_decay.h"

#include "store/sample_codec.h"
#include "store/tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The arrays point into the row: they live until its statement is reset. -EUCLEAN when they are not what was stored. */
static int coded_from(const struct raw_row *raw, struct coded_samples *coded)
{
    *coded = (struct coded_samples){.coding = raw->coding,
                                    .samples = (void *)raw->samples.bytes,
                                    .samples_bytes = raw->samples.length,
                                    .time_s = (void *)raw->time_s.bytes,
                                    .time_bytes = raw->time_s.length,
                                    .flags = (void *)raw->flags.bytes,
                                    .flags_bytes = raw->flags.length,
                                    .checksum = strtoull(raw->checksum, NULL, 16)};
    return coded_samples_checksum(coded) == coded->checksum ? 0 : -EUCLEAN;
}

/* Takes the decoded arrays and makes the decay that they belong to. */
static struct decay *decay_of(const struct coded_samples *coded, const struct code_scale *scale, size_t count,
                              size_t pretrigger, double start_s, double period_s, int *error)
{
    double *displacement = malloc((count ? count : 1) * sizeof *displacement);
    double *time_s = coded->time_s ? malloc((count ? count : 1) * sizeof *time_s) : NULL;
    struct decay *decay = NULL;
    *error = -ENOMEM;
    if (displacement && (time_s || !coded->time_s)) {
        *error = samples_decode(coded, scale, displacement, count);
        if (!*error && time_s)
            *error = doubles_decode(coded->time_s, coded->time_bytes, time_s, count);
        if (!*error && coded->flags && coded->flags_bytes != count)
            *error = -EUCLEAN;
        const struct decay_samples samples = {.displacement = displacement,
                                              .time_s = time_s,
                                              .flags = coded->flags,
                                              .count = count,
                                              .start_s = start_s - (double)pretrigger * period_s,
                                              .period_s = period_s};
        if (!*error && !(decay = decay_from_samples(&samples, pretrigger)))
            *error = -ENOMEM;
    }
    free(displacement);
    free(time_s);
    return decay;
}

/* A row of all that belongs to a decay, as it stands in the file. */
struct stored_decay {
    bool wrong;
    struct decay_row row;
    struct setup_row setup;
    struct raw_row raw;
    struct decay_origin origin;
    struct decay decay; /* without samples */
};

static sqlite3_stmt *select_decay(struct database *database, bool spare)
{
    const struct table *decay = store_table(TABLE_DECAY), *setup = store_table(TABLE_SETUP),
                       *raw = store_table(TABLE_RAW);
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendall(sql, "SELECT (");
    table_add_wrong(sql, decay, "d.");
    sqlite3_str_appendall(sql, ") OR (");
    table_add_wrong(sql, setup, "s.");
    sqlite3_str_appendall(sql, ")");
    table_add_names(sql, decay, "d.");
    table_add_names(sql, setup, "s.");
    table_add_names(sql, raw, "r.");
    sqlite3_str_appendf(sql,
                        " FROM decay AS d JOIN setup AS s ON s.id = d.setup LEFT JOIN %s AS r ON r.decay = d.id"
                        " WHERE d.id = :id",
                        table_place(raw, spare));
    return database_built_statement(database, sql);
}

static void read_parts(sqlite3_stmt *row, struct stored_decay *stored)
{
    void *const decay[ROW_PARTS] = {&stored->row, &stored->origin, &stored->decay};
    void *const setup[ROW_PARTS] = {&stored->setup, &stored->origin};
    int position = 1;
    memset(stored, 0, sizeof *stored);
    stored->wrong = sqlite3_column_int(row, 0);
    table_read(row, &position, store_table(TABLE_DECAY), decay);
    table_read(row, &position, store_table(TABLE_SETUP), setup);
    table_read(row, &position, store_table(TABLE_RAW), (void *const[]){&stored->raw});
    struct decay_origin *origin = &stored->origin;
    origin->physical.metres_per_unit = physical_metres_per_unit(origin->unit);
    origin->calibration.terms =
        text_list_read(stored->setup.calibration, origin->calibration.coefficients, CALIBRATION_MAX_TERMS);
    origin->codes.terms =
        text_list_read(stored->setup.code_coefficients, origin->codes.coefficients, CODE_SCALE_MAX_TERMS);
    origin->codes.calibration = origin->calibration.terms > 0 ? origin->calibration : calibration_identity();
}

/* What the samples do not tell. */
static void complete(struct decay *decay, const struct decay *stored)
{
    const struct decay with_samples = *decay;
    *decay = *stored;
    decay->displacement = with_samples.displacement;
    decay->time_s = with_samples.time_s;
    decay->flags = with_samples.flags;
    decay->record.displacement = with_samples.record.displacement;
    decay->record.time_s = with_samples.record.time_s;
    decay->record.flags = with_samples.record.flags;
}

static int read_row(const struct database *database, sqlite3_stmt *row, struct kept_decay **kept, unsigned *revision)
{
    struct stored_decay stored;
    struct coded_samples coded;
    read_parts(row, &stored);
    /* Lost with a damaged file. */
    if (!stored.raw.coding[0])
        return -ENODATA;
    int error = stored.wrong ? -EUCLEAN : coded_from(&stored.raw, &coded);
    if (error)
        return error;
    const struct decay_record *record = &stored.decay.record;
    struct decay *decay = decay_of(&coded, &stored.origin.codes, record->count + stored.decay.pretrigger_count,
                                   stored.decay.pretrigger_count, record->start_s, record->period_s, &error);
    if (!decay)
        return error;
    complete(decay, &stored.decay);
    /* Else a text that memory was short for would be an empty one. */
    *kept = database_lacked_memory(database) ? NULL : kept_decay_create(&stored.origin, decay);
    if (!*kept) {
        decay_destroy(decay);
        return -ENOMEM;
    }
    *revision = stored.row.revision;
    (*kept)->attempts = stored.row.attempts;
    (*kept)->run = (uint64_t)stored.row.run;
    return 0;
}

static int read_from(struct database *database, bool spare, uint64_t id, struct kept_decay **kept, unsigned *revision)
{
    *kept = NULL;
    sqlite3_stmt *row = select_decay(database, spare);
    sqlite3_bind_int64(row, 1, (sqlite3_int64)id);
    int found = database_step(database, row);
    if (found != 1)
        return found < 0 ? found : -ENOENT;
    int error = read_row(database, row, kept, revision);
    if (!error)
        (*kept)->id = id;
    sqlite3_reset(row);
    return error;
}

int read_decay(struct database *database, uint64_t id, struct kept_decay **kept, unsigned *revision)
{
    int error = read_from(database, false, id, kept, revision);
    if (error != -EUCLEAN && error != -ENODATA)
        return error;
    int spare_error = read_from(database, true, id, kept, revision);
    return spare_error == -ENODATA ? error : spare_error;
}

int has_decay(struct database *database, uint64_t id, bool *there)
{
    sqlite3_stmt *row = database_statement(database, "SELECT 1 FROM decay WHERE id = ?1");
    sqlite3_bind_int64(row, 1, (sqlite3_int64)id);
    int found = database_step(database, row);
    *there = found == 1;
    sqlite3_reset(row);
    return found < 0 ? found : 0;
}

int next_without_result(struct database *database, bool tried, uint64_t after, struct waiting_decay *found)
{
    *found = (struct waiting_decay){.waits = true};
    sqlite3_stmt *next = database_statement(
        database, "SELECT id FROM decay WHERE revision = 0 AND (attempts > 0) = ?2 AND id > ?1 ORDER BY id LIMIT 1");
    sqlite3_bind_int64(next, 1, (sqlite3_int64)after);
    sqlite3_bind_int(next, 2, tried);
    int row = database_step(database, next);
    if (row == 1) {
        found->id = (uint64_t)sqlite3_column_int64(next, 0);
        sqlite3_reset(next);
    }
    return row < 0 ? row : 0;
}

/* The texts of a thousand results are read within some tens of milliseconds. */
enum { MOST_LOOKS = 1000 };

/* The query has ids with how many wait together, 0 where none does: of decays behind ?1, of those that were tried ?2
 * with a latest result of this program ?3, by whether that has a verdict ?4. */
static int look_through(struct database *database, const char *query, bool tried, uint64_t after, enum verdict verdict,
                        struct waiting_decay *found)
{
    *found = (struct waiting_decay){0};
    sqlite3_stmt *next = database_statement(database, query);
    sqlite3_bind_int64(next, 1, (sqlite3_int64)after);
    sqlite3_bind_int(next, 2, tried);
    bind_text(next, 3, PACKAGE_VERSION);
    bind_text(next, 4, verdict_name(verdict));
    int row = 0;
    for (int looks = 0; looks < MOST_LOOKS && !found->waits && (row = database_step(database, next)) == 1; looks++) {
        found->id = (uint64_t)sqlite3_column_int64(next, 0);
        found->together = (unsigned)sqlite3_column_int(next, 1);
        found->waits = found->together > 0;
    }
    sqlite3_reset(next);
    if (row <= 0 && !found->waits)
        found->id = 0;
    return row < 0 ? row : 0;
}

#define WITH_TEXT                                                                                                      \
    " JOIN result ON result.decay = decay.id AND result.latest AND result.version = ?3"                                \
    " JOIN document ON document.result = result.id"

int next_without_ladder(struct database *database, bool tried, uint64_t after, struct waiting_decay *found)
{
    const int error =
        look_through(database,
                     "SELECT decay.id, instr(text, '\"verdict\":\"' || ?4 || '\"') > 0 FROM decay" WITH_TEXT
                     " WHERE decay.revision = 1 AND (attempts > 0) = ?2 AND decay.id > ?1 ORDER BY decay.id",
                     tried, after, VERDICT_PENDING, found);
    found->together = 0;
    return error;
}

/* Most decays have nobody beside them: no text is read for these. */
int next_without_joint(struct database *database, bool tried, uint64_t after, struct waiting_decay *found)
{
    return look_through(
        database,
        "SELECT one.id, CASE WHEN EXISTS (SELECT 1 FROM decay WHERE run = one.run AND id <> one.id"
        " AND revision = 2) AND NOT EXISTS (SELECT 1 FROM decay WHERE run = one.run AND revision > 2) THEN"
        " (SELECT CASE WHEN count(*) > 1 AND max(decay.id = one.id) THEN count(*) END FROM decay" WITH_TEXT
        " WHERE decay.run = one.run AND decay.revision = 2"
        " AND CASE WHEN json_valid(text) THEN text ->> '$.ladder.verdict' END = ?4) END"
        " FROM decay AS one WHERE revision = 2 AND (attempts > 0) = ?2 AND id > ?1 ORDER BY id",
        tried, after, VERDICT_OK, found);
}
