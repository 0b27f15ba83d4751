/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A backup through SQLite's own interface, while the daemon writes: the copy is what was committed when it began. */

#include "pipeline/backup_file.h"

#include "store/checksum.h"
#include "store/database.h"
#include "store/database_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void backup_file_init(struct backup_file *backup)
{
    *backup = (struct backup_file){.descriptor = -1};
}

int backup_file_close(struct backup_file *backup, unsigned number)
{
    if (backup->descriptor < 0 || backup->number != number)
        return -ENOENT;
    close(backup->descriptor);
    backup->descriptor = -1;
    return 0;
}

/* In steps, so that it can be broken off. A read transaction holds the moment: without it every commit of the writer
 * would begin the copy anew. */
static int copy_pages(struct database *source, struct database *target, const atomic_bool *cancel)
{
    enum { PAGES_A_STEP = 1024 };
    int error = database_run(source, "BEGIN; SELECT count(*) FROM meta;");
    sqlite3_backup *backup = error ? NULL : sqlite3_backup_init(target->handle, "main", source->handle, "main");
    if (!backup)
        return error ? error : database_code(target, sqlite3_errcode(target->handle));
    int answer;
    do
        answer = sqlite3_backup_step(backup, PAGES_A_STEP);
    while (answer == SQLITE_OK && !atomic_load(cancel));
    int finished = sqlite3_backup_finish(backup);
    if (answer == SQLITE_OK)
        return -ECANCELED;
    return database_code(target, answer == SQLITE_DONE ? finished : answer);
}

/* One file, without a log beside it, and sound: a backup that nobody can restore is none. */
static int settle(struct database *target)
{
    int error = database_leave_no_log(target);
    if (error)
        return error;
    sqlite3_stmt *check = database_statement(target, "PRAGMA quick_check(1)");
    bool sound = database_step(target, check) == 1 && strcmp(column_text(check, 0), "ok") == 0;
    sqlite3_reset(check);
    return sound ? 0 : -EUCLEAN;
}

static int copy_file(const char *from, const char *to, const atomic_bool *cancel)
{
    struct database source, target;
    struct complaint complaint;
    int error = database_open(&source, from, SQLITE_OPEN_READWRITE, &complaint);
    if (error)
        return error;
    error = database_open(&target, to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &complaint);
    if (!error)
        error = copy_pages(&source, &target, cancel);
    if (!error)
        error = settle(&target);
    database_close(&target);
    database_close(&source);
    return error;
}

static int measure(struct backup_file *backup)
{
    unsigned char buffer[1 << 16];
    uint64_t hash = CHECKSUM_EMPTY, bytes = 0;
    ssize_t got;
    while ((got = pread(backup->descriptor, buffer, sizeof buffer, (off_t)bytes)) > 0) {
        hash = checksum_add(hash, buffer, (size_t)got);
        bytes += (uint64_t)got;
    }
    backup->bytes = bytes;
    backup->checksum = hash;
    return got < 0 ? -errno : 0;
}

void backup_file_tidy(const char *directory)
{
    char *name = NULL;
    if (asprintf(&name, "%s/fricid.backup", directory) < 0)
        return;
    database_files_remove(name);
    free(name);
}

/* The name goes as soon as the file is open: whatever happens to the daemon, no copy is left behind. */
int backup_file_make(struct backup_file *backup, const char *directory, const atomic_bool *cancel)
{
    char *from = NULL, *to = NULL;
    backup_file_close(backup, backup->number);
    if (asprintf(&from, "%s/fricid.db", directory) < 0 || asprintf(&to, "%s/fricid.backup", directory) < 0) {
        free(from);
        return -ENOMEM;
    }
    backup_file_tidy(directory);
    /* SQLite says of a file that it could not make that it is not there. */
    int error = access(directory, W_OK) == 0 ? copy_file(from, to, cancel) : -errno;
    backup->descriptor = error ? -1 : open(to, O_RDONLY | O_CLOEXEC);
    if (!error && backup->descriptor < 0)
        error = -errno;
    unlink(to);
    free(from);
    free(to);
    backup->number++;
    return error ? error : measure(backup);
}

int backup_file_read(const struct backup_file *backup, unsigned number, uint64_t offset, unsigned char **piece,
                     uint64_t *bytes)
{
    if (backup->descriptor < 0 || backup->number != number)
        return -ENOENT;
    unsigned char *read = malloc(BACKUP_PIECE);
    if (!read)
        return -ENOMEM;
    ssize_t got = pread(backup->descriptor, read, BACKUP_PIECE, (off_t)offset);
    if (got < 0) {
        int error = -errno;
        free(read);
        return error;
    }
    *piece = read;
    *bytes = (uint64_t)got;
    return 0;
}
