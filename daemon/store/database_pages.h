/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_DATABASE_PAGES_H
#define FRICID_STORE_DATABASE_PAGES_H

#include "store/database.h"
#include "store/file_layout.h"

/* The pages of a file as they lie on the disk, past its log, through SQLite, whose locks end when anybody else closes a
 * descriptor of the file. */

/* The file of a connection, as long as that is open. */
sqlite3_file *database_file(struct database *database);

size_t database_pages(sqlite3_file *file);

/* Numbers are from 1. Errors as of database.h. */
int database_read_page(sqlite3_file *file, size_t number, unsigned char page[DATABASE_PAGE]);
int database_write_page(sqlite3_file *file, size_t number, const unsigned char page[DATABASE_PAGE]);

/* The error code for what a method of a file answered. */
int database_file_error(int answer);

#endif
