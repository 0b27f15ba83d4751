/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_STORED_ROWS_H
#define FRICID_STORE_STORED_ROWS_H

#include "store/leaf_page.h"
#include "store/tables.h"

/* The rows of a store as they stand on the leaves of its tables, whether a tree leads there or not: what describes the
 * tables, and the inner pages of trees, may be gone. A row is known by how many columns it has, and of what type. What
 * stands twice comes twice. */

/* 0, or an error that ends the visit. */
typedef int stored_row_visit(void *context, const struct table *table, const struct leaf_row *row);

/* Goes through all rows, in the order in which rows of one table refer to those of another, and leaf by leaf. -ENOMEM,
 * or what `visit` returned; pages that cannot be read are passed over. */
int stored_rows_visit(const struct stored_pages *pages, stored_row_visit *visit, void *context);

/* How far the numbers go that a store has given away. */
struct stored_numbers {
    int64_t decay, run, seq; /* the highest; 0: none is known */
    bool found;              /* something that only a store of fricid's has */
};

/* Adds what a row tells; a stored_row_visit of such a struct. */
int stored_numbers_add(void *numbers, const struct table *table, const struct leaf_row *row);

/* Ids that a store gives go on behind these, within a transaction. */
int stored_numbers_keep(const struct stored_numbers *numbers, struct database *database);

#endif
