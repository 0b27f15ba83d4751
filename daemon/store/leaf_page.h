/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_LEAF_PAGE_H
#define FRICID_STORE_LEAF_PAGE_H

#include "store/stored_pages.h"

#include <sqlite3.h>

/* The rows that stand on a leaf of a table's tree, or of an index's, read without the tree:
 * https://sqlite.org/fileformat2.html, 1.6 and 2. Whatever bytes a page has, nothing but those of the store is read. */

enum { LEAF_VALUES = 64 };

struct leaf_value {
    int type; /* SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_BLOB, SQLITE_NULL */
    int64_t integer;
    double real;
    const unsigned char *bytes; /* of a text or blob, without a NUL behind them */
    size_t length;
};

/* A row; {0} before the first. */
struct leaf_row {
    int64_t number; /* rowid; on the leaf of an index 0 */
    size_t count;   /* of values; an INTEGER PRIMARY KEY is NULL among them, and is the number of the row */
    struct leaf_value values[LEAF_VALUES];
    unsigned char *payload; /* owned: what the values point to */
    size_t capacity;
};

/* How many rows a page claims to have; 0: it is no leaf. */
size_t leaf_page_rows(const unsigned char page[DATABASE_PAGE]);

/* 1: a row, valid until the next call with it. 0: none can be told there. -ENOMEM. What does not fit on the page is
 * read from the others. */
int leaf_page_read(const struct stored_pages *pages, const unsigned char page[DATABASE_PAGE], size_t place,
                   struct leaf_row *row);

void leaf_row_clear(struct leaf_row *row);

#endif
