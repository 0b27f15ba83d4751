/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables on the screen: the columns and the order in which they give way are those of all tables of fricidctl. */

#include "client/monitor/sheet.h"

#include "client/reply.h"
#include "client/text_width.h"

#include <string.h>

/* Before the first column: where the mark of the chosen row stands. */
enum { MARGIN = 2 };

/* Longer names are possible, and rare. */
enum { NAME_COLUMNS = 20 };

struct phrase sheet_member(const json_t *object, const struct column *column, const struct glyphs *glyphs)
{
    const char *text = reply_text(object, column->quantity, "");
    if (text_width(text) <= NAME_COLUMNS)
        return phrase_format("%s", *text ? text : glyphs->missing);
    return phrase_format("%.*s%s", (int)text_fit(text, NAME_COLUMNS - text_width(glyphs->to)), text, glyphs->to);
}

/* The first one that is shown, so that the chosen one is among so many. */
static size_t first_shown(size_t chosen, size_t count, size_t rows)
{
    const size_t last = count > rows ? count - rows : 0, wanted = chosen >= rows ? chosen - rows + 1 : 0;
    return wanted < last ? wanted : last;
}

static unsigned style_of(const struct column *column, const char *text, const struct glyphs *glyphs)
{
    if (!column->judges || !*text || strcmp(text, glyphs->missing) == 0 || strcmp(text, SHEET_PROVISIONAL) == 0)
        return STYLE_PLAIN;
    return strcmp(text, "ok") == 0 ? STYLE_GOOD : STYLE_BAD;
}

static void draw_row(struct canvas *canvas, struct area area, int row, const struct table *table, size_t table_row,
                     const struct column_choice *choice, const size_t *widths, unsigned style,
                     const struct glyphs *glyphs)
{
    int column = MARGIN;
    for (size_t c = 0; c < choice->count; c++) {
        const char *text = table_text(table, table_row, c);
        const unsigned own =
            style == STYLE_PLAIN || style == STYLE_CHOSEN ? style_of(choice->columns[c], text, glyphs) : 0;
        canvas_sentence(canvas, area, row, column, style | own, text, glyphs->to);
        column += widths[c] > 0 ? (int)widths[c] + TABLE_GAP : 0;
    }
}

void sheet_draw(struct canvas *canvas, struct area area, const struct sheet *sheet, const struct glyphs *glyphs)
{
    const size_t count = json_array_size(sheet->objects), rows = area.rows > 1 ? (size_t)area.rows - 1 : 0;
    const size_t first = first_shown(sheet->chosen, count, rows);
    size_t widths[TABLE_MAX_COLUMNS];
    struct column_choice choice;
    struct complaint complaint;
    struct table *table = table_create();
    if (!table || columns_choose(sheet->columns, sheet->column_count, NULL, &choice, &complaint) < 0) {
        canvas_write(canvas, area, 0, 0, STYLE_BAD, "not enough memory");
        table_destroy(table);
        return;
    }
    columns_add_header(table, &choice, glyphs);
    for (size_t i = first; i < count && i < first + rows; i++)
        columns_add_row(table, &choice, json_array_get(sheet->objects, i), glyphs);
    columns_fit(table, &choice, area.columns > MARGIN ? (size_t)area.columns - MARGIN : 0);
    table_widths(table, widths);
    draw_row(canvas, area, 0, table, 0, &choice, widths, STYLE_QUIET, glyphs);
    for (size_t i = 1; i < table_rows(table); i++) {
        const bool chosen = first + i - 1 == sheet->chosen;
        const unsigned style = chosen && sheet->active ? STYLE_CHOSEN : STYLE_PLAIN;
        canvas_paint_row(canvas, area, (int)i, style);
        if (chosen)
            canvas_write(canvas, area, (int)i, 0, style | STYLE_STRONG, glyphs->ascii ? ">" : "▸");
        draw_row(canvas, area, (int)i, table, i, &choice, widths, style, glyphs);
    }
    table_destroy(table);
}
