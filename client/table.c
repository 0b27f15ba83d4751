/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Aligned columns of text whose width on a terminal is not its number of bytes. */

#include <config.h>

#include "client/table.h"

#include "client/screen.h"
#include "client/text_width.h"
#include "client/wrapped.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct row {
    char *cells[TABLE_MAX_COLUMNS];       /* owned */
    const char *paint[TABLE_MAX_COLUMNS]; /* NULL: none */
    size_t count;
    bool spans; /* the last cell does not count for its column */
};

struct table {
    struct row *rows; /* the last one is being filled */
    size_t count;
    bool open;   /* a row is being filled */
    bool named;  /* by the first row */
    bool failed; /* memory was short */
};

struct table *table_create(void)
{
    return calloc(1, sizeof(struct table));
}

/* The row that is being filled, or a new one; NULL when memory is short. One row at a time: tables here have tens of
 * rows. */
static struct row *open_row(struct table *table)
{
    if (table->open)
        return &table->rows[table->count - 1];
    struct row *rows = reallocarray(table->rows, table->count + 1, sizeof *rows);
    if (!rows)
        return NULL;
    table->rows = rows;
    rows[table->count] = (struct row){0};
    table->open = true;
    return &rows[table->count++];
}

__attribute__((format(printf, 2, 0))) static struct row *add_cell(struct table *table, const char *format,
                                                                  va_list arguments)
{
    struct row *row = open_row(table);
    if (!row || row->count == TABLE_MAX_COLUMNS || vasprintf(&row->cells[row->count], format, arguments) < 0) {
        table->failed = table->failed || !row || row->count < TABLE_MAX_COLUMNS;
        return NULL;
    }
    row->count++;
    return row;
}

void table_cell(struct table *table, const char *format, ...)
{
    if (!table)
        return;
    va_list arguments;
    va_start(arguments, format);
    add_cell(table, format, arguments);
    va_end(arguments);
}

void table_painted_cell(struct table *table, const char *paint, const char *format, ...)
{
    if (!table)
        return;
    va_list arguments;
    va_start(arguments, format);
    struct row *row = add_cell(table, format, arguments);
    va_end(arguments);
    if (row && *paint)
        row->paint[row->count - 1] = paint;
}

/* Ends the row: nothing could be aligned behind a cell of any length. */
void table_span(struct table *table, const char *format, ...)
{
    if (!table)
        return;
    va_list arguments;
    va_start(arguments, format);
    struct row *row = add_cell(table, format, arguments);
    va_end(arguments);
    if (row)
        row->spans = true;
    table_end_row(table);
}

void table_end_row(struct table *table)
{
    if (table)
        table->open = false;
}

/* The widest cell of each column; a remark that ends its row has no say. */
void table_widths(const struct table *table, size_t widths[TABLE_MAX_COLUMNS])
{
    memset(widths, 0, TABLE_MAX_COLUMNS * sizeof widths[0]);
    for (size_t r = 0; table && r < table->count; r++) {
        const struct row *row = &table->rows[r];
        for (size_t c = 0; c < row->count; c++) {
            size_t width = row->spans && c == row->count - 1 ? 0 : text_width(row->cells[c]);
            widths[c] = width > widths[c] ? width : widths[c];
        }
    }
}

size_t table_width(const struct table *table)
{
    size_t widths[TABLE_MAX_COLUMNS], width = 0;
    table_widths(table, widths);
    for (size_t c = 0; c < TABLE_MAX_COLUMNS; c++)
        width += widths[c] > 0 ? widths[c] + (width > 0 ? TABLE_GAP : 0) : 0;
    return width;
}

size_t table_rows(const struct table *table)
{
    return table ? table->count : 0;
}

const char *table_text(const struct table *table, size_t row, size_t column)
{
    return row < table_rows(table) && column < table->rows[row].count ? table->rows[row].cells[column] : "";
}

void table_drop_column(struct table *table, size_t column)
{
    for (size_t r = 0; table && r < table->count; r++) {
        struct row *row = &table->rows[r];
        if (column >= row->count)
            continue;
        free(row->cells[column]);
        row->count--;
        memmove(&row->cells[column], &row->cells[column + 1], (row->count - column) * sizeof row->cells[0]);
        memmove(&row->paint[column], &row->paint[column + 1], (row->count - column) * sizeof row->paint[0]);
    }
}

static void print_cell(const struct row *row, size_t c, FILE *out)
{
    const char *paint = row->paint[c];
    fprintf(out, "%s%s%s", paint ? paint : "", row->cells[c], paint ? GLYPHS_PLAIN : "");
}

/* Spaces are owed until text follows them, so that no line ends in spaces. */
static void print_row(const struct row *row, const size_t *widths, const char *indent, size_t width, FILE *out)
{
    size_t owed = 0, column = strlen(indent);
    fputs(indent, out);
    for (size_t c = 0; c < row->count; c++) {
        const size_t cell = text_width(row->cells[c]);
        if (cell > 0) {
            fprintf(out, "%*s", (int)owed, "");
            column += owed;
            owed = 0;
        }
        if (row->spans && c == row->count - 1) {
            wrapped_behind(row->cells[c], column, width, out);
            return;
        }
        print_cell(row, c, out);
        column += cell;
        owed += widths[c] > cell ? widths[c] - cell + TABLE_GAP : TABLE_GAP;
    }
    fputc('\n', out);
}

/* A row of a table that is too wide: cell by cell, in as many lines as it takes. One without a first cell goes on with
 * the row above, and stands further to the right. */
static void print_cells(const struct row *row, const struct row *names, const char *indent, size_t width, FILE *out)
{
    const bool goes_on = row->count > 0 && !*row->cells[0];
    const size_t further = strlen(indent) + 2 * TABLE_GAP, begin = goes_on ? further : strlen(indent);
    size_t column = begin;
    bool ended = false; /* the line, by a cell that took more than one */
    fprintf(out, "%s%*s", indent, (int)(begin - strlen(indent)), "");
    for (size_t c = 0; c < row->count; c++) {
        const char *name = names && c < names->count ? names->cells[c] : "";
        const size_t named = *name ? text_width(name) + 1 : 0, cell = named + text_width(row->cells[c]);
        if (!*row->cells[c])
            continue;
        const bool first = column == begin, fits = !ended && column + TABLE_GAP + cell <= width;
        if (!first)
            fprintf(out, "%s%*s", fits || ended ? "" : "\n", fits ? TABLE_GAP : (int)further, "");
        column = first ? begin + cell : (fits ? column + TABLE_GAP : further) + cell;
        fprintf(out, "%s%s", name, *name ? " " : "");
        ended = column > width || (row->spans && c == row->count - 1);
        if (ended)
            wrapped_behind(row->cells[c], column - cell + named, width, out);
        else
            print_cell(row, c, out);
    }
    if (!ended)
        fputc('\n', out);
}

void table_name_columns(struct table *table)
{
    if (table)
        table->named = true;
}

/* Nothing is printed when a cell got lost: half a table would mislead. */
int table_print(const struct table *table, const char *indent, size_t width, FILE *out)
{
    if (!table || table->failed)
        return -ENOMEM;
    size_t widths[TABLE_MAX_COLUMNS];
    table_widths(table, widths);
    const bool fits = table_width(table) + strlen(indent) <= width, named = table->named && !fits;
    for (size_t r = named ? 1 : 0; r < table->count; r++) {
        if (fits)
            print_row(&table->rows[r], widths, indent, width, out);
        else
            print_cells(&table->rows[r], named ? &table->rows[0] : NULL, indent, width, out);
    }
    return 0;
}

void table_destroy(struct table *table)
{
    if (!table)
        return;
    for (size_t r = 0; r < table->count; r++)
        for (size_t c = 0; c < table->rows[r].count; c++)
            free(table->rows[r].cells[c]);
    free(table->rows);
    free(table);
}
