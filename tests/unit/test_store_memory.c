/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every allocation of SQLite made to fail in turn: nothing crashes, nothing that was stored is lost or taken for
 * damaged, what is read is what was stored or an error, and afterwards the same works. */
#include "run_suite.h"
#include "store/query.h"
#include "store/read_decay.h"
#include "store/repair.h"
#include "store/store_state.h"
#include "stored_decays.h"
#include "thinning.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLES = 600, FILLED = 4, MOST_ALLOCATIONS = 200000 };

static char filled[STORE_PATH], directory[STORE_PATH];

/* --- memory that fails --- */

/* left: how many allocations still succeed; negative: all. */
static struct {
    sqlite3_mem_methods methods;
    long left;
    bool stays, failed;
} memory = {.left = -1};

static bool fails(void)
{
    if (memory.left < 0)
        return false;
    if (memory.left-- > 0)
        return false;
    memory.failed = true;
    memory.left = memory.stays ? 0 : -1;
    return true;
}

static void *failing_malloc(int bytes)
{
    return fails() ? NULL : memory.methods.xMalloc(bytes);
}

static void *failing_realloc(void *block, int bytes)
{
    return fails() ? NULL : memory.methods.xRealloc(block, bytes);
}

static void failing_memory_set_up(void)
{
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory.methods) != SQLITE_OK)
        abort();
    sqlite3_mem_methods failing = memory.methods;
    failing.xMalloc = failing_malloc;
    failing.xRealloc = failing_realloc;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) != SQLITE_OK)
        abort();
}

/* Stand in for the C library's, also for SQLite: nothing is really synced, for tests end no machines. */
int fdatasync(int descriptor)
{
    (void)descriptor;
    return 0;
}

int fsync(int descriptor)
{
    (void)descriptor;
    return 0;
}

/* --- what is done --- */

static int store_one(struct store *store)
{
    return store_try_decay(store, FILLED, SAMPLES);
}

static int remove_oldest(struct store *store)
{
    return store_try_removal(store, 2);
}

static int check(struct store *store)
{
    return store_check(store);
}

/* A store of all rows of this one, in its place. */
static int repair(struct store *store)
{
    struct complaint report;
    char path[STORE_PATH + 32], made[STORE_PATH + 32];
    const char *const files[] = {path};
    snprintf(path, sizeof path, "%s/fricid.db", directory);
    snprintf(made, sizeof made, "%s/made.db", directory);
    store_reopen(store);
    int error = repair_stores(files, 1, made, NULL, NULL, &report);
    return error ? error : rename(made, path) == 0 ? 0 : -errno;
}

/* As the reader's thread, on the connection of the store. */
static int read_all(struct store *store)
{
    struct found_result result = {0};
    struct found_results list = {0};
    struct kept_decay *decay = NULL;
    unsigned revision;
    const struct results_query query = results_query_all();
    int error = store_connect(store);
    if (!error)
        error = find_results(&store->database, &query, &list);
    if (!error)
        ck_assert_uint_eq(list.count, FILLED);
    if (!error)
        error = find_result(&store->database, 2, 0, &result);
    if (!error)
        ck_assert_str_eq(result.text, "{\"id\":2,\"revision\":1}");
    if (!error)
        error = read_decay(&store->database, 3, &decay, &revision);
    if (!error) {
        ck_assert_str_eq(decay->origin.rig, "bearing");
        ck_assert_str_eq(decay->origin.serial, "0185A1");
        ck_assert_uint_eq(decay->origin.codes.terms, 2);
    }
    found_results_clear(&list);
    free(result.text);
    kept_decay_release(decay);
    return error;
}

static const struct operation {
    const char *name;
    int (*run)(struct store *store);
    unsigned done; /* decays afterwards; those of the highest numbers, when they are fewer */
} operations[] = {{"storing", store_one, FILLED + 1},
                  {"making room", remove_oldest, FILLED - 2},
                  {"looking through", check, FILLED},
                  {"reading", read_all, FILLED},
                  {"repairing", repair, FILLED}};

/* --- how --- */

static void set_up(void)
{
    store_directory_make(filled);
    store_fill(filled, 0, FILLED, SAMPLES);
}

static void tear_down(void)
{
    store_directory_remove(filled);
}

static unsigned first_left(const struct operation *operation)
{
    return operation->run == remove_oldest ? FILLED - operation->done : 0;
}

/* An attempt with too little memory, from the opening on, and a second one with enough. Whether memory was short. */
static bool lack_memory(const struct operation *operation, long allocation, bool stays)
{
    struct complaint complaint;
    struct store *store = NULL;
    store_directory_make(directory);
    store_directory_copy(filled, directory);
    memory.stays = stays;
    memory.failed = false;
    memory.left = allocation;
    int error = store_open(directory, "test", &store, &complaint);
    if (!error)
        error = operation->run(store);
    if (error && store)
        store_rollback(store);
    memory.left = -1;
    /* What is short of memory is not damaged. */
    ck_assert_msg(error != -EUCLEAN && error != -ENOMEDIUM, "%s, allocation %ld: %d %s", operation->name, allocation,
                  error, store ? store_sentence(store) : complaint.text);
    /* What did not go through was told. */
    ck_assert(memory.failed || error == 0);
    if (!store)
        store = store_opened(directory);
    store_reopen(store);
    /* All of it or nothing. */
    ck_assert_uint_eq(store_verify(directory, error ? 0 : first_left(operation), FILLED),
                      error ? FILLED : operation->done);
    if (error)
        ck_assert_int_eq(operation->run(store), 0);
    store_close(store);
    unsigned decays = store_verify(directory, first_left(operation), FILLED);
    ck_assert_uint_eq(decays, operation->done);
    ck_assert_uint_eq((unsigned)store_number(directory, "SELECT count(*) FROM result WHERE latest"), decays);
    store_directory_remove(directory);
    return memory.failed;
}

/* Each takes a while: as a rule one in 32, of a repair one in 1024, or thinner still, from another one on in every run.
 * FRICID_ALL_CALLS=1: all. */
START_TEST(every_allocation_fails_in_turn)
{
    const struct operation *operation = &operations[_i / 2];
    const long step = getenv("FRICID_ALL_CALLS") ? 1 : thinning() * (operation->run == repair ? 1024 : 32);
    long allocation = first_of(step);
    while (lack_memory(operation, allocation, _i % 2 != 0))
        ck_assert_int_lt(allocation += step, MOST_ALLOCATIONS);
    printf("%s: %ld allocations\n", operation->name, allocation);
    ck_assert_int_gt(allocation, 100);
}
END_TEST

int main(void)
{
    seed_of_run();
    failing_memory_set_up();
    TCase *cases = tcase_create("memory");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_set_timeout(cases, 600);
    tcase_add_loop_test(cases, every_allocation_fails_in_turn, 0, 2 * (int)(sizeof operations / sizeof operations[0]));
    Suite *suite = suite_create("store memory");
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
