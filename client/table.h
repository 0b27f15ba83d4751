/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_TABLE_H
#define FRICID_CLIENT_TABLE_H

#include <stdio.h>

/* Columns of UTF-8 text, aligned by what they take on a terminal. Fill it cell by cell, row by row. */

enum { TABLE_MAX_COLUMNS = 16 };

struct table;

/* An empty table; NULL when memory is short. The other functions take that NULL and do nothing. */
struct table *table_create(void);

/* The next cell of the row. Cells beyond TABLE_MAX_COLUMNS are left out. */
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last cell of the row, as long as it likes: it does not widen its column. */
void table_span(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

void table_end_row(struct table *table);

/* Prints every row behind `indent`, without spaces at its end. 0, or -ENOMEM when a cell got lost on the way. */
int table_print(const struct table *table, const char *indent, FILE *out);

void table_destroy(struct table *table);

#endif
