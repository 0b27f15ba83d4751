/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_STORED_PAGES_H
#define FRICID_STORE_STORED_PAGES_H

#include "proto/complaint.h"
#include "store/log_file.h"

/* The pages of a store's file with those of the log beside it in their places, read without SQLite: whatever is
 * damaged, and nothing is changed. When the log does not have all that it held, what its earlier rounds left behind its
 * end counts, too. */

struct stored_page {
    uint32_t number; /* from 1 on; STORED_PAGE_STALE: a later one of its number is there, and nothing leads to this */
    uint32_t frame;  /* of the log, from 1 on; 0: the file has it */
};

#define STORED_PAGE_STALE UINT32_MAX

struct stored_pages {
    int file; /* -1: there is none */
    struct log_file log;
    struct stored_page *list; /* owned; by number, the stale ones last */
    size_t count;
};

/* Opens the file, its log and the log's index for reading; each may be missing. 0, -ENOENT when there is neither file
 * nor log, or an error; with a complaint. Nobody may write to them meanwhile. */
int stored_pages_open(const char *path, struct stored_pages *pages, struct complaint *complaint);
void stored_pages_close(struct stored_pages *pages); /* {0} is not open; one that failed to open is closed */

/* The page at a place of the list; -EIO and the like: it cannot be read. */
int stored_pages_read(const struct stored_pages *pages, size_t place, unsigned char page[DATABASE_PAGE]);

/* The page of a number; -ENOENT: there is none. */
int stored_pages_find(const struct stored_pages *pages, uint32_t number, unsigned char page[DATABASE_PAGE]);

#endif
