/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file that is open goes on taking what is written when its name is gone, or is another file's, and nobody ever finds
 * it again. As long as it is open it holds all that was stored: that is put under the name once more. */

#include "store/database_files.h"
#include "store/file_identity.h"
#include "store/set_aside.h"
#include "store/store_state.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* SQLite compares what it has open with what stands under the name. */
static bool has_lost_its_name(const struct store *store)
{
    int moved = 0;
    int answer = sqlite3_file_control(store->database.handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return answer == SQLITE_OK && moved;
}

static bool is_in_place(const struct store *store)
{
    return !has_lost_its_name(store) && file_is_still(&store->log, store->log_path) &&
           file_is_still(&store->index, store->index_path) && !store_log_is_cut(store);
}

/* --- what becomes of it --- */

/* The open file, with what is in its log, as one file. */
static int copy_open_file(struct database *open_one, const char *path, struct complaint *complaint)
{
    struct database copy;
    database_files_remove(path);
    int error = database_open(&copy, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, complaint);
    sqlite3_backup *backup = error ? NULL : sqlite3_backup_init(copy.handle, "main", open_one->handle, "main");
    if (!error && !backup)
        error = database_code(&copy, sqlite3_errcode(copy.handle));
    if (backup) {
        int answer = sqlite3_backup_step(backup, -1);
        int finished = sqlite3_backup_finish(backup);
        error = database_code(&copy, answer == SQLITE_DONE ? finished : answer);
    }
    if (!error)
        error = database_leave_no_log(&copy);
    database_close(&copy);
    return error;
}

static int remove_left(const char *path)
{
    return unlink(path) == 0 || errno == ENOENT ? 0 : -errno;
}

/* Where nothing stands, or what is left of this very file, the copy gets the name; what somebody has put there keeps
 * it. A log that is left would be taken for one of the file that it stands beside. */
static int give_name(const struct store *store, const char *copy, const char *set_aside, bool *in_place,
                     struct complaint *complaint)
{
    int error = database_files_check(store->path, complaint);
    if (error)
        return error;
    *in_place = access(store->path, F_OK) != 0 || !has_lost_its_name(store);
    error = *in_place || file_is_still(&store->log, store->log_path) ? remove_left(store->log_path) : 0;
    if (!error && (*in_place || file_is_still(&store->index, store->index_path)))
        error = remove_left(store->index_path);
    if (!error && rename(copy, *in_place ? store->path : set_aside) != 0)
        error = -errno;
    return error;
}

static bool is_readable(struct store *store)
{
    return database_integer(&store->database, "SELECT count(*) FROM decay", -1) >= 0;
}

/* What keeps the copy from being written, not the open file from being read. */
static bool is_of_the_copy(int error)
{
    return error == -ENOSPC || error == -EDQUOT || error == -EROFS || error == -EACCES || error == -EPERM ||
           error == -EINVAL || error == -ENOMEM || error == -EBUSY;
}

/* What a log that was cut held stood in memory, too, unless there was too much of it. The rest is looked at like any
 * damaged log when the file is opened anew. */
static int give_up_cut_log(struct store *store, const char *copy, struct complaint *report)
{
    database_files_remove(copy);
    complaint_set(report, "%s was cut while it was in use, and not all of it is in memory", store->log_path);
    store->knows_log = false;
    return 0;
}

static int copy_and_name(struct store *store, const char *copy, const char *set_aside, bool *in_place,
                         struct complaint *report)
{
    const bool cut = store_log_is_cut(store);
    int error = copy_open_file(&store->database, copy, report);
    if (error && cut && !is_of_the_copy(error))
        return give_up_cut_log(store, copy, report);
    /* The disk itself is gone: what comes in now must have a place all the same. */
    if (error && !is_readable(store)) {
        database_files_remove(copy);
        complaint_set(report,
                      "%s is not there any more, and what was stored in it cannot be read: what waits is stored in a "
                      "new file",
                      store->path);
        return 0;
    }
    if (!error)
        error = give_name(store, copy, set_aside, in_place, report);
    if (error)
        database_files_remove(copy);
    else if (*in_place)
        complaint_set(report,
                      "%s, or a file beside it, was %s while it was in use: all that was stored in it was put into a "
                      "new one there",
                      store->path, cut ? "cut" : "removed or moved away");
    else
        complaint_set(report,
                      "%s was replaced by another file while it was in use: the daemon goes on with that. All that was "
                      "stored before is kept as %s",
                      store->path, set_aside);
    return error;
}

static int put_back(struct store *store, bool *in_place, struct complaint *report)
{
    char *copy = sqlite3_mprintf("%s.rescue", store->path), *set_aside = set_aside_name(store->path, "replaced");
    int error = copy && set_aside ? store_claim_directory(store) : -ENOMEM;
    if (!error)
        error = copy_and_name(store, copy, set_aside, in_place, report);
    if (!error)
        database_files_sync_names(store->path);
    sqlite3_free(copy);
    sqlite3_free(set_aside);
    return error;
}

/* Numbers go on where they were, whatever file it is now: none is given out twice. What this file does not have of the
 * notifications counts as missing. */
static int take_numbering_along(struct store *store, struct store_numbering *numbering)
{
    int error = store_get_numbering(store, numbering);
    int64_t latest = database_integer(&store->database,
                                      "SELECT max(ifnull((SELECT max(seq) FROM result), 0),"
                                      " ifnull((SELECT max(seq) FROM event), 0))",
                                      0);
    if ((uint64_t)latest > numbering->gone_seq)
        numbering->gone_seq = (uint64_t)latest;
    return error;
}

static int open_what_is_there(struct store *store, const struct store_numbering *numbering)
{
    store->knows_log = false;
    store->aging.moved = true;
    int error = store_begin(store);
    if (!error)
        error = store_put_numbering(store, numbering);
    error = error ? error : store_commit(store);
    if (error)
        store_rollback(store);
    return error;
}

int store_settle(struct store *store, bool *moved)
{
    struct complaint report = {.text = ""};
    struct store_numbering numbering;
    bool in_place = true;
    *moved = false;
    if (store_is_memory(store) || !store->database.handle)
        return 0;
    store->adrift = store->adrift || !is_in_place(store);
    if (!store->adrift)
        return store->lock < 0 ? 0 : store_claim_directory(store);
    int error = take_numbering_along(store, &numbering);
    if (!error || !is_readable(store) || store_log_is_cut(store))
        error = put_back(store, &in_place, &report);
    if (error) {
        if (report.text[0])
            store->problem = report;
        return error;
    }
    store->problem.text[0] = '\0';
    store->adrift = false;
    database_close(&store->database);
    *moved = true;
    store->notice = report;
    return in_place ? store_connect(store) : open_what_is_there(store, &numbering);
}
