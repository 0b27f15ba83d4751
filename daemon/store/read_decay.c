/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A decay out of the store, as it went in: the same samples bit for bit, or an error. */

#include "store/read_decay.h"

#include "store/sample_codec.h"
#include "store/schema.h"
#include "store/text_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t column_count(sqlite3_stmt *row, int column)
{
    sqlite3_int64 count = sqlite3_column_int64(row, column);
    return count > 0 ? (size_t)count : 0;
}

/* Where the groups of columns of the statement below begin. */
enum {
    RECORD_COLUMNS = 3,
    UNCERTAINTY_COLUMNS = 16,
    SETUP_COLUMNS = 24,
    RAW_COLUMNS = 45,
    ATTEMPTS_COLUMN = 50,
    RUN_COLUMN = 51,
    WRONG_COLUMN = 52
};

/* Of a setup's columns in the order of the statement below. */
static struct decay_origin origin_from(sqlite3_stmt *row, int first)
{
    const struct physical_settings physical = {.mass_kg = column_number(row, first + 11),
                                               .stiffness_n_per_m = column_number(row, first + 12),
                                               .gravity_m_per_s2 = column_number(row, first + 13),
                                               .u_mass_kg = column_number(row, UNCERTAINTY_COLUMNS + 1),
                                               .u_stiffness_n_per_m = column_number(row, UNCERTAINTY_COLUMNS + 2),
                                               .u_gravity_m_per_s2 = column_number(row, UNCERTAINTY_COLUMNS + 3),
                                               .u_gain_percent = column_number(row, UNCERTAINTY_COLUMNS + 4),
                                               .u_clock_ppm = column_number(row, UNCERTAINTY_COLUMNS + 5),
                                               .linearity_percent = column_number(row, UNCERTAINTY_COLUMNS + 6),
                                               .full_scale = column_number(row, UNCERTAINTY_COLUMNS + 7)};
    const struct decay_origin_names names = {.rig = column_text(row, first),
                                             .channel = column_text(row, first + 1),
                                             .source_kind = column_text(row, first + 2),
                                             .device = column_text(row, first + 3),
                                             .board = column_text(row, first + 4),
                                             .driver = column_text(row, first + 5),
                                             .serial = column_text(row, first + 6),
                                             .unit = column_text(row, first + 7),
                                             .calibrated_on = column_text(row, first + 9),
                                             .remarks = column_text(row, first + 10),
                                             .config_id = column_text(row, first + 18)};
    struct decay_origin origin = decay_origin_make(&names, &physical, column_number(row, first + 8));
    origin.time_error_s = column_number(row, UNCERTAINTY_COLUMNS);
    origin.calibration.terms =
        text_list_read(column_text(row, first + 14), origin.calibration.coefficients, CALIBRATION_MAX_TERMS);
    origin.codes.terms = text_list_read(column_text(row, first + 15), origin.codes.coefficients, CODE_SCALE_MAX_TERMS);
    origin.codes.origin = sqlite3_column_double(row, first + 16);
    origin.codes.divisor = sqlite3_column_double(row, first + 17);
    origin.codes.zero = sqlite3_column_double(row, first + 20);
    origin.codes.calibration = origin.calibration.terms > 0 ? origin.calibration : calibration_identity();
    if (sqlite3_column_type(row, first + 19) != SQLITE_NULL)
        origin.released_at_ns = sqlite3_column_int64(row, first + 19);
    return origin;
}

/* The arrays point into the row: they live until its statement is reset. -EUCLEAN when they are not what was stored. */
static int coded_from(sqlite3_stmt *row, int first, struct coded_samples *coded)
{
    *coded = (struct coded_samples){.coding = column_text(row, first)};
    coded->samples = (void *)sqlite3_column_blob(row, first + 1);
    coded->samples_bytes = (size_t)sqlite3_column_bytes(row, first + 1);
    coded->time_s = (void *)sqlite3_column_blob(row, first + 2);
    coded->time_bytes = (size_t)sqlite3_column_bytes(row, first + 2);
    coded->flags = (void *)sqlite3_column_blob(row, first + 3);
    coded->flags_bytes = (size_t)sqlite3_column_bytes(row, first + 3);
    coded->checksum = strtoull(column_text(row, first + 4), NULL, 16);
    if (coded_samples_checksum(coded) != coded->checksum)
        return -EUCLEAN;
    return 0;
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

static enum decay_end end_of_name(const char *name)
{
    for (int end = DECAY_END_REST; end < DECAY_END_END_OF_SOURCE; end++)
        if (strcmp(decay_end_name((enum decay_end)end), name) == 0)
            return (enum decay_end)end;
    return DECAY_END_END_OF_SOURCE;
}

/* What the samples do not tell, from the columns behind `first`. */
static void complete(struct decay *decay, sqlite3_stmt *row, int first)
{
    decay->record.start_s = column_number(row, first);
    decay->record.period_s = column_number(row, first + 1);
    decay->record.first_extremum_s = column_number(row, first + 2);
    decay->released_s = column_number(row, first + 3);
    decay->record.resolution = sqlite3_column_double(row, first + 4);
    decay->record.noise = sqlite3_column_double(row, first + 5);
    decay->rest.position = column_number(row, first + 6);
    decay->rest.se = column_number(row, first + 7);
    decay->half_cycles = column_count(row, first + 8);
    decay->clipped_count = column_count(row, first + 9);
    decay->dropped_first_half_cycle = sqlite3_column_int(row, first + 10) != 0;
    decay->ended_by = end_of_name(column_text(row, first + 11));
    decay->first_index = (uint64_t)sqlite3_column_int64(row, first + 12);
}

#define SELECT_DECAY(raw)                                                                                              \
    "SELECT decay.revision, decay.samples, pretrigger_samples,"                                                        \
    " start_s, period_s, first_extremum_s, released_s, resolution, noise, rest_position, rest_se, half_cycles,"        \
    " clipped_samples, dropped_first_half_cycle, ended_by, first_index,"                                               \
    " time_error_s, u_mass_kg, u_stiffness_n_per_m, u_gravity_m_per_s2, u_gain_percent, u_clock_ppm,"                  \
    " linearity_percent, full_scale,"                                                                                  \
    " rig, channel, source_kind, device, board, driver, serial, unit, sample_rate_hz, calibrated_on, remarks,"         \
    " mass_kg, stiffness_n_per_m, gravity_m_per_s2, calibration, code_coefficients, code_origin, code_divisor,"        \
    " config_id, released_at_ns, code_zero, coding, " #raw ".samples, time_s, flags, " #raw                            \
    ".checksum, attempts, run,"                                                                                        \
    " (SELECT row_checksum <> " SCHEMA_DECAY_CHECKSUM " FROM decay AS d WHERE d.id = decay.id)"                        \
    " OR (SELECT row_checksum <> " SCHEMA_SETUP_CHECKSUM " FROM setup AS s WHERE s.id = setup.id)"                     \
    " FROM decay JOIN setup ON setup.id = decay.setup LEFT JOIN " #raw " ON " #raw ".decay = decay.id"                 \
    " WHERE decay.id = ?1"

static const char select_decay[] = SELECT_DECAY(raw);
static const char select_spare[] = SELECT_DECAY(spare_raw);

static int read_row(const struct database *database, sqlite3_stmt *row, struct kept_decay **kept, unsigned *revision)
{
    struct coded_samples coded;
    /* Lost with a damaged file. */
    if (sqlite3_column_type(row, RAW_COLUMNS) == SQLITE_NULL)
        return -ENODATA;
    int error = sqlite3_column_int(row, WRONG_COLUMN) ? -EUCLEAN : coded_from(row, RAW_COLUMNS, &coded);
    if (error)
        return error;
    *revision = (unsigned)sqlite3_column_int64(row, 0);
    size_t pretrigger = column_count(row, 2), count = column_count(row, 1) + pretrigger;
    struct decay_origin origin = origin_from(row, SETUP_COLUMNS);
    struct decay *decay = decay_of(&coded, &origin.codes, count, pretrigger, column_number(row, RECORD_COLUMNS),
                                   column_number(row, RECORD_COLUMNS + 1), &error);
    if (!decay)
        return error;
    complete(decay, row, RECORD_COLUMNS);
    /* Else a text that memory was short for would be an empty one. */
    *kept = database_lacked_memory(database) ? NULL : kept_decay_create(&origin, decay);
    if (!*kept) {
        decay_destroy(decay);
        return -ENOMEM;
    }
    (*kept)->run = (uint64_t)sqlite3_column_int64(row, RUN_COLUMN);
    (*kept)->attempts = (unsigned)sqlite3_column_int64(row, ATTEMPTS_COLUMN);
    return 0;
}

static int read_from(struct database *database, const char *sql, uint64_t id, struct kept_decay **kept,
                     unsigned *revision)
{
    *kept = NULL;
    sqlite3_stmt *row = database_statement(database, sql);
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
    int error = read_from(database, select_decay, id, kept, revision);
    if (error != -EUCLEAN && error != -ENODATA)
        return error;
    int spare_error = read_from(database, select_spare, id, kept, revision);
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

int read_decay_place(struct database *database, uint64_t id, enum raw_place *place)
{
    struct kept_decay *first, *spare;
    unsigned revision;
    int error = read_from(database, select_decay, id, &first, &revision);
    int spare_error = read_from(database, select_spare, id, &spare, &revision);
    *place = error ? RAW_SPARE : spare_error ? RAW_FIRST : RAW_BOTH;
    kept_decay_release(first);
    kept_decay_release(spare);
    return error && spare_error ? error : 0;
}

int next_waiting(struct database *database, bool tried, uint64_t after, uint64_t *id)
{
    *id = 0;
    sqlite3_stmt *next = database_statement(
        database, "SELECT id FROM decay WHERE revision = 0 AND (attempts > 0) = ?2 AND id > ?1 ORDER BY id LIMIT 1");
    sqlite3_bind_int64(next, 1, (sqlite3_int64)after);
    sqlite3_bind_int(next, 2, tried);
    int row = database_step(database, next);
    if (row == 1) {
        *id = (uint64_t)sqlite3_column_int64(next, 0);
        sqlite3_reset(next);
    }
    return row < 0 ? row : 0;
}
