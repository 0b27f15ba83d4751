/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether the log of the open file is as long as SQLite believes. Somebody may
 * have cut it in its place, and SQLite would write on behind the hole, and fold that into the file. */

#include "store/file_layout.h"
#include "store/store_state.h"

#include <string.h>

/* What the index, which all connections share, says of the log. */
struct index_view {
    uint32_t frames;
    unsigned char salts[SALTS];
};

/* Through SQLite's own descriptor: closing another would end its locks. */
static bool read_index(const struct store *store, struct index_view *view)
{
    sqlite3_file *file = NULL;
    void volatile *index = NULL;
    int answer = sqlite3_file_control(store->database.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (answer != SQLITE_OK || file->pMethods->iVersion < 2 ||
        file->pMethods->xShmMap(file, 0, INDEX_PART, 0, &index) != SQLITE_OK || !index)
        return false;
    const unsigned char volatile *bytes = index;
    view->frames = *(const uint32_t volatile *)(bytes + INDEX_FRAMES);
    for (int i = 0; i < SALTS; i++)
        view->salts[i] = bytes[INDEX_SALTS + i];
    return true;
}

static bool is_as_long(sqlite3_file *log, sqlite3_int64 size, const struct index_view *view)
{
    unsigned char salts[SALTS];
    if (size < LOG_HEADER + (sqlite3_int64)view->frames * LOG_FRAME)
        return false;
    int answer = log->pMethods->xRead(log, salts, SALTS, LOG_SALTS);
    return answer != SQLITE_OK || memcmp(salts, view->salts, SALTS) == 0;
}

/* The length is asked for first: whoever folds the log in and makes it shorter says so in the index before. */
bool store_log_is_cut(const struct store *store)
{
    struct index_view view;
    sqlite3_file *log = NULL;
    sqlite3_int64 size;
    int answer = sqlite3_file_control(store->database.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (answer != SQLITE_OK || !log || !log->pMethods || log->pMethods->xFileSize(log, &size) != SQLITE_OK)
        return false;
    return read_index(store, &view) && view.frames > 0 && !is_as_long(log, size, &view);
}
