/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What all files of numbers have in common. */

#include "proto/dialect/number_file.h"

#include "proto/plain_text.h"

#include <stdio.h>
#include <string.h>

void number_file_close(struct number_file *file)
{
    if (file)
        file->methods->close(file);
}

struct number_column *number_file_add(struct number_file *file, const char *path, size_t rows)
{
    if (file->count == NUMBER_COLUMNS_MOST)
        return NULL;
    struct number_column *column = &file->columns[file->count++];
    const char *slash = strrchr(path, '/');
    *column = (struct number_column){.rows = rows};
    snprintf(column->path, sizeof column->path, "%s", path);
    snprintf(column->label, sizeof column->label, "%s", slash ? slash + 1 : path);
    plain_line(column->path);
    plain_line(column->label);
    return column;
}
