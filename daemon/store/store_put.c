/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What goes into the store: decays with their samples, results, events, configurations, the numbering. */

#include "store/run_table.h"
#include "store/sample_codec.h"
#include "store/schema.h"
#include "store/store_state.h"
#include "store/text_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number too large for SQLite's signed integers does not occur: indices count samples. */
static void bind_count(sqlite3_stmt *statement, int parameter, uint64_t count)
{
    sqlite3_bind_int64(statement, parameter, (sqlite3_int64)count);
}

static void bind_time(sqlite3_stmt *statement, int parameter, int64_t time_ns)
{
    if (time_ns == INT64_MIN)
        sqlite3_bind_null(statement, parameter);
    else
        sqlite3_bind_int64(statement, parameter, time_ns);
}

/* --- what the decays of a channel have in common --- */

/* Everything of it as text: two origins with the same text are the same set-up. */
static void describe(const struct decay_origin *origin, const char *calibration, const char *codes, char *text,
                     size_t size)
{
    snprintf(text, size, "%s|%s|%s|%s|%s|%s|%s|%s|%.17g|%s|%s|%s|%s|%.17g|%.17g|%.17g|%.17g|%.17g|%.17g", origin->rig,
             origin->channel, origin->source_kind, origin->device, origin->board, origin->driver, origin->serial,
             origin->unit, origin->sample_rate_hz, calibration, origin->calibrated_on, origin->remarks, codes,
             origin->codes.origin, origin->codes.divisor, origin->codes.zero, origin->physical.mass_kg,
             origin->physical.stiffness_n_per_m, origin->physical.gravity_m_per_s2);
}

static int insert_setup(struct store *store, const struct decay_origin *origin, const char *fingerprint,
                        const char *calibration, const char *codes)
{
    sqlite3_stmt *insert = database_statement(
        &store->database,
        "INSERT INTO setup (fingerprint, rig, channel, source_kind, device, board, driver, serial, unit,"
        " sample_rate_hz, calibration, calibrated_on, remarks, code_coefficients, code_origin, code_divisor, code_zero,"
        " mass_kg, stiffness_n_per_m, gravity_m_per_s2) VALUES (?1,ifnull(?2,''),ifnull(?3,''),?4,?5,?6,?7,?8,?9,?10,"
        "?11,?12,?13,?14,?15,?16,?20,?17,?18,?19)");
    const char *texts[] = {fingerprint,   origin->rig,    origin->channel, origin->source_kind, origin->device,
                           origin->board, origin->driver, origin->serial,  origin->unit};
    for (int i = 0; i < 9; i++)
        bind_text(insert, i + 1, texts[i]);
    sqlite3_bind_double(insert, 10, origin->sample_rate_hz);
    bind_text(insert, 11, calibration);
    bind_text(insert, 12, origin->calibrated_on);
    bind_text(insert, 13, origin->remarks);
    bind_text(insert, 14, codes);
    if (origin->codes.terms > 0) {
        sqlite3_bind_double(insert, 15, origin->codes.origin);
        sqlite3_bind_double(insert, 16, origin->codes.divisor);
        sqlite3_bind_double(insert, 20, origin->codes.zero);
    }
    sqlite3_bind_double(insert, 17, origin->physical.mass_kg);
    sqlite3_bind_double(insert, 18, origin->physical.stiffness_n_per_m);
    sqlite3_bind_double(insert, 19, origin->physical.gravity_m_per_s2);
    return database_finish(&store->database, insert);
}

/* Of the row that was inserted last, in both places. */
static int note_checksum(struct store *store, const char *note, const char *note_spare, int64_t row)
{
    sqlite3_stmt *update = database_statement(&store->database, note);
    sqlite3_bind_int64(update, 1, row);
    int error = database_finish(&store->database, update);
    sqlite3_stmt *spare = database_statement(&store->database, note_spare);
    sqlite3_bind_int64(spare, 1, row);
    return error ? error : database_finish(&store->database, spare);
}

/* The row of this set-up, made when it is new. */
static int find_setup(struct store *store, const struct decay_origin *origin, int64_t *setup)
{
    char calibration[TEXT_LIST_SIZE], codes[TEXT_LIST_SIZE], description[4096];
    text_list_write(calibration, origin->calibration.coefficients, origin->calibration.terms);
    text_list_write(codes, origin->codes.coefficients, origin->codes.terms);
    describe(origin, calibration, codes, description, sizeof description);
    sqlite3_stmt *find = database_statement(&store->database, "SELECT id FROM setup WHERE fingerprint = ?");
    bind_text(find, 1, description);
    int row = database_step(&store->database, find);
    if (row == 1) {
        *setup = sqlite3_column_int64(find, 0);
        sqlite3_reset(find);
        return 0;
    }
    if (row < 0)
        return row;
    int error = insert_setup(store, origin, description, calibration, codes);
    *setup = sqlite3_last_insert_rowid(store->database.handle);
    return error
               ? error
               : note_checksum(store, "UPDATE setup SET row_checksum = " SCHEMA_SETUP_CHECKSUM " WHERE id = ?1",
                               "UPDATE spare_setup SET row_checksum = " SCHEMA_SETUP_CHECKSUM " WHERE id = ?1", *setup);
}

/* --- decays --- */

static int insert_decay(struct store *store, const struct kept_decay *kept, int64_t setup, int64_t run)
{
    const struct decay *decay = kept->decay;
    const struct decay_record *record = &decay->record;
    sqlite3_stmt *insert = database_statement(
        &store->database,
        "INSERT INTO decay (setup, config_id, released_at_ns, stored_at_ns, samples, pretrigger_samples, first_index,"
        " start_s, period_s, first_extremum_s, released_s, resolution, noise, rest_position, rest_se, half_cycles,"
        " clipped_samples, dropped_first_half_cycle, ended_by, time_error_s, u_mass_kg, u_stiffness_n_per_m,"
        " u_gravity_m_per_s2, u_gain_percent, u_clock_ppm, linearity_percent, full_scale, run) VALUES "
        "(?1,?2,?3,?4,?5,?6,"
        "?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26,?27,?28)");
    const double numbers[] = {record->start_s,    record->period_s, record->first_extremum_s, decay->released_s,
                              record->resolution, record->noise,    decay->rest.position,     decay->rest.se};
    const struct physical_settings *physical = &kept->origin.physical;
    const double uncertainties[] = {
        kept->origin.time_error_s, physical->u_mass_kg,   physical->u_stiffness_n_per_m, physical->u_gravity_m_per_s2,
        physical->u_gain_percent,  physical->u_clock_ppm, physical->linearity_percent,   physical->full_scale};
    sqlite3_bind_int64(insert, 1, setup);
    bind_text(insert, 2, kept->origin.config_id);
    bind_time(insert, 3, kept->origin.released_at_ns);
    sqlite3_bind_int64(insert, 4, store_now_ns());
    bind_count(insert, 5, record->count);
    bind_count(insert, 6, decay->pretrigger_count);
    bind_count(insert, 7, decay->first_index);
    for (int i = 0; i < 8; i++)
        sqlite3_bind_double(insert, 8 + i, numbers[i]);
    bind_count(insert, 16, decay->half_cycles);
    bind_count(insert, 17, decay->clipped_count);
    sqlite3_bind_int(insert, 18, decay->dropped_first_half_cycle);
    bind_text(insert, 19, decay_end_name(decay->ended_by));
    for (int i = 0; i < 8; i++)
        sqlite3_bind_double(insert, 20 + i, uncertainties[i]);
    sqlite3_bind_int64(insert, 28, run);
    return database_finish(&store->database, insert);
}

static int insert_raw(struct store *store, uint64_t id, const struct coded_samples *coded)
{
    char checksum[17];
    snprintf(checksum, sizeof checksum, "%016" PRIx64, coded->checksum);
    sqlite3_stmt *insert = database_statement(
        &store->database,
        "INSERT INTO raw (decay, coding, samples, time_s, flags, checksum) VALUES (?1,?2,?3,?4,?5,?6)");
    bind_count(insert, 1, id);
    bind_text(insert, 2, coded->coding);
    sqlite3_bind_blob64(insert, 3, coded->samples, coded->samples_bytes, SQLITE_STATIC);
    if (coded->time_s)
        sqlite3_bind_blob64(insert, 4, coded->time_s, coded->time_bytes, SQLITE_STATIC);
    if (coded->flags)
        sqlite3_bind_blob64(insert, 5, coded->flags, coded->flags_bytes, SQLITE_STATIC);
    bind_text(insert, 6, checksum);
    return database_finish(&store->database, insert);
}

/* The number of a run is where its key is, or would be. */
static uint64_t run_in_memory(struct store *store, const char *key)
{
    struct recent_runs *recent = &store->recent_runs;
    for (uint64_t run = recent->latest; key[0] && run > 0 && run + RECENT_RUNS > recent->latest; run--)
        if (strcmp(recent->key[run % RECENT_RUNS], key) == 0)
            return run;
    uint64_t run = ++recent->latest;
    snprintf(recent->key[run % RECENT_RUNS], sizeof recent->key[0], "%s", key);
    return run;
}

int store_put_decay(struct store *store, struct kept_decay *decay)
{
    if (store_is_memory(store)) {
        decay->id = atomic_load(&store->decays) + ++store->new_decays;
        decay->run = run_in_memory(store, decay->origin.run_key);
        atomic_fetch_add(&store->bytes, decay_bytes(decay->decay));
        return 0;
    }
    struct coded_samples coded;
    int64_t setup, run;
    /* With the calibration that is stored: it will be what turns the integers back. */
    struct code_scale scale = decay->origin.codes;
    if (decay->origin.calibration.terms > 0)
        scale.calibration = decay->origin.calibration;
    else
        scale.calibration = calibration_identity();
    int error = samples_encode(decay->decay, &scale, &coded);
    if (error)
        return error;
    error = find_setup(store, &decay->origin, &setup);
    if (!error)
        error = run_table_put(&store->database, decay->origin.run_key, decay->origin.rig, decay->origin.released_at_ns,
                              &run);
    if (!error)
        error = insert_decay(store, decay, setup, run);
    if (!error) {
        decay->id = (uint64_t)sqlite3_last_insert_rowid(store->database.handle);
        decay->run = (uint64_t)run;
        error = insert_raw(store, decay->id, &coded);
    }
    if (!error)
        error = note_checksum(store, "UPDATE decay SET row_checksum = " SCHEMA_DECAY_CHECKSUM " WHERE id = ?1",
                              "UPDATE spare_decay SET row_checksum = " SCHEMA_DECAY_CHECKSUM " WHERE id = ?1",
                              (int64_t)decay->id);
    coded_samples_clear(&coded);
    store->new_decays += !error;
    return error;
}

int store_put_attempt(struct store *store, uint64_t id)
{
    if (store_is_memory(store))
        return 0;
    sqlite3_stmt *update =
        database_statement(&store->database, "UPDATE decay SET attempts = attempts + 1 WHERE id = ?1");
    bind_count(update, 1, id);
    return database_finish(&store->database, update);
}

int store_take_back_attempt(struct store *store, uint64_t id)
{
    if (store_is_memory(store))
        return 0;
    sqlite3_stmt *update =
        database_statement(&store->database, "UPDATE decay SET attempts = attempts - 1 WHERE id = ?1 AND attempts > 0");
    bind_count(update, 1, id);
    return database_finish(&store->database, update);
}

/* --- results --- */

/* What belongs to the recommended section. */
struct main_figures {
    const char *recommended, *model;
    double f_n_hz, zeta, x_k, x0, rms;
};

static struct main_figures main_figures_of(const struct identification *found)
{
    const struct full_record_fit *fit = &found->fit;
    const struct extrema_fit *extrema = &found->extrema_fit;
    if (found->recommended == RECOMMENDED_FIT)
        return (struct main_figures){"fit",
                                     damping_model_name(fit->model),
                                     fit->f_n_hz.value,
                                     fit->estimate[FIT_ZETA].value,
                                     fit->estimate[FIT_X_K].value,
                                     fit->estimate[FIT_X0].value,
                                     fit->rms};
    if (found->recommended == RECOMMENDED_EXTREMA_FIT)
        return (struct main_figures){"extrema_fit",
                                     NULL,
                                     extrema->f_n_hz.value,
                                     extrema->estimate[FIT_ZETA].value,
                                     extrema->estimate[FIT_X_K].value,
                                     extrema->estimate[FIT_X0].value,
                                     extrema->rms};
    return (struct main_figures){NULL, NULL, NAN, NAN, NAN, NAN, NAN};
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static int insert_result(struct store *store, const struct kept_result *result)
{
    const struct decay_origin *origin = &result->of->origin;
    const struct main_figures main = main_figures_of(&result->identification);
    const double numbers[] = {main.f_n_hz, main.zeta, main.x_k, main.x0, main.rms};
    char settings[128];
    snprintf(settings, sizeof settings, "mass_kg=%.17g stiffness_n_per_m=%.17g gravity_m_per_s2=%.17g",
             origin->physical.mass_kg, origin->physical.stiffness_n_per_m, origin->physical.gravity_m_per_s2);
    sqlite3_stmt *insert = database_statement(
        &store->database,
        "INSERT INTO result (decay, revision, latest, setup, source_kind, released_at_ns, identified_at_ns, version,"
        " config_id, settings, verdict, recommended, model, half_cycles, f_n_hz, zeta, x_k, x0, rms, summary_checksum,"
        " text_checksum) SELECT id, ?2, 0, setup, ?3, released_at_ns, ?4, ?5, ?6, ?7, ?8, ?9, ?10, half_cycles, ?11,"
        " ?12, ?13, ?14, ?15, fnv1a(?16), fnv1a(?17) FROM decay WHERE id = ?1");
    bind_count(insert, 1, result->of->id);
    bind_count(insert, 2, result->revision);
    bind_text(insert, 3, origin->source_kind);
    sqlite3_bind_int64(insert, 4, store_now_ns());
    bind_text(insert, 5, store->version);
    bind_text(insert, 6, origin->config_id);
    bind_text(insert, 7, settings);
    bind_text(insert, 8, verdict_name(result->identification.verdict));
    bind_text(insert, 9, main.recommended);
    bind_text(insert, 10, main.model);
    for (int i = 0; i < 5; i++)
        sqlite3_bind_double(insert, 11 + i, numbers[i]);
    sqlite3_bind_text(insert, 16, text_or_empty(result->summary), -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 17, text_or_empty(result->document), -1, SQLITE_STATIC);
    int error = database_finish(&store->database, insert);
    /* A decay that is gone: nothing was inserted. */
    return !error && sqlite3_changes(store->database.handle) == 0 ? -ENOENT : error;
}

static int insert_document(struct store *store, int64_t row, const struct kept_result *result)
{
    sqlite3_stmt *insert =
        database_statement(&store->database, "INSERT INTO document (result, summary, text) VALUES (?1,?2,?3)");
    sqlite3_bind_int64(insert, 1, row);
    sqlite3_bind_text(insert, 2, text_or_empty(result->summary), -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, text_or_empty(result->document), -1, SQLITE_STATIC);
    return database_finish(&store->database, insert);
}

/* The earlier revision stays, but is no longer what its decay is shown with. */
static int make_latest(struct store *store, int64_t row, const struct kept_result *result)
{
    sqlite3_stmt *retire =
        database_statement(&store->database, "UPDATE result SET latest = 0 WHERE decay = ?1 AND latest");
    bind_count(retire, 1, result->of->id);
    int error = database_finish(&store->database, retire);
    sqlite3_stmt *promote = database_statement(&store->database, "UPDATE result SET latest = 1 WHERE id = ?1");
    sqlite3_bind_int64(promote, 1, row);
    if (!error)
        error = database_finish(&store->database, promote);
    sqlite3_stmt *raise = database_statement(&store->database, "UPDATE decay SET revision = ?2 WHERE id = ?1");
    bind_count(raise, 1, result->of->id);
    bind_count(raise, 2, result->revision);
    return error ? error : database_finish(&store->database, raise);
}

/* The first statement fails when the revision is there already: then nothing has changed. */
int store_put_result(struct store *store, const struct kept_result *result)
{
    int error = 0;
    if (!store_is_memory(store)) {
        error = insert_result(store, result);
        int64_t row = error ? 0 : sqlite3_last_insert_rowid(store->database.handle);
        if (!error)
            error = insert_document(store, row, result);
        if (!error)
            error = make_latest(store, row, result);
    }
    store->new_results += !error;
    store->new_identified += !error && result->revision == 1;
    return error;
}

int store_put_seq(struct store *store, uint64_t id, unsigned revision, uint64_t seq)
{
    if (store_is_memory(store))
        return 0;
    sqlite3_stmt *update =
        database_statement(&store->database, "UPDATE result SET seq = ?3 WHERE decay = ?1 AND revision = ?2");
    bind_count(update, 1, id);
    bind_count(update, 2, revision);
    bind_count(update, 3, seq);
    return database_finish(&store->database, update);
}

/* --- what else is kept --- */

int store_put_event(struct store *store, const struct store_event *event)
{
    if (store_is_memory(store))
        return 0;
    sqlite3_stmt *insert =
        database_statement(&store->database, "INSERT INTO event (seq, at_ns, code, rig, channel, text, text_checksum)"
                                             " VALUES (?1,?2,?3,?4,?5,?6,fnv1a(?6))");
    bind_count(insert, 1, event->seq);
    sqlite3_bind_int64(insert, 2, event->at_ns);
    bind_text(insert, 3, event->code);
    bind_text(insert, 4, event->rig);
    bind_text(insert, 5, event->channel);
    bind_text(insert, 6, event->text);
    return database_finish(&store->database, insert);
}

int store_put_configuration(struct store *store, const char *config_id, const char *path, const char *text)
{
    if (store_is_memory(store))
        return 0;
    sqlite3_stmt *insert = database_statement(
        &store->database, "INSERT OR IGNORE INTO configuration (config_id, path, text, first_used_ns, text_checksum)"
                          " VALUES (?1,?2,ifnull(?3,''),?4,fnv1a(ifnull(?3,'')))");
    bind_text(insert, 1, config_id);
    bind_text(insert, 2, path);
    bind_text(insert, 3, text);
    sqlite3_bind_int64(insert, 4, store_now_ns());
    return database_finish(&store->database, insert);
}

static int put_meta(struct store *store, const char *name, const char *text, uint64_t number)
{
    sqlite3_stmt *put =
        database_statement(&store->database, "INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)");
    bind_text(put, 1, name);
    if (text)
        bind_text(put, 2, text);
    else
        bind_count(put, 2, number);
    return database_finish(&store->database, put);
}

/* Another history numbers anew: what was numbered in an earlier one is kept, but its number is none any more. */
int store_put_numbering(struct store *store, const struct store_numbering *numbering)
{
    if (store_is_memory(store))
        return 0;
    struct store_numbering before;
    int error = store_get_numbering(store, &before);
    bool same = !error && strcmp(before.history_id, numbering->history_id) == 0;
    if (!error && !same)
        error = database_run(&store->database, "UPDATE result SET seq = NULL; UPDATE event SET seq = 0;");
    if (!error)
        error = put_meta(store, "history_id", numbering->history_id, 0);
    if (!error)
        error = put_meta(store, "next_seq", NULL, numbering->next_seq);
    if (!error)
        error = put_meta(store, "gone_seq", NULL,
                         same && before.gone_seq > numbering->gone_seq ? before.gone_seq : numbering->gone_seq);
    return error;
}

int store_number_unpublished(struct store *store, uint64_t *next_seq)
{
    if (store_is_memory(store))
        return 0;
    sqlite3_stmt *number = database_statement(
        &store->database,
        "UPDATE result SET seq = ?1 WHERE id = (SELECT id FROM result WHERE seq IS NULL ORDER BY id LIMIT 1)");
    for (;;) {
        bind_count(number, 1, *next_seq);
        int error = database_finish(&store->database, number);
        if (error || sqlite3_changes(store->database.handle) == 0)
            return error;
        ++*next_seq;
    }
}
