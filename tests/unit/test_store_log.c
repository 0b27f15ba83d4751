/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log beside a store's file, as a killed daemon leaves it, destroyed in several ways, or left alone by what should
 * have been its file: what can be had of it is had, and said; what is in order is no reason to say anything. */
#include "run_suite.h"
#include "store/file_layout.h"
#include "store/store_state.h"
#include "stored_decays.h"
#include "thinning.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 32, FRAME_HEADER = 24, FRAME = FRAME_HEADER + 4096, STORED = 12, SAMPLES = 600 };

/* What a killed daemon left, never changed, and the copy that is damaged. */
static unsigned seed;
static char killed[STORE_PATH], directory[STORE_PATH];

static void path_of(const char *folder, const char *part, char path[STORE_PATH + 32])
{
    snprintf(path, STORE_PATH + 32, "%s/fricid.db%s", folder, part);
}

static long size_of(const char *part)
{
    char path[STORE_PATH + 32];
    struct stat file;
    path_of(directory, part, path);
    return stat(path, &file) == 0 ? (long)file.st_size : -1;
}

/* SQL between the last decay but one and the last; NULL: none. */
static void leave_killed(char into[STORE_PATH], const char *sql)
{
    char live[STORE_PATH];
    store_directory_make(live);
    store_directory_make(into);
    struct store *store = store_opened(live);
    for (unsigned i = 0; i < STORED; i++) {
        if (sql && i == STORED - 1)
            ck_assert_int_eq(database_run(&store->database, sql), 0);
        ck_assert_int_eq(store_try_decay(store, i, SAMPLES), 0);
    }
    store_directory_copy_all(live, into);
    store_close(store);
    store_directory_remove(live);
}

static void set_up(void)
{
    leave_killed(killed, NULL);
    store_directory_make(directory);
    store_directory_copy_all(killed, directory);
}

static void tear_down(void)
{
    store_directory_remove(killed);
    store_directory_remove(directory);
}

static void remove_part(const char *part)
{
    char path[STORE_PATH + 32];
    path_of(directory, part, path);
    ck_assert_int_eq(unlink(path), 0);
}

static void cut(const char *part, long size)
{
    char path[STORE_PATH + 32];
    path_of(directory, part, path);
    ck_assert_int_eq(truncate(path, size), 0);
}

/* Every byte becomes another. */
static void destroy(long from, long length)
{
    char path[STORE_PATH + 32];
    path_of(directory, "-wal", path);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    for (long i = from; i < from + length; i++) {
        ck_assert_int_eq(fseek(file, i, SEEK_SET), 0);
        int byte = fgetc(file);
        ck_assert_int_eq(fseek(file, i, SEEK_SET), 0);
        fputc(byte ^ (int)(1 + random() % 255), file);
    }
    ck_assert_int_eq(fclose(file), 0);
}

static long frames(void)
{
    long size = size_of("-wal");
    ck_assert_int_gt(size, HEADER);
    return (size - HEADER) / FRAME;
}

static bool mend(struct complaint *said)
{
    struct complaint report = {.text = ""};
    const bool told = store_mend(directory, said, &report);
    printf("%s\n", report.text);
    return told;
}

/* The bytes of the log as it was found, under a name that says so and that the sentence names. */
static void check_kept(const char *damaged_log, long size, const struct complaint *said)
{
    char paths[1][STORE_PATH + 300], path[STORE_PATH + 304];
    ck_assert_uint_eq(store_find_asides(directory, paths, 1), 1);
    ck_assert_msg(strstr(said->text, strrchr(paths[0], '/') + 1), "not named: %s", said->text);
    snprintf(path, sizeof path, "%s-wal", paths[0]);
    FILE *kept = fopen(path, "rb");
    ck_assert_ptr_nonnull(kept);
    char *bytes = malloc((size_t)size + 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, (size_t)size + 1, kept), (size_t)size);
    ck_assert_int_eq(memcmp(bytes, damaged_log, (size_t)size), 0);
    free(bytes);
    fclose(kept);
}

static char *read_log(long size)
{
    char path[STORE_PATH + 32];
    char *bytes = malloc((size_t)size);
    path_of(directory, "-wal", path);
    FILE *file = fopen(path, "rb");
    ck_assert(file && bytes);
    ck_assert_uint_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return bytes;
}

/* Whatever is done here is told, and the log kept. */
static void mend_and_tell(void)
{
    struct complaint notice;
    const long size = size_of("-wal");
    char *log = read_log(size);
    ck_assert_msg(mend(&notice), "nothing was said");
    check_kept(log, size, &notice);
    free(log);
}

static unsigned mend_damage(void)
{
    mend_and_tell();
    return store_verify(directory, 0, 0);
}

static unsigned mend_nothing(void)
{
    struct complaint notice;
    ck_assert_msg(!mend(&notice), "%s", notice.text);
    return store_verify(directory, 0, 0);
}

/* --- damage --- */

enum damage { NO_HEADER, EMPTY_FILE, NO_FILE, NO_HEADER_AND_FILE, DAMAGES };

START_TEST(what_the_log_holds_whole_is_not_lost)
{
    const enum damage damage = (enum damage)(_i % DAMAGES);
    if (_i >= DAMAGES)
        remove_part("-shm");
    if (damage == NO_HEADER || damage == NO_HEADER_AND_FILE)
        destroy(0, HEADER);
    if (damage == EMPTY_FILE)
        cut("", 0);
    if (damage == NO_FILE || damage == NO_HEADER_AND_FILE)
        remove_part("");
    ck_assert_uint_eq(mend_damage(), STORED);
    store_verify(directory, 0, STORED);
}
END_TEST

/* One digit, of its header or of its page, or all of it, of any frame: what cannot be measured again stands on two
 * pages. */
START_TEST(a_frame_of_the_log_takes_no_decay_with_it)
{
    if (is_left_out(_i))
        return;
    srandom(seed + (unsigned)_i);
    const long lengths[] = {FRAME_HEADER, FRAME, 1};
    const bool whole = _i % 3 == 2;
    const long frame = random() % frames(), digit = random() % lengths[_i % 3];
    printf("frame %ld of %ld, %s %ld\n", frame, frames(), whole ? "all from" : "digit", digit);
    destroy(HEADER + frame * FRAME + digit, whole ? FRAME : 1);
    mend_and_tell();
    ck_assert_uint_eq(store_verify(directory, 0, STORED), STORED);
    ck_assert_int_eq(store_number(directory, "SELECT count(*) FROM result WHERE latest") +
                         store_number(directory, "SELECT count(*) FROM decay WHERE revision = 0"),
                     STORED);
}
END_TEST

/* Begun anew before the last decay: the others stand only where the round before left them. */
static void leave_two_rounds(void)
{
    store_directory_remove(directory);
    leave_killed(directory, "PRAGMA wal_checkpoint(RESTART)");
    remove_part("");
}

START_TEST(earlier_rounds_of_a_log_are_not_lost_with_the_file)
{
    leave_two_rounds();
    if (_i == 1)
        remove_part("-shm");
    ck_assert_uint_eq(mend_damage(), STORED);
    store_verify(directory, 0, STORED);
}
END_TEST

/* Such a decay stays when it has a result. */
static void forget_decays_without_samples(void)
{
    char path[STORE_PATH + 32];
    struct complaint complaint;
    struct database database;
    path_of(directory, "", path);
    ck_assert_int_eq(database_open(&database, path, SQLITE_OPEN_READWRITE, &complaint), 0);
    ck_assert_int_eq(database_run(&database, "DELETE FROM decay WHERE id NOT IN (SELECT decay FROM raw)"), 0);
    database_close(&database);
}

/* Whatever else happened to the log: what is saved is what was stored, and is saved once. */
START_TEST(damage_of_a_log_without_its_file_costs_no_more)
{
    struct complaint notice;
    if (is_left_out(_i))
        return;
    srandom(seed + 1000 + (unsigned)_i);
    leave_two_rounds();
    if (_i % 2)
        remove_part("-shm");
    cut("-wal", _i % 3 ? size_of("-wal") : HEADER + random() % (size_of("-wal") - HEADER));
    for (int i = 0; i < _i % 4; i++)
        destroy(random() % (size_of("-wal") - 300), 1 + random() % 300);
    printf("%ld bytes of log\n", size_of("-wal"));
    mend(&notice);
    forget_decays_without_samples();
    printf("%u decays: %s\n", store_verify(directory, 0, 0), notice.text);
}
END_TEST

/* Of the first frame of a round that is left nothing but its sum is known: not that its page has this number. */
START_TEST(a_page_number_that_cannot_be_is_none)
{
    leave_two_rounds();
    const long size = size_of("-wal");
    char *log = read_log(size);
    long at = HEADER;
    while (memcmp(log + at + 8, log + 16, 8) == 0)
        at += FRAME;
    free(log);
    destroy(at, 4);
    mend_and_tell();
    ck_assert_uint_eq(store_verify(directory, 0, STORED), STORED);
}
END_TEST

static uint32_t word_of(const unsigned char *log, const unsigned char *bytes)
{
    const bool big_endian = log[3] & 1;
    return big_endian ? big_endian_get(bytes)
                      : (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

/* The sums of all frames of the latest round, as SQLite would have written them. */
static void sum_anew(unsigned char *log, long size)
{
    uint32_t first = big_endian_get(log + 24), second = big_endian_get(log + 28);
    for (long at = HEADER; at + FRAME <= size && memcmp(log + at + 8, log + 16, 8) == 0; at += FRAME) {
        for (long i = 0; i < FRAME; i += i == 0 ? FRAME_HEADER : 8) {
            first += word_of(log, log + at + i) + second;
            second += word_of(log, log + at + i + 4) + first;
        }
        big_endian_put(log + at + 16, first);
        big_endian_put(log + at + 20, second);
    }
}

/* Of the first and the last frame of the latest round: the page's number, or the size of the file behind it. */
static const struct {
    bool last;
    long offset;
    uint32_t number;
} impossible[] = {{true, 0, UINT32_MAX}, {true, 4, UINT32_MAX}, {false, 0, UINT32_MAX}, {false, 0, 0}};

START_TEST(a_number_of_pages_that_cannot_be_is_none_though_the_sums_are_right)
{
    char path[STORE_PATH + 32];
    leave_two_rounds();
    const long size = size_of("-wal");
    unsigned char *log = (unsigned char *)read_log(size);
    long at = HEADER;
    while (impossible[_i].last && memcmp(log + at + FRAME + 8, log + 16, 8) == 0)
        at += FRAME;
    big_endian_put(log + at + impossible[_i].offset, impossible[_i].number);
    sum_anew(log, size);
    path_of(directory, "-wal", path);
    FILE *file = fopen(path, "wb");
    ck_assert(file && fwrite(log, 1, (size_t)size, file) == (size_t)size);
    ck_assert_int_eq(fclose(file), 0);
    free(log);
    mend_and_tell();
    ck_assert_uint_ge(store_verify(directory, 0, STORED - 1), STORED - 1);
}
END_TEST

START_TEST(a_log_that_was_cut_is_noticed)
{
    const long half = HEADER + frames() / 2 * FRAME;
    cut("-wal", _i == 0 ? half : _i == 1 ? size_of("-wal") - 1 : HEADER);
    unsigned there = mend_damage();
    if (_i == 1)
        store_verify(directory, 0, STORED);
    else
        ck_assert_uint_lt(there, STORED);
}
END_TEST

START_TEST(a_log_of_noise_is_kept)
{
    char path[STORE_PATH + 32];
    store_directory_remove(directory);
    store_directory_make(directory);
    store_fill(directory, 0, STORED, SAMPLES);
    path_of(directory, "-wal", path);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    for (long i = 0; i < 5L * FRAME; i++)
        fputc((int)(1 + random() % 255), file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_uint_eq(mend_damage(), STORED);
}
END_TEST

/* Under the open file: what the log held is in memory, or, the second time, is not. */
START_TEST(a_log_that_is_cut_under_the_store)
{
    struct complaint notice, report;
    bool moved;
    store_directory_remove(directory);
    store_directory_make(directory);
    struct store *store = store_opened(directory);
    if (_i == 1)
        ck_assert_int_eq(database_run(&store->database, "PRAGMA cache_size = 1; PRAGMA wal_autocheckpoint = 0"), 0);
    for (unsigned i = 0; i < STORED; i++)
        ck_assert_int_eq(store_try_decay(store, i, SAMPLES), 0);
    ck_assert_int_eq(store_settle(store, &moved), 0);
    ck_assert(!moved);
    cut("-wal", HEADER + frames() * 3 / 4 * FRAME);
    const int error = store_settle(store, &moved);
    ck_assert(moved && store_take_notice(store, &notice));
    ck_assert_msg(error == (_i == 1 ? -EUCLEAN : 0), "%d: %s", error, notice.text);
    if (error)
        ck_assert_msg(store_set_aside(store) == 0, "not set aside: %s", store_sentence(store));
    ck_assert_int_eq(store_try_decay(store, 10 * STORED, SAMPLES), 0);
    store_close(store);
    if (error)
        store_put_together(directory, &report);
    forget_decays_without_samples();
    const unsigned there = store_verify(directory, 10 * STORED, 10 * STORED + 1);
    if (_i == 0)
        ck_assert_uint_eq(there, STORED + 1);
    else
        ck_assert_uint_gt(there, STORED / 3);
}
END_TEST

/* --- what is in order --- */

START_TEST(a_log_that_is_whole_is_none_of_our_business)
{
    ck_assert_uint_eq(mend_nothing(), STORED);
}
END_TEST

/* At a power cut: the index, in memory until then, is not there. */
START_TEST(a_last_transaction_that_was_torn_is_no_damage)
{
    remove_part("-shm");
    if (_i == 0)
        cut("-wal", size_of("-wal") - 100);
    else if (_i == 1)
        destroy(size_of("-wal") - 100, 50);
    else
        destroy(HEADER + (frames() - 1) * FRAME, FRAME);
    ck_assert_uint_eq(mend_nothing(), STORED - 1);
    store_verify(directory, 0, STORED - 1);
}
END_TEST

/* Begun anew from its start, or folded into the file: of what is there, part or all is not needed any more. */
START_TEST(a_log_with_old_frames_behind_is_no_damage)
{
    static const char *const pragmas[] = {"PRAGMA wal_checkpoint(RESTART)", "PRAGMA wal_checkpoint(PASSIVE)",
                                          "PRAGMA wal_checkpoint(TRUNCATE)"};
    store_directory_remove(directory);
    leave_killed(directory, pragmas[_i % 3]);
    if (_i >= 3)
        remove_part("-shm");
    ck_assert_uint_eq(mend_nothing(), STORED);
    store_verify(directory, 0, STORED);
}
END_TEST

START_TEST(another_programs_log_is_left_alone)
{
    char path[STORE_PATH + 32];
    struct complaint complaint;
    struct database database;
    store_directory_remove(directory);
    store_directory_make(directory);
    path_of(directory, "", path);
    ck_assert_int_eq(database_open(&database, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &complaint), 0);
    ck_assert_int_eq(database_run(&database, "PRAGMA application_id = 77; PRAGMA journal_mode = WAL;"
                                             "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);"
                                             "INSERT INTO theirs VALUES (2)"),
                     0);
    char other[STORE_PATH];
    store_directory_make(other);
    store_directory_copy_all(directory, other);
    database_close(&database);
    store_directory_remove(directory);
    memcpy(directory, other, sizeof directory);
    destroy(HEADER + FRAME_HEADER + 50, 1);
    struct store *store = NULL;
    ck_assert_int_eq(store_open(directory, "test", &store, &complaint), -ENOMEDIUM);
    DIR *files = opendir(directory);
    const struct dirent *file;
    while ((file = readdir(files)))
        ck_assert_msg(!strstr(file->d_name, "damaged"), "%s", file->d_name);
    closedir(files);
}
END_TEST

int main(void)
{
    seed = seed_of_run();
    srandom(seed);
    TCase *cases = tcase_create("log");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, what_the_log_holds_whole_is_not_lost, 0, 2 * DAMAGES);
    tcase_add_loop_test(cases, a_frame_of_the_log_takes_no_decay_with_it, 0, 24);
    tcase_add_loop_test(cases, earlier_rounds_of_a_log_are_not_lost_with_the_file, 0, 2);
    tcase_add_test(cases, a_page_number_that_cannot_be_is_none);
    tcase_add_loop_test(cases, a_number_of_pages_that_cannot_be_is_none_though_the_sums_are_right, 0,
                        (int)(sizeof impossible / sizeof impossible[0]));
    tcase_add_loop_test(cases, damage_of_a_log_without_its_file_costs_no_more, 0, 12);
    tcase_add_loop_test(cases, a_log_that_was_cut_is_noticed, 0, 3);
    tcase_add_loop_test(cases, a_log_that_is_cut_under_the_store, 0, 2);
    tcase_add_test(cases, a_log_of_noise_is_kept);
    tcase_add_test(cases, a_log_that_is_whole_is_none_of_our_business);
    tcase_add_loop_test(cases, a_last_transaction_that_was_torn_is_no_damage, 0, 3);
    tcase_add_loop_test(cases, a_log_with_old_frames_behind_is_no_damage, 0, 6);
    tcase_add_test(cases, another_programs_log_is_left_alone);
    Suite *suite = suite_create("store log");
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
