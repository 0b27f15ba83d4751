/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of a store's file destroyed, the first one in many ways and every one in two: what was stored is there
 * afterwards, and what is not ours is left alone. */
#include "run_suite.h"
#include "store/file_layout.h"
#include "store/leaf_page.h"
#include "store/query.h"
#include "store/read_decay.h"
#include "stored_decays.h"
#include "thinning.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, FILLED = 20, SAMPLES = 600 };

/* A store as it was before each attempt, and the one that is damaged. */
static char filled[STORE_PATH], directory[STORE_PATH];

static void set_up(void)
{
    store_directory_make(filled);
    store_fill(filled, 0, FILLED, SAMPLES);
}

static void tear_down(void)
{
    store_directory_remove(filled);
}

static void path_in(const char *folder, char path[STORE_PATH + 32])
{
    snprintf(path, STORE_PATH + 32, "%s/fricid.db", folder);
}

static long pages_of(const char *folder)
{
    char path[STORE_PATH + 32];
    struct stat file;
    path_in(folder, path);
    ck_assert_int_eq(stat(path, &file), 0);
    return (long)(file.st_size / PAGE);
}

/* --- damage --- */

enum filling { ZEROS, NOISE };

static void destroy(const char *folder, long from, long to, enum filling filling)
{
    char path[STORE_PATH + 32];
    path_in(folder, path);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, from, SEEK_SET), 0);
    for (long i = from; i < to; i++)
        fputc(filling == ZEROS ? 0 : (int)(random() & 0xFF), file);
    ck_assert_int_eq(fclose(file), 0);
}

static void run_sql(const char *folder, const char *sql)
{
    char path[STORE_PATH + 32];
    struct complaint complaint;
    struct database database;
    path_in(folder, path);
    ck_assert_int_eq(database_open(&database, path, SQLITE_OPEN_READWRITE, &complaint), 0);
    ck_assert_msg(database_run(&database, sql) == 0, "%s: %s", sql, database_sentence(&database));
    database_close(&database);
}

static bool mend(const char *folder, struct complaint *report)
{
    struct complaint said;
    return store_mend(folder, &said, report);
}

/* --- the first page --- */

static const struct {
    const char *name;
    long from, to;
} parts[] = {{"all of it", 0, PAGE},
             {"all but the words of SQLite", 16, PAGE},
             {"the header", 0, 100},
             {"the header behind its words", 16, 100},
             {"from the size of the file on", 24, 100},
             {"from the version on", 60, 100},
             {"version and application", 60, 72},
             {"what describes the tables", 100, PAGE},
             {"the end", 2048, PAGE}};

enum { PARTS = sizeof parts / sizeof parts[0] };

/* How the file came to be as it is before the damage. */
enum history { CLOSED, LOG_WITH_DECAYS, LOG_WITHOUT_FIRST_PAGE, VACUUMED, HISTORIES };

/* What is in the log when the process ends at once. */
static void prepare(enum history history)
{
    char other[STORE_PATH];
    store_directory_make(directory);
    store_directory_copy(filled, directory);
    if (history == VACUUMED)
        run_sql(directory, "VACUUM");
    if (history == CLOSED || history == VACUUMED)
        return;
    struct store *store = store_opened(directory);
    struct kept_decay *decay = stored_decay(FILLED, SAMPLES);
    ck_assert_int_eq(store_begin(store), 0);
    if (history == LOG_WITH_DECAYS)
        ck_assert_int_eq(store_put_decay(store, decay), 0);
    ck_assert_int_eq(store_protect(store, 3, true), 0);
    ck_assert_int_eq(store_commit(store), 0);
    kept_decay_release(decay);
    store_directory_make(other);
    store_directory_copy(directory, other);
    store_close(store);
    store_directory_remove(directory);
    memcpy(directory, other, sizeof directory);
}

START_TEST(nothing_is_lost_with_the_first_page)
{
    if (is_left_out(_i))
        return;
    const int part = _i % PARTS;
    const enum filling filling = _i / PARTS % 2 == 0 ? ZEROS : NOISE;
    const enum history history = (enum history)(_i / PARTS / 2);
    const bool logged = history == LOG_WITH_DECAYS || history == LOG_WITHOUT_FIRST_PAGE;
    const unsigned decays = FILLED + (history == LOG_WITH_DECAYS);
    struct complaint report = {.text = ""};
    prepare(history);
    destroy(directory, parts[part].from, parts[part].to, filling);
    const bool damaged = mend(directory, &report);
    printf("%s: %s\n", parts[part].name, damaged ? report.text : "as it was");
    ck_assert_uint_eq(store_verify(directory, 0, decays), decays);
    ck_assert_int_eq(store_number(directory, "SELECT count(*) FROM result WHERE latest"), FILLED);
    ck_assert_int_eq(store_number(directory, "SELECT protected FROM decay WHERE id = 3"), logged);
    /* It goes on as a store. */
    store_fill(directory, 100, 1, SAMPLES);
    ck_assert_int_eq(store_number(directory, "SELECT count(*) FROM decay"), (long long)decays + 1);
    store_directory_remove(directory);
}
END_TEST

/* --- every page --- */

START_TEST(every_page_takes_no_decay_with_it)
{
    unsigned results = 0, repaired = 0;
    long pages = pages_of(filled);
    ck_assert_int_gt(pages, 40);
    for (long page = first_of(thinning()); page < pages; page += thinning()) {
        struct complaint report = {.text = ""};
        store_directory_make(directory);
        store_directory_copy(filled, directory);
        destroy(directory, page * PAGE, (page + 1) * PAGE, (enum filling)_i);
        repaired += mend(directory, &report);
        unsigned decays = store_verify(directory, 0, FILLED);
        ck_assert_msg(decays == FILLED, "page %ld: %u decays: %s", page + 1, decays, report.text);
        /* Those that lost their result wait to be identified again. */
        long long kept = store_number(directory, "SELECT count(*) FROM result WHERE latest");
        ck_assert_int_eq(store_number(directory, "SELECT count(*) FROM decay WHERE revision = 0") + kept, FILLED);
        results += (unsigned)(FILLED - kept);
        store_directory_remove(directory);
    }
    printf("%ld pages, %u repairs, %u results to be made again\n", pages, repaired, results);
    ck_assert_int_gt(repaired * thinning(), 10);
}
END_TEST

/* --- a file that was cut off --- */

static void cut(const char *folder, long bytes)
{
    char path[STORE_PATH + 32];
    path_in(folder, path);
    ck_assert_int_eq(truncate(path, bytes), 0);
}

static long long rows_of(const char *folder, const char *table)
{
    char sql[80];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    return store_number(folder, sql);
}

/* What can be read never becomes less with a page more. */
START_TEST(a_file_that_was_cut_off_keeps_what_is_left)
{
    static const char *const tables[] = {"decay", "raw", "result", "document"};
    enum { TABLES = sizeof tables / sizeof tables[0] };
    long long most[TABLES] = {0};
    const long pages = pages_of(filled);
    for (long left = 1; left <= pages; left++) {
        if (is_left_out(left) && left < pages)
            continue;
        struct complaint report = {.text = ""};
        store_directory_make(directory);
        store_directory_copy(filled, directory);
        /* An odd number of bytes, too. */
        cut(directory, left * PAGE - (left % 3 == 0 ? 1 : 0));
        /* A byte less than the whole may be none that is in use. */
        ck_assert(mend(directory, &report) || left == pages);
        /* The id of a lost decay is not given to another one. */
        ck_assert(rows_of(directory, "decay") == 0 ||
                  store_number(directory, "SELECT seq FROM sqlite_sequence") == FILLED);
        for (int i = 0; i < TABLES; i++) {
            long long rows = rows_of(directory, tables[i]);
            ck_assert_msg(rows >= most[i], "%ld of %ld pages: %lld rows of %s, before %lld: %s", left, pages, rows,
                          tables[i], most[i], report.text);
            most[i] = rows > most[i] ? rows : most[i];
        }
        store_directory_remove(directory);
    }
    for (int i = 0; i < TABLES; i++)
        ck_assert_int_eq(most[i], FILLED);
}
END_TEST

/* --- a digit --- */

/* One digit of something that was stored; does a result go with it? */
static const struct {
    const char *change;
    bool result;
} digits[] = {
    {"UPDATE document SET text = replace(text, '\"id\":3', '\"id\":8') WHERE result = 3", true},
    {"UPDATE document SET summary = replace(summary, ':3,', ':4,') WHERE result = 3", true},
    {"UPDATE event SET text = replace(text, '7', '1')", false},
    {"UPDATE configuration SET text = replace(text, '7', '1')", false},
    {"UPDATE decay SET period_s = 0.002 WHERE id = 3", false},
    {"UPDATE spare_decay SET start_s = start_s + 1e-9 WHERE id = 3", false},
    {"UPDATE setup SET code_coefficients = '0,0.02'", false},
    {"UPDATE spare_setup SET calibration = '0,1.5'", false},
    {"UPDATE spare_raw SET samples = zeroblob(length(samples)) WHERE decay = 3", false},
    {"UPDATE raw SET samples = zeroblob(length(samples)) WHERE decay = 3", false},
    {"UPDATE raw SET checksum = '0000000000000000' WHERE decay = 3", false},
};

/* What readers ask for: nobody is shown what was not stored. */
static int read_all(const char *folder)
{
    char path[STORE_PATH + 32];
    struct complaint complaint;
    struct database reader;
    struct found_result result = {0};
    struct found_results list = {0};
    struct found_configuration configuration;
    struct kept_decay *decay;
    unsigned revision;
    const struct results_query query = results_query_all();
    path_in(folder, path);
    ck_assert_int_eq(database_open(&reader, path, SQLITE_OPEN_READWRITE, &complaint), 0);
    int error = find_result(&reader, 3, 0, &result);
    free(result.text);
    if (!error)
        error = find_results(&reader, &query, &list);
    found_results_clear(&list);
    if (!error)
        error = find_notices(&reader, true, true, 1, 100, 10, &list);
    found_results_clear(&list);
    if (!error && (error = find_configuration(&reader, "0123456789abcdef", &configuration)) == 0)
        found_configuration_clear(&configuration);
    if (!error && (error = read_decay(&reader, 3, &decay, &revision)) == 0) {
        ck_assert(decay->decay->record.period_s == 1e-3 && decay->decay->record.start_s == 7.5);
        kept_decay_release(decay);
    }
    database_close(&reader);
    return error;
}

static void put_texts(const char *folder)
{
    const struct store_event event = {.seq = 5, .at_ns = 1, .code = "gap", .text = "{\"count\":7}"};
    struct store *store = store_opened(folder);
    ck_assert_int_eq(store_begin(store), 0);
    ck_assert_int_eq(store_put_event(store, &event), 0);
    ck_assert_int_eq(store_put_configuration(store, "0123456789abcdef", NULL, "queue_max_bytes = 7;"), 0);
    ck_assert_int_eq(store_commit(store), 0);
    store_close(store);
}

START_TEST(a_changed_digit_is_noticed)
{
    struct complaint report = {.text = ""};
    store_directory_make(directory);
    store_directory_copy(filled, directory);
    put_texts(directory);
    ck_assert_int_eq(read_all(directory), 0);
    ck_assert(!mend(directory, &report));
    run_sql(directory, digits[_i].change);
    const bool spare = strstr(digits[_i].change, "spare_") || strstr(digits[_i].change, "raw");
    ck_assert_int_eq(read_all(directory), spare ? 0 : -EUCLEAN);
    ck_assert(mend(directory, &report));
    printf("%s\n", report.text);
    ck_assert_uint_eq(store_verify(directory, 0, FILLED), FILLED);
    /* What stands twice is right again; of the rest nothing is shown. */
    int error = read_all(directory);
    ck_assert_int_eq(error, digits[_i].result || strstr(digits[_i].change, "configuration") ? -ENOENT : 0);
    ck_assert_int_eq(store_number(directory, "SELECT count(*) FROM decay WHERE revision = 0"), digits[_i].result);
    ck_assert_int_eq(store_number(directory, "SELECT count(*) FROM raw JOIN spare_raw USING (decay, samples, checksum)"
                                             " WHERE raw.checksum = fnv1a(raw.coding, samples, raw.time_s, raw.flags)"),
                     FILLED);
    ck_assert_ptr_nonnull(strstr(report.text, "not what was stored: 1."));
    store_directory_remove(directory);
}
END_TEST

/* One letter of a key in an index: the tree is as it should be, and leads past a result. */
START_TEST(a_wrong_key_in_an_index_is_noticed)
{
    struct complaint report = {.text = ""};
    char path[STORE_PATH + 32];
    unsigned char page[PAGE];
    store_directory_make(directory);
    store_directory_copy(filled, directory);
    path_in(directory, path);
    const long root = (long)store_number(directory, "SELECT rootpage FROM sqlite_master WHERE name = 'result_verdict'");
    FILE *file = fopen(path, "r+b");
    ck_assert(file && root > 1);
    ck_assert_int_eq(fseek(file, (root - 1) * PAGE, SEEK_SET), 0);
    ck_assert_uint_eq(fread(page, 1, PAGE, file), PAGE);
    unsigned char *key = memmem(page, PAGE, "no_oscillation", 14);
    ck_assert_ptr_nonnull(key);
    ck_assert_int_eq(fseek(file, (root - 1) * PAGE + (long)(key - page), SEEK_SET), 0);
    fputc('m', file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(mend(directory, &report));
    ck_assert_uint_eq(store_verify(directory, 0, FILLED), FILLED);
    ck_assert_int_eq(store_number(directory, "SELECT count(*) FROM result WHERE latest AND verdict = 'no_oscillation'"),
                     FILLED);
    store_directory_remove(directory);
}
END_TEST

/* --- a length --- */

/* A row of 800 MB, as its length says, in a file in which there is room for that, and of which the next page is the
 * last: memory is taken for what is there. */
START_TEST(a_length_that_is_damaged_takes_no_memory)
{
    enum { CELL = 20, ON_LEAF = 489, ON_PAGE = PAGE - 4, MORE = 200000, LENGTH = ON_LEAF + MORE * ON_PAGE };
    char path[STORE_PATH + 32];
    struct complaint complaint;
    struct stored_pages pages;
    struct leaf_row row = {0};
    unsigned char page[PAGE] = {[0] = 13, [4] = 1, [9] = CELL};
    for (int i = 0; i < 5; i++)
        page[CELL + i] = (unsigned char)((LENGTH >> 7 * (4 - i) & 0x7F) | (i < 4 ? 0x80 : 0));
    page[CELL + 5] = 1;
    big_endian_put(page + CELL + 6 + ON_LEAF, MORE / 2);
    store_directory_make(directory);
    store_directory_copy(filled, directory);
    path_in(directory, path);
    ck_assert_int_eq(truncate(path, (off_t)LENGTH + 10 * PAGE), 0);
    ck_assert_int_eq(stored_pages_open(path, &pages, &complaint), 0);
    ck_assert_uint_eq(pages.count, LENGTH / PAGE + 10);
    ck_assert_uint_eq(leaf_page_rows(page), 1);
    ck_assert_int_eq(leaf_page_read(&pages, page, 0, &row), 0);
    ck_assert_uint_lt(row.capacity, 10 * PAGE);
    leaf_row_clear(&row);
    stored_pages_close(&pages);
    store_directory_remove(directory);
}
END_TEST

/* --- what is not ours --- */

/* Pages of another program's database, whose first one is damaged, too. */
static void make_foreign(void)
{
    static const char tables[] =
        "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; CREATE TABLE place (id INTEGER PRIMARY KEY, url);"
        "CREATE TABLE visit (id INTEGER PRIMARY KEY, place, at); CREATE INDEX visit_at ON visit (at);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
        " INSERT INTO visit SELECT i, i % 7, hex(randomblob(20)) FROM n;";
    char path[STORE_PATH + 32];
    struct complaint complaint;
    struct database database;
    path_in(directory, path);
    ck_assert_int_eq(database_open(&database, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &complaint), 0);
    ck_assert_int_eq(database_run(&database, tables), 0);
    database_close(&database);
}

static void make_text(void)
{
    char path[STORE_PATH + 32];
    path_in(directory, path);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < 20000; i++)
        fprintf(file, "not a database %d\r\n", i);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(what_is_not_ours_is_left_alone)
{
    char path[STORE_PATH + 32];
    struct stat before, after;
    struct complaint complaint;
    struct store *store;
    store_directory_make(directory);
    path_in(directory, path);
    if (_i == 0)
        make_text();
    else
        make_foreign();
    if (_i == 2)
        destroy(directory, 0, PAGE, NOISE);
    ck_assert_int_eq(stat(path, &before), 0);
    ck_assert_int_eq(store_open(directory, "test", &store, &complaint), -ENOMEDIUM);
    ck_assert_msg(strstr(complaint.text, "left as it is") || strstr(complaint.text, "left as it was") ||
                      strstr(complaint.text, "It was left"),
                  "%s", complaint.text);
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert(before.st_size == after.st_size && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec &&
              before.st_mtim.tv_sec == after.st_mtim.tv_sec && before.st_ino == after.st_ino);
    store_directory_remove(directory);
}
END_TEST

int main(void)
{
    srandom(seed_of_run());
    TCase *cases = tcase_create("pages");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, nothing_is_lost_with_the_first_page, 0, PARTS * 2 * HISTORIES);
    tcase_add_loop_test(cases, every_page_takes_no_decay_with_it, ZEROS, NOISE + 1);
    tcase_add_test(cases, a_file_that_was_cut_off_keeps_what_is_left);
    tcase_add_loop_test(cases, a_changed_digit_is_noticed, 0, (int)(sizeof digits / sizeof digits[0]));
    tcase_add_test(cases, a_wrong_key_in_an_index_is_noticed);
    tcase_add_test(cases, a_length_that_is_damaged_takes_no_memory);
    tcase_add_loop_test(cases, what_is_not_ours_is_left_alone, 0, 3);
    Suite *suite = suite_create("store pages");
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
