/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The end of a log that was cut, and what its earlier rounds left behind its end. */

#include "store/log_leftovers.h"

#include "store/leaf_page.h"
#include "store/write_at.h"

#include <errno.h>
#include <stdlib.h>

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

/* A file that was there is later than all earlier rounds. A page number that is not known to be right must be one that
 * there can have been. */
static size_t list_left_over(const struct log_file *log, off_t there, uint32_t behind, struct dated *list)
{
    size_t count = 0;
    for (size_t i = log->committed; i < log->count; i++)
        if (log_file_is_left_over(log, i) && (there == 0 || log->frames[i].rounds_ago == 0) &&
            log->frames[i].page > 0 && log->frames[i].page < behind)
            list[count++] = (struct dated){log->frames[i].rounds_ago, i};
    qsort(list, count, sizeof *list, latest_first);
    return count;
}

/* Behind every page that a tree, be it of an earlier round, can lead to. */
static uint32_t first_behind(const struct log_file *log, off_t there)
{
    uint32_t last = (uint32_t)(there / DATABASE_PAGE);
    for (size_t i = 0; i < log->count; i++) {
        const struct log_frame *frame = &log->frames[i];
        if (!frame->sound && (frame->rounds_ago == 0 || frame->promising))
            continue;
        last = frame->page > last ? frame->page : last;
        last = frame->size_after > last ? frame->size_after : last;
    }
    return last + 1;
}

static void note_known(const struct log_file *log, off_t there, unsigned char *known)
{
    for (off_t page = 1; page <= there / DATABASE_PAGE; page++)
        known[page] = 1;
    for (size_t i = 0; i < log->committed; i++)
        if (log->frames[i].sound)
            known[log->frames[i].page] = 1;
}

static int put_left_over(const struct log_file *log, size_t frame, int descriptor, unsigned char *known,
                         uint32_t *behind)
{
    unsigned char bytes[DATABASE_PAGE];
    uint32_t page = log->frames[frame].page;
    int error = log_file_read_page(log, frame, bytes);
    if (error || (known[page] && leaf_page_rows(bytes) == 0))
        return error;
    if (known[page])
        page = (*behind)++;
    else
        known[page] = 1;
    return write_at(descriptor, bytes, sizeof bytes, ((off_t)page - 1) * DATABASE_PAGE);
}

int log_leftovers_apply(const struct log_file *log, int descriptor, off_t there)
{
    uint32_t behind = first_behind(log, there);
    struct dated *list = calloc(log->count + 1, sizeof *list);
    unsigned char *known = calloc(behind, 1);
    int error = list && known ? 0 : -ENOMEM;
    if (!error) {
        note_known(log, there, known);
        const size_t count = list_left_over(log, there, behind, list);
        for (size_t i = 0; !error && i < count; i++)
            error = put_left_over(log, list[i].frame, descriptor, known, &behind);
    }
    free(list);
    free(known);
    return error;
}
