/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_LOOSE_ROWS_H
#define FRICID_STORE_LOOSE_ROWS_H

#include "store/database_pages.h"

/* Puts the rows that stand on the leaves of a file's tables, whether a tree leads there or not, into the tables of a
 * new one that do not have them yet. A row is known by its columns, and counts when its checksum fits, where its table
 * has one. -ENOMEM, or an error of the new file; what cannot be read of the other is passed over. */
int loose_rows_save(sqlite3_file *file, struct database *fresh);

#endif
