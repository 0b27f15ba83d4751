/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a damaged log, or one without its file, still holds is put into the file. */

#include "store/log_salvage.h"

#include "proto/cause.h"
#include "proto/regular_file.h"
#include "store/database_files.h"
#include "store/log_file.h"
#include "store/log_leftovers.h"
#include "store/schema.h"
#include "store/set_aside.h"
#include "store/write_at.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file, its log and the log's index; and the file's name as long as it is being made. */
struct names {
    char *file, *log, *index, *made;
};

static bool names_make(struct names *names, const char *path)
{
    *names = (struct names){.file = sqlite3_mprintf("%s", path),
                            .log = sqlite3_mprintf("%s-wal", path),
                            .index = sqlite3_mprintf("%s-shm", path),
                            .made = sqlite3_mprintf("%s.rescue", path)};
    return names->file && names->log && names->index && names->made;
}

static void names_clear(struct names *names)
{
    sqlite3_free(names->file);
    sqlite3_free(names->log);
    sqlite3_free(names->index);
    sqlite3_free(names->made);
}

static int name_copies(const char *path, struct names *names)
{
    char *name = set_aside_name(path, "damaged-log");
    bool made = name && names_make(names, name);
    sqlite3_free(name);
    return made ? 0 : -ENOMEM;
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
        int error = got > 0 ? write_at(out, bytes, (size_t)got, offset) : 0;
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

/* The latest first page in the log, from that frame on backwards to the other. */
static bool find_first_page(const struct log_file *log, size_t from, size_t to, unsigned char page[DATABASE_PAGE])
{
    for (size_t i = from; i > to; i--)
        if (log->frames[i - 1].page == 1 && (log->frames[i - 1].sound || log_file_is_left_over(log, i - 1)))
            return log_file_read_page(log, i - 1, page) == 0;
    return false;
}

static bool read_first_page(const char *path, unsigned char page[DATABASE_PAGE])
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = descriptor < 0 ? 0 : pread(descriptor, page, DATABASE_PAGE, 0);
    if (descriptor >= 0)
        close(descriptor);
    return got > 0;
}

/* The latest first page names the program. Where there is none, neither in the log nor in the file, the name of the
 * file alone tells whose log it is. A file that nothing was put into, with a log that says nothing of the program, is a
 * new store's when nothing else of the log can be told, or when its index tells of more: the name comes with the
 * tables.
 */
static bool is_ours(const char *path, const struct log_file *log)
{
    unsigned char page[DATABASE_PAGE] = {0};
    const bool known = find_first_page(log, log->committed, 0, page) || read_first_page(path, page) ||
                       find_first_page(log, log->count, log->committed, page);
    const uint32_t id = big_endian_get(page + HEADER_APPLICATION);
    return (!known && size_of(path) == 0) || id == SCHEMA_APPLICATION_ID ||
           (id == 0 && (log->committed == 0 || log->lost > 0) && size_of(path) <= DATABASE_PAGE);
}

/* Whether pages of the file are neither in the log nor where they were. */
static bool lacks_pages(const struct log_file *log, off_t file_size)
{
    const uint32_t size = log->pages;
    uint32_t there = 0;
    unsigned char *known = calloc((size_t)size + 1, 1);
    if (!known)
        return true;
    for (size_t i = 0; i < log->committed; i++)
        if (log->frames[i].sound && log->frames[i].page <= size)
            known[log->frames[i].page] = 1;
    for (uint32_t page = 1; page <= size; page++)
        there += known[page] || (off_t)page * DATABASE_PAGE <= file_size;
    free(known);
    return there < size;
}

/* Where the file is missing, nothing but the log tells what was stored: that it ends with half a transaction may be all
 * that is left of many. */
static bool lacks_end(const struct log_file *log, off_t file_size)
{
    return file_size == 0 &&
           (log->committed == 0 || (log->committed < log->count && log->frames[log->committed].sound));
}

/* --- what becomes of it --- */

/* One that describes no tables. */
static void make_first_page(unsigned char page[DATABASE_PAGE])
{
    static const unsigned char header[] = {DATABASE_PAGE >> 8, 0, 1, 1, 0, 64, 32, 32};
    memset(page, 0, DATABASE_PAGE);
    memcpy(page, HEADER_NAME, sizeof HEADER_NAME);
    memcpy(page + HEADER_SIZES, header, sizeof header);
    big_endian_put(page + HEADER_FORMAT, 4);
    big_endian_put(page + HEADER_ENCODING, SQLITE_UTF8);
    big_endian_put(page + HEADER_APPLICATION, SCHEMA_APPLICATION_ID);
    page[HEADER_BYTES] = LEAF_OF_TABLE;
    page[HEADER_BYTES + TREE_CONTENT] = DATABASE_PAGE >> 8;
}

/* What the first page says of the size need not be the latest. One that knows no version is damaged: so nobody takes
 * the file for sound before it is repaired, whatever happens until then. */
static int settle_first_page(int descriptor, const struct log_file *log, off_t there, bool incomplete)
{
    unsigned char page[DATABASE_PAGE] = {0};
    if (pread(descriptor, page, sizeof page, 0) < 0)
        return -errno;
    if (memcmp(page, HEADER_NAME, sizeof HEADER_NAME) != 0) {
        if (there > 0)
            return 0;
        make_first_page(page);
    }
    if (log->committed > 0) {
        big_endian_put(page + HEADER_PAGES, log->pages);
        memcpy(page + HEADER_COUNTED, page + HEADER_CHANGES, 4);
    }
    if (incomplete)
        big_endian_put(page + HEADER_VERSION, 0);
    return write_at(descriptor, page, sizeof page, 0);
}

/* In the order of the log, as SQLite would; then it may be done again, when it was broken off. Of a page that could not
 * be read the file keeps what it had. */
static int apply_committed(int descriptor, const struct log_file *log, off_t there)
{
    unsigned char page[DATABASE_PAGE];
    int error = 0;
    for (size_t i = 0; !error && i < log->committed; i++) {
        const struct log_frame *frame = &log->frames[i];
        const off_t at = ((off_t)frame->page - 1) * DATABASE_PAGE;
        /* What is in the file already may be followed there by what is damaged here. */
        if (!frame->sound || frame->page > log->pages || (i < log->folded && at < there))
            continue;
        error = log_file_read_page(log, i, page);
        if (!error)
            error = write_at(descriptor, page, sizeof page, at);
    }
    if (!error && log->committed > 0 && ftruncate(descriptor, (off_t)log->pages * DATABASE_PAGE) != 0)
        error = -errno;
    return error;
}

static int apply(const struct log_file *log, const char *path, off_t there, bool incomplete)
{
    int descriptor = open(path, O_RDWR | O_CREAT | (there > 0 ? 0 : O_TRUNC) | O_CLOEXEC, 0640);
    int error = descriptor < 0 ? -errno : apply_committed(descriptor, log, there);
    if (!error && incomplete)
        error = log_leftovers_apply(log, descriptor, there);
    if (!error)
        error = settle_first_page(descriptor, log, there, incomplete);
    return descriptor < 0 ? error : sync_and_close(descriptor, error);
}

/* A file that was not there takes its name when all of it is on the disk: half of it, with the log beside it, would
 * count as whole after a power cut. */
static int put_in_place(const struct log_file *log, const struct names *names, bool incomplete)
{
    const off_t there = size_of(names->file);
    if (there > 0)
        return apply(log, names->file, there, incomplete);
    int error = apply(log, names->made, 0, incomplete);
    if (!error && rename(names->made, names->file) != 0)
        error = -errno;
    if (error)
        unlink(names->made);
    else
        database_files_sync_names(names->file);
    return error;
}

/* All that is in the log is in the file, which is on the disk. */
static int remove_log(const struct names *names)
{
    if (unlink(names->index) != 0 && errno != ENOENT)
        return -errno;
    return unlink(names->log) == 0 || errno == ENOENT ? 0 : -errno;
}

static int keep_and_apply(const struct names *names, const struct log_file *log, const struct names *copies,
                          bool incomplete)
{
    int error = keep_copy(names->log, copies->log);
    if (!error)
        error = keep_copy(names->file, copies->file);
    if (error)
        unlink(copies->log);
    if (!error)
        error = put_in_place(log, names, incomplete);
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
    if (log->descriptor < 0) {
        complaint_set(report,
                      "%s, where SQLite keeps what was stored last, is missing: its index tells of %zu pages. What was "
                      "stored last is lost, and the file is looked through; it is kept as it was as %s",
                      names->log, log->lost, copy);
        return;
    }
    const size_t unseen = log->lost > log->damaged ? log->lost - log->damaged : 0;
    complaint_set(report,
                  "%s, where SQLite keeps what was stored last, was damaged: of %zu pages %zu could not be read%s. The "
                  "others were put into the file%s. What there was is kept as %s-wal; look at the disk",
                  names->log, log->committed + unseen, log->damaged + unseen,
                  log->header_sound ? "" : ", nor its header",
                  incomplete ? "; what was stored last may be missing" : ": nothing is missing", copy);
}

static void report_missing(const struct names *names, const char *copy, bool incomplete, struct complaint *report)
{
    complaint_set(
        report, "%s was missing or empty. It was made anew from its log, in which %s. The log is kept as %s-wal",
        names->file,
        incomplete ? "only the latest pages were: what is older may be missing; look at the disk" : "all of it was",
        copy);
}

static int salvage(const struct names *names, const struct log_file *log, struct complaint *report)
{
    struct names copies = {0};
    const bool damaged = !log->header_sound || log->damaged + log->mended > 0 || log->lost > 0;
    const off_t there = size_of(names->file);
    const bool incomplete = log->lost > 0 || lacks_pages(log, there) || lacks_end(log, there);
    int error = regular_file_check(names->made, report);
    if (!error)
        error = name_copies(names->file, &copies);
    if (!error)
        error = keep_and_apply(names, log, &copies, incomplete);
    if (error && !report->text[0])
        complaint_set(report, "%s is damaged, or its file is; before anything is done a copy must be kept as %s: %s",
                      names->log, copies.log ? copies.log : "?", cause_of(error));
    else if (!error && damaged)
        report_damage(names, log, copies.file, incomplete, report);
    else if (!error)
        report_missing(names, copies.file, incomplete, report);
    names_clear(&copies);
    return error;
}

/* A log that ends with half a transaction, or with frames of an earlier one, is as it should be. */
static bool is_in_order(const struct names *names, const struct log_file *log)
{
    const bool is_new = size_of(names->file) == 0;
    if (log->lost > 0 && !(is_new && log->count == 0))
        return false;
    if (is_new)
        return log->committed + log->left_over == 0 && !log->garbled;
    if (log->committed == 0)
        return !log->garbled;
    return log->header_sound && log->damaged + log->mended == 0;
}

int log_salvage(const char *path, struct complaint *report)
{
    struct names names = {0};
    struct log_file log = {.descriptor = -1};
    int error = database_files_check(path, report);
    if (error)
        return error;
    report->text[0] = '\0';
    error = names_make(&names, path) ? log_file_open(names.log, names.index, &log) : -ENOMEM;
    if (error)
        complaint_set(report, "the log beside %s cannot be read: %s", path, cause_of(error));
    else if (!is_in_order(&names, &log) && is_ours(path, &log))
        error = salvage(&names, &log, report);
    log_file_close(&log);
    names_clear(&names);
    return error;
}
