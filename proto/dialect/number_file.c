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

/* What is no UTF-8 is taken for Latin-1, as in files of text. */
static void take_text(char *to, size_t size, const char *from)
{
    if (is_utf8(from, strlen(from)))
        utf8_copy(to, size, from);
    else
        utf8_from_latin1(to, size, from);
    make_plain(to);
}

struct number_column *number_file_add(struct number_file *file, const char *path, size_t rows)
{
    if (file->count == NUMBER_COLUMNS_MOST)
        return NULL;
    struct number_column *column = &file->columns[file->count++];
    const char *slash = strrchr(path, '/');
    *column = (struct number_column){.rows = rows};
    take_text(column->path, sizeof column->path, path);
    take_text(column->label, sizeof column->label, slash ? slash + 1 : path);
    return column;
}

void number_column_name_unit(struct number_column *column, const char *unit)
{
    char name[sizeof column->label - NUMBER_LONGEST_UNIT - (sizeof " ()" - 1)], plain[NUMBER_LONGEST_UNIT + 1];
    if (!*unit)
        return;
    utf8_copy(name, sizeof name, column->label);
    take_text(plain, sizeof plain, unit);
    snprintf(column->label, sizeof column->label, "%s (%s)", name, plain);
}
