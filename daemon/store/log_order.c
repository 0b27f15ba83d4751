/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What SQLite would not say of a log. */

#include "store/log_order.h"

#include "proto/cause.h"
#include "store/log_file.h"
#include "store/schema.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

static off_t size_of(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? file.st_size : 0;
}

/* --- whose it is --- */

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

/* --- what is wrong with it --- */

/* A log that ends with half a transaction, or with frames of an earlier one, is as it should be. */
static bool is_in_order(bool is_new, const struct log_file *log)
{
    if (log->lost > 0 && !(is_new && log->count == 0))
        return false;
    if (is_new)
        return log->committed + log->left_over == 0 && !log->garbled;
    if (log->committed == 0)
        return !log->garbled;
    return log->header_sound && log->damaged + log->mended == 0;
}

static void describe(const struct log_file *log, struct complaint *complaint)
{
    const size_t unseen = log->lost > log->damaged ? log->lost - log->damaged : 0;
    if (log->descriptor < 0)
        complaint_set(complaint, "its log is missing, and the index of that tells of %zu pages", log->lost);
    else if (log->garbled)
        complaint_set(complaint, "nothing of its log can be read");
    else if (!log->header_sound || log->damaged + log->mended + log->lost > 0)
        complaint_set(complaint, "its log is: of %zu pages %zu cannot be read%s", log->committed + unseen,
                      log->damaged + unseen, log->header_sound ? "" : ", nor its header");
    else
        complaint_set(complaint, "it is missing or empty, and its log is there");
}

int log_check(const char *path, struct complaint *complaint)
{
    struct log_file log = {.descriptor = -1};
    char *name = sqlite3_mprintf("%s-wal", path), *index = sqlite3_mprintf("%s-shm", path);
    int error = name && index ? log_file_open(name, index, &log) : -ENOMEM;
    sqlite3_free(name);
    sqlite3_free(index);
    if (error) {
        complaint_set(complaint, "the log beside %s cannot be read: %s", path, cause_of(error));
    } else if (!is_in_order(size_of(path) == 0, &log) && is_ours(path, &log)) {
        describe(&log, complaint);
        error = -EUCLEAN;
    }
    log_file_close(&log);
    return error;
}
