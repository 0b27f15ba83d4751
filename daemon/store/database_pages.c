/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reading and writing pages without going through a tree. */

#include "store/database_pages.h"

sqlite3_file *database_file(struct database *database)
{
    sqlite3_file *file = NULL;
    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return file;
}

int database_file_error(int answer)
{
    const struct database none = {0};
    return database_code(&none, answer);
}

size_t database_pages(sqlite3_file *file)
{
    sqlite3_int64 bytes = 0;
    return file->pMethods->xFileSize(file, &bytes) == SQLITE_OK && bytes > 0 ? (size_t)bytes / DATABASE_PAGE : 0;
}

int database_read_page(sqlite3_file *file, size_t number, unsigned char page[DATABASE_PAGE])
{
    return database_file_error(
        file->pMethods->xRead(file, page, DATABASE_PAGE, (sqlite3_int64)(number - 1) * DATABASE_PAGE));
}

int database_write_page(sqlite3_file *file, size_t number, const unsigned char page[DATABASE_PAGE])
{
    return database_file_error(
        file->pMethods->xWrite(file, page, DATABASE_PAGE, (sqlite3_int64)(number - 1) * DATABASE_PAGE));
}
