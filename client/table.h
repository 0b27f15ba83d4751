/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_TABLE_H
#define FRICID_CLIENT_TABLE_H

#include <stddef.h>
#include <stdio.h>

/* Columns of UTF-8 text, aligned by what they take on a terminal. Fill it cell by cell, row by row. */

/* Between columns stand so many blanks. */
enum { TABLE_MAX_COLUMNS = 40, TABLE_GAP = 2 };

struct table;

/* An empty table; NULL when memory is short. The other functions take that NULL and do nothing. */
struct table *table_create(void);

/* The next cell of the row. Cells beyond TABLE_MAX_COLUMNS are left out. */
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same in a colour: the sequence that begins it, which takes no room; empty: none. */
void table_painted_cell(struct table *table, const char *paint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The last cell of the row, as long as it likes: it does not widen its column. */
void table_span(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

void table_end_row(struct table *table);

/* Columns of a terminal that the widest row takes; one that ends in a cell of any length has that left out. */
size_t table_width(const struct table *table);

/* Takes a column out of every row. */
void table_drop_column(struct table *table, size_t column);

/* What stands in a cell, and the widths of the columns, for whoever draws a table himself. A cell that is not there is
 * empty. */
size_t table_rows(const struct table *table);
const char *table_text(const struct table *table, size_t row, size_t column);
void table_widths(const struct table *table, size_t widths[TABLE_MAX_COLUMNS]);

/* The first row has the names of the columns. */
void table_name_columns(struct table *table);

/* Prints every row behind `indent`, without spaces at its end, in lines of at most `width` columns (SIZE_MAX: as long
 * as they are). Where the columns do not fit, a row goes on in further lines, and its cells have their columns' names
 * before them. 0, or -ENOMEM when a cell got lost on the way. */
int table_print(const struct table *table, const char *indent, size_t width, FILE *out);

void table_destroy(struct table *table);

#endif
