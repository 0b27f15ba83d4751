/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pages of a store under the description of another one. */

#include "store/new_description.h"

#include "store/database_pages.h"
#include "store/schema.h"

#include <errno.h>
#include <string.h>

enum { MOST_ROOTS = 64, WITH_LOG = 2 };

/* The pages of a new store, and where its tables and indexes begin. */
struct description {
    unsigned char *bytes; /* owned, of SQLite's memory */
    size_t pages;
    size_t roots;
    size_t root[MOST_ROOTS]; /* page numbers, from 1 */
};

/* --- a new store --- */

static unsigned char *page_of(const struct description *description, size_t number)
{
    return description->bytes + (number - 1) * DATABASE_PAGE;
}

static int find_roots(struct database *database, struct description *description)
{
    sqlite3_stmt *roots = database_statement(database, "SELECT rootpage FROM sqlite_master WHERE rootpage > 1");
    int row;
    while ((row = database_step(database, roots)) == 1 && description->roots < MOST_ROOTS)
        description->root[description->roots++] = (size_t)sqlite3_column_int64(roots, 0);
    sqlite3_reset(roots);
    return row < 0 ? row : 0;
}

static void description_clear(struct description *description)
{
    sqlite3_free(description->bytes);
    *description = (struct description){0};
}

/* VACUUM, which a user may have run, puts tables before indexes. */
static int description_make(bool vacuumed, struct description *description)
{
    struct database database;
    struct complaint complaint;
    sqlite3_int64 bytes = 0;
    *description = (struct description){0};
    int error = database_open(&database, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &complaint);
    if (!error)
        error = schema_create(&database);
    if (!error && vacuumed)
        error = database_run(&database, "VACUUM");
    if (!error)
        error = find_roots(&database, description);
    if (!error)
        description->bytes = sqlite3_serialize(database.handle, "main", &bytes, 0);
    if (!error && !description->bytes)
        error = -ENOMEM;
    description->pages = (size_t)bytes / DATABASE_PAGE;
    database_close(&database);
    return error;
}

/* --- the damaged file --- */

/* On how many of the pages where something begins in a new store a tree of that kind begins in the file. */
static size_t count_fitting(const struct description *description, sqlite3_file *file)
{
    unsigned char page[DATABASE_PAGE];
    size_t fitting = 0, pages = database_pages(file);
    for (size_t i = 0; i < description->roots; i++) {
        size_t root = description->root[i];
        if (root <= pages && database_read_page(file, root, page) == 0)
            fitting += (page[0] | LEAF) == page_of(description, root)[0];
    }
    return fitting;
}

/* The description that fits; -ENOMEDIUM: none does. A damaged page more, or tables that an earlier version did not have
 * yet, are no reason against it. */
static int find_description(sqlite3_file *file, struct description *description)
{
    for (int vacuumed = 0; vacuumed < 2; vacuumed++) {
        int error = description_make(vacuumed, description);
        if (!error && count_fitting(description, file) * 5 >= description->roots * 4)
            return 0;
        description_clear(description);
        if (error)
            return error;
    }
    return -ENOMEDIUM;
}

bool looks_like_store(const char *path)
{
    struct database database;
    struct complaint complaint;
    struct description description;
    if (database_open(&database, path, SQLITE_OPEN_READONLY, &complaint) != 0)
        return false;
    int error = find_description(database_file(&database), &description);
    if (!error)
        description_clear(&description);
    database_close(&database);
    return error == 0;
}

/* --- the copy --- */

/* A first page that describes nothing: enough for SQLite to fold a log into the file. */
static void make_blank(const struct description *description, unsigned char page[DATABASE_PAGE])
{
    memset(page, 0, DATABASE_PAGE);
    memcpy(page, description->bytes, HEADER_BYTES);
    page[HEADER_MODES] = page[HEADER_MODES + 1] = WITH_LOG;
    memset(page + HEADER_PAGES, 0, HEADER_FREE_LIST + 8 - HEADER_PAGES);
    page[HEADER_BYTES] = LEAF_OF_TABLE;
    page[HEADER_BYTES + TREE_CONTENT] = DATABASE_PAGE >> 8;
}

static int copy_pages(sqlite3_file *from, sqlite3_file *to, const struct description *description)
{
    unsigned char page[DATABASE_PAGE];
    make_blank(description, page);
    int error = database_write_page(to, 1, page);
    for (size_t number = 2, pages = database_pages(from); !error && number <= pages; number++) {
        error = database_read_page(from, number, page);
        /* What the disk does not give back is damaged, no more. */
        if (error == -EIO)
            memset(page, 0, DATABASE_PAGE);
        if (!error || error == -EIO)
            error = database_write_page(to, number, page);
    }
    return error;
}

static int copy_bytes(sqlite3_file *from, sqlite3_file *to)
{
    unsigned char bytes[DATABASE_PAGE];
    sqlite3_int64 at = 0, size = 0;
    int answer = from->pMethods->xFileSize(from, &size);
    while (answer == SQLITE_OK && at < size) {
        int count = size - at < DATABASE_PAGE ? (int)(size - at) : DATABASE_PAGE;
        answer = from->pMethods->xRead(from, bytes, count, at);
        if (answer == SQLITE_OK)
            answer = to->pMethods->xWrite(to, bytes, count, at);
        at += count;
    }
    return database_file_error(answer);
}

static int open_log(struct database *database, int flags, sqlite3_file **log)
{
    sqlite3_vfs *files = sqlite3_vfs_find(NULL);
    const char *path = sqlite3_filename_wal(sqlite3_db_filename(database->handle, "main"));
    *log = sqlite3_malloc(files->szOsFile);
    if (!*log)
        return -ENOMEM;
    memset(*log, 0, (size_t)files->szOsFile);
    return database_file_error(files->xOpen(files, path, *log, flags | SQLITE_OPEN_WAL, NULL));
}

static void close_log(sqlite3_file *log)
{
    if (log && log->pMethods)
        log->pMethods->xClose(log);
    sqlite3_free(log);
}

/* No log is no error. */
static int copy_log(struct database *from, struct database *to)
{
    sqlite3_file *source, *target = NULL;
    int error = open_log(from, SQLITE_OPEN_READONLY, &source);
    if (!error && (error = open_log(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &target)) == 0)
        error = copy_bytes(source, target);
    else if (!target)
        error = error == -ENOMEM ? error : 0;
    close_log(target);
    close_log(source);
    return error;
}

/* What stands in the log gets its place in the file. That the tables are not described yet, or not any more, keeps
 * SQLite from reading, not from this; but a first attempt to read opens the log. */
static int fold_log(struct database *database)
{
    database_integer(database, "SELECT count(*) FROM sqlite_master", 0);
    return database_code(database,
                         sqlite3_wal_checkpoint_v2(database->handle, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL));
}

/* Writes a page of the description behind the last one, for its own place is taken, and notes where it is. */
static int append_child(sqlite3_file *file, const struct description *description, unsigned char *pointer,
                        size_t *pages)
{
    size_t child = big_endian_get(pointer);
    if (child < 2 || child > description->pages)
        return -EPROTO;
    *pages += 1;
    big_endian_put(pointer, (uint32_t)*pages);
    return database_write_page(file, *pages, page_of(description, child));
}

/* The first page with what hangs on it, behind the `before` pages that there once were. A description that took more
 * than two levels would not come back here: it would have thousands of tables. */
static int write_description(sqlite3_file *file, const struct description *description, size_t before)
{
    unsigned char page[DATABASE_PAGE], *tree = page + HEADER_BYTES;
    size_t pages = database_pages(file) > before ? database_pages(file) : before;
    int error = 0;
    memcpy(page, description->bytes, DATABASE_PAGE);
    if (tree[0] == INNER_PAGE_OF_TABLE) {
        size_t cells = big_endian_get_two(tree + TREE_CELLS);
        for (size_t i = 0; i < cells && !error; i++) {
            size_t cell = big_endian_get_two(tree + INNER_POINTERS + 2 * i);
            error = append_child(file, description, page + cell, &pages);
        }
        if (!error)
            error = append_child(file, description, tree + INNER_LAST_CHILD, &pages);
    }
    memset(page + HEADER_PAGES, 0, HEADER_FREE_LIST + 8 - HEADER_PAGES);
    big_endian_put(page + HEADER_PAGES, (uint32_t)pages);
    return error ? error : database_write_page(file, 1, page);
}

/* How many pages the file had before its end was cut off, as far as its header tells: the trees lead to pages that are
 * not there any more, and what takes such a number would be taken for one of them. */
static size_t pages_before(sqlite3_file *file)
{
    unsigned char page[DATABASE_PAGE];
    if (database_read_page(file, 1, page) != 0 || memcmp(page, HEADER_NAME, sizeof HEADER_NAME) != 0 ||
        memcmp(page + HEADER_CHANGES, page + HEADER_COUNTED, 4) != 0)
        return 0;
    return big_endian_get(page + HEADER_PAGES);
}

static int copy_described(struct database *damaged, const struct description *description, const char *copy)
{
    struct database target;
    struct complaint complaint;
    int error = database_open(&target, copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &complaint);
    if (!error)
        error = copy_pages(database_file(damaged), database_file(&target), description);
    if (!error)
        error = copy_log(damaged, &target);
    if (!error)
        error = fold_log(&target);
    if (!error)
        error = write_description(database_file(&target), description, pages_before(database_file(damaged)));
    database_close(&target);
    return error;
}

int describe_anew(const char *path, const char *copy)
{
    struct database damaged;
    struct complaint complaint;
    struct description description;
    int error = database_open(&damaged, path, SQLITE_OPEN_READONLY, &complaint);
    if (error)
        return error;
    error = find_description(database_file(&damaged), &description);
    if (!error) {
        error = copy_described(&damaged, &description, copy);
        description_clear(&description);
    }
    database_close(&damaged);
    return error;
}
