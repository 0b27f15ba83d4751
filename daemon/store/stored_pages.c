/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which page of a store stands where: in its file, or in a frame of its log. */

#include "store/stored_pages.h"

#include "proto/cause.h"
#include "proto/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the list --- */

static void add(struct stored_pages *pages, uint32_t number, size_t frame)
{
    pages->list[pages->count++] = (struct stored_page){number, (uint32_t)frame};
}

/* By number, and of one number the frame that was written last behind the others. */
static int by_number(const void *one, const void *other)
{
    const struct stored_page *a = one, *b = other;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->frame > b->frame) - (a->frame < b->frame);
}

/* Of each number the last stays. */
static void settle(struct stored_pages *pages)
{
    size_t count = 0;
    qsort(pages->list, pages->count, sizeof *pages->list, by_number);
    for (size_t i = 0; i < pages->count; i++) {
        const struct stored_page page = pages->list[i];
        const bool again = count > 0 && pages->list[count - 1].number == page.number;
        count += !again || page.number == STORED_PAGE_STALE;
        pages->list[count - 1] = page;
    }
    pages->count = count;
}

static int compare_numbers(const void *wanted, const void *other)
{
    const uint32_t number = *(const uint32_t *)wanted, there = ((const struct stored_page *)other)->number;
    return (number > there) - (number < there);
}

static const struct stored_page *find(const struct stored_pages *pages, size_t count, uint32_t number)
{
    return bsearch(&number, pages->list, count, sizeof *pages->list, compare_numbers);
}

/* --- what is in the log --- */

/* As SQLite would, frame by frame up to the end of the last transaction. What is in the file already may be followed
 * there by what is damaged here. */
static void add_committed(struct stored_pages *pages, size_t in_file)
{
    const struct log_file *log = &pages->log;
    for (size_t i = 0; i < log->committed; i++) {
        const struct log_frame *frame = &log->frames[i];
        if (frame->sound && frame->page <= log->pages && (i >= log->folded || frame->page > in_file))
            add(pages, frame->page, i + 1);
    }
}

/* Whether something of the file is missing: what the log has lost, or, where the file is missing, what there was before
 * a transaction that may be all that is left of many. */
static bool lacks_something(const struct stored_pages *pages, size_t in_file)
{
    const struct log_file *log = &pages->log;
    const bool torn = log->committed < log->count && log->frames[log->committed].sound;
    return log->lost > 0 || pages->count < log->pages || (in_file == 0 && (log->committed == 0 || torn));
}

/* A frame, and what tells which of two was written later. */
struct dated {
    uint32_t rounds_ago;
    size_t frame;
};

static int latest_first(const void *one, const void *other)
{
    const struct dated *a = one, *b = other;
    if (a->rounds_ago != b->rounds_ago)
        return a->rounds_ago < b->rounds_ago ? -1 : 1;
    return (a->frame < b->frame) - (a->frame > b->frame);
}

/* A file that is there is later than all earlier rounds. */
static size_t list_left_over(const struct log_file *log, size_t in_file, struct dated *list)
{
    size_t count = 0;
    for (size_t i = log->committed; i < log->count; i++)
        if (log_file_is_left_over(log, i) && log->frames[i].page > 0 &&
            (in_file == 0 || log->frames[i].rounds_ago == 0))
            list[count++] = (struct dated){log->frames[i].rounds_ago, i};
    qsort(list, count, sizeof *list, latest_first);
    return count;
}

/* Each page that is not known yet takes its place, the latest first; the others may have rows that those have not. */
static int add_left_over(struct stored_pages *pages, size_t in_file)
{
    const struct log_file *log = &pages->log;
    struct dated *list = calloc(log->count + 1, sizeof *list);
    if (!list)
        return -ENOMEM;
    const size_t count = list_left_over(log, in_file, list), known = pages->count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t number = log->frames[list[i].frame].page;
        bool there = find(pages, known, number) != NULL;
        for (size_t k = known; k < pages->count && !there; k++)
            there = pages->list[k].number == number;
        add(pages, there ? STORED_PAGE_STALE : number, list[i].frame + 1);
    }
    free(list);
    return 0;
}

/* --- all of it --- */

static int list_pages(struct stored_pages *pages)
{
    struct stat file;
    const struct log_file *log = &pages->log;
    if (pages->file >= 0 && fstat(pages->file, &file) != 0)
        return -errno;
    const size_t in_file = pages->file < 0 ? 0 : (size_t)file.st_size / DATABASE_PAGE;
    pages->list = calloc(in_file + log->count + 1, sizeof *pages->list);
    if (!pages->list)
        return -ENOMEM;
    for (size_t number = 1; number <= in_file && (log->committed == 0 || number <= log->pages); number++)
        add(pages, (uint32_t)number, 0);
    add_committed(pages, in_file);
    settle(pages);
    int error = lacks_something(pages, in_file) ? add_left_over(pages, in_file) : 0;
    settle(pages);
    return error;
}

static int open_log(const char *path, struct log_file *log)
{
    char *name = sqlite3_mprintf("%s-wal", path), *index = sqlite3_mprintf("%s-shm", path);
    int error = name && index ? log_file_open(name, index, log) : -ENOMEM;
    sqlite3_free(name);
    sqlite3_free(index);
    return error;
}

int stored_pages_open(const char *path, struct stored_pages *pages, struct complaint *complaint)
{
    *pages = (struct stored_pages){.file = -1, .log = {.descriptor = -1}};
    int error = open_log(path, &pages->log);
    if (error)
        complaint_set(complaint, "the log beside %s cannot be read: %s", path, cause_of(error));
    if (!error)
        pages->file = regular_file_open(path, O_RDONLY, 0, complaint);
    if (!error && pages->file < 0 && (pages->file != -ENOENT || pages->log.descriptor < 0))
        error = pages->file;
    if (!error && (error = list_pages(pages)) != 0)
        complaint_set(complaint, "%s cannot be read: %s", path, cause_of(error));
    if (error)
        stored_pages_close(pages);
    return error;
}

void stored_pages_close(struct stored_pages *pages)
{
    log_file_close(&pages->log);
    if (pages->file >= 0)
        close(pages->file);
    free(pages->list);
    *pages = (struct stored_pages){.file = -1, .log = {.descriptor = -1}};
}

int stored_pages_read(const struct stored_pages *pages, size_t place, unsigned char page[DATABASE_PAGE])
{
    const struct stored_page *from = &pages->list[place];
    if (from->frame > 0)
        return log_file_read_page(&pages->log, from->frame - 1, page);
    ssize_t got;
    do
        got = pread(pages->file, page, DATABASE_PAGE, ((off_t)from->number - 1) * DATABASE_PAGE);
    while (got < 0 && errno == EINTR);
    return got == DATABASE_PAGE ? 0 : got < 0 ? -errno : -EIO;
}

int stored_pages_find(const struct stored_pages *pages, uint32_t number, unsigned char page[DATABASE_PAGE])
{
    const struct stored_page *found = number == STORED_PAGE_STALE ? NULL : find(pages, pages->count, number);
    return found ? stored_pages_read(pages, (size_t)(found - pages->list), page) : -ENOENT;
}
