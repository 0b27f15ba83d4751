/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SQLite gives its files names that begin with that of the database. */

#include "store/database_files.h"

#include "proto/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
enum { FILES = sizeof endings / sizeof endings[0] };

int database_files_check(const char *path, struct complaint *complaint)
{
    int error = 0;
    for (size_t i = 0; !error && i < FILES; i++) {
        char *name = sqlite3_mprintf("%s%s", path, endings[i]);
        error = name ? regular_file_check(name, complaint) : -ENOMEM;
        if (!name)
            complaint_set(complaint, "memory is short");
        sqlite3_free(name);
    }
    return error;
}

bool database_files_exist(const char *path)
{
    bool exist = false;
    for (size_t i = 0; !exist && i < FILES; i++) {
        struct stat file;
        char *name = sqlite3_mprintf("%s%s", path, endings[i]);
        exist = !name || lstat(name, &file) == 0;
        sqlite3_free(name);
    }
    return exist;
}

bool database_files_kept_elsewhere(const char *path)
{
    static const char *const hold_data[] = {"", "-wal", "-journal"};
    bool kept = true;
    for (size_t i = 0; kept && i < sizeof hold_data / sizeof hold_data[0]; i++) {
        struct stat file;
        char *name = sqlite3_mprintf("%s%s", path, hold_data[i]);
        if (!name)
            kept = false;
        else if (lstat(name, &file) == 0)
            kept = file.st_nlink > 1 || file.st_size == 0;
        else
            kept = errno == ENOENT;
        sqlite3_free(name);
    }
    return kept;
}

int database_files_remove(const char *path)
{
    int error = 0;
    for (size_t i = 0; !error && i < FILES; i++) {
        char *name = sqlite3_mprintf("%s%s", path, endings[i]);
        error = !name ? -ENOMEM : unlink(name) == 0 || errno == ENOENT ? 0 : -errno;
        sqlite3_free(name);
    }
    return error;
}

int database_files_link(const char *path, const char *other)
{
    int error = 0;
    for (size_t i = 0; !error && i < FILES; i++) {
        char *name = sqlite3_mprintf("%s%s", path, endings[i]), *to = sqlite3_mprintf("%s%s", other, endings[i]);
        error = !name || !to ? -ENOMEM : link(name, to) == 0 || errno == ENOENT ? 0 : -errno;
        sqlite3_free(name);
        sqlite3_free(to);
    }
    database_files_sync_names(other);
    return error;
}

void database_files_sync_names(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash ? sqlite3_mprintf("%.*s", (int)(slash - path) + 1, path) : sqlite3_mprintf(".");
    int descriptor = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    sqlite3_free(directory);
    if (descriptor < 0)
        return;
    /* Some file systems cannot; those write names at once. */
    int ignored = fsync(descriptor);
    (void)ignored;
    close(descriptor);
}
