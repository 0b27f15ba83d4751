/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_CANVAS_H
#define FRICID_CLIENT_MONITOR_CANVAS_H

#include <stdbool.h>
#include <stddef.h>

/* A screen in memory: a cell for each column of each row. Panels draw here, and what shows it to a terminal is none of
 * their business. Nothing is ever written outside an area, and of a wide character both halves or none. */

/* What text means; how that looks is the terminal's. */
enum style {
    STYLE_PLAIN,
    STYLE_QUIET,  /* frames, axes, heads of columns */
    STYLE_STRONG, /* what the eye should find first */
    STYLE_BAR,    /* the lines at the top and at the bottom */
    STYLE_GOOD,
    STYLE_BAD,
    STYLE_ACTIVE, /* something moves */
    STYLE_TRACE,
    STYLES
};

/* Added to a style: what the keys act on. */
enum { STYLE_CHOSEN = 0x10 };

struct cell {
    char text[16];  /* one character with what combines with it; empty: the second half of a wide one */
    unsigned style; /* enum style, perhaps with STYLE_CHOSEN */
};

/* A rectangle of the screen; without rows it is not shown. */
struct area {
    int row, column, rows, columns;
};

struct canvas {
    int rows, columns;
    struct cell *cells; /* row by row */
};

/* Makes it so large, and blank. 0, or -ENOMEM. */
int canvas_resize(struct canvas *canvas, int rows, int columns);

/* What stands on another one of the same size. */
void canvas_copy(struct canvas *to, const struct canvas *from);

void canvas_clear(struct canvas *canvas);
void canvas_destroy(struct canvas *canvas);

const struct cell *canvas_cell(const struct canvas *canvas, int row, int column);

struct area canvas_area(const struct canvas *canvas); /* all of it */

/* Writes at a place of an area, as much as fits into it. Returns the column behind the text. */
int canvas_write(struct canvas *canvas, struct area area, int row, int column, unsigned style, const char *text);

/* Writes a sentence that is shortened behind a word where there is no room for all of it; `more` says so. */
int canvas_sentence(struct canvas *canvas, struct area area, int row, int column, unsigned style, const char *text,
                    const char *more);

/* Writes so that the text ends with the row. Not at all where it would begin before `least`. */
void canvas_write_right(struct canvas *canvas, struct area area, int row, int least, unsigned style, const char *text);

/* The style of a whole row of an area. */
void canvas_paint_row(struct canvas *canvas, struct area area, int row, unsigned style);

#endif
