/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a damaged log, or one without its file, still holds is put into the file. */

#include "store/log_salvage.h"

#include "store/log_file.h"
#include "store/schema.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A file, its log and the log's index. */
struct names {
    char *file, *log, *index;
};

static bool names_make(struct names *names, const char *path)
{
    *names =
        (struct names){sqlite3_mprintf("%s", path), sqlite3_mprintf("%s-wal", path), sqlite3_mprintf("%s-shm", path)};
    return names->file && names->log && names->index;
}

static void names_clear(struct names *names)
{
    sqlite3_free(names->file);
    sqlite3_free(names->log);
    sqlite3_free(names->index);
}

/* Names that nothing has yet: an earlier copy is not for us to remove. */
static int name_copies(const char *path, struct names *names)
{
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y%m%dT%H%M%SZ", &utc);
    for (int i = 0; i < 100; i++) {
        char *name = sqlite3_mprintf("%s.damaged-log-%s-%02d", path, date, i);
        bool made = name && names_make(names, name);
        sqlite3_free(name);
        if (!made)
            return -ENOMEM;
        if (access(names->file, F_OK) != 0 && access(names->log, F_OK) != 0)
            return 0;
        names_clear(names);
        *names = (struct names){0};
    }
    return -EEXIST;
}

static int write_all(int descriptor, const unsigned char *bytes, size_t length, off_t offset)
{
    while (length > 0) {
        ssize_t put = pwrite(descriptor, bytes, length, offset);
        if (put < 0 && errno != EINTR)
            return -errno;
        bytes += put > 0 ? put : 0;
        offset += put > 0 ? put : 0;
        length -= put > 0 ? (size_t)put : 0;
    }
    return 0;
}

static int sync_and_close(int descriptor, int error)
{
    if (!error && fsync(descriptor) != 0)
        error = -errno;
    if (close(descriptor) != 0 && !error)
        error = -errno;
    return error;
}

static int copy_bytes(int in, int out)
{
    unsigned char bytes[1 << 14];
    off_t offset = 0;
    ssize_t got;
    while ((got = pread(in, bytes, sizeof bytes, offset)) != 0) {
        if (got < 0 && errno != EINTR)
            return -errno;
        int error = got > 0 ? write_all(out, bytes, (size_t)got, offset) : 0;
        if (error)
            return error;
        offset += got > 0 ? got : 0;
    }
    return 0;
}

/* What is not there needs no copy. */
static int keep_copy(const char *from, const char *to)
{
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return errno == ENOENT ? 0 : -errno;
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    int error = out < 0 ? -errno : sync_and_close(out, copy_bytes(in, out));
    close(in);
    if (error && out >= 0)
        unlink(to);
    return error;
}

/* --- what there is --- */

static off_t size_of(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? file.st_size : 0;
}

/* The latest first page that is sound in the log, or the one in the file, names the program. A file that nothing was
 * put into names none: it is a new store's when nothing of the log can be told either. */
static bool is_ours(const char *path, const struct log_file *log)
{
    enum { APPLICATION = 68 };
    unsigned char page[LOG_PAGE] = {0};
    size_t i = log->committed;
    while (i > 0 && !(log->frames[i - 1].sound && log->frames[i - 1].page == 1))
        i--;
    if (i > 0) {
        if (log_file_read_page(log, i - 1, page) != 0)
            return false;
    } else {
        int descriptor = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t got = descriptor < 0 ? 0 : pread(descriptor, page, sizeof page, 0);
        if (descriptor >= 0)
            close(descriptor);
        if (got < 0)
            return false;
    }
    const unsigned char *bytes = page + APPLICATION;
    uint32_t id = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    return id == SCHEMA_APPLICATION_ID || (id == 0 && log->committed == 0 && size_of(path) <= LOG_PAGE);
}

/* Whether pages of the file are neither in the log nor where they were. */
static bool lacks_pages(const struct log_file *log, uint32_t size, off_t file_size)
{
    uint32_t there = 0;
    unsigned char *known = calloc((size_t)size + 1, 1);
    if (!known)
        return true;
    for (size_t i = 0; i < log->committed; i++)
        if (log->frames[i].sound && log->frames[i].page <= size)
            known[log->frames[i].page] = 1;
    for (uint32_t page = 1; page <= size; page++)
        there += known[page] || (off_t)page * LOG_PAGE <= file_size;
    free(known);
    return there < size;
}

/* --- what becomes of it --- */

/* In the order of the log, as SQLite would; then it may be done again, when it was broken off. A page that could not be
 * read becomes blank: a repair knows that as damage, and would take what stood there before for the latest. */
static int apply(const struct log_file *log, const char *path)
{
    unsigned char page[LOG_PAGE];
    if (log->committed == 0)
        return 0;
    const uint32_t size = log->frames[log->committed - 1].size_after;
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0640);
    int error = descriptor < 0 ? -errno : 0;
    for (size_t i = 0; !error && i < log->committed; i++) {
        if (!log->frames[i].ours || log->frames[i].page > size)
            continue;
        error = log_file_read_page(log, i, page);
        if (!log->frames[i].sound)
            memset(page, 0, sizeof page);
        if (!error)
            error = write_all(descriptor, page, sizeof page, (off_t)(log->frames[i].page - 1) * LOG_PAGE);
    }
    if (!error && ftruncate(descriptor, (off_t)size * LOG_PAGE) != 0)
        error = -errno;
    return descriptor < 0 ? error : sync_and_close(descriptor, error);
}

/* All that is in the log is in the file, which is on the disk. */
static int remove_log(const struct names *names)
{
    if (unlink(names->index) != 0 && errno != ENOENT)
        return -errno;
    return unlink(names->log) == 0 || errno == ENOENT ? 0 : -errno;
}

static int keep_and_apply(const struct names *names, const struct log_file *log, const struct names *copies)
{
    int error = keep_copy(names->log, copies->log);
    if (!error)
        error = keep_copy(names->file, copies->file);
    if (error)
        unlink(copies->log);
    if (!error)
        error = apply(log, names->file);
    return error ? error : remove_log(names);
}

static void report_damage(const struct names *names, const struct log_file *log, const char *copy, bool incomplete,
                          struct complaint *report)
{
    if (log->garbled) {
        complaint_set(report,
                      "%s, where SQLite keeps what was stored last, was damaged: nothing of it could be read. What was "
                      "stored last may be missing. It is kept as %s-wal; look at the disk",
                      names->log, copy);
        return;
    }
    size_t lost = log->promised > log->committed ? log->promised - log->committed : 0;
    complaint_set(report,
                  "%s, where SQLite keeps what was stored last, was damaged: of %zu pages %zu could not be read%s. The "
                  "others were put into the file%s. What there was is kept as %s-wal; look at the disk",
                  names->log, log->committed + lost, log->damaged + lost, log->header_sound ? "" : ", nor its header",
                  incomplete || lost > 0 ? "; what was stored last may be missing" : ": nothing is missing", copy);
}

static void report_missing(const struct names *names, const char *copy, bool incomplete, struct complaint *report)
{
    complaint_set(
        report, "%s was missing or empty. It was made anew from its log, in which %s. The log is kept as %s-wal",
        names->file,
        incomplete ? "only the latest pages were: what is older may be missing; look at the disk" : "all of it was",
        copy);
}

static int salvage(const struct names *names, const struct log_file *log, bool *incomplete, struct complaint *report)
{
    struct names copies = {0};
    const off_t file_size = size_of(names->file);
    const bool damaged = !log->header_sound || log->damaged > 0 || log->promised > log->committed;
    const uint32_t size = log->committed > 0 ? log->frames[log->committed - 1].size_after : 0;
    const bool lacking = log->damaged > 0 || lacks_pages(log, size, file_size);
    int error = name_copies(names->file, &copies);
    if (!error)
        error = keep_and_apply(names, log, &copies);
    if (error) {
        complaint_set(report, "%s is damaged, or its file is; before anything is done a copy must be kept as %s: %s",
                      names->log, copies.log ? copies.log : "?", strerror(-error));
    } else {
        *incomplete = lacking;
        if (damaged)
            report_damage(names, log, copies.file, lacking, report);
        else
            report_missing(names, copies.file, lacking, report);
    }
    names_clear(&copies);
    return error;
}

/* A log that ends with half a transaction, or with frames of an earlier one, is as it should be. */
static bool is_in_order(const struct names *names, const struct log_file *log)
{
    if (log->promised > log->committed)
        return false;
    if (log->committed == 0)
        return !log->garbled;
    return log->header_sound && log->damaged == 0 && size_of(names->file) > 0;
}

int log_salvage(const char *path, struct complaint *report, bool *incomplete)
{
    struct names names = {0};
    struct log_file log = {.descriptor = -1};
    report->text[0] = '\0';
    *incomplete = false;
    int error = names_make(&names, path) ? log_file_open(names.log, names.index, &log) : -ENOMEM;
    if (error)
        complaint_set(report, "the log beside %s cannot be read: %s", path, strerror(-error));
    else if (!is_in_order(&names, &log) && is_ours(path, &log))
        error = salvage(&names, &log, incomplete, report);
    log_file_close(&log);
    names_clear(&names);
    return error;
}
