/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The life of a store: opening, transactions, figures. What is put and got is in store_put.c and store_get.c. */

#include "store/store.h"

#include "proto/cause.h"
#include "proto/clock.h"
#include "proto/lock_file.h"
#include "store/database_files.h"
#include "store/log_order.h"
#include "store/schema.h"
#include "store/store_state.h"
#include "store/stored_rows.h"
#include "store/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The directory is made, its parent must be there. Raw data of a lab is nobody else's business: 0750. */
static int make_directory(const char *path, struct complaint *complaint)
{
    if (mkdir(path, 0750) == 0 || errno == EEXIST)
        return 0;
    int error = -errno;
    complaint_set(complaint, "the directory %s for the store cannot be made: %s", path, cause_of(error));
    return error;
}

/* SQLite would open a read-only file for reading, and say of one that it cannot make that it is not there. */
static int check_writable(const struct store *store, struct complaint *complaint)
{
    bool exists = access(store->path, F_OK) == 0;
    const char *needed = exists ? store->path : store->directory;
    if (access(needed, W_OK) == 0)
        return 0;
    int error = -errno;
    complaint_set(complaint, "%s cannot be written: %s", needed, cause_of(error));
    return error;
}

/* One daemon a store: another would give the same numbers away, and may put a repaired file in this one's place. Where
 * the file system knows no locks there is none. */
static int take_lock(struct store *store, struct complaint *complaint)
{
    if (store->lock >= 0 && lock_file_has_name(store->lock_path, store->lock))
        return 0;
    if (store->lock >= 0)
        close(store->lock);
    store->lock = -1;
    int lock = lock_file_take(store->lock_path, complaint);
    if (lock == -ENOTSUP) {
        complaint->text[0] = '\0';
        return 0;
    }
    if (lock == -EALREADY)
        complaint_set(complaint,
                      "%s: another fricidd that is running keeps its decays there: stop it, or name another "
                      "directory in `store`",
                      store->directory);
    if (lock >= 0)
        store->lock = lock;
    return lock < 0 ? lock : 0;
}

int store_claim_directory(struct store *store)
{
    int error = make_directory(store->directory, &store->problem);
    return error ? error : take_lock(store, &store->problem);
}

/* What may pass while the daemon runs; anything else is a mistake that only a person can mend. */
static bool may_pass(int error)
{
    return error == -ENOSPC || error == -EDQUOT || error == -EROFS || error == -EIO || error == -EBUSY ||
           error == -EUCLEAN;
}

static void count_what_is_there(struct store *store)
{
    struct database *database = &store->database;
    atomic_store(&store->decays, (uint64_t)database_integer(database, "SELECT count(*) FROM decay", 0));
    atomic_store(&store->results, (uint64_t)database_integer(database, "SELECT count(*) FROM result", 0));
    atomic_store(&store->waiting,
                 (uint64_t)database_integer(database, "SELECT count(*) FROM decay WHERE revision = 0", 0));
    atomic_store(&store->protected,
                 (uint64_t)database_integer(database, "SELECT count(*) FROM decay WHERE protected", 0));
}

static uint64_t size_of(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? (uint64_t)file.st_size : 0;
}

static void measure(struct store *store)
{
    struct statvfs disk;
    atomic_store(&store->bytes, size_of(store->path) + size_of(store->log_path));
    bool known = statvfs(store->directory, &disk) == 0;
    atomic_store(&store->free_bytes, known ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX);
}

/* Not more than once a second: it asks the file system. */
static void measure_now_and_then(struct store *store)
{
    const int64_t now_s = clock_monotonic_ns() / NS_PER_S;
    if (now_s != store->looked_at_disk)
        measure(store);
    store->looked_at_disk = now_s;
}

/* A file that would become larger than this process may make one: what fitted of the last page was written. */
static bool meets_size_limit(const struct store *store)
{
    struct rlimit most;
    const uint64_t page = 8192; /* and more */
    return getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
           (size_of(store->path) + page > most.rlim_cur || size_of(store->log_path) + page > most.rlim_cur);
}

/* What SQLite calls an I/O error may be a file system that became read-only, or a limit on the size of files, and a
 * file that it could not make it reports as not there. */
int store_reason(const struct store *store, int error)
{
    struct statvfs disk;
    if ((error != -ENOENT && error != -EIO) || store_is_memory(store) || statvfs(store->directory, &disk) != 0)
        return error;
    if (disk.f_flag & ST_RDONLY)
        return -EROFS;
    if (error == -EIO && meets_size_limit(store))
        return -EDQUOT;
    if (error == -ENOENT && (disk.f_bavail == 0 || (disk.f_files > 0 && disk.f_favail == 0)))
        return -ENOSPC;
    return -EIO;
}

/* What is no database, or another program's, as far as its first page says. That page may be damaged. */
static int look_closer(struct store *store)
{
    struct stored_pages pages;
    struct stored_numbers numbers = {0};
    struct complaint complaint;
    int error = stored_pages_open(store->path, &pages, &complaint);
    if (error)
        return -ENOMEDIUM;
    error = stored_rows_visit(&pages, stored_numbers_add, &numbers);
    stored_pages_close(&pages);
    if (error || !numbers.found)
        return -ENOMEDIUM;
    complaint_set(&store->problem, "its first page is damaged");
    return -EUCLEAN;
}

/* Once, before anybody has the file open: later, whoever opens it anew finds a log that this process wrote. */
static int look_at_log(struct store *store)
{
    if (store->knows_log)
        return 0;
    int error = database_files_check(store->path, &store->problem);
    if (!error)
        error = log_check(store->path, &store->problem);
    store->knows_log = !error;
    return error;
}

static bool take(struct complaint *kept, struct complaint *notice)
{
    *notice = *kept;
    kept->text[0] = '\0';
    return notice->text[0] != '\0';
}

bool store_take_notice(struct store *store, struct complaint *notice)
{
    return take(&store->notice, notice);
}

bool store_take_upgrade(struct store *store, struct complaint *notice)
{
    return take(&store->upgraded, notice);
}

bool store_take_set_aside(struct store *store, struct complaint *notice)
{
    return take(&store->set_aside, notice);
}

/* The file was just opened and read, so that its log is there. */
static void note_files(struct store *store)
{
    store->log = file_identity_of(store->log_path);
    store->index = file_identity_of(store->index_path);
}

int store_connect(struct store *store)
{
    if (store_is_memory(store) || store->database.handle)
        return 0;
    struct database *database = &store->database;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int error = store_claim_directory(store);
    if (!error)
        error = store_finish_set_aside(store);
    if (!error)
        error = check_writable(store, &store->problem);
    if (!error)
        error = look_at_log(store);
    if (!error)
        error = database_open(database, store->path, flags, &store->problem);
    if (!error)
        error = schema_prepare(database, store->path, &store->problem);
    if (error) {
        database_close(database);
        error = store_reason(store, error);
        return error == -ENOMEDIUM ? look_closer(store) : error;
    }
    database_files_sync_names(store->path);
    count_what_is_there(store);
    note_files(store);
    store_clock_open(store);
    measure(store);
    if (store->problem.text[0])
        store->upgraded = store->problem;
    store->problem.text[0] = '\0';
    return 0;
}

/* --- transactions --- */

int store_begin(struct store *store)
{
    store->new_decays = store->new_results = store->new_identified = store->gone_decays = store->gone_results = 0;
    store->newly_protected = 0;
    int error = store_connect(store);
    if (error || store_is_memory(store))
        return error;
    store->aging_before = store->aging;
    error = database_begin(&store->database);
    return error ? error : store_clock_look(store);
}

int store_commit(struct store *store)
{
    if (!store_is_memory(store)) {
        int error = database_commit(&store->database);
        if (error)
            return error;
        measure_now_and_then(store);
        /* A file that has become smaller in its log gets smaller on the disk when that is folded in. */
        if (store->gone_decays > 0)
            database_run(&store->database, "PRAGMA wal_checkpoint(PASSIVE)");
    }
    atomic_fetch_add(&store->decays, store->new_decays - store->gone_decays);
    atomic_fetch_add(&store->results, store->new_results - store->gone_results);
    atomic_fetch_add(&store->waiting, store->new_decays - store->new_identified);
    atomic_fetch_add(&store->protected, (uint64_t)store->newly_protected);
    return 0;
}

void store_rollback(struct store *store)
{
    if (store->database.in_transaction)
        store->aging = store->aging_before;
    database_rollback(&store->database);
    /* Whoever is told of a full disk wants to see how full. */
    if (!store_is_memory(store))
        measure(store);
}

const char *store_sentence(const struct store *store)
{
    if (store->problem.text[0])
        return store->problem.text;
    return database_sentence(&store->database);
}

/* What has lost its name cannot be opened again: only the open file holds it. */
void store_reopen(struct store *store)
{
    if (!store->adrift)
        database_close(&store->database);
}

void store_hurry(struct store *store)
{
    atomic_store(&store->hurry, true);
}

/* Of SQLite, now and then during a check: whether to break it off. */
static int is_in_a_hurry(void *context)
{
    struct store *store = context;
    return atomic_load(&store->hurry);
}

static int hurried_step(struct store *store, sqlite3_stmt *statement)
{
    enum { STEPS_BETWEEN_LOOKS = 1000 };
    sqlite3_progress_handler(store->database.handle, STEPS_BETWEEN_LOOKS, is_in_a_hurry, store);
    int row = database_step(&store->database, statement);
    sqlite3_progress_handler(store->database.handle, 0, NULL, NULL);
    return row;
}

static int check_place(struct store *store, const struct table *table, bool spare, bool *wrong)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "SELECT EXISTS (SELECT 1 FROM %s WHERE ", table_place(table, spare));
    if (!table_add_wrong(sql, table, "")) {
        sqlite3_free(sqlite3_str_finish(sql));
        return 0;
    }
    sqlite3_str_appendall(sql, ")");
    sqlite3_stmt *statement = database_built_statement(&store->database, sql);
    int row = hurried_step(store, statement);
    *wrong = row == 1 && sqlite3_column_int(statement, 0);
    sqlite3_reset(statement);
    return row < 0 ? row : 0;
}

/* What is no damage to a tree: a digit that is another than was written. */
static int check_rows(struct store *store)
{
    bool wrong = false;
    int error = 0;
    for (int id = 0; !error && !wrong && id < TABLES; id++) {
        const struct table *table = store_table((enum table_id)id);
        error = check_place(store, table, false, &wrong);
        if (!error && !wrong && table->spare)
            error = check_place(store, table, true, &wrong);
    }
    if (error == -EINTR)
        return 0;
    return error ? error : wrong ? -EUCLEAN : 0;
}

/* Indexes, too: by them results are found, and a wrong one hides some. 100,000 results take a second of work. */
static int check_pages(struct store *store)
{
    sqlite3_stmt *statement = database_statement(&store->database, "PRAGMA integrity_check(1)");
    int row = hurried_step(store, statement);
    const char *verdict = row == 1 ? (const char *)sqlite3_column_text(statement, 0) : "";
    bool sound = row == -EINTR || (verdict && strcmp(verdict, "ok") == 0);
    sqlite3_reset(statement);
    if (!verdict)
        return -ENOMEM;
    return sound ? 0 : row < 0 ? row : -EUCLEAN;
}

int store_check(struct store *store)
{
    int error = store_connect(store);
    if (error || store_is_memory(store))
        return error;
    error = check_pages(store);
    /* A page that memory was short for counts as a bad one there: what is damaged is so the next time. */
    if (error == -EUCLEAN)
        error = check_pages(store);
    return error ? error : check_rows(store);
}

/* --- construction --- */

struct store *store_open_memory(void)
{
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    atomic_init(&store->free_bytes, UINT64_MAX);
    store->lock = -1;
    return store;
}

static char *path_of(const char *directory, const char *ending)
{
    char *path;
    return asprintf(&path, "%s/fricid.db%s", directory, ending) < 0 ? NULL : path;
}

/* An empty one that knows where its files are. */
static struct store *make_store(const char *directory)
{
    struct store *store = store_open_memory();
    if (!store)
        return NULL;
    store->directory = strdup(directory);
    store->path = path_of(directory, "");
    store->log_path = path_of(directory, "-wal");
    store->index_path = path_of(directory, "-shm");
    store->lock_path = path_of(directory, ".lock");
    if (store->directory && store->path && store->log_path && store->index_path && store->lock_path)
        return store;
    store_close(store);
    return NULL;
}

int store_open(const char *directory, const char *version, struct store **store, struct complaint *complaint)
{
    struct store *made = make_store(directory);
    complaint_set(complaint, "memory is short");
    *store = NULL;
    if (!made)
        return -ENOMEM;
    made->version = version;
    int error = store_connect(made);
    if (error == -EUCLEAN && store_set_aside(made) == 0)
        error = store_connect(made);
    if (!error || made->problem.text[0])
        *complaint = made->problem;
    if (error && !may_pass(error)) {
        store_close(made);
        return error;
    }
    *store = made;
    return 0;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    database_close(&store->database);
    if (store->lock >= 0)
        lock_file_remove(store->lock_path, store->lock);
    free(store->path);
    free(store->log_path);
    free(store->index_path);
    free(store->lock_path);
    free(store->directory);
    free(store);
}

void store_statistics(const struct store *store, struct store_statistics *statistics)
{
    *statistics = (struct store_statistics){
        .kind = store_is_memory(store) ? "memory" : "sqlite",
        .path = store->path,
        .decays = atomic_load(&store->decays),
        .results = atomic_load(&store->results),
        .waiting = atomic_load(&store->waiting),
        .protected = atomic_load(&store->protected),
        .bytes = atomic_load(&store->bytes),
        .free_bytes = atomic_load(&store->free_bytes),
    };
}
