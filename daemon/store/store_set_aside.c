/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A damaged file is kept as it is, under a name that says so, and a new one takes its place. Nothing is mended here:
 * that is for fricid-repair(8), and for whoever looks at the disk. */

#include "proto/cause.h"
#include "store/database_files.h"
#include "store/repair.h"
#include "store/set_aside.h"
#include "store/store_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* "PATH.new" is there, whole, as long as what stands at PATH is on its way out, and is kept elsewhere already. Somebody
 * else can have made a file of that name, too. */
static char *name_new(const struct store *store)
{
    return sqlite3_mprintf("%s.new", store->path);
}

/* A log that is left would be taken for one of the new file. */
static int take_place(const char *path, const char *fresh)
{
    int error = database_files_remove(path);
    if (!error && rename(fresh, path) != 0)
        error = -errno;
    database_files_sync_names(path);
    return error;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void tell(struct store *store, const struct stored_numbers *numbers, const char *aside)
{
    char latest[64] = "no id of a decay could be read there";
    const char *kept = last_part(aside);
    if (numbers->decay > 0)
        snprintf(latest, sizeof latest, "the latest decay there has the id %" PRId64, numbers->decay);
    complaint_set(&store->set_aside,
                  "%s was damaged: %s. It is kept beside it as %s: %s. New decays go into a new file. To have the "
                  "decays of both in one, stop fricidd and see fricid-repair(8): fricid-repair -o NEW %s %s",
                  store->path, store->problem.text[0] ? store->problem.text : "something in it is not what was stored",
                  kept, latest, kept, last_part(store->path));
    store->problem.text[0] = '\0';
}

/* As FAT and some network file systems say it. */
static bool has_no_links(int error)
{
    return error == -EPERM || error == -EOPNOTSUPP || error == -ENOSYS || error == -EMLINK;
}

static int set_aside(struct store *store, const char *aside, const char *fresh)
{
    struct stored_numbers numbers;
    struct complaint report = {.text = ""};
    int error = database_files_link(store->path, aside);
    /* Without a second name there would be a moment in which the file has none, or the new one its place too early. */
    if (has_no_links(error))
        complaint_set(
            &report,
            "%s is damaged and cannot be set aside: its file system has no hard links (%s). Stop fricidd, move "
            "the file and those whose names begin like it to another directory, and see fricid-repair(8): it "
            "makes a store of them that goes on where this one ended",
            store->path, cause_of(error));
    if (!error)
        error = repair_follow(aside, fresh, &numbers, &report);
    if (error)
        database_files_remove(aside);
    else
        error = take_place(store->path, fresh);
    if (!error)
        tell(store, &numbers, aside);
    else if (report.text[0])
        store->problem = report;
    else
        complaint_set(&store->problem, "%s is damaged and cannot be set aside as %s: %s", store->path, aside,
                      cause_of(error));
    return error;
}

int store_set_aside(struct store *store)
{
    if (store_is_memory(store))
        return 0;
    database_close(&store->database);
    char *fresh = name_new(store), *aside = set_aside_name(store->path, "damaged");
    int error = -ENOMEM;
    if (fresh && aside)
        error = access(fresh, F_OK) == 0 ? store_finish_set_aside(store) : set_aside(store, aside, fresh);
    sqlite3_free(aside);
    sqlite3_free(fresh);
    return error;
}

static int finish(struct store *store, const char *fresh)
{
    if (!database_files_kept_elsewhere(store->path)) {
        complaint_set(
            &store->problem,
            "%s is there, and would take the place of %s, which is kept nowhere else: fricidd did not make it. "
            "Move it to another directory, or give it another name. Nothing was changed",
            fresh, store->path);
        return -EINVAL;
    }
    const int error = take_place(store->path, fresh);
    if (error)
        complaint_set(&store->problem, "%s cannot take its place: %s", fresh, cause_of(error));
    else
        complaint_set(
            &store->set_aside,
            "%s was damaged and is kept as %s.damaged-DATE: a daemon was ended while it set it aside. New decays "
            "go into a new file. To have both in one, see fricid-repair(8)",
            store->path, store->path);
    return error;
}

int store_finish_set_aside(struct store *store)
{
    char *fresh = name_new(store);
    int error = 0;
    if (!fresh) {
        error = -ENOMEM;
        complaint_set(&store->problem, "memory is short");
    } else if (access(fresh, F_OK) == 0)
        error = finish(store, fresh);
    sqlite3_free(fresh);
    return error;
}
