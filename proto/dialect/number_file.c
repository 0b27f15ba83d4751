/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What all files of numbers have in common. */

#include "proto/dialect/number_file.h"

#include "proto/plain_text.h"
#include "proto/utf8.h"

#include <stdio.h>
#include <string.h>

void number_file_close(struct number_file *file)
{
    if (file)
        file->methods->close(file);
}

/* A quote would end a cell of the header, which is read as that of a text is. */
static void make_plain(char *name)
{
    plain_line(name);
    for (char *quote = name; (quote = strchr(quote, '"')) != NULL;)
        *quote = '\'';
}

struct number_column *number_file_add(struct number_file *file, const char *path, size_t rows)
{
    if (file->count == NUMBER_COLUMNS_MOST)
        return NULL;
    struct number_column *column = &file->columns[file->count++];
    const char *slash = strrchr(path, '/');
    *column = (struct number_column){.rows = rows};
    utf8_copy(column->path, sizeof column->path, path);
    utf8_copy(column->label, sizeof column->label, slash ? slash + 1 : path);
    make_plain(column->path);
    make_plain(column->label);
    return column;
}

void number_column_name_unit(struct number_column *column, const char *unit)
{
    char name[sizeof column->label - NUMBER_LONGEST_UNIT - (sizeof " ()" - 1)];
    if (!*unit || !is_utf8(unit, strlen(unit)))
        return;
    utf8_copy(name, sizeof name, column->label);
    snprintf(column->label, sizeof column->label, "%s (%.*s)", name, NUMBER_LONGEST_UNIT, unit);
    make_plain(column->label);
}
