/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store by itself: what goes in comes out bit for bit, a transaction is all or nothing, damage is noticed. */
#include "run_suite.h"
#include "store/query.h"
#include "store/read_decay.h"
#include "store/store_state.h"
#include "stored_decays.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { SAMPLES = 700 };

static char directory[STORE_PATH];
static struct database reader;

static void set_up(void)
{
    store_directory_make(directory);
}

static void tear_down(void)
{
    database_close(&reader);
    store_directory_remove(directory);
}

/* As the reader thread does. */
static void open_reader(void)
{
    char path[STORE_PATH + 32];
    struct complaint complaint;
    database_close(&reader);
    snprintf(path, sizeof path, "%s/fricid.db", directory);
    ck_assert_int_eq(database_open(&reader, path, SQLITE_OPEN_READWRITE, &complaint), 0);
}

static void run_sql(const char *sql)
{
    open_reader();
    ck_assert_msg(database_run(&reader, sql) == 0, "%s: %s", sql, database_sentence(&reader));
    database_close(&reader);
}

static struct kept_decay *stored_and_read(struct kept_decay *decay)
{
    struct store *store = store_opened(directory);
    ck_assert_int_eq(store_begin(store), 0);
    ck_assert_int_eq(store_put_decay(store, decay), 0);
    ck_assert_int_eq(store_commit(store), 0);
    store_close(store);
    struct kept_decay *read;
    unsigned revision;
    open_reader();
    ck_assert_int_eq(read_decay(&reader, decay->id, &read, &revision), 0);
    ck_assert_uint_eq(revision, 0);
    ck_assert_uint_eq(read->id, decay->id);
    return read;
}

static void assert_same_number(double one, double other)
{
    ck_assert_int_eq(memcmp(&one, &other, sizeof one), 0);
}

static void assert_same_decay(const struct decay *one, const struct decay *other)
{
    size_t count = one->pretrigger_count + one->record.count;
    ck_assert_uint_eq(one->pretrigger_count, other->pretrigger_count);
    ck_assert_uint_eq(one->record.count, other->record.count);
    ck_assert_int_eq(memcmp(one->displacement, other->displacement, count * sizeof(double)), 0);
    ck_assert((one->time_s != NULL) == (other->time_s != NULL) && (one->flags != NULL) == (other->flags != NULL));
    ck_assert(!one->time_s || memcmp(one->time_s, other->time_s, count * sizeof(double)) == 0);
    ck_assert(!one->flags || memcmp(one->flags, other->flags, count) == 0);
    const double numbers[][2] = {{one->record.start_s, other->record.start_s},
                                 {one->record.period_s, other->record.period_s},
                                 {one->record.resolution, other->record.resolution},
                                 {one->record.noise, other->record.noise},
                                 {one->released_s, other->released_s},
                                 {one->rest.position, other->rest.position},
                                 {one->rest.se, other->rest.se}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        ck_assert_msg(numbers[i][0] == numbers[i][1] || (isnan(numbers[i][0]) && isnan(numbers[i][1])), "number %zu",
                      i);
    ck_assert_uint_eq(one->first_index, other->first_index);
    ck_assert_int_eq(one->ended_by, other->ended_by);
    ck_assert_uint_eq(one->half_cycles, other->half_cycles);
    ck_assert_uint_eq(one->clipped_count, other->clipped_count);
    ck_assert_int_eq(one->dropped_first_half_cycle, other->dropped_first_half_cycle);
}

/* Everything that a result is told to have come from. */
static void assert_same_origin(const struct decay_origin *one, const struct decay_origin *other)
{
    const char *texts[][2] = {{one->rig, other->rig},        {one->channel, other->channel},
                              {one->device, other->device},  {one->source_kind, other->source_kind},
                              {one->unit, other->unit},      {one->config_id, other->config_id},
                              {one->board, other->board},    {one->driver, other->driver},
                              {one->serial, other->serial},  {one->calibrated_on, other->calibrated_on},
                              {one->remarks, other->remarks}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ck_assert_str_eq(texts[i][0], texts[i][1]);
    ck_assert_int_eq(one->released_at_ns, other->released_at_ns);
    assert_same_number(one->sample_rate_hz, other->sample_rate_hz);
    assert_same_number(one->physical.mass_kg, other->physical.mass_kg);
    assert_same_number(one->physical.stiffness_n_per_m, other->physical.stiffness_n_per_m);
    ck_assert_uint_eq(one->calibration.terms, other->calibration.terms);
    ck_assert_uint_eq(one->codes.terms, other->codes.terms);
    assert_same_number(one->codes.coefficients[1], other->codes.coefficients[1]);
    assert_same_number(one->codes.origin, other->codes.origin);
    assert_same_number(one->codes.divisor, other->codes.divisor);
    assert_same_number(one->codes.zero, other->codes.zero);
}

/* --- what goes in comes out --- */

/* The runs that decays of these keys get, in a store with a file and in one without. */
static void put_keys(struct store *store, const char *const keys[], size_t count, uint64_t runs[])
{
    ck_assert_int_eq(store_begin(store), 0);
    for (size_t i = 0; i < count; i++) {
        struct kept_decay *decay = stored_decay((unsigned)i, 10);
        snprintf(decay->origin.run_key, sizeof decay->origin.run_key, "%s", keys[i]);
        ck_assert_int_eq(store_put_decay(store, decay), 0);
        runs[i] = decay->run;
        kept_decay_release(decay);
    }
    ck_assert_int_eq(store_commit(store), 0);
}

START_TEST(decays_of_a_key_share_a_run)
{
    static const char *const keys[] = {"a-1", "b-1", "a-1", "", "b-1", "", "a-2", "a-1"};
    static const uint64_t expected[] = {1, 2, 1, 3, 2, 4, 5, 1};
    enum { COUNT = 8 };
    uint64_t runs[COUNT];
    struct store *store = _i == 0 ? store_open_memory() : store_opened(directory);
    put_keys(store, keys, COUNT, runs);
    for (size_t i = 0; i < COUNT; i++)
        ck_assert_uint_eq(runs[i], expected[i]);
    store_close(store);
}
END_TEST

/* A run goes with the last of its decays, and its number is not given again. */
START_TEST(a_run_goes_with_its_decays)
{
    static const char *const keys[] = {"a", "b", "b"}, *const later[] = {"c"};
    uint64_t runs[3];
    struct store *store = store_opened(directory);
    put_keys(store, keys, 3, runs);
    ck_assert_int_eq(database_run(&store->database, "DELETE FROM decay WHERE id <= 2"), 0);
    ck_assert_int_eq(store_number(directory, "SELECT count(*) || sum(id) FROM run JOIN spare_run USING (id)"), 12);
    ck_assert_int_eq(database_run(&store->database, "DELETE FROM decay"), 0);
    ck_assert_int_eq(store_number(directory, "SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM spare_run)"),
                     0);
    put_keys(store, later, 1, runs);
    ck_assert_uint_eq(runs[0], 3);
    store_close(store);
}
END_TEST

START_TEST(a_decay_comes_back_as_it_went_in)
{
    struct kept_decay *decay = stored_decay(3, SAMPLES), *read;
    decay->decay->rest = (struct rest_observation){0.0125, 1e-4};
    decay->decay->released_s = 7.49;
    decay->decay->ended_by = DECAY_END_NOISE_FLOOR;
    decay->decay->half_cycles = 19;
    decay->decay->clipped_count = 2;
    decay->decay->dropped_first_half_cycle = true;
    read = stored_and_read(decay);
    assert_same_decay(decay->decay, read->decay);
    assert_same_origin(&decay->origin, &read->origin);
    ck_assert_int_eq(database_integer(&reader, "SELECT count(*) FROM raw WHERE coding = 'int16'", -1), 1);
    kept_decay_release(read);
    kept_decay_release(decay);
}
END_TEST

/* Samples whose codes need every width, a curved calibration, and displacements that no code has. */
static const struct {
    int64_t largest;
    double off; /* displacement unit, from what a code gives */
    const char *coding;
} widths[] = {{127, 0, "int8"},
              {-128, 0, "int8"},
              {128, 0, "int16"},
              {32767, 0, "int16"},
              {-32769, 0, "int32"},
              {8388607, 0, "int32"},
              {INT64_C(1) << 31, 0, "int64"},
              {100, 0.001, "float64"},
              {100, (double)NAN, "float64"}};

START_TEST(every_coding_gives_the_samples_back)
{
    struct kept_decay *decay = stored_decay(1, SAMPLES), *read;
    decay->origin.codes = (struct code_scale){.terms = 2, .coefficients = {-3, 0.0025}, .origin = 17, .divisor = 3};
    decay->origin.calibration = (struct calibration){.terms = 3, .coefficients = {0.1, 1.003, 2e-7}};
    decay->origin.codes.calibration = decay->origin.calibration;
    decay->origin.delay_s = 1.0 / 3e5;
    strcpy(decay->origin.delays_ns, "3333,13333");
    strcpy(decay->origin.quantity, "height");
    strcpy(decay->origin.kind, "of a test");
    for (size_t i = 0; i < SAMPLES; i++)
        decay->decay->displacement[i] = code_scale_displacement(&decay->origin.codes, (int64_t)(i % 100));
    decay->decay->displacement[50] = code_scale_displacement(&decay->origin.codes, widths[_i].largest) + widths[_i].off;
    read = stored_and_read(decay);
    assert_same_decay(decay->decay, read->decay);
    sqlite3_stmt *coding = database_statement(&reader, "SELECT coding FROM raw");
    ck_assert_int_eq(database_step(&reader, coding), 1);
    ck_assert_str_eq(column_text(coding, 0), widths[_i].coding);
    ck_assert_double_eq(read->origin.delay_s, decay->origin.delay_s);
    ck_assert_str_eq(read->origin.delays_ns, decay->origin.delays_ns);
    ck_assert_str_eq(read->origin.quantity, "height");
    ck_assert_str_eq(read->origin.kind, "of a test");
    kept_decay_release(read);
    kept_decay_release(decay);
}
END_TEST

START_TEST(stamps_and_flags_come_back)
{
    double displacement[SAMPLES], time_s[SAMPLES];
    uint8_t flags[SAMPLES];
    for (size_t i = 0; i < SAMPLES; i++) {
        displacement[i] = 12 * cos(0.1 * (double)i);
        time_s[i] = 0.001 * (double)i + 1e-7 * (double)(i % 7);
        flags[i] = i % 50 == 0;
    }
    const struct decay_samples samples = {displacement, time_s, flags, SAMPLES, 0, 1e-3};
    const struct decay_origin origin = stored_origin();
    struct kept_decay *decay = kept_decay_create(&origin, decay_from_samples(&samples, 100)), *read;
    read = stored_and_read(decay);
    assert_same_decay(decay->decay, read->decay);
    kept_decay_release(read);
    kept_decay_release(decay);
}
END_TEST

START_TEST(results_keep_every_revision)
{
    struct kept_decay *decay = stored_decay(1, SAMPLES);
    struct store *store = store_opened(directory);
    struct store_statistics statistics;
    struct found_result found;
    ck_assert_int_eq(store_begin(store), 0);
    ck_assert_int_eq(store_put_decay(store, decay), 0);
    for (unsigned revision = 1; revision <= 3; revision++) {
        struct kept_result *result = stored_result(decay, revision);
        ck_assert_int_eq(store_put_result(store, result), 0);
        ck_assert_int_eq(store_put_result(store, result), -EEXIST);
        kept_result_release(result);
    }
    ck_assert_int_eq(store_commit(store), 0);
    store_statistics(store, &statistics);
    ck_assert_uint_eq(statistics.decays, 1);
    ck_assert_uint_eq(statistics.results, 3);
    ck_assert_uint_eq(statistics.waiting, 0);
    open_reader();
    for (unsigned revision = 0; revision <= 3; revision++) {
        ck_assert_int_eq(find_result(&reader, decay->id, revision, &found), 0);
        ck_assert_uint_eq(found.revision, revision ? revision : 3);
        free(found.text);
    }
    ck_assert_int_eq(find_result(&reader, decay->id, 4, &found), -ENOENT);
    ck_assert_int_eq(find_result(&reader, decay->id + 1, 0, &found), -ENOENT);
    ck_assert_int_eq(database_integer(&reader, "SELECT count(*) FROM result WHERE version = 'test'", -1), 3);
    kept_decay_release(decay);
    store_close(store);
}
END_TEST

/* --- transactions --- */

START_TEST(what_is_rolled_back_was_never_there)
{
    store_fill(directory, 0, 2, SAMPLES);
    struct store *store = store_opened(directory);
    struct store_statistics before, after;
    store_statistics(store, &before);
    struct kept_decay *decay = stored_decay(2, SAMPLES);
    ck_assert_int_eq(store_begin(store), 0);
    ck_assert_int_eq(store_put_decay(store, decay), 0);
    store_rollback(store);
    store_statistics(store, &after);
    ck_assert_uint_eq(after.decays, before.decays);
    ck_assert_uint_eq(after.waiting, 0);
    store_close(store);
    kept_decay_release(decay);
    ck_assert_uint_eq(store_verify(directory, 0, 2), 2);
}
END_TEST

/* As SQLite does after some errors: what follows would be durable statement by statement, and then be stored twice. */
START_TEST(what_sqlite_rolled_back_does_not_go_on)
{
    store_fill(directory, 0, 2, SAMPLES);
    struct store *store = store_opened(directory);
    struct kept_decay *decay = stored_decay(2, SAMPLES);
    struct complaint waits;
    unsigned removed;
    ck_assert_int_eq(store_begin(store), 0);
    ck_assert_int_eq(sqlite3_exec(store->database.handle, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_ne(store_put_decay(store, decay), 0);
    ck_assert_int_ne(store_make_room(store, 1, 0, 1, &removed, &waits), 0);
    ck_assert_int_ne(store_protect(store, 1, true), 0);
    ck_assert_int_ne(store_commit(store), 0);
    store_rollback(store);
    ck_assert_uint_eq(store_verify(directory, 0, 2), 2);
    ck_assert_int_eq(store_number(directory, "SELECT count(*) FROM decay WHERE protected"), 0);
    ck_assert_int_eq(store_begin(store), 0);
    ck_assert_int_eq(store_put_decay(store, decay), 0);
    ck_assert_int_eq(store_commit(store), 0);
    kept_decay_release(decay);
    store_close(store);
    ck_assert_uint_eq(store_verify(directory, 0, 3), 3);
}
END_TEST

/* The log counts: it may be most of what is there. */
START_TEST(bytes_are_those_of_the_file_and_its_log)
{
    struct store *store = store_opened(directory);
    struct kept_decay *decay = stored_decay(1, 100000);
    struct store_statistics statistics;
    ck_assert_int_eq(store_begin(store), 0);
    ck_assert_int_eq(store_put_decay(store, decay), 0);
    ck_assert_int_eq(store_commit(store), 0);
    store_rollback(store); /* measures, at whatever second of the clock */
    store_statistics(store, &statistics);
    char path[STORE_PATH + 32];
    struct stat file, log;
    snprintf(path, sizeof path, "%s/fricid.db", directory);
    ck_assert_int_eq(stat(path, &file), 0);
    snprintf(path, sizeof path, "%s/fricid.db-wal", directory);
    ck_assert_int_eq(stat(path, &log), 0);
    ck_assert_uint_eq(statistics.bytes, (uint64_t)(file.st_size + log.st_size));
    ck_assert_uint_gt(statistics.bytes, 400000);
    ck_assert(statistics.free_bytes != UINT64_MAX);
    store_close(store);
    kept_decay_release(decay);
}
END_TEST

/* --- damage --- */

/* Both places hold the samples; what is read must be what was stored, or be refused. */
START_TEST(changed_samples_are_noticed)
{
    struct kept_decay *read;
    unsigned revision;
    store_fill(directory, 0, 1, SAMPLES);
    run_sql("UPDATE raw SET samples = zeroblob(length(samples))");
    ck_assert_uint_eq(store_verify(directory, 0, 1), 1);
    run_sql("UPDATE spare_raw SET samples = zeroblob(length(samples))");
    open_reader();
    ck_assert_int_eq(read_decay(&reader, 1, &read, &revision), -EUCLEAN);
    ck_assert_ptr_null(read);
    run_sql("UPDATE raw SET samples = (SELECT samples FROM raw), coding = 'int32'");
    open_reader();
    ck_assert_int_eq(read_decay(&reader, 1, &read, &revision), -EUCLEAN);
}
END_TEST

/* Nothing that cannot have been written is shown, and what was lost is told from what never was. */
START_TEST(a_damaged_text_is_not_shown)
{
    static const char *const garbage[] = {"x'7b22ff22'", "'{' || char(0) || '}'"};
    struct found_result found;
    struct found_results page;
    struct results_query query = results_query_all();
    struct kept_decay *read;
    unsigned revision;
    store_fill(directory, 0, 2, SAMPLES);
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        char sql[256];
        snprintf(sql, sizeof sql, "UPDATE document SET text = CAST(%s AS TEXT), summary = CAST(%s AS TEXT)", garbage[i],
                 garbage[i]);
        run_sql(sql);
        open_reader();
        ck_assert_int_eq(find_result(&reader, 1, 0, &found), -EUCLEAN);
        ck_assert_ptr_null(found.text);
        ck_assert_int_eq(find_results(&reader, &query, &page), -EUCLEAN);
        found_results_clear(&page);
    }
    run_sql("DELETE FROM raw WHERE decay = 2; DELETE FROM spare_raw WHERE decay = 2");
    open_reader();
    ck_assert_int_eq(read_decay(&reader, 2, &read, &revision), -ENODATA);
}
END_TEST

START_TEST(a_decay_that_is_not_there_is_said_so)
{
    struct kept_decay *read;
    unsigned revision;
    struct waiting_decay waiting;
    uint64_t latest;
    store_fill(directory, 0, 2, SAMPLES);
    open_reader();
    ck_assert_int_eq(read_decay(&reader, 99, &read, &revision), -ENOENT);
    ck_assert_int_eq(next_without_result(&reader, false, 0, &waiting), 0);
    ck_assert_uint_eq(waiting.id, 0);
    struct store *store = store_opened(directory);
    ck_assert_int_eq(store_latest_decay(store, &latest), 0);
    ck_assert_uint_eq(latest, 2);
    ck_assert_int_eq(store_protect(store, 99, true), -ENOENT);
    store_close(store);
}
END_TEST

/* Events outlive the numbering that they were told under. */
START_TEST(events_stay_when_a_new_history_begins)
{
    struct store *store = store_opened(directory);
    const struct store_event event = {.seq = 5, .at_ns = 1, .code = "gap", .text = "{}"};
    struct store_numbering numbering = {.history_id = "one", .next_seq = 100};
    struct found_results found;
    ck_assert_int_eq(store_begin(store), 0);
    ck_assert_int_eq(store_put_numbering(store, &numbering), 0);
    ck_assert_int_eq(store_put_event(store, &event), 0);
    ck_assert_int_eq(store_commit(store), 0);
    open_reader();
    ck_assert_int_eq(find_notices(&reader, true, true, 1, 100, 10, &found), 0);
    ck_assert_uint_eq(found.count, 1);
    found_results_clear(&found);
    snprintf(numbering.history_id, sizeof numbering.history_id, "other");
    ck_assert_int_eq(store_begin(store), 0);
    ck_assert_int_eq(store_put_numbering(store, &numbering), 0);
    ck_assert_int_eq(store_commit(store), 0);
    store_close(store);
    ck_assert_int_eq(find_notices(&reader, true, true, 0, 100, 10, &found), 0);
    ck_assert_uint_eq(found.count, 0);
    found_results_clear(&found);
    ck_assert_int_eq(database_integer(&reader, "SELECT count(*) FROM event WHERE code = 'gap'", -1), 1);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("store");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_decay_comes_back_as_it_went_in);
    tcase_add_loop_test(cases, decays_of_a_key_share_a_run, 0, 2);
    tcase_add_test(cases, a_run_goes_with_its_decays);
    tcase_add_loop_test(cases, every_coding_gives_the_samples_back, 0, (int)(sizeof widths / sizeof widths[0]));
    tcase_add_test(cases, stamps_and_flags_come_back);
    tcase_add_test(cases, results_keep_every_revision);
    tcase_add_test(cases, what_is_rolled_back_was_never_there);
    tcase_add_test(cases, what_sqlite_rolled_back_does_not_go_on);
    tcase_add_test(cases, bytes_are_those_of_the_file_and_its_log);
    tcase_add_test(cases, changed_samples_are_noticed);
    tcase_add_test(cases, a_damaged_text_is_not_shown);
    tcase_add_test(cases, a_decay_that_is_not_there_is_said_so);
    tcase_add_test(cases, events_stay_when_a_new_history_begins);
    Suite *suite = suite_create("store");
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
