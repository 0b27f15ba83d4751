/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every call to the disk, and every allocation, made to fail in turn, or to be the last of the process: afterwards the
 * file is sound, what was stored is there once, and the same works. */
#include "failing_disk.h"
#include "run_suite.h"
#include "store/store_state.h"
#include "stored_decays.h"
#include "thinning.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAMPLES = 600, FILLED = 4, MOST_CALLS = 2000 };

/* A store with FILLED decays, as it was before each attempt, and the one that is worked on. */
static char filled[STORE_PATH], directory[STORE_PATH];

/* Something that is done with an open store, as the writer does it: 0, or an error after which it rolls back. */
struct operation {
    const char *name;
    int (*run)(struct store *store);
    unsigned least, most; /* decays afterwards, when it was done */
};

/* --- what is done --- */

static int store_one(struct store *store)
{
    return store_try_decay(store, FILLED, SAMPLES);
}

/* The log is folded into the file after every commit, not every few megabytes. */
static int store_and_fold(struct store *store)
{
    int error = store_begin(store);
    store_rollback(store);
    if (!error)
        error = database_run(&store->database, "PRAGMA wal_autocheckpoint = 1");
    return error ? error : store_one(store);
}

static int remove_oldest(struct store *store)
{
    return store_try_removal(store, 2);
}

/* A write transaction brings an older file up to date on the way. */
static int begin_and_commit(struct store *store)
{
    int error = store_begin(store);
    return error ? error : store_commit(store);
}

static int set_aside(struct store *store)
{
    return store_set_aside(store);
}

/* As at the start of a daemon. */
static int set_aside_if_damaged(struct store *store)
{
    int error = store_check(store);
    return error == -EUCLEAN ? store_set_aside(store) : error;
}

static int take_over_first_page(struct store *store)
{
    return set_aside_if_damaged(store);
}

static int take_over_log(struct store *store)
{
    return set_aside_if_damaged(store);
}

static const struct operation operations[] = {
    {"storing", store_one, FILLED + 1, FILLED + 1},
    {"folding the log in", store_and_fold, FILLED + 1, FILLED + 1},
    {"making room", remove_oldest, FILLED - 2, FILLED - 2},
    {"bringing up to date", begin_and_commit, FILLED, FILLED},
    {"setting aside", set_aside, FILLED, FILLED},
    {"setting aside what has no first page", take_over_first_page, FILLED, FILLED},
    {"setting aside what has a damaged log", take_over_log, FILLED, FILLED}};

/* --- how --- */

/* Every call takes minutes: as a rule one in eight, or thinner still, from another one on in every run.
 * FRICID_ALL_CALLS=1: all. */
struct stride {
    long first, step;
};

static struct stride stride(void)
{
    if (getenv("FRICID_ALL_CALLS"))
        return (struct stride){0, 1};
    const long step = 8 * thinning();
    return (struct stride){first_of(step), step};
}

static void set_up(void)
{
    store_directory_make(filled);
    store_fill(filled, 0, FILLED, SAMPLES);
}

static void tear_down(void)
{
    store_directory_remove(filled);
}

#define DROP_FIGURE(name, unit, within) "DROP INDEX result_" #name "; ALTER TABLE result DROP COLUMN " #name ";"
#define DROP_FIGURES CONTACT_FIGURE_ROWS(DROP_FIGURE)

/* As version 1 had it. */
static void make_older(void)
{
    static const char older[] =
        "DROP TRIGGER setup_twice; DROP TRIGGER decay_twice; DROP TRIGGER raw_twice;"
        "DROP TRIGGER protected_twice; DROP TRIGGER decay_gone; DROP TABLE spare_setup;"
        "DROP TABLE spare_decay; DROP TABLE spare_raw;"
        "ALTER TABLE setup DROP COLUMN code_zero; ALTER TABLE decay DROP COLUMN attempts;"
        "ALTER TABLE decay DROP COLUMN protected;"
        "ALTER TABLE decay DROP COLUMN time_error_s;"
        "ALTER TABLE decay DROP COLUMN u_mass_kg;"
        "ALTER TABLE decay DROP COLUMN u_stiffness_n_per_m;"
        "ALTER TABLE decay DROP COLUMN u_gravity_m_per_s2;"
        "ALTER TABLE decay DROP COLUMN u_gain_percent;"
        "ALTER TABLE decay DROP COLUMN u_clock_ppm;"
        "ALTER TABLE decay DROP COLUMN linearity_percent;"
        "ALTER TABLE decay DROP COLUMN full_scale;"
        "ALTER TABLE setup DROP COLUMN row_checksum; ALTER TABLE decay DROP COLUMN row_checksum;"
        "ALTER TABLE event DROP COLUMN text_checksum;"
        "ALTER TABLE configuration DROP COLUMN text_checksum;"
        "ALTER TABLE result DROP COLUMN summary_checksum;"
        "ALTER TABLE result DROP COLUMN text_checksum;"
        "DROP TRIGGER run_twice; DROP TRIGGER run_again; DROP TRIGGER run_over; DROP INDEX decay_run;"
        "DROP INDEX result_kind; ALTER TABLE result DROP COLUMN kind;"
        "ALTER TABLE decay DROP COLUMN kind; ALTER TABLE decay DROP COLUMN columns;"
        "ALTER TABLE decay DROP COLUMN quantity; ALTER TABLE decay DROP COLUMN delay_s;"
        "ALTER TABLE decay DROP COLUMN read_as;"
        "ALTER TABLE decay DROP COLUMN force_sign;"
        "ALTER TABLE decay DROP COLUMN normal_sign;"
        "ALTER TABLE decay DROP COLUMN force_delay_s;"
        "ALTER TABLE decay DROP COLUMN u_force_delay_s;"
        "ALTER TABLE decay DROP COLUMN normal_delay_s;"
        "ALTER TABLE decay DROP COLUMN u_normal_delay_s;"
        "ALTER TABLE decay DROP COLUMN moving_mass_kg;"
        "ALTER TABLE decay DROP COLUMN u_moving_mass_kg;"
        "ALTER TABLE decay DROP COLUMN path_stiffness_n_per_m;"
        "ALTER TABLE decay DROP COLUMN u_path_stiffness_n_per_m;"
        "ALTER TABLE decay DROP COLUMN u_force_gain_percent;"
        "ALTER TABLE decay DROP COLUMN u_normal_gain_percent;"
        "ALTER TABLE decay DROP COLUMN delays_ns;"
        "ALTER TABLE decay DROP COLUMN run; DROP TABLE run; DROP TABLE spare_run;" DROP_FIGURES
        "PRAGMA user_version = 1";
    char path[STORE_PATH + 32];
    struct complaint complaint;
    struct database database;
    snprintf(path, sizeof path, "%s/fricid.db", filled);
    ck_assert_int_eq(database_open(&database, path, SQLITE_OPEN_READWRITE, &complaint), 0);
    ck_assert_int_eq(database_run(&database, older), 0);
    database_close(&database);
}

/* The page that describes the tables. */
static void destroy_first_page(void)
{
    char path[STORE_PATH + 32];
    snprintf(path, sizeof path, "%s/fricid.db", filled);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < 4096; i++)
        fputc(0, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* As a killed daemon leaves it, and with a page of nothing in the middle. */
static void destroy_part_of_log(void)
{
    char killed[STORE_PATH], path[STORE_PATH + 32];
    struct stat log;
    store_directory_remove(filled);
    store_directory_make(filled);
    store_directory_make(killed);
    store_close(store_opened(killed));
    /* Whoever has the file open keeps the log from being folded into it. */
    struct database other;
    struct complaint complaint;
    snprintf(path, sizeof path, "%s/fricid.db", killed);
    ck_assert_int_eq(database_open(&other, path, SQLITE_OPEN_READWRITE, &complaint), 0);
    ck_assert_int_eq(database_integer(&other, "SELECT count(*) FROM decay", -1), 0);
    store_fill(killed, 0, FILLED, SAMPLES);
    store_directory_copy(killed, filled);
    database_close(&other);
    store_directory_remove(killed);
    snprintf(path, sizeof path, "%s/fricid.db-wal", filled);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fstat(fileno(file), &log), 0);
    ck_assert_int_eq(fseek(file, (long)log.st_size / 2, SEEK_SET), 0);
    for (int i = 0; i < 4096; i++)
        fputc(0, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void prepare(const struct operation *operation)
{
    if (operation->run == begin_and_commit)
        make_older();
    if (operation->run == take_over_first_page)
        destroy_first_page();
    if (operation->run == take_over_log)
        destroy_part_of_log();
}

static unsigned first_left(const struct operation *operation)
{
    return operation->run == remove_oldest ? 2 : 0;
}

static bool sets_aside(const struct operation *operation)
{
    return operation->run == set_aside || operation->run == take_over_first_page || operation->run == take_over_log;
}

/* What there is in all files together, which are left as they are. */
static unsigned verify_all_files(void)
{
    char copy[STORE_PATH];
    struct complaint report;
    store_directory_make(copy);
    store_directory_copy_all(directory, copy);
    store_put_together(copy, &report);
    const unsigned count = store_verify(copy, 0, FILLED);
    store_directory_remove(copy);
    return count;
}

/* What must hold whatever happened: all that was there, or all that should be. */
static unsigned verify(const struct operation *operation, bool done)
{
    if (sets_aside(operation))
        return verify_all_files();
    /* A file of version 1 is left to the fricidd that wrote it. */
    if (!done && store_number(directory, "PRAGMA user_version") == 1)
        return 0;
    unsigned count = store_verify(directory, first_left(operation), FILLED);
    if (done)
        ck_assert_uint_eq(count, operation->least);
    else
        ck_assert_msg(count == FILLED || count == operation->least, "%u decays", count);
    return count;
}

/* A first attempt with a fault in it, and a second one without, as the writer makes it. Whether the fault happened. */
static bool fail_at(const struct operation *operation, long call, enum disk_fault fault, int error_number)
{
    store_directory_make(directory);
    store_directory_copy(filled, directory);
    struct complaint complaint;
    struct store *store;
    failing_disk_begin(call, fault, error_number);
    int error = store_open(directory, "test", &store, &complaint);
    if (!error)
        error = operation->run(store);
    if (error && store)
        store_rollback(store);
    bool happened = failing_disk_end();
    ck_assert_msg(store, "%s, call %ld: %s", operation->name, call, complaint.text);
    if (error) {
        /* As store_writer.c: all but a full disk are met with a new connection. */
        if (error != -ENOSPC)
            store_reopen(store);
        ck_assert_msg(happened, "%s failed by itself: %d %s", operation->name, error, store_sentence(store));
        verify(operation, false);
        error = operation->run(store);
        ck_assert_msg(error == 0, "%s, call %ld, second attempt: %d %s", operation->name, call, error,
                      store_sentence(store));
    }
    store_close(store);
    verify(operation, operation->run != remove_oldest || !happened);
    store_directory_remove(directory);
    return happened;
}

START_TEST(every_call_fails_in_turn)
{
    static const struct {
        enum disk_fault fault;
        int error;
    } faults[] = {
        {DISK_FAILS_ONCE, ENOSPC}, {DISK_FAILS_ONCE, EIO}, {DISK_STAYS_BAD, EROFS}, {DISK_TAKES_HALF, ENOSPC}};
    const struct operation *operation = &operations[_i];
    prepare(operation);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const struct stride calls = stride();
        long call = calls.first;
        while (fail_at(operation, call, faults[i].fault, faults[i].error))
            ck_assert_int_lt(call += calls.step, MOST_CALLS);
        ck_assert_int_gt(call, 8);
        printf("%s: up to %ld calls\n", operation->name, call);
    }
}
END_TEST

/* The process ends at that call; the next one finds a sound store. Whether it got so far. */
static bool end_at(const struct operation *operation, long call)
{
    int status;
    store_directory_make(directory);
    store_directory_copy(filled, directory);
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        struct complaint complaint;
        struct store *store;
        failing_disk_begin(call, DISK_ENDS_PROCESS, 0);
        _exit(store_open(directory, "test", &store, &complaint) == 0 && operation->run(store) == 0 ? EXIT_SUCCESS
                                                                                                   : EXIT_FAILURE);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) != EXIT_FAILURE);
    bool ended = WEXITSTATUS(status) == DISK_EXIT_STATUS;
    struct complaint complaint;
    struct store *store;
    ck_assert_int_eq(store_open(directory, "test", &store, &complaint), 0);
    unsigned before = verify(operation, !ended);
    if (operation->run != remove_oldest && before != operation->least)
        ck_assert_int_eq(operation->run(store), 0);
    store_close(store);
    verify(operation, operation->run != remove_oldest);
    store_directory_remove(directory);
    return ended;
}

START_TEST(the_process_ends_at_every_call)
{
    const struct operation *operation = &operations[_i];
    prepare(operation);
    const struct stride calls = stride();
    long call = calls.first;
    while (end_at(operation, call))
        ck_assert_int_lt(call += calls.step, MOST_CALLS);
    ck_assert_int_gt(call, 8);
}
END_TEST

/* A file system without hard links: what to do is said, and nothing is changed. */
START_TEST(without_links_it_is_said_what_to_do)
{
    bool told = false;
    for (long call = 0; call < 20 && !told; call++) {
        struct store *store;
        struct complaint complaint;
        store_directory_make(directory);
        store_directory_copy(filled, directory);
        ck_assert_int_eq(store_open(directory, "test", &store, &complaint), 0);
        failing_disk_begin(call, DISK_FAILS_ONCE, EPERM);
        const int error = store_set_aside(store);
        failing_disk_end();
        told = error == -EPERM && strstr(store_sentence(store), "has no hard links");
        ck_assert(!told || strstr(store_sentence(store), "fricid-repair(8)"));
        store_close(store);
        if (told)
            ck_assert_uint_eq(store_verify(directory, 0, FILLED), FILLED);
        store_directory_remove(directory);
    }
    ck_assert(told);
}
END_TEST

int main(void)
{
    seed_of_run();
    failing_disk_set_up();
    const int count = (int)(sizeof operations / sizeof operations[0]);
    TCase *cases = tcase_create("faults");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, every_call_fails_in_turn, 0, count);
    tcase_add_loop_test(cases, the_process_ends_at_every_call, 0, count);
    tcase_add_test(cases, without_links_it_is_said_what_to_do);
    Suite *suite = suite_create("store faults");
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
