/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_LOG_FILE_H
#define FRICID_STORE_LOG_FILE_H

#include "store/file_layout.h"

#include <stdbool.h>
#include <stddef.h>

/* SQLite's write-ahead log and the index beside it, read without SQLite. SQLite takes the first frame that is not what
 * was written for the end of the log, and a header that is not for an empty one; here it is seen what comes behind. */

struct log_frame {
    uint32_t page;       /* from 1 on */
    uint32_t size_after; /* of the file, in pages, after the transaction that ends here; 0: none does */
    bool sound;          /* it is what was written; else the other members say nothing */
    bool promising;      /* it can be, though the frame before is destroyed or written over */
    bool plain;          /* SQLite sees that it is */
    uint32_t rounds_ago; /* of a whole frame that was written before the log was begun anew: how often that was since */
};

struct log_file {
    int descriptor;
    bool header_sound;
    bool garbled; /* there is something that no frame can be told in */
    size_t count; /* frames */
    struct log_frame *frames;
    size_t committed; /* frames up to the end of the last transaction that can be told; 0: none */
    uint32_t pages;   /* of the file, after that */
    size_t folded;    /* of the committed, in the file already, as SQLite's index says */
    size_t damaged;   /* of the committed, not what was written */
    size_t mended;    /* of the committed, sound, and SQLite would not see it */
    size_t lost;      /* frames that SQLite had committed and that are neither sound here nor in the file already */
    size_t left_over; /* whole frames behind the committed: of a transaction without its end, and of earlier rounds */
};

/* Reads a log and its index. What is no log, or one of other pages than ours, has no frames. -ENOMEM, or an error of
 * the disk. A frame is sound when its checksum goes on from that of the frame before, as that one has it written, or
 * leads on to that of the next: what stands behind a damaged page can be told from what does not belong there. */
int log_file_open(const char *path, const char *index_path, struct log_file *log);
void log_file_close(struct log_file *log); /* closed already is fine */

/* Whether a frame is one of those left over. A log begins anew when all of it is in the file: what it held before
 * stays behind its end until it is written over. */
bool log_file_is_left_over(const struct log_file *log, size_t frame);

/* The page of a frame. */
int log_file_read_page(const struct log_file *log, size_t frame, unsigned char page[DATABASE_PAGE]);

#endif
