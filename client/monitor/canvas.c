/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cells of a screen, written with UTF-8 text. */

#include "client/monitor/canvas.h"

#include "client/text_width.h"
#include "proto/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int canvas_resize(struct canvas *canvas, int rows, int columns)
{
    if (canvas->rows != rows || canvas->columns != columns || !canvas->cells) {
        struct cell *cells = reallocarray(canvas->cells, (size_t)rows * (size_t)columns + 1, sizeof *cells);
        if (!cells)
            return -ENOMEM;
        *canvas = (struct canvas){rows, columns, cells};
    }
    canvas_clear(canvas);
    return 0;
}

static struct cell *cell_at(const struct canvas *canvas, int row, int column)
{
    return &canvas->cells[(size_t)row * (size_t)canvas->columns + (size_t)column];
}

static void set_cell(const struct canvas *canvas, int row, int column, unsigned style, const char *text, size_t bytes)
{
    struct cell *cell = cell_at(canvas, row, column);
    *cell = (struct cell){.style = style};
    memcpy(cell->text, text, bytes < sizeof cell->text ? bytes : sizeof cell->text - 1);
    /* Any number of marks may combine with a character: those beyond the cell are left out whole. */
    utf8_trim(cell->text);
}

void canvas_clear(struct canvas *canvas)
{
    for (int row = 0; row < canvas->rows; row++)
        for (int column = 0; column < canvas->columns; column++)
            set_cell(canvas, row, column, STYLE_PLAIN, " ", 1);
}

void canvas_copy(struct canvas *to, const struct canvas *from)
{
    memcpy(to->cells, from->cells, (size_t)from->rows * (size_t)from->columns * sizeof *from->cells);
}

void canvas_destroy(struct canvas *canvas)
{
    free(canvas->cells);
    *canvas = (struct canvas){0};
}

const struct cell *canvas_cell(const struct canvas *canvas, int row, int column)
{
    return cell_at(canvas, row, column);
}

struct area canvas_area(const struct canvas *canvas)
{
    return (struct area){.rows = canvas->rows, .columns = canvas->columns};
}

/* Whether a row of an area lies on the canvas. */
static bool has_row(const struct canvas *canvas, struct area area, int row)
{
    return row >= 0 && row < area.rows && area.row + row < canvas->rows;
}

/* Half of a wide character that is written over leaves a blank. */
static void mend_halves(const struct canvas *canvas, int row, int first, int behind)
{
    if (first > 0 && !*cell_at(canvas, row, first)->text)
        set_cell(canvas, row, first - 1, cell_at(canvas, row, first - 1)->style, " ", 1);
    if (behind < canvas->columns && !*cell_at(canvas, row, behind)->text)
        set_cell(canvas, row, behind, cell_at(canvas, row, behind)->style, " ", 1);
}

int canvas_write(struct canvas *canvas, struct area area, int row, int column, unsigned style, const char *text)
{
    const int end = area.column + area.columns < canvas->columns ? area.columns : canvas->columns - area.column;
    if (!has_row(canvas, area, row) || column < 0)
        return column;
    while (*text && column < end) {
        /* A character with what combines with it: all that adds no column. */
        size_t bytes = text_fit(text, 1);
        int width = 1;
        if (bytes == 0) {
            bytes = text_fit(text, 2);
            width = 2;
        }
        if (bytes == 0 || column + width > end)
            break;
        mend_halves(canvas, area.row + row, area.column + column, area.column + column + width);
        set_cell(canvas, area.row + row, area.column + column, style, text, bytes);
        if (width == 2)
            set_cell(canvas, area.row + row, area.column + column + 1, style, "", 0);
        text += bytes;
        column += width;
    }
    return column;
}

int canvas_sentence(struct canvas *canvas, struct area area, int row, int column, unsigned style, const char *text,
                    const char *more)
{
    const size_t room = column < area.columns ? (size_t)(area.columns - column) : 0, mark = text_width(more);
    if (text_width(text) <= room)
        return canvas_write(canvas, area, row, column, style, text);
    size_t end = room > mark ? text_fit(text, room - mark) : 0;
    while (end > 0 && text[end] != ' ')
        end--;
    while (end > 0 && text[end - 1] == ' ')
        end--;
    if (end == 0)
        return column;
    char *shortened = NULL;
    if (asprintf(&shortened, "%.*s%s", (int)end, text, more) < 0)
        return column;
    column = canvas_write(canvas, area, row, column, style, shortened);
    free(shortened);
    return column;
}

void canvas_write_right(struct canvas *canvas, struct area area, int row, int least, unsigned style, const char *text)
{
    const int begin = area.columns - (int)text_width(text);
    if (begin >= least)
        canvas_write(canvas, area, row, begin, style, text);
}

void canvas_paint_row(struct canvas *canvas, struct area area, int row, unsigned style)
{
    for (int column = area.column; has_row(canvas, area, row) && column < area.column + area.columns; column++)
        if (column < canvas->columns)
            cell_at(canvas, area.row + row, column)->style = style;
}
