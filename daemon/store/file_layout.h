/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_FILE_LAYOUT_H
#define FRICID_STORE_FILE_LAYOUT_H

#include <stdint.h>

/* Where what stands in SQLite's files, for what is read there without SQLite:
 * https://sqlite.org/fileformat2.html, whose section numbers stand below, and https://sqlite.org/walformat.html. */

/* Every file of a store, and its log, has pages of this size. */
#define DATABASE_PAGE 4096

/* Bytes of the first page: the header of the file (1.3). */
enum { HEADER_APPLICATION = 68 /* PRAGMA application_id */ };

/* Bytes of a page of a tree (1.6). */
enum {
    TREE_CELLS = 3,    /* how many */
    LEAF_POINTERS = 8, /* to the cells */
};
enum { LEAF_OF_INDEX = 10, LEAF_OF_TABLE = 13 };

/* Bytes of a log: its header, then frames of a header and a page (4.1). */
enum {
    LOG_VERSION = 4,
    LOG_PAGE_SIZE = 8,
    LOG_SALTS = 16, /* two words */
    LOG_SUM = 24,   /* likewise */
    LOG_HEADER = 32,
    FRAME_SIZE_AFTER = 4, /* behind the number of the page */
    FRAME_SALTS = 8,
    FRAME_SUM = 16,
    FRAME_PAGE = 24,
    LOG_FRAME = FRAME_PAGE + DATABASE_PAGE,
    SALTS = 8, /* so many bytes are both of them */
};

/* Bytes of the index of a log: two copies of what SQLite knows of it, then how much is in the file already. */
enum {
    INDEX_FRAMES = 16,
    INDEX_PAGES = 20,
    INDEX_FRAME_SUM = 24,
    INDEX_SALTS = 32,
    INDEX_SUM = 40,
    INDEX_COPY = 48,
    INDEX_FOLDED = 2 * INDEX_COPY,
    INDEX_PART = 32768, /* that SQLite maps at a time */
};

/* Numbers have four bytes, the highest first, but for those of the index. */
static inline uint32_t big_endian_get(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void big_endian_put(unsigned char *bytes, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* Of two bytes those of a page of a tree. */
static inline unsigned big_endian_get_two(const unsigned char *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

#endif
