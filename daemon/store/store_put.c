/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What goes into the store: decays with their samples, results, events, configurations, the numbering. */

#include "identify/decay/main_figures.h"
#include "proto/clock.h"
#include "store/checksum.h"
#include "store/run_table.h"
#include "store/sample_codec.h"
#include "store/store_state.h"
#include "store/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number too large for SQLite's signed integers does not occur: indices count samples. */
static void bind_count(sqlite3_stmt *statement, int parameter, uint64_t count)
{
    sqlite3_bind_int64(statement, parameter, (sqlite3_int64)count);
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

/* The row of this set-up, made when it is new. */
static int find_setup(struct store *store, const struct decay_origin *origin, int64_t *setup)
{
    struct setup_row row;
    text_list_write(row.calibration, origin->calibration.coefficients, origin->calibration.terms);
    text_list_write(row.code_coefficients, origin->codes.coefficients, origin->codes.terms);
    describe(origin, row.calibration, row.code_coefficients, row.fingerprint, sizeof row.fingerprint);
    sqlite3_stmt *find = database_statement(&store->database, "SELECT id FROM setup WHERE fingerprint = ?");
    bind_text(find, 1, row.fingerprint);
    int found = database_step(&store->database, find);
    if (found == 1) {
        *setup = sqlite3_column_int64(find, 0);
        sqlite3_reset(find);
    }
    if (found != 0)
        return found < 0 ? found : 0;
    struct decay_origin put = *origin;
    if (put.codes.terms == 0)
        put.codes.origin = put.codes.divisor = put.codes.zero = NAN;
    const void *const parts[ROW_PARTS] = {[ROW_ITSELF] = &row, [ROW_ORIGIN] = &put};
    int error = table_put(&store->database, store_table(TABLE_SETUP), "", parts);
    *setup = sqlite3_last_insert_rowid(store->database.handle);
    return error;
}

/* The log gets the set-up with all that it gets of a decay: it holds what was stored last, and when the file is lost
 * its samples have no unit without it. A row that stays as it is would not be written, so its checksum is turned round
 * by a digit and back. It is made of itself, so that damage does not spread. */
static int write_setup_again(struct store *store, uint64_t decay)
{
    sqlite3_stmt *turn = database_statement(
        &store->database, "UPDATE spare_setup SET row_checksum = substr(row_checksum, 2) || substr(row_checksum, 1, 1)"
                          " WHERE id = (SELECT setup FROM decay WHERE id = ?1)");
    bind_count(turn, 1, decay);
    int error = database_finish(&store->database, turn);
    sqlite3_stmt *turn_back =
        database_statement(&store->database, "UPDATE spare_setup SET row_checksum = substr(row_checksum, -1)"
                                             " || substr(row_checksum, 1, length(row_checksum) - 1)"
                                             " WHERE id = (SELECT setup FROM decay WHERE id = ?1)");
    bind_count(turn_back, 1, decay);
    return error ? error : database_finish(&store->database, turn_back);
}

/* --- decays --- */

static int insert_decay(struct store *store, const struct kept_decay *kept, int64_t setup, int64_t run)
{
    const struct decay_row row = {.setup = setup, .stored_at_ns = clock_realtime_ns(), .run = run};
    const void *const parts[ROW_PARTS] = {[ROW_ITSELF] = &row, [ROW_ORIGIN] = &kept->origin, [ROW_DECAY] = kept->decay};
    return table_put(&store->database, store_table(TABLE_DECAY), "", parts);
}

static int insert_raw(struct store *store, uint64_t id, const struct coded_samples *coded)
{
    struct raw_row row = {.decay = (int64_t)id,
                          .samples = {coded->samples, coded->samples_bytes},
                          .time_s = {coded->time_s, coded->time_bytes},
                          .flags = {coded->flags, coded->flags_bytes}};
    copy_text(row.coding, sizeof row.coding, coded->coding);
    snprintf(row.checksum, sizeof row.checksum, "%016" PRIx64, coded->checksum);
    return table_put(&store->database, store_table(TABLE_RAW), "", (const void *const[]){&row});
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

/* With the calibration that is stored: it will be what turns the integers back. */
static int encode(const struct kept_decay *decay, struct coded_samples *coded)
{
    struct code_scale scale = decay->origin.codes;
    if (decay->origin.calibration.terms > 0)
        scale.calibration = decay->origin.calibration;
    else
        scale.calibration = calibration_identity();
    return samples_encode(decay->decay, &scale, coded);
}

static void bind_known(sqlite3_stmt *statement, int parameter, double value)
{
    if (isfinite(value))
        sqlite3_bind_double(statement, parameter, value);
}

/* Of all that makes it the same decay, where there is no table to look it up in. Never 0. */
static uint64_t fingerprint_of(const struct kept_decay *decay, uint64_t of_samples)
{
    const struct decay_origin *origin = &decay->origin;
    const char *texts[] = {origin->rig,  origin->channel, origin->source_kind,
                           origin->unit, origin->kind,    origin->columns};
    const double numbers[] = {decay->decay->record.start_s, origin->physical.mass_kg,
                              origin->physical.stiffness_n_per_m, origin->physical.gravity_m_per_s2};
    uint64_t sum = checksum_add(of_samples, &decay->decay->first_index, sizeof decay->decay->first_index);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        sum = checksum_add(sum, texts[i], strlen(texts[i]) + 1);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sum = isfinite(numbers[i]) ? checksum_add(sum, &numbers[i], sizeof numbers[i]) : checksum_add(sum, "", 1);
    return sum ? sum : 1;
}

static void find_in_memory(struct store *store, uint64_t fingerprint, uint64_t *id, uint64_t *run)
{
    struct recent_decays *recent = &store->recent_decays;
    recent->sought = fingerprint;
    for (size_t i = 0; i < RECENT_DECAYS; i++)
        if (recent->decay[i].fingerprint == fingerprint) {
            *id = recent->decay[i].id;
            *run = recent->decay[i].run;
            recent->sought = 0;
            return;
        }
}

/* What was looked for before it was put is remembered. */
static void remember(struct store *store, const struct kept_decay *decay)
{
    struct recent_decays *recent = &store->recent_decays;
    if (recent->sought == 0)
        return;
    recent->decay[recent->next].fingerprint = recent->sought;
    recent->decay[recent->next].id = decay->id;
    recent->decay[recent->next].run = decay->run;
    recent->next = (recent->next + 1) % RECENT_DECAYS;
    recent->sought = 0;
}

static int find_in_file(struct store *store, const struct kept_decay *decay, uint64_t of_samples, uint64_t *id,
                        uint64_t *run)
{
    const struct decay_origin *origin = &decay->origin;
    char checksum[17];
    snprintf(checksum, sizeof checksum, "%016" PRIx64, of_samples);
    sqlite3_stmt *find = database_statement(
        &store->database,
        "SELECT decay.id, decay.run FROM decay JOIN setup ON setup.id = decay.setup JOIN raw ON raw.decay = decay.id"
        " WHERE first_index = ?1 AND start_s IS ?2 AND rig = ?3 AND channel = ?4 AND source_kind = ?5"
        " AND mass_kg IS ?6 AND stiffness_n_per_m IS ?7 AND gravity_m_per_s2 IS ?8"
        " AND checksum = ?9 AND unit IS ?10 AND kind IS ?11 AND columns IS ?12"
        " LIMIT 1");
    bind_count(find, 1, decay->decay->first_index);
    bind_known(find, 2, decay->decay->record.start_s);
    bind_text(find, 3, origin->rig);
    bind_text(find, 4, origin->channel);
    bind_text(find, 5, origin->source_kind);
    bind_known(find, 6, origin->physical.mass_kg);
    bind_known(find, 7, origin->physical.stiffness_n_per_m);
    bind_known(find, 8, origin->physical.gravity_m_per_s2);
    bind_text(find, 9, checksum);
    bind_text(find, 10, origin->unit);
    bind_text(find, 11, origin->kind);
    bind_text(find, 12, origin->columns);
    int found = database_step(&store->database, find);
    if (found == 1) {
        *id = (uint64_t)sqlite3_column_int64(find, 0);
        *run = (uint64_t)sqlite3_column_int64(find, 1);
        sqlite3_reset(find);
    }
    return found < 0 ? found : 0;
}

int store_find_same(struct store *store, const struct kept_decay *decay, uint64_t *id, uint64_t *run)
{
    struct coded_samples coded;
    *id = *run = 0;
    int error = encode(decay, &coded);
    if (error)
        return error;
    const uint64_t of_samples = coded.checksum;
    coded_samples_clear(&coded);
    if (!store_is_memory(store))
        return find_in_file(store, decay, of_samples, id, run);
    find_in_memory(store, fingerprint_of(decay, of_samples), id, run);
    return 0;
}

int store_put_decay(struct store *store, struct kept_decay *decay)
{
    if (store_is_memory(store)) {
        decay->id = atomic_load(&store->decays) + ++store->new_decays;
        decay->run = run_in_memory(store, decay->origin.run_key);
        remember(store, decay);
        atomic_fetch_add(&store->bytes, decay_bytes(decay->decay));
        return 0;
    }
    struct coded_samples coded;
    int64_t setup, run;
    int error = encode(decay, &coded);
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
        error = write_setup_again(store, decay->id);
    coded_samples_clear(&coded);
    store->new_decays += !error;
    return error;
}

static int count_attempt(struct store *store, uint64_t id, int by)
{
    if (store_is_memory(store))
        return 0;
    sqlite3_stmt *update =
        database_statement(&store->database, "UPDATE decay SET attempts = max(attempts + ?2, 0) WHERE id = ?1");
    bind_count(update, 1, id);
    sqlite3_bind_int(update, 2, by);
    return database_finish(&store->database, update);
}

int store_put_attempt(struct store *store, uint64_t id)
{
    return count_attempt(store, id, 1);
}

int store_take_back_attempt(struct store *store, uint64_t id)
{
    return count_attempt(store, id, -1);
}

/* --- results --- */

static int insert_result(struct store *store, const struct kept_result *result)
{
    const struct decay_origin *origin = &result->of->origin;
    const struct identification *found = &result->identification;
    const struct main_figures main = main_figures_of(found);
    const struct ladder_name model = ladder_terms_name(main.terms);
    char settings[128];
    snprintf(settings, sizeof settings, "mass_kg=%.17g stiffness_n_per_m=%.17g gravity_m_per_s2=%.17g",
             origin->physical.mass_kg, origin->physical.stiffness_n_per_m, origin->physical.gravity_m_per_s2);
    struct result_row row = {.decay = (int64_t)result->of->id,
                             .identified_at_ns = clock_realtime_ns(),
                             .revision = result->revision,
                             .kind = decay_origin_kind(origin),
                             .source_kind = origin->source_kind,
                             .version = store->version,
                             .config_id = origin->config_id,
                             .settings = settings,
                             .verdict = verdict_name(found->verdict),
                             .recommended = recommended_name(found->recommended),
                             .model = result->found ? result->model
                                      : main.terms  ? model.text
                                                    : NULL,
                             .rms = main.rms,
                             .summary = result->summary,
                             .text = result->document};
    for (int i = 0; i < SEARCHED_FIGURES; i++)
        row.figure[i] = result->found ? result->figure[i] : i < MAIN_FIGURES ? main.figure[i].value : (double)NAN;
    return table_put(&store->database, store_table(TABLE_RESULT), "", (const void *const[]){&row});
}

static int insert_document(struct store *store, int64_t id, const struct kept_result *result)
{
    const struct document_row row = {.result = id, .summary = result->summary, .text = result->document};
    return table_put(&store->database, store_table(TABLE_DOCUMENT), "", (const void *const[]){&row});
}

/* The earlier revision stays, but is no longer what its decay is shown with. The daemon survived the attempts that led
 * here: those that follow are for the next revision. */
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
    sqlite3_stmt *raise =
        database_statement(&store->database, "UPDATE decay SET revision = ?2, attempts = 0 WHERE id = ?1");
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
        if (!error)
            error = write_setup_again(store, result->of->id);
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
    return table_put(&store->database, store_table(TABLE_EVENT), "", (const void *const[]){event});
}

int store_put_configuration(struct store *store, const char *config_id, const char *path, const char *text)
{
    if (store_is_memory(store))
        return 0;
    const struct configuration_row row = {
        .config_id = config_id, .path = path, .text = text, .first_used_ns = clock_realtime_ns()};
    return table_put(&store->database, store_table(TABLE_CONFIGURATION), "OR IGNORE", (const void *const[]){&row});
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
